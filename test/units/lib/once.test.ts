import { expect, test } from 'vitest';
import { oncePer } from '../../../src/lib/once.ts';

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
