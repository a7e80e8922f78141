import { type Problem, problemResult } from '../api/problem.ts';
import { type Clock, keepAwake, steadyTime } from '../lib/time.ts';
import type { RequestKeys } from './wire-request.ts';

/** Stops a client whose keys are no longer accepted (docs/design/reliability.md#after-the-first-401). */
export interface KeyGate {
  /** Admits a request and counts it; undefined when none may be sent with these keys. */
  pass(keys: RequestKeys): GatePass | undefined;
  /** True when no request is sent until other keys are given. */
  isShut(keys: RequestKeys): boolean;
}

/** One admitted request. */
export interface GatePass {
  /** The status and messages of the response. Not called without a response. */
  answered(status: number, words: readonly string[]): void;
}

/** Requests still sent after a 401: they show whether it was about the keys or about that operation alone. */
const mostAfter = 2;

/**
 * A 401 with a message about something else (a locked monitor) does not count. After any other, two more requests are
 * sent; a success of one of them opens the gate again.
 */
export function createKeyGate(): KeyGate {
  let refused: { readonly keys: RequestKeys; left: number } | undefined;
  const current = (keys: RequestKeys) =>
    refused && refused.keys.apiKey === keys.apiKey && refused.keys.appKey === keys.appKey ? refused : undefined;
  return {
    pass(keys) {
      const since = current(keys);
      if (!since) refused = undefined;
      if (since && since.left >= mostAfter) return undefined;
      if (since) since.left += 1;
      return {
        answered(status, words) {
          if (status === 401 && isAboutKeys(words)) refused = current(keys) ?? { keys, left: 0 };
          // The response to a request from before the refusal does not prove that the keys are valid now.
          else if (status < 400 && since && since === refused) refused = undefined;
        },
      };
    },
    isShut: (keys) => (current(keys)?.left ?? 0) >= mostAfter,
  };
}

/** Problem of a request that is blocked because the keys were refused. */
export const keysRefused = (operation: string): Problem =>
  problemResult('forbidden', 'not sent: the keys are not accepted (401); renew them, then P and Enter on the profile', {
    status: 401,
    operation,
  }).problem;

const isAboutKeys = (words: readonly string[]): boolean =>
  words.every(
    (word) =>
      /^\W*(401\W*)?(unauthori[sz]ed|forbidden|not authori[sz]ed|authentication (failed|required))\W*$/i.test(word) ||
      /\b(api|app|application)[ _-]?keys?\b|\bcredentials?\b|\btokens?\b/i.test(word),
  );

/** How much slower polls are because others use the limit of their bucket. */
interface Slowdowns {
  /** Before an answer of the operation is noted, whose bucket this is: forgets what no longer holds, and guesses where headers tell. */
  prepare(operation: string, name: string, isTold: boolean): void;
  /** After a read: the use of the bucket's limit as its headers tell it, none without them. */
  note(name: string, use: number | undefined, status: number): void;
  times(name: string): number;
  isShared(name: string): boolean;
  /** The longest of these buckets; `shared`: of those that others use, too. */
  most(names: Iterable<string>, which?: 'shared'): number;
}

/** Share of the limit below which polls leave a bucket to edits (docs/design/reliability.md#polling). */
const reserve = 0.3;
/** What polls of all clients should use of a limit: above the one they slow down, below the other they recover. */
const aim = { most: 1 - reserve, least: 0.5 };
const mostSlowdown = 30;
/** What a refusal says of the use. */
const refusedUse = 2;
/** What an answer without headers of the limit says of it: nothing confirms the slowdown, and it halves. */
const untoldUse = aim.least / 2;
/** Milliseconds after the last reset that headers told: polls slowed down the most ask more often than this. */
const longestSilence = 600_000;
/** Most that the slowdown is multiplied by at once: a client that has just begun does not know how many there are. */
const mostStep = { first: 8, later: 3 };
/** Least that it is multiplied by: where hundreds speed up at once by more, they refuse each other again. */
const leastStep = 0.3;
/** Where no header ever told of the limit: after a refusal, and after an answer. Together many keep to where about one in eight is refused. */
const guessed = { refused: 2, answered: 0.9 };
/** Where refusals alone have told of a limit, it is shared from this slowdown on: one client alone is refused once. */
const guessedShare = 4;
/** Least milliseconds between two changes of the slowdown: time for it to show. */
const slowdownMs = 10_000;

/** `steady`: a clock that is not set; `resetAt`: the reset of a bucket that headers told last. */
function createSlowdowns(steady: () => number, resetAt: (name: string) => number | undefined): Slowdowns {
  const slowed = new Map<string, { readonly times: number; readonly at: number }>();
  /** Buckets that others use, too, as an answer that was no refusal has told, or several refusals where no answer tells. */
  const shared = new Set<string>();
  /** Buckets of which refusals alone tell. */
  const untold = new Set<string>();
  const isSilent = (name: string): boolean => {
    const toldAt = untold.has(name) ? slowed.get(name)?.at : resetAt(name);
    return steady() > (toldAt ?? 0) + longestSilence;
  };
  const times = (name: string): number => (isSilent(name) ? 1 : (slowed.get(name)?.times ?? 1));
  const forget = (name: string) => {
    for (const facts of [slowed, shared, untold]) facts.delete(name);
  };
  const change = (name: string, stepAt: (isFirst: boolean) => number) => {
    const { times, at } = slowed.get(name) ?? { times: 1, at: undefined };
    if (at !== undefined && steady() - at < slowdownMs) return;
    const next = Math.min(mostSlowdown, Math.max(1, times * stepAt(at === undefined)));
    slowed.set(name, { times: next, at: steady() });
    if (next === 1) shared.delete(name);
    else if (untold.has(name) && next >= guessedShare) shared.add(name);
  };
  const slow = (name: string, use: number) => {
    if (use <= aim.most && (use >= aim.least || !slowed.has(name))) return;
    change(name, (isFirst) => {
      const most = isFirst ? mostStep.first : mostStep.later;
      return use > aim.most ? Math.min(most, (use / aim.most) ** 2) : Math.max(leastStep, use / aim.least);
    });
  };
  return {
    prepare(operation, name, isTold) {
      if (isSilent(name)) slowed.delete(name);
      if (isTold) for (const one of [operation, name]) if (untold.has(one)) forget(one);
    },
    note(name, use, status) {
      const isRefused = status === 429;
      if (isRefused && use === undefined && resetAt(name) === undefined) untold.add(name);
      if (use !== undefined) {
        if (!isRefused && use > aim.most) shared.add(name);
        slow(name, isRefused ? refusedUse : use);
      } else if (untold.has(name)) {
        if (isRefused || status < 400) change(name, () => (isRefused ? guessed.refused : guessed.answered));
      } else if (status < 400) slow(name, untoldUse);
    },
    times,
    isShared: (name) => shared.has(name),
    most: (names, which) =>
      Math.max(1, ...[...names].filter((name) => which === undefined || shared.has(name)).map(times)),
  };
}

/** Waits in milliseconds; pure: randomness and time are passed in (docs/design/reliability.md#waiting). */

/** Base of exponential waits: after a network failure, after a 429. */
export const networkBase = 500;
export const refusedBase = 1000;

const longestBackoff = 20_000;
const shortestReset = 500;
const longestReset = 300_000;
/** Longest jitter, in milliseconds. Edits are few and come first. */
const mostSpread = { read: 15_000, edit: 5_000 } as const;

/** Headers of an answer: lower-case names, one text each. */
export type Headers = Readonly<Record<string, string>>;

/** Full jitter: between 0 and `base` doubled `attempt` times, 20 s at most. */
export function backoff(attempt: number, base: number, random: () => number): number {
  return random() * Math.min(longestBackoff, base * 2 ** attempt);
}

/**
 * The wait that the response headers ask for: `Retry-After` (seconds or a date), else `X-RateLimit-Reset` (seconds, or
 * an epoch above 10^6). Clamped to 0.5 to 300 s, plus jitter of at most 15 s (5 s for an edit) or a quarter of the period, so
 * that many clients do not retry at once. Undefined without a readable header.
 */
export function retryAfterMs(
  headers: Headers,
  now: number,
  random: () => number,
  as: 'read' | 'edit' = 'read',
): number | undefined {
  const asked = secondsAsked(headers['retry-after'], now) ?? secondsAsked(headers['x-ratelimit-reset'], now);
  if (asked === undefined) return undefined;
  const wait = clamp(asked * 1000);
  const period = nonNegative(headers['x-ratelimit-period']);
  return wait + random() * Math.min(mostSpread[as], (period === undefined ? wait : period * 1000) / 4);
}

/** Milliseconds until the count starts again, by `X-RateLimit-Reset` alone, clamped; undefined when it says nothing. */
export function msUntilReset(headers: Headers, now: number): number | undefined {
  const asked = secondsAsked(headers['x-ratelimit-reset'], now);
  return asked === undefined ? undefined : clamp(asked * 1000);
}

/** A number that a header may hold: not negative and finite; undefined for anything else. */
function nonNegative(text: string | undefined): number | undefined {
  if (!text?.trim()) return undefined;
  const number = Number(text);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

// Timers fire at once for NaN and for far times, so every wait is clamped.
const clamp = (ms: number): number => Math.min(longestReset, Math.max(shortestReset, ms));

function secondsAsked(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) {
    if (number > 1e11) return number / 1000 - now / 1000;
    return number > 1e6 ? number - now / 1000 : number;
  }
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : (date - now) / 1000;
}

/** A rate limit as the response headers report it. */
export interface Budget {
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  readonly periodMs: number;
  /** When the count starts again, epoch milliseconds. */
  readonly resetAt: number;
}

/** Rate limits from response headers, and the retry budget. */
export interface RateLimits {
  /** Reads the rate headers of an answer; `as` says whether polls draw from the same bucket. */
  note(operation: string, as: 'read' | 'edit', status: number, headers: Headers): void;
  budgets(): readonly Budget[];
  /** Milliseconds to hold back polls: of one operation, or the longest of all reads. */
  holdBack(operation?: string): number;
  /**
   * How many times as long polls should wait between reads, from 1 on: more where all clients of a limit together would use it
   * up, so that hundreds of dashboards share one. Falls to 1 at the latest ten minutes after the reset that the limit's headers
   * told last: 15 minutes after them, whatever they told. `shared`: only of limits of which an answer has told that many use it; a
   * refusal alone does not.
   */
  slowdown(which?: 'shared'): number;
  refusals(): number;
  /** Takes the price of a retry from the budget; false when it is too low. A read pays more while polls are slowed down. */
  retry(as: 'read' | 'edit'): boolean;
  /** Returns one token to the retry budget. */
  succeeded(): void;
}

const mostTokens = 100;
const retryPrice = 5;
const mostBuckets = 200;
/** Longest time over which held polls come back, in milliseconds. */
const longestSpread = 120_000;

/**
 * One bucket for each `X-RateLimit-Name`, or for each operation where the name is missing. Headers are not trusted:
 * ignores what is no number, clamps a reset to 0.5 to 300 s, and a 429 always holds back.
 */
export function createRateLimits(options: { clock: Clock; random: () => number }): RateLimits {
  /** All moments here are those of `steady`: a clock that is set back lengthens nothing. */
  const buckets = new Map<string, Budget>();
  /** End of the wait per bucket; the random part is drawn once per period. */
  const heldUntil = new Map<string, number>();
  const bucketOf = new Map<string, string>();
  const readFrom = new Set<string>();
  const count = { refusals: 0 };
  // Polls that are refused take nothing from edits.
  const tokens = { read: mostTokens, edit: mostTokens };
  const { clock, random } = options;
  const steady = steadyTime(clock);

  const left = (name: string): number => Math.max(0, (heldUntil.get(name) ?? 0) - steady());

  const slowdowns = createSlowdowns(steady, (name) => buckets.get(name)?.resetAt);
  const slowdown = (which?: 'shared') => slowdowns.most(readFrom, which);

  /** Assigns the operation to the bucket that its answer names, and returns its name. */
  const assignBucket = (operation: string, budget: Budget | undefined): string => {
    const claimed = budget?.name ?? bucketOf.get(operation) ?? operation;
    // The service chooses the names; a service that never repeats one must not fill the memory.
    const name = buckets.has(claimed) || buckets.size < mostBuckets ? claimed : operation;
    bucketOf.set(operation, name);
    return name;
  };

  /** Holds a bucket back until `until` after a refusal, longer where it was a poll's, whose budget is given. */
  const holdRefused = (name: string, until: number, polled: Budget | undefined) => {
    // Refused after a wait, many come back over as many periods as their polls are slowed down.
    const spread =
      polled && slowdowns.isShared(name) && left(name) === 0 ? (slowdowns.times(name) - 1) * polled.periodMs : 0;
    heldUntil.set(name, Math.max(heldUntil.get(name) ?? 0, until + random() * Math.min(spread, longestSpread)));
  };

  /** Milliseconds; of an edit the longest of those that are drawn, so that the edit goes first. */
  const waitAfterRefusal = (headers: Headers, isRead: boolean): number =>
    retryAfterMs(headers, clock.now(), isRead ? random : () => 1) ?? 1000 * (1 + random());

  return {
    note(operation, as, status, headers) {
      const now = steady();
      const budget = budgetIn(operation, headers, clock.now(), now);
      const name = assignBucket(operation, budget);
      const isRead = as === 'read';
      slowdowns.prepare(operation, name, budget !== undefined);
      if (budget) buckets.set(name, { ...budget, name });
      if (isRead) {
        readFrom.add(name);
        slowdowns.note(name, budget && projectedUse(budget, now), status);
      }
      if (status === 429) {
        count.refusals++;
        holdRefused(name, now + waitAfterRefusal(headers, isRead), isRead ? budget : undefined);
      } else if (budget && budget.remaining < budget.limit * reserve && left(name) === 0) {
        // The draw of this period stands until it is over.
        heldUntil.set(name, budget.resetAt + random() * Math.min(budget.periodMs, longestSpread));
      }
    },
    budgets: () => {
      const lost = steady() - clock.now();
      return Array.from(buckets.values(), (budget) => ({ ...budget, resetAt: budget.resetAt - lost }));
    },
    holdBack: (operation) =>
      operation === undefined ? Math.max(0, ...[...readFrom].map(left)) : left(bucketOf.get(operation) ?? operation),
    slowdown,
    refusals: () => count.refusals,
    retry(as) {
      const price = as === 'read' ? retryPrice * (3 * slowdown() - 2) : retryPrice;
      if (tokens[as] < price) return false;
      tokens[as] -= price;
      return true;
    },
    succeeded() {
      for (const as of ['read', 'edit'] as const) tokens[as] = Math.min(mostTokens, tokens[as] + 1);
    },
  };
}

/** Share of the limit that will be used at the end of the period if all go on like this; early in it, what is used so far. */
function projectedUse({ limit, remaining, resetAt, periodMs }: Budget, now: number): number {
  const used = 1 - remaining / limit;
  const elapsed = 1 - (resetAt - now) / periodMs;
  return elapsed < 0.25 ? used : used / elapsed;
}

/** `wall` tells what the headers mean, `now` is when it is. */
function budgetIn(operation: string, headers: Headers, wall: number, now: number): Budget | undefined {
  const limit = nonNegative(headers['x-ratelimit-limit']);
  const remaining = nonNegative(headers['x-ratelimit-remaining']);
  const reset = msUntilReset(headers, wall);
  if (!limit || remaining === undefined || reset === undefined) return undefined;
  return {
    name: headers['x-ratelimit-name']?.trim().slice(0, 80) || operation,
    limit,
    remaining: Math.min(limit, remaining),
    periodMs: (nonNegative(headers['x-ratelimit-period']) ?? reset / 1000) * 1000,
    resetAt: now + reset,
  };
}

/** Waits `ms` on the given clock; true when the time is over, false as soon as the signal aborts. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    // A command must not end while it waits.
    const fallAsleep = keepAwake();
    const end = (over: boolean) => {
      fallAsleep();
      callOff();
      signal.removeEventListener('abort', aborted);
      resolve(over);
    };
    const aborted = () => end(false);
    const callOff = clock.after(ms, () => end(true));
    signal.addEventListener('abort', aborted);
  });
}
