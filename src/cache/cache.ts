import { QueryClient } from '@tanstack/query-core';
import type { Plan } from '../api/plan.ts';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present-members.ts';
import { runInSlices } from '../lib/run-in-slices.ts';
import { thrownText } from '../lib/thrown-text.ts';
import { createOverlays, type Overlay } from './overlay.ts';
import { createPace, failureOf, type Pace, type PaceOptions } from './pace.ts';
import { shareUnchanged } from './share-unchanged.ts';
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

/** The cache entry of a read. When a read fails, the old value stays and `problem` is set. */
export interface CacheEntry<T> {
  readonly value?: T;
  /** When the value was read, in milliseconds since the Unix epoch. */
  readonly at?: number;
  /** Why the last read failed; while an entry without a value is read again, why the one before did. */
  readonly problem?: Problem;
  /** When it is read again after a failure, epoch milliseconds. */
  readonly nextAt?: number;
  /** When the read began that is to bring the first value, epoch milliseconds. */
  readonly askedAt?: number;
  readonly asking: boolean;
  /** Only the first pages have been read. */
  readonly partial: boolean;
  /** The value is an earlier run's, not yet read in this one. */
  readonly isFromSnapshot?: boolean;
}

/** Runs a plan to its end; the client's `run`. */
type Run = <T, Shown>(
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
  /** Reads everything watched again, now; `whole`: lists that are polled in parts, too. */
  refresh(how?: 'whole'): void;
  /**
   * After an edit of these kinds: cancels reads in flight and repeats the watched ones. What the edit has changed in rows of the list `told` is
   * laid over them until the next poll: where all of them are read, they are not read for it.
   */
  changed(kinds: readonly string[], told?: string): void;
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
  nextAt?: number | undefined;
  cancelTimer: () => void;
}

/** Milliseconds: opening a screen does not read an entry again that is younger. */
const fresh = 3_000;

/** What a cache is made for. */
interface CacheOptions extends PaceOptions {
  readonly run: Run;
}

interface CacheState {
  readonly run: Run;
  readonly clock: Clock;
  readonly client: QueryClient;
  readonly watched: Map<string, Watched>;
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

/**
 * The cache of reads. TanStack query-core holds the entries and runs one read for each question at a time; this keeps
 * unchanged rows identical and adds polling, partial results, the order of reads against edits, and an end for entries that
 * nobody uses.
 */
export function createCache(options: CacheOptions): Cache {
  const cache = openCacheState(options);
  const { client, watched, readAt, askedAt, stale, seeded, uses, overlays, pace, count } = cache;
  return {
    watch(question, often, changed) {
      let entry = watched.get(question.key);
      if (!entry) {
        entry = { question, everyMs: often.everyMs, listeners: new Set(), cancelTimer: () => {} };
        watched.set(question.key, entry);
        readThenPoll(cache, entry, often.freshMs);
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
      await readEntry(cache, question, freshMs);
      return this.known<T>(question.key);
    },
    known<T>(key: string): CacheEntry<T> {
      const state = stateOf<T>(cache, key);
      if (state) uses.touch(key);
      const asking = state?.fetchStatus === 'fetching';
      const isFirst = asking && state.data === undefined;
      const problem = state?.error || isFirst ? cache.failed.get(key) : undefined;
      return {
        ...(state?.data === undefined ? {} : { value: state.data }),
        ...present({
          at: readAt.get(key),
          problem,
          nextAt: problem && watched.get(key)?.nextAt,
          askedAt: isFirst ? askedAt.get(key) : undefined,
        }),
        asking,
        partial: cache.partial.has(key),
        ...(seeded.has(key) ? { isFromSnapshot: true } : {}),
      };
    },
    seed(key, value, at) {
      if (stateOf(cache, key)?.data !== undefined) return;
      client.setQueryData([key], value);
      readAt.set(key, at);
      seeded.add(key);
      uses.touch(key);
      count.version += 1;
    },
    refresh(how) {
      for (const entry of watched.values()) {
        if (how === 'whole') stale.add(entry.question.key);
        readThenPoll(cache, entry, 0);
      }
    },
    version: () => count.version,
    changed(kinds, told) {
      count.version += 1;
      for (const entry of watched.values()) {
        const { question } = entry;
        const isTold = told !== undefined && question.allOf === told;
        if (isTold || !question.of.some((kind) => kinds.includes(kind))) continue;
        stale.add(question.key);
        const canceled = client.cancelQueries({ queryKey: [entry.question.key] });
        void canceled.then(() => readThenPoll(cache, entry, 0));
      }
      for (const { queryHash: key } of client.getQueryCache().getAll()) {
        if (!watched.has(key)) stale.add(key);
      }
    },
    overlays,
    pause(on) {
      pace.pause(on);
      if (!on) this.refresh();
    },
    pace,
    close() {
      for (const entry of watched.values()) entry.cancelTimer();
      watched.clear();
      client.clear();
    },
  };
}

function openCacheState({ run, clock, random, holdBack, slowdown }: CacheOptions): CacheState {
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
const stateOf = <T>({ client }: CacheState, key: string) => client.getQueryCache().get<T>(key)?.state;

function tell({ count, watched }: CacheState, key: string): void {
  count.version += 1;
  for (const listener of watched.get(key)?.listeners ?? []) listener();
}

function tellAll(cache: CacheState): void {
  cache.count.version += 1;
  for (const key of cache.watched.keys()) tell(cache, key);
}

/** Removes the entries that nobody has used for long. */
function sweep(cache: CacheState): void {
  const { client, watched, startedAt, readAt, askedAt, failed, stale, partial, seeded } = cache;
  const isHeld = (key: string) => watched.has(key) || stateOf(cache, key)?.fetchStatus === 'fetching';
  for (const key of cache.uses.expired(isHeld)) {
    client.removeQueries({ queryKey: [key], exact: true });
    for (const facts of [startedAt, readAt, askedAt, failed, stale, partial, seeded]) facts.delete(key);
  }
}

/** Reads an entry, unless it is younger than `staleTime`, and tells those who watch it. */
async function readEntry<T>(cache: CacheState, question: CachedRead<T>, staleTime: number): Promise<void> {
  const { key } = question;
  cache.uses.touch(key);
  const before = stateOf(cache, key);
  // Where the clock was set back since, nobody knows how old it is.
  const age = cache.clock.now() - (cache.readAt.get(key) ?? 0);
  const isFresh = !cache.stale.has(key) && age >= 0 && age < staleTime;
  const isOurs = before?.data !== undefined && !cache.seeded.has(key);
  if (isOurs && isFresh) return;
  if (before?.fetchStatus !== 'fetching') cache.askedAt.set(key, cache.clock.now());
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => readValue(cache, question, signal);
  const reading = cache.client.fetchQuery({ queryKey: [key], staleTime: 0, queryFn }).then(
    () => undefined,
    () => undefined,
  );
  // That rows which are there are read again is not shown: at rest each poll is one frame less.
  if (before?.status === 'success' && isOurs && !cache.partial.has(key)) cache.count.version += 1;
  else tell(cache, key);
  await reading;
  tell(cache, key);
  sweep(cache);
}

/** The value of a read, sharing what is unchanged; the first time, its first pages are shown before the rest is there. */
async function readValue<T>(cache: CacheState, question: CachedRead<T>, signal: AbortSignal): Promise<unknown> {
  const { client, clock, startedAt, readAt, failed, stale, partial, seeded } = cache;
  const { key } = question;
  const turn = cache.overlays.turn();
  const isFirst = stateOf(cache, key)?.data === undefined || partial.has(key) || seeded.has(key);
  const showFirst = (value: T) => {
    if (!isFirst || signal.aborted) return;
    partial.add(key);
    seeded.delete(key);
    readAt.set(key, clock.now());
    stale.delete(key);
    client.setQueryData([key], value);
    tell(cache, key);
  };
  const wasStale = stale.has(key);
  const isAnew = isFirst || (question.allOf !== undefined && wasStale);
  const before = isAnew ? undefined : stateOf<T>(cache, key)?.data;
  const edited = cache.overlays.confirmed(question.allOf, startedAt.get(key) ?? 0);
  const result = await runSafely(cache.run, () => question.plan(before, edited), { signal, partial: showFirst });
  // One that was canceled says nothing of the next.
  if (!result.ok && result.problem.kind !== 'canceled') failed.set(key, result.problem);
  else failed.delete(key);
  // query-core expects a failure to be thrown.
  if (!result.ok) throw new Error(result.problem.text);
  const value = await runInSlices(shareUnchanged(stateOf(cache, key)?.data, result.value));
  if (!signal.aborted) {
    startedAt.set(key, turn);
    readAt.set(key, clock.now());
    // What became stale while it was read is read whole the next time.
    if (wasStale) stale.delete(key);
    partial.delete(key);
    seeded.delete(key);
  }
  return value;
}

/** Runs a plan; one that throws (a bug) ends only this read, with a sentence. */
async function runSafely<T>(
  run: Run,
  plan: () => ReturnType<CachedRead<T>['plan']>,
  how: { signal: AbortSignal; partial: (value: T) => void },
): Promise<Result<T>> {
  try {
    return await run(plan(), how);
  } catch (error) {
    return problemResult('unreadable', `this cannot be read: ${thrownText(error)}`);
  }
}

function readThenPoll(cache: CacheState, entry: Watched, freshMs = fresh): void {
  entry.nextAt = undefined;
  void readEntry(cache, entry.question, freshMs).then(() => pollNext(cache, entry));
}

function pollNext(cache: CacheState, entry: Watched): void {
  const { key } = entry.question;
  const { pace, watched } = cache;
  entry.cancelTimer();
  if (!watched.has(key)) return;
  const failure = failureOf(cache.failed.get(key));
  const value = stateOf(cache, key)?.data;
  const least = (value === undefined ? undefined : entry.question.everyMs?.(value)) ?? 0;
  const gap = pace.gap(Math.max(entry.everyMs, least), failure);
  entry.nextAt = failure && cache.clock.now() + gap;
  if (failure) tell(cache, key);
  entry.cancelTimer = cache.clock.after(gap, () => {
    if (!watched.has(key)) return;
    if (pace.paused() || pace.holding() > 0) pollNext(cache, entry);
    else readThenPoll(cache, entry, 0);
  });
}
