import { expect, test } from 'vitest';
import { keptPer, oncePer } from '../../../src/lib/function-results.ts';

test('a result is made once for each object, also where it is undefined', () => {
  const asked: number[][] = [];
  const first = oncePer((numbers: number[]) => {
    asked.push(numbers);
    return numbers[0];
  });
  const none: number[] = [];
  const one = [1];
  expect([first(none), first(one), first(none), first(one)]).toEqual([undefined, 1, undefined, 1]);
  expect(asked).toEqual([none, one]);
});

test('a kept result is made again where something that it is made from is another one', () => {
  const kept = keptPer<object, number>();
  const of = {};
  const made: number[] = [];
  const make = () => made.push(0);
  const theme = {};
  expect([kept(of, [theme, 1], make), kept(of, [theme, 1], make), kept({}, [theme, 1], make)]).toEqual([1, 1, 2]);
  expect([kept(of, [{}, 1], make), kept(of, [theme, 1], make), kept(of, [theme, 2], make)]).toEqual([3, 4, 5]);
  expect(kept(of, [theme], make)).toBe(6);
});
