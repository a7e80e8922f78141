import { getArchive, getOrder, listArchives, listReaders } from '../src/api/archives.ts';
import { call } from '../src/api/endpoint.ts';
import { callCommand } from '../src/describe/command.ts';
import { list, type Screen } from '../src/describe/screen.ts';
import { columns } from './archives/columns.ts';
import { detail } from './archives/detail.ts';
import {
  addReaderAction,
  deleteAction,
  editAction,
  newAction,
  orderAction,
  removeReaderAction,
} from './archives/edit.ts';
import { loadArchives } from './archives/load.ts';
import { type ArchiveRow, nameOf } from './archives/row.ts';
import { configurationOf } from './archives/write.ts';

/** Where logs are kept for good, and in which order that is decided (spec: logs archives; contract/logs-archives.md). */
export const archiveList = list<ArchiveRow>({
  id: 'archives',
  title: 'Log archives',
  load: loadArchives,
  idOf: (row) => row.id,
  nameOf,
  columns,
  sorted: { by: 'order', down: false },
  words: (row) => (row.attributes.rehydration_tags ?? []).join(' '),
  reads: [listArchives, getOrder, getArchive, listReaders],
  detail,
  comparable: (row) => ({ configuration: configurationOf(row) }),
  order: { column: 'order', save: orderAction.id },
  actions: [editAction, newAction, deleteAction, addReaderAction, removeReaderAction, orderAction],
  empty: 'no archives: n makes one',
  command: (row) => callCommand(call(getArchive, { archive_id: row.id })),
});

/** Screen 9. */
export const archives: Screen = { id: 'archives', title: 'Archives', key: '9', lists: [archiveList] };
