import type { Repeat } from '../api/endpoint.ts';
import type { AttemptOutcome } from './response-result.ts';

/**
 * `unknown`: stop with an unknown outcome. `readBack`: read the object before anything else; `lastLook`: read it, and send
 * nothing more.
 */
export type RetryDecision = 'end' | 'again' | 'readBack' | 'lastLook' | 'unknown';

export interface RetryState {
  readonly repeat: Repeat;
  readonly seen: AttemptOutcome;
  /** Attempts so far, at least 1. */
  readonly attempts: number;
  /** Milliseconds since the first attempt began, plus the wait that would come next. */
  readonly elapsedMs: number;
  /** Whether the deployment has a read that shows what became of the edit. */
  readonly canReadBack: boolean;
}

/** Attempts at an unreachable service. */
const mostUnsent = 3;

/** Milliseconds within which an edit is sent again: later it might overwrite somebody else's change. */
const resendWithinMs = 10_000;

/** How long an unknown outcome is followed up, in milliseconds. */
export const settleMs = 120_000;

const limits: Record<Repeat, { readonly attempts: number; readonly ms: number }> = {
  read: { attempts: 3, ms: 20_000 },
  settable: { attempts: 8, ms: settleMs },
  delete: { attempts: 8, ms: settleMs },
  once: { attempts: 8, ms: settleMs },
  part: { attempts: 8, ms: settleMs },
  replace: { attempts: 3, ms: 10_000 },
};

/** What to do after an attempt, by the class of the operation and never by its method (docs/design/reliability.md#retry-by-operation). */
export function decideRetry({ repeat, seen, attempts, elapsedMs, canReadBack }: RetryState): RetryDecision {
  const limit = limits[repeat];
  const mayGoOn = attempts < limit.attempts && elapsedMs < limit.ms;
  switch (seen.kind) {
    case 'final':
      return 'end';
    case 'unsent':
      return mayGoOn && attempts < mostUnsent ? 'again' : 'end';
    case 'refused':
      // After a wait, the object may have changed since it was read, and a replacement would undo that.
      return mayGoOn && repeat !== 'replace' ? 'again' : 'end';
    case 'doubt':
      return decideInDoubt(repeat, mayGoOn, elapsedMs, canReadBack);
  }
}

/** What to do after an attempt of which it is unknown whether it was applied. */
function decideInDoubt(repeat: Repeat, mayGoOn: boolean, elapsedMs: number, canReadBack: boolean): RetryDecision {
  switch (repeat) {
    case 'read':
      return mayGoOn ? 'again' : 'end';
    case 'delete':
    case 'part':
      return mayGoOn ? 'again' : 'unknown';
    case 'settable':
      if (canReadBack) return mayGoOn ? 'readBack' : 'lastLook';
      return mayGoOn && elapsedMs < resendWithinMs ? 'again' : 'unknown';
    default:
      return 'unknown';
  }
}
