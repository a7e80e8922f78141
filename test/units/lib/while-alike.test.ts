import { expect, test } from 'vitest';
import { whileAlike } from '../../../src/lib/function-results.ts';

test('the four results used last are answered again, and another one is made anew', () => {
  const made: string[] = [];
  const shout = whileAlike(
    ({ word }: { readonly word: string }) => {
      made.push(word);
      return { text: word.toUpperCase() };
    },
    (before, after) => before.word === after.word,
    4,
  );
  const said = ['a', 'b', 'c', 'd'].map((word) => shout({ word }));
  expect(shout({ word: 'a' })).toBe(said[0]);
  expect(shout({ word: 'd' })).toBe(said[3]);
  expect(shout({ word: 'e' })).toEqual({ text: 'E' });
  expect(shout({ word: 'd' })).toBe(said[3]);
  expect(shout({ word: 'a' })).toBe(said[0]);
  expect(shout({ word: 'b' })).toEqual(said[1]);
  expect(made.join('')).toBe('abcdeb');
});
