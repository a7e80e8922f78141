import type { Context } from '../../describe/context.ts';
import type { BoardLine, NamedLink, RowPlace } from '../../describe/derived.ts';
import type { NewOrder } from '../../describe/order-action.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import { areAlike } from '../../lib/function-results.ts';
import type { Clock } from '../../lib/time.ts';
import { quitOrWarn } from '../form/quitting.ts';
import type { Key } from '../keyboard/keyboard.ts';
import { windowTop } from '../rows/geometry.ts';
import { type ListState, type Row, type RowRange, type SeenRows, sorted, untouched } from '../rows/list-state.ts';
import type { ListMessage, Message } from '../state/message.ts';
import type { Moment, Next } from '../state/moment.ts';
import { front, type Layer, type State } from '../state/state.ts';
import { asking, flash, openTimeline, withLayers, withOwn } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';
import { digitMenu } from './menus.ts';

/** Goes to a row or a list of any screen; `back` leads to where it was left from, with the layers that were open. */
export function goTo(state: State, place: RowPlace, screens: readonly Screen[]): Next {
  if (place.list === undefined) return openTimeline(state, 'edits');
  const screen = screens.find(({ lists }) => lists.some(({ id }) => id === place.list));
  const list = screen?.lists.find(({ id }) => id === place.list);
  if (!screen || !list) return { state };
  const { row, filter = '' } = place;
  const left = { list: front(state, screens).list.id, lists: state.lists };
  const next = {
    ...withLayers(state, []),
    screen: screen.id,
    tab: { ...state.tab, [screen.id]: screen.lists.indexOf(list) },
    flash: undefined,
    from: {
      ...{ screen: state.screen, tab: state.tab[state.screen] ?? 0, list: list.id, row, filter },
      ...{ left, from: state.from, layers: state.layers.filter(({ kind }) => kind !== 'secret') },
    },
  };
  const asked = withPlaceSearch(next, list, place);
  const opened = withOwn(asked, list, {
    filter,
    marks: new Set(),
    rowRange: undefined,
    ...(row === undefined
      ? { detail: undefined }
      : { cursor: row, detail: list.detail ? { id: row, tab: 0, top: 0 } : undefined }),
  });
  return { state: opened };
}

/** The list asked what the place asks: the initial search and range, with those of the place over them. */
function withPlaceSearch(state: State, list: AnyList, { search, range }: RowPlace): State {
  const initial = untouched(list).asked;
  return asking(state, list, { search: { ...initial.search, ...search }, range: range ?? initial.range });
}

/** Whether a step led back to where the list in front was opened from. */
export const hasGoneBack = ({ from }: State, { screen, from: next }: State): boolean =>
  from !== undefined && next === from.from && screen === from.screen;

/** The state one step back, where the list in front was opened from another screen and is as it was opened. */
export function cameFrom(state: State, view: View): State | undefined {
  const { from } = state;
  if (!from || from.list !== view.list.id || view.listState.marks.size > 0 || view.listState.rowRange) return undefined;
  const isAsOpened = view.detail
    ? view.listState.detail?.id === from.row
    : view.listState.filter === from.filter && !from.row;
  // The row that was opened may be gone: then the list is all there is to leave.
  const isWithoutRow = !view.detail && from.row !== undefined && view.listState.filter === '';
  if (!isAsOpened && !isWithoutRow) return undefined;
  const { list: leftId = '', lists: before = {} } = from.left ?? {};
  const opened = before[view.list.id];
  const isAskedOther = opened !== undefined && opened.asked !== view.listState.asked;
  const closed = withOwn(state, view.list, { ...(isAskedOther && placeIn(opened)), filter: '', detail: undefined });
  const lists = { ...closed.lists };
  const [was, now] = [before[leftId], lists[leftId]];
  if (was && now) lists[leftId] = { ...now, ...placeIn(was), order: now.asked === was.asked ? now.order : undefined };
  const tab = { ...closed.tab, [from.screen]: from.tab };
  const { layers = [] } = from;
  return { ...closed, lists, layers, screen: from.screen, tab, from: from.from };
}

/** What a list was asked for, and where a person was in it. */
const placeIn = ({ asked, filter, cursor, cursorAt, top, detail }: ListState) => ({
  ...{ asked, filter, cursor, cursorAt, top, detail },
  order: undefined,
});

/** Rows for one move: the count typed while a range is chosen, else 1. */
export const moveCount = ({ rowRange }: ListState): number => Math.max(1, Number(rowRange?.count ?? 1));

/** Moves the cursor to a place, scrolls to it, and marks the range up to it. Where there are no rows, it stays on its own for later. */
export function moveTo(state: State, view: View, place: number): State {
  const cursorIndex = Math.max(0, Math.min(place, view.ids.length - 1));
  const id = view.ids[cursorIndex];
  if (id === undefined) return state;
  const { rowRange, marks, seen } = state.lists[view.list.id] as ListState;
  return withOwn(state, view.list, {
    cursor: id,
    cursorAt: cursorIndex,
    top: windowTop(view.top, cursorIndex, view.room.listRows, view.ids.length),
    marks: rowRange ? ranged(view, rowRange, marks, cursorIndex) : marks,
    rowRange: rowRange && { ...rowRange, count: '' },
    seen: view.list.board ? lineSeen(view, id) : seen,
  });
}

/** The marks, and those of the range: of its rows only what was shown when it was begun, so that no row is marked unseen. */
function ranged({ ids, places }: View, { from, rows }: RowRange, marks: ListState['marks'], at: number) {
  const other = places.get(from) ?? at;
  const between = new Set(ids.slice(Math.min(other, at), Math.max(other, at) + 1));
  return marks.union(between.intersection(new Set(rows)));
}

/** Orders the rows anew and shows the top, with the cursor on the first row. A range ends: its rows may stand apart now. */
export function fromTop(state: State, view: View, change: Partial<ListState> = {}): State {
  const top = { order: undefined, cursor: undefined, cursorAt: 0, top: 0, rowRange: undefined };
  return withOwn(state, view.list, { ...top, ...change });
}

/** The list without a filter, with the cursor on the row that it is on. */
export function unfiltered(state: State, { list, listState, cursor = listState.cursor }: View): State {
  return withOwn(state, list, { filter: '', cursor });
}

/**
 * What the engine has to keep of the view after a step: an order where there is none, and the row that the cursor is
 * drawn on where the state still names another one, or polls would move it. Undefined where all is kept.
 */
export function resting({ layers }: State, view: View): ListMessage | undefined {
  const { list, listState, read, key, order, cursor, cursorAt: cursorIndex } = view;
  if (!read.value || read.partial) return undefined;
  // An order of another key waits for the next read.
  if (listState.order === undefined || (listState.order.key === key && listState.order !== order))
    return { type: 'sortDone', list: list.id, order };
  // While a filter is typed, the row from before comes back with each letter that is taken out again.
  if (cursor === undefined || cursor === listState.cursor || layers.at(-1)?.kind === 'filter') return undefined;
  // The row that an edit made has not been read yet.
  if (listState.cursor !== undefined && listState.made?.includes(listState.cursor)) return undefined;
  return { type: 'cursorPlaced', list: list.id, cursor, at: cursorIndex };
}

/** The order to keep of a list that has been read; undefined where it is kept. */
export function arrangement({ list, listState, read, order }: View): ListMessage | undefined {
  const isRead = read.value && !read.partial && (list.derived !== undefined || !read.asking);
  return isRead && listState.order !== order ? { type: 'sortDone', list: list.id, order, byItself: true } : undefined;
}

/** These rows as they are now, as what a person saw of them. */
export const seenNow = ({ counts: { labels } }: Pick<View, 'counts'>, ids: readonly string[]): SeenRows =>
  new Map(ids.map((id) => [id, labels.get(id) ?? '']));

/** What was seen of a board, and this line with it. */
const lineSeen = ({ listState, rows }: View, id: string): SeenRows =>
  new Map(listState.seen).set(id, boardLineStart(rows.get(id)));

/** What is remembered of a line of a board that was seen: since when it says so, for it may begin again. */
export const boardLineStart = (line: Row): string => String((line as BoardLine | undefined)?.since ?? '');

/** Marks all of a board that began before `now` as seen. */
export function look(state: State, { list, listState }: View, now: number): State {
  if (!list.board || listState.order === undefined) return state;
  return withOwn({ ...state, lookedAt: now }, list, { seen: new Map() });
}

export function back(state: State, world: Moment): Next {
  const { view } = world;
  const { listState, list } = view;
  if (view.detail && listState.detail?.find) {
    const { find: _, ...detail } = listState.detail;
    return { state: withOwn(state, list, { detail }) };
  }
  const before = cameFrom(state, view);
  if (before) return { state: before };
  if (listState.moving !== undefined && !view.detail) return { state: withOwn(state, list, { moving: undefined }) };
  if (listState.rowRange) return { state: withOwn(state, list, { rowRange: undefined }) };
  if (view.detail) return { state: withOwn(state, list, { detail: undefined }) };
  if (listState.marks.size > 0) return { state: withOwn(state, list, { marks: new Set() }) };
  if (listState.filter !== '') return { state: unfiltered(state, view) };
  return quitOrWarn(state, 0, world);
}

const webPage = 'Web page';

/** The rows that are acted on; that of a detail as it was read whole. */
export function actingWhole({ acting, detail, list }: View): readonly Row[] {
  const { inside } = list.detail ?? {};
  if (acting.list !== list || !inside || detail?.whole.value === undefined) return acting.rows;
  return [inside.get(detail.whole.value)];
}

/** Addresses of the row: its runbooks, those that its board names, and its page. Each once. */
export function rowLinks(view: View, context: Context): readonly NamedLink[] {
  const { list } = view.acting;
  const [row] = actingWhole(view);
  const own = row === undefined ? [] : (list.runbooks?.(row, context) ?? []);
  const page = row === undefined ? undefined : list.link?.(row, context);
  const runbooks = [...own, ...view.blocks.flatMap((block) => block.runbooks ?? [])].map(({ name, url }) => ({
    name: `Runbook ${name}`.trim(),
    url,
  }));
  const all = page === undefined ? runbooks : [...runbooks, { name: webPage, url: page }];
  return all.filter(({ url }, at) => all.findIndex((one) => one.url === url) === at);
}

/** The addresses to choose from where there is a browser, else to read and copy: one alone, several below their names. */
export const linksLayer = (links: readonly NamedLink[], { browses }: Pick<Context, 'browses'>): Layer =>
  browses ? openMenu(links) : linksText(links);

const openMenu = (links: readonly NamedLink[]): Layer =>
  digitMenu(
    'Open in the browser',
    links.map(({ name, url }) => ({ id: url, label: name, hint: url, run: { type: 'openLink', name, url } })),
  );

const linksText = (links: readonly NamedLink[]): Layer => ({
  kind: 'text',
  title: links.length > 1 ? 'Links' : links[0]?.name === webPage ? 'Link' : (links[0]?.name ?? ''),
  lines: links.length === 1 ? links.map(({ url }) => url) : links.flatMap(({ name, url }) => [name, url, '']),
  top: 0,
});

/** The order to save: ids before and after, and the rows' names. */
export function newOrder(view: View, after: readonly string[]): NewOrder {
  const { list, rows, order } = view;
  const names = after.map((id): [string, string] => [id, rows.has(id) ? list.nameOf(rows.get(id)) : id]);
  return { before: order.ids, after, names: Object.fromEntries(names) };
}

/** Moves the row under the cursor, in an order that is local until it is saved. */
export function shifted(state: State, view: View, by: number, context: Context): Next {
  const { list, listState, cursor, row } = view;
  if (!list.order || cursor === undefined || row === undefined) return { state };
  const may = list.order.may?.(row) ?? true;
  if (may !== true) return { state: flash(state, may, 'warn', context.now) };
  const sort = listState.sort ?? list.sorted;
  if (listState.filter !== '' || sort?.by !== list.order.column || sort.down) {
    const sorted = withOwn(state, list, {
      filter: '',
      sort: { by: list.order.column, down: false },
      order: undefined,
      cursor,
    });
    return { state: flash(sorted, 'Now sorted by position: press again to move', 'info', context.now) };
  }
  const ids = [...(listState.moving ?? view.order.ids)];
  const at = ids.indexOf(cursor);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return { state };
  [ids[at], ids[to]] = [ids[to] as string, ids[at] as string];
  return { state: withOwn(state, list, { moving: ids, cursor, cursorAt: to }) };
}

/** A list may be sorted by itself this many milliseconds after the last key. */
export const quietMs = 20_000;

/** Whether a person is in the middle of something that other places of the rows would spoil. */
export const isAtWork = ({ detail, moving, rowRange, marks }: ListState): boolean =>
  detail !== undefined || moving !== undefined || rowRange !== undefined || marks.size > 0;

/** Whether rows keep their places though a poll would sort them otherwise; a key that is ahead is from before the clock was set back. */
export function keepsPlaces({ layers }: Pick<State, 'layers'>, own: ListState, sinceKeyMs: number): boolean {
  const isQuiet = sinceKeyMs < 0 || sinceKeyMs >= quietMs;
  return !isQuiet || layers.length > 0 || isAtWork(own);
}

/** The list sorted as it would be now; undefined where its rows stand so already. */
export function resorted(view: View, context: Context): ListMessage | undefined {
  const { list, listState, order, rows, key, counts } = view;
  const sort = listState.sort ?? list.sorted;
  // One that the last read no longer has may still stand under the cursor.
  const read = [...rows].flatMap(([id, row]) => (counts.labels.has(id) ? [row] : []));
  const ids = sorted(list, read, sort, context);
  return areAlike(ids, order.ids)
    ? undefined
    : { type: 'sortDone', list: list.id, order: { key, ids }, byItself: true };
}

/** The first row to draw after a sort: the one before, unless the cursor would leave the window; then as little further as shows it. */
export function topAfterSort(top: number, cursorAt: number, height: number, count: number): number {
  const last = Math.max(0, count - height);
  return Math.min(last, Math.max(cursorAt - height + 1, Math.min(top, cursorAt)));
}

/** Milliseconds after the frame of a sort by itself in which a move and an action in one read are refused. */
export const guardMs = 600;

const moveMessages: ReadonlySet<Message['type']> = new Set<Message['type']>([
  'moveCursor',
  'movePage',
  'moveToEnd',
  'moveBlock',
]);

/**
 * After a list was sorted by itself: an action is still for the row under the cursor, which is the same one, but what is one row
 * further may be another than its person has seen.
 */
export function createSortGuard(clock: Clock) {
  const held = {
    undrawn: undefined as object | undefined,
    drawnAt: Number.NEGATIVE_INFINITY,
    isLost: false,
    hasMoved: false,
  };
  const isOn = () => held.undrawn !== undefined || Math.abs(clock.now() - held.drawnAt) < guardMs;
  return {
    /** The list was sorted; `isLost`: another row is under the cursor, for its own has gone. */
    sorted(isLost: boolean) {
      Object.assign(held, { undrawn: {}, isLost, hasMoved: false });
    },
    undrawn: () => held.undrawn,
    /** The terminal has taken the frame of the sort. */
    shown(undrawn: object) {
      if (undrawn === held.undrawn) Object.assign(held, { undrawn: undefined, drawnAt: clock.now() });
    },
    isOn,
    /** Why this key does not count; undefined where it does. `acts`: it is for the rows in front. */
    refusal(key: Key, run: Message['type'], acts: boolean): string | undefined {
      if (moveMessages.has(run) || key.alone) held.hasMoved = !key.alone;
      return acts && isOn() && (held.hasMoved || held.isLost) ? 'Rows were just sorted, press again' : undefined;
    },
  };
}
