import { normalName } from '../../api/tables.ts';
import { createRandom, hash } from '../server/random.ts';

/** One column: `STRING` or `INT32`. */
export interface TableField {
  readonly name: string;
  readonly type: string;
}

/** The cells of a row by column, in the order of the columns; without those that were added after the row. */
export type Cells = Readonly<Record<string, string | number>>;

/** Data being loaded into a table; readable at `done`. Times are epoch milliseconds. */
interface Loading {
  readonly done: number;
  /** When processing starts; the status is `INITIALIZED` before. */
  readonly seen: number;
  readonly outcome: LoadOutcome;
}

/** The result of loading. `rows` null = the old rows stay. */
interface LoadOutcome {
  readonly status: string;
  readonly rows: Map<string, Cells> | null;
  readonly errors: { readonly type: string | null; readonly message: string; readonly rows: number };
}

/** A reference table. */
export interface Table {
  readonly id: string;
  readonly name: string;
  description: string;
  readonly source: string;
  fields: readonly TableField[];
  readonly key: string;
  tags: string[] | null;
  readonly creator: string;
  updater: string;
  updated: number;
  rows: Map<string, Cells>;
  /** Rows that only count toward `row_count` and are not stored. */
  readonly unstoredRows: number;
  status: string;
  errors: LoadOutcome['errors'];
  access: Record<string, unknown> | null;
  sync: boolean;
  loading: Loading | null;
  /** Access is restricted: reads and writes are refused. */
  readonly restricted: boolean;
  /** Snapshots of row lists by token, so that later pages are consistent. */
  readonly snapshots: Map<string, readonly Cells[]>;
}

/** One received part. `bytes` are dropped once the table is created; size and hashes stay. */
interface Part {
  readonly size: number;
  readonly sha256: string;
  bytes: Buffer;
}

/** A bulk upload: its parts, and whether a table was made from it. */
export interface Upload {
  readonly id: string;
  readonly partSize: number;
  readonly parts: (Part | undefined)[];
  readonly created: number;
  /** SHA-256 of the whole file; null until a table is created from it. */
  sha256: string | null;
}

/** A table with defaults. */
export function storeTable(given: Partial<Table> & Pick<Table, 'id' | 'name' | 'updated'>): Table {
  return {
    description: '',
    source: 'LOCAL_FILE',
    fields: [{ name: 'id', type: 'STRING' }],
    key: 'id',
    tags: null,
    creator: '',
    updater: given.creator ?? '',
    rows: new Map(),
    unstoredRows: 0,
    status: 'DONE',
    errors: { type: null, message: '', rows: 0 },
    access: null,
    sync: false,
    loading: null,
    restricted: false,
    snapshots: new Map(),
    ...given,
  };
}

/**
 * Reads CSV as the service does: commas, double quotes doubled inside quotes, LF or CRLF, blank lines skipped. Never
 * throws: a quote that is never closed runs to the end of the text.
 */
function* readCsv(text: string): Generator<string[]> {
  let index = 0;
  while (index < text.length) {
    const end = text.indexOf('\n', index);
    const stop = end < 0 ? text.length : end;
    // Fast path: most lines contain no quote.
    const line = text.slice(index, text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    if (!line.includes('"')) {
      index = stop + 1;
      if (line !== '') yield line.split(',');
      continue;
    }
    const quoted = readQuoted(text, index);
    index = quoted.end;
    yield quoted.cells;
  }
}

/** The quoted text at the beginning of a cell, and what follows up to the next comma or line. */
const cellPattern = /(?:"([^"]*(?:""[^"]*)*)(?:"|$))?([^,\n]*)/y;

function readQuoted(text: string, begin: number): { cells: string[]; end: number } {
  const cells: string[] = [];
  let index = begin;
  for (;;) {
    cellPattern.lastIndex = index;
    const [cell = '', quoted = '', tail = ''] = cellPattern.exec(text) ?? [];
    index += cell.length + 1;
    const isEnd = text[index - 1] !== ',';
    cells.push(quoted.replaceAll('""', '"') + (isEnd ? tail.replace(/\r$/, '') : tail));
    if (isEnd) return { cells, end: index };
  }
}

/** The value as a signed 32-bit integer; undefined when it is none. */
export function asInt32(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : /^[+-]?\d{1,10}$/.test(String(value)) ? Number(value) : Number.NaN;
  return Number.isInteger(number) && number >= -(2 ** 31) && number < 2 ** 31 ? number : undefined;
}

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
  return { seen: now + startDelay, done: now + localDuration, outcome: readTable(text, table) };
}

/** Loads from cloud storage; the data becomes visible at `done`. */
export function loadCloud(table: Pick<Table, 'id' | 'fields' | 'key'>, now: number): Loading {
  const outcome = { status: 'DONE', rows: generatedRows(table), errors: noErrors };
  return { seen: now + cloudDuration, done: now + cloudDuration, outcome };
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
  const rows = new Map<string, Cells>();
  let wrong = 0;
  for (const cells of lines) {
    const values = cells.length === names.length ? read(cells, fields, places) : undefined;
    const id = values?.[key];
    if (values === undefined || id === undefined || id === '') wrong += 1;
    else rows.set(String(id), values);
  }
  return { status: wrong > 0 ? 'DONE_WITH_ERRORS' : 'DONE', rows, errors: { ...noErrors, rows: wrong } };
}

function read(cells: readonly string[], fields: readonly TableField[], places: readonly number[]): Cells | undefined {
  const values: Record<string, string | number> = {};
  for (const [at, field] of fields.entries()) {
    const text = cells[places[at] as number] as string;
    const value = field.type === 'INT32' ? asInt32(text) : text;
    if (value === undefined) return undefined;
    values[field.name] = value;
  }
  return values;
}

/** Twelve generated rows, deterministic by table. */
function generatedRows({ id, fields, key }: Pick<Table, 'id' | 'fields' | 'key'>): Map<string, Cells> {
  const random = createRandom(hash(id));
  const rows = new Map<string, Cells>();
  for (let number = 1; number <= 12; number += 1) {
    const cell = ({ name, type }: TableField): string | number => {
      if (type === 'INT32') return name === key ? number : random.between(0, 100);
      return name === key ? `${name}-${number}` : `${name} ${random.between(1, 40)}`;
    };
    const values = Object.fromEntries(fields.map((field) => [field.name, cell(field)]));
    rows.set(String(values[key]), values);
  }
  return rows;
}
