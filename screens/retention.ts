import { call } from '../src/api/endpoint.ts';
import { getFilter, listFilters } from '../src/api/retention.ts';
import { callCommand } from '../src/describe/command.ts';
import { list, type Screen } from '../src/describe/screen.ts';
import { columns } from './retention/columns.ts';
import { detail } from './retention/detail.ts';
import { deleteAction, editAction, newAction, toggleAction } from './retention/edit.ts';
import { loadFilters } from './retention/load.ts';
import { orderAction } from './retention/order.ts';
import { type FilterRow, kindOf, nameOf, settingsOf } from './retention/row.ts';

/** Which spans are kept, and in which order that is decided (spec: APM retention filter; contract/retention-filters.md). */
export const filterList = list<FilterRow>({
  id: 'retention',
  title: 'Retention filters',
  load: loadFilters,
  idOf: (row) => row.id,
  nameOf,
  columns,
  sorted: { by: 'order', down: false },
  words: (row) => `${kindOf(row)} ${row.attributes.created_by ?? ''} ${row.attributes.modified_by ?? ''}`,
  reads: [listFilters, getFilter],
  detail,
  comparable: (row) => ({ ...settingsOf(row), type: row.attributes.filter_type }),
  order: { column: 'order', save: orderAction.id },
  actions: [editAction, toggleAction, newAction, deleteAction, orderAction],
  empty: 'no retention filters: n makes one',
  command: (row) => callCommand(call(getFilter, { filter_id: row.id })),
});

/** Screen 8. */
export const retention: Screen = { id: 'retention', title: 'Retention', key: '8', lists: [filterList] };
