import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPace } from '../../../src/cache/pace.ts';

const minutes = (count: number) => count * 60_000;

function paceAt(random: number, holdBack = 0, slowdown = 1) {
  const time = { now: 0 };
  const clock = { now: () => time.now, after: () => () => {} };
  return {
    time,
    pace: createPace({ clock, random: () => random, holdBack: () => holdBack, slowdown: () => slowdown }),
  };
}

test('a gap is 5 to 450 s, and never shorter than the rate limit requires', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.nat(10_000_000),
      fc.nat(600_000),
      fc.boolean(),
      fc.nat(minutes(60)),
      (random, everyMs, holdBack, failed, idleMs) => {
        const { time, pace } = paceAt(random, holdBack);
        time.now = idleMs;
        const gap = pace.gap(everyMs, failed);
        expect(gap).toBeGreaterThanOrEqual(Math.max(5_000, holdBack));
        expect(gap).toBeLessThanOrEqual(Math.max(450_000, holdBack));
      },
    ),
  );
});

test('after ten minutes without a key the gap is four times as long, until the next key', () => {
  const { time, pace } = paceAt(0.5);
  expect(pace.gap(15_000, false)).toBe(15_000);
  time.now = minutes(10);
  expect(pace.gap(15_000, false)).toBe(15_000);
  time.now += 1;
  expect(pace.gap(15_000, false)).toBe(60_000);
  pace.touch();
  expect(pace.gap(15_000, false)).toBe(15_000);
  expect(pace.gap(15_000, true)).toBe(22_500);
});

test('polls that share a rate limit with many wait longer, also beyond the longest interval', () => {
  expect(paceAt(0.5, 0, 4).pace.gap(300_000, false)).toBe(1_200_000);
});

test('a gap is 45 minutes at most, whatever the headers of a rate limit say', () => {
  expect(paceAt(1, 0, 30).pace.gap(300_000, true)).toBe(minutes(45));
  expect(paceAt(1, 0, 30).pace.gap(15_000, false)).toBe(675_000);
});
