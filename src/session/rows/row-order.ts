import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Row } from './list-state.ts';

export type Sort = { readonly by: string; readonly down: boolean };

/** What a row is sorted by. */
type SortedBy = string | number;

/** What rows are sorted by; undefined where the service's order stands. */
const sortValue = (list: AnyList, sort: Sort | undefined): ((row: Row, context: Context) => SortedBy) | undefined =>
  sort && list.columns.find((column) => column.id === sort.by)?.sort;

/** Which of two values comes first. */
const comparison = (isDown: boolean) => {
  const way = isDown ? -1 : 1;
  return (left: SortedBy, right: SortedBy): number => {
    if (typeof left === 'number' && typeof right === 'number') {
      // NaN (unknown) sorts last in both directions.
      if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
      return (left - right) * way;
    }
    return left < right ? -way : left > right ? way : 0;
  };
};

/**
 * Ids in the order of a column. Numbers that are unknown come last in both directions; rows of equal values stand in the list's own
 * order, those that are equal there too as they came.
 */
export function sorted(
  list: AnyList,
  rows: readonly Row[],
  sort: Sort | undefined,
  context: Context,
): readonly string[] {
  if (!sort || !sortValue(list, sort)) return rows.map(list.idOf);
  const steps = [sort, ...(list.sorted ? [list.sorted] : []), ...(list.within ?? [])].flatMap((step) => {
    const value = sortValue(list, step);
    return value ? [{ value, compare: comparison(step.down) }] : [];
  });
  return rows
    .map((row) => ({ id: list.idOf(row), by: steps.map(({ value }) => value(row, context)) }))
    .sort((one, other) => {
      let found = 0;
      for (let at = 0; found === 0 && at < steps.length; at += 1)
        found = steps[at]?.compare(one.by[at] as SortedBy, other.by[at] as SortedBy) ?? 0;
      return found;
    })
    .map(({ id }) => id);
}
