import { type Args, type Call, call } from '../../src/api/endpoint.ts';
import { ask, type Plan, pausing } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { deleteRows, upsertRows } from '../../src/api/tables.ts';
import { type Field, textField } from '../../src/describe/field.ts';
import { defineSettings, type Setting, type SettingTable } from '../../src/describe/setting.ts';
import { primaryKeyText, type ReferenceColumn, type ReferenceTable, readColumns } from './kind.ts';
import { type CellsRow, cellText, rowKind } from './row-kind.ts';

/** Cells by column name. */
export type CellsByColumn = Readonly<Record<string, unknown>>;
/** Form values by setting: `cell ` and the column name. */
export type CellValues = Readonly<Record<string, Value | null | undefined>>;
type Item = Args<typeof upsertRows>['body']['data'][number];
type Value = Item['attributes']['values'][string];

// The range of INT32.
const smallest = -(2 ** 31);
const largest = 2 ** 31 - 1;

/** The field of a cell. A text is sent exactly as typed. */
function cellField({ name, type }: ReferenceColumn, now: unknown): Field<Value | null> {
  const field = textField(name, cellText(now), type === 'INT32' ? { hint: 'A whole number' } : {});
  return {
    ...field,
    read(typed) {
      if (type !== 'INT32') return { ok: true, value: typed };
      if (typed.trim() === '') return { ok: true, value: null };
      const number = Number(typed);
      return Number.isInteger(number) && number >= smallest && number <= largest
        ? { ok: true, value: number }
        : { ok: false, text: `${name} must be a whole number from ${smallest} to ${largest}` };
    },
  };
}

const setting = defineSettings(rowKind);
// Keeps the names of cells apart from the field of the key.
const prefix = 'cell ';

/** The settings of a row: every cell except the key. */
export function cellSettings(
  table: ReferenceTable,
): SettingTable<CellsRow> & Readonly<Record<string, Setting<CellsRow, Value | null>>> {
  const others = readColumns(table).filter(({ name }) => name !== primaryKeyText(table));
  const cell = (column: ReferenceColumn) =>
    setting(column.name, `values.${column.name}`, (now) => cellField(column, now));
  return Object.fromEntries(others.map((column) => [`${prefix}${column.name}`, cell(column)]));
}

/** The changed cells of a form, by column name. */
export function cellsIn(values: CellsByColumn): CellsByColumn {
  const cells = Object.entries(values).filter(([name, value]) => name.startsWith(prefix) && value !== undefined);
  return Object.fromEntries(cells.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** The call that writes a whole row. Null cells are left out and so become empty. */
export function upsert(table: ReferenceTable, id: string, cells: CellsByColumn): Call {
  const kept = Object.entries(cells).filter(([, value]) => value != null);
  // Cells may hold values that the schema of the request does not name: they are written back as they were read.
  const values = Object.fromEntries(kept) as Item['attributes']['values'];
  return call(upsertRows, { id: table.id, body: { data: [{ type: 'row', id, attributes: { values } }] } });
}

/** The call that deletes a row. */
export const deleteCall = (table: ReferenceTable, id: string): Call =>
  call(deleteRows, { id: table.id, body: { data: [{ type: 'row', id }] } });

/** Milliseconds before a refused write is retried. */
const retryDelay = 2000;

/** Sends a write; once more after a pause where another write or an unfinished load is in conflict with it. */
export function* writeWithRetry(request: Call): Plan<Result<unknown>> {
  const first = yield* ask(request);
  if (first.ok || first.problem.kind !== 'conflict') return first;
  yield* pausing(retryDelay);
  const second = yield* ask(request);
  if (second.ok || second.problem.kind !== 'conflict') return second;
  const text = `${second.problem.text}; nothing was saved: try again in a moment`;
  return { ok: false, problem: { ...second.problem, text } };
}
