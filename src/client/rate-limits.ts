import { type Clock, steadyTime } from '../lib/time.ts';
import { createSlowdowns, reserve } from './slowdowns.ts';
import { type Headers, msUntilReset, nonNegative, retryAfterMs } from './wait-times.ts';

/** A rate limit as the response headers report it. */
export interface Budget {
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  readonly periodMs: number;
  /** When the count starts again, wall clock. */
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
