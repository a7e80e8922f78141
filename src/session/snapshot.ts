import type { Known } from '../cache/cache.ts';
import type { AnyList, Screen } from '../describe/screen.ts';
import type { Rows } from '../describe/source.ts';
import { present } from '../lib/present.ts';
import { shownId } from './edit/pending.ts';
import type { ListState, Row } from './list/list-state.ts';
import type { Snapshot } from './saved-session.ts';
import type { State } from './state.ts';

/** Rows kept of each list, the first ones in its order: a screen of any height is full, and the file stays small. */
const mostRows = 300;

/** The rows of all lists that may be kept, as they were last read whole. */
export function snapshotOf(
  state: State,
  screens: readonly Screen[],
  read: (list: AnyList, own: ListState) => { readonly key: string; readonly known: Known<Rows<Row>> },
): Snapshot {
  return screens
    .flatMap((screen) => screen.lists)
    .flatMap(eachOrganisation)
    .flatMap((list) => {
      const own = state.lists[list.id];
      if (!list.isKept || !own) return [];
      const { key, known } = read(list, own);
      if (!known.value || known.at === undefined || known.partial) return [];
      const { rows, notes } = known.value;
      const places = new Map(own.order?.ids.map((id, at) => [id, at]));
      const place = (row: Row) => places.get(shownId(list, list.idOf(row))) ?? places.size;
      const first = rows.toSorted((one, other) => place(one) - place(other)).slice(0, mostRows);
      return [{ list: list.id, key, at: known.at, rows: first, ...present({ notes }) }];
    });
}

/** A list that shows several organisations as the list of each: rows are kept as their own service told them. */
const eachOrganisation = (list: AnyList): readonly AnyList[] => list.parts ?? [list];

/** Puts the kept rows of lists that still exist into the cache. */
export function seedFrom(
  snapshot: Snapshot,
  screens: readonly Screen[],
  seed: (key: string, value: Rows<Row>, at: number) => void,
): void {
  const lists = screens.flatMap((screen) => screen.lists).flatMap(eachOrganisation);
  const kept = new Set(lists.flatMap((list) => (list.isKept ? [list.id] : [])));
  for (const { list, key, at, rows, notes } of snapshot)
    if (kept.has(list)) seed(key, { rows, ...present({ notes }) }, at);
}
