import { constants, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { errorCode } from '../lib/private-file.ts';
import type { Clock } from '../lib/time.ts';
import { ESC, KEEP_KEY_CODES, LEAVE_KEY_CODES, MODES, SEND_KEY_CODES } from './sequences.ts';

/** A non-blocking byte sink. */
export interface Output {
  /** Number of bytes taken; 0 = full, try later. Throws when the terminal is gone. */
  write(bytes: Uint8Array): number;
  size(): { readonly columns: number; readonly rows: number };
  /** Calls back after the window changed; returns the way to stop. */
  onResize(then: () => void): () => void;
}

/**
 * The terminal behind standard output, never blocking. Node writes to a terminal synchronously, so a reader that
 * stalls would freeze the loop and with it every signal handler. The device is opened anew with O_NONBLOCK: on its
 * own file description, so that neither our own streams nor the shell's are changed by it. Where it cannot be opened
 * (another user's terminal), the standard stream is used as it is.
 */
export function openOutput(stdout: NodeJS.WriteStream & { readonly fd: number }): Output {
  const descriptor = reopen(stdout.fd);
  return {
    write(bytes) {
      if (descriptor === undefined) {
        stdout.write(bytes);
        return bytes.length;
      }
      try {
        return writeSync(descriptor, bytes);
      } catch (error) {
        if (['EAGAIN', 'EWOULDBLOCK', 'EINTR'].includes(errorCode(error))) return 0;
        throw error;
      }
    },
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    onResize(then) {
      stdout.on('resize', then);
      return () => stdout.off('resize', then);
    },
  };
}

function reopen(descriptor: number): number | undefined {
  const how = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
  for (const path of [`/proc/self/fd/${descriptor}`, '/dev/tty']) {
    try {
      return openSync(path, how);
    } catch {
      // Missing or not permitted: try the next one.
    }
  }
  return undefined;
}

/** The terminal modes that this program has set. */
interface Modes {
  /** Takes note of the modes that a text sets or resets. */
  track(text: string): void;
  /** Sequences that set or reset every mode as it was last. */
  restoreSequence(): string;
  /** Sequences that undo what is set, and nothing else: leaving an alternate screen that was never entered moves the cursor. */
  resetSequence(): string;
}

const MODE = /\u001B\[\?(\d+)([hl])/g;

function createModes(): Modes {
  const set = new Map<number, boolean>();
  const keys = { areCodes: false };
  return {
    track(text) {
      for (const [, mode, way] of text.matchAll(MODE)) set.set(Number(mode), way === 'h');
      if (text.includes(SEND_KEY_CODES)) keys.areCodes = true;
      if (text.includes(LEAVE_KEY_CODES)) keys.areCodes = false;
    },
    restoreSequence: () =>
      [...set].map(([mode, isSet]) => `${ESC}[?${mode}${isSet ? 'h' : 'l'}`).join('') +
      (keys.areCodes ? KEEP_KEY_CODES : ''),
    resetSequence: () =>
      (keys.areCodes ? LEAVE_KEY_CODES : '') +
      MODES.filter((mode) => (mode === 25 ? set.get(25) === false : set.get(mode)))
        .map((mode) => `${ESC}[?${mode}${mode === 25 ? 'h' : 'l'}`)
        .join(''),
  };
}

/** Bytes on their way to the terminal, in order. Never blocks, except in `flush`. */
interface Outlet {
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
  let takenAt = clock.now();
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
    for (push(); waiting.length > 0 && isOpen; push()) {
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

/** What takes frames or lines. It is no terminal, so that a renderer sets no modes of its own. */
export type ScreenStream = Writable & {
  readonly columns: number;
  readonly rows: number;
};

/** A stream that gives each write to `take`. */
export function createScreenStream(size: Output['size'], take: (text: string) => void): ScreenStream {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
  const get = (side: 'columns' | 'rows') => ({ get: () => size()[side] });
  return Object.defineProperties(stream, { columns: get('columns'), rows: get('rows') }) as ScreenStream;
}

/** A dragged window reports every step; only the last one in this time counts. */
const RESIZE_MS = 40;
/**
 * Bytes that were on their way when the window changed are wrapped or moved by the terminal. Everything is drawn anew
 * after the first delay, and after the second one for slow machines.
 */
const REDRAW_MS = [120, 600] as const;

/**
 * Follows the size of the terminal; returns the way to stop. `frames` counts those that were drawn. A window that has its old size again
 * is drawn anew, too: the terminal may have cut its lines in between.
 */
export function followSize(
  output: Output,
  clock: Clock,
  screen: { resized(size: ReturnType<Output['size']>): void; redraw(): void; frames(): number },
): () => void {
  let isDue = false;
  let cancelRedraw: (() => void) | undefined;
  const resized = () => {
    isDue = false;
    screen.resized(output.size());
    cancelRedraw?.();
    cancelRedraw = clock.after(REDRAW_MS[0], () => {
      screen.redraw();
      const drawn = screen.frames() + 1;
      cancelRedraw = clock.after(REDRAW_MS[1] - REDRAW_MS[0], () => {
        if (screen.frames() > drawn) screen.redraw();
      });
    });
  };
  return output.onResize(() => {
    if (!isDue) clock.after(RESIZE_MS, resized);
    isDue = true;
  });
}
