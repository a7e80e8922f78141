import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Row } from './list-state.ts';

type Sort = { readonly by: string; readonly down: boolean };

/** A row's id, and what it is sorted by. */
interface Keyed {
  readonly id: string;
  readonly by: string | number;
}

/** Rows by id, and their ids in the order of a column. */
interface RowOrder {
  readonly byId: ReadonlyMap<string, Row>;
  /** Computed when it is first asked for. */
  ids(): readonly string[];
  /** Those of `ids` that are still there; the same array where all are. */
  present(ids: readonly string[]): readonly string[];
}

interface Kept {
  readonly rows: readonly Row[];
  readonly byId: Map<string, Row>;
  readonly sort?: Sort | undefined;
  readonly keyed?: readonly Keyed[];
  readonly ids?: readonly string[];
}

/** Whether these are the earlier rows, the very same ones, and perhaps more behind them. */
export const isContinued = (earlier: readonly Row[], rows: readonly Row[]): boolean =>
  earlier.length <= rows.length && earlier.every((row, at) => row === rows[at]);

/**
 * Orders the rows of lists. While a list grows page by page, only the rows of the new page are read and sorted, and merged
 * with those before: 100 pages cost about as much as all rows at once. The map of a growing list is the same one for all pages.
 */
export function createRowOrders(): (
  list: AnyList,
  rows: readonly Row[],
  sort: Sort | undefined,
  context: Context,
  isGrowing: boolean,
) => RowOrder {
  const kept = new Map<string, Kept>();
  /** Ids that all have a row in this map, which only grows. */
  const present = new WeakMap<readonly string[], RowOrder['byId']>();
  return (list, rows, sort, context, isGrowing) => {
    const before = kept.get(list.id);
    const from = before && isContinued(before.rows, rows) ? before.rows.length : 0;
    const more = rows.slice(from);
    const isNew = more.every((row) => !before?.byId.has(list.idOf(row)));
    const known = before && from > 0 && isNew ? before : undefined;
    const byId = known?.byId ?? new Map<string, Row>();
    for (const row of known ? more : rows) byId.set(list.idOf(row), row);
    const isSameSort = known?.sort?.by === sort?.by && known?.sort?.down === sort?.down;
    const { keyed: sorted, ids: listed } = (isSameSort && known) || {};
    kept.set(list.id, known && isGrowing && more.length === 0 ? { ...known, rows } : { rows, byId });
    const isPresent = (ids: readonly string[]) => present.get(ids) === byId;
    return {
      byId,
      present(ids) {
        if (isPresent(ids)) return ids;
        const left = ids.filter((id) => byId.has(id));
        const same = left.length === ids.length ? ids : left;
        present.set(same, byId);
        return same;
      },
      ids() {
        const value = sortValue(list, sort);
        if (!value || !sort) return [...byId.keys()];
        // The end of a read that grew brings no row.
        if (sorted && listed && more.length === 0) return listed;
        const added = inOrder(keysOf(list, sorted ? more : [...byId.values()], value, context), sort.down);
        const keyed = sorted ? merged(sorted, added, sort.down) : added;
        const ids = keyed.map(({ id }) => id);
        present.set(ids, byId);
        if (isGrowing) kept.set(list.id, { rows, byId, sort, keyed, ids });
        return ids;
      },
    };
  };
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
  return inOrder(keysOf(list, rows, value, context), sort.down).map(({ id }) => id);
}

const sortValue = (list: AnyList, sort: Sort | undefined) =>
  sort && list.columns.find((column) => column.id === sort.by)?.sort;

type SortValue = NonNullable<ReturnType<typeof sortValue>>;

const keysOf = (list: AnyList, rows: readonly Row[], value: SortValue, context: Context): Keyed[] =>
  rows.map((row) => ({ id: list.idOf(row), by: value(row, context) }));

const inOrder = (keyed: Keyed[], isDown: boolean): readonly Keyed[] => keyed.sort(comparison(isDown));

/** Both in order; of equal ones those of the first come first, as the service has them. */
function merged(some: readonly Keyed[], others: readonly Keyed[], isDown: boolean): readonly Keyed[] {
  const compare = comparison(isDown);
  const all: Keyed[] = [];
  let next = 0;
  for (const one of some) {
    for (let other = others[next]; other && compare(one, other) > 0; other = others[++next]) all.push(other);
    all.push(one);
  }
  for (; next < others.length; next += 1) all.push(others[next] as Keyed);
  return all;
}

const comparison = (isDown: boolean) => {
  const way = isDown ? -1 : 1;
  return (one: Keyed, other: Keyed): number => {
    if (typeof one.by === 'number' && typeof other.by === 'number') {
      // NaN (unknown) sorts last in both directions; ties keep the service's order.
      if (Number.isNaN(one.by) || Number.isNaN(other.by))
        return Number(Number.isNaN(one.by)) - Number(Number.isNaN(other.by));
      return (one.by - other.by) * way;
    }
    return one.by < other.by ? -way : one.by > other.by ? way : 0;
  };
};
