import { expect, test } from 'vitest';
import { createOutlet, MOST_WAITING } from '../../src/terminal/output.ts';
import { createSteppedClock } from '../support/steppedclock.ts';

/** A terminal that has room for so many bytes, and the outlet to it. */
function outletTo(terminal: { takes: number; isGone?: boolean }, gone = () => {}) {
  const clock = createSteppedClock();
  const write = (bytes: Uint8Array) => {
    if (terminal.isGone) throw new Error('EIO');
    const taken = Math.min(terminal.takes, bytes.length);
    terminal.takes -= taken;
    return taken;
  };
  const output = { write, size: () => ({ columns: 80, rows: 24 }), onResize: () => () => {} };
  return { clock, outlet: createOutlet(output, clock, { emptied() {}, gone }) };
}

test('a terminal that takes nothing for 250 ms is stalled, however little waits, until it takes something', async () => {
  const terminal = { takes: 0 };
  const { clock, outlet } = outletTo(terminal);
  await clock.passes(10_000);
  outlet.write('ten bytes.');
  await clock.passes(250);
  expect(outlet.isStalled()).toBe(false);
  await clock.passes(1);
  expect(outlet.isStalled()).toBe(true);
  terminal.takes = 1;
  await clock.passes(8);
  expect([outlet.isStalled(), outlet.waiting()]).toEqual([false, 9]);
  terminal.takes = 8;
  await clock.passes(8);
  await clock.passes(251);
  expect([outlet.isStalled(), outlet.waiting()]).toEqual([true, 1]);
  expect(outlet.close({ cut: '^', after: '!' })).toBe(false);
  terminal.takes = 100;
  await clock.passes(1000);
  expect(terminal.takes).toBe(100);
});

test('a terminal is stalled at once where more than two of the largest frames wait', () => {
  const { outlet } = outletTo({ takes: 0 });
  outlet.write('x'.repeat(MOST_WAITING));
  expect(outlet.isStalled()).toBe(false);
  outlet.write('x');
  expect(outlet.isStalled()).toBe(true);
});

test('what a terminal has left is tried again after a millisecond, and ever less often while it has no room', async () => {
  const terminal = { takes: 0 };
  const { clock, outlet } = outletTo(terminal);
  outlet.write('a frame');
  terminal.takes = 10;
  await clock.passes(1);
  expect(outlet.waiting()).toBe(0);
  terminal.takes = 0;
  outlet.write('the next one');
  await clock.passes(1 + 2 + 4 + 8);
  terminal.takes = 20;
  await clock.passes(7);
  expect(outlet.waiting()).toBe(12);
  await clock.passes(1);
  expect(outlet.waiting()).toBe(0);
});

test('a terminal that is gone is told once, though a write to it was to be repeated', async () => {
  const terminal = { takes: 1, isGone: false };
  const told: string[] = [];
  const { clock, outlet } = outletTo(terminal, () => told.push('gone'));
  outlet.write('ab');
  terminal.isGone = true;
  outlet.flush(1);
  await clock.passes(1000);
  outlet.flush(1);
  expect([told, outlet.isOpen()]).toEqual([['gone'], false]);
});
