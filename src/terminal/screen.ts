import { Writable } from 'node:stream';
import type { Clock } from '../lib/clock.ts';
import type { Output } from './output.ts';
import { allowOwnSequences } from './sequence-filter.ts';
import { ESC, MODES, SYNC_OFF, SYNC_ON, WIPE } from './sequences.ts';

/** What the renderer is given as its standard output. */
export type ScreenStream = Writable & {
  readonly columns: number;
  readonly rows: number;
  readonly isTTY: true;
};

/** The renderer. */
export interface Painter {
  forget(): void;
  draw(): void;
}

/** Output to the terminal: filter, back-pressure and the terminal modes that are set. */
export interface Screen {
  readonly stream: ScreenStream;
  /** Call once, after the first render; before that a lost frame cannot be redrawn. */
  drawnBy(painter: Painter): void;
  /** Draws everything anew: Ctrl-L, and whenever the terminal may have been written by others. */
  redraw(): void;
  /** Writes a sequence made by this program past the filter (clipboard, notification). False when it is not taken. */
  send(sequence: string): boolean;
  /** True while the terminal takes nothing more, so that frames are being left out. */
  isBehind(): boolean;
  /**
   * Calls back once the terminal has taken everything written so far. False where some of it was left out meanwhile:
   * then a newer frame is on its way, and it is time to ask again.
   */
  drained(then: (isWhole: boolean) => void): void;
  /** Sets the modes again that should be set: after somebody else had the terminal. */
  reassert(): void;
  /** Waits, blocking, until everything is written, `ms` at most. Only for handing the terminal over. */
  flush(ms: number): boolean;
  /** While held, `send` writes nothing: another program uses the terminal. */
  hold(held: boolean): void;
  /**
   * Takes back every mode that is set, writes `last` after it, and takes nothing more. The first call only.
   * False when the terminal did not take it all within 400 ms.
   */
  close(last?: string): boolean;
}

/** Queued bytes above which frames are left out: about two of the largest. */
const MOST_WAITING = 32 * 1024;
/** Time after which a terminal that takes nothing counts as stalled, however little is queued. */
const STALL_MS = 250;
const RETRY_MS = 8;
/** A dragged window reports every step; only the last one in this time counts. */
const RESIZE_MS = 40;
/**
 * After a resize, frames of the old size still arrive: the terminal wraps or scrolls them, and the differences drawn on
 * top are in the wrong rows. Everything is drawn anew after the first delay, and after the second one for slow machines.
 */
const REDRAW_MS = [120, 600] as const;
/** Shorter writes arrive whole anyway, so the two sequences of a synchronised update are saved. */
const SYNC_FROM = 1024;
/** Most sequences of `send` that wait while the terminal lags. */
const MOST_QUEUED = 16;

/**
 * Writes the renderer's output to the terminal.
 *
 * - Filter: only this program's own sequences pass (`onlyOurs`).
 * - Back-pressure: writes never block. The renderer writes differences, so one of them cannot be left out alone: while the
 *   terminal lags, everything is left out, and once it has taken what was waiting, the newest frame is drawn whole.
 *   Memory is bounded by one backlog and one frame. Modes and `send` are never lost.
 * - Lines (`isLines`): the output is only appended to, on the normal screen. Nothing is erased, no attribute is set, and the
 *   last line is ended at the close.
 * - Reports a hang-up (EIO, EPIPE) once through `gone`; writing afterwards does nothing.
 */
export function createScreen(output: Output, clock: Clock, gone: () => void, isLines = false): Screen {
  const wipe = isLines ? '' : WIPE;
  const modes = new Map<number, boolean>();
  let size = output.size();
  let painter: Painter | undefined;
  let gathered = '';
  let waiting: Buffer = Buffer.alloc(0);
  let stalledSince = 0;
  let retry: (() => void) | undefined;
  let resize: (() => void) | undefined;
  let cancelRedraw: (() => void) | undefined;
  let frames = 0;
  let queued: string[] = [];
  const missed = new Map<number, string>();
  let state: 'open' | 'behind' | 'closed' = 'open';
  let isHeld = false;
  let isMidLine = false;
  let lost = 0;
  const draining: { readonly lost: number; readonly then: (isWhole: boolean) => void }[] = [];

  const stream = Object.defineProperties(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        take(typeof chunk === 'string' ? chunk : String(chunk));
        done();
      },
    }),
    { columns: { get: () => size.columns }, rows: { get: () => size.rows }, isTTY: { value: true } },
  ) as ScreenStream;

  /** One frame arrives as several writes of the same turn; they leave as one. */
  function take(text: string) {
    if (state === 'closed' || text === '') return;
    if (gathered === '') queueMicrotask(release);
    gathered += text;
  }

  function release() {
    if (gathered === '' || state === 'closed') return;
    frames += 1;
    const text = allowOwnSequences(gathered);
    gathered = '';
    const isStalled = waiting.length > 0 && clock.now() - stalledSince > STALL_MS;
    if (isStalled || waiting.length > MOST_WAITING) state = 'behind';
    for (const [sequence, mode, way, plain] of text.matchAll(MODE)) {
      const known = mode === undefined ? KITTY : Number(mode);
      modes.set(known, mode === undefined ? plain === '>' : way === 'h');
      if (state === 'behind' && known !== 2026) missed.set(known, sequence);
    }
    if (state === 'behind') lost += 1;
    if (state === 'open') put(text.length < SYNC_FROM ? text.replaceAll(SYNC_ON, '').replaceAll(SYNC_OFF, '') : text);
  }

  function put(text: string) {
    const bytes = Buffer.from(text);
    isMidLine = !text.endsWith('\n');
    const wasEmpty = waiting.length === 0;
    waiting = wasEmpty ? bytes : Buffer.concat([waiting, bytes]);
    if (wasEmpty) push();
  }

  /** Writes as much as the terminal takes. */
  function push() {
    try {
      while (waiting.length > 0) {
        const taken = output.write(waiting);
        if (taken === 0) break;
        waiting = waiting.subarray(taken);
        stalledSince = clock.now();
      }
    } catch {
      state = 'closed';
      waiting = Buffer.alloc(0);
      return gone();
    }
    if (waiting.length > 0) retry ??= clock.after(RETRY_MS, again);
    else if (state === 'behind') catchUp();
    drain();
  }

  function drain() {
    if (gathered !== '' || waiting.length > 0 || state !== 'open') return;
    for (const waiter of draining.splice(0)) waiter.then(waiter.lost === lost);
  }

  function again() {
    retry = undefined;
    push();
  }

  function catchUp() {
    state = 'open';
    const sequences = [...missed.values(), ...queued].join('');
    queued = [];
    missed.clear();
    if (sequences !== '') put(sequences);
    redraw();
  }

  function redraw() {
    if (state !== 'open' || !painter) return;
    take(wipe);
    painter.forget();
    painter.draw();
  }

  function resized() {
    resize = undefined;
    const now = output.size();
    if (state === 'closed' || (now.columns === size.columns && now.rows === size.rows)) return;
    size = now;
    if (isLines) return;
    // The renderer's own answer to a resize counts rows from a cursor that the terminal may have moved.
    take(wipe);
    painter?.forget();
    stream.emit('resize');
    cancelRedraw?.();
    cancelRedraw = clock.after(REDRAW_MS[0], () => {
      redraw();
      const drawn = frames + 1;
      cancelRedraw = clock.after(REDRAW_MS[1] - REDRAW_MS[0], () => {
        if (frames > drawn) redraw();
      });
    });
  }

  const unlisten = output.onResize(() => {
    resize ??= clock.after(RESIZE_MS, resized);
  });

  function flush(ms: number): boolean {
    release();
    const until = performance.now() + ms;
    while (waiting.length > 0 && state !== 'closed') {
      push();
      if (waiting.length === 0) break;
      if (performance.now() >= until) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
    }
    return state !== 'closed';
  }

  return {
    stream,
    redraw,
    flush,
    drawnBy: (next) => {
      painter = next;
    },
    isBehind: () => state === 'behind',
    drained(then) {
      draining.push({ lost, then });
      drain();
    },
    hold: (held) => {
      isHeld = held;
    },
    send(sequence) {
      if (state === 'closed' || isHeld) return false;
      if (state === 'open') {
        release();
        put(sequence);
        return true;
      }
      if (queued.length >= MOST_QUEUED) return false;
      queued.push(sequence);
      return true;
    },
    reassert() {
      for (const [mode, isSet] of modes) {
        if (mode > 0 && mode !== 2026) take(`${ESC}[?${mode}${isSet ? 'h' : 'l'}`);
      }
    },
    close(last = '') {
      if (state === 'closed') return false;
      painter = undefined;
      release();
      flush(CLOSE_MS / 2);
      // Drops the queue, perhaps within a sequence: CAN ends that one.
      const cut = waiting.length > 0 ? CAN : '';
      waiting = Buffer.alloc(0);
      const end = isLines && isMidLine ? '\n' : '';
      put(cut + (isLines ? '' : `${ESC}[0m`) + unsetting(modes) + end + last);
      const isWhole = flush(CLOSE_MS / 2);
      state = 'closed';
      retry?.();
      resize?.();
      cancelRedraw?.();
      unlisten();
      return isWhole;
    },
  };
}

const CAN = '\u0018';
const MODE = /\u001B\[(?:\?(\d+)([hl])|([<>])\d*u)/g;
/** The kitty keyboard protocol; no private mode, but stored with them. */
const KITTY = -1;
/** Longest time to restore a stalled terminal, milliseconds. */
const CLOSE_MS = 400;

/** Undoes what is set, and nothing else: leaving an alternate screen that was never entered moves the cursor. */
function unsetting(modes: ReadonlyMap<number, boolean>): string {
  const undo: string[] = [];
  if (modes.get(KITTY)) undo.push(`${ESC}[<u`);
  for (const mode of MODES) {
    if (mode === 25 ? modes.get(25) === false : modes.get(mode)) undo.push(`${ESC}[?${mode}${mode === 25 ? 'h' : 'l'}`);
  }
  return undo.join('');
}
