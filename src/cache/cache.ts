import { replaceEqualDeep } from '@tanstack/query-core';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import { thrownText } from '../lib/function-results.ts';
import { nextTurn, runInSlices, type Sliced } from '../lib/slices.ts';
import type { Clock } from '../lib/time.ts';
import { present } from '../lib/values.ts';
import {
  type CachedRead,
  type CacheOptions,
  type CacheState,
  entryState,
  failureOf,
  type Overlay,
  openCacheState,
  type Pace,
  type RunReads,
  sweepEntries,
  tellWatchers,
  type WatchedRead,
} from './entries.ts';

/** Values compared between two pauses: a few milliseconds. */
const sliceValues = 20_000;
/** Of more rows, what comes before the comparison and what follows it (decoding, ordering, drawing) take turns of their own. */
const manyRows = 1000;

type Plain = Readonly<Record<string, unknown>>;

/**
 * The value with the parts of `before` that it equals, and `before` itself where nothing has changed. Pauses between the
 * rows of the lists at its top; a row keeps its identity wherever it stands, as long as it has an `id`.
 */
export function* shareUnchanged(before: unknown, value: unknown): Sliced<unknown> {
  const seen = { values: 0 };
  if (Array.isArray(before) && Array.isArray(value)) return yield* shareRows(before, value, seen);
  if (!isPlain(before) || !isPlain(value)) return value;
  const shared: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const old = before[name];
    shared[name] =
      Array.isArray(old) && Array.isArray(part) ? yield* shareRows(old, part, seen) : replaceEqualDeep(old, part);
  }
  const names = Object.keys(shared);
  const isSame = names.length === Object.keys(before).length && names.every((name) => shared[name] === before[name]);
  return isSame ? before : shared;
}

function* shareRows(
  before: readonly unknown[],
  rows: readonly unknown[],
  seen: { values: number },
): Sliced<readonly unknown[]> {
  /** Where rows have moved: made when the first one has, because a list that has only grown needs none. */
  let byId: Map<unknown, unknown> | undefined;
  if (rows.length > manyRows) yield;
  // A list that has only grown is not copied: its rows are those of before already.
  let shared: unknown[] | undefined;
  let isSame = before.length === rows.length;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (seen.values > sliceValues) {
      seen.values = 0;
      yield;
    }
    const id = idOf(row);
    if (!byId && index < before.length && id !== idOf(before[index])) byId = yield* indexById(before);
    const old = id === undefined || !byId ? before[index] : byId.get(id);
    // Compared first: most rows are unchanged, and sharing would copy each.
    const isOld = isEqual(old, row, seen);
    const one = isOld ? old : replaceEqualDeep(old, row);
    if (one !== row) shared ??= rows.slice(0, index);
    shared?.push(one);
    isSame &&= one === before[index];
  }
  if (rows.length > manyRows) yield;
  return isSame ? before : (shared ?? rows);
}

function* indexById(rows: readonly unknown[]): Sliced<Map<unknown, unknown>> {
  const byId = new Map<unknown, unknown>();
  for (const row of rows) {
    byId.set(idOf(row), row);
    if (byId.size % sliceValues === 0) yield;
  }
  return byId;
}

const idOf = (row: unknown): unknown => (isPlain(row) ? row.id : undefined);

function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether two JSON values are equal, names in any order. Counts the values that it has seen. */
function isEqual(left: unknown, right: unknown, seen: { values: number }): boolean {
  seen.values += 1;
  if (left === right) return true;
  if (Array.isArray(left))
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, at) => isEqual(item, right[at], seen))
    );
  if (!isPlain(left) || !isPlain(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name], seen))
  );
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

export interface Cache {
  /** Reads now, unless the entry is younger than `freshMs` (3 s), then polls, as often as the most eager watcher wants, until the returned function is called. */
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

/** Milliseconds: opening a screen does not read an entry again that is younger. */
const fresh = 3_000;

/**
 * The cache of reads. TanStack query-core holds the entries and runs one read for each question at a time; this keeps
 * unchanged rows identical and adds polling, partial results, the order of reads against edits, and an end for entries that
 * nobody uses.
 */
export function createCache(options: CacheOptions): Cache {
  const cache = openCacheState(options);
  const { client, watched, readAt, askedAt, stale, seeded, uses, overlays, pace, count } = cache;
  return {
    watch(question, { everyMs, freshMs }, changed) {
      const entry: WatchedRead = watched.get(question.key) ?? { question, watchers: new Set(), cancelTimer: () => {} };
      if (entry.watchers.size === 0) {
        watched.set(question.key, entry);
        readThenPoll(cache, entry, freshMs);
      }
      const watcher = { everyMs, changed };
      entry.watchers.add(watcher);
      return () => {
        entry.watchers.delete(watcher);
        if (entry.watchers.size > 0) return;
        entry.cancelTimer();
        watched.delete(question.key);
      };
    },
    async ask<T>(question: CachedRead<T>, freshMs = fresh) {
      await readEntry(cache, question, freshMs);
      return this.known<T>(question.key);
    },
    known<T>(key: string): CacheEntry<T> {
      const state = entryState<T>(cache, key);
      if (state) uses.touch(key);
      const asking = state?.fetchStatus === 'fetching';
      const isFirst = asking && state.data === undefined;
      const problem = state?.error || isFirst ? cache.failed.get(key) : undefined;
      return {
        ...present({
          value: state?.data,
          at: readAt.get(key),
          problem,
          nextAt: problem && watched.get(key)?.nextAt,
          askedAt: isFirst ? askedAt.get(key) : undefined,
          isFromSnapshot: seeded.has(key) || undefined,
        }),
        asking,
        partial: cache.partial.has(key),
      };
    },
    seed(key, value, at) {
      if (entryState(cache, key)?.data !== undefined) return;
      client.setQueryData([key], value);
      readAt.set(key, at);
      seeded.add(key);
      uses.touch(key);
      count.version += 1;
    },
    refresh(how) {
      for (const entry of watched.values()) {
        if (how === 'whole') stale.set(entry.question.key, {});
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
        stale.set(question.key, {});
        const canceled = client.cancelQueries({ queryKey: [entry.question.key] });
        void canceled.then(() => readThenPoll(cache, entry, 0));
      }
      for (const { queryHash: key } of client.getQueryCache().getAll()) {
        if (!watched.has(key)) stale.set(key, {});
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

/** Reads an entry, unless it is younger than `staleTime`, and tells those who watch it. */
async function readEntry<T>(cache: CacheState, question: CachedRead<T>, staleTime: number): Promise<void> {
  const { key } = question;
  cache.uses.touch(key);
  const before = entryState(cache, key);
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
  else tellWatchers(cache, key);
  await reading;
  tellWatchers(cache, key);
  sweepEntries(cache);
}

/** The value of a read, sharing what is unchanged; the first time, its first pages are shown before the rest is there. */
async function readValue<T>(cache: CacheState, question: CachedRead<T>, signal: AbortSignal): Promise<unknown> {
  const { client, clock, startedAt, readAt, failed, stale, partial, seeded } = cache;
  const { key } = question;
  const turn = cache.overlays.turn();
  const staleBy = stale.get(key);
  /** What became stale again while it was read is read whole the next time. */
  const refreshed = () => {
    if (stale.get(key) === staleBy) stale.delete(key);
  };
  const isFirst = entryState(cache, key)?.data === undefined || partial.has(key) || seeded.has(key);
  const showFirst = (value: T) => {
    if (!isFirst || signal.aborted) return;
    partial.add(key);
    seeded.delete(key);
    readAt.set(key, clock.now());
    refreshed();
    client.setQueryData([key], value);
    tellWatchers(cache, key);
  };
  const before = isFirst || (question.allOf && staleBy) ? undefined : entryState<T>(cache, key)?.data;
  const edited = cache.overlays.confirmed(question.allOf, startedAt.get(key) ?? 0);
  const result = await runSafely(cache.run, () => question.plan(before, edited), { signal, partial: showFirst });
  // One that was canceled says nothing of the next.
  if (!result.ok && result.problem.kind !== 'canceled') failed.set(key, { ...result.problem, at: clock.now() });
  else failed.delete(key);
  // query-core expects a failure to be thrown.
  if (!result.ok) throw new Error(result.problem.text);
  const value = await runInSlices(shareUnchanged(entryState(cache, key)?.data, result.value));
  if (!signal.aborted) {
    startedAt.set(key, turn);
    readAt.set(key, clock.now());
    refreshed();
    partial.delete(key);
    seeded.delete(key);
  }
  return value;
}

/** Runs a plan; one that throws (a bug) ends only this read, with a sentence. */
async function runSafely<T>(
  run: RunReads,
  plan: () => ReturnType<CachedRead<T>['plan']>,
  how: { signal: AbortSignal; partial: (value: T) => void },
): Promise<Result<T>> {
  try {
    return await run(plan(), how);
  } catch (error) {
    return problemResult('unreadable', `this cannot be read: ${thrownText(error)}`);
  }
}

function readThenPoll(cache: CacheState, entry: WatchedRead, freshMs = fresh): void {
  entry.nextAt = undefined;
  void readEntry(cache, entry.question, freshMs).then(() => pollNext(cache, entry));
}

function pollNext(cache: CacheState, entry: WatchedRead): void {
  const { key } = entry.question;
  const { pace, watched } = cache;
  entry.cancelTimer();
  // It was left meanwhile; where it is asked again, that is another entry, with a timer of its own.
  if (watched.get(key) !== entry) return;
  const failure = failureOf(cache.failed.get(key));
  const value = entryState(cache, key)?.data;
  const least = (value === undefined ? undefined : entry.question.everyMs?.(value)) ?? 0;
  const everyMs = Math.min(...Array.from(entry.watchers, (watcher) => watcher.everyMs));
  const gap = pace.gap(Math.max(everyMs, least), failure);
  entry.nextAt = failure && cache.clock.now() + gap;
  if (failure) tellWatchers(cache, key);
  entry.cancelTimer = cache.clock.after(gap, () => {
    if (pace.paused() || pace.holding() > 0) pollNext(cache, entry);
    else readThenPoll(cache, entry, 0);
  });
}

/**
 * The cache of what this client reads. A read begins in the next turn of the event loop, after the frame of the key that asks for it
 * is written: making the request takes a millisecond and more.
 */
export const openCache = (
  client: Pick<Client, 'run' | 'holdBack' | 'slowdown'>,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): Cache =>
  createCache({
    run: async (plan, how) => {
      await nextTurn();
      return client.run(plan, how);
    },
    clock,
    random,
    holdBack: () => client.holdBack(),
    slowdown: client.slowdown,
  });
