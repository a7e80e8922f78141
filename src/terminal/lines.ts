import type { Clock } from '../lib/clock.ts';
import type { Output } from './output.ts';
import { createOutlet } from './output-queue.ts';
import { CAN, type TerminalScreen } from './screen.ts';
import { createScreenStream } from './screen-stream.ts';
import { allowOwnSequences } from './sequence-filter.ts';

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
