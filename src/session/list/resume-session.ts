import * as v from 'valibot';
import type { CacheEntry } from '../../cache/cache.ts';
import type { Rows, SeenStates } from '../../describe/context.ts';
import { type AnyList, type Screen, shownColumns } from '../../describe/screen.ts';
import { attemptOr } from '../../lib/function-results.ts';
import type { Clock } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import { mostSkipped } from '../../scene/list-lines.ts';
import type { SavedList, SavedSession, SavedView, Snapshot } from '../outside/saved-session.ts';
import { type ListState, type Row, rowsById, untouched } from '../rows/list-state.ts';
import type { State } from '../state/state.ts';

/** What to save of a state. */
export function savedSession(state: State, screens: readonly Screen[], looks: Keys): SavedSession {
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
    return at < screen.lists.length ? [[screen.id, at] as const] : [];
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
    hscroll: list.columnsOf ? hscroll : Math.min(hscroll, mostSkipped(shownColumns(list))),
    ...present({ preview, cursor, watched: saved.watched && new Map(Object.entries(saved.watched)) }),
    cursorAt,
  };
}

/** Rows kept of each list, the first ones in its order: a screen of any height is full, and the file stays small. */
const mostRows = 300;

/** The rows of all lists that may be kept, as they were last read whole. */
export function toSnapshot(
  state: State,
  screens: readonly Screen[],
  read: (list: AnyList, own: ListState) => { readonly key: string; readonly known: CacheEntry<Rows<Row>> },
  shown: {
    seen(listId: string): SeenStates;
    courses(listId: string): Snapshot[number]['courses'];
  },
): Snapshot {
  const numbersOf = ({ id, derived }: AnyList): Snapshot => {
    const courses = derived && shown.courses(id);
    return courses ? [{ list: id, key: '', at: 0, rows: [], courses }] : [];
  };
  const rowsOf = (list: AnyList): Snapshot => {
    const listState = state.lists[list.id];
    if (!list.kept || !listState) return [];
    const { key, known: entry } = read(list, listState);
    if (!entry.value || entry.at === undefined || entry.partial) return [];
    // An earlier run may not have kept all rows.
    const { rows, notes, total = rows.length } = entry.value;
    const kept = firstRows(rows, list.idOf, listState.order?.ids ?? []);
    const seen = list.tracks && shown.seen(list.id);
    return [{ list: list.id, key, at: entry.at, rows: kept, total, ...present({ notes, seen }) }];
  };
  return screens
    .flatMap(({ lists }) => lists)
    .flatMap((list) => attemptOr([], () => [...rowsOf(list), ...numbersOf(list)]));
}

/** The first rows in an order; rows that it does not have come last, as they came. */
export function firstRows(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  order: readonly string[],
  most = mostRows,
): readonly Row[] {
  const byId = rowsById({ idOf }, rows);
  const ids = new Set([...order.filter((id) => byId.has(id)), ...byId.keys()]);
  return [...ids].slice(0, most).map((id) => byId.get(id));
}

/** Puts the kept rows of lists that still exist into the cache; answers with how many do not fit, and are left out. */
export function seedFrom(
  snapshot: Snapshot,
  screens: readonly Screen[],
  seed: (key: string, value: Rows<Row>, at: number) => void,
): number {
  const schemas = new Map(screens.flatMap((screen) => screen.lists).map(({ id, kept }) => [id, kept]));
  const counts = snapshot.map(({ list, key, at, rows, notes, total = rows.length }) => {
    const schema = schemas.get(list);
    if (!schema) return 0;
    const fitting = rows.filter((row) => v.is(schema, row));
    seed(key, { rows: fitting, ...present({ notes, total: fitting.length < total ? total : undefined }) }, at);
    return rows.length - fitting.length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

type Keys = Pick<NonNullable<SavedSession['place']>, 'lastKey' | 'lastLook'>;

/** Without a key for this long, in milliseconds, a person was away; the next key begins a new visit. */
const awayMs = 10 * 60_000;

/**
 * When a person looked: visits are told apart by a time without a key. A restart within the time away continues the visit; a later one
 * begins a new one.
 */
export function createLooks(clock: Clock, saved?: Keys) {
  const wasAway = saved !== undefined && clock.now() - saved.lastKey > awayMs;
  const held = { key: clock.now(), look: wasAway ? saved.lastKey : saved?.lastLook };
  return {
    /** A key was pressed. */
    press() {
      const now = clock.now();
      if (now - held.key > awayMs) held.look = held.key;
      held.key = now;
    },
    /** The moment of the last key before this visit, epoch milliseconds; undefined in the first visit of all. */
    last: () => held.look,
    /** What the file keeps. */
    saved: (): Keys => ({ lastKey: held.key, ...(held.look === undefined ? {} : { lastLook: held.look }) }),
  };
}
