import { getTable, listTables, table } from '../src/api/tables.ts';
import {
  ageColumn,
  amountColumn,
  type Column,
  type DetailLine,
  momentPair,
  pair,
  section,
  type Tone,
  textColumn,
  textLine,
} from '../src/describe/column.ts';
import { type Context, memberName } from '../src/describe/context.ts';
import { detailOf, listOf, unreadLines } from '../src/describe/list-detail.ts';
import { personInDetail } from '../src/describe/picks.ts';
import { keptResource } from '../src/describe/resource-spec.ts';
import type { Screen } from '../src/describe/screen.ts';
import { capitalized, formatCount, nameTitle, plural } from '../src/lib/text.ts';
import { readEpoch } from '../src/lib/time.ts';
import {
  cloudAccess,
  cloudLabel,
  comparable,
  deleteAction,
  editAction,
  findCloud,
  isSynced,
  newAction,
} from './tables/edit.ts';
import {
  loadTables,
  mayChangeTable,
  primaryKeyText,
  type ReferenceTable,
  readColumns,
  readRowCount,
  readSource,
  stillLoading,
  tableKind,
  tableSearch,
  tableSearchForm,
  tableSearchText,
  tableStatusText,
} from './tables/kind.ts';
import { addRowAction, rowsAction } from './tables/row-edit.ts';
import { rowList } from './tables/row-list.ts';
import { reloadAction, resumeAction, uploadAction } from './tables/upload.ts';

const { nameOf } = tableKind;

const tones = new Map<string, Tone>([
  ['DONE', 'good'],
  ['DONE_WITH_ERRORS', 'warn'],
  ['ERROR', 'bad'],
  ['INITIALIZED', 'info'],
  ['PROCESSING', 'info'],
]);

/** The color of the status. */
const statusTone = (row: ReferenceTable): Tone => tones.get(row.attributes.status ?? '') ?? 'dim';

/** When the table was last changed, in milliseconds since the epoch. */
const changedAt = (row: ReferenceTable): number | undefined => readEpoch(row.attributes.updated_at, 's');

const tagsOf = (row: ReferenceTable): string => (row.attributes.tags ?? []).join(' ');

/** Columns of reference tables. */
const columns: readonly Column<ReferenceTable>[] = [
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
    text: tableStatusText,
    tone: statusTone,
  }),
  amountColumn({
    id: 'rows',
    min: 7,
    priority: 2,
    text(row) {
      const rows = readRowCount(row);
      return rows === undefined ? '' : formatCount(rows);
    },
    amount: readRowCount,
  }),
  textColumn({
    id: 'source',
    min: 10,
    max: 18,
    priority: 3,
    text: readSource,
  }),
  textColumn({
    id: 'key',
    min: 8,
    max: 20,
    priority: 5,
    text: (row) => primaryKeyText(row) ?? '',
    tone: () => 'dim',
  }),
  textColumn({
    id: 'description',
    min: 14,
    flex: true,
    priority: 6,
    text: (row) => row.attributes.description ?? '',
    tone: () => 'dim',
  }),
  textColumn({
    id: 'tags',
    min: 10,
    max: 30,
    priority: 7,
    text: tagsOf,
    tone: () => 'quiet',
  }),
  ageColumn({ id: 'changed', title: 'UPDATED', min: 8, priority: 4 }, changedAt),
];

/** The status, the number of rows, and what went wrong. */
function statusLines(row: ReferenceTable): readonly DetailLine[] {
  const rows = readRowCount(row);
  const { error_message: message, error_type: type, error_row_count: errorRows } = row.attributes.file_metadata ?? {};
  const refused = Number(errorRows ?? 0);
  const why = [type, message].filter(Boolean).join(': ');
  return [
    pair('State', tableStatusText(row), statusTone(row)),
    pair('Rows', rows === undefined ? undefined : formatCount(rows)),
    ...(refused > 0 ? [textLine(`${plural(refused, 'row')} failed to import`, 'warn')] : []),
    ...(why === '' ? [] : [textLine(why, 'bad')]),
  ];
}

function overview(row: ReferenceTable, context: Context): readonly DetailLine[] {
  const { attributes } = row;
  const may = mayChangeTable(row, context);
  return [
    textLine(attributes.description || 'No description', attributes.description ? 'plain' : 'dim'),
    pair('Primary key', primaryKeyText(row)),
    pair('Source', readSource(row, context)),
    ...storageLines(row, context),
    pair('Tags', tagsOf(row)),
    pair('Editable', may === true ? 'yes' : `no: ${may}`),
    pair('Created by', personInDetail(attributes.created_by, context)),
    momentPair('Updated', changedAt(row), context),
    pair('Updated by', personInDetail(attributes.last_updated_by, context)),
    pair('ID', row.id),
    ...unreadLines(row),
  ];
}

function columnLines(row: ReferenceTable): readonly DetailLine[] {
  const all = readColumns(row);
  if (all.length === 0) return [textLine('Columns unknown', 'dim')];
  const key = primaryKeyText(row);
  return all.map(({ name, type }) => (name === key ? pair(name, `${type} (primary key)`, 'info') : pair(name, type)));
}

/** The storage of a table in the cloud; unknown members are shown under the service's name. */
function storageLines(row: ReferenceTable, context: Context): readonly DetailLine[] {
  if (findCloud(row) === undefined) return [];
  const members = Object.entries(cloudAccess(row)).filter(([, value]) => value != null && typeof value !== 'object');
  return [
    ...members.map(([name, value]) =>
      pair(capitalized(cloudLabel(name) ?? nameTitle(memberName(name, context))), String(value)),
    ),
    pair('Sync', isSynced(row) ? 'yes, about every 5 minutes' : 'no'),
  ];
}

/** What Enter shows of a table. */
const detail = detailOf(tableKind, {
  sections: (row, _, context) => [
    section('state', '', statusLines(row)),
    section('table', 'Table', overview(row, context)),
    section('columns', `Columns ${readColumns(row).length}`, columnLines(row)),
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
  empty: 'No reference tables. n: create one from a CSV file or from cloud storage',
});

/** Screen 7. */
export const tables: Screen = { id: 'tables', title: 'Tables', key: '7', lists: [tableList, rowList] };
