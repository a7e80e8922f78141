import { type AnyList, type Screen, shownColumns } from '../../describe/screen.ts';
import { present } from '../../lib/present-members.ts';
import type { Looks } from '../outside/last-look.ts';
import type { SavedList, SavedSession, SavedView } from '../outside/saved-session.ts';
import { type ListState, untouched } from '../rows/list-state.ts';
import type { State } from '../state/state.ts';

/** What to save of a state. */
export function savedSession(
  state: State,
  screens: readonly Screen[],
  looks: ReturnType<Looks['saved']>,
): SavedSession {
  const lists = screens.flatMap((screen) => screen.lists);
  return {
    place: { ...looks, screen: state.screen, tabs: state.tab, ...present({ lookedAt: state.lookedAt }) },
    lists: Object.fromEntries(
      lists.map((list) => [list.id, toSavedList(list, state.lists[list.id] ?? untouched(list))]),
    ),
    searches: state.searches,
    filters: state.filters,
    views: Object.fromEntries(state.views.map(({ name, ...view }) => [name, view])),
    drafts: state.drafts,
    ...present({ note: state.note }),
  };
}

/** The views with their names, in the order of saving. */
export const savedViews = ({ views }: Pick<SavedSession, 'views'>): readonly SavedView[] =>
  Object.entries(views)
    .map(([name, view]) => ({ name, ...view }))
    .toSorted((one, other) => one.at - other.at);

/** The state as it was saved. What no longer exists (a screen, a column, a range, a field of a search) is left out. */
export function resumed(state: State, screens: readonly Screen[], saved: SavedSession): State {
  const lists = screens.flatMap((screen) => screen.lists);
  const savedLists = lists.flatMap((list) => {
    const own = saved.lists[list.id];
    return own ? [[list.id, resumedList(list, own)] as const] : [];
  });
  const { place } = saved;
  const tabs = screens.flatMap((screen) => {
    const at = place?.tabs[screen.id] ?? 0;
    return at > 0 && at < screen.lists.length ? [[screen.id, at] as const] : [];
  });
  return {
    ...state,
    screen: screens.find((screen) => screen.id === place?.screen)?.id ?? state.screen,
    tab: Object.fromEntries(tabs),
    ...present({ lookedAt: place?.lookedAt }),
    searches: saved.searches,
    filters: saved.filters,
    views: savedViews(saved),
    drafts: saved.drafts,
    ...present({ note: saved.note }),
    lists: { ...state.lists, ...Object.fromEntries(savedLists) },
  };
}

/** What to save of a list. */
export function toSavedList(list: AnyList, listState: ListState): SavedList {
  const { asked, filter, sort, hscroll, preview, cursor, cursorAt } = listState;
  return present({
    search: list.search ? { ...asked.search } : undefined,
    range: list.ranges ? asked.range : undefined,
    filter: filter === '' ? undefined : filter,
    sort,
    hscroll: hscroll === 0 ? undefined : hscroll,
    preview,
    cursor,
    cursorAt: cursorAt === 0 ? undefined : cursorAt,
    watched: listState.watched && listState.watched.size > 0 ? Object.fromEntries(listState.watched) : undefined,
  });
}

/** A list as it was saved, with nothing marked or open. */
export function resumedList(list: AnyList, saved: SavedList): ListState {
  const fresh = untouched(list);
  const search = Object.fromEntries(
    Object.entries(fresh.asked.search).map(([name, initial]) => [name, saved.search?.[name] ?? initial]),
  );
  const { sort, range = '', filter = '', hscroll = 0, preview, cursor, cursorAt = 0 } = saved;
  const sorts = list.columnsOf !== undefined || list.columns.some(({ id, sort: by }) => id === sort?.by && by);
  return {
    ...fresh,
    asked: { search, range: list.ranges?.options.includes(range) ? range : fresh.asked.range },
    filter,
    ...(sort && sorts ? { sort } : {}),
    hscroll: list.columnsOf ? hscroll : Math.min(hscroll, shownColumns(list).length - 1),
    ...present({ preview, cursor, watched: saved.watched && new Map(Object.entries(saved.watched)) }),
    cursorAt,
  };
}
