import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { once } from '../../lib/once.ts';
import type { Row } from './list-state.ts';
import type { RowTable } from './row-table.ts';

type Sort = { readonly by: string; readonly down: boolean };

/** What a row is sorted by. */
type SortedBy = string | number;

/** The ids of rows in the order of a column. */
interface RowOrder {
  /** Computed when it is first asked for. */
  ids(): readonly string[];
  /** Those of `ids` that are still there; the same array where all are. */
  present(ids: readonly string[]): readonly string[];
}

/** Ids in order. What they are sorted by is apart: numbers in one stretch of memory, into which those of further rows are put. */
interface Ordered {
  readonly ids: readonly string[];
  readonly by: SortedBy[];
}

interface Kept {
  readonly table: RowTable;
  /** How many of its rows are in order. */
  readonly done: number;
  readonly sort?: Sort | undefined;
  readonly order?: Ordered;
}

/**
 * Orders the rows of lists. While a list grows page by page, only the rows of the new page are read and sorted, and merged
 * with those before: 100 pages cost about as much as all rows at once.
 */
export function createRowOrders(): (
  list: AnyList,
  table: RowTable,
  sort: Sort | undefined,
  context: Context,
  isGrowing: boolean,
) => RowOrder {
  const kept = new Map<string, Kept>();
  /** Ids that all have a row in this table, which only grows. */
  const present = new WeakMap<readonly string[], RowTable>();
  return (list, table, sort, context, isGrowing) => {
    const before = kept.get(list.id);
    const known = before?.table === table ? before : undefined;
    const isSameSort = known?.sort?.by === sort?.by && known?.sort?.down === sort?.down;
    const sorted = isSameSort ? known?.order : undefined;
    const done = table.rows.length;
    const hasMore = known?.done !== done;
    if (!known || hasMore || !isGrowing) kept.set(list.id, { table, done });
    return {
      present(ids) {
        const earlier = present.get(ids);
        if (earlier === table) return ids;
        const left = stillIn(list, ids, table, earlier);
        const same = left.length === ids.length ? ids : left;
        present.set(same, table);
        return same;
      },
      ids: once(() => {
        const value = sortValue(list, sort);
        if (!value || !sort) return table.inOrder().map(list.idOf);
        // The end of a read that grew brings no row.
        if (sorted && !hasMore) return sorted.ids;
        const more = sorted ? table.rows.slice(known?.done) : table.inOrder();
        const added = inOrder(list, more, value, context, sort.down);
        const order = sorted ? merged(sorted, added, sort.down) : added;
        present.set(order.ids, table);
        if (isGrowing) kept.set(list.id, { table, done, sort, order });
        return order.ids;
      }),
    };
  };
}

/** The ids that have a row; where an earlier table had all of them, only what has changed since is asked. */
function stillIn(
  list: AnyList,
  ids: readonly string[],
  table: RowTable,
  earlier: RowTable | undefined,
): readonly string[] {
  const others = earlier && table.since(earlier);
  if (!earlier || !others) return ids.filter((id) => table.has(id));
  const gone = new Set(others.flatMap((slot) => (table.at(slot) === undefined ? [list.idOf(earlier.at(slot))] : [])));
  return gone.size === 0 ? ids : ids.filter((id) => !gone.has(id));
}

/** Ids in the order of a column; numbers that are unknown come last in both directions. */
export function sorted(
  list: AnyList,
  rows: readonly Row[],
  sort: Sort | undefined,
  context: Context,
): readonly string[] {
  const value = sortValue(list, sort);
  if (!value || !sort) return rows.map(list.idOf);
  return inOrder(list, rows, value, context, sort.down).ids;
}

/** What rows are sorted by; undefined where the service's order stands. */
export const sortValue = (list: AnyList, sort: Sort | undefined) =>
  sort && list.columns.find((column) => column.id === sort.by)?.sort;

type SortValue = NonNullable<ReturnType<typeof sortValue>>;

/** Rows alike in what they are sorted by stay in their order, so only the few values of a state are compared. */
function inOrder(list: AnyList, rows: readonly Row[], value: SortValue, context: Context, isDown: boolean): Ordered {
  const compare = comparison(isDown);
  const idsByValue = new Map<SortedBy, string[]>();
  for (const row of rows) {
    const by = value(row, context);
    const alike = idsByValue.get(by);
    if (alike) alike.push(list.idOf(row));
    else idsByValue.set(by, [list.idOf(row)]);
  }
  const [ids, by]: [string[], SortedBy[]] = [[], []];
  for (const [one, alike] of [...idsByValue].sort(([one], [other]) => compare(one, other)))
    for (const id of alike) {
      ids.push(id);
      by.push(one);
    }
  return { ids, by };
}

/** Both in order; of equal ones those that were there come first, as the service has them. */
function merged({ ids, by }: Ordered, others: Ordered, isDown: boolean): Ordered {
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
