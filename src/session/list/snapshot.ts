import * as v from 'valibot';
import type { CacheEntry } from '../../cache/cache.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { SeenStates } from '../../describe/seen-states.ts';
import type { Rows } from '../../describe/source.ts';
import { attemptOrNone } from '../../lib/attempt.ts';
import { present } from '../../lib/present-members.ts';
import type { Snapshot } from '../outside/saved-session.ts';
import type { ListState, Row } from '../rows/list-state.ts';
import { rowsById } from '../rows/rows-by-id.ts';
import type { State } from '../state/state.ts';

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
    const { rows, notes } = entry.value;
    const kept = firstRows(rows, list.idOf, listState.order?.ids ?? []);
    const total = kept.length < rows.length ? rows.length : undefined;
    const seen = list.tracks && shown.seen(list.id);
    return [{ list: list.id, key, at: entry.at, rows: kept, ...present({ notes, total, seen }) }];
  };
  return screens
    .flatMap(({ lists }) => lists)
    .flatMap((list) => attemptOrNone(() => [...rowsOf(list), ...numbersOf(list)]));
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
