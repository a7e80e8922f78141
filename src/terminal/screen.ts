import { Writable } from 'node:stream';
import type { Clock } from '../lib/clock.ts';
import { createFrameWriter } from './frame/frame-writer.ts';
import type { Output } from './output.ts';
import { createOutlet, MOST_WAITING } from './output-queue.ts';
import { ENTER_SCREEN, ESC, LEAVE_SCREEN, NO_MARGINS, SYNC_OFF, SYNC_ON } from './sequences.ts';
import { createModes } from './terminal-modes.ts';

/** What the renderer is given as its standard output: no terminal, so that it sets no modes of its own. */
export type ScreenStream = Writable & {
  readonly columns: number;
  readonly rows: number;
  readonly isTTY: false;
};

/** The terminal's screen, or the lines that stand for one (`createLines`). */
export interface TerminalScreen {
  /** Each write is one whole frame, and the newest one counts; of `createLines`: text that is appended. */
  readonly stream: ScreenStream;
  /** Sets or resets modes of the terminal; they are undone at the close. */
  control(sequence: string): void;
  /** Draws everything anew: Ctrl-L, and whenever the terminal may have been written by others. */
  redraw(): void;
  /** Writes a sequence beside the frames (clipboard, notification). False when it is not taken. */
  send(sequence: string): boolean;
  /** True while the terminal does not keep up. */
  isBehind(): boolean;
  /**
   * Calls back once the terminal has taken everything up to the newest frame. False where some of it was left out
   * meanwhile: then it is time to ask again.
   */
  drained(then: (isWhole: boolean) => void): void;
  /** Sets the modes again that should be set: after somebody else had the terminal. */
  reassert(): void;
  /** Waits, blocking, until everything is written, `ms` at most. Only for handing the terminal over. */
  flush(ms: number): boolean;
  /** While held, nothing is drawn and `send` writes nothing: another program uses the terminal, on the primary screen. */
  hold(held: boolean): void;
  /**
   * Takes back every mode that is set, writes `last` after it, and takes nothing more. The first call only.
   * False when the terminal did not take it all within 400 ms.
   */
  close(last?: string): boolean;
}

/** A dragged window reports every step; only the last one in this time counts. */
const RESIZE_MS = 40;
/**
 * Bytes that were on their way when the window changed are wrapped or moved by the terminal. Everything is drawn anew
 * after the first delay, and after the second one for slow machines.
 */
const REDRAW_MS = [120, 600] as const;
/** Shorter writes arrive whole anyway, so the two sequences of a synchronized update are saved. */
const SYNC_FROM = 1024;
/** Longest time to restore a stalled terminal, milliseconds. */
export const CLOSE_MS = 400;
/** Ends a sequence that was cut. */
export const CAN = '\u0018';

/**
 * Draws the renderer's frames on the terminal.
 *
 * - Only cells that changed are written, as the frame writer finds them; no byte of a frame arrives as it came.
 * - While the terminal has not taken everything, frames are left out: afterward the newest one is compared with what is shown.
 *   So memory is bounded by one frame, and a slow link never falls behind by more than one.
 * - Reports a hang-up once through `gone`; writing afterward does nothing.
 */
export function createScreen(
  output: Output,
  clock: Clock,
  gone: () => void,
  writer = createFrameWriter(output.size()),
): TerminalScreen {
  const modes = createModes();
  const outlet = createOutlet(output, clock, { emptied: () => release(), gone: lost });
  let size = output.size();
  let newest: string | undefined;
  let isDue = false;
  let isScheduled = false;
  let isEntered = false;
  let isHeld = false;
  let isOpen = true;
  let frames = 0;
  let resize: (() => void) | undefined;
  let cancelRedraw: (() => void) | undefined;
  const draining: ((isWhole: boolean) => void)[] = [];

  const stream = Object.defineProperties(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        // The renderer waits for its output by writing nothing.
        if (chunk.length > 0) {
          newest = String(chunk);
          due();
        }
        done();
      },
    }),
    { columns: { get: () => size.columns }, rows: { get: () => size.rows }, isTTY: { value: false } },
  ) as ScreenStream;

  function lost() {
    isOpen = false;
    gone();
  }

  /** Schedules drawing, so that only the last frame of a turn of the event loop is drawn. */
  function due() {
    if (!isOpen) return;
    isDue = true;
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      release();
    });
  }

  function release() {
    if (isOpen && isDue && !isHeld && newest !== undefined && outlet.waiting() === 0) {
      isDue = false;
      frames += 1;
      const bytes = writer.draw(newest);
      const enter = isEntered ? '' : ENTER_SCREEN;
      isEntered = true;
      modes.track(enter);
      outlet.write(enter + (bytes.length < SYNC_FROM ? bytes : SYNC_ON + bytes + SYNC_OFF));
    }
    drain();
  }

  function drain() {
    if (!isOpen || isDue || outlet.waiting() > 0) return;
    for (const then of draining.splice(0)) then(true);
  }

  function control(sequence: string) {
    if (!isOpen) return;
    modes.track(sequence);
    outlet.write(sequence);
  }

  function redraw() {
    writer.forget();
    due();
  }

  function resized() {
    resize = undefined;
    const now = output.size();
    if (!isOpen || (now.columns === size.columns && now.rows === size.rows)) return;
    size = now;
    writer.resize(size);
    stream.emit('resize');
    due();
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

  return {
    stream,
    control,
    redraw,
    isBehind: outlet.isStalled,
    flush(ms) {
      release();
      return outlet.flush(ms);
    },
    drained(then) {
      draining.push(then);
      drain();
    },
    hold(held) {
      if (held === isHeld) return;
      if (held) {
        release();
        control(LEAVE_SCREEN);
        isHeld = true;
        return;
      }
      redraw();
      isHeld = false;
      control(ENTER_SCREEN);
    },
    send(sequence) {
      if (!isOpen || isHeld || outlet.waiting() > MOST_WAITING) return false;
      outlet.write(sequence);
      return true;
    },
    reassert: () => outlet.write(modes.restoreSequence()),
    close(last = '') {
      if (!isOpen) return false;
      release();
      outlet.flush(CLOSE_MS / 2);
      const cut = outlet.drop() ? `${CAN}${NO_MARGINS}` : '';
      outlet.write(`${cut}${ESC}[0m${modes.resetSequence()}${last}`);
      const isWhole = outlet.flush(CLOSE_MS / 2);
      isOpen = false;
      outlet.close();
      resize?.();
      cancelRedraw?.();
      unlisten();
      return isWhole;
    },
  };
}
