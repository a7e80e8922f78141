import type { Known } from '../cache/cache.ts';
import type { BlockNow } from '../describe/board.ts';
import type { Context } from '../describe/context.ts';
import type { AnyList, Screen } from '../describe/screen.ts';
import type { Rows } from '../describe/source.ts';
import { areAlike } from '../lib/alike.ts';
import { type Acting, actingOn } from './derived/acting.ts';
import { createColumnsReader } from './list/columns-of-rows.ts';
import { type Counts, createCounter } from './list/counts.ts';
import { createTabs, type DetailView, detailOf } from './list/detail-view.ts';
import { type Geometry, geometry, windowTop } from './list/geometry.ts';
import { createHeldLine } from './list/held-line.ts';
import { type ListState, type Marks, type Order, previewWish, type Row } from './list/list-state.ts';
import { markedRows } from './list/marks.ts';
import { createRowOrders } from './list/row-order.ts';
import { createRowTables, type RowsById, type RowTable, type RowTables, withRow } from './list/row-table.ts';
import { createSift, type Matches, type Places, type Sift } from './list/sift.ts';
import { slotsOf } from './list/slots.ts';
import { createWordTexts, type WordTexts } from './list/word-texts.ts';
import { front, type State } from './state.ts';

/** The list as a person sees it: filtered and in its kept order. */
export interface Seen {
  readonly ids: readonly string[];
  /** Place of each id in `ids`. */
  readonly places: Places;
  /** The filter has not looked at all rows yet. */
  readonly isSifting: boolean;
  /** The rows are being sorted: until they are, they stand in the order from before, and those that it does not have are not shown. */
  readonly isSorting: boolean;
  readonly rows: RowsById;
  readonly total: number;
  /** Number of rows that came after the order was made; they are not shown yet. */
  readonly waiting: number;
  /** Id of a row that the last read no longer has; it stays while the cursor is on it. */
  readonly gone?: string;
  /** The order of `ids` before filtering; the engine keeps it in the state. */
  readonly order: Order;
}

export interface View extends Seen {
  readonly screen: Screen;
  /** The list in front, with the columns of its rows. */
  readonly list: AnyList;
  readonly own: ListState;
  readonly known: Known<Rows<Row>>;
  readonly key: string;
  /** The layout of this list on the terminal. */
  readonly room: Geometry;
  readonly at: number;
  readonly top: number;
  readonly cursor: string | undefined;
  readonly row: Row | undefined;
  readonly marked: readonly Row[];
  /** The rows that an action applies to: the open detail's row, else the marked rows, else the row under the cursor. */
  readonly targets: readonly Row[];
  /** The same as actions take them: of a derived list, the rows of other lists. */
  readonly acting: Acting;
  /** The blocks of a board; none where the list is a table. */
  readonly blocks: readonly BlockNow[];
  readonly detail: DetailView | undefined;
  /** All rows as last read, counted; also those that a filter hides and those that wait. */
  readonly counts: Counts;
}

/** The reads that a view is made from; passed in, so that making it stays pure. */
export interface Reads {
  rows(
    list: AnyList,
    own: ListState,
  ): {
    readonly key: string;
    readonly known: Known<Rows<Row>>;
    readonly rows: readonly Row[];
    /** Ids of rows that our edits deleted. */
    readonly removed: ReadonlySet<string>;
  };
  whole(list: AnyList, row: Row): Known<unknown>;
  blocks?(list: AnyList): readonly BlockNow[];
}

/** What the rows of a list are seen from. `loose`: in no kept order, so that new rows are shown at once. */
interface Look {
  readonly list: AnyList;
  readonly own: ListState;
  readonly key: string;
  readonly rows: readonly Row[];
  readonly context: Context;
  readonly loose: boolean;
}

/** Rows as they were last seen, while they come from the same. */
interface Remembered {
  readonly on: readonly unknown[];
  readonly whole: Whole;
  readonly sift: Sift;
  readonly store: WordTexts;
  seen?: Seen & { readonly of: Matches };
}

/** Texts that may be left over however few rows there are. */
const fewTexts = 1000;

type Whole = Omit<Seen, 'places' | 'isSifting' | 'rows'> & { readonly rows: RowTable };

/** Makes views. The last one of each list is memoised: moving the cursor costs the same for any number of rows. */
export function createViewer(tables: RowTables = createRowTables(), counter = createCounter(tables)) {
  const memo = new Map<string, Remembered>();
  const held = new Map<string, { readonly id: string; readonly row: Row; readonly filter: string }>();
  const inColumns = createColumnsReader();
  const orders = createRowOrders();
  /** Where a person was when a list last was in its order. */
  const stood = new Map<string, Pick<View, 'at' | 'top' | 'cursor'>>();
  const late = new Map<string, { readonly of: Seen; readonly id: string; readonly seen: Seen }>();
  const holding = createHeldLine();
  const tabs = createTabs();
  const marked = new Map<string, { readonly marks: Marks; readonly of: Seen; readonly rows: readonly Row[] }>();

  const textOf = (list: AnyList, row: Row, context: Context): string =>
    [
      ...list.columns.map((column) => column.text(row, context)),
      list.words?.(row, context) ?? '',
      // As the title counts it.
      list.states?.find((state) => state.isIn(row, context))?.label ?? '',
      list.idOf(row),
    ]
      .join(' ')
      .toLowerCase();

  const see = (look: Look): Seen => {
    const { list, own, key, rows, loose } = look;
    const sort = own.sort ?? list.sorted;
    const on = [rows, own.order, own.moving, own.made, sort?.by, sort?.down, key, loose];
    const before = memo.get(list.id);
    const kept = before && areAlike(before.on, on) ? before : remembered(look, on, before);
    memo.set(list.id, kept);
    const matches = kept.sift.matches(own.filter);
    const { ids, places, isPartial: isSifting } = matches;
    if (kept.seen?.of !== matches) kept.seen = { ...kept.whole, ids, places, isSifting, of: matches };
    return kept.seen;
  };

  const remembered = (look: Look, on: readonly unknown[], before: Remembered | undefined): Remembered => {
    const { list, context } = look;
    const whole = wholeOf(look, before?.whole.ids ?? []);
    if (before?.whole.ids === whole.ids && before.whole.rows === whole.rows)
      return { on, whole, store: before.store, sift: before.sift };
    const textById = (id: string) => textOf(list, whole.rows.get(id), context);
    // Texts of rows that have changed stay in it until they are as many as the others.
    const known = before && before.store.kept() <= 2 * whole.ids.length + fewTexts ? before : undefined;
    const store = known?.store ?? createWordTexts();
    const texts = known ? textsOf(known, whole.rows, list.idOf) : new Uint32Array(whole.rows.slots.size);
    const slots = () => slotsOf(whole.ids, whole.rows.slots);
    return { on, whole, store, sift: createSift(whole.ids, textById, { store, texts, slots }) };
  };

  /** The marked rows that are shown, in their order; kept while both are the same, for the rows may be many. */
  const markedOf = ({ id }: AnyList, marks: Marks, seen: Seen): readonly Row[] => {
    if (marks.size === 0) return [];
    const before = marked.get(id);
    if (before?.marks === marks && before.of === seen) return before.rows;
    const rows = markedRows(marks, seen.ids, seen.rows);
    marked.set(id, { marks, of: seen, rows });
    return rows;
  };

  /** The rows of a list in their order, without a filter; in the one from before while they are being sorted. */
  const wholeOf = ({ list, own, key, rows, context, loose }: Look, before: readonly string[]): Whole => {
    const byId = tables(list, rows);
    const { ids: anew, present } = orders.of(list, byId, own.sort ?? list.sorted, context, loose);
    const resting = own.order && own.order.key === key && !loose ? own.order : undefined;
    const made = own.made?.filter((id) => byId.has(id) && resting?.ids.includes(id) === false) ?? [];
    const isResting = resting !== undefined && made.length === 0;
    const sorted = isResting ? resting.ids : anew();
    const isSorting = sorted === undefined;
    const unsorted = resting ?? { key, ids: present(before) };
    const order =
      isSorting || isResting ? unsorted : { key, ids: resting ? withRows(resting.ids, made, sorted) : sorted };
    const ids = own.moving || resting ? present(own.moving ?? order.ids) : order.ids;
    return { ids, rows: byId, total: byId.size, waiting: byId.size - ids.length, order, isSorting };
  };

  /**
   * Keeps the row under the cursor in view after a poll no longer has it, or has it so that the filter no longer does,
   * until the cursor moves: otherwise the next key would act on another row. A row that we deleted leaves at once.
   */
  const lingering = (list: AnyList, own: ListState, seen: Seen, removed: ReadonlySet<string>): Seen => {
    const { cursor } = own;
    if (cursor === undefined) return seen;
    if (seen.places.has(cursor)) {
      held.set(list.id, { id: cursor, row: seen.rows.get(cursor), filter: own.filter });
      return seen;
    }
    const kept = held.get(list.id);
    if (kept?.id !== cursor || kept.filter !== own.filter || removed.has(cursor)) return seen;
    const place = seen.order.ids.indexOf(cursor);
    if (place < 0) return seen;
    const known = late.get(list.id);
    if (known?.of === seen && known.id === cursor) return known.seen;
    const before = new Set(seen.order.ids.slice(0, place));
    const at = seen.ids.filter((id) => before.has(id)).length;
    const ids = [...seen.ids.slice(0, at), cursor, ...seen.ids.slice(at)];
    const more: Seen = {
      ...seen,
      ids,
      places: new Map(ids.map((id, index) => [id, index])),
      rows: seen.rows.has(cursor) ? seen.rows : withRow(seen.rows, cursor, kept.row),
      total: seen.rows.has(cursor) ? seen.total : seen.total + 1,
      // The filter may not have come to it again.
      ...(seen.isSifting && seen.rows.has(cursor) ? {} : { gone: cursor }),
    };
    late.set(list.id, { of: seen, id: cursor, seen: more });
    return more;
  };

  function view(
    state: State,
    screens: readonly Screen[],
    reads: Reads,
    contextOf: (subRowId?: string) => Context,
    edition: object = {},
  ): View {
    const { screen, list: described } = front(state, screens);
    const own = state.lists[described.id] as ListState;
    const { key, known, rows, removed } = reads.rows(described, own);
    const list = inColumns(described, rows);
    const context = contextOf();
    const look = { list, own, key, rows, context };
    const read = see({ ...look, loose: known.partial || list.board !== undefined });
    const rested = list.board
      ? { ...read, ...holding(list.id, own.order?.key === key ? own.cursor : undefined, read) }
      : lingering(list, own, read, removed);
    // An empty list has no row under the cursor, so new rows are shown at once.
    const isWhole = !rested.isSifting && !rested.isSorting;
    const isEmpty = rested.ids.length === 0 && rested.waiting > 0 && own.moving === undefined && isWhole;
    const seen = isEmpty ? see({ ...look, loose: true }) : rested;
    // What is to begin at the top does once it is sorted: until then a person stays where they were.
    const from = (seen.isSorting && own.cursor === undefined && stood.get(list.id)) || {
      cursor: own.cursor,
      at: own.cursorAt,
      top: own.top,
    };
    const place = from.cursor === undefined ? undefined : seen.places.get(from.cursor);
    const at = Math.max(0, Math.min(place ?? from.at, seen.ids.length - 1));
    const cursor = seen.ids[at];
    const row = cursor === undefined ? undefined : seen.rows.get(cursor);
    const marked = markedOf(list, own.marks, seen);
    // A list that has no rows needs no preview of one.
    const isBare = known.value !== undefined && rows.length === 0;
    const room = geometry(state.size, isBare ? { lines: 0 } : previewWish(list, own));
    const opened = own.detail ? (seen.rows.get(own.detail.id) ?? undefined) : undefined;
    const whole = opened === undefined ? undefined : reads.whole(list, opened);
    const detail =
      list.detail && own.detail && opened !== undefined && whole
        ? detailOf(
            room,
            tabs(list.detail, opened, whole.value, contextOf(own.detail.subRowId), edition),
            own.detail,
            opened,
            whole,
          )
        : undefined;
    const top = windowTop(from.top, at, room.listRows, seen.ids.length);
    if (!seen.isSorting) stood.set(list.id, { at, top, cursor });
    const targets = detail ? [detail.row] : marked.length > 0 ? marked : row === undefined ? [] : [row];
    return {
      ...seen,
      screen,
      list,
      own,
      known,
      key,
      at,
      room,
      top,
      cursor,
      row,
      marked,
      targets,
      acting: actingOn(list, targets, detail?.subRowId, screens),
      blocks: list.board ? (reads.blocks?.(list) ?? []) : [],
      detail,
      counts: counter(list, rows, own.seen, context),
    };
  }
  /** Sorts some more rows of a list, or looks at some more for its filter; false when none are left. */
  const advance = (list: string): boolean => {
    const kept = memo.get(list);
    const isSorted = orders.advance(list);
    if (kept && isSorted) memo.set(list, { ...kept, on: [] });
    return isSorted === undefined ? (kept?.sift.advance() ?? false) : true;
  };
  return Object.assign(view, { advance });
}

/** Where the texts of rows that are still the same are kept, by the slots that they have now. */
function textsOf(
  { whole: { rows }, sift: { texts } }: Remembered,
  now: RowTable,
  idOf: (row: Row) => string,
): Uint32Array {
  if (now === rows && texts.length === now.slots.size) return texts;
  const kept = new Uint32Array(now.slots.size);
  if (texts.every((text) => text === 0)) return kept;
  const others = now.since(rows);
  if (others) {
    kept.set(texts);
    for (const slot of others) kept[slot] = 0;
    return kept;
  }
  for (const row of now.inOrder()) {
    const id = idOf(row);
    if (rows.get(id) === row) kept[now.slotOf(id) as number] = texts[rows.slotOf(id) as number] as number;
  }
  return kept;
}

/** The kept order with more rows, each behind the row that it follows where all are sorted. */
function withRows(kept: readonly string[], more: readonly string[], all: readonly string[]): readonly string[] {
  return more.reduce((ids, id) => {
    const known = new Set(ids);
    const before = all.slice(0, all.indexOf(id)).findLast((other) => known.has(other));
    return ids.toSpliced(before === undefined ? 0 : ids.indexOf(before) + 1, 0, id);
  }, kept);
}
