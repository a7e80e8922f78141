import { expect, test } from 'vitest';
import { splitLength, toMinutes } from '../../src/query/language.ts';

test('a window is a number and a unit', () => {
  const lengths = ['30s', '5m', '48h', '2d', '1w', '1mo', '0m'];
  expect(lengths.map((length) => [length, toMinutes(length)])).toEqual([
    ['30s', 0.5],
    ['5m', 5],
    ['48h', 2880],
    ['2d', 2880],
    ['1w', 10_080],
    ['1mo', 43_200],
    ['0m', 0],
  ]);
  expect(splitLength('15m')).toEqual({ count: 15, unit: 'm' });
});

test('any other text is not a window', () => {
  for (const text of ['', '5', 'm', '5M', '-5m', '1.5h', '5 m', '5min', '1y', '1h30m', '1234567890m'])
    expect([text, toMinutes(text)]).toEqual([text, undefined]);
});
