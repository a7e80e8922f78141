import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { listRows, queryRows, readRows } from '../../src/api/tables.ts';
import { kind } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import { toWord } from '../../src/lib/unchecked-values.ts';
import { type ReferenceTable, readColumns } from './kind.ts';

/** A row as the service answers it. */
export type RowResource = ResponseOf<typeof readRows>['data'][number];

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
    return data ? { ...found, value: { data } } : problemResult('notFound', `row ${id} no longer exists`);
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
 * missing, and if the table is missing, the batch query answers 404 as well.
 */
export function* readRowsByKey(table: ReferenceTable, keys: readonly string[]): Plan<Result<readonly RowResource[]>> {
  const answer = yield* ask(call(readRows, { id: table.id, query: { row_id: [...keys] } }));
  if (answer.ok) return { ...answer, value: answer.value?.data ?? [] };
  if (!notOffered(answer.problem) && answer.problem.kind !== 'notFound') return answer;
  const attributes = { table_id: table.id, row_ids: [...keys] };
  const body = { data: { type: 'reference-tables-batch-rows-query' as const, attributes } };
  const other = yield* ask(call(queryRows, { body }));
  return other.ok ? { ...other, value: other.value?.included ?? [] } : other;
}
