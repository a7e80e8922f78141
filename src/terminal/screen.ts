import type { Clock } from '../lib/time.ts';
import { createFrameWriter } from './frame/frame-writer.ts';
import {
  createOutlet,
  createScreenStream,
  followSize,
  MOST_WAITING,
  type Output,
  type ScreenStream,
} from './output.ts';
import { ENTER_SCREEN, ESC, LEAVE_SCREEN, NO_MARGINS, SYNC_OFF, SYNC_ON, stripSequences } from './sequences.ts';

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

/** Shorter writes arrive whole anyway, so the two sequences of a synchronized update are saved. */
const SYNC_FROM = 1024;
/** Ends a sequence that was cut. */
const CAN = '\u0018';

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
  const outlet = createOutlet(output, clock, { emptied: () => release(), gone });
  const { isOpen } = outlet;
  let size = output.size();
  let newest: string | undefined;
  let isDue = false;
  let isScheduled = false;
  let isEntered = false;
  let isHeld = false;
  let frames = 0;
  const draining: ((isWhole: boolean) => void)[] = [];

  const stream = createScreenStream(
    () => size,
    (frame) => {
      // The renderer waits for its output by writing nothing.
      if (frame === '') return;
      newest = frame;
      due();
    },
  );

  const unfollow = followSize(output, clock, {
    resized(now) {
      if (!isOpen()) return;
      size = now;
      writer.resize(size);
      stream.emit('resize');
      due();
    },
    redraw,
    frames: () => frames,
  });

  /** Schedules drawing, so that only the last frame of a turn of the event loop is drawn. */
  function due() {
    if (!isOpen()) return;
    isDue = true;
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      release();
    });
  }

  function release() {
    if (isOpen() && isDue && !isHeld && newest !== undefined && outlet.waiting() === 0) {
      isDue = false;
      frames += 1;
      const bytes = writer.draw(newest);
      const enter = isEntered ? '' : ENTER_SCREEN;
      isEntered = true;
      outlet.write(bytes.length < SYNC_FROM ? bytes : SYNC_ON + bytes + SYNC_OFF, enter);
    }
    drain();
  }

  function drain() {
    if (!isOpen() || isDue || outlet.waiting() > 0) return;
    for (const then of draining.splice(0)) then(true);
  }

  const control = (sequence: string) => outlet.write('', sequence);

  function redraw() {
    writer.forget();
    due();
  }

  return {
    stream,
    control,
    redraw,
    isBehind: outlet.isStalled,
    flush: outlet.flush,
    drained(then) {
      draining.push(then);
      drain();
    },
    hold(held) {
      if (held === isHeld) return;
      if (!held) redraw();
      isHeld = held;
      control(held ? LEAVE_SCREEN : ENTER_SCREEN);
    },
    send(sequence) {
      if (!isOpen() || isHeld || outlet.waiting() > MOST_WAITING) return false;
      outlet.write(sequence);
      return true;
    },
    reassert: outlet.restoreModes,
    close(last = '') {
      if (!isOpen()) return false;
      unfollow();
      return outlet.close({ cut: `${CAN}${SYNC_OFF}${NO_MARGINS}`, before: `${ESC}[0m`, after: last });
    },
  };
}

/**
 * Appends text to the terminal's own screen (--plain): nothing is erased and no attribute is set, and the last line is ended
 * at the close. While the terminal does not keep up, text is left out; afterward `again` says what is true now.
 * No sequence in it passes.
 */
export function createLines(
  output: Output,
  clock: Clock,
  { gone, again: announceState }: { gone(): void; again(): void },
): TerminalScreen {
  const outlet = createOutlet(output, clock, { emptied: () => caughtUp(), gone });
  const { isOpen } = outlet;
  const size = output.size();
  const draining: { readonly skipped: number; readonly then: (isWhole: boolean) => void }[] = [];
  let isSkipping = false;
  let isMidLine = false;
  let skipped = 0;

  const stream = createScreenStream(() => size, append);

  function append(text: string) {
    if (!isOpen() || text === '') return;
    isSkipping ||= outlet.isStalled();
    if (isSkipping) skipped += 1;
    else {
      isMidLine = !text.endsWith('\n');
      outlet.write(stripSequences(text));
    }
  }

  function caughtUp() {
    if (isSkipping) {
      isSkipping = false;
      announceState();
    }
    drain();
  }

  function drain() {
    if (!isOpen() || isSkipping || outlet.waiting() > 0) return;
    for (const waiter of draining.splice(0)) waiter.then(waiter.skipped === skipped);
  }

  return {
    stream,
    control: (sequence) => outlet.write('', sequence),
    redraw: announceState,
    isBehind: () => isSkipping,
    flush: outlet.flush,
    drained(then) {
      draining.push({ skipped, then });
      drain();
    },
    hold: () => {},
    send(sequence) {
      if (!isOpen() || isSkipping) return false;
      outlet.write(sequence);
      return true;
    },
    reassert: outlet.restoreModes,
    close: (last = '') => isOpen() && outlet.close({ cut: CAN, after: `${isMidLine ? '\n' : ''}${last}` }),
  };
}
