import { QueryClient } from '@tanstack/query-core';
import type { Plan } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Clock } from '../lib/time.ts';
import { createOverlays, type Overlay } from './overlay.ts';
import { createPace, type Pace, type PaceOptions } from './pace.ts';
import { createUses } from './watched-entries.ts';

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
  everyMs: number;
  readonly listeners: Set<() => void>;
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
  /** Keys whose whole value an edit or a person made stale. */
  readonly stale: Set<string>;
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
    stale: new Set(),
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
  for (const listener of watched.get(key)?.listeners ?? []) listener();
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
