import * as v from 'valibot';
import { call } from '../src/api/endpoint.ts';
import { getTable, listRows, listTables, queryRows, readRows, table } from '../src/api/tables.ts';
import { callCommand } from '../src/describe/command.ts';
import { list, type Screen } from '../src/describe/screen.ts';
import { columns, rowColumns } from './tables/columns.ts';
import { rowDetail, tableDetail } from './tables/detail.ts';
import { deleteAction, editAction, newAction } from './tables/edit.ts';
import { loadRows, loadTables, rowForm, rowSays, rowSearch, tableForm, tableSays, tableSearch } from './tables/load.ts';
import { type CellsRow, nameOf, type TableRow } from './tables/row.ts';
import { addRowAction, deleteRowAction, editRowAction, newRowAction, rowsAction } from './tables/rows.ts';
import { reloadAction, resumeAction, uploadAction } from './tables/upload.ts';

/** Reference tables: what lookups are made in (spec: reference tables; contract/reference-tables.md). */
export const tableList = list<TableRow>({
  id: 'tables',
  title: 'Reference tables',
  load: loadTables,
  idOf: (row) => row.id,
  nameOf,
  columns,
  sorted: { by: 'name', down: false },
  search: { form: tableForm, initial: tableSearch, says: tableSays },
  words: (row) => (row.attributes.tags ?? []).join(' '),
  reads: [listTables, getTable],
  detail: tableDetail,
  schema: table,
  comparable: ({ attributes: { description, tags, file_metadata: file } }) => ({
    description: description ?? '',
    tags: tags ?? [],
    access: file?.access_details ?? {},
    sync: file?.sync_enabled === true,
  }),
  actions: [rowsAction, uploadAction, editAction, newAction, deleteAction, reloadAction, addRowAction, resumeAction],
  empty: 'no reference tables: U uploads a CSV file, n takes one from cloud storage',
  command: (row) => callCommand(call(getTable, { id: row.id })),
});

/** Rows of one table: the first ones, or those of the keys that are typed. */
export const rowList = list<CellsRow>({
  id: 'tables.rows',
  title: 'Rows',
  load: loadRows,
  every: 60,
  idOf: (row) => row.id,
  nameOf: (row) => row.id,
  columns: rowColumns,
  search: { form: rowForm, initial: rowSearch, says: rowSays },
  reads: [listTables, getTable, listRows, readRows, queryRows],
  detail: rowDetail,
  schema: v.looseObject({ table, values: v.record(v.string(), v.unknown()) }),
  comparable: (row) => ({ table: row.table.id, ...row.values }),
  actions: [editRowAction, newRowAction, deleteRowAction],
  empty: 'no rows to show: s names a table, and keys in it',
  command: (row) => callCommand(call(readRows, { id: row.table.id, query: { row_id: [row.id] } })),
});

/** Screen 7. */
export const tables: Screen = { id: 'tables', title: 'Tables', key: '7', lists: [tableList, rowList] };
