import type { RowPlace } from '../../describe/derived.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import { type ListState, untouched } from '../rows/list-state.ts';
import { front, type State } from '../state/state.ts';
import { asking, openTimeline, withOwn } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';

/** Goes to a row or a list of any screen; `back` leads to where it was left from, with the layers that were open. */
export function goTo(state: State, place: RowPlace, screens: readonly Screen[]): State {
  if (place.list === undefined) return openTimeline(state, 'edits').state;
  const screen = screens.find(({ lists }) => lists.some(({ id }) => id === place.list));
  const list = screen?.lists.find(({ id }) => id === place.list);
  if (!screen || !list) return state;
  const { row, filter = '' } = place;
  const left = { list: front(state, screens).list.id, lists: state.lists };
  const next = {
    ...state,
    screen: screen.id,
    tab: { ...state.tab, [screen.id]: screen.lists.indexOf(list) },
    flash: undefined,
    layers: [],
    from: {
      ...{ screen: state.screen, tab: state.tab[state.screen] ?? 0, list: list.id, row, filter },
      ...{ left, from: state.from, layers: state.layers },
    },
  };
  const asked = withPlaceSearch(next, list, place);
  return withOwn(asked, list, {
    filter,
    marks: new Set(),
    anchor: undefined,
    ...(row === undefined
      ? { detail: undefined }
      : { cursor: row, detail: list.detail ? { id: row, tab: 0, top: 0 } : undefined }),
  });
}

/** The list asked what the place asks: the initial search and range, with those of the place over them. */
function withPlaceSearch(state: State, list: AnyList, { search, range }: RowPlace): State {
  const own = state.lists[list.id];
  const initial = untouched(list).asked;
  const asked = { search: { ...initial.search, ...search }, range: range ?? initial.range };
  const isSame = JSON.stringify(own?.asked) === JSON.stringify(asked);
  return isSame ? state : asking(state, list, asked);
}

/** Whether a step led back to where the list in front was opened from. */
export const hasGoneBack = ({ from }: State, { screen, from: next }: State): boolean =>
  from !== undefined && next === from.from && screen === from.screen;

/** The state one step back, where the list in front was opened from another screen and is as it was opened. */
export function cameFrom(state: State, view: View): State | undefined {
  const { from } = state;
  if (!from || from.list !== view.list.id || view.listState.marks.size > 0 || view.listState.anchor !== undefined)
    return undefined;
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
