import { QueryClient } from '@tanstack/query-core';
import type { Plan } from '../api/plan.ts';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present-members.ts';
import { runInSlices } from '../lib/run-in-slices.ts';
import { thrownText } from '../lib/thrown-text.ts';
import { createOverlays, type Overlay } from './overlay.ts';
import { createPace, type Pace } from './pace.ts';
import { shareUnchanged } from './share-unchanged.ts';
import { createUses } from './watched-entries.ts';

/** A repeatable read, identified by its `key`. */
export interface CachedRead<T> {
  readonly key: string;
  /** Kinds whose edits make the result stale. */
  readonly of: readonly string[];
  plan(): Plan<Result<T>, T>;
}

/** The cache entry of a read. When a read fails, the old value stays and `problem` is set. */
export interface CacheEntry<T> {
  readonly value?: T;
  /** When the value was read, in milliseconds since the Unix epoch. */
  readonly at?: number;
  readonly problem?: Problem;
  readonly asking: boolean;
  /** Only the first pages have been read. */
  readonly partial: boolean;
  /** The value is an earlier run's, not yet read in this one. */
  readonly isFromSnapshot?: boolean;
}

/** Runs a plan to its end; the client's `run`. */
export type Run = <T, Shown>(
  plan: Plan<T, Shown>,
  how: { readonly signal: AbortSignal; readonly partial: (value: Shown) => void },
) => Promise<T>;

export interface Cache {
  /** Reads now, unless the entry is younger than `freshMs` (3 s), then polls until the returned function is called. */
  watch<T>(
    question: CachedRead<T>,
    often: { readonly everyMs: number; readonly freshMs?: number },
    changed: () => void,
  ): () => void;
  /** Reads once, unless the entry is younger than `freshMs`. */
  ask<T>(question: CachedRead<T>, freshMs?: number): Promise<CacheEntry<T>>;
  known<T>(key: string): CacheEntry<T>;
  /** Gives an entry the value of an earlier run, with the time when it was read. The first read replaces it. */
  seed(key: string, value: unknown, at: number): void;
  /** A number that changes whenever an entry or an overlay may have changed. */
  version(): number;
  /** Reads everything watched again, now. */
  refresh(): void;
  /** After an edit of these kinds: cancels reads in flight and repeats the watched ones. */
  changed(kinds: readonly string[]): void;
  /** Unconfirmed edits, laid over rows as they are read. */
  readonly overlays: Overlay;
  pause(on: boolean): void;
  readonly pace: Pace;
  close(): void;
}

interface Watched {
  readonly question: CachedRead<unknown>;
  everyMs: number;
  readonly listeners: Set<() => void>;
  cancelTimer: () => void;
}

/** Milliseconds: opening a screen does not read an entry again that is younger. */
const fresh = 3_000;

/**
 * The cache of reads. TanStack query-core holds the entries and runs one read for each question at a time; this keeps
 * unchanged rows identical and adds polling, partial results, the order of reads against edits, and an end for entries that
 * nobody uses.
 */
export function createCache(with_: {
  readonly run: Run;
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds that polls must wait for the service's rate limit. */
  readonly holdBack: () => number;
  /** How many times as long they wait because many clients share it, from 1 on. */
  readonly slowdown: () => number;
}): Cache {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        gcTime: Number.POSITIVE_INFINITY,
        staleTime: Number.POSITIVE_INFINITY,
        queryKeyHashFn: ([key]) => String(key),
        // The library's own sharing compares everything at once, which blocks keys while 10,000 rows arrive.
        structuralSharing: false,
      },
    },
  });
  const entries = client.getQueryCache();
  /** The entry of a key; every frame asks for some. */
  const stateOf = <T>(key: string) => entries.get<T>(key)?.state;
  const watched = new Map<string, Watched>();
  const startedAt = new Map<string, number>();
  const partial = new Set<string>();
  const readAt = new Map<string, number>();
  const seeded = new Set<string>();
  const overlays = createOverlays({ startedAt: (key) => startedAt.get(key) ?? 0, changed: () => tellAll() });
  const { clock, random, holdBack, slowdown } = with_;
  const pace = createPace({ clock, random, holdBack, slowdown });
  const uses = createUses(with_.clock.now);

  const count = { version: 0 };
  const tell = (key: string) => {
    count.version += 1;
    for (const listener of watched.get(key)?.listeners ?? []) listener();
  };
  const tellAll = () => {
    count.version += 1;
    for (const key of watched.keys()) tell(key);
  };

  /** Runs a plan; one that throws (a bug) ends only this read, with a sentence. */
  const safely = async <T>(question: CachedRead<T>, how: { signal: AbortSignal; partial: (value: T) => void }) => {
    try {
      return await with_.run(question.plan(), how);
    } catch (error) {
      return problemResult('unreadable', `this cannot be read: ${thrownText(error)}`);
    }
  };

  /** Removes the entries that nobody has used for long. */
  const sweep = () => {
    const isHeld = (key: string) => watched.has(key) || stateOf(key)?.fetchStatus === 'fetching';
    for (const key of uses.expired(isHeld)) {
      client.removeQueries({ queryKey: [key], exact: true });
      for (const facts of [startedAt, readAt, partial, seeded]) facts.delete(key);
    }
  };

  const fetch = async <T>(question: CachedRead<T>, staleTime: number): Promise<void> => {
    const queryKey = [question.key];
    uses.touch(question.key);
    const before = stateOf(question.key);
    // Where the clock was set back since, nobody knows how old it is.
    const age = with_.clock.now() - (readAt.get(question.key) ?? 0);
    const isFresh = age >= 0 && age < staleTime;
    if (before?.data !== undefined && !seeded.has(question.key) && isFresh) return;
    const asking = client
      .fetchQuery({
        queryKey,
        staleTime: 0,
        queryFn: async ({ signal }) => {
          const turn = overlays.turn();
          const first =
            stateOf(question.key)?.data === undefined || partial.has(question.key) || seeded.has(question.key);
          const result = await safely(question, {
            signal,
            partial: (value) => {
              if (!first || signal.aborted) return;
              partial.add(question.key);
              seeded.delete(question.key);
              readAt.set(question.key, with_.clock.now());
              client.setQueryData(queryKey, value);
              tell(question.key);
            },
          });
          if (!result.ok) throw new Refused(result.problem);
          const value = await runInSlices(shareUnchanged(stateOf(question.key)?.data, result.value));
          if (!signal.aborted) {
            startedAt.set(question.key, turn);
            readAt.set(question.key, with_.clock.now());
            partial.delete(question.key);
            seeded.delete(question.key);
          }
          return value;
        },
      })
      .then(
        () => undefined,
        () => undefined,
      );
    // That rows which are there are read again is not shown: at rest each poll is one frame less.
    if (before?.status === 'success' && !seeded.has(question.key) && !partial.has(question.key)) count.version += 1;
    else tell(question.key);
    await asking;
    tell(question.key);
    sweep();
  };

  const next = (entry: Watched) => {
    entry.cancelTimer();
    if (!watched.has(entry.question.key)) return;
    const failed = stateOf(entry.question.key)?.status === 'error';
    entry.cancelTimer = with_.clock.after(pace.gap(entry.everyMs, failed), () => {
      if (!watched.has(entry.question.key)) return;
      if (pace.paused() || pace.holding() > 0) return next(entry);
      void fetch(entry.question, 0).then(() => next(entry));
    });
  };

  return {
    watch(question, often, changed) {
      let entry = watched.get(question.key);
      if (!entry) {
        entry = { question, everyMs: often.everyMs, listeners: new Set(), cancelTimer: () => {} };
        watched.set(question.key, entry);
        const begin = entry;
        void fetch(question, often.freshMs ?? fresh).then(() => next(begin));
      }
      entry.everyMs = Math.min(entry.everyMs, often.everyMs);
      entry.listeners.add(changed);
      const mine = entry;
      return () => {
        mine.listeners.delete(changed);
        if (mine.listeners.size > 0) return;
        mine.cancelTimer();
        watched.delete(question.key);
      };
    },
    async ask<T>(question: CachedRead<T>, freshMs = fresh) {
      await fetch(question, freshMs);
      return this.known<T>(question.key);
    },
    known<T>(key: string): CacheEntry<T> {
      const state = stateOf<T>(key);
      if (state) uses.touch(key);
      const problem = state?.error instanceof Refused ? state.error.problem : undefined;
      return {
        ...(state?.data === undefined ? {} : { value: state.data }),
        ...present({ at: readAt.get(key), problem: problem?.kind === 'canceled' ? undefined : problem }),
        asking: state?.fetchStatus === 'fetching',
        partial: partial.has(key),
        ...(seeded.has(key) ? { isFromSnapshot: true } : {}),
      };
    },
    seed(key, value, at) {
      if (stateOf(key)?.data !== undefined) return;
      client.setQueryData([key], value);
      readAt.set(key, at);
      seeded.add(key);
      uses.touch(key);
      count.version += 1;
    },
    refresh() {
      for (const one of watched.values()) void fetch(one.question, 0).then(() => next(one));
    },
    version: () => count.version,
    changed(kinds) {
      count.version += 1;
      for (const one of watched.values()) {
        if (!one.question.of.some((kind) => kinds.includes(kind))) continue;
        void client.cancelQueries({ queryKey: [one.question.key] }).then(async () => {
          await fetch(one.question, 0);
          next(one);
        });
      }
      for (const { queryHash: key } of entries.getAll()) {
        if (!watched.has(key)) readAt.set(key, 0);
      }
    },
    overlays,
    pause(on) {
      pace.pause(on);
      if (!on) this.refresh();
    },
    pace,
    close() {
      for (const one of watched.values()) one.cancelTimer();
      watched.clear();
      client.clear();
    },
  };
}

/** Carries a Problem through query-core, which expects failures to be thrown. */
class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.text);
    this.problem = problem;
  }
}
