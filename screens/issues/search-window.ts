import type { Included } from '../../src/api/envelope.ts';
import type { SearchResult } from '../../src/api/error-tracking.ts';
import { type IssueCounts, readCounts, toIssueId } from './row.ts';

/** A search gives at most this many results, without a cursor (docs/contract/error-tracking.md#search). */
export const most = 100;

/** Shorter windows are not split any further. */
const shortest = 60_000;

/** A time window `[from, to)` in milliseconds, and the result of its search. */
export interface SearchWindow {
  readonly from: number;
  readonly to: number;
  /** Which of the halves: empty for the whole, `21` for the earlier half of the later half. */
  readonly place: string;
  results: readonly SearchResult[];
  /** Whether the window may have more issues: it has not been read, or its response has exactly `most`, which its two halves complete. */
  open: boolean;
  parts?: readonly [SearchWindow, SearchWindow];
}

export function openWindow(from: number, to: number, place = ''): SearchWindow {
  return { from, to, place, results: [], open: true };
}

/** Whether a window is long enough to be halved. */
export function divisible(window: SearchWindow): boolean {
  return window.to - window.from > shortest;
}

/** Two windows that meet on a whole minute, as near to the middle as there is one. */
export function halves(window: SearchWindow): readonly [SearchWindow, SearchWindow] {
  const near = Math.round((window.from + window.to) / 2 / shortest) * shortest;
  const first = Math.floor(window.from / shortest) * shortest + shortest;
  const last = Math.ceil(window.to / shortest) * shortest - shortest;
  const middle = Math.min(Math.max(near, first), Math.max(first, last));
  const { from, to, place } = window;
  return [openWindow(from, middle, `${place}1`), openWindow(middle, to, `${place}2`)];
}

/** One issue over a window and its parts. */
export interface WindowIssue {
  readonly result: SearchResult;
  readonly counts: IssueCounts;
}

/**
 * Every issue of a window by id, with its counts merged. What a window's own answer says is exact for that window
 * and wins over its parts; the rest is put together from the parts: totals are added; of sessions and users, which
 * may be the same in both parts, the greater is taken.
 */
export function readSearchWindow(window: SearchWindow): {
  readonly found: ReadonlyMap<string, WindowIssue>;
  readonly open: boolean;
} {
  const found = new Map<string, WindowIssue>();
  for (const result of window.results) {
    const id = toIssueId(result);
    if (id !== undefined) found.set(id, { result, counts: readCounts(result) });
  }
  if (!window.parts) return { found, open: window.open };
  const [early, late] = [readSearchWindow(window.parts[0]), readSearchWindow(window.parts[1])];
  for (const id of new Set([...early.found.keys(), ...late.found.keys()])) {
    const [a, b] = [early.found.get(id), late.found.get(id)];
    const result = (a ?? b)?.result;
    if (result && !found.has(id))
      found.set(id, { result, counts: joined(a?.counts, b?.counts, early.open, late.open) });
  }
  return { found, open: early.open || late.open };
}

function joined(a: IssueCounts | undefined, b: IssueCounts | undefined, aOpen: boolean, bOpen: boolean): IssueCounts {
  const missing = (!a && aOpen) || (!b && bOpen);
  return {
    total: sum(a?.total, b?.total),
    sessions: greater(a?.sessions, b?.sessions),
    users: greater(a?.users, b?.users),
    totalAtLeast: missing || a?.totalAtLeast || b?.totalAtLeast || undefined,
    peopleAtLeast: missing || (a && b && true) || a?.peopleAtLeast || b?.peopleAtLeast || undefined,
  };
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a + b;
}

function greater(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Where the issues of several answers' `included` arrays are kept, by id; later answers win. */
export function keepIncluded(kept: Map<string, Included>, included: readonly Included[] | null | undefined): void {
  for (const item of included ?? []) if (item.id != null) kept.set(String(item.id), item);
}
