import type { Clock } from '../lib/clock.ts';
import type { Output } from './output.ts';
import { createModes } from './terminal-modes.ts';

/** Bytes on their way to the terminal, in order. Never blocks, except in `flush`. */
export interface Outlet {
  /** Sends text, after what still waits; before it `modes`, sequences that set modes of the terminal or reset them. */
  write(text: string, modes?: string): void;
  /** Sets the modes again that should be set. */
  restoreModes(): void;
  /** Bytes that the terminal has not taken yet. */
  waiting(): number;
  /** True while the terminal takes nothing, or much less than it is sent. */
  isStalled(): boolean;
  /** Waits, blocking, until everything is written, `ms` at most. False when something is left, or nobody is there. */
  flush(ms: number): boolean;
  /** False when nobody is there, or it was closed. */
  isOpen(): boolean;
  /**
   * Takes back every mode that is set, between two texts, and takes nothing more. What still waits after a while is left out,
   * with `cut` in its place. False when the terminal did not take it all.
   */
  close(texts: { readonly cut: string; readonly before?: string; readonly after: string }): boolean;
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
/** Longest time for each half of the close of a stalled terminal, milliseconds. */
const CLOSE_MS = 200;

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
  const modes = createModes();

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

  function write(text: string, before = '') {
    if (!isOpen || before + text === '') return;
    if (before !== '') modes.track(before);
    const bytes = Buffer.from(before + text);
    const wasEmpty = waiting.length === 0;
    waiting = wasEmpty ? bytes : Buffer.concat([waiting, bytes]);
    if (wasEmpty) takenAt = clock.now();
    if (wasEmpty) push();
  }

  function flush(ms: number) {
    const until = performance.now() + ms;
    while (waiting.length > 0 && isOpen) {
      push();
      if (waiting.length === 0) break;
      if (performance.now() >= until) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
    }
    return isOpen;
  }

  return {
    write,
    flush,
    restoreModes: () => write(modes.restoreSequence()),
    isOpen: () => isOpen,
    waiting: () => waiting.length,
    isStalled: () => waiting.length > MOST_WAITING || (waiting.length > 0 && clock.now() - takenAt > STALL_MS),
    close({ cut, before = '', after }) {
      flush(CLOSE_MS);
      const begin = waiting.length > 0 ? cut : '';
      waiting = Buffer.alloc(0);
      write(begin + before + modes.resetSequence() + after);
      const isWhole = flush(CLOSE_MS);
      isOpen = false;
      retry?.();
      return isWhole;
    },
  };
}
