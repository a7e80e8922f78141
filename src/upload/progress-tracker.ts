import type { Clock } from '../lib/clock.ts';
import { type PartLayout, partRange } from './part-layout.ts';
import { createRateMeter, type RateMeter } from './rate-meter.ts';
import type { Phase, UploadProgress } from './upload-progress.ts';

/** State of one part, updated while it is sent. */
export interface PartState {
  isStored: boolean;
  sent: number;
}

/** Progress of an upload and its subscribers. */
export interface ProgressTracker {
  readonly pace: RateMeter;
  /** One for each part, changed by who sends them. */
  readonly parts: readonly PartState[];
  subscribe(listener: (progress: UploadProgress) => void): () => void;
  now(): UploadProgress;
  enter(phase: Phase): void;
  /** Notifies subscribers of a change in `parts`, at most ten times a second. */
  moved(): void;
  /** A step is repeated; `why` is shown. */
  again(why: string): void;
  /** The upload starts again, but for the parts that have arrived. */
  restart(stored?: readonly boolean[]): void;
  /** The addresses die at this moment, wall clock. */
  expires(at: number): void;
  /** The table's state. */
  status(status: string): void;
}

const mostNotes = 3;
const leastMs = 100;

/** Creates a tracker at the start of an upload. */
export function createProgressTracker(plan: PartLayout & { readonly size: number }, clock: Clock): ProgressTracker {
  const pace = createRateMeter(clock);
  const parts = Array.from({ length: plan.partCount }, (): PartState => ({ isStored: false, sent: 0 }));
  const listeners = new Set<(progress: UploadProgress) => void>();
  const state: { phase: Phase; expires?: number; status?: string; again: readonly string[]; told: number } = {
    phase: 'beginning',
    again: [],
    told: Number.NEGATIVE_INFINITY,
  };

  const now = (): UploadProgress => {
    const { phase, again: restarts, status, expires } = state;
    const sent = parts.reduce((sum, part) => sum + part.sent, 0);
    const isSending = phase === 'sending';
    const rate = isSending ? pace.rate() : undefined;
    const leftMs = rate === undefined ? undefined : ((plan.size - sent) / rate) * 1000;
    const expiresMs = isSending && expires !== undefined ? Math.max(0, expires - clock.now()) : undefined;
    return {
      phase,
      size: plan.size,
      sent,
      parts: { done: parts.filter((part) => part.isStored).length, of: plan.partCount },
      isTooSlow: leftMs !== undefined && expiresMs !== undefined && leftMs > expiresMs,
      again: restarts,
      ...(rate !== undefined && { rate }),
      ...(leftMs !== undefined && { leftMs }),
      ...(expiresMs !== undefined && { expiresMs }),
      ...(status !== undefined && { status }),
    };
  };
  const tell = (): void => {
    state.told = clock.now();
    for (const listener of listeners) listener(now());
  };

  return {
    pace,
    parts,
    now,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    enter(phase) {
      state.phase = phase;
      if (phase === 'sending') pace.begin();
      tell();
    },
    moved() {
      // A wall clock that jumped back must not silence us.
      if (Math.abs(clock.now() - state.told) >= leastMs) tell();
    },
    again(why) {
      state.again = [...state.again, why].slice(-mostNotes);
      tell();
    },
    restart(stored = []) {
      for (const [at, part] of parts.entries()) {
        const { begin, end } = partRange(plan, plan.size, at);
        const isStored = stored[at] === true;
        Object.assign(part, { isStored, sent: isStored ? end - begin : 0 });
      }
    },
    expires(at) {
      state.expires = at;
    },
    status(status) {
      state.status = status;
      tell();
    },
  };
}
