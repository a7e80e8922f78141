import { getTable, listTables, table } from '../src/api/tables.ts';
import { type Column, gap, head, type Line, pair, section, type Tone, text } from '../src/describe/column.ts';
import type { Context } from '../src/describe/context.ts';
import { detailOf, unreadLines } from '../src/describe/detail.ts';
import { keptResource } from '../src/describe/kept-resource.ts';
import { listOf } from '../src/describe/kind-list.ts';
import { knownPerson, shortPersonName } from '../src/describe/people.ts';
import type { Screen } from '../src/describe/screen.ts';
import { ageColumn, momentPair, textColumn } from '../src/describe/standard-columns.ts';
import { memberName } from '../src/describe/vocabulary-words.ts';
import { readAnyMoment } from '../src/lib/moment.ts';
import { capitalized, count, nameTitle, plural } from '../src/lib/text.ts';
import { accessOf, cloudOf, isSynced, labelOf } from './tables/cloud-storage.ts';
import { comparable, deleteAction, editAction, newAction } from './tables/edit.ts';
import {
  columnsOf,
  mayChange,
  primaryKeyOf,
  rowCountOf,
  sourceOf,
  statusOf,
  stillLoading,
  type TableRow,
  tableKind,
} from './tables/kind.ts';
import { loadTables, tableSearch, tableSearchForm, tableSearchText } from './tables/load.ts';
import { addRowAction, rowsAction } from './tables/row-edit.ts';
import { rowList } from './tables/row-list.ts';
import { reloadAction, resumeAction, uploadAction } from './tables/upload.ts';

const { nameOf } = tableKind;

/** The colour of the status. */
function statusTone(row: TableRow): Tone {
  switch (row.attributes.status) {
    case 'DONE':
      return 'good';
    case 'DONE_WITH_ERRORS':
      return 'warn';
    case 'ERROR':
      return 'bad';
    case 'INITIALIZED':
    case 'PROCESSING':
      return 'info';
    default:
      return 'dim';
  }
}

/** When the table was last changed, in milliseconds since the epoch. */
const changedAt = (row: TableRow): number | undefined => readAnyMoment(row.attributes.updated_at);

const tagsOf = (row: TableRow): string => (row.attributes.tags ?? []).join(' ');

/** Columns of reference tables. */
const columns: readonly Column<TableRow>[] = [
  textColumn({
    id: 'name',
    title: 'TABLE',
    min: 18,
    max: 56,
    priority: 1,
    text: nameOf,
  }),
  textColumn({
    id: 'status',
    title: 'STATE',
    min: 12,
    max: 16,
    widest: 'done with errors',
    priority: 1,
    text: statusOf,
    tone: statusTone,
  }),
  {
    id: 'rows',
    title: 'ROWS',
    min: 7,
    align: 'right',
    priority: 2,
    text(row) {
      const rows = rowCountOf(row);
      return rows === undefined ? '' : count(rows);
    },
    sort: (row) => rowCountOf(row) ?? Number.NaN,
    downwards: true,
  },
  textColumn({
    id: 'source',
    title: 'SOURCE',
    min: 10,
    max: 18,
    priority: 3,
    text: sourceOf,
    tone: () => 'info',
  }),
  textColumn({
    id: 'key',
    title: 'KEY',
    min: 8,
    max: 20,
    priority: 5,
    text: (row) => primaryKeyOf(row) ?? '',
    tone: () => 'dim',
  }),
  textColumn({
    id: 'description',
    title: 'DESCRIPTION',
    min: 14,
    flex: true,
    priority: 6,
    text: (row) => row.attributes.description ?? '',
    tone: () => 'dim',
  }),
  textColumn({
    id: 'tags',
    title: 'TAGS',
    min: 10,
    max: 30,
    priority: 7,
    text: tagsOf,
    tone: () => 'quiet',
  }),
  ageColumn({ id: 'changed', title: 'UPDATED', min: 8, priority: 4 }, changedAt),
];

/** The status, the number of rows, and what went wrong. */
function statusLines(row: TableRow): readonly Line[] {
  const rows = rowCountOf(row);
  const { error_message: message, error_type: type, error_row_count: errorRows } = row.attributes.file_metadata ?? {};
  const refused = Number(errorRows ?? 0);
  const why = [type, message].filter(Boolean).join(': ');
  return [
    pair('State', statusOf(row), statusTone(row)),
    pair('Rows', rows === undefined ? undefined : count(rows)),
    ...(refused > 0 ? [text(`${plural(refused, 'row')} failed to import`, 'warn')] : []),
    ...(why === '' ? [] : [text(why, 'bad')]),
  ];
}

function overview(row: TableRow, context: Context): readonly Line[] {
  const { attributes } = row;
  const may = mayChange(row, context);
  return [
    text(attributes.description || 'No description', attributes.description ? 'plain' : 'dim'),
    pair('Primary key', primaryKeyOf(row)),
    pair('Source', sourceOf(row, context)),
    ...storageLines(row, context),
    pair('Tags', tagsOf(row)),
    pair('Editable', may === true ? 'yes' : `no: ${may}`),
    pair('Created by', personText(attributes.created_by, context)),
    momentPair('Updated', changedAt(row), context),
    pair('Updated by', personText(attributes.last_updated_by, context)),
    pair('ID', row.id),
    ...unreadLines(row),
  ];
}

function columnLines(row: TableRow): readonly Line[] {
  const all = columnsOf(row);
  if (all.length === 0) return [text('Columns unknown', 'dim')];
  const key = primaryKeyOf(row);
  return all.map(({ name, type }) => (name === key ? pair(name, `${type} (primary key)`, 'info') : pair(name, type)));
}

/** The storage of a table in the cloud; unknown members are shown under the service's name. */
function storageLines(row: TableRow, context: Context): readonly Line[] {
  if (cloudOf(row) === undefined) return [];
  const members = Object.entries(accessOf(row)).filter(([, value]) => value != null && typeof value !== 'object');
  return [
    ...members.map(([name, value]) =>
      pair(capitalized(labelOf(name) ?? nameTitle(memberName(name, context))), String(value)),
    ),
    pair('Sync', isSynced(row) ? 'yes, about every 5 minutes' : 'no'),
  ];
}

/** The name of a person, or a short id where the name is unknown; empty without an id. The raw detail has all of it. */
function personText(id: string | null | undefined, context: Context): string {
  return id ? (knownPerson(id, context)?.name ?? shortPersonName(id)) : '';
}

/** What Enter shows of a table. */
const detail = detailOf(tableKind, {
  sections: (row, _, context) => [
    section('state', '', statusLines(row)),
    section('table', 'Table', overview(row, context)),
    section('columns', `Columns ${columnsOf(row).length}`, columnLines(row)),
  ],
  preview: (row, context) => [
    ...statusLines(row),
    ...overview(row, context),
    gap,
    head('Columns'),
    ...columnsOf(row).map(({ name, type }) => text(`${name} ${type}`)),
  ],
});

/** Reference tables, which lookups read (docs/contract/reference-tables.md). */
export const tableList = listOf(tableKind, {
  id: 'tables',
  title: 'Reference tables',
  load: loadTables,
  columns,
  sorted: { by: 'name', down: false },
  states: [
    { label: 'ERROR', tone: 'bad', needsPerson: 'failed table', isIn: (row) => row.attributes.status === 'ERROR' },
    {
      label: 'WITH ERRORS',
      tone: 'warn',
      needsPerson: 'incomplete table',
      isIn: (row) => row.attributes.status === 'DONE_WITH_ERRORS',
    },
    { label: 'LOADING', tone: 'info', isIn: (row) => stillLoading(row) !== undefined },
  ],
  search: { form: tableSearchForm, initial: tableSearch, says: tableSearchText },
  words: tagsOf,
  reads: [listTables, getTable],
  detail,
  schema: table,
  comparable,
  actions: [rowsAction, uploadAction, editAction, newAction, deleteAction, reloadAction, addRowAction, resumeAction],
  kept: keptResource(table),
  empty: 'No reference tables. U: upload a CSV file, n: new from cloud storage',
});

/** Screen 7. */
export const tables: Screen = { id: 'tables', title: 'Tables', key: '7', lists: [tableList, rowList] };
