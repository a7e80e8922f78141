import type { Clock } from '../lib/time.ts';
import type { Attempt } from './response-result.ts';

/** Milliseconds after which an answer that was too large is asked for again. */
const heldMs = 600_000;
/** Requests that are remembered at most. */
const most = 100;

/** Reads whose answers were too large to read: each poll would fetch up to 8 MB of one again, only to throw it away. */
export interface TooLarge {
  /** What was said of the same request, where that is not long ago. */
  last(request: string): Attempt | undefined;
  keep(request: string, attempt: Attempt): void;
}

export function createTooLarge(clock: Clock): TooLarge {
  const attempts = new Map<string, { readonly at: number; readonly attempt: Attempt }>();
  return {
    last(request) {
      const known = attempts.get(request);
      return known && clock.now() - known.at < heldMs ? known.attempt : undefined;
    },
    keep(request, attempt) {
      if (attempt.result.ok || !attempt.result.problem.tooBig) return;
      if (attempts.size >= most) attempts.clear();
      attempts.set(request, { at: clock.now(), attempt });
    },
  };
}
