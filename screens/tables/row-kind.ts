import { ask, call, isNotOffered, type Plan, type ResponseOf } from '../../src/api/endpoint.ts';
import { indicesIn, isWholeItem } from '../../src/api/paging.ts';
import { problemResult, type Result, toResult, withAdvice } from '../../src/api/problem.ts';
import { listRows, queryRows, readRows } from '../../src/api/tables.ts';
import { type ListQuery, type Rows, type Source, withMissing } from '../../src/describe/context.ts';
import { type Fields, textField } from '../../src/describe/field.ts';
import { kind } from '../../src/describe/resource.ts';
import { type Resource, unreadSays } from '../../src/describe/resource-spec.ts';
import { firstThree, plural } from '../../src/lib/text.ts';
import { idIn, isUuid, toWord } from '../../src/lib/values.ts';
import { type ReferenceTable, readColumns, stillLoading, tableById, tableKind, tableNamed } from './kind.ts';

/** A row as the service answers it. */
type RowResource = ResponseOf<typeof readRows>['data'][number];

/** A row of a table, with the table, whose schema has the columns. Its id is the value of the primary key. */
export interface CellsRow extends Resource<NonNullable<RowResource['attributes']>> {
  readonly table: ReferenceTable;
}

/** Rows of tables. A response does not name the table, so each read of rows adds it. */
export const rowKind = kind<RowResource, { readonly table: ReferenceTable }>({
  noun: 'row',
  of: ['row', 'reference_table'],
  list: ({ search: { table: id = '' } }) => call(listRows, { id }),
  *read({ id, table }) {
    const found = yield* readRowsByKey(table, [id]);
    if (!found.ok) return found;
    const data = found.value.find((row) => String(row.id) === id);
    if (data) return { ...found, value: { data } };
    const [lost] = found.unread;
    return problemResult(lost ? 'unreadable' : 'notFound', lost ?? `row ${id} no longer exists`);
  },
  name: (row) => row.id,
});

/** The cells of a row as they were read, by column name. */
export const readCells = (row: CellsRow): Readonly<Record<string, unknown>> => row.attributes.values ?? {};

/** A cell as text; `?` for an object or a list. */
export function cellText(value: unknown): string {
  return value == null ? '' : typeof value === 'object' ? '?' : toWord(value);
}

/** The names of the columns in their order, then of the cells that the schema lacks. */
export function cellNames(row: CellsRow): readonly string[] {
  const known = readColumns(row.table).map(({ name }) => name);
  return [...known, ...Object.keys(readCells(row)).filter((name) => !known.includes(name))];
}

/**
 * Reads the rows of at most 50 keys; keys without a row are left out (docs/contract/reference-tables.md#rows). Where a deployment
 * does not offer the read by path, the batch query is used. A 404 is treated alike: it does not say which keys are
 * missing, and if the table is missing, the batch query answers 404 as well. Where there is no such query, it means that none was found.
 */
export function* readRowsByKey(table: ReferenceTable, keys: readonly string[]): Plan<Result<readonly RowResource[]>> {
  const answer = yield* ask(call(readRows, { id: table.id, query: { row_id: [...keys] } }));
  if (answer.ok) return { ...answer, ...withIds(answer.value?.data, answer.unread) };
  if (!isNotOffered(answer.problem) && answer.problem.kind !== 'notFound') return answer;
  const attributes = { table_id: table.id, row_ids: [...keys] };
  const body = { data: { type: 'reference-tables-batch-rows-query' as const, attributes } };
  const other = yield* ask(call(queryRows, { body }));
  if (!other.ok) return isNotOffered(other.problem) && answer.problem.kind === 'notFound' ? toResult([]) : other;
  const unread = other.unread.map((place) => place.replace(/^included/, 'data'));
  return { ...other, ...withIds(other.value?.included, unread) };
}

/** The rows of an answer. One without an id may be that of any key: it counts as unread. */
function withIds(all: readonly RowResource[] | null | undefined, unread: readonly string[]) {
  const lost = [...indicesIn(all ?? [], unread)].filter(([row]) => idIn(row) === undefined);
  return {
    value: (all ?? []).filter((row) => idIn(row) !== undefined),
    unread: [...unread, ...lost.map(([, index]) => `data[${index}]: no id`)],
  };
}

type Search = Readonly<Record<string, string>>;

/** The search of the rows at the start: no table yet. */
export const rowSearch: Search = { table: '', keys: '' };

/** The form of `s` in the list of rows. */
export function rowSearchForm(search: Search): Fields {
  return {
    table: textField('Table', search.table, { hint: 'Name or ID' }),
    keys: textField('Keys', search.keys, {
      hint: 'Comma-separated values of the primary key; empty = the first rows',
    }),
  };
}

/** The search as the title bar shows it. */
export function rowSearchText({ table = '', keys = '' }: Search): string {
  const [key = '', ...others] = parseKeys(keys);
  const keyText = others.length > 0 ? plural(others.length + 1, 'key') : key;
  return table.trim() === '' ? 's: choose a table' : `${table.trim()} ${keyText}`.trimEnd();
}

/** Parses typed keys: separated by commas; a key that contains a comma stands in double quotes. */
export function parseKeys(typed: string): readonly string[] {
  const keys = [...typed.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].map(([, quoted, unquoted]) =>
    quoted === undefined ? (unquoted ?? '').trim() : quoted.replaceAll('""', '"'),
  );
  return [...new Set(keys.filter(Boolean))];
}

/** A key as `keysOf` reads it. */
export const quotedKey = (key: string): string => `"${key.replaceAll('"', '""')}"`;

/** The maximum number of rows in a list; others are read by key. */
const maxListed = 1000;
/** Keys in the URL of one request. */
const keysPerRequest = 50;

/** The rows of the named table: those of the keys, or the first ones. */
export function loadRows({ search }: ListQuery): Source<CellsRow> {
  // A command may say which of the two it means.
  const [, means, table = ''] = /^(name:|id:)?\s*(.*)$/s.exec(search.table?.trim() ?? '') ?? [];
  const keys = parseKeys(search.keys ?? '');
  return {
    key: `rows ${means ?? ''}${table} ${keys.join('\n')}`,
    of: rowKind.of,
    *plan(): Plan<Result<Rows<CellsRow>>> {
      if (table === '') return rowsResult([], []);
      const owner = yield* means === 'id:' || (means === undefined && isUuid(table))
        ? tableById(table.toLowerCase())
        : tableNamed(table);
      if (!owner.ok)
        return isNotOffered(owner.problem)
          ? withAdvice(owner.problem, ': enter the ID of the table instead of its name')
          : owner;
      return yield* keys.length === 0 ? firstRows(owner.value) : rowsByKey(owner.value, keys);
    },
  };
}

function* firstRows(table: ReferenceTable): Plan<Result<Rows<CellsRow>>> {
  const answer = yield* ask(call(listRows, { id: table.id, query: { 'page[limit]': maxListed } }));
  if (!answer.ok) {
    const loading = stillLoading(table);
    if (answer.problem.kind === 'notFound' && loading) return rowsResult([], [loading]);
    return withAdvice(answer.problem, '; rows can be found by key');
  }
  const { value, unread } = withIds(answer.value?.data, answer.unread);
  const rows = rowsIn(value, table);
  const cut =
    answer.value?.links?.next == null ? [] : [`first ${plural(rows.length, 'row')} shown, others can be found by key`];
  return rowsResult(rows, [...cut, ...tableNotes(table)], cut, unread);
}

/** Reads rows by key, 50 keys at a time. */
function* rowsByKey(table: ReferenceTable, keys: readonly string[]): Plan<Result<Rows<CellsRow>>> {
  const rows: CellsRow[] = [];
  const unread: string[] = [];
  for (let at = 0; at < keys.length; at += keysPerRequest) {
    const found = yield* readRowsByKey(table, keys.slice(at, at + keysPerRequest));
    if (!found.ok) return found;
    rows.push(...rowsIn(found.value, table));
    unread.push(...found.unread);
  }
  // A row that could not be read may be that of any key.
  const missing = unread.some(isWholeItem) ? [] : keys.filter((key) => !rows.some((row) => row.id === key));
  const notes = missing.length > 0 ? [`not found: ${firstThree(missing)}`] : [];
  return rowsResult(rows, [...notes, ...tableNotes(table)], [], unread);
}

const rowsIn = (resources: readonly RowResource[], table: ReferenceTable): readonly CellsRow[] =>
  resources.flatMap((resource, at) => {
    const row = rowKind.row(resource, { place: at + 1 });
    return row ? [{ ...row, table }] : [];
  });

/** Notes on the state of the table: it is loading, or its columns are unknown. */
function tableNotes(table: ReferenceTable): readonly string[] {
  const loading = stillLoading(table);
  return [
    ...(loading ? [`${tableKind.nameOf(table)}: ${loading}`] : []),
    ...(readColumns(table).length === 0 ? ['columns unknown'] : []),
  ];
}

const rowsResult = (
  rows: readonly CellsRow[],
  notes: readonly string[],
  missing: readonly string[] = [],
  unread: readonly string[] = [],
): Result<Rows<CellsRow>> => {
  const odd = unreadSays(unread);
  const lost = unread.some(isWholeItem) ? odd : [];
  return { ...toResult({ rows, notes: [...notes, ...odd], ...withMissing([...missing, ...lost]) }), unread };
};
