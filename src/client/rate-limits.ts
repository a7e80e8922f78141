import type { Clock } from '../lib/clock.ts';
import type { Budget } from './client.ts';
import { type Headers, msUntilReset, nonNegative, retryAfterMs } from './wait-times.ts';

/** Rate limits from response headers, and the retry budget. */
export interface RateLimits {
  /** Reads the rate headers of an answer; `as` says whether polls draw from the same bucket. */
  note(operation: string, as: 'read' | 'edit', status: number, headers: Headers): void;
  budgets(): readonly Budget[];
  /** Milliseconds to hold back polls: of one operation, or the longest of all reads. */
  holdBack(operation?: string): number;
  refusals(): number;
  /** Takes the price of a retry from the budget; false when it is too low. */
  retry(): boolean;
  /** Returns one token to the retry budget. */
  succeeded(): void;
}

const mostTokens = 100;
const retryPrice = 5;
const mostBuckets = 200;

/** Share of the limit below which polls leave a bucket to edits (design: polling). */
const reserve = 0.3;

/**
 * One bucket for each `X-RateLimit-Name`, or for each operation where the name is missing. Headers are not trusted:
 * ignores what is no number, clamps a reset to 0.5 to 300 s, and a 429 always holds back.
 */
export function createRateLimits(options: { clock: Clock; random: () => number }): RateLimits {
  const buckets = new Map<string, Budget>();
  /** End of the wait per bucket, wall clock; the random part is drawn once per period. */
  const heldUntil = new Map<string, number>();
  const bucketOf = new Map<string, string>();
  const readFrom = new Set<string>();
  const count = { refusals: 0, tokens: mostTokens };
  const { clock, random } = options;

  const left = (name: string): number => Math.max(0, (heldUntil.get(name) ?? 0) - clock.now());

  return {
    note(operation, as, status, headers) {
      const now = clock.now();
      const budget = budgetIn(operation, headers, now);
      const claimed = budget?.name ?? bucketOf.get(operation) ?? operation;
      // The service chooses the names; a service that never repeats one must not fill the memory.
      const name = buckets.has(claimed) || buckets.size < mostBuckets ? claimed : operation;
      bucketOf.set(operation, name);
      if (as === 'read') readFrom.add(name);
      if (budget) buckets.set(name, { ...budget, name });
      if (status === 429) {
        count.refusals++;
        const wait = retryAfterMs(headers, now, random) ?? 1_000 + random() * 1_000;
        heldUntil.set(name, Math.max(heldUntil.get(name) ?? 0, now + wait));
      } else if (budget && budget.remaining < budget.limit * reserve) {
        // The draw of this period stands until it is over.
        if (left(name) === 0) heldUntil.set(name, budget.resetAt + random() * Math.min(budget.periodMs, 300_000));
      }
    },
    budgets: () => [...buckets.values()],
    holdBack: (operation) =>
      operation === undefined ? Math.max(0, ...[...readFrom].map(left)) : left(bucketOf.get(operation) ?? operation),
    refusals: () => count.refusals,
    retry() {
      if (count.tokens < retryPrice) return false;
      count.tokens -= retryPrice;
      return true;
    },
    succeeded() {
      count.tokens = Math.min(mostTokens, count.tokens + 1);
    },
  };
}

function budgetIn(operation: string, headers: Headers, now: number): Budget | undefined {
  const limit = nonNegative(headers['x-ratelimit-limit']);
  const remaining = nonNegative(headers['x-ratelimit-remaining']);
  const reset = msUntilReset(headers, now);
  if (limit === undefined || limit === 0 || remaining === undefined || reset === undefined) return undefined;
  return {
    name: headers['x-ratelimit-name']?.trim().slice(0, 80) || operation,
    limit,
    remaining: Math.min(limit, remaining),
    periodMs: (nonNegative(headers['x-ratelimit-period']) ?? reset / 1000) * 1000,
    resetAt: now + reset,
  };
}
