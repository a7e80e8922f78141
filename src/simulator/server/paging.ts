import type { Verb } from '../../api/endpoint.ts';
import { commaWords } from '../../lib/text.ts';
import { type ApiResponse, refused } from './handler.ts';
import { countParameter } from './wire-values.ts';

/** Selects the page of rows that a query requests, or refuses the query. */
export type Pager<T> = (query: URLSearchParams, rows: readonly T[]) => readonly T[] | ApiResponse;

/**
 * The page of `page[number]` (from 0) and `page[size]` (default 10); refuses a size outside 1 to 100
 * (docs/contract/conventions.md#paging).
 */
export function slicePage<T>(query: URLSearchParams, rows: readonly T[]): readonly T[] | ApiResponse {
  const size = query.get('page[size]');
  if (size !== null && !(Number(size) >= 1 && Number(size) <= 100))
    return refused(400, 'Invalid page[size]: must be between 1 and 100');
  const length = countParameter(query, 'page[size]', 10, 100);
  const begin = countParameter(query, 'page[number]', 0, 1e9) * length;
  return rows.slice(begin, begin + length);
}

/** The page of `page[offset]` and `page[limit]`: `usual` rows by default, `most` at the most. */
export const offsetPage =
  (usual: number, most: number) =>
  <T>(query: URLSearchParams, rows: readonly T[]): readonly T[] => {
    const begin = countParameter(query, 'page[offset]', 0, Number.MAX_SAFE_INTEGER);
    return rows.slice(begin, begin + countParameter(query, 'page[limit]', usual, most));
  };

/** Sort fields of a list with their sort values. */
export type Orders<T> = Readonly<Record<string, (row: T) => string | number>>;

/** Rows sorted (stably) by a field of `orders`; `-` means descending. Refuses other fields. */
export function sortedBy<T>(rows: readonly T[], sort: string, orders: Orders<T>): readonly T[] | ApiResponse {
  const value = Object.hasOwn(orders, sort.replace(/^-/, '')) ? orders[sort.replace(/^-/, '')] : undefined;
  if (!value) return refused(400, `Invalid sort: ${sort}`);
  const sign = sort.startsWith('-') ? -1 : 1;
  const compared = rows.map((row) => ({ row, by: value(row) }));
  compared.sort((a, b) => (a.by === b.by ? 0 : a.by < b.by ? -sign : sign));
  return compared.map(({ row }) => row);
}

/** The sort value of a name: without case and punctuation (docs/contract/keys.md#choices). */
export const sortableName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, '');

/** The values of a query parameter, repeated or comma-separated. */
export const listParameter = (query: URLSearchParams, name: string): string[] => query.getAll(name).flatMap(commaWords);

/** Returns a predicate: whether one of the texts contains the query's `filter`, ignoring case. */
export function filterMatches(
  query: URLSearchParams,
  name = 'filter',
): (...texts: readonly (string | null)[]) => boolean {
  const wanted = query.get(name)?.toLowerCase() ?? '';
  return (...texts) => texts.some((text) => (text ?? '').toLowerCase().includes(wanted));
}

/**
 * Whether a moment lies within `filter[<name>][start]` and `[end]`, both inclusive; a refusal when one of them is no
 * date.
 */
export function within(query: URLSearchParams, name: string): ((ms: number) => boolean) | ApiResponse {
  const bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  for (const [end, side] of [
    ['start', 'low'],
    ['end', 'high'],
  ] as const) {
    const text = query.get(`filter[${name}][${end}]`);
    if (text === null || text === '') continue;
    const at = Date.parse(text);
    if (Number.isNaN(at)) return refused(400, `Invalid filter[${name}][${end}]: not a date`);
    bounds[side] = at;
  }
  return (ms) => ms >= bounds.low && ms <= bounds.high;
}

/** Whether an operation only reads. */
export const isReadVerb = (verb: Verb): boolean => verb === 'list' || verb === 'get';
