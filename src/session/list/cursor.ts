import type { BoardLine } from '../../describe/board.ts';
import { leaving, pressAgain } from '../form/unsaved-work.ts';
import { windowTop } from '../rows/geometry.ts';
import type { ListState, Row, SeenRows } from '../rows/list-state.ts';
import type { ListMessage } from '../state/message.ts';
import type { Moment, Next } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { withOwn } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';
import { cameFrom } from './go-to-place.ts';

/** Rows for one move: the count typed while a range is chosen, else 1. */
export const moveCount = (own: ListState): number =>
  own.anchor !== undefined && own.count !== '' ? Math.max(1, Number(own.count)) : 1;

/** Moves the cursor to a place, scrolls to it, and marks the range up to it. */
export function moveTo(state: State, view: View, place: number): State {
  const cursorIndex = Math.max(0, Math.min(place, view.ids.length - 1));
  const id = view.ids[cursorIndex];
  const own = state.lists[view.list.id] as ListState;
  const marks = own.anchor === undefined ? own.marks : ranged(view, own, cursorIndex);
  const seen = id === undefined || !view.list.board ? own.seen : lineSeen(view, id);
  return withOwn(state, view.list, {
    cursor: id,
    cursorAt: cursorIndex,
    top: windowTop(view.top, cursorIndex, view.room.listRows, view.ids.length),
    marks,
    count: '',
    seen,
  });
}

/** The marks, and those of the range: of its rows only what was shown when it was begun, so that no row is marked unseen. */
function ranged({ ids, places }: View, { anchor = '', anchored = [], marks }: ListState, at: number) {
  const other = places.get(anchor) ?? at;
  const between = new Set(ids.slice(Math.min(other, at), Math.max(other, at) + 1));
  return marks.union(between.intersection(new Set(anchored)));
}

/** Orders the rows anew and shows the top, with the cursor on the first row. A range ends: its rows may stand apart now. */
export function fromTop(state: State, view: View, change: Partial<ListState> = {}): State {
  const top = { order: undefined, cursor: undefined, cursorAt: 0, top: 0, anchor: undefined, count: '' };
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
  if (listState.anchor !== undefined) return { state: withOwn(state, list, { anchor: undefined, count: '' }) };
  if (view.detail && listState.detail) return { state: withOwn(state, list, { detail: undefined }) };
  if (listState.marks.size > 0) return { state: withOwn(state, list, { marks: new Set() }) };
  if (listState.filter !== '') return { state: unfiltered(state, view) };
  return leaving(state, 0, pressAgain, world);
}
