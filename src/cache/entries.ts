import { QueryClient } from '@tanstack/query-core';
import type { Plan } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Clock } from '../lib/time.ts';

/**
 * Unconfirmed edits, laid over rows as they are read. Cached rows are never changed: a lifted overlay no longer applies. A
 * confirmed overlay stays until a read that began after the confirmation has ended.
 */
export interface Overlay {
  /** Lays `look` over the row with this id; where `look` returns undefined, the row is hidden. Returns a token. */
  lay(kind: string, rowId: string, look: (row: unknown) => unknown): number;
  /**
   * The service has confirmed the edit: `truth` returns the row as it is now; undefined: the row is deleted. A read that
   * begins later needs no overlay.
   */
  settle(token: number, truth: ((row: unknown) => unknown) | undefined): void;
  /** Removes the overlay of an edit that was not applied. */
  lift(token: number): void;
  /** The rows with their overlays; the same array while nothing has changed. */
  over<Row>(key: string, kinds: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): readonly Row[];
  /** Ids of rows of a kind whose edits were confirmed after this turn. */
  confirmed(kind: string | undefined, since: number): ReadonlySet<string>;
  /** Ids of rows that our edits deleted. */
  removed(kind: string): ReadonlySet<string>;
  /** Ids of rows with an unconfirmed edit, those of one kind or all. */
  pending(kind?: string): ReadonlySet<string>;
  /** The number of the last edit or confirmation; a read records the one at which it began. */
  turn(): number;
}

interface AppliedOverlay {
  readonly token: number;
  readonly kind: string;
  readonly rowId: string;
  look: (row: unknown) => unknown;
  settled?: number;
}

/** Most overlays while the oldest is confirmed: more than the rows that one edit is about. */
const mostOverlays = 5_000;

const none: ReadonlySet<string> = new Set();

/** The row under its overlays; undefined where one hides it. */
const lookThrough = (overlays: readonly AppliedOverlay[] = [], row: unknown): unknown =>
  overlays.reduce((shown, { look }) => (shown === undefined ? shown : look(shown)), row);

export function createOverlays(needs: { startedAt: (key: string) => number; changed: () => void }): Overlay {
  const overlays: AppliedOverlay[] = [];
  // By the rows: it goes with them.
  const memo = new WeakMap<readonly unknown[], { key: string; stamp: number; seen: readonly unknown[] }>();
  const gone = new Map<string, Set<string>>();
  const count = { turn: 1, stamp: 0 };
  const touched = () => {
    count.stamp += 1;
    needs.changed();
  };
  return {
    lay(kind, rowId, look) {
      count.turn += 1;
      overlays.push({ token: count.turn, kind, rowId, look });
      touched();
      return count.turn;
    },
    settle(token, truth) {
      const overlay = overlays.find((edit) => edit.token === token);
      if (!overlay) return;
      count.turn += 1;
      overlay.look = truth ?? (() => undefined);
      overlay.settled = count.turn;
      if (!truth) gone.set(overlay.kind, new Set([...(gone.get(overlay.kind) ?? []), overlay.rowId]));
      while (overlays.length > mostOverlays && overlays[0]?.settled !== undefined) overlays.shift();
      touched();
    },
    lift(token) {
      const at = overlays.findIndex((edit) => edit.token === token);
      if (at >= 0) overlays.splice(at, 1);
      touched();
    },
    over(key, kinds, rows, idOf) {
      const startedAt = needs.startedAt(key);
      const live = overlays.filter(
        (edit) => kinds.includes(edit.kind) && (edit.settled === undefined || startedAt < edit.settled),
      );
      if (live.length === 0) return rows;
      const stamp = count.stamp * 1e6 + live.length;
      const before = memo.get(rows);
      if (before?.key === key && before.stamp === stamp) return before.seen as typeof rows;
      const byId = Map.groupBy(live, ({ rowId }) => rowId);
      const seen: (typeof rows)[number][] = [];
      for (const row of rows) {
        const shown = lookThrough(byId.get(idOf(row)), row);
        if (shown !== undefined) seen.push(shown as (typeof rows)[number]);
      }
      memo.set(rows, { key, stamp, seen });
      return seen;
    },
    confirmed: (kind, since) =>
      new Set(overlays.filter((edit) => edit.kind === kind && (edit.settled ?? 0) > since).map(({ rowId }) => rowId)),
    removed: (kind) => gone.get(kind) ?? none,
    pending: (kind) =>
      new Set(
        overlays.flatMap((edit) =>
          edit.settled === undefined && (kind ?? edit.kind) === edit.kind ? [edit.rowId] : [],
        ),
      ),
    turn: () => count.turn,
  };
}

/** The times of polls (docs/design/reliability.md#polling). */
export interface Pace {
  /**
   * Milliseconds until the next poll: the base between 10 s and 300 s times 0.5 to 1.5; four times as long after ten
   * minutes without a key, 1.5 times as long after a failure; all of it longer where many share the rate limit, 45 minutes
   * at most. After a refusal for rate what the service asks for, else the base without any of this, and no more than 30 s.
   */
  gap(everyMs: number, failed?: 'failed' | 'refused'): number;
  /** How many times longer gaps are because nobody presses a key: 1, or 4 after ten minutes. */
  idle(): number;
  /** A key was pressed. */
  touch(): void;
  pause(on: boolean): void;
  paused(): boolean;
  /** Milliseconds that polls must still wait for the rate limit. */
  holding(): number;
}

const floor = 10_000;
/** Longest time between polls while nobody shares the limit, milliseconds. */
const longestPoll = 300_000;
const idleAfter = 600_000;
/** Longest time until the next try after a refusal for rate. */
const longestRefused = 30_000;
/** Longest base that a shared rate limit makes, whatever its headers say. */
const slowest = 1_800_000;

/** How a read has failed, as far as the next one depends on it. */
export const failureOf = (problem: Problem | undefined): 'failed' | 'refused' | undefined =>
  problem && (problem.kind === 'tooMany' ? 'refused' : 'failed');

/** What polls wait for. */
interface PaceOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds that polls must wait for the service's rate limit. */
  readonly holdBack: () => number;
  /** How many times as long they wait because many clients share it, from 1 on. */
  readonly slowdown: (which?: 'shared') => number;
}

/** Milliseconds that gaps vary from. How many times as long: `idle`, because nobody presses a key; `slowdown`, because many share the rate limit. */
export const pollBase = (everyMs: number, idle: number, slowdown: number): number =>
  Math.min(slowest, Math.min(longestPoll, Math.max(floor, everyMs) * idle) * slowdown);

export function createPace(with_: PaceOptions): Pace {
  const state = { touched: with_.clock.now(), paused: false };
  const idle = () => (with_.clock.now() - state.touched > idleAfter ? 4 : 1);
  return {
    idle,
    gap(everyMs, failed) {
      const base = pollBase(everyMs, idle() * (failed ? 1.5 : 1), with_.slowdown());
      const gap = base * (0.5 + with_.random());
      if (failed !== 'refused' || with_.slowdown('shared') > 1) return Math.max(with_.holdBack(), gap);
      // The limit holds polls back by itself: slower ones would leave a person with old rows for minutes.
      const usual = Math.max(floor, everyMs) * (0.5 + with_.random());
      // The time to wait has its own spread, of half as much.
      return Math.max(with_.holdBack() + (with_.random() * longestRefused) / 2, Math.min(longestRefused, usual));
    },
    touch() {
      state.touched = with_.clock.now();
    },
    pause(on) {
      state.paused = on;
    },
    paused: () => state.paused,
    holding: () => with_.holdBack(),
  };
}

/** The most entries that stay although nobody watches them. */
export const mostUnwatched = 60;
/** Milliseconds that an unwatched entry stays after it was last read or shown. */
export const longestUnwatched = 30 * 60_000;

/** When the entries of the cache were last used, so that what was opened once does not stay for ever. */
export function createUses(now: () => number) {
  // In the order of their last use, oldest first.
  const usedAt = new Map<string, number>();
  return {
    /** Notes that an entry is used now. */
    touch(key: string) {
      usedAt.delete(key);
      usedAt.set(key, now());
    },
    /** Takes out the entries to remove: those unused for too long, then the longest unused beyond `mostUnwatched`. */
    expired(isHeld: (key: string) => boolean): readonly string[] {
      const free = [...usedAt].filter(([key]) => !isHeld(key));
      const tooMany = free.length - mostUnwatched;
      const keys = free
        .filter(([, at], index) => index < tooMany || now() - at >= longestUnwatched)
        .map(([key]) => key);
      for (const key of keys) usedAt.delete(key);
      return keys;
    },
  };
}

/** A repeatable read, identified by its `key`. */
export interface CachedRead<T> {
  readonly key: string;
  /** Kinds whose edits make the result stale. */
  readonly of: readonly string[];
  /** Id of the list all of whose rows it brings. */
  readonly allOf?: string | undefined;
  /** Milliseconds between polls at least, by what the last read brought. */
  everyMs?(value: T): number | undefined;
  /**
   * `before`: the whole value of the last read of this run; `edited`: the rows of the list that edits have told otherwise since. None where all
   * rows of a list must be read: a person asked for it, or an edit may have changed more than it told.
   */
  plan(before?: T, edited?: ReadonlySet<string>): Plan<Result<T>, T>;
}

/** Runs a plan to its end; the client's `run`. */
export type RunReads = <T, Shown>(
  plan: Plan<T, Shown>,
  how: { readonly signal: AbortSignal; readonly partial: (value: Shown) => void },
) => Promise<T>;

/** A read that somebody watches, and when it is polled next. */
export interface WatchedRead {
  readonly question: CachedRead<unknown>;
  readonly watchers: Set<{ readonly everyMs: number; readonly changed: () => void }>;
  nextAt?: number | undefined;
  cancelTimer: () => void;
}

/** What a cache is made for. */
export interface CacheOptions extends PaceOptions {
  readonly run: RunReads;
}

/** What is held of every read. */
export interface CacheState {
  readonly run: RunReads;
  readonly clock: Clock;
  readonly client: QueryClient;
  readonly watched: Map<string, WatchedRead>;
  /** The turn of edits at which the last read of a key began. */
  readonly startedAt: Map<string, number>;
  readonly partial: Set<string>;
  readonly readAt: Map<string, number>;
  readonly askedAt: Map<string, number>;
  /** Why the last read of a key failed. */
  readonly failed: Map<string, Problem>;
  /** Keys whose whole value an edit or a person made stale, each with a mark of the last time. */
  readonly stale: Map<string, object>;
  readonly seeded: Set<string>;
  readonly overlays: Overlay;
  readonly pace: Pace;
  readonly uses: ReturnType<typeof createUses>;
  readonly count: { version: number };
}

export function openCacheState({ run, clock, random, holdBack, slowdown }: CacheOptions): CacheState {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        gcTime: Number.POSITIVE_INFINITY,
        staleTime: Number.POSITIVE_INFINITY,
        queryKeyHashFn: ([key]) => String(key),
        // Its own compares everything at once, which blocks keys while 10,000 rows arrive.
        structuralSharing: false,
      },
    },
  });
  const startedAt = new Map<string, number>();
  const cache: CacheState = {
    run,
    clock,
    client,
    watched: new Map(),
    startedAt,
    partial: new Set(),
    readAt: new Map(),
    askedAt: new Map(),
    failed: new Map(),
    stale: new Map(),
    seeded: new Set(),
    overlays: createOverlays({ startedAt: (key) => startedAt.get(key) ?? 0, changed: () => tellAll(cache) }),
    pace: createPace({ clock, random, holdBack, slowdown }),
    uses: createUses(clock.now),
    count: { version: 0 },
  };
  return cache;
}

/** The entry of a key; every frame asks for some. */
export const entryState = <T>({ client }: CacheState, key: string) => client.getQueryCache().get<T>(key)?.state;

export function tellWatchers({ count, watched }: CacheState, key: string): void {
  count.version += 1;
  for (const { changed } of watched.get(key)?.watchers ?? []) changed();
}

function tellAll(cache: CacheState): void {
  cache.count.version += 1;
  for (const key of cache.watched.keys()) tellWatchers(cache, key);
}

/** Removes the entries that nobody has used for long. */
export function sweepEntries(cache: CacheState): void {
  const { client, watched, startedAt, readAt, askedAt, failed, stale, partial, seeded } = cache;
  const isHeld = (key: string) => watched.has(key) || entryState(cache, key)?.fetchStatus === 'fetching';
  for (const key of cache.uses.expired(isHeld)) {
    client.removeQueries({ queryKey: [key], exact: true });
    for (const facts of [startedAt, readAt, askedAt, failed, stale, partial, seeded]) facts.delete(key);
  }
}
