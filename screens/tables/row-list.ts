import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import { getTable, listRows, listTables, queryRows, readRows, row as rowSchema, table } from '../../src/api/tables.ts';
import { type Column, type Line, pair, section } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import { detailOf, unreadLines } from '../../src/describe/detail.ts';
import { list } from '../../src/describe/screen.ts';
import { columnsOf, primaryKeyOf, type TableRow, tableKind } from './kind.ts';
import { deleteRowAction, editRowAction, newRowAction } from './row-edit.ts';
import { type CellsRow, cellNames, cellsOf, cellText, rowKind } from './row-kind.ts';
import { loadRows, rowSearch, rowSearchForm, rowSearchText } from './row-load.ts';

const textOf = (row: CellsRow, name: string): string => cellText(cellsOf(row)[name]);

/** Columns of the list of rows. Tables differ in their columns, so one column shows all cells. */
const columns: readonly Column<CellsRow>[] = [
  {
    id: 'key',
    title: 'KEY',
    min: 14,
    max: 56,
    priority: 1,
    text: (row) => row.id,
    sort: (row) => row.id,
  },
  {
    id: 'cells',
    title: 'CELLS',
    min: 20,
    flex: true,
    priority: 1,
    text: (row) =>
      cellNames(row)
        .filter((name) => name !== primaryKeyOf(row.table))
        .map((name) => `${name} ${textOf(row, name) || '–'}`)
        .join(' · '),
    tone: () => 'dim',
  },
];

const cellLines = (row: CellsRow): readonly Line[] => {
  const known = columnsOf(row.table).map(({ name }) => name);
  return cellNames(row).map((name) => pair(name, textOf(row, name), known.includes(name) ? undefined : 'warn'));
};

/** What Enter shows of a row. The table is read again, since it may have new columns. */
const detail = detailOf(rowKind, {
  more: {
    of: tableKind.of,
    *read({ table: before }) {
      const now = yield* tableKind.fresh(before);
      return { ok: true, value: now.ok ? now.value : before, status: 200, unread: [] };
    },
  },
  sections(row, now: TableRow | undefined) {
    const withTable = { ...row, table: now ?? row.table };
    const table = pair('Table', tableKind.nameOf(withTable.table));
    return [section('row', '', cellLines(withTable)), section('table', 'Table', [table, ...unreadLines(row)])];
  },
  preview: (row) => [...cellLines(row)],
});

/** The rows of one table: the first ones, or those of the typed keys. */
export const rowList = list<CellsRow>({
  id: 'tables.rows',
  title: 'Rows',
  load: loadRows,
  every: 60,
  idOf: (row) => row.id,
  nameOf: rowKind.nameOf,
  columns,
  search: { form: rowSearchForm, initial: rowSearch, says: rowSearchText },
  reads: [listTables, getTable, listRows, readRows, queryRows],
  detail,
  schema: v.looseObject({ ...rowSchema.entries, table }),
  comparable: (row) => ({ table: row.table.id, ...cellsOf(row) }),
  actions: [editRowAction, newRowAction, deleteRowAction],
  empty: 'No rows. s: choose a table and keys',
  command: (row) => callCommand(call(readRows, { id: row.table.id, query: { row_id: [row.id] } })),
});
