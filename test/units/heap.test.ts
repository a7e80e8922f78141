import { expect, test } from 'vitest';
import { boundHeap } from '../../src/cli/heap.ts';

test('the heap is bounded once the start is over, and not before', () => {
  const flags: string[] = [];
  const timers: { ms: number; then: () => void }[] = [];
  const after = (ms: number, then: () => void) => {
    timers.push({ ms, then });
    return () => {};
  };
  boundHeap({ now: () => 0, after }, (flag) => flags.push(flag));
  expect(flags).toEqual([]);
  expect(timers.map(({ ms }) => ms)).toEqual([2500]);
  timers[0]?.then();
  expect(flags).toEqual(['--optimize-for-size', '--semi-space-growth-factor=1']);
});
