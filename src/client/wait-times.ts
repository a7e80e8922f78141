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
  return random() * Math.min(longestBackoff, base * 2 ** Math.max(0, attempt));
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
export function nonNegative(text: string | undefined): number | undefined {
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
