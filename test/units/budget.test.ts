import { expect, test } from 'vitest';
import { createRateLimits } from '../../src/client/hold-back.ts';

const clockAt = (start: number) => {
  const state = { now: start };
  const passes = (ms: number) => {
    state.now += ms;
  };
  return { now: () => state.now, after: () => () => {}, passes };
};
const start = 1_760_000_000_000;
const headers = (remaining: number, more: Record<string, string> = {}) => ({
  'x-ratelimit-limit': '100',
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-period': '60',
  'x-ratelimit-reset': '20',
  'x-ratelimit-name': 'reads',
  ...more,
});
const ledgerAt = (chance = 0.5) => {
  const clock = clockAt(start);
  return { clock, ledger: createRateLimits({ clock, random: () => chance }) };
};

test('a bucket has the values of the headers', () => {
  const { ledger } = ledgerAt();
  ledger.note('things.list', 'read', 200, headers(80));
  expect(ledger.budgets()).toEqual([
    { name: 'reads', limit: 100, remaining: 80, periodMs: 60_000, resetAt: start + 20_000 },
  ]);
  expect(ledger.holdBack()).toBe(0);
});

test('below 30 % polls wait until a little after the reset, and the wait counts down', () => {
  const { clock, ledger } = ledgerAt();
  ledger.note('things.list', 'read', 200, headers(30));
  expect(ledger.holdBack()).toBe(0);
  ledger.note('things.list', 'read', 200, headers(29));
  expect(ledger.holdBack()).toBe(20_000 + 30_000);
  clock.passes(15_000);
  ledger.note('things.list', 'read', 200, headers(20));
  expect(ledger.holdBack()).toBe(35_000);
  clock.passes(35_000);
  expect(ledger.holdBack()).toBe(0);
});

test('a bucket that only edits use does not delay polls', () => {
  const { ledger } = ledgerAt();
  ledger.note('things.set', 'edit', 429, headers(0, { 'x-ratelimit-name': 'edits' }));
  expect(ledger.holdBack()).toBe(0);
  expect(ledger.holdBack('things.set')).toBeGreaterThan(0);
  expect(ledger.refusals()).toBe(1);
});

test('a 429 delays polls whatever the other headers say', () => {
  const { ledger } = ledgerAt(0);
  ledger.note('things.list', 'read', 429, headers(5000, { 'x-ratelimit-reset': '0' }));
  expect(ledger.holdBack()).toBe(500);
  expect(ledger.budgets()[0]?.remaining).toBe(100);
  const other = ledgerAt(0).ledger;
  other.note('things.list', 'read', 429, {});
  expect(other.holdBack()).toBe(1000);
  const late = ledgerAt(1).ledger;
  late.note('things.list', 'read', 429, {});
  expect(late.holdBack()).toBe(2000);
});

test.each([
  ['no number', { 'x-ratelimit-limit': 'many' }],
  ['nothing', { 'x-ratelimit-limit': '' }],
  ['no limit', { 'x-ratelimit-limit': '0' }],
  ['below zero', { 'x-ratelimit-remaining': '-4' }],
  ['never', { 'x-ratelimit-reset': 'NaN' }],
])('invalid headers give no bucket: %s', (_, more) => {
  const { ledger } = ledgerAt();
  ledger.note('things.list', 'read', 200, headers(10, more));
  expect(ledger.budgets()).toEqual([]);
  expect(ledger.holdBack()).toBe(0);
});

test('without a name each operation has its own bucket; the number of buckets is bounded', () => {
  const { ledger } = ledgerAt();
  const { 'x-ratelimit-name': _, ...nameless } = headers(90);
  ledger.note('things.list', 'read', 200, nameless);
  expect(ledger.budgets()[0]?.name).toBe('things.list');
  for (let nth = 0; nth < 5000; nth++)
    ledger.note('things.list', 'read', 200, headers(90, { 'x-ratelimit-name': `n${nth}` }));
  expect(ledger.budgets()).toHaveLength(200);
});

test('twenty retries in a row are allowed, then one for every five successes', () => {
  const { ledger } = ledgerAt();
  const granted = Array.from({ length: 30 }, () => ledger.retry('read')).filter(Boolean).length;
  expect(granted).toBe(20);
  for (let nth = 0; nth < 4; nth++) ledger.succeeded();
  expect(ledger.retry('read')).toBe(false);
  ledger.succeeded();
  expect(ledger.retry('read')).toBe(true);
});

test('polls slow down where a limit would be used up, and recover where it would not', () => {
  const { clock, ledger } = ledgerAt();
  const later = () => clock.passes(10_000);
  // 40 of 60 s have passed.
  ledger.note('things.list', 'read', 200, headers(60));
  expect(ledger.slowdown()).toBe(1);
  ledger.note('things.list', 'read', 200, headers(35));
  const slowed = ledger.slowdown();
  expect(slowed).toBeGreaterThan(1.5);
  later();
  ledger.note('things.list', 'read', 429, headers(0));
  expect(ledger.slowdown()).toBeGreaterThan(2 * slowed);
  for (let read = 0; read < 40; read += 1) {
    later();
    ledger.note('things.list', 'read', 200, headers(90));
  }
  expect(ledger.slowdown()).toBe(1);
  for (let read = 0; read < 40; read += 1) {
    later();
    ledger.note('things.list', 'read', 429, headers(0));
  }
  expect(ledger.slowdown()).toBe(30);
});

/** A refusal with room left and a reset in a million days; no other answer has headers. */
const refusedByLies = (ledger: ReturnType<typeof ledgerAt>['ledger']) =>
  ledger.note('things.list', 'read', 429, headers(100, { 'x-ratelimit-reset': '99999999999999999999' }));

test('lying headers slow polls down only until reads are answered without them: half as slow with each read', () => {
  const { clock, ledger } = ledgerAt();
  refusedByLies(ledger);
  // 300 s, and jitter of up to 15 s.
  expect(ledger.holdBack()).toBeLessThanOrEqual(315_000);
  expect(ledger.slowdown()).toBe(8);
  const read = (status: number) => {
    clock.passes(10_000);
    ledger.note('things.list', 'read', status, {});
    return ledger.slowdown();
  };
  expect([read(503), read(400)]).toEqual([8, 8]);
  expect([read(200), read(200), read(200), read(200)]).toEqual([4, 2, 1, 1]);
});

test('lying headers slow polls down for 15 minutes at most, also where nothing of their limit is read again', () => {
  const { clock, ledger } = ledgerAt();
  refusedByLies(ledger);
  clock.passes(15 * 60_000);
  ledger.note('others.list', 'read', 200, {});
  expect(ledger.slowdown()).toBe(8);
  clock.passes(1);
  expect(ledger.slowdown()).toBe(1);
  expect(ledger.holdBack()).toBe(0);
  // Refused again, they begin anew: the step is that of the first refusal.
  refusedByLies(ledger);
  expect(ledger.slowdown()).toBe(8);
});

test('refusals without headers slow polls down by two, answers by a tenth at a time speed them up again', () => {
  const { clock, ledger } = ledgerAt();
  const read = (status: number, more = {}, times = 1) => {
    for (let time = 0; time < times; time += 1) {
      clock.passes(10_000);
      ledger.note('things.list', 'read', status, more);
    }
    return [ledger.slowdown(), ledger.slowdown('shared')];
  };
  expect(read(429)).toEqual([2, 1]);
  // Refused once, a client alone is not slowed down more than that.
  expect(read(200)).toEqual([1.8, 1]);
  expect(read(200, {}, 6)).toEqual([1, 1]);
  expect(read(200)).toEqual([1, 1]);
  expect(read(429, {}, 2)).toEqual([4, 4]);
  ledger.note('things.list', 'read', 429, {});
  expect(ledger.slowdown()).toBe(4);
  expect(read(429, {}, 3)).toEqual([30, 30]);
  expect(read(503)).toEqual([30, 30]);
  expect(read(200)).toEqual([27, 27]);
  // Headers, as soon as some come, say it better.
  expect(read(200, headers(90))).toEqual([1, 1]);
  expect(read(429, headers(0))).toEqual([8, 1]);
});

test('what refusals without headers slowed down is over after ten minutes without another answer', () => {
  const { clock, ledger } = ledgerAt();
  ledger.note('things.list', 'read', 429, {});
  clock.passes(10 * 60_000);
  expect(ledger.slowdown()).toBe(2);
  clock.passes(1);
  expect(ledger.slowdown()).toBe(1);
});

test('the slowdown changes every ten seconds at most, and not between a half and 70 % of the limit', () => {
  const { clock, ledger } = ledgerAt();
  // Early in the period, where the use is what is used so far.
  const uses = (percent: number, waitMs: number) => {
    clock.passes(waitMs);
    ledger.note('things.list', 'read', 200, headers(100 - percent, { 'x-ratelimit-reset': '46' }));
    return ledger.slowdown();
  };
  expect([uses(50, 0), uses(70, 0)]).toEqual([1, 1]);
  const slowed = uses(71, 0);
  expect(slowed).toBeGreaterThan(1);
  expect([uses(100, 9_999), uses(50, 1)]).toEqual([slowed, slowed]);
  expect(uses(100, 0)).toBeGreaterThan(2 * slowed);
});

test('who is refused again after the wait comes back over as many periods as polls are slowed down, where many share it', () => {
  const { clock, ledger } = ledgerAt();
  const period = { 'x-ratelimit-period': '2' };
  const refused = (as: 'read' | 'edit', waitMs: number) => {
    clock.passes(waitMs);
    ledger.note('things.list', as, 429, headers(0, period));
    return ledger.holdBack('things.list');
  };
  // The reset, and half of a quarter of the period.
  expect(refused('read', 0)).toBe(20_250);
  expect(refused('read', 10_249)).toBe(20_250);
  // Refusals alone do not say that they are many.
  expect(refused('read', 20_250)).toBe(20_250);
  expect([ledger.slowdown(), ledger.slowdown('shared')]).toEqual([30, 1]);
  ledger.note('things.list', 'read', 200, headers(5, period));
  // Slowed down 30 times: half of 29 periods.
  expect(refused('read', 20_250)).toBe(20_250 + 29_000);
  // The edit waits no longer than this, and comes first.
  expect(refused('edit', 49_250)).toBe(20_500);
});

test('a limit is shared with many where an answer tells of a use that is not ours, until it falls', () => {
  const { clock, ledger } = ledgerAt();
  ledger.note('things.list', 'read', 429, headers(0));
  expect([ledger.slowdown(), ledger.slowdown('shared')]).toEqual([8, 1]);
  ledger.note('things.list', 'read', 200, headers(5));
  expect(ledger.slowdown('shared')).toBe(8);
  for (let at = 0; at < 9; at += 1) {
    clock.passes(11_000);
    ledger.note('things.list', 'read', 200, headers(99));
  }
  expect([ledger.slowdown(), ledger.slowdown('shared')]).toEqual([1, 1]);
});

test('a clock that is set back lengthens no wait and no slowdown, and nothing tells of a reset that is hours away', () => {
  const { clock, ledger } = ledgerAt();
  ledger.note('things.list', 'read', 429, headers(0));
  clock.passes(1000);
  const left = ledger.holdBack();
  expect(ledger.slowdown()).toBe(8);
  clock.passes(-3_600_000);
  expect(ledger.holdBack()).toBe(left);
  expect(ledger.budgets()[0]?.resetAt).toBe(clock.now() + 19_000);
  clock.passes(left);
  expect(ledger.holdBack()).toBe(0);
  ledger.note('things.list', 'read', 200, {});
  expect(ledger.slowdown()).toBe(4);
});

test('without a period it is the time to the reset, and a name has 80 characters at most', () => {
  const { ledger } = ledgerAt();
  const { 'x-ratelimit-period': _, ...rest } = headers(80, { 'x-ratelimit-name': 'n'.repeat(81) });
  ledger.note('things.list', 'read', 200, rest);
  expect(ledger.budgets()[0]).toMatchObject({ name: 'n'.repeat(80), periodMs: 20_000 });
});

test('from a quarter of the period on, the use is projected to its end', () => {
  const use = (reset: string) => {
    const { ledger } = ledgerAt();
    ledger.note('things.list', 'read', 200, headers(80, { 'x-ratelimit-reset': reset }));
    return ledger.slowdown();
  };
  expect(use('46')).toBe(1);
  expect(use('45')).toBeCloseTo((0.8 / 0.7) ** 2);
});

test('refused reads pay more for a retry while polls are slowed down, and take nothing from edits', () => {
  const { ledger } = ledgerAt();
  ledger.note('things.list', 'read', 429, headers(0));
  const retries = (as: 'read' | 'edit') => {
    let count = 0;
    while (ledger.retry(as)) count += 1;
    return count;
  };
  expect(retries('read')).toBeLessThan(5);
  expect(retries('edit')).toBe(20);
});
