import { call } from '../../src/api/endpoint.ts';
import { knownWords } from '../../src/api/envelope.ts';
import { deleteTable, getTable, isFinal, listTables, tableSource as sourceSchema } from '../../src/api/tables.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { inWords, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';

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

/** The status as a short text; an unknown word is shown as it is. */
export function tableStatusText({ attributes: { status } }: ReferenceTable): string {
  return status === 'DONE_WITH_ERRORS' ? 'done with errors' : (status ?? 'unknown').toLowerCase().replaceAll('_', ' ');
}

/** Why rows may be missing or cannot be written yet; undefined once the status is final. */
export function stillLoading(row: ReferenceTable): string | undefined {
  return isFinal(row.attributes.status)
    ? undefined
    : `still importing (${tableStatusText(row)}): try again when it is done`;
}

/** What an import does to the rows that are there. */
export const replacesRows = 'Rows whose key is not in the file are deleted';
