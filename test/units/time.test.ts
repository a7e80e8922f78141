import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absolute, age, clockTime, readEpoch, readMoment } from '../../src/lib/time.ts';
import { dayAndTime, endInWords, readDuration, readUntil, shortDayAndTime } from '../../src/lib/typed-time.ts';
import { runs } from '../support/runs.ts';

const at = (iso: string) => Date.parse(iso);
const now = at('2026-05-06T05:08:09Z');
const berlin = 'Europe/Berlin';

test('ages have one unit and are rounded down; future times are rounded to the nearest', () => {
  const ago = (ms: number) => age(now - ms, now);
  expect(
    [0, 12_900, 119_000, 3_600_000, 3 * 864e5, 36 * 864e5, 57 * 864e5, 100 * 864e5, 729 * 864e5, 800 * 864e5].map(ago),
  ).toEqual(['0s', '12s', '1m', '1h', '3d', '5w', '1 mo', '3 mo', '23 mo', '2 y']);
  expect(age(now + 299_000, now)).toBe('in 5m');
  expect(age(now + 3_599_900, now)).toBe('in 1h');
  expect(age(Number.NaN, now)).toBe('–');
  expect(age(Infinity, now)).toBe('–');
});

test('clock and date use the offset of that day in their zone', () => {
  expect(clockTime(now, berlin)).toBe('07:08');
  expect(absolute(now, berlin)).toBe('2026-05-06 07:08:09 UTC+2');
  expect(absolute(now, 'UTC')).toBe('2026-05-06 05:08:09 UTC');
  expect(absolute(now, 'Asia/Kolkata')).toBe('2026-05-06 10:38:09 UTC+5:30');
  expect(absolute(at('2026-01-06T00:30:00Z'), 'America/New_York')).toBe('2026-01-05 19:30:00 UTC-5');
  expect(absolute(now, 'No/Such_Zone')).toBe('2026-05-06 05:08:09 UTC');
  expect(absolute(9e15, berlin)).toBe('–');
  expect(clockTime(at('2026-05-05T22:00:00Z'), berlin)).toBe('00:00');
});

test('times in the formats of services', () => {
  expect(readMoment('2026-05-06T05:08:09Z')).toBe(now);
  expect(readMoment('2026-05-06T07:08:09.123456789+02:00')).toBe(now + 123);
  expect(readMoment('2026-05-06T05:08:09.5+00:00')).toBe(now + 500);
  expect(readMoment('2026-05-06T05:08:09.123987+00:00')).toBe(now + 123);
  expect(readMoment('2026-05-06 05:08:09')).toBe(now);
  expect(readMoment('2026-05-06')).toBe(at('2026-05-06T00:00:00Z'));
  expect(readMoment(now)).toBe(now);
  expect(readMoment(0)).toBe(0);
  expect(readMoment(now / 1000, 's')).toBe(now);
  expect(readMoment(String(now / 1000), 's')).toBe(now);
  for (const value of [
    null,
    undefined,
    '',
    'soon',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-05-06T24:00:00Z',
    Number.NaN,
    1e17,
    {},
    true,
  ])
    expect(readMoment(value)).toBeUndefined();
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
      (date) => readMoment(date.toISOString()) === date.getTime(),
    ),
  );
});

test('times in the unit of the contract, or one so fine that no year of it would have five digits; 0 is never', () => {
  const seconds = now / 1000;
  for (const text of [seconds, now, now * 1000, BigInt(now) * 1_000_000n, String(seconds), String(now), `${now}000`])
    expect(readEpoch(text, 's')).toBe(now);
  for (const text of [now, now * 1000, String(now)]) expect(readEpoch(text, 'ms')).toBe(now);
  expect(readEpoch('2026-05-06T05:08:09Z', 's')).toBe(now);
  expect(readEpoch(`${seconds}.5`, 's')).toBe(now + 500);
  expect(readEpoch(253_402_300_799, 's')).toBe(at('9999-12-31T23:59:59Z'));
  expect(readEpoch(-86_400, 's')).toBe(at('1969-12-31T00:00:00Z'));
  expect(readEpoch(50_000_000, 'ms')).toBe(50_000_000);
  expect(readEpoch(-86_400_000, 'ms')).toBe(at('1969-12-31T00:00:00Z'));
  for (const value of [0, '0', 0n, '', 'soon', null, undefined, true, {}, [], Number.NaN, 1e99, '9'.repeat(30)])
    expect(readEpoch(value, 's')).toBeUndefined();
});

test('typed durations', () => {
  expect(readDuration('45m')).toBe(2_700_000);
  expect(readDuration('1h30m')).toBe(5_400_000);
  expect(readDuration(' 2 Days ')).toBe(172_800_000);
  expect(readDuration('1.5h')).toBe(5_400_000);
  expect(readDuration('1 week and 2 days')).toBe(9 * 864e5);
  for (const text of [
    '',
    '45',
    '-5m',
    '0m',
    '0',
    '11y',
    '5 parsecs',
    'm',
    '1h later',
    'until 5',
    '5m!',
    '1e9d',
    '10ms',
  ])
    expect(readDuration(text), text).toBeUndefined();
});

test('typed end times', () => {
  const read = (text: string) => readUntil(text, now, berlin);
  const good = (iso: string, says: string) => ({ ok: true, at: at(iso), says });
  expect(read('45m')).toEqual(good('2026-05-06T05:53:09Z', 'until 07:53'));
  expect(read('for 2 days')).toEqual(good('2026-05-08T05:08:09Z', 'until 2026-05-08 07:08'));
  expect(read('until 07:30')).toEqual(good('2026-05-06T05:30:00Z', 'until 07:30'));
  expect(read('7:08')).toEqual(good('2026-05-07T05:08:00Z', 'until tomorrow 07:08'));
  expect(read('today 23:59')).toEqual(good('2026-05-06T21:59:00Z', 'until 23:59'));
  expect(read('Until Tomorrow 09:00')).toEqual(good('2026-05-07T07:00:00Z', 'until tomorrow 09:00'));
  expect(read('2026-05-07 09:00')).toEqual(good('2026-05-07T07:00:00Z', 'until tomorrow 09:00'));
  expect(read('until 2026-05-07T09:00Z')).toEqual(good('2026-05-07T09:00:00Z', 'until tomorrow 11:00'));
  expect(read('2026-06-01 09:00 -05:00')).toEqual(good('2026-06-01T14:00:00Z', 'until 2026-06-01 16:00'));
  for (const word of ['forever', 'for ever']) expect(read(word)).toEqual({ ok: true, at: Infinity, says: 'forever' });
});

test('day and time in both orders, with 12-hour clocks', () => {
  const read = (text: string) => {
    const got = readUntil(text, now, berlin);
    return got.ok ? new Date(got.at).toISOString().slice(5, 16) : got.text;
  };
  const nine = '05-07T07:00';
  for (const text of [
    'until 09:00 tomorrow',
    '9:00 tomorrow',
    '9am tomorrow',
    'until 9 am tomorrow',
    'tomorrow 9am',
    'tomorrow at 9:00',
    'at 9:00 tomorrow',
    'tomorrow 9',
    'Tomorrow 9:00 AM',
    '09:00 2026-05-07',
    '9am 2026-05-07',
    '2026-05-07 9am',
    '09:00, tomorrow',
  ])
    expect(read(text), text).toBe(nine);
  expect(read('9am')).toBe('05-06T07:00');
  expect(read('5:30pm today')).toBe('05-06T15:30');
  expect(read('2026-05-07')).toBe('2026-05-07 at what time? type 2026-05-07 09:00');
  expect(read('12am')).toBe('05-06T22:00');
  expect(read('12pm')).toBe('05-06T10:00');
  for (const text of ['13pm', '0am', 'am', '9 tomorrow today', '9xm tomorrow', '25 tomorrow'])
    expect(read(text), text).toMatch(/type /);
});

test('an end in words has its zone, its day when it is not today, and how far it is', () => {
  expect(endInWords(at('2026-05-06T05:53:09Z'), now, berlin)).toBe('until 07:53 UTC+2, in 45m');
  expect(endInWords(at('2026-05-06T18:28:09Z'), now, 'UTC')).toBe('until 18:28 UTC, in 13h 20m');
  expect(endInWords(at('2026-05-07T09:00:09Z'), now, 'UTC')).toBe('until tomorrow 09:00 UTC, in 1d 3h');
  expect(endInWords(at('2026-06-01T05:08:09Z'), now, 'UTC')).toBe('until 2026-06-01 05:08 UTC, in 26d');
  expect(endInWords(now + 30_000, now, 'UTC')).toBe('until 05:08 UTC, in 30s');
  expect(endInWords(Infinity, now, 'UTC')).toBe('forever');
});

test('any other text is refused with one sentence that says what to type', () => {
  const bad: Readonly<Record<string, string>> = {
    '': 'nothing typed: type a length such as 45m',
    yesterday: 'that is not in the future: type a length such as 45m or a time such as 07:30',
    45: '45 of what? type 45m, 45h or 45d',
    '25:00': 'a day has 00:00 to 23:59: type a time such as 07:30',
    tomorrow: 'tomorrow at what time? type tomorrow 09:00',
    '2025-05-07 09:00': 'that moment has passed',
    '99y': '99y is not a length between 1s and 10y',
    配送: 'not understood: type a length such as 45m',
  };
  const odd = ['5 minutes ago', '-45m', 'today 07:00', '2026-02-30 09:00', '2026-05-07', '0m', 'soon', '5 parsecs'];
  for (const text of [...Object.keys(bad), ...odd, '2040-01-01 00:00', 'until', '\u001b[31m', '2026-05-06T05:00Z']) {
    const got = readUntil(text, now, berlin);
    expect(got.ok, text).toBe(false);
    if (!got.ok) expect(got.text, text).toMatch(/type (a length such as 45m|.*\d|forever)/);
    if (!got.ok) expect(got.text).toContain(bad[text] ?? '');
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const got = readUntil(text, now, berlin);
      return got.ok ? got.at > now : got.text.length > 0;
    }),
  );
});

test('hours that daylight saving skips or repeats', () => {
  const spring = at('2026-03-28T22:00:00Z');
  const none =
    'there is no 02:30 on 2026-03-29 in Europe/Berlin, where clocks go from 01:59 to 03:00: type tomorrow 01:59 or tomorrow 03:00';
  for (const typed of ['02:30', 'tomorrow 02:30', '2026-03-29 02:30'])
    expect(readUntil(typed, spring, berlin)).toEqual({ ok: false, text: none });
  expect(readUntil('2026-03-29 02:30+01:00', spring, berlin)).toMatchObject({ at: at('2026-03-29T01:30:00Z') });
  expect(readUntil('tomorrow 03:00', spring, berlin)).toMatchObject({ at: at('2026-03-29T01:00:00Z') });
  const autumn = at('2026-10-24T22:30:00Z');
  expect(readUntil('02:30', autumn, berlin)).toMatchObject({ at: at('2026-10-25T00:30:00Z') });
  expect(readUntil('02:30', at('2026-10-25T00:45:00Z'), berlin)).toMatchObject({ at: at('2026-10-25T01:30:00Z') });
  const words = (text: string) => endInWords(at(text), autumn, berlin).replace(/, in .*/, '');
  expect(words('2026-10-25T00:30:00Z')).toBe('until 02:30 UTC+2 (the first of two 02:30 of that night)');
  expect(words('2026-10-25T01:30:00Z')).toBe('until 02:30 UTC+1 (the second of two 02:30 of that night)');
  expect(words('2026-10-25T02:00:00Z')).toBe('until 03:00 UTC+1');
  expect(readUntil('09:00', spring, berlin)).toMatchObject({ at: at('2026-03-29T07:00:00Z') });
});

test('a typed time of day is its next occurrence, in every zone', () => {
  const zones = fc.constantFrom(
    'UTC',
    berlin,
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'America/St_Johns',
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
      fc.integer({ min: 0, max: 1439 }),
      zones,
      (from, minutes, zone) => {
        const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
        const got = readUntil(time, from * 1000, zone);
        if (!got.ok) return false;
        const changes = absolute(got.at - 4 * 36e5, zone).slice(20) !== absolute(got.at + 36e5, zone).slice(20);
        const minutesBefore = Array.from(
          { length: Math.ceil((got.at - from * 1000) / 6e4) - 1 },
          (_, value) => got.at - (value + 1) * 6e4,
        );
        return (
          got.at > from * 1000 &&
          (clockTime(got.at, zone) === time || changes) &&
          minutesBefore.every((value) => clockTime(value, zone) !== time)
        );
      },
    ),
    { numRuns: runs(60) },
  );
});

test('a date and time is as short as possible', () => {
  expect(dayAndTime(now + 36e5, now, berlin)).toBe('08:08');
  expect(dayAndTime(now + 864e5, now, berlin)).toBe('tomorrow 07:08');
  expect(dayAndTime(now + 3 * 864e5, now, berlin)).toBe('2026-05-09 07:08');
});

test('a moment in a column always has its day: of the week, of the year, else the whole date', () => {
  expect(shortDayAndTime(now + 36e5, now, berlin)).toBe('Wed 08:08');
  expect(shortDayAndTime(now + 6 * 864e5, now, berlin)).toBe('Tue 07:08');
  expect(shortDayAndTime(now + 7 * 864e5, now, berlin)).toBe('13 May 07:08');
  expect(shortDayAndTime(now - 864e5, now, berlin)).toBe('5 May 07:08');
  expect(shortDayAndTime(now + 365 * 864e5, now, berlin)).toBe('2027-05-06');
  // 21:30 in Berlin is the next day in Tokyo.
  expect(shortDayAndTime(now + 14 * 36e5 + 22 * 6e4, now, 'Asia/Tokyo')).toBe('Thu 04:30');
});
