import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSince, startInWords } from '../../../src/lib/typed-time.ts';

const at = (iso: string) => Date.parse(iso);
const now = at('2026-05-06T05:08:09Z');
const berlin = 'Europe/Berlin';
const read = (text: string, from = now) => {
  const got = readSince(text, from, berlin);
  return got.ok ? new Date(got.at).toISOString().slice(0, 16) : got.text;
};

test('a typed start is the last such moment before now', () => {
  for (const text of [
    '22:00',
    'since 22:00',
    'Since 10pm',
    'yesterday 22:00',
    'since yesterday 22:00',
    '22:00 yesterday',
  ])
    expect(read(text), text).toBe('2026-05-05T20:00');
  for (const text of ['6h', 'since 6h ago', 'last 6h', 'the last 6 hours'])
    expect(read(text), text).toBe('2026-05-05T23:08');
  expect(read('7:00')).toBe('2026-05-06T05:00');
  expect(read('7:09')).toBe('2026-05-05T05:09');
  expect(read('today 07:00')).toBe('2026-05-06T05:00');
  expect(read('yesterday 7:00')).toBe('2026-05-05T05:00');
  expect(read('2026-05-01 09:00')).toBe('2026-05-01T07:00');
  expect(read('since 2026-05-01T09:00Z')).toBe('2026-05-01T09:00');
  expect(read('02:30', at('2026-10-25T00:45:00Z'))).toBe('2026-10-25T00:30');
  expect(read('02:30', at('2026-10-25T06:00:00Z'))).toBe('2026-10-25T01:30');
});

test('what is no past moment is a sentence that says what to type', () => {
  expect(read('')).toMatch(/^nothing typed: type 22:00/);
  expect(read('6')).toBe('6 of what? type 6h or a time such as 22:00');
  expect(read('yesterday')).toBe('yesterday at what time? type yesterday 09:00');
  expect(read('2026-05-01')).toBe('2026-05-01 at what time? type 2026-05-01 09:00');
  for (const text of ['tomorrow 09:00', 'today 23:00', '2026-05-07 09:00', 'now'])
    expect(read(text), text).toMatch(/^that is not in the past: type /);
  for (const text of ['25:00', '13pm']) expect(read(text), text).toMatch(/^a day has 00:00 to 23:59: type /);
  expect(read('2026-02-30 09:00')).toMatch(/^there is no such moment: type /);
  expect(read('lunch')).toMatch(/^not understood: type /);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const got = readSince(text, now, berlin);
      return got.ok ? got.at < now : got.text.length > 0;
    }),
  );
});

test('a start is told with its zone, its day and its distance', () => {
  expect(startInWords(at('2026-05-06T05:00:09Z'), now, berlin)).toBe('since 07:00 UTC+2, 8m ago');
  expect(startInWords(at('2026-05-05T20:00:09Z'), now, berlin)).toBe('since 22:00 UTC+2 yesterday, 9h 8m ago');
  expect(startInWords(at('2026-05-01T05:08:09Z'), now, 'UTC')).toBe('since 05:08 UTC on 2026-05-01, 5d ago');
});
