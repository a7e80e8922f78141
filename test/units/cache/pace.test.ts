import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPace, pollBase } from '../../../src/cache/entries.ts';

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
        const gap = pace.gap(everyMs, failed ? 'failed' : undefined);
        expect(gap).toBeGreaterThanOrEqual(Math.max(5_000, holdBack));
        expect(gap).toBeLessThanOrEqual(Math.max(450_000, holdBack));
      },
    ),
  );
});

test('the base of polls, which the header tells, is what a gap varies from', () => {
  for (const [everyMs, idleMs, slowdown, base] of [
    [15_000, 0, 1, 15_000],
    [1_000, 0, 1, 10_000],
    [15_000, minutes(11), 1, 60_000],
    [minutes(3), minutes(11), 1, minutes(5)],
    [minutes(5), minutes(11), 4, minutes(20)],
    [minutes(5), 0, 30, minutes(30)],
  ] as const) {
    const { time, pace } = paceAt(0.5, 0, slowdown);
    time.now = idleMs;
    expect([pollBase(everyMs, pace.idle(), slowdown), pace.gap(everyMs)]).toEqual([base, base]);
  }
});

test('after ten minutes without a key the gap is four times as long, until the next key', () => {
  const { time, pace } = paceAt(0.5);
  expect(pace.gap(15_000)).toBe(15_000);
  time.now = minutes(10);
  expect(pace.gap(15_000)).toBe(15_000);
  time.now += 1;
  expect(pace.gap(15_000)).toBe(60_000);
  pace.touch();
  expect(pace.gap(15_000)).toBe(15_000);
  expect(pace.gap(15_000, 'failed')).toBe(22_500);
});

test('after a refusal for rate the next poll is not before what was asked, and at most 30 s after that', () => {
  for (const random of [0, 0.5, 0.999]) {
    // As long as the limit is not known to be shared, it is no matter how much polls are slowed down.
    const gapOf = (holdBack: number, shared = 1, every = 60_000) => {
      const slowdown = (which?: 'shared') => (which === 'shared' ? shared : 8);
      const clock = { now: () => 0, after: () => () => {} };
      return createPace({ clock, random: () => random, holdBack: () => holdBack, slowdown }).gap(every, 'refused');
    };
    expect(gapOf(0)).toBeLessThanOrEqual(30_000);
    // A short wait is no longer than that between two polls.
    expect(gapOf(3000, 1, 15_000)).toBeLessThan(22_500);
    // What is held back has up to 15 s of its own on top of what was asked.
    expect(gapOf(48_000)).toBeGreaterThanOrEqual(48_000);
    expect(gapOf(48_000)).toBeLessThanOrEqual(48_000 + 15_000);
    expect(gapOf(0, 8)).toBeGreaterThan(300_000);
  }
});

test('polls that share a rate limit with many wait longer, also beyond the longest interval', () => {
  expect(paceAt(0.5, 0, 4).pace.gap(300_000)).toBe(1_200_000);
});

test('a gap is 45 minutes at most, whatever the headers of a rate limit say', () => {
  expect(paceAt(1, 0, 30).pace.gap(300_000, 'failed')).toBe(minutes(45));
  expect(paceAt(1, 0, 30).pace.gap(15_000)).toBe(675_000);
});
