import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { once } from '../../lib/once.ts';
import { isPause, runAtOnce, type Sliced } from '../../lib/slices.ts';
import type { Row } from './list-state.ts';
import type { RowTable } from './row-table.ts';
import { keepSlots, slotsOf } from './slots.ts';
import { comparison, merged, type Ordered, type Sort, type SortValue, sorting, sortValue } from './sorting.ts';

/** The ids of rows in the order of a column. */
interface RowOrder {
  /** Computed when it is first asked for; undefined while many rows are being sorted. */
  ids(): readonly string[] | undefined;
  /** Those of `ids` that are still there; the same array where all are. */
  present(ids: readonly string[]): readonly string[];
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

/** All rows of a table, on their way into an order. */
interface Underway extends Sort {
  readonly table: RowTable;
  /** How many of its rows are sorted. */
  readonly done: number;
  readonly steps: Sliced<Ordered>;
  readonly reads: { context: boolean };
  order?: Ordered;
}

/** More rows than these are sorted with all. */
const mostOthers = 1000;
/** More rows than these are sorted in slices. */
const mostAtOnce = 6000;

export interface RowOrders {
  of(list: AnyList, table: RowTable, sort: Sort | undefined, context: Context, isGrowing: boolean): RowOrder;
  /** Sorts some more rows of a list, in about five milliseconds; undefined where none are being sorted, true when they are in order. */
  advance(list: string): boolean | undefined;
}

/**
 * Orders the rows of lists. While a list grows page by page, only the rows of the new page are read and sorted, and merged
 * with those before: 100 pages cost about as much as all rows at once.
 */
export function createRowOrders(): RowOrders {
  const kept = new Map<string, Kept>();
  const underway = new Map<string, Underway>();
  /** Ids that all have a row in this table, which only grows. */
  const present = new WeakMap<readonly string[], RowTable>();
  const advance = (list: string): boolean | undefined => {
    const sorting = underway.get(list);
    if (!sorting || sorting.order) return undefined;
    const step = sorting.steps.next();
    if (step.done) sorting.order = step.value;
    return step.done === true;
  };
  /** All rows in order, those that have come since they began to be sorted apart; undefined until they are. */
  const sortedWhole = (list: AnyList, table: RowTable, sort: Sort, value: SortValue, context: Context) => {
    const before = underway.get(list.id);
    const isSame = before?.table === table && before.by === sort.by && before.down === sort.down;
    const sorting = isSame ? before : begun(list, table, sort, value, context);
    if (!isSame) {
      underway.set(list.id, sorting);
      do advance(list.id);
      while (!sorting.order && sorting.done <= mostAtOnce);
    }
    if (sorting.order) underway.delete(list.id);
    return sorting;
  };
  const of: RowOrders['of'] = (list, table, sort, context, isGrowing) => {
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
        const settle = (ids: readonly string[], reads: Underway['reads']) => {
          kept.set(list.id, {
            table,
            done,
            settled: !reads.context ? { ids, value, isDown, others: new Set() } : undefined,
          });
          present.set(ids, table);
          return ids;
        };
        if (isSettled) {
          const reads = { context: false };
          return settle(renewed(list, table, settled, watching(context, reads)), reads);
        }
        const whole = sorted
          ? { order: sorted, done: known?.done ?? 0 }
          : sortedWhole(list, table, sort, value, context);
        if (!whole.order) return undefined;
        const more = table.rows.slice(whole.done);
        const order =
          more.length === 0
            ? whole.order
            : merged(whole.order, runAtOnce(sorting(list, more, value, context, isDown)), isDown);
        present.set(order.ids, table);
        if (isGrowing) kept.set(list.id, { table, done, sort, order });
        else if ('reads' in whole) settle(order.ids, whole.reads);
        return order.ids;
      }),
    };
  };
  return { of, advance };
}

/** Begins to sort all rows of a table. */
function begun(list: AnyList, table: RowTable, sort: Sort, value: SortValue, context: Context): Underway {
  const reads = { context: false };
  const steps = inOrder(list, table, value, watching(context, reads), sort.down);
  return { ...sort, table, done: table.rows.length, steps, reads };
}

/** A context that tells whether anything of it was read. */
const watching = (context: Context, reads: { context: boolean }) =>
  new Proxy(context, {
    get(of, name) {
      reads.context = true;
      return of[name as keyof Context];
    },
  });

/** All rows of a table in order, with their slots. */
function* inOrder(
  list: AnyList,
  table: RowTable,
  value: SortValue,
  context: Context,
  isDown: boolean,
): Sliced<Ordered> {
  const order = yield* sorting(list, table.inOrder(), value, context, isDown);
  const slots = new Uint32Array(order.ids.length);
  for (const [place, id] of order.ids.entries()) {
    if (order.ids.length > mostAtOnce && isPause(place)) yield;
    slots[place] = table.slotOf(id) as number;
  }
  keepSlots(order.ids, table.slots, slots);
  return order;
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
  return runAtOnce(sorting(list, rows, value, context, sort.down)).ids;
}
