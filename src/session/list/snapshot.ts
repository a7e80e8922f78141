import type { Known } from '../../cache/cache.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Rows } from '../../describe/source.ts';
import { present } from '../../lib/present.ts';
import type { Snapshot } from '../outside/saved-session.ts';
import type { ListState, Row } from '../rows/list-state.ts';
import { rowsById } from '../rows/rows-by-id.ts';
import type { State } from '../state/state.ts';

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
    .flatMap((list) => {
      const own = state.lists[list.id];
      if (!list.isKept || !own) return [];
      const { key, known } = read(list, own);
      if (!known.value || known.at === undefined || known.partial) return [];
      const { rows, notes } = known.value;
      const kept = firstRows(rows, list.idOf, own.order?.ids ?? []);
      return [{ list: list.id, key, at: known.at, rows: kept, ...present({ notes }) }];
    });
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

/** Puts the kept rows of lists that still exist into the cache. */
export function seedFrom(
  snapshot: Snapshot,
  screens: readonly Screen[],
  seed: (key: string, value: Rows<Row>, at: number) => void,
): void {
  const lists = screens.flatMap((screen) => screen.lists);
  const kept = new Set(lists.flatMap((list) => (list.isKept ? [list.id] : [])));
  for (const { list, key, at, rows, notes } of snapshot)
    if (kept.has(list)) seed(key, { rows, ...present({ notes }) }, at);
}
