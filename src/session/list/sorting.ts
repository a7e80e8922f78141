import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Sliced } from '../../lib/slices.ts';
import type { Row } from './list-state.ts';

export type Sort = { readonly by: string; readonly down: boolean };

/** What a row is sorted by. */
type SortedBy = string | number;

/** Ids in order, and what each of them is sorted by. */
export interface Ordered {
  readonly ids: readonly string[];
  readonly by: SortedBy[];
}

export type SortValue = (row: Row, context: Context) => SortedBy;

/** What rows are sorted by; undefined where the service's order stands. */
export const sortValue = (list: AnyList, sort: Sort | undefined): SortValue | undefined =>
  sort && list.columns.find((column) => column.id === sort.by)?.sort;

/** Rows that are read and sorted between two pauses, five milliseconds. */
const runRows = 3000;
/** Steps of what takes less than reading a row. */
const lightSteps = 5 * runRows;

/** Sorts rows, a slice at a time: runs are sorted as they are read, then merged. Rows alike in what they are sorted by stay in their order. */
export function* sorting(
  list: AnyList,
  rows: readonly Row[],
  value: SortValue,
  context: Context,
  isDown: boolean,
): Sliced<Ordered> {
  const compare = comparison(isDown);
  const values: SortedBy[] = [];
  const compared = (one: number, other: number) => compare(values[one] as SortedBy, values[other] as SortedBy);
  // Places of rows. Numbers outside the heap: sorting 100,000 rows makes no garbage of them.
  let order = new Uint32Array(rows.length);
  for (let from = 0; from < rows.length; from += runRows) {
    if (from > 0) yield;
    const to = Math.min(from + runRows, rows.length);
    for (let at = from; at < to; at += 1) {
      values.push(value(rows[at], context));
      order[at] = at;
    }
    order.subarray(from, to).sort(compared);
  }
  let other = new Uint32Array(rows.length > runRows ? rows.length : 0);
  for (let width = runRows; width < rows.length; width *= 2) {
    for (let from = 0; from < rows.length; from += 2 * width)
      yield* merging(order, other, [from, from + width, from + 2 * width], compared);
    [order, other] = [other, order];
  }
  const [ids, by]: [string[], SortedBy[]] = [[], []];
  for (let at = 0; at < order.length; at += 1) {
    if (at > 0 && at % lightSteps === 0) yield;
    const place = order[at] as number;
    ids.push(list.idOf(rows[place]));
    by.push(values[place] as SortedBy);
  }
  return { ids, by };
}

/** Merges two runs that lie side by side into the same places of another array; of equal ones the first come first. */
function* merging(
  runs: Uint32Array,
  into: Uint32Array,
  [from, middle, end]: readonly [number, number, number],
  compare: (one: number, other: number) => number,
): Sliced<void> {
  const to = Math.min(end, runs.length);
  let [one, other] = [from, Math.min(middle, to)];
  const between = other;
  for (let at = from; at < to; at += 1) {
    if (at % lightSteps === 0) yield;
    const isOther = one === between || (other < to && compare(runs[one] as number, runs[other] as number) > 0);
    into[at] = runs[isOther ? other++ : one++] as number;
  }
}

/** Both in order; of equal ones those that were there come first, as the service has them. */
export function merged({ ids, by }: Ordered, others: Ordered, isDown: boolean): Ordered {
  const compare = comparison(isDown);
  // Not by adding to a copy, which would take room for half as many again.
  const all = ids.concat(others.ids);
  let at = ids.length - 1;
  for (const one of others.by) by.push(one);
  // From the end on, so that what is before the first of the others stays where it is.
  let to = all.length - 1;
  for (let next = others.ids.length - 1; next >= 0; to -= 1) {
    const other = others.by[next] as SortedBy;
    const isBehind = at >= 0 && compare(by[at] as SortedBy, other) > 0;
    all[to] = (isBehind ? all[at] : others.ids[next]) as string;
    by[to] = isBehind ? (by[at] as SortedBy) : other;
    if (isBehind) at -= 1;
    else next -= 1;
  }
  return { ids: all, by };
}

/** Which of two values comes first. */
export const comparison = (isDown: boolean) => {
  const way = isDown ? -1 : 1;
  return (one: SortedBy, other: SortedBy): number => {
    if (typeof one === 'number' && typeof other === 'number') {
      // NaN (unknown) sorts last in both directions; ties keep the service's order.
      if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
      return (one - other) * way;
    }
    return one < other ? -way : one > other ? way : 0;
  };
};
