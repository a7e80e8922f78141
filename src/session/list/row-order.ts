import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { once } from '../../lib/once.ts';
import type { Row } from './list-state.ts';
import type { RowTable } from './row-table.ts';
import { keepSlots, slotsOf } from './slots.ts';

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
  readonly settled?: Settled | undefined;
}

/** The order that was made last, of values that nothing but their rows decides. */
interface Settled {
  readonly ids: readonly string[];
  readonly value: SortValue;
  readonly isDown: boolean;
  /** Rows that are others since. */
  readonly others: ReadonlySet<string>;
}

/** More rows than these are sorted with all. */
const mostOthers = 1000;

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
    const settled = isGrowing || (known && hasMore) ? undefined : settledIn(list, table, before);
    if (!known || hasMore || !isGrowing) kept.set(list.id, { table, done, settled });
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
        const isDown = sort.down;
        const isSettled = settled?.value === value && settled.isDown === isDown;
        if (isSettled && settled.others.size === 0) return settled.ids;
        const reads = { context: false };
        const watched = new Proxy(context, {
          get(of, name) {
            reads.context = true;
            return of[name as keyof Context];
          },
        });
        const settle = (ids: readonly string[]) => {
          // Values of several organisations are of contexts of their own.
          const isKept = !reads.context && list.parts === undefined;
          kept.set(list.id, { table, done, settled: isKept ? { ids, value, isDown, others: new Set() } : undefined });
          present.set(ids, table);
          return ids;
        };
        if (isSettled) return settle(renewed(list, table, settled, watched));
        if (!isGrowing && !sorted) return settle(inOrder(list, table.inOrder(), value, watched, isDown).ids);
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

/** The order made last, with the rows that are others in this table; undefined where they are too many. */
function settledIn(list: AnyList, table: RowTable, before: Kept | undefined): Settled | undefined {
  const { settled, table: earlier } = before ?? {};
  const slots = earlier && table.since(earlier);
  if (!settled || !slots || slots.length > mostOthers) return undefined;
  if (slots.length === 0) return settled;
  const ids = slots.map((slot) => list.idOf(table.at(slot) ?? earlier.at(slot)));
  const others = new Set([...settled.others, ...ids]);
  return others.size > mostOthers ? undefined : { ...settled, others };
}

/** The order with its other rows in their places: the rest are still as they were to each other. */
function renewed(list: AnyList, table: RowTable, { ids, value, isDown, others }: Settled, context: Context) {
  const compare = comparison(isDown);
  const slots = slotsOf(ids, table.slots);
  // Only rows of one value are told apart by where the service has them.
  const places = once(() => {
    const bySlot = new Uint32Array(table.room);
    for (const [place, row] of table.inOrder().entries()) bySlot[table.slotOf(list.idOf(row)) as number] = place;
    return bySlot;
  });
  const placeOf = (slot: number) => (table.isAscending ? slot : (places()[slot] as number));
  const valued = (slot: number) => ({ slot, by: value(table.at(slot), context) });
  type Valued = ReturnType<typeof valued>;
  const order = (one: Valued, other: Valued) => compare(one.by, other.by) || placeOf(one.slot) - placeOf(other.slot);
  const isOther = new Uint8Array(table.slots.size);
  const moved: (Valued & { readonly id: string })[] = [];
  for (const id of others) {
    const slot = table.slotOf(id);
    if (slot === undefined) continue;
    isOther[slot] = 1;
    if (table.at(slot) !== undefined) moved.push({ ...valued(slot), id });
  }
  moved.sort(order);
  // Places, in the order that was, of the rows that stay.
  const rest = new Uint32Array(ids.length);
  let size = 0;
  for (let place = 0; place < ids.length; place += 1) if (isOther[slots[place] as number] === 0) rest[size++] = place;
  const all = Array<string>(size + moved.length);
  const allSlots = new Uint32Array(all.length);
  let [done, at] = [0, 0];
  const putRest = (to: number) => {
    for (; done < to; done += 1, at += 1) {
      all[at] = ids[rest[done] as number] as string;
      allSlots[at] = slots[rest[done] as number] as number;
    }
  };
  for (const one of moved) {
    let [from, to] = [done, size];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (order(valued(slots[rest[middle] as number] as number), one) < 0) from = middle + 1;
      else to = middle;
    }
    putRest(from);
    all[at] = one.id;
    allSlots[at] = one.slot;
    at += 1;
  }
  putRest(size);
  keepSlots(all, table.slots, allSlots);
  return all;
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
