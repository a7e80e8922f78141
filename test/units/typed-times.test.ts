import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formParts, inputParts } from '../../src/lib/form-text.ts';
import { nextWindows, readTypedWindow, ruleWords, withoutFirst } from '../../src/lib/recurrence.ts';
import * as time from '../../src/lib/time.ts';
import * as typed from '../../src/lib/typed-time.ts';
import { runs } from '../support/runs.ts';
import { firstOf, storedAs } from '../support/sweeps.ts';

const { absolute, clockTime } = time;
const { readUntil, readSince } = typed;
const at = (iso: string) => Date.parse(iso);
const [now, friday, berlin] = [at('2026-05-06T05:08:09Z'), at('2026-11-27T11:00:00Z'), 'Europe/Berlin'];
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const iso = (ms: unknown) =>
  typeof ms === 'number' && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString().replace('.000', '') : `${ms}`;
const told = (one: object | undefined) => (one ? Object.values(one).map(iso).join(' ') : 'none');
/** Texts between bars. */
const listed = (texts: string) => texts.trim().split(/\s*\|\s*/);

const lengths = listed(`
  45m | 1h30m |  2 Days  | 1.5h | 1 week and 2 days | 2 days, 3h |  | 45 | -5m | 0m | 0 | 11y | 5 parsecs | m | 1h later | 5m! |
  1e9d | 10ms | 999ms | 1s | 0.999s | 10y | 3653d | 3653d 1s | 1h 30 | 30 1h | s | h | .5h
`);
const ends = listed(`
  45m | for 2 days | in 45m | until 07:30 | 7:08 | 7:09 | today 23:59 | Until Tomorrow 09:00 | 2026-05-07 09:00 |
  2026-05-07T09:00:30 | until 2026-05-07T09:00Z | 2026-06-01 09:00 -05:00 | 2026-06-01 09:00 utc | 2026-6-1 at 9:00 | forever |
  for ever | indefinitely | to 9pm | 9:00 tomorrow | 9am tomorrow | tomorrow at 9:00 | at 9:00 tomorrow | tomorrow 9 |
  09:00 2026-05-08 | 9am 2026-05-08 | 2026-05-08 9am | 09:00, tomorrow | 09:00 on 2026-05-08 | 9am | 5:30pm today | 12am | 12pm |
  1pm | 12:30am |  | yesterday | yesterday 9:00 | 45 | 4.5 | 25:00 | 24:00 | 23:60 | tomorrow | today | 2025-05-07 09:00 | 2026-05-07 09:00 +25:00 | 2026-05-07 09:00 -02:60 | 99y | 配送 |
  5 minutes ago | -45m | today 07:00 | 2026-02-30 09:00 | 2026-02-30 9am | 2026-05-07 | 0m | soon | now | last 5m | 5 parsecs |
  2040-01-01 00:00 | 2036-05-06 07:00 | until | \u001b[31m | 2026-05-06T05:00Z | 13pm | 0am | am | 9 tomorrow today | 9xm tomorrow |
  25 tomorrow | 2026-13-01 09:00 | 2026-05-07 09:60 | 2026-05-07 09:00:61 | 2026-05-06 07:08:09 | 2026-05-06 07:08:10
`);
const starts = listed(`
  22:00 | since 22:00 | Since 10pm | yesterday 22:00 | 22:00 yesterday | 6h | since 6h ago | last 6h | the last 6 hours | from 6h |
  7:00 | 7:08 | 7:09 | today 07:00 | yesterday 7:00 | 2026-05-01 09:00 | 9am 2026-05-01 | since 2026-05-01T09:00Z |
  since 2026-05-01T09:00+02:00 |  | since | 6 | yesterday | today | tomorrow | 2026-05-01 | tomorrow 09:00 | today 23:00 |
  2026-05-07 09:00 | now | in 5m | next week | 25:00 | 13pm | 2026-02-30 09:00 | 2026-02-30 9am | lunch | 99y | 0.5s
`);
const windows = listed(`
  22:00-23:30 | from 22:00 to 2:00 | 10pm – 11pm | from 22:00 for 2h | Tomorrow 09:00 for 1h | tomorrow 09:00-10:30 |
  2026-12-01 09:00 until 2026-12-02 10:00 | from 2026-12-01T09:00Z for 2h | 2026-12-01T09:00Z - 2026-12-01T10:00Z | 11:00-13:00 |
  11:00-12:00 | 12:00-12:00 | 22:00-21:00 | 2h | until 22:00 | for 2h | forever for 2h | 22:00 until forever | 22:00-25:00 |
  today 11:00 for 2h | from 22:00 | from 22:00 for ages | 2026-12-02 09:00 until 2026-12-01 10:00 | 2026-12-01 09:00 until 2026-12-01 09:00 |
  every blue moon 22:00 for 2h |
  every Tue | every Tue 25:00 for 2h | every Tue 24:00 for 2h | every Tue 22:60 for 2h | every Tue 22:00-22:00 |
  every Tue 22:00-24:00 | every Tue 22:00 for 30s | every Tue 22:00 for 90s | every Tue 22:00 for 2h until later |
  every Tue 22:00 for 2h until nov 27 | every Tue 22:00 for 2h until nov 30 | every month on the 32nd 22:00 for 2h |
  every month on the 0th 22:00 for 2h | every 0 days 22:00 for 2h | every 0 weeks on tue 22:00 for 2h | every tue blue 22:00 for 1h |
  every Tue 22:00 for 2h | every thursday and tue at 10pm for 90 minutes | weekdays 02:00-04:00 until Dec 24 | weekday 02:00-04:00 |
  weekends 0:00 for 24h until 3 jan | every day from 22 to 6 | every day 10:00-14:00 | daily 3am for 45m |
  every 3 days 03:00 for 1h | every 2 weeks on tue 03:00 for 1h | every 1 weeks on weekdays 03:00 for 1m |
  every 2 weeks on weekends 03:00 for 1h | every month on the 1st 03:00 for 1h | every month on the 22nd 03:00 for 1h |
  every month on the 31st 03:00 for 1h | every month on the last day 03:00 for 1h | every Mon, Tue and Fri 22:00 for 90m |
  every day 09:00 for 45m until Jan 5 | weekends 02:00 for 1d until 2028-01-05 | every Tue, Thu 22:00 for 2h until 2026-12-31 |
  every day 12:00 for 1h until 27 november | every sun 01:30 for 1h | every fri 12:00 for 1h | every mon 22:00 for 25h
`);

const windowIn = (text: string, from: number, zone: string) => {
  const got = readTypedWindow(text, from, zone);
  if (!got?.ok || got.value.kind !== 'every') return told(got?.ok ? got.value : got);
  const { rule } = got.value;
  const next = (nextWindows([rule], zone, from) ?? []).map(told).join(', ');
  return [told(rule), ruleWords(rule, from, zone), next].join('\n    ');
};

test('in a zone that is not known here no window has a time: rules say theirs in it', () => {
  const rule = { rrule: 'FREQ=DAILY', start: '2026-12-01T22:00:00', duration: '1h' };
  expect(nextWindows([rule], 'Mars/Olympus', Date.UTC(2026, 11, 2))).toBeUndefined();
  expect(withoutFirst(rule, 'Mars/Olympus', Date.UTC(2026, 11, 2))).toBeUndefined();
  expect(nextWindows([rule], 'UTC', Date.UTC(2026, 11, 2))).toHaveLength(3);
});

test('lengths, ends, starts and windows are read as was reviewed', async () => {
  const night = at('2026-11-28T00:30:00Z');
  await storedAs('typed-times', [
    lengths.map((text) => `length "${text}": ${typed.readDuration(text)}`).join('\n'),
    ends.map((text) => `end "${text}": ${told(readUntil(text, now, berlin))}`).join('\n'),
    starts.map((text) => `start "${text}": ${told(readSince(text, now, berlin))}`).join('\n'),
    windows.map((text) => `window "${text}": ${windowIn(text, friday, berlin)}`).join('\n'),
    ...firstOf(
      windows.map((text) => `at night "${text}": ${windowIn(text, night, 'America/New_York')}`),
      9,
    ),
    `without a zone: ${windowIn('every Tue 22:00 for 2h', friday, '+02:00')}`,
  ]);
});

const around = listed(`
  02:30 | tomorrow 02:30 | 2026-03-29 02:30 | 2026-03-29 02:30+01:00 | tomorrow 03:00 | 03:00 | 09:00 | 2026-10-25 02:30 | 24h
`);
const ruleTexts = listed(`
  FREQ=WEEKLY;BYDAY=TU;COUNT=3 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=4 | FREQ=DAILY;COUNT=1 | FREQ=WEEKLY;UNTIL=20261130 |
  FREQ=WEEKLY;BYDAY=TU;UNTIL=20261201T210000Z | FREQ=WEEKLY;BYDAY=TU;UNTIL=20261201T205959Z | FREQ=WEEKLY |
  FREQ=WEEKLY;BYDAY=TU;UNTIL=20261201T220000 | RRULE:freq=weekly;byday=mo,we;WKST=MO | FREQ=MONTHLY;BYDAY=-1FR |
  FREQ=MONTHLY;BYDAY=2TU | FREQ=MONTHLY;BYMONTHDAY=-1 | FREQ=MONTHLY;BYMONTHDAY=31 | FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR |
  FREQ=MONTHLY;INTERVAL=5 | FREQ=MONTHLY | FREQ=YEARLY | FREQ=YEARLY;BYMONTH=3,12 | FREQ=YEARLY;BYMONTH=12;BYDAY=1TU |
  FREQ=YEARLY;INTERVAL=2 | FREQ=DAILY;INTERVAL=3 | FREQ=DAILY;BYMONTH=1 | FREQ=MONTHLY;BYMONTHDAY=-2 | FREQ=DAILY;UNTIL=soon |
  FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1 | FREQ=WEEKLY;BYDAY=TU;BYMONTHDAY=1 | FREQ=HOURLY | FREQ=DAILY;BYSETPOS=1 |
  FREQ=DAILY;INTERVAL=0 | FREQ=DAILY;INTERVAL=x | FREQ=WEEKLY;BYDAY=XX | FREQ=WEEKLY;BYDAY=1TU | FREQ=YEARLY;BYDAY=1TU |
`);

test('times around a change of clocks, and rules of a service, are as was reviewed', async () => {
  const [spring, autumn] = [at('2026-03-28T22:00:00Z'), at('2026-10-24T22:30:00Z')];
  const changes = [spring, autumn, autumn + 2.25 * hour, autumn + 7.5 * hour].flatMap((from) =>
    around.map(
      (text) =>
        `${iso(from)} "${text}": ${[readUntil, readSince].map((read) => told(read(text, from, berlin))).join('; ')}`,
    ),
  );
  const hours = [-2, -1, 0, 1, 2, 3, 4, 5, 6].map((halves) => {
    const ms = autumn + (halves * hour) / 2;
    const words = [
      typed.zonedTime(ms, autumn, berlin),
      typed.startInWords(ms, autumn + day, berlin),
      typed.endInWords(ms, spring, berlin),
    ];
    return [iso(ms), ...words, time.whichOfTwo(ms, berlin)].join(' | ');
  });
  const walls = [berlin, 'Australia/Lord_Howe', 'America/St_Johns', 'UTC'].flatMap((zone) =>
    ['3 29 2 30', '10 25 2 30', '10 4 2 15', '3 8 2 0', '4 5 1 45'].map((parts) => {
      const [month = 0, date = 0, hours = 0, minutes = 0] = parts.split(' ').map(Number);
      const wall = { year: 2026, month, day: date, hour: hours, minute: minutes, second: 0 };
      return `${zone} ${parts}: ${time.zoneInstants(wall, zone).map(iso)}, ${time.gapAround(wall, zone)?.map(iso)}`;
    }),
  );
  const rule = { start: '2026-11-24T22:00:00', duration: '2h', rrule: 'FREQ=DAILY' };
  const odd = [{ start: 'soon' }, { duration: 'ages' }, { start: '2026-11-24T22:00' }];
  const rules = [...ruleTexts.map((rrule) => ({ rrule })), ...odd].map((more) => {
    const one = { ...rule, ...more };
    const next = [friday, at('2026-12-01T22:00:00Z')].map((from) =>
      nextWindows([one], berlin, from)?.map(told).join(', '),
    );
    const others = told(withoutFirst(one, berlin, friday));
    return `rule ${told(more)}: ${ruleWords(one, friday, berlin)}; without its first ${others}\n    ${next.join('; ')}`;
  });
  const both = nextWindows([rule, { ...rule, duration: '1h' }, { ...rule, rrule: 'FREQ=WEEKLY' }], berlin, friday, 5);
  await storedAs('zone-times', [
    ...[changes, hours, walls, rules].map((lines) => lines.join('\n')),
    both?.map(told).join('\n') ?? '',
  ]);
});

const isos = listed(`
  2026-05-06T05:08:09Z | 2026-05-06T07:08:09.123456789+02:00 | 2026-05-06T05:08:09.5+00:00 | 2026-05-06T05:08:09.123987+00:00 |
  2026-05-06 05:08:09 | 2026-05-06 | 2026-05-06T05:08Z | 2026-05-06T05:08:09-0530 | 2026-05-06T05:08:09+02 | 2026-05-06t05:08:09,25z |
  soon | 2026-02-30T00:00:00Z | 2026-02-30T00:00:00+01:00 | 2026-13-01T00:00:00Z | 2026-05-06T24:00:00Z | 2026-05-06T05:60:00Z |
  1778044089 | 1778044089000 | 1778044089000000 | 1778044089.5 | 1234 | 12345 | 0 | ${'9'.repeat(16)} | ${'9'.repeat(17)} | ${'9'.repeat(30)} |
`);
const numbers = [now, now / 1000, 0, -1, -86_400, 5e7, 1e17, 253_402_300_799, 253_402_300_800, 1e24, 1e99, Number.NaN];

test('a rule that ends after a number of windows ends as it would have, however long ago it began', () => {
  const rule = { start: '2010-01-01T09:00:00', duration: '1h', rrule: 'FREQ=YEARLY;COUNT=20' };
  expect(withoutFirst(rule, 'UTC', friday)).toEqual({
    start: '2028-01-01T09:00:00',
    duration: '1h',
    rrule: 'FREQ=YEARLY;COUNT=2',
  });
});

test('where the clock was set back, nothing is younger than nothing', () => {
  expect([time.span(-hour), time.span(-500, Math.floor), time.span(-hour, Math.floor)]).toEqual(['0s', '0s', '0s']);
});

test('moments and lengths are told as was reviewed', async () => {
  const edges = [
    1 / 60,
    59 / 60,
    ...[1, 59, 60, 89.5, 90, 99, 100, 120],
    ...[47 / 24, 2, 13, 14, 56, 57, 100, 729, 730, 800, 1094, 1095].map((days) => days * 1440),
  ];
  const lengthsTold = edges.flatMap((minutes) =>
    [-500, -1, 0, 500].map((more) => {
      const ms = Math.round(minutes * minute) + more;
      return [
        ms,
        time.age(now - ms, now),
        time.age(now + ms, now),
        ...[time.span, time.spans, time.minutesLeft, time.timeLeft].map((tell) => tell(ms)),
      ].join(' | ');
    }),
  );
  const exact = [absolute, clockTime, time.calendarDay, time.timeToSecond];
  const near = [typed.dayAndTime, typed.shortDayAndTime, typed.endInWords, typed.startInWords];
  const moments = [-400, -126, -7, -1, 0, 1, 2, 6, 7, 30, 239, 240, 364, 366].flatMap((days) =>
    [0, 16, 17, 18, 19, 22].flatMap((hours) =>
      [berlin, 'Asia/Kolkata'].map((zone) => {
        const ms = now + days * day + hours * hour;
        return [...exact.map((tell) => tell(ms, zone)), ...near.map((tell) => tell(ms, now, zone))].join(' | ');
      }),
    ),
  );
  const none = [Number.NaN, Infinity, 8.64e15, 8.64e15 + 1, -8.64e15].map((ms) =>
    [
      ms,
      time.age(ms, now),
      time.age(now, ms),
      ...exact.map((tell) => tell(ms, 'UTC')),
      typed.shortDayAndTime(ms, now, 'UTC'),
    ].join(' | '),
  );
  const zones = ['America/New_York', 'No/Such_Zone', '+05:45'].map(
    (zone) => `${zone}: ${[now, at('0000-01-01T00:00:00Z')].map((ms) => absolute(ms, zone))}`,
  );
  const values = [...isos, ...numbers, BigInt(now) * 1_000_000n, 0n, null, undefined, true, {}, []].map((value) => {
    const read = [
      time.readMoment(value),
      time.readMoment(value, 's'),
      time.readEpoch(value, 'ms'),
      time.readEpoch(value, 's'),
    ];
    return `${typeof value} ${value}: ${read.map(iso).join(' | ')}`;
  });
  const forms = [6, 20, 40, 58, 62, 70, 78, 100, 118, 119, 120, 160, 161, 200].map((columns) =>
    JSON.stringify([
      columns,
      formParts(columns, true),
      ...[0, 9, 24, 30].map((label) => inputParts(['x'.repeat(label), 'y'.repeat(label / 3)], columns)),
    ]),
  );
  await storedAs(
    'text-times',
    [lengthsTold, moments, none, zones, values, forms].flatMap((lines) => firstOf(lines, 24)),
  );
});

test('whatever is typed is a moment on its side of now, or one sentence', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [end, start] = [readUntil(text, now, berlin), readSince(text, now, berlin)];
      return (end.ok ? end.at > now : end.text.length > 0) && (start.ok ? start.at < now : start.text.length > 0);
    }),
  );
  const words = fc.constantFrom(
    ...listed('every | tue | 22:00 | - | for | 2h | until | dec 24 | from | 9am | weekdays | 2 | weeks | on'),
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), (some) => {
      const read = readTypedWindow(some.join(' '), friday, berlin);
      if (read?.ok === false) expect(read.text).toMatch(/type /);
    }),
    { numRuns: runs(600) },
  );
  const dates = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) });
  fc.assert(fc.property(dates, (date) => time.readMoment(date.toISOString()) === date.getTime()));
});

test('a typed time of day is its next occurrence, in every zone', () => {
  const zones = fc.constantFrom(
    ...listed(`
      UTC | Europe/Berlin | America/New_York | Australia/Lord_Howe | Asia/Kathmandu | Pacific/Apia | America/St_Johns
    `),
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
