import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import { toResult } from '../../src/api/problem.ts';
import { getTable, listRows, listTables, queryRows, readRows, row as rowSchema, table } from '../../src/api/tables.ts';
import { type Column, type DetailLine, outputField, pair, plainColumn, section } from '../../src/describe/column.ts';
import { detailOf, listOf, unreadLines } from '../../src/describe/list-detail.ts';

import { primaryKeyText, type ReferenceColumn, type ReferenceTable, readColumns, tableKind } from './kind.ts';
import { deleteRowAction, editRowAction, newRowAction } from './row-edit.ts';
import {
  type CellsRow,
  cellNames,
  cellText,
  loadRows,
  quotedKey,
  readCells,
  rowKind,
  rowSearch,
  rowSearchForm,
  rowSearchText,
} from './row-kind.ts';

const textOf = (row: CellsRow, name: string): string => cellText(readCells(row)[name]);

const keyColumn: Column<CellsRow> = plainColumn({
  id: 'key',
  min: 14,
  max: 56,
  priority: 1,
  text: (row) => row.id,
  sort: (row) => row.id,
});

/** Columns where the schema is unknown: one shows all cells. */
const columns: readonly Column<CellsRow>[] = [
  keyColumn,
  plainColumn({
    id: 'cells',
    min: 20,
    flex: true,
    priority: 1,
    text: (row) =>
      cellNames(row)
        .filter((name) => name !== primaryKeyText(row.table))
        .map((name) => `${name} ${textOf(row, name) || '–'}`)
        .join(' · '),
    tone: () => 'dim',
  }),
];

/** The key, then the other columns of the schema in its order; the last text takes the rest. Undefined without a schema. */
export function schemaColumns([row]: readonly CellsRow[]): readonly Column<CellsRow>[] | undefined {
  const schema = row ? readColumns(row.table) : [];
  if (!row || schema.length === 0) return undefined;
  const key = primaryKeyText(row.table);
  const { type } = schema.find(({ name }) => name === key) ?? { type: 'STRING' };
  const others = [...new Map(schema.map((column) => [column.name, column])).values()].filter(
    ({ name }) => name !== key,
  );
  const last = others.findLast((column) => column.type !== 'INT32');
  return [
    ...(key === undefined
      ? [keyColumn]
      : [
          {
            ...keyColumn,
            id: key,
            title: key.toUpperCase(),
            ...(type === 'INT32' ? numeric((one: CellsRow) => one.id) : {}),
          },
        ]),
    ...others.map((column) => schemaColumn(column, column === last)),
  ];
}

function schemaColumn({ name, type }: ReferenceColumn, isLast: boolean): Column<CellsRow> {
  const text = (row: CellsRow) => textOf(row, name);
  return {
    id: name,
    title: name.toUpperCase(),
    min: type === 'INT32' ? 4 : 8,
    max: 40,
    priority: 2,
    text,
    // A sentence has no heads of columns: every value needs its name.
    says: (row) => (text(row) === '' ? '' : `${name} ${text(row)}`),
    sort: text,
    ...(type === 'INT32' ? numeric(text) : {}),
    ...(isLast ? { flex: true } : {}),
  };
}

/** A column of whole numbers; an empty cell is sorted as unknown. */
const numeric = (text: (row: CellsRow) => string): Pick<Column<CellsRow>, 'align' | 'sort'> => ({
  align: 'right',
  sort: (row) => (text(row) === '' ? Number.NaN : Number(text(row))),
});

const cellLines = (row: CellsRow): readonly DetailLine[] => {
  const known = readColumns(row.table).map(({ name }) => name);
  return cellNames(row).map((name) => pair(name, textOf(row, name), known.includes(name) ? undefined : 'warn'));
};

/** What Enter shows of a row. The table is read again, since it may have new columns. */
const detail = detailOf(rowKind, {
  more: {
    of: tableKind.of,
    *read({ table: before }) {
      const now = yield* tableKind.fresh(before);
      return toResult(now.ok ? now.value : before);
    },
  },
  sections(row, now: ReferenceTable | undefined) {
    const withTable = { ...row, table: now ?? row.table };
    const table = pair('Table', tableKind.nameOf(withTable.table));
    return [section('row', '', cellLines(withTable)), section('table', 'Table', [table, ...unreadLines(row)])];
  },
  preview: (row) => [...cellLines(row)],
});

/** The rows of one table: the first ones, or those of the typed keys. */
export const rowList = listOf(rowKind, {
  id: 'tables.rows',
  title: 'Rows',
  load: loadRows,
  every: 60,
  output: () => ({
    fields: [
      outputField('table_id', 'id', 'id of its table', (row) => row.table.id),
      outputField('table', 'text', 'name of its table', (row) => row.table.attributes.table_name),
      outputField('values', 'object', 'its cells by column', readCells),
    ],
  }),
  find: (ids, { search }) => loadRows({ search: { ...search, keys: ids.map(quotedKey).join() }, range: '' }),
  columns,
  columnsOf: schemaColumns,
  words: (row) =>
    cellNames(row)
      .map((name) => textOf(row, name))
      .join(' '),
  search: { form: rowSearchForm, initial: rowSearch, subject: 'table', says: rowSearchText },
  reads: [listTables, getTable, listRows, readRows, queryRows],
  detail,
  schema: v.looseObject({ ...rowSchema.entries, table }),
  comparable: (row) => ({ table: row.table.id, ...readCells(row) }),
  actions: [editRowAction, newRowAction, deleteRowAction],
  empty: 'No rows. s: choose a table and keys',
  command: (row) => call(readRows, { id: row.table.id, query: { row_id: [row.id] } }),
});
