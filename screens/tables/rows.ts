import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { listRows, queryRows, readRows } from '../../src/api/tables.ts';
import { type Fields, textField } from '../../src/describe/field.ts';
import { kind, type Resource } from '../../src/describe/resource.ts';
import type { ListQuery, Rows, Source } from '../../src/describe/source.ts';
import { plural } from '../../src/lib/text.ts';
import { word } from '../../src/lib/unchecked.ts';
import { columnsOf, stillLoading, type TableRow, tableKind } from './kind.ts';
import { tableById, tableNamed, withAdvice } from './load.ts';

type Told = ResponseOf<typeof readRows>['data'][number];

/** A row of a table, with the table that says which columns there are. Its id is the value of the primary key. */
export interface CellsRow extends Resource<NonNullable<Told['attributes']>> {
  readonly table: TableRow;
}

/** Rows of tables. An answer does not tell the table: what reads them says it. */
export const rowKind = kind<Told, { readonly table: TableRow }>({
  noun: 'row',
  of: ['row', 'reference_table'],
  list: ({ search: { table: id = '' } }) => call(listRows, { id }),
  *read({ id, table }) {
    const found = yield* toldByKey(table, [id]);
    if (!found.ok) return found;
    const data = found.value.find((one) => String(one.id) === id);
    return data ? { ...found, value: { data } } : refusal('notFound', `there is no row ${id} any more`);
  },
  name: (row) => row.id,
});

/** The cells of a row as they were read, by the names of their columns. */
export const cellsOf = (row: CellsRow): Readonly<Record<string, unknown>> => row.attributes.values ?? {};

/** The cell of a column as text; what is no text or number as JSON would be wider than it is worth: `?`. */
export function cellText(value: unknown): string {
  return value == null ? '' : typeof value === 'object' ? '?' : word(value);
}

/** Columns and cells in the order of the columns; cells that the schema does not know come last. */
export function cellNames(row: CellsRow): readonly string[] {
  const known = columnsOf(row.table).map(({ name }) => name);
  return [...known, ...Object.keys(cellsOf(row)).filter((name) => !known.includes(name))];
}

type Search = Readonly<Record<string, string>>;

/** What is asked of the rows until a person names a table. */
export const rowSearch: Search = { table: '', keys: '' };

/** The form behind `s` of the rows. */
export function rowForm(asked: Search): Fields {
  return {
    table: textField('table', asked.table, { hint: 'its name or id' }),
    keys: textField('keys', asked.keys, {
      hint: 'values of the primary key, separated by commas; empty lists the first rows',
    }),
  };
}

/** What is asked, for the title bar. */
export function rowSays({ table = '', keys = '' }: Search): string {
  const wanted = keysOf(keys);
  const which = wanted.length === 0 ? '' : wanted.length === 1 ? ` ${wanted[0]}` : ` ${plural(wanted.length, 'key')}`;
  return table.trim() === '' ? 's names a table' : `${table.trim()}${which}`;
}

/** Keys as typed: separated by commas; a key that holds one stands in double quotes. */
export function keysOf(typed: string): readonly string[] {
  const keys = [...typed.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll('""', '"'),
  );
  return [...new Set(keys.filter((key) => key !== ''))];
}

/** Rows that a list shows at most; the rest is found by key. */
const mostListed = 1000;
/** Keys in one URL. */
const keysAtOnce = 50;
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Rows of the table that is named: those of the keys, or the first ones. */
export function loadRows({ search }: ListQuery): Source<CellsRow> {
  const table = search.table?.trim() ?? '';
  const keys = keysOf(search.keys ?? '');
  return {
    key: `rows ${table} ${keys.join('\n')}`,
    of: rowKind.of,
    *plan(): Plan<Result<Rows<CellsRow>>> {
      if (table === '') return shown([], []);
      const owner = yield* isId.test(table) ? tableById(table.toLowerCase()) : tableNamed(table);
      if (!owner.ok)
        return notOffered(owner.problem)
          ? withAdvice(owner.problem, ': give the id of the table instead of its name')
          : owner;
      return yield* keys.length === 0 ? firstRows(owner.value) : rowsByKey(owner.value, keys);
    },
  };
}

function* firstRows(table: TableRow): Plan<Result<Rows<CellsRow>>> {
  const answer = yield* ask(call(listRows, { id: table.id, query: { 'page[limit]': mostListed } }));
  if (!answer.ok) {
    const loading = stillLoading(table);
    if (answer.problem.kind === 'notFound' && loading) return shown([], [loading]);
    return withAdvice(answer.problem, '; s reads rows by their keys');
  }
  const rows = rowsIn(answer.value?.data ?? [], table);
  const isCut = answer.value?.links?.next != null;
  return shown(rows, [
    ...(isCut ? [`the first ${plural(rows.length, 'row')}: s reads others by key`] : []),
    ...state(table),
  ]);
}

/** Rows by key, some at a time. */
function* rowsByKey(table: TableRow, keys: readonly string[]): Plan<Result<Rows<CellsRow>>> {
  const rows: CellsRow[] = [];
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    const found = yield* toldByKey(table, keys.slice(at, at + keysAtOnce));
    if (!found.ok) return found;
    rows.push(...rowsIn(found.value, table));
  }
  const missing = keys.filter((key) => !rows.some((row) => row.id === key));
  const names = missing.slice(0, 5).join(', ');
  const rest = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
  return shown(rows, [...(missing.length === 0 ? [] : [`not found: ${names}${rest}`]), ...state(table)]);
}

/**
 * The rows of these keys that are there, 50 keys at most; none found is no problem (contract/reference-tables.md 6). Where
 * the deployment does not read rows by key in the path, the question with a body does. A 404 says so, too: it is no word
 * about the keys, and if it is about the table, the other operation says it again.
 */
export function* toldByKey(table: TableRow, keys: readonly string[]): Plan<Result<readonly Told[]>> {
  const answer = yield* ask(call(readRows, { id: table.id, query: { row_id: [...keys] } }));
  if (answer.ok) return { ...answer, value: answer.value?.data ?? [] };
  if (!notOffered(answer.problem) && answer.problem.kind !== 'notFound') return answer;
  const attributes = { table_id: table.id, row_ids: [...keys] };
  const body = { data: { type: 'reference-tables-batch-rows-query' as const, attributes } };
  const other = yield* ask(call(queryRows, { body }));
  return other.ok ? { ...other, value: other.value?.included ?? [] } : other;
}

const rowsIn = (told: readonly Told[], table: TableRow): readonly CellsRow[] =>
  told.flatMap((one, at) => {
    const row = rowKind.row(one, { place: at + 1 });
    return row ? [{ ...row, table }] : [];
  });

/** What a person must know of the table whose rows these are. */
function state(table: TableRow): readonly string[] {
  const loading = stillLoading(table);
  return [
    ...(loading ? [`${tableKind.nameOf(table)}: ${loading}`] : []),
    ...(columnsOf(table).length === 0 ? ['its columns are not told'] : []),
  ];
}

const shown = (rows: readonly CellsRow[], notes: readonly string[]): Result<Rows<CellsRow>> => ({
  ok: true,
  value: { rows, notes },
  status: 200,
  unread: [],
});
