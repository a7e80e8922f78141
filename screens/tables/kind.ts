import { call } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { deleteTable, getTable, isFinal, listTables, source as sourceSchema } from '../../src/api/tables.ts';
import { pageSize } from '../../src/describe/read-pages.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { inWords, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';

/** Reference tables. Some are filled by connected products, and those are read-only. */
export const tableKind = kind({
  noun: 'table',
  of: ['reference_table'],
  page(number, { search: { name = '', status = '' } }) {
    const filter = {
      ...(status === '' ? {} : { 'filter[status]': status }),
      ...(name.trim() === '' ? {} : { 'filter[table_name][contains]': name.trim() }),
    };
    return call(listTables, { query: { ...filter, 'page[limit]': pageSize, 'page[offset]': number * pageSize } });
  },
  get: (id) => call(getTable, { id }),
  remove: (id) => call(deleteTable, { id }),
  name: (row) => row.attributes.table_name,
});

export type TableRow = RowOf<typeof tableKind>;

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
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

const sources = knownWords(sourceSchema);

/** A source of data as a person reads it; an unknown word as it is. */
export function sourceText(source: string, context: VocabularyContext): string {
  const word = inWords(sourceSchema, source, context);
  if (source === 'LOCAL_FILE') return 'local file';
  return sources.includes(source) ? word.toLowerCase() : word;
}

/** Where its data comes from. */
export const sourceOf = (row: TableRow, context: VocabularyContext): string =>
  sourceText(row.attributes.source ?? '', context);

/** True, or why nothing of it may be changed (contract/reference-tables.md 5). */
export function mayChange(row: TableRow, context: VocabularyContext): true | string {
  const { source } = row.attributes;
  return source == null || sources.includes(source) || `${sourceText(source, context)} fills it: it is changed there`;
}

/** Its state in words that fit a narrow column; an unknown word as it is. */
export function statusOf({ attributes: { status } }: TableRow): string {
  return status === 'DONE_WITH_ERRORS' ? 'done, errors' : (status ?? 'not told').toLowerCase().replaceAll('_', ' ');
}

/** Why its rows may be missing or may not be written yet; undefined once its state is final. */
export function stillLoading(row: TableRow): string | undefined {
  return isFinal(row.attributes.status) ? undefined : `still loading (${statusOf(row)}): try again when it is done`;
}
