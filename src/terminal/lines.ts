import { Writable } from 'node:stream';
import type { Clock } from '../lib/clock.ts';
import type { Output } from './output.ts';
import { createOutlet } from './output-queue.ts';
import { CAN, CLOSE_MS, type ScreenStream, type TerminalScreen } from './screen.ts';
import { allowOwnSequences } from './sequence-filter.ts';
import { createModes } from './terminal-modes.ts';

/**
 * Appends text to the terminal's own screen (--plain): nothing is erased and no attribute is set, and the last line is ended
 * at the close. While the terminal does not keep up, text is left out; afterward `again` says what is true now.
 * Only this program's own sequences pass.
 */
export function createLines(
  output: Output,
  clock: Clock,
  { gone, again: announceState }: { gone(): void; again(): void },
): TerminalScreen {
  const modes = createModes();
  const outlet = createOutlet(output, clock, { emptied: () => caughtUp(), gone: lost });
  const size = output.size();
  const draining: { readonly skipped: number; readonly then: (isWhole: boolean) => void }[] = [];
  let isOpen = true;
  let isSkipping = false;
  let isMidLine = false;
  let skipped = 0;

  const stream = Object.defineProperties(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        append(String(chunk));
        done();
      },
    }),
    { columns: { value: size.columns }, rows: { value: size.rows }, isTTY: { value: false } },
  ) as ScreenStream;

  function lost() {
    isOpen = false;
    gone();
  }

  function append(text: string) {
    if (!isOpen || text === '') return;
    isSkipping ||= outlet.isStalled();
    if (isSkipping) skipped += 1;
    else {
      isMidLine = !text.endsWith('\n');
      outlet.write(allowOwnSequences(text));
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
    if (!isOpen || isSkipping || outlet.waiting() > 0) return;
    for (const waiter of draining.splice(0)) waiter.then(waiter.skipped === skipped);
  }

  function control(sequence: string) {
    if (!isOpen) return;
    modes.track(sequence);
    outlet.write(sequence);
  }

  return {
    stream,
    control,
    redraw: announceState,
    isBehind: () => isSkipping,
    flush: outlet.flush,
    drained(then) {
      draining.push({ skipped, then });
      drain();
    },
    hold: () => {},
    send(sequence) {
      if (!isOpen || isSkipping) return false;
      outlet.write(sequence);
      return true;
    },
    reassert: () => outlet.write(modes.restoreSequence()),
    close(last = '') {
      if (!isOpen) return false;
      outlet.flush(CLOSE_MS / 2);
      const cut = outlet.drop() ? CAN : '';
      outlet.write(`${cut}${modes.resetSequence()}${isMidLine ? '\n' : ''}${last}`);
      const isWhole = outlet.flush(CLOSE_MS / 2);
      isOpen = false;
      outlet.close();
      return isWhole;
    },
  };
}
