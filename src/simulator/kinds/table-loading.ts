import { normalName } from '../../api/tables.ts';
import { createRandom, hash } from '../server/random.ts';
import { asInt32, readCsv } from './csv.ts';
import type { Loading, LoadOutcome, StoredCells, Table, TableField } from './table-store.ts';

/** Milliseconds until processing starts and ends; in a recording four rows took five seconds. */
const startDelay = 1000;
const localDuration = 5000;
const cloudDuration = 8000;

const noErrors = { type: null, message: '', rows: 0 } as const;

const failed = (type: string, message: string): LoadOutcome => ({
  status: 'ERROR',
  rows: null,
  errors: { type, message, rows: 0 },
});

/** Parses local CSV data now; it becomes visible at `done`. */
export function loadCsv(text: string, table: Pick<Table, 'fields' | 'key'>, now: number): Loading {
  return { begun: now, seen: now + startDelay, done: now + localDuration, outcome: readTable(text, table) };
}

/** Loads from cloud storage; the data becomes visible at `done`. */
export function loadCloud(table: Pick<Table, 'id' | 'fields' | 'key'>, now: number): Loading {
  const outcome = { status: 'DONE', rows: generatedRows(table), errors: noErrors };
  return { begun: now, seen: now + cloudDuration, done: now + cloudDuration, outcome };
}

/** Applies finished loading to a table. */
export function settleTable(table: Table, now: number): Table {
  const { loading } = table;
  if (!loading) return table;
  if (now < loading.done) {
    table.status = now < loading.seen ? 'INITIALIZED' : 'PROCESSING';
    return table;
  }
  const { status, rows, errors } = loading.outcome;
  table.loading = null;
  table.status = status;
  table.errors = errors;
  if (rows) {
    table.rows = rows;
    table.snapshots.clear();
  }
  table.updated = loading.done;
  return table;
}

/** Header against schema, then every row: a wrong number of cells, a bad number or an empty key is an error row. */
function readTable(text: string, { fields, key }: Pick<Table, 'fields' | 'key'>): LoadOutcome {
  const lines = readCsv(text);
  const head = lines.next();
  const names = head.done ? [] : head.value.map((name) => normalName(name) ?? '');
  const places = fields.map((field) => names.indexOf(field.name));
  if (names.length !== fields.length || places.includes(-1))
    return failed('TABLE_SCHEMA_ERROR', 'The columns of the file are not those of the schema');
  const keyAt = fields.findIndex((field) => field.name === key);
  const rows = new Map<string, StoredCells>();
  let wrong = 0;
  for (const cells of lines) {
    const values = cells.length === names.length ? read(cells, fields, places) : undefined;
    const id = values?.[keyAt];
    if (values === undefined || id === undefined || id === '') wrong += 1;
    else rows.set(String(id), values);
  }
  return { status: wrong > 0 ? 'DONE_WITH_ERRORS' : 'DONE', rows, errors: { ...noErrors, rows: wrong } };
}

function read(
  cells: readonly string[],
  fields: readonly TableField[],
  places: readonly number[],
): StoredCells | undefined {
  const values: (string | number)[] = [];
  for (const [at, field] of fields.entries()) {
    const text = cells[places[at] as number] as string;
    const value = field.type === 'INT32' ? asInt32(text) : text;
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** Twelve generated rows, deterministic by table. */
function generatedRows({ id, fields, key }: Pick<Table, 'id' | 'fields' | 'key'>): Map<string, StoredCells> {
  const random = createRandom(hash(id));
  const rows = new Map<string, StoredCells>();
  for (let number = 1; number <= 12; number += 1) {
    const values = fields.map(({ name, type }) => {
      if (type === 'INT32') return name === key ? number : random.between(0, 100);
      return name === key ? `${name}-${number}` : `${name} ${random.between(1, 40)}`;
    });
    rows.set(String(values[fields.findIndex(({ name }) => name === key)]), values);
  }
  return rows;
}
