import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movedOn, setBack } from '../../../src/session/send/pending-edit.ts';

const row = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.oneof(fc.integer({ min: 0, max: 3 }), fc.bigInt()));

test('for any rows, members that the edit changed are as before and all others as now', () => {
  fc.assert(
    fc.property(row, row, row, (before, after, now) => {
      const back = setBack(now, before, after) as Record<string, unknown>;
      for (const name of ['a', 'b', 'c', 'd'])
        expect(back[name], name).toBe(before[name] === after[name] ? now[name] : before[name]);
    }),
  );
});

test('a row has moved on only where a member that our edit changed differs from it', () => {
  const before = { state: 'OPEN', id: 1n };
  const after = { state: 'RESOLVED', id: 1n };
  expect(movedOn(before, after, { state: 'RESOLVED', id: 2n })).toBe(false);
  expect(movedOn(before, after, { state: 'IGNORED', id: 1n })).toBe(true);
  expect(movedOn(before, after, undefined)).toBe(false);
  fc.assert(fc.property(row, row, (one, other) => !movedOn(one, other, other) && !movedOn(one, one, other)));
});
