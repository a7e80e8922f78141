import type * as v from 'valibot';
import { knownWords } from '../../src/api/envelope.ts';
import {
  isFinal,
  type row as rowSchema,
  source as sourceSchema,
  type table as tableSchema,
} from '../../src/api/tables.ts';
import type { Tone } from '../../src/describe/column.ts';
import { inWords, type Speaking } from '../../src/describe/naming.ts';
import { word } from '../../src/lib/loose.ts';

type Table = v.InferOutput<typeof tableSchema>;
type Attributes = NonNullable<Table['attributes']>;

/** A reference table. `attributes` are as they were read, unknown ones included. */
export interface TableRow {
  readonly id: string;
  readonly attributes: Attributes;
  /** Places of the answer that could not be read and are missing from `attributes`. */
  readonly unread: readonly string[];
}

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** A row from an object of an answer; undefined without an id. */
export function tableRow(it: unknown, unread: readonly string[] = []): TableRow | undefined {
  const read = it as Table | null | undefined;
  const id = read?.id == null ? '' : String(read.id);
  return id === '' ? undefined : { id, attributes: read?.attributes ?? {}, unread };
}

/** Its name, else its id. */
export function nameOf(row: TableRow): string {
  return row.attributes.table_name?.trim() ? row.attributes.table_name : `table ${row.id}`;
}

/** Columns as the schema tells them; those without a name are left out. */
export function columnsOf(row: TableRow): readonly TableColumn[] {
  return (row.attributes.schema?.fields ?? []).flatMap(({ name, type }) =>
    name == null || name === '' ? [] : [{ name, type: type ?? 'STRING' }],
  );
}

/** The column whose value is the id of a row; undefined when it was not told. */
export const keyOf = (row: TableRow): string | undefined => row.attributes.schema?.primary_keys?.[0] || undefined;

/** Rows stored; undefined when it was not told. */
export const countOf = (row: TableRow): number | undefined =>
  row.attributes.row_count == null ? undefined : Number(row.attributes.row_count);

/** Rows of the file that the service refused. */
export const refusedOf = (row: TableRow): number => Number(row.attributes.file_metadata?.error_row_count ?? 0);

/** Sources that a person may create; others belong to connected products and are read-only. */
export type Source = 'LOCAL_FILE' | 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C';
const sources: readonly string[] = knownWords(sourceSchema);

/** Where its data comes from, as a person reads it; an unknown word as it is. */
export function sourceOf(row: TableRow, context: Speaking): string {
  const source = row.attributes.source ?? '';
  const word = inWords(sourceSchema, source, context);
  if (source === 'LOCAL_FILE') return 'local file';
  return sources.includes(source) ? word.toLowerCase() : word;
}

/** True, or why nothing of it may be changed (contract/reference-tables.md 5). */
export function mayChange(row: TableRow, context: Speaking): true | string {
  const source = inWords(sourceSchema, row.attributes.source, context);
  if (source == null || sources.includes(row.attributes.source ?? '')) return true;
  return `${source} fills it: it is changed there`;
}

/** Why its rows may be missing or may not be written yet; undefined once its state is final. */
export function stillLoading(row: TableRow): string | undefined {
  return isFinal(row.attributes.status) ? undefined : `still loading (${statusOf(row)}): try again when it is done`;
}

/** Its state in words that fit a narrow column; an unknown word as it is. */
export function statusOf({ attributes: { status } }: TableRow): string {
  return status === 'DONE_WITH_ERRORS' ? 'done, errors' : (status ?? 'not told').toLowerCase().replaceAll('_', ' ');
}

/** What its state means. */
export function statusTone(row: TableRow): Tone {
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

type Row = v.InferOutput<typeof rowSchema>;

/** A row of a table, with the table that says which columns there are. */
export interface CellsRow {
  /** The value of the primary key. */
  readonly id: string;
  readonly table: TableRow;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A row from an object of an answer; undefined without an id. */
export function cellsRow(it: unknown, table: TableRow): CellsRow | undefined {
  const read = it as Row | null | undefined;
  const id = read?.id == null ? '' : String(read.id);
  return id === '' ? undefined : { id, table, values: read?.attributes?.values ?? {} };
}

/** The cell of a column as text; what is no text or number as JSON would be wider than it is worth: `?`. */
export function cellOf(row: CellsRow, name: string): string {
  const value = row.values[name];
  return value == null ? '' : typeof value === 'object' ? '?' : word(value);
}

/** The cells besides the key, in the order of the columns; cells that the schema does not know come last. */
export function cellNames(row: CellsRow): readonly string[] {
  const known = columnsOf(row.table).map((it) => it.name);
  return [...known, ...Object.keys(row.values).filter((it) => !known.includes(it))];
}
