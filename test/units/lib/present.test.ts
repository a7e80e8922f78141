import { expect, test } from 'vitest';
import { present } from '../../../src/lib/values.ts';

test('undefined members are omitted; null, false, 0 and empty text stay', () => {
  const members = present({ id: 'a', hint: undefined, text: '', count: 0, isOn: false, other: null });
  expect(Object.entries(members)).toEqual([
    ['id', 'a'],
    ['text', ''],
    ['count', 0],
    ['isOn', false],
    ['other', null],
  ]);
});

test('an omitted member keeps the value of an earlier spread', () => {
  const refused: string | undefined = undefined;
  expect({ refused: 'read-only', ...present({ refused }) }).toEqual({ refused: 'read-only' });
});
