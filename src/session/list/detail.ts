import { pageAnchor, pageTop } from '../../lib/detail-page.ts';
import { type DetailMatch, type DetailView, findMatches } from '../rows/detail-view.ts';
import type { Geometry } from '../rows/geometry.ts';
import type { OpenDetail } from '../rows/list-state.ts';
import type { State } from '../state/state.ts';
import { withOwn } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';

/** Moves through the open tab: the cursor of its rows, or the page by lines. */
export function moveDetail(state: State, view: View, by: number): State {
  const { detail, list } = view;
  if (!detail) return state;
  if (detail.tab.kind === 'rows')
    return withOwn(state, list, { detail: atRow(detail.open, detail, detail.subRowAt + by) });
  return withOwn(state, list, { detail: atLine(view.room, detail.open, detail, detail.top + by) });
}

function atRow(open: OpenDetail, { tab }: DetailView, place: number): OpenDetail {
  const rows = tab.kind === 'rows' ? tab.rows : [];
  const at = Math.max(0, Math.min(rows.length - 1, place));
  return { ...open, subRowId: rows[at]?.id, top: at, section: undefined };
}

/** A place is kept from the beginning of its section, so that what is read stays where it is when lines above it change. */
function atLine({ detailRows }: Geometry, open: OpenDetail, { page }: DetailView, line: number): OpenDetail {
  if (!page) return open;
  return { ...open, section: undefined, ...pageAnchor(page, pageTop(page, { top: line }, detailRows)) };
}

/** Turns to the next tab; wraps at the ends. A search goes on in it. */
export function turnTab(state: State, { list, detail }: View, by: number): State {
  if (!detail) return state;
  const { id, find } = detail.open;
  const tab = (detail.tabAt + by + detail.tabs.length) % detail.tabs.length;
  return withOwn(state, list, { detail: { id, tab, top: 0, ...(find ? { find: { ...find, at: -1 } } : {}) } });
}

/** The id of the row before or after that of the open detail; undefined at the ends. */
export const itemBeside = ({ ids, places, listState }: View, by: 1 | -1): string | undefined => {
  const at = listState.detail && places.get(listState.detail.id);
  return at === undefined ? undefined : ids[at + by];
};

/** Opens the detail of the row beside, on the same tab at the same section. */
export function toItem(state: State, view: View, by: 1 | -1): State {
  const { list, listState, cursorAt: cursorIndex } = view;
  const id = itemBeside(view, by);
  if (!listState.detail || id === undefined) return state;
  const { subRowId: _, find, ...open } = listState.detail;
  const detail = { ...open, id, ...(find ? { find: { ...find, at: -1 } } : {}) };
  // Back leads from this row, too, to where the first one was opened from.
  const from = state.from?.row === listState.detail.id ? { ...state.from, row: id } : state.from;
  return withOwn({ ...state, from }, list, { detail, cursor: id, cursorAt: cursorIndex + by });
}

/** Goes to the next or previous match; wraps at the ends. */
export function toMatch(state: State, view: View, by: 1 | -1): State {
  const { list, detail, room } = view;
  if (!detail || detail.found.length === 0) return state;
  const { found, foundAt, tab } = detail;
  const here = tab.kind === 'rows' ? detail.subRowAt : detail.top;
  const at = foundAt >= 0 ? (foundAt + by + found.length) % found.length : nearest(found, here, by);
  return withOwn(state, list, { detail: atMatch(room, detail.open, detail, found, at) });
}

/** The match to begin with, from this line or row on; the last one before it when going back. */
function nearest(found: readonly DetailMatch[], here: number, by: 1 | -1): number {
  if (by > 0)
    return Math.max(
      0,
      found.findIndex(({ line }) => line >= here),
    );
  const before = found.findLastIndex(({ line }) => line < here);
  return before < 0 ? found.length - 1 : before;
}

function atMatch(
  room: Geometry,
  open: OpenDetail,
  detail: DetailView,
  found: readonly DetailMatch[],
  at: number,
): OpenDetail {
  const { detailRows } = room;
  const line = found[at]?.line;
  const now: OpenDetail = { ...open, find: { text: open.find?.text ?? '', at } };
  if (line === undefined) return now;
  if (detail.tab.kind === 'rows') return atRow(now, detail, line);
  const top = detail.page ? pageTop(detail.page, open, detailRows) : 0;
  // What is in sight does not move; else the match gets lines above it.
  if (line >= top && line < top + detailRows) return now;
  return atLine(room, now, detail, line - Math.floor(detailRows / 3));
}

/** The search while it is typed: at the first match from the place where it began; an empty text ends it. */
export function search(state: State, view: View, from: OpenDetail, text: string): State {
  const { list, detail, room } = view;
  const { find: _, ...rest } = from;
  if (text === '') return withOwn(state, list, { detail: rest });
  const open: OpenDetail = { ...rest, find: { text, at: -1 } };
  if (!detail) return withOwn(state, list, { detail: open });
  const found = findMatches(detail, text);
  const here = detail.page
    ? pageTop(detail.page, from, room.detailRows)
    : Math.max(0, detail.tab.kind === 'rows' ? detail.tab.rows.findIndex(({ id }) => id === from.subRowId) : 0);
  const at = found.length === 0 ? -1 : nearest(found, here, 1);
  return withOwn(state, list, { detail: atMatch(room, open, detail, found, at) });
}
