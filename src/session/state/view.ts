import type { CacheEntry } from '../../cache/cache.ts';
import type { BlockNow } from '../../describe/board.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Rows } from '../../describe/source.ts';
import { areAlike } from '../../lib/alike.ts';
import { type Acting, actingOn } from '../rows/acting-rows.ts';
import { createColumnsReader } from '../rows/columns-of-rows.ts';
import { countListed, createCounter, type ListCounts, type Listed } from '../rows/counts.ts';
import { createTabs, type DetailView, openDetail } from '../rows/detail-view.ts';
import { matcher } from '../rows/filter.ts';
import { type Geometry, geometry, windowTop } from '../rows/geometry.ts';
import { createHeldLine } from '../rows/held-line.ts';
import { type ListState, type Order, previewWish, type Row } from '../rows/list-state.ts';
import { sorted } from '../rows/row-order.ts';
import { createRowTexts } from '../rows/row-texts.ts';
import { type RowsById, rowsById } from '../rows/rows-by-id.ts';
import { front, type State } from './state.ts';

/** The list as a person sees it: filtered and in its kept order. */
export interface VisibleList {
  readonly ids: readonly string[];
  /** Place of each id in `ids`. */
  readonly places: ReadonlyMap<string, number>;
  readonly rows: RowsById;
  readonly total: number;
  /** Number of rows that came after the order was made; they are not shown yet. */
  readonly waiting: number;
  /** Id of a row that the last read no longer has; it stays while the cursor is on it. */
  readonly gone?: string;
  /** The order of `ids` before filtering; the engine keeps it in the state. */
  readonly order: Order;
}

export interface View extends VisibleList {
  readonly screen: Screen;
  /** The list in front, with the columns of its rows. */
  readonly list: AnyList;
  readonly own: ListState;
  readonly known: CacheEntry<Rows<Row>>;
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
  /** The targets as actions take them: of a derived list, the rows of other lists. */
  readonly acting: Acting;
  /** The blocks of a board; none where the list is a table. */
  readonly blocks: readonly BlockNow[];
  readonly detail: DetailView | undefined;
  /** All rows as last read, counted; also those that a filter hides and those that wait. */
  readonly counts: ListCounts;
  /** What the filter leaves, counted; undefined without one. */
  readonly listed: Listed | undefined;
}

/** The reads that a view is made from; passed in, so that making it stays pure. */
export interface Reads {
  rows(
    list: AnyList,
    own: ListState,
  ): {
    readonly key: string;
    readonly known: CacheEntry<Rows<Row>>;
    readonly rows: readonly Row[];
    /** Ids of rows that our edits deleted. */
    readonly removed: ReadonlySet<string>;
  };
  whole(list: AnyList, row: Row): CacheEntry<unknown>;
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
  readonly filter: string;
  readonly seen: VisibleList;
}

type Whole = Omit<VisibleList, 'places'>;

/** Makes views. The last one of each list is memoized: moving the cursor costs the same for any number of rows. */
export function createViewer(counter = createCounter(), texts = createRowTexts()) {
  const memo = new Map<string, Remembered>();
  const held = new Map<string, { readonly id: string; readonly row: Row; readonly filter: string }>();
  const inColumns = createColumnsReader();
  const late = new Map<string, { readonly of: VisibleList; readonly id: string; readonly seen: VisibleList }>();
  const holding = createHeldLine();
  const tabs = createTabs();
  const marked = new Map<
    string,
    { readonly marks: ReadonlySet<string>; readonly of: VisibleList; readonly rows: readonly Row[] }
  >();

  const counted = new Map<string, { readonly counts: ListCounts; readonly of: VisibleList; readonly listed: Listed }>();

  const see = (look: Look): VisibleList => {
    const { list, own, key, rows, context, loose } = look;
    const { filter } = own;
    const sort = own.sort ?? list.sorted;
    const on = [rows, own.order, own.moving, own.made, sort?.by, sort?.down, key, loose];
    const before = memo.get(list.id);
    const content = before && areAlike(before.on, on) ? before.whole : wholeOf(look);
    if (before?.whole === content && before.filter === filter) return before.seen;
    const isSame = before?.whole.ids === content.ids && before.whole.rows === content.rows && before.filter === filter;
    const { ids, places } = isSame ? before.seen : placed(filtered(list, content, filter, context));
    const seen = { ...content, ids, places };
    memo.set(list.id, { on, whole: content, filter, seen });
    return seen;
  };

  /** The ids that a filter leaves; the same array where it leaves all. */
  const filtered = (list: AnyList, { ids, rows }: Whole, filter: string, context: Context): readonly string[] => {
    const test = matcher(filter);
    const found = test ? ids.filter((id) => test(texts(list, rows.get(id), context))) : ids;
    return found.length === ids.length ? ids : found;
  };

  /** The marked rows that are shown, in their order; kept while both are the same, for the rows may be many. */
  const markedOf = ({ id }: AnyList, marks: ReadonlySet<string>, seen: VisibleList): readonly Row[] => {
    if (marks.size === 0) return [];
    const before = marked.get(id);
    if (before?.marks === marks && before.of === seen) return before.rows;
    const rows = seen.ids.flatMap((id) => (marks.has(id) ? [seen.rows.get(id)] : []));
    marked.set(id, { marks, of: seen, rows });
    return rows;
  };

  const listed = (list: AnyList, counts: ListCounts, seen: VisibleList, context: Context): Listed => {
    const before = counted.get(list.id);
    if (before?.counts === counts && before.of === seen) return before.listed;
    const now = countListed(list, counts, seen.ids, seen.rows, context);
    counted.set(list.id, { counts, of: seen, listed: now });
    return now;
  };

  /** The rows of a list in their order, without a filter. */
  const wholeOf = ({ list, own: listState, key, rows, context, loose }: Look): Whole => {
    const byId = rowsById(list, rows);
    const sort = listState.sort ?? list.sorted;
    const anew = () => sorted(list, [...byId.values()], sort, context);
    const resting = listState.order && listState.order.key === key && !loose ? listState.order : undefined;
    const made = listState.made?.filter((id) => byId.has(id) && resting?.ids.includes(id) === false) ?? [];
    const order =
      resting && made.length === 0 ? resting : { key, ids: resting ? withRows(resting.ids, made, anew()) : anew() };
    const all = listState.moving ?? order.ids;
    const present = all.filter((id) => byId.has(id));
    const ids = present.length === all.length ? all : present;
    return { ids, rows: byId, total: byId.size, waiting: byId.size - ids.length, order };
  };

  /**
   * Keeps the row under the cursor in view after a poll no longer has it, or has it so that the filter no longer does,
   * until the cursor moves: otherwise the next key would act on another row. A row that we deleted leaves at once.
   */
  const lingering = (
    list: AnyList,
    listState: ListState,
    seen: VisibleList,
    removed: ReadonlySet<string>,
  ): VisibleList => {
    const { cursor } = listState;
    if (cursor === undefined) return seen;
    if (seen.places.has(cursor)) {
      held.set(list.id, { id: cursor, row: seen.rows.get(cursor), filter: listState.filter });
      return seen;
    }
    const keptLine = held.get(list.id);
    if (keptLine?.id !== cursor || keptLine.filter !== listState.filter || removed.has(cursor)) return seen;
    const place = seen.order.ids.indexOf(cursor);
    if (place < 0) return seen;
    const known = late.get(list.id);
    if (known?.of === seen && known.id === cursor) return known.seen;
    const before = new Set(seen.order.ids.slice(0, place));
    const at = seen.ids.filter((id) => before.has(id)).length;
    const ids = [...seen.ids.slice(0, at), cursor, ...seen.ids.slice(at)];
    const more: VisibleList = {
      ...seen,
      ids,
      places: placed(ids).places,
      rows: seen.rows.has(cursor) ? seen.rows : new Map(seen.rows).set(cursor, keptLine.row),
      total: seen.rows.has(cursor) ? seen.total : seen.total + 1,
      gone: cursor,
    };
    late.set(list.id, { of: seen, id: cursor, seen: more });
    return more;
  };

  return function view(
    state: State,
    screens: readonly Screen[],
    reads: Reads,
    contextOf: (subRowId?: string) => Context,
    edition: object = {},
  ): View {
    const { screen, list: described } = front(state, screens);
    const listState = state.lists[described.id] as ListState;
    const { key, known: entry, rows, removed } = reads.rows(described, listState);
    const list = inColumns(described, rows);
    const context = contextOf();
    const look = { list, own: listState, key, rows, context };
    const read = see({ ...look, loose: entry.partial || list.board !== undefined });
    const rested = list.board
      ? { ...read, ...holding(list.id, listState.order?.key === key ? listState.cursor : undefined, read) }
      : lingering(list, listState, read, removed);
    // An empty list has no row under the cursor, so new rows are shown at once.
    const isEmpty = rested.ids.length === 0 && rested.waiting > 0 && listState.moving === undefined;
    const seen = isEmpty ? see({ ...look, loose: true }) : rested;
    const place = listState.cursor === undefined ? undefined : seen.places.get(listState.cursor);
    const index = Math.max(0, Math.min(place ?? listState.cursorAt, seen.ids.length - 1));
    const cursor = seen.ids[index];
    const row = cursor === undefined ? undefined : seen.rows.get(cursor);
    const marked = markedOf(list, listState.marks, seen);
    const counts = counter(list, rows, listState.seen, context);
    // A list that has no rows needs no preview of one.
    const isBare = entry.value !== undefined && rows.length === 0;
    const room = geometry(state.size, isBare ? { lines: 0 } : previewWish(list, listState));
    const opened = listState.detail ? (seen.rows.get(listState.detail.id) ?? undefined) : undefined;
    const content = opened === undefined ? undefined : reads.whole(list, opened);
    const detail =
      list.detail && listState.detail && opened !== undefined && content
        ? openDetail(
            room,
            tabs(list.detail, opened, content.value, contextOf(listState.detail.subRowId), edition),
            listState.detail,
            opened,
            content,
          )
        : undefined;
    const top = windowTop(listState.top, index, room.listRows, seen.ids.length);
    const targets = detail ? [detail.row] : marked.length > 0 ? marked : row === undefined ? [] : [row];
    return {
      ...seen,
      screen,
      list,
      own: listState,
      known: entry,
      key,
      at: index,
      room,
      top,
      cursor,
      row,
      marked,
      targets,
      acting: actingOn(list, targets, detail?.subRowId, screens),
      blocks: list.board ? (reads.blocks?.(list) ?? []) : [],
      detail,
      counts,
      listed: listState.filter === '' ? undefined : listed(list, counts, seen, context),
    };
  };
}

/** Ids, and the place of each. */
const placed = (ids: readonly string[]) => ({ ids, places: new Map(ids.map((id, at) => [id, at])) });

/** The kept order with more rows, each behind the row that it follows where all are sorted. */
function withRows(keptLine: readonly string[], more: readonly string[], all: readonly string[]): readonly string[] {
  return more.reduce((ids, id) => {
    const known = new Set(ids);
    const before = all.slice(0, all.indexOf(id)).findLast((other) => known.has(other));
    return ids.toSpliced(before === undefined ? 0 : ids.indexOf(before) + 1, 0, id);
  }, keptLine);
}
