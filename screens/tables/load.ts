import { call } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { getTable, listRows, listTables, queryRows, readRows, tableStatus } from '../../src/api/tables.ts';
import { choiceField, type Fields, textField } from '../../src/describe/field.ts';
import { everyPage, pageSize } from '../../src/describe/pages.ts';
import type { ListQuery, Rows, Single, Source } from '../../src/describe/screen.ts';
import { field, items } from '../../src/lib/loose.ts';
import { plural } from '../../src/lib/text.ts';
import { type CellsRow, cellsRow, columnsOf, nameOf, stillLoading, type TableRow, tableRow } from './row.ts';

type Search = Readonly<Record<string, string>>;

/** What is asked of the tables until a person asks otherwise. */
export const tableSearch: Search = { name: '', status: '', id: '' };

/** The form behind `s` of the tables. */
export function tableForm(asked: Search): Fields {
  return {
    name: textField('name holds', asked.name),
    status: choiceField('state', asked.status, [
      { value: '', label: 'any' },
      ...knownWords(tableStatus).map((it) => ({ value: it, label: it.toLowerCase().replaceAll('_', ' ') })),
    ]),
    id: textField('only the id', asked.id, { hint: 'one table by its id, for a service that does not list them' }),
  };
}

/** What is asked, for the title bar. */
export function tableSays({ name = '', status = '', id = '' }: Search): string {
  if (id.trim() !== '') return id.trim();
  const parts = [name.trim() && `"${name.trim()}"`, status.toLowerCase().replaceAll('_', ' ')];
  return parts.filter(Boolean).join(' ');
}

/** The tables that match, newest change first; one by its id where that was typed. */
export function loadTables({ search }: ListQuery): Source<TableRow> {
  const id = search.id?.trim() ?? '';
  const name = search.name?.trim() ?? '';
  const status = search.status ?? '';
  return {
    key: `tables ${id === '' ? `${status} ${name}` : `id ${id}`}`,
    of: ['reference_table'],
    plan: () => (id === '' ? listed(name, status) : single(id)),
  };
}

function* listed(name: string, status: string): Plan<Result<Rows<TableRow>>, Rows<TableRow>> {
  const filter = {
    ...(status === '' ? {} : { 'filter[status]': status }),
    ...(name === '' ? {} : { 'filter[table_name][contains]': name }),
  };
  const found = yield* everyPage<TableRow>({
    page: (number) =>
      call(listTables, { query: { ...filter, 'page[limit]': pageSize, 'page[offset]': number * pageSize } }),
    rows: (read) => read.items.flatMap((it) => tableRow(it) ?? []),
  });
  if (found.ok || !notOffered(found.problem)) return found;
  const text = `${found.problem.text}: s shows one table by its id, U makes one`;
  return { ok: false, problem: { ...found.problem, text } };
}

function* single(id: string): Plan<Result<Rows<TableRow>>> {
  const answer = yield* fresh(id);
  return answer.ok ? { ...answer, value: { rows: [answer.value] } } : answer;
}

/** One table as it is now. */
export function* fresh(id: string): Plan<Result<TableRow>> {
  const answer = yield* ask(call(getTable, { id }));
  if (!answer.ok) return answer;
  const row = tableRow(answer.value?.data, answer.unread);
  return row
    ? { ...answer, value: row }
    : refusal('unreadable', `the service answered something else than table ${id}`);
}

/** The read behind a detail. */
export function wholeTable(row: TableRow): Single<TableRow> {
  return { key: `table ${row.id}`, of: ['reference_table'], plan: () => fresh(row.id) };
}

/** The table of exactly this name; its problem is `notFound` when there is none. */
export function* tableNamed(name: string): Plan<Result<TableRow>> {
  const query = { 'filter[table_name][exact]': name, 'page[limit]': pageSize };
  const answer = yield* ask(call(listTables, { query }));
  if (!answer.ok) return answer;
  const found = items(answer.value?.data).flatMap((it) => tableRow(it) ?? []);
  const row = found.find((it) => it.attributes.table_name === name);
  return row ? { ...answer, value: row } : refusal('notFound', `there is no table ${name}`);
}

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
  return [...new Set(keys.filter((it) => it !== ''))];
}

/** Rows that a list shows at most; the rest is found by key. */
export const mostListed = 1000;
/** Keys in one URL. */
const keysAtOnce = 50;
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Rows of the table that is named: those of the keys, or the first ones. */
export function loadRows({ search }: ListQuery): Source<CellsRow> {
  const table = search.table?.trim() ?? '';
  const keys = keysOf(search.keys ?? '');
  return {
    key: `rows ${table} ${keys.join('\n')}`,
    of: ['row', 'reference_table'],
    *plan(): Plan<Result<Rows<CellsRow>>> {
      if (table === '') return { ok: true, value: { rows: [] }, status: 200, unread: [] };
      const owner = isId.test(table) ? yield* fresh(table) : yield* tableNamed(table);
      if (!owner.ok && notOffered(owner.problem)) {
        const text = `${owner.problem.text}: give the id of the table instead of its name`;
        return { ok: false, problem: { ...owner.problem, text } };
      }
      if (!owner.ok) return owner;
      return yield* keys.length === 0 ? firstRows(owner.value) : rowsByKey(owner.value, keys);
    },
  };
}

function* firstRows(table: TableRow): Plan<Result<Rows<CellsRow>>> {
  const answer = yield* ask(call(listRows, { id: table.id, query: { 'page[limit]': mostListed } }));
  if (!answer.ok) {
    const loading = stillLoading(table);
    if (answer.problem.kind === 'notFound' && loading) return empty([loading]);
    const text = `${answer.problem.text}; s reads rows by their keys`;
    return { ok: false, problem: { ...answer.problem, text } };
  }
  const rows = read(items(answer.value?.data), table);
  const more = answer.value?.links?.next != null;
  const notes = [...(more ? [`the first ${plural(rows.length, 'row')}: s reads others by key`] : []), ...state(table)];
  return { ...answer, value: { rows, notes } };
}

/** Rows by key, some at a time; by the question with a body where the deployment does not offer the other. */
function* rowsByKey(table: TableRow, keys: readonly string[]): Plan<Result<Rows<CellsRow>>> {
  const rows: CellsRow[] = [];
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    const some = keys.slice(at, at + keysAtOnce);
    const found = yield* rowsOf(table, some);
    if (!found.ok) return found;
    rows.push(...found.value);
  }
  const missing = keys.filter((key) => !rows.some((row) => row.id === key));
  const names = missing.slice(0, 5).join(', ');
  const rest = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
  const notes = [...(missing.length === 0 ? [] : [`not found: ${names}${rest}`]), ...state(table)];
  return { ok: true, value: { rows, notes }, status: 200, unread: [] };
}

/** The rows of these keys that are there; 50 keys at most. None found is no problem (contract/reference-tables.md 6). */
export function* rowsOf(table: TableRow, keys: readonly string[]): Plan<Result<readonly CellsRow[]>> {
  const answer = yield* ask(call(readRows, { id: table.id, query: { row_id: [...keys] } }));
  if (answer.ok) return { ...answer, value: read(items(answer.value?.data), table) };
  // The table was read a moment ago: a 404 of its rows means that this deployment has no such operation.
  if (!notOffered(answer.problem) && answer.problem.kind !== 'notFound') return answer;
  const attributes = { table_id: table.id, row_ids: [...keys] };
  const body = { data: { type: 'reference-tables-batch-rows-query' as const, attributes } };
  const other = yield* ask(call(queryRows, { body }));
  return other.ok ? { ...other, value: read(items(field(other.value, 'included')), table) } : other;
}

/** The read behind the detail of a row: the table as it is now, since its columns may have grown, and the row by its key. */
export function wholeRow(row: CellsRow): Single<CellsRow> {
  return {
    key: `row ${row.table.id} ${row.id}`,
    of: ['row', 'reference_table'],
    *plan(): Plan<Result<CellsRow>> {
      const table = yield* fresh(row.table.id);
      if (!table.ok) return table;
      const found = yield* rowsOf(table.value, [row.id]);
      if (!found.ok) return found;
      const now = found.value.find((it) => it.id === row.id);
      return now ? { ...found, value: now } : refusal('notFound', `there is no row ${row.id} any more`);
    },
  };
}

const read = (data: readonly unknown[], table: TableRow): readonly CellsRow[] =>
  data.flatMap((it) => cellsRow(it, table) ?? []);

/** What a person must know of the table whose rows these are. */
function state(table: TableRow): readonly string[] {
  const loading = stillLoading(table);
  const columns = columnsOf(table).length;
  return [...(loading ? [`${nameOf(table)}: ${loading}`] : []), ...(columns === 0 ? ['its columns are not told'] : [])];
}

const empty = (notes: readonly string[]): Result<Rows<CellsRow>> => ({
  ok: true,
  value: { rows: [], notes },
  status: 200,
  unread: [],
});
