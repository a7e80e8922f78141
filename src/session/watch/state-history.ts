import type { AnyList } from '../../describe/screen.ts';
import {
  isSameState,
  type SeenChange,
  type SeenState,
  type SeenStates,
  seenForMs,
} from '../../describe/seen-states.ts';
import { areAlike } from '../../lib/alike.ts';
import type { Snapshot } from '../outside/saved-session.ts';
import type { Row } from '../rows/list-state.ts';
import { rowsById } from '../rows/rows-by-id.ts';

/** Between two reads that are further apart, what happened is not known: milliseconds. */
export const mostGap = 300_000;
/** Changes kept of a list. */
const mostChanges = 2_000;

const nothingSeen: SeenStates = { spans: [], changes: [] };

/** What the reads have shown of the states of rows in the last day. */
export interface StateHistory {
  /** A list was read whole. Two reads are compared where they asked the same. */
  read(list: AnyList, key: string, rows: readonly Row[], at: number): void;
  of(listId: string): SeenStates;
}

/** Begins with what an earlier run has kept. */
export function createStateHistory(kept: Snapshot): StateHistory {
  const lists = new Map(kept.flatMap(({ list, seen }) => (seen ? [[list, seen] as const] : [])));
  const last = new Map<string, { readonly rows: readonly Row[]; readonly at: number }>();
  const seenOf = (listId: string) => lists.get(listId) ?? nothingSeen;

  return {
    of: seenOf,
    read(list, key, rows, readAt) {
      const { id, tracks } = list;
      const before = last.get(key);
      if (!tracks || (before && readAt <= before.at)) return;
      last.set(key, { rows, at: readAt });
      const seen = seenOf(id);
      const isGap = !before || readAt - before.at > mostGap;
      const came = isGap ? [] : changesOf(list, tracks, before.rows, rows, readAt).filter((one) => isNews(one, seen));
      const changes = [...seen.changes, ...came].filter(({ at }) => readAt - at < seenForMs).slice(-mostChanges);
      lists.set(id, { spans: spansWith(seen.spans, readAt), changes });
    },
  };
}

/** The rows that are in another state than before. Rows that have not changed are the same objects, and are not looked at. */
function changesOf(
  list: AnyList,
  tracks: (row: Row) => SeenState,
  before: readonly Row[],
  rows: readonly Row[],
  readAt: number,
): readonly SeenChange[] {
  const known = new Set(before);
  return rows.flatMap((row): SeenChange[] => {
    if (known.has(row)) return [];
    const id = list.idOf(row);
    const was = rowsById(list, before).get(id);
    if (was === undefined) return [];
    const [from, to] = [tracks(was), tracks(row)];
    return isSame(from, to) ? [] : [{ at: readAt, id, name: list.nameOf(row), from, to }];
  });
}

/** Whether a change is not what another read of the list has shown already. */
function isNews({ id, to }: SeenChange, { changes }: SeenStates): boolean {
  const last = changes.findLast((change) => change.id === id);
  return !last || !isSame(last.to, to);
}

const isSame = (one: SeenState, other: SeenState): boolean =>
  isSameState(one, other) && areAlike(one.ends ?? [], other.ends ?? []);

/** The spans with one more read. */
function spansWith(spans: SeenStates['spans'], at: number): SeenStates['spans'] {
  const kept = spans.filter(([, to]) => at - to < seenForMs);
  const last = kept.at(-1);
  if (!last || at - last[1] > mostGap) return [...kept, [at, at]];
  return [...kept.slice(0, -1), [Math.max(last[0], at - seenForMs), Math.max(last[1], at)]];
}
