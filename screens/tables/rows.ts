import { type Args, type Call, call } from '../../src/api/endpoint.ts';
import { ask, notOffered, type Plan, pausing } from '../../src/api/plan.ts';
import { type Problem, type Result, refusal } from '../../src/api/problem.ts';
import { deleteRows, listRows, listTables, queryRows, readRows, upsertRows } from '../../src/api/tables.ts';
import { action, sendsNothing } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { changedOnly, type Field, type Fields, textField } from '../../src/describe/field.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { plural } from '../../src/lib/text.ts';
import { rowsOf } from './load.ts';
import {
  type CellsRow,
  cellOf,
  columnsOf,
  keyOf,
  mayChange,
  nameOf,
  stillLoading,
  type TableColumn,
  type TableRow,
} from './row.ts';

type Cells = Readonly<Record<string, unknown>>;
type Item = Args<typeof upsertRows>['body']['data'][number];
type Value = Item['attributes']['values'][string];

const smallest = -(2 ** 31);
const largest = 2 ** 31 - 1;

/** A cell of a column; a text stays letter by letter as it was typed. */
function cellField(column: TableColumn, initial: string): Field<unknown> {
  const field = textField(column.name, initial, column.type === 'INT32' ? { hint: 'a whole number' } : {});
  return {
    ...field,
    read(typed) {
      if (column.type !== 'INT32') return { ok: true, value: typed };
      if (typed.trim() === '') return { ok: true, value: null };
      const number = Number(typed);
      return Number.isInteger(number) && number >= smallest && number <= largest
        ? { ok: true, value: number }
        : { ok: false, text: `${column.name} must be a whole number from ${smallest} to ${largest}` };
    },
  };
}

/** Fields of the cells besides the key. */
function cellFields(table: TableRow, row?: CellsRow): Fields {
  const key = keyOf(table);
  return Object.fromEntries(
    columnsOf(table)
      .filter((it) => it.name !== key)
      .map((it) => {
        const field = cellField(it, row ? cellOf(row, it.name) : '');
        return [`cell ${it.name}`, row ? changedOnly(field) : field];
      }),
  );
}

/** The cells among the values of a form, by the names of the columns; those that were not changed are missing. */
function cellsIn(values: Cells): Cells {
  const cells = Object.entries(values).filter(([name, value]) => name.startsWith('cell ') && value !== undefined);
  return Object.fromEntries(cells.map(([name, value]) => [name.slice('cell '.length), value]));
}

/** The write of a whole row; a cell that is null is left out, so it ends up empty. */
function upsert(table: TableRow, id: string, values: Cells): Call {
  const kept = Object.entries(values).filter(([, value]) => value != null) as [string, Value][];
  const item: Item = { type: 'row', id, attributes: { values: Object.fromEntries(kept) } };
  return call(upsertRows, { id: table.id, body: { data: [item] } });
}

const removal = (row: CellsRow): Call =>
  call(deleteRows, { id: row.table.id, body: { data: [{ type: 'row', id: row.id }] } });

/** What a conflict of this family means to a person (contract/reference-tables.md 6). */
function told<A>(result: Result<A>): Result<A> {
  if (result.ok || result.problem.kind !== 'conflict') return result;
  const why: Problem = result.problem;
  return { ok: false, problem: { ...why, text: `${why.text}; not written: try again in a moment` } };
}

/** Milliseconds that a write waits for another one, or for a table that is not ready. */
const moment = 2000;

/** A write, and once more a moment later where another one was in its way or the table was not ready for it. */
function* writing(work: Call): Plan<Result<unknown>> {
  const first = yield* ask(work);
  if (first.ok || first.problem.kind !== 'conflict') return first;
  yield* pausing(moment);
  return told(yield* ask(work));
}

/** The row as it is now; undefined when there is none any more. */
function* current(table: TableRow, id: string): Plan<Result<CellsRow | undefined>> {
  const found = yield* rowsOf(table, [id]);
  return found.ok ? { ...found, value: found.value.find((it) => it.id === id) } : found;
}

/**
 * Reads the row as it is, lays the changes over it and writes it as a whole, since a write replaces the whole row.
 * Where somebody else has changed one of these cells meanwhile, nothing is sent.
 */
function* changing(row: CellsRow, changes: Cells): Plan<Result<unknown>> {
  if (Object.keys(changes).length === 0) return refusal('invalid', 'nothing was changed, so nothing was sent');
  const now = yield* current(row.table, row.id);
  if (!now.ok) return now;
  if (!now.value) return refusal('notFound', `not sent: there is no row ${row.id} any more`);
  const theirs = now.value.values;
  const clash = Object.keys(changes).find(
    (name) => stringifyExact(theirs[name] ?? null) !== stringifyExact(row.values[name] ?? null),
  );
  if (clash)
    return refusal(
      'conflict',
      `not sent: ${clash} of ${row.id} was changed meanwhile, it is now ${cellOf(now.value, clash)}`,
    );
  return yield* writing(upsert(row.table, row.id, { ...theirs, ...changes }));
}

function mayWriteTo(table: TableRow, context: Context): true | string {
  const may = mayChange(table, context);
  return may === true ? (stillLoading(table) ?? true) : may;
}

const mayWrite = (row: CellsRow, context: Context): true | string => mayWriteTo(row.table, context);

const withCells = (row: CellsRow, changes: Cells): CellsRow => ({ ...row, values: { ...row.values, ...changes } });
const soon = 'readable in a moment';

/** `e`: the cells of a row; the key is the row's id and stays. */
export const editRowAction = action<CellsRow, Cells>({
  id: 'tables.edit-row',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'the cells of the row, written as a whole; its key stays: a row with another key is a new one',
  uses: [readRows, queryRows, upsertRows],
  bulk: false,
  reviews: true,
  enabled: mayWrite,
  form: (row) => cellFields(row.table, row),
  send: (row, values) => changing(row, cellsIn(values)),
  show: (row, values) => withCells(row, cellsIn(values)),
  done: (row, values) => `wrote ${plural(Object.keys(cellsIn(values)).length, 'cell')} of ${row.id}; ${soon}`,
  undo: (before) => [upsert(before.table, before.id, before.values)],
  command: (row, values) => callCommand(upsert(row.table, row.id, { ...row.values, ...cellsIn(values) })),
});

/** Writes a row whose key is not there yet: a write would replace what is. Gives the key. */
function* adding({ table, id, values }: NewRow): Plan<Result<string>> {
  const now = yield* current(table, id);
  if (!now.ok && !notOffered(now.problem)) return now;
  if (now.ok && now.value) return refusal('conflict', `not sent: there is a row ${id} already: e changes it`);
  const written = yield* writing(upsert(table, id, values));
  return written.ok ? { ...written, value: id } : written;
}

interface NewRow {
  readonly table: TableRow;
  readonly id: string;
  readonly values: Cells;
}

/** The values of the form of a new row. */
function newRow(values: Cells, table: TableRow): NewRow {
  const key = keyOf(table) ?? 'id';
  const isNumber = columnsOf(table).some((it) => it.name === key && it.type === 'INT32');
  const id = keyIn(values);
  return { table, id, values: { ...cellsIn(values), [key]: isNumber ? Number(id) : id } };
}

/** An action that writes one more row into the table that belongs to what is under the cursor. */
const adds = <Row>(it: {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  readonly help: string;
  /** Whether the new row stands in the same list. */
  readonly here: boolean;
  table(row: Row): TableRow;
}) =>
  action<Row, Cells>({
    id: it.id,
    key: it.key,
    title: it.title,
    help: it.help,
    uses: [readRows, queryRows, upsertRows, deleteRows],
    bulk: false,
    enabled(row, context) {
      const may = mayWriteTo(it.table(row), context);
      return may === true ? keyOf(it.table(row)) !== undefined || 'the service does not tell its columns' : may;
    },
    form: (row) => {
      const table = it.table(row);
      return {
        key: textField(keyOf(table) ?? 'key', '', { required: true, hint: 'the primary key' }),
        ...cellFields(table),
      };
    },
    send: (row, values) => adding(newRow(values, it.table(row))),
    done: (row, values) => `wrote the row ${keyIn(values)} into ${nameOf(it.table(row))}; ${soon}`,
    ...(it.here ? { made: (answer: unknown) => String(answer) } : {}),
    undo(row, values) {
      const { table, id, values: cells } = newRow(values, it.table(row));
      return [removal({ id, table, values: cells })];
    },
    command(row, values) {
      const { table, id, values: cells } = newRow(values, it.table(row));
      return callCommand(upsert(table, id, cells));
    },
  });

const keyIn = (values: Cells): string => String(values.key ?? '').trim();

/** `n` of the rows: one more in the same table. */
export const newRowAction = adds<CellsRow>({
  id: 'tables.new-row',
  key: 'n',
  title: 'new',
  help: 'one more row in the same table; in an empty one + of the tables writes the first',
  here: true,
  table: (row) => row.table,
});

/** `+` of the tables: one more row in the table, also in an empty one. */
export const addRowAction = adds<TableRow>({
  id: 'tables.add-row',
  key: '+',
  title: 'add a row',
  help: 'one more row in the table',
  here: false,
  table: (row) => row,
});

/** `r`: the rows of the table, in the list beside the tables. */
export const rowsAction = action<TableRow>({
  id: 'tables.show-rows',
  key: 'r',
  main: true,
  title: 'rows',
  help: 'the rows of the table; s reads some by their keys, [ leads back',
  uses: [listRows],
  goes(row, context) {
    const name = context.offered(listTables.id) ? row.attributes.table_name : undefined;
    return { list: 'tables.rows', search: { table: name || row.id, keys: '' } };
  },
  send: sendsNothing,
  done: () => '',
});

/** `d`: rows are written back by undo, cell by cell as they were read. */
export const deleteRowAction = action<CellsRow>({
  id: 'tables.delete-row',
  key: 'd',
  title: 'delete',
  help: 'delete the row; undo writes it again',
  uses: [deleteRows, upsertRows],
  enabled: mayWrite,
  confirm: (rows) => ({
    question: rows.length === 1 ? `delete the row ${rows[0]?.id ?? ''}?` : `delete ${rows.length} rows?`,
    details: ['what looks it up finds nothing; u writes it again as it was read'],
  }),
  send: (row) => writing(removal(row)),
  removes: true,
  done: (row) => `deleted ${row.id} from ${nameOf(row.table)}`,
  undo: (row) => [upsert(row.table, row.id, row.values)],
  command: (row) => callCommand(removal(row)),
});
