import { getFilter, listFilters, retentionFilter } from '../src/api/retention-filters.ts';
import {
  ageColumn,
  amountColumn,
  type Column,
  type DetailLine,
  orderColumn,
  pair,
  plainColumn,
  positionLine,
  type Section,
  section,
  textColumn,
  textLine,
} from '../src/describe/column.ts';
import type { Context } from '../src/describe/context.ts';
import { detailOf, listOf, unreadLines } from '../src/describe/list-detail.ts';
import { personInDetail } from '../src/describe/picks.ts';
import { keptResource } from '../src/describe/resource-spec.ts';
import type { Screen } from '../src/describe/screen.ts';
import { absolute, readMoment } from '../src/lib/time.ts';
import {
  comparable,
  deleteAction,
  disableFilterAction,
  editAction,
  enableFilterAction,
  type FilterRow,
  filters,
  isBuiltIn,
  newAction,
  orderAction,
  ordinary,
  percent,
  toggleAction,
} from './retention/edit.ts';

const { nameOf } = filters;

const kinds = new Map(
  Object.entries({
    'spans-errors-sampling-processor': 'errors',
    'spans-appsec-sampling-processor': 'appsec',
    [ordinary]: '',
  }),
);

/** The type of a filter in one word: empty for the ordinary type, an unknown type as it is. */
export function filterKindWord(row: FilterRow): string {
  const type = row.attributes.filter_type ?? '';
  const word = kinds.get(type) ?? type;
  return word === '' && isBuiltIn(row) ? 'built-in' : word;
}

const off = (row: FilterRow) => row.attributes.enabled === false;

/** When it was changed last, milliseconds since the epoch; undefined for built-in filters, whose time is 0. */
function changedAt(row: FilterRow): number | undefined {
  const seconds = Number(row.attributes.modified_at ?? 0);
  return seconds ? readMoment(seconds, 's') : undefined;
}

/** Columns of retention filters. */
const columns: readonly Column<FilterRow>[] = [
  orderColumn(4),
  plainColumn({
    id: 'on',
    called: 'on or off',
    firsts: ['on first', 'off first'],
    min: 3,
    priority: 1,
    text: (row) => (row.attributes.enabled == null ? '?' : off(row) ? 'off' : 'on'),
    says: (row) => (row.attributes.enabled == null ? 'unknown whether on' : off(row) ? 'off' : 'on'),
    tone: (row) => (row.attributes.enabled ? 'good' : 'warn'),
    sort: (row) => (off(row) ? 1 : 0),
  }),
  textColumn({
    id: 'name',
    min: 16,
    max: 48,
    priority: 1,
    text: nameOf,
    tone: (row) => (off(row) ? 'dim' : 'plain'),
  }),
  textColumn({
    id: 'query',
    min: 20,
    flex: true,
    priority: 2,
    text: (row) => row.attributes.filter?.query ?? '',
    tone: (row) => (off(row) ? 'dim' : 'plain'),
  }),
  amountColumn({
    id: 'rate',
    title: 'SPANS',
    min: 7,
    priority: 2,
    text: (row) => percent(row.attributes.rate),
    tone: (row) => (off(row) ? 'dim' : 'plain'),
    amount: (row) => Number(row.attributes.rate ?? Number.NaN),
  }),
  amountColumn({
    id: 'traces',
    min: 7,
    priority: 4,
    text: (row) => percent(row.attributes.trace_rate),
    tone: (row) => (off(row) || !Number(row.attributes.trace_rate ?? 0) ? 'dim' : 'plain'),
    amount: (row) => Number(row.attributes.trace_rate ?? Number.NaN),
  }),
  textColumn({
    id: 'kind',
    min: 8,
    max: 32,
    priority: 5,
    text: filterKindWord,
    tone: () => 'dim',
  }),
  ageColumn({ id: 'changed', title: 'UPDATED', min: 8, priority: 6 }, changedAt),
];

/** What it does, in words. */
function meaning(row: FilterRow): readonly DetailLine[] {
  const { enabled, rate, trace_rate: traces } = row.attributes;
  const keeps = enabled ? 'Keeps' : 'Would keep';
  return [
    enabled
      ? textLine('Enabled', 'good')
      : textLine(off(row) ? 'Disabled: keeps nothing' : 'Unknown whether it is enabled', 'warn'),
    textLine(`${keeps} ${percent(rate) || 'an unknown share'} of matching spans`),
    ...(traces ? [textLine(`${keeps} ${percent(traces)} of whole traces with a matching span`)] : []),
    ...(isBuiltIn(row) ? [textLine('Built-in filter: cannot be renamed or deleted', 'info')] : []),
  ];
}

function sectionsOf(row: FilterRow, context: Context): readonly Section[] {
  const { attributes } = row;
  const query = attributes.filter?.query;
  const filter = [
    positionLine(row, 'the first enabled filter that matches decides', context),
    pair('Span rate', percent(attributes.rate)),
    pair('Trace rate', percent(attributes.trace_rate)),
    pair(
      'Kind',
      filterKindWord(row) === '' ? 'custom' : `${filterKindWord(row)} (${attributes.filter_type ?? 'type unknown'})`,
    ),
    pair('Editable', attributes.editable === false ? 'no: managed by the service' : 'yes'),
    pair('Created', when(attributes.created_at, attributes.created_by, 'with the organization', context)),
    pair('Updated', when(attributes.modified_at, attributes.modified_by, 'never', context)),
    pair('ID', row.id),
    ...unreadLines(row),
  ];
  return [
    section('meaning', '', meaning(row)),
    section('query', 'Query', [textLine(query ?? 'Unknown', query == null ? 'dim' : 'plain')]),
    section('filter', 'Filter', filter),
  ];
}

/** `2026-11-21 03:00 UTC by ada@example.com`; `none` for a time of 0, which only built-in filters have. */
function when(
  instant: number | bigint | null | undefined,
  by: string | null | undefined,
  none: string,
  context: Context,
): string {
  const person = who(by, context);
  if (instant == null) return person;
  const at = Number(instant) === 0 ? undefined : readMoment(instant, 's');
  const moment = at === undefined ? none : absolute(at, context.zone);
  return person === '' ? moment : `${moment} by ${person}`;
}

/** An e-mail as it is; of an id the name, where the person is known here (docs/contract/retention-filters.md#filter). */
function who(by: string | null | undefined, context: Context): string {
  return by?.includes('@') ? by : personInDetail(by, context);
}

/** What Enter shows of a retention filter. */
const detail = detailOf(filters, {
  sections: (row, _, context) => sectionsOf(row, context),
});

/** Retention filters in their order (docs/contract/retention-filters.md). */
export const filterList = listOf(filters, {
  id: 'retention',
  title: 'Retention filters',
  columns,
  sorted: { by: 'order', down: false },
  states: [
    { label: 'ON', tone: 'good', isIn: (row) => row.attributes.enabled === true },
    { label: 'OFF', tone: 'warn', isIn: off },
  ],
  words: (row) => `${filterKindWord(row)} ${row.attributes.created_by ?? ''} ${row.attributes.modified_by ?? ''}`,
  reads: [listFilters, getFilter],
  detail,
  comparable,
  order: { column: 'order', save: orderAction.id },
  actions: [editAction, toggleAction, enableFilterAction, disableFilterAction, newAction, deleteAction, orderAction],
  kept: keptResource(retentionFilter),
  empty: 'No retention filters. n: new filter',
});

/** Screen 8. */
export const retention: Screen = { id: 'retention', title: 'Retention', key: '8', lists: [filterList] };
