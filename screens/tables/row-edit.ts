import { type Args, ask, type Call, call, type Plan, pausing } from '../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { deleteRows, listRows, listTables, queryRows, readRows, upsertRows } from '../../src/api/tables.ts';
import { type Action, action, type GoingAction } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Field, type Fields, textField } from '../../src/describe/field.ts';
import { namePart, receipt } from '../../src/describe/receipt.ts';
import { defineSettings, type Setting, type SettingTable, settingFields } from '../../src/describe/setting.ts';
import { type EditedRow, editing, readToRestore } from '../../src/describe/setting-edits.ts';
import { deletedAfter } from '../../src/describe/standard-actions.ts';
import {
  mayChangeTable,
  primaryKeyText,
  type ReferenceColumn,
  type ReferenceTable,
  readColumns,
  stillLoading,
  tableKind,
} from './kind.ts';
import { type CellsRow, cellText, readCells, readRowsByKey, rowKind } from './row-kind.ts';

/** Cells by column name. */
type CellsByColumn = Readonly<Record<string, unknown>>;
/** Form values by setting: `cell ` and the column name. */
type CellValues = Readonly<Record<string, Value | null | undefined>>;
type Item = Args<typeof upsertRows>['body']['data'][number];
type Value = Item['attributes']['values'][string];

// The range of INT32.
const smallest = -(2 ** 31);
const largest = 2 ** 31 - 1;

/** A whole number that a cell can hold; NaN for any other text. */
function toInt32(typed: string): number {
  const number = typed.trim() === '' ? Number.NaN : Number(typed);
  return Number.isInteger(number) && number >= smallest && number <= largest ? number : Number.NaN;
}

const notInt32 = (name: string) => `${name} must be a whole number from ${smallest} to ${largest}`;

/** The field of a cell. A text is sent exactly as typed. */
function cellField({ name, type }: ReferenceColumn, now: unknown): Field<Value | null> {
  const field = textField(name, cellText(now), type === 'INT32' ? { hint: 'A whole number' } : {});
  return {
    ...field,
    read(typed) {
      if (type !== 'INT32') return { ok: true, value: typed };
      if (typed.trim() === '') return { ok: true, value: null };
      const number = toInt32(typed);
      return Number.isNaN(number) ? { ok: false, text: notInt32(name) } : { ok: true, value: number };
    },
  };
}

const setting = defineSettings(rowKind);
// Keeps the names of cells apart from the field of the key.
const prefix = 'cell ';

/** The settings of a row: every cell except the key. */
function cellSettings(
  table: ReferenceTable,
): SettingTable<CellsRow> & Readonly<Record<string, Setting<CellsRow, Value | null>>> {
  const others = readColumns(table).filter(({ name }) => name !== primaryKeyText(table));
  const cell = (column: ReferenceColumn) =>
    setting(column.name, `values.${column.name}`, (now) => cellField(column, now));
  return Object.fromEntries(others.map((column) => [`${prefix}${column.name}`, cell(column)]));
}

/** The changed cells of a form, by column name. */
function cellsIn(values: CellsByColumn): CellsByColumn {
  const cells = Object.entries(values).filter(([name, value]) => name.startsWith(prefix) && value !== undefined);
  return Object.fromEntries(cells.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** The call that writes a whole row. Null cells are left out and so become empty. */
function upsert(table: ReferenceTable, id: string, cells: CellsByColumn): Call {
  const kept = Object.entries(cells).filter(([, value]) => value != null);
  // Cells may hold values that the schema of the request does not name: they are written back as they were read.
  const values = Object.fromEntries(kept) as Item['attributes']['values'];
  return call(upsertRows, { id: table.id, body: { data: [{ type: 'row', id, attributes: { values } }] } });
}

/** The call that deletes a row. */
const deleteCall = (table: ReferenceTable, id: string): Call =>
  call(deleteRows, { id: table.id, body: { data: [{ type: 'row', id }] } });

/** Milliseconds before a refused write is retried. */
const retryDelay = 2000;

/** Sends a write; once more after a pause where another write or an unfinished load is in conflict with it. */
function* writeWithRetry(request: Call): Plan<Result<unknown>> {
  const first = yield* ask(request);
  if (first.ok || first.problem.kind !== 'conflict') return first;
  yield* pausing(retryDelay);
  const second = yield* ask(request);
  if (second.ok || second.problem.kind !== 'conflict') return second;
  const text = `${second.problem.text}; nothing was saved: try again in a moment`;
  return { ok: false, problem: { ...second.problem, text } };
}

const { nameOf } = tableKind;

function mayWriteTo(table: ReferenceTable, context: Context): true | string {
  const may = mayChangeTable(table, context);
  return may === true ? (stillLoading(table) ?? true) : may;
}

const mayWrite = (row: CellsRow, context: Context): true | string => mayWriteTo(row.table, context);

const delayNote = 'may take a moment to appear';

/** The edit action for the rows of one table: its columns are the settings. A write replaces the whole row. */
const editOf = ({ table }: CellsRow): Action<CellsRow, CellValues, EditedRow<CellsRow>> =>
  editing({
    kind: rowKind,
    settings: cellSettings(table),
    uses: [upsertRows],
    replace: (id, { values }: { readonly values?: CellsByColumn }) => upsert(table, id, values ?? {}),
    sends: writeWithRetry,
  }).edit({ id: 'tables.edit-row', help: 'Edit the cells of the row' });

/** `e`: the cells of a row. The key is the id of the row and cannot be changed. */
export const editRowAction: Action<CellsRow, CellValues, EditedRow<CellsRow>> = {
  id: 'tables.edit-row',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'Edit the cells of the row; the key is fixed',
  uses: [readRows, queryRows, upsertRows],
  bulk: false,
  reviews: true,
  enabled: mayWrite,
  form: (row, context) => editOf(row).form?.(row, context, undefined) ?? {},
  send: (row, values, context) => editOf(row).send(row, values, context),
  show: (row, values, context) => editOf(row).show?.(row, values, context) ?? row,
  truth: (row, answer, values) => editOf(row).truth?.(row, answer, values) ?? row,
  done: (row) => receipt`Updated ${namePart(row.id)} (${delayNote})`,
  undo: (row, values, answer, context) => editOf(row).undo?.(row, values, answer, context) ?? [],
  command: (row, values, context) => editOf(row).command?.(row, values, context) ?? '',
};

/** Writes a new row, unless its key exists: the write would replace that row. The value is the key. */
function* addRow({ table, id, cells }: NewRow): Plan<Result<string>> {
  const found = yield* readRowsByKey(table, [id]);
  if (!found.ok) return found;
  // What could not be read of the one that was asked for is there, too.
  if (found.unread.length > 0 || found.value.some((row) => String(row.id) === id))
    return problemResult('conflict', `not sent: row ${id} already exists; edit it (e)`);
  const written = yield* writeWithRetry(upsert(table, id, cells));
  return written.ok ? { ...written, value: id } : written;
}

interface NewRow {
  readonly table: ReferenceTable;
  readonly id: string;
  readonly cells: CellsByColumn;
}

const hasNumberKey = (table: ReferenceTable): boolean =>
  readColumns(table).some(({ name, type }) => name === primaryKeyText(table) && type === 'INT32');

/** The primary key of a new row. */
const keyField = (table: ReferenceTable, key = primaryKeyText(table) ?? 'key') =>
  textField(key, '', {
    required: true,
    hint: 'The primary key',
    check: (typed) => !(hasNumberKey(table) && Number.isNaN(toInt32(typed))) || notInt32(key),
  });

/** The values of the form of a new row; one number has one id, however it is typed. */
function newRow(values: CellsByColumn, table: ReferenceTable): NewRow {
  const key = primaryKeyText(table) ?? 'id';
  const typed = String(values.key ?? '').trim();
  const value = hasNumberKey(table) ? toInt32(typed) : typed;
  return { table, id: String(value), cells: { ...cellsIn(values), [key]: value } };
}

/** An action that adds a row to the table of the row under the cursor. */
const addRowActionOf = <Row>(
  spec: Pick<Action<Row>, 'id' | 'key' | 'title' | 'noun' | 'preposition' | 'help'> & {
    /** Whether the list shows the new row. */
    readonly inList: boolean;
    table(row: Row): ReferenceTable;
  },
) => {
  const { table: tableOf, inList, ...head } = spec;
  return action({
    ...head,
    uses: [readRows, queryRows, upsertRows, deleteRows],
    bulk: false,
    enabled(row: Row, context) {
      const may = mayWriteTo(tableOf(row), context);
      return may === true ? primaryKeyText(tableOf(row)) !== undefined || 'its columns are unknown' : may;
    },
    form(row: Row, context): Fields {
      const table = tableOf(row);
      return { key: keyField(table), ...settingFields(cellSettings(table), {}, undefined, context) };
    },
    send: (row, values) => addRow(newRow(values, tableOf(row))),
    done: (row, _, key) => receipt`Added row ${namePart(key)} to ${namePart(nameOf(tableOf(row)))} (${delayNote})`,
    made: (key) => ({ id: key, name: key }),
    ...(!inList && { makesKind: 'tables.rows' }),
    undo: (row, _, key) => [deleteCall(tableOf(row), key)],
    command(row, values) {
      const { table, id, cells } = newRow(values, tableOf(row));
      return upsert(table, id, cells);
    },
  });
};

/** `n` in the list of rows: a new row in the same table. */
export const newRowAction = addRowActionOf<CellsRow>({
  id: 'tables.create-row',
  key: 'n',
  title: 'new',
  noun: 'row',
  help: 'Add a row to this table',
  inList: true,
  table: (row) => row.table,
});

/** In the list of tables: a new row, also in an empty table. */
export const addRowAction = addRowActionOf<ReferenceTable>({
  id: 'tables.add-row',
  title: 'add row',
  preposition: 'to',
  help: 'Add a row to the table',
  inList: false,
  table: (row) => row,
});

/** Opens the list of rows on the table, as the next tab does. */
export const rowsAction: GoingAction<ReferenceTable> = {
  id: 'tables.show-rows',
  title: 'rows',
  help: 'Show the rows of the table; s finds rows by key',
  uses: [listRows],
  goes(row, context) {
    const name = context.offered(listTables.id) ? row.attributes.table_name : undefined;
    return { list: 'tables.rows', search: { table: name || row.id, keys: '' } };
  },
};

/** `d`: deletes rows. Undo writes them back as they were just before. */
export const deleteRowAction = action({
  id: 'tables.delete-row',
  key: 'd',
  title: 'delete',
  help: 'Delete the row; undo adds it again',
  uses: [readRows, queryRows, deleteRows, upsertRows],
  enabled: mayWrite,
  confirm(rows) {
    const it = rows.length === 1 ? 'it' : 'them';
    return {
      question: rows.length === 1 ? `Delete row ${rows[0]?.id ?? ''}?` : `Delete ${rows.length} rows?`,
      details: [`Lookups of ${it} find nothing; undo adds ${it} again as before`],
    };
  },
  send: (row: CellsRow, _: Record<string, never>, context) =>
    deletedAfter(
      row,
      context,
      deleteCall(row.table, row.id),
      { read: () => readToRestore(rowKind, row), uses: [upsertRows] },
      writeWithRetry,
    ),
  removes: true,
  done: (row) => receipt`Deleted ${namePart(row.id)} from ${namePart(nameOf(row.table))}`,
  undo: (row, _, before) => (before ? [upsert(row.table, row.id, readCells(before))] : []),
  command: (row) => deleteCall(row.table, row.id),
});
