import { expect, test } from 'vitest';
import { present } from '../../../src/lib/present.ts';

test('a member that is undefined is left out; null, false, 0 and the empty text stay', () => {
  const members = present({ id: 'a', hint: undefined, text: '', count: 0, isOn: false, other: null });
  expect(Object.entries(members)).toEqual([
    ['id', 'a'],
    ['text', ''],
    ['count', 0],
    ['isOn', false],
    ['other', null],
  ]);
});

test('a member that is left out keeps what a spread before it has given', () => {
  const refused: string | undefined = undefined;
  expect({ refused: 'read-only', ...present({ refused }) }).toEqual({ refused: 'read-only' });
});
