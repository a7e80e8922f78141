import type { RowPlace } from '../../describe/derived.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import { untouched } from '../rows/list-state.ts';
import type { State } from '../state/state.ts';
import { asking, openJournal, withOwn } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';

/** Goes to a row or a list of any screen; `back` leads to where it was left from. */
export function goTo(state: State, place: RowPlace, screens: readonly Screen[]): State {
  if (place.list === undefined) return openJournal(state).state;
  const screen = screens.find(({ lists }) => lists.some(({ id }) => id === place.list));
  const list = screen?.lists.find(({ id }) => id === place.list);
  if (!screen || !list) return state;
  const { row, filter = '' } = place;
  const next = {
    ...state,
    screen: screen.id,
    tab: { ...state.tab, [screen.id]: screen.lists.indexOf(list) },
    flash: undefined,
    from: { screen: state.screen, tab: state.tab[state.screen] ?? 0, list: list.id, row, filter },
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
  from !== undefined && next === undefined && screen === from.screen;

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
  const closed = withOwn(state, view.list, { filter: '', detail: undefined });
  return { ...closed, screen: from.screen, tab: { ...closed.tab, [from.screen]: from.tab }, from: undefined };
}
