import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextWindows, type Recurrence, readTypedWindow, ruleWords, withoutFirst } from '../../../src/lib/recurrence.ts';
import { runs } from '../../support/runs.ts';

const berlin = 'Europe/Berlin';
const newYork = 'America/New_York';
/** A Friday, 12:00 in Berlin. */
const now = Date.parse('2026-11-27T11:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

function once(typed: string, moment = now, zone = berlin): string | undefined {
  const read = readTypedWindow(typed, moment, zone);
  if (!read?.ok) return read?.text;
  if (read.value.kind === 'at') return `now ${iso(read.value.at)}`;
  return read.value.kind === 'once' ? `${iso(read.value.start)} ${iso(read.value.end)}` : 'a rule';
}

function rule(typed: string, moment = now, zone = berlin): Recurrence | string | undefined {
  const read = readTypedWindow(typed, moment, zone);
  return read?.ok ? (read.value.kind === 'every' ? read.value.rule : 'once') : read?.text;
}

const begins = (one: Recurrence | string | undefined, zone: string, from: number, count?: number) =>
  typeof one === 'object'
    ? nextWindows([one], zone, from, count)?.map(({ start, end }) => `${iso(start)} ${iso(end)}`)
    : one;

test('one window, by its end or its length, in the zone', () => {
  expect(once('22:00-23:30')).toBe('2026-11-27T21:00 2026-11-27T22:30');
  expect(once('from 22:00 to 2:00')).toBe('2026-11-27T21:00 2026-11-28T01:00');
  expect(once('10pm – 11pm')).toBe('2026-11-27T21:00 2026-11-27T22:00');
  expect(once('from 22:00 for 2h')).toBe('2026-11-27T21:00 2026-11-27T23:00');
  expect(once('Tomorrow 09:00 for 1h')).toBe('2026-11-28T08:00 2026-11-28T09:00');
  expect(once('tomorrow 09:00-10:30')).toBe('2026-11-28T08:00 2026-11-28T09:30');
  expect(once('2026-12-01 09:00 until 2026-12-02 10:00')).toBe('2026-12-01T08:00 2026-12-02T09:00');
  expect(once('from 2026-12-01T09:00Z for 2h')).toBe('2026-12-01T09:00 2026-12-01T11:00');
});

test('a window without a day that runs already begins now', () => {
  expect(once('11:00-13:00')).toBe('now 2026-11-27T12:00');
  expect(once('22:00-02:00', Date.parse('2026-11-28T00:30:00Z'))).toBe('now 2026-11-28T01:00');
  expect(once('11:00-12:00')).toBe('2026-11-28T10:00 2026-11-28T11:00');
});

test('what is no window is left to others, or refused with examples', () => {
  for (const typed of ['2h', 'until 22:00', 'tomorrow 09:00', 'forever', 'for 2h', '2026-12-01 09:00', ''])
    expect(readTypedWindow(typed, now, berlin)).toBeUndefined();
  expect(once('from 22:00')).toMatch(/^until when\? type 22:00-23:30/);
  expect(once('from 22:00 for ages')).toMatch(/^how long\?/);
  expect(once('2026-12-02 09:00 until 2026-12-01 10:00')).toMatch(/^it would end before/);
  expect(rule('every blue moon 22:00 for 2h')).toMatch(/^which days are blue moon\?/);
  expect(rule('every Tue')).toMatch(/^when, and how long\?/);
  expect(rule('every Tue 25:00 for 2h')).toMatch(/^at what time\?/);
  expect(rule('every Tue 22:00-22:00')).toMatch(/^how long\?/);
  expect(rule('every Tue 22:00 for 30s')).toMatch(/^how long\?/);
  expect(rule('every Tue 22:00 for 2h until later')).toMatch(/^the last day must be in the future/);
  expect(rule('every Tue 22:00 for 2h until nov 30')).toMatch(/^no such window lies before/);
  expect(rule('every month on the 32nd 22:00 for 2h')).toMatch(/^which days/);
});

test.for([
  ['every Tue 22:00 for 2h', 'FREQ=WEEKLY;BYDAY=TU', '12-01T22:00', '2h'],
  ['every thursday and tue at 10pm for 90 minutes', 'FREQ=WEEKLY;BYDAY=TU,TH', '12-01T22:00', '90m'],
  ['weekdays 02:00-04:00 until Dec 24', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261224T225959Z', '11-30T02:00', '2h'],
  ['weekends 0:00 for 24h until 3 jan', 'FREQ=WEEKLY;BYDAY=SA,SU;UNTIL=20270103T225959Z', '11-28T00:00', '1d'],
  ['every day from 22 to 6', 'FREQ=DAILY', '11-27T22:00', '8h'],
  ['every day 10:00-14:00', 'FREQ=DAILY', '11-27T10:00', '4h'],
  ['daily 3am for 45m', 'FREQ=DAILY', '11-28T03:00', '45m'],
  ['every 3 days 03:00 for 1h', 'FREQ=DAILY;INTERVAL=3', '11-28T03:00', '1h'],
  ['every 2 weeks on tue 03:00 for 1h', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', '12-01T03:00', '1h'],
  ['every month on the 1st 03:00 for 1h', 'FREQ=MONTHLY;BYMONTHDAY=1', '12-01T03:00', '1h'],
  ['every month on the last day 03:00 for 1h', 'FREQ=MONTHLY;BYMONTHDAY=-1', '11-30T03:00', '1h'],
] as const)('%s', ([typed, rrule, time, duration]) => {
  expect(rule(typed)).toEqual({ start: `2026-${time}:00`, duration, rrule });
});

test('a rule in words is what would be typed for it', () => {
  for (const typed of [
    'every Tue 22:00 for 2h',
    'every Mon, Tue and Fri 22:00 for 90m',
    'weekdays 02:00 for 2h until Dec 24',
    'weekends 02:00 for 1d until 2028-01-05',
    'every day 09:00 for 45m until Jan 5',
    'every 2 weeks on Tue and Thu 22:00 for 2h',
    'every 3 days 22:00 for 2h',
    'every month on the 22nd 03:00 for 1h',
    'every month on the last day 03:00 for 1h',
  ]) {
    const read = rule(typed);
    expect(typeof read === 'object' && ruleWords(read, now, berlin)).toBe(typed);
  }
  const told = { start: '2026-11-27T22:00:00', duration: '2h' };
  for (const rrule of ['FREQ=YEARLY', 'FREQ=MONTHLY;BYDAY=2TU', 'FREQ=DAILY;COUNT=3', 'FREQ=HOURLY', 'FREQ=WEEKLY'])
    expect(ruleWords({ ...told, rrule }, now, berlin)).toBe(`by ${rrule}, 22:00 for 2h`);
});

test('windows keep their local time over a change of clocks', () => {
  const nightly = rule('every day 22:00 for 6h', Date.parse('2026-10-23T12:00:00Z'));
  expect(begins(nightly, berlin, Date.parse('2026-10-23T12:00:00Z'))).toEqual([
    '2026-10-23T20:00 2026-10-24T02:00',
    '2026-10-24T20:00 2026-10-25T02:00',
    '2026-10-25T21:00 2026-10-26T03:00',
  ]);
  const weekly = rule('every Sun 01:30 for 1h', Date.parse('2026-10-30T12:00:00Z'), newYork);
  // Shown twice on November 1: the first of both.
  expect(begins(weekly, newYork, Date.parse('2026-10-30T12:00:00Z'))).toEqual([
    '2026-11-01T05:30 2026-11-01T06:30',
    '2026-11-08T06:30 2026-11-08T07:30',
    '2026-11-15T06:30 2026-11-15T07:30',
  ]);
  // Left out on March 29: as long after the change.
  const early = rule('every Sun 02:30 for 1h', Date.parse('2027-03-20T12:00:00Z'));
  expect(begins(early, berlin, Date.parse('2027-03-27T12:00:00Z'), 2)).toEqual([
    '2027-03-28T01:30 2027-03-28T02:30',
    '2027-04-04T00:30 2027-04-04T01:30',
  ]);
});

test('the window that runs is the first, and a rule ends where it says', () => {
  const one = { start: '2026-11-24T22:00:00', duration: '2h', rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3' };
  const inside = Date.parse('2026-12-01T22:00:00Z');
  expect(begins(one, berlin, inside)).toEqual([
    '2026-12-01T21:00 2026-12-01T23:00',
    '2026-12-08T21:00 2026-12-08T23:00',
  ]);
  const until = { ...one, rrule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20261201T210000Z' };
  expect(begins(until, berlin, inside)).toHaveLength(1);
  expect(begins({ ...one, rrule: 'FREQ=WEEKLY;UNTIL=20261130' }, berlin, inside)).toEqual([]);
  expect(begins({ ...one, rrule: 'FREQ=MONTHLY;BYDAY=-1FR' }, berlin, now, 2)).toEqual([
    '2026-11-27T21:00 2026-11-27T23:00',
    '2026-12-25T21:00 2026-12-25T23:00',
  ]);
  expect(begins({ ...one, rrule: 'FREQ=YEARLY' }, berlin, now, 1)).toEqual(['2027-11-24T21:00 2027-11-24T23:00']);
  for (const rrule of ['FREQ=HOURLY', 'FREQ=DAILY;BYSETPOS=1', 'FREQ=DAILY;INTERVAL=0', 'FREQ=WEEKLY;BYDAY=XX', ''])
    expect(begins({ ...one, rrule }, berlin, now)).toBeUndefined();
});

test('a rule without its next window begins with the one after it, and counts it', () => {
  const one = {
    start: '2026-11-24T22:00:00',
    duration: '2h',
    rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=4',
    kept: true,
  };
  const skipped = withoutFirst(one, berlin, Date.parse('2026-12-08T22:00:00Z'));
  const rrule = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=2';
  expect(skipped).toEqual({ ...one, start: '2026-12-22T22:00:00', rrule });
  expect(skipped && begins(skipped, berlin, now)).toEqual([
    '2026-12-22T21:00 2026-12-22T23:00',
    '2027-01-05T21:00 2027-01-05T23:00',
  ]);
  expect(
    withoutFirst({ ...one, rrule: 'FREQ=DAILY;COUNT=1' }, berlin, Date.parse('2026-11-24T12:00:00Z')),
  ).toBeUndefined();
});

test('random texts are read or refused with a sentence, and never thrown', () => {
  const words = fc.constantFrom(
    'every',
    'tue',
    '22:00',
    '-',
    'for',
    '2h',
    'until',
    'dec 24',
    'from',
    '9am',
    'weekdays',
    '2',
    'weeks',
    'on',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), (typed) => {
      const read = readTypedWindow(typed.join(' '), now, berlin);
      if (read?.ok === false) expect(read.text).toMatch(/type /);
    }),
    { numRuns: runs(600) },
  );
});
