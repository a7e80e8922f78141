import type { Clock } from '../lib/clock.ts';
import type { Output } from './output.ts';

/** Bytes on their way to the terminal, in order. Never blocks, except in `flush`. */
export interface Outlet {
  /** Sends text, after what still waits. */
  write(text: string): void;
  /** Bytes that the terminal has not taken yet. */
  waiting(): number;
  /** True while the terminal takes nothing, or much less than it is sent. */
  isStalled(): boolean;
  /** Waits, blocking, until everything is written, `ms` at most. False when something is left, or nobody is there. */
  flush(ms: number): boolean;
  /** Forgets what waits; true when there was something, perhaps the rest of a sequence. */
  drop(): boolean;
  /** Takes nothing more. */
  close(): void;
}

/** Queued bytes above which the terminal counts as stalled: about two of the largest frames. */
export const MOST_WAITING = 32 * 1024;
/** Time after which a terminal that takes nothing counts as stalled, however little is queued. */
const STALL_MS = 250;
/**
 * Waits before what was left is tried again: a terminal takes a frame of 200x50 in two parts at times, and then has room at once; one that
 * has none is asked ever less often, down to this.
 */
const RETRY_MS = { first: 1, longest: 8 } as const;

/** `emptied` is called when the terminal has taken everything; `gone` once, when nobody is there any more (EIO, EPIPE). */
export function createOutlet(
  output: Output,
  clock: Clock,
  { emptied, gone }: { emptied(): void; gone(): void },
): Outlet {
  let waiting: Buffer = Buffer.alloc(0);
  let takenAt = 0;
  let retry: (() => void) | undefined;
  let retryMs: number = RETRY_MS.first;
  let isOpen = true;

  /** Writes as much as the terminal takes. */
  function push() {
    try {
      while (waiting.length > 0) {
        const taken = output.write(waiting);
        if (taken === 0) break;
        waiting = waiting.subarray(taken);
        takenAt = clock.now();
        retryMs = RETRY_MS.first;
      }
    } catch {
      waiting = Buffer.alloc(0);
      isOpen = false;
      return gone();
    }
    if (waiting.length === 0) emptied();
    else if (!retry) {
      retry = clock.after(retryMs, () => {
        retry = undefined;
        push();
      });
      retryMs = Math.min(2 * retryMs, RETRY_MS.longest);
    }
  }

  return {
    write(text) {
      if (!isOpen || text === '') return;
      const bytes = Buffer.from(text);
      const wasEmpty = waiting.length === 0;
      waiting = wasEmpty ? bytes : Buffer.concat([waiting, bytes]);
      if (wasEmpty) takenAt = clock.now();
      if (wasEmpty) push();
    },
    waiting: () => waiting.length,
    isStalled: () => waiting.length > MOST_WAITING || (waiting.length > 0 && clock.now() - takenAt > STALL_MS),
    flush(ms) {
      const until = performance.now() + ms;
      while (waiting.length > 0 && isOpen) {
        push();
        if (waiting.length === 0) break;
        if (performance.now() >= until) return false;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
      }
      return isOpen;
    },
    drop() {
      const isCut = waiting.length > 0;
      waiting = Buffer.alloc(0);
      return isCut;
    },
    close() {
      isOpen = false;
      retry?.();
    },
  };
}
