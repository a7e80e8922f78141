import { call, inside, isNotOffered, type Plan, type ResponseOf } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { problemResult, type Result, withAdvice } from '../../src/api/problem.ts';
import {
  deleteTable,
  getTable,
  isFinal,
  listTables,
  plainName,
  tableSource as sourceSchema,
  tableStatus,
} from '../../src/api/tables.ts';
import { inWords, type ListQuery, type Rows, type Source, type VocabularyContext } from '../../src/describe/context.ts';
import { choiceField, type Field, type Fields, listField, readAs, textField } from '../../src/describe/field.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { everyPage } from '../../src/describe/resource-spec.ts';

/** Reference tables. Those that another product fills are read-only. */
export const tableKind = kind({
  noun: 'table',
  of: ['reference_table'],
  pages({ search: { name = '', status = '' } }) {
    const filter = {
      ...(status === '' ? {} : { 'filter[status]': status }),
      ...(name.trim() === '' ? {} : { 'filter[table_name][contains]': name.trim() }),
    };
    return call(listTables, { query: filter });
  },
  get: (id) => call(getTable, { id }),
  remove: (id) => call(deleteTable, { id }),
  name: (row) => row.attributes.table_name,
});

/** A row of the list of tables. */
export type ReferenceTable = RowOf<typeof tableKind>;

/** A column of a table. */
export interface ReferenceColumn {
  readonly name: string;
  readonly type: string;
}

/** The columns of the schema; those without a name are left out. */
export function readColumns(row: ReferenceTable): readonly ReferenceColumn[] {
  return (row.attributes.schema?.fields ?? []).flatMap(({ name, type }) =>
    name == null || name === '' ? [] : [{ name, type: type ?? 'STRING' }],
  );
}

/** The name of the primary key; undefined where the answer does not tell it. */
export const primaryKeyText = (row: ReferenceTable): string | undefined =>
  row.attributes.schema?.primary_keys?.[0] || undefined;

/** The number of rows; undefined where the answer does not tell it. */
export const readRowCount = (row: ReferenceTable): number | undefined =>
  row.attributes.row_count == null ? undefined : Number(row.attributes.row_count);

const sources = knownWords(sourceSchema);

/** The display text of a data source; an unknown word is shown as it is. */
export function tableSourceText(source: string, context: VocabularyContext): string {
  const word = inWords(sourceSchema, source, context);
  if (source === 'LOCAL_FILE') return 'local file';
  return sources.includes(source) ? word.toLowerCase() : word;
}

/** The display text of the data source of a table. */
export const readSource = (row: ReferenceTable, context: VocabularyContext): string =>
  tableSourceText(row.attributes.source ?? '', context);

/** True, or why the table is read-only (docs/contract/reference-tables.md#table). */
export function mayChangeTable(row: ReferenceTable, context: VocabularyContext): true | string {
  const { source } = row.attributes;
  return (
    source == null ||
    sources.includes(source) ||
    `${tableSourceText(source, context)} manages this table: change it there`
  );
}

const stateWord = (status: string): string => status.toLowerCase().replaceAll('_', ' ');

/** The status as a short text; an unknown word is shown as it is. */
export const tableStatusText = ({ attributes: { status } }: ReferenceTable): string => stateWord(status ?? 'unknown');

/** Why rows may be missing or cannot be written yet; undefined once the status is final. */
export function stillLoading(row: ReferenceTable): string | undefined {
  return isFinal(row.attributes.status)
    ? undefined
    : `still importing (${tableStatusText(row)}): try again when it is done`;
}

/** What an import does to the rows that are there. */
export const replacesRows = 'Rows whose key is not in the file are deleted';

type Search = Readonly<Record<string, string>>;

/** The search of the tables at the start: all of them. */
export const tableSearch: Search = { name: '', status: '', id: '' };

/** The form of `s` in the list of tables. */
export function tableSearchForm(search: Search): Fields {
  return {
    name: textField('Name contains', search.name),
    status: choiceField('State', search.status, [
      { value: '', label: 'any' },
      ...knownWords(tableStatus).map((status) => ({ value: status, label: stateWord(status) })),
    ]),
    id: textField('ID', search.id, { hint: 'Shows one table, where the service does not list tables' }),
  };
}

/** The search as the title bar shows it. */
export function tableSearchText({ name = '', status = '', id = '' }: Search): string {
  if (id.trim() !== '') return id.trim();
  return [name.trim() && `"${name.trim()}"`, stateWord(status)].filter(Boolean).join(' ');
}

/** The tables that match, newest change first; a single table where its id was typed. */
export function loadTables(query: ListQuery): Source<ReferenceTable> {
  const id = query.search.id?.trim() ?? '';
  const all = tableKind.load(query);
  return {
    ...all,
    *plan(context): Plan<Result<Rows<ReferenceTable>>, Rows<ReferenceTable>> {
      if (id !== '') {
        const table = yield* tableById(id);
        return table.ok ? { ...table, value: { rows: [table.value] } } : table;
      }
      const found = yield* all.plan(context);
      if (found.ok || !isNotOffered(found.problem)) return found;
      return withAdvice(found.problem, '; a single table can be read by its ID');
    },
  };
}

/** Reads the table with this id. */
export const tableById = (id: string): Plan<Result<ReferenceTable>> =>
  tableKind.fresh({ id, place: 0, attributes: {}, unread: [] });

/** Reads the table with exactly this name; the problem is `notFound` where there is none. */
export function* tableNamed(name: string): Plan<Result<ReferenceTable>> {
  const list = call(listTables, { query: { 'filter[table_name][exact]': name } });
  // A service that does not know the filter lists every table.
  const pages = yield* inside(everyPage<ResponseOf<typeof listTables>['data'][number]>(list));
  if (!pages.ok) return pages;
  const row = tableKind.row(pages.value.items.find(({ attributes }) => attributes?.table_name === name));
  if (row) return { ...pages, value: row };
  const { problem } = pages.value.end ?? {};
  return problem ? { ok: false, problem } : problemResult('notFound', `no table ${name}`);
}

/** The maximum number of columns of a table (docs/contract/reference-tables.md#names-and-limits). */
const maxColumns = 50;

/** The check of a name: the service would change any other name. `what` names the field in the message. */
export const checkPlainName = (what: string) => (typed: string) =>
  typed === '' ||
  plainName.test(typed) ||
  `${what}: at most 56 lowercase letters, digits and _, starting with a letter`;

/** Tags, separated by commas. */
export const tagsField = (now: readonly string[] | null | undefined): Field<string[]> =>
  listField('Tags', now, { hint: 'Comma-separated: team:web, source:wiki' });

/** A field of columns: `service, team, tier:INT32`. A column without a type holds text; `taken` names existing columns. */
export function columnsField(
  label: string,
  taken: readonly string[],
  required: boolean,
  hint: string,
): Field<readonly ReferenceColumn[]> {
  const field = { ...listField(label, [], { hint }), required, placeholder: 'service, team, tier:INT32' };
  return readAs(field, (words) => {
    const columns = words.map((word): ReferenceColumn => {
      const [name = '', type = 'STRING'] = word.split(':').map((part) => part.trim());
      return { name, type: type.toUpperCase() };
    });
    const problem = columnsProblem(columns);
    return problem === undefined ? { ok: true, value: columns } : { ok: false, text: problem };
  });

  function columnsProblem(columns: readonly ReferenceColumn[]): string | undefined {
    const names = columns.map(({ name }) => name);
    if (required && columns.length === 0) return `${label} are required`;
    const untyped = columns.find(({ type }) => type !== 'STRING' && type !== 'INT32');
    if (untyped) return `${untyped.name}: type must be STRING or INT32`;
    const badName = names
      .map((name) => (name === '' ? 'A column has no name' : checkPlainName(name)(name)))
      .find((verdict) => verdict !== true);
    if (badName !== undefined) return badName;
    const duplicate = names.find((name, place) => names.indexOf(name) !== place || taken.includes(name));
    if (duplicate !== undefined) return `${duplicate} already exists`;
    return taken.length + columns.length > maxColumns ? `At most ${maxColumns} columns` : undefined;
  }
}
