import type { CacheEntry } from '../../cache/cache.ts';
import type { Context } from '../../describe/context.ts';
import { timeToSecond } from '../../lib/time-text.ts';
import { offsetName } from '../../lib/zone.ts';
import type { State } from './state.ts';

/** Milliseconds without an answer after which a read is said to be slow. */
const slowMs = 5_000;

/** What happens next with a read that has failed, or that takes long: `Next try 12:05:31 UTC`. Empty where nothing is to be said. */
export function readOutlook(
  { problem, asking, askedAt, nextAt }: Omit<CacheEntry<unknown>, 'value'>,
  { paused }: Pick<State, 'paused'>,
  { now, zone }: Pick<Context, 'now' | 'zone'>,
): string {
  const exact = (at: number) => `${timeToSecond(at, zone)} ${offsetName(at, zone)}`;
  const isSlow = asking && askedAt !== undefined && now - askedAt >= slowMs;
  const since = isSlow ? `, no answer since ${exact(askedAt)}` : '';
  if (!problem) return isSlow ? `No answer since ${exact(askedAt)}` : '';
  // Nothing is sent with keys that were refused.
  if (problem.status === 401) return '';
  if (asking) return `Trying again${since}`;
  if (paused) return 'Polling is paused';
  return nextAt === undefined ? '' : `Next try ${exact(nextAt)}`;
}
