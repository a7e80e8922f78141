import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderValues } from '../../src/cli/actions/shape.ts';
import { moves, orderQuestion, rebased } from '../../src/describe/order-action.ts';
import type { AnyList } from '../../src/describe/screen.ts';

const order = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 30 });
const shuffled = order.chain((before) =>
  fc.tuple(fc.constant(before), fc.shuffledSubarray(before, { minLength: before.length, maxLength: before.length })),
);

describe('moves', () => {
  test('moving one row is one move, whatever rows make room', () => {
    expect(moves(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])).toEqual([{ id: 'd', from: 4, to: 1 }]);
    expect(moves(['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'a'])).toEqual([{ id: 'a', from: 1, to: 4 }]);
    expect(moves(['a', 'b'], ['a', 'b'])).toEqual([]);
  });

  test('rows that are not moved keep their relative order, and the moves are as few as possible', async () => {
    await fc.assert(
      fc.property(shuffled, ([before, after]) => {
        const moved = new Set(moves(before, after).map((move) => move.id));
        const stayed = (ids: readonly string[]) => ids.filter((id) => !moved.has(id));
        expect(stayed(before)).toEqual(stayed(after));
        for (const move of moves(before, after))
          expect([before[move.from - 1], after[move.to - 1]]).toEqual([move.id, move.id]);
      }),
    );
    expect(moves(['a', 'b', 'c', 'd'], ['d', 'c', 'b', 'a'])).toHaveLength(3);
  });
});

test('the question names the rows and their new positions', () => {
  const names = { a: 'errors', b: 'slow', c: 'rest' };
  expect(orderQuestion({ before: ['a', 'b', 'c'], after: ['c', 'a', 'b'], names }, ['all three are sent'])).toEqual({
    question: 'Save the new order? 1 row moved',
    details: ['rest: 3 to 1, before errors', 'all three are sent'],
  });
  expect(orderQuestion({ before: ['a', 'b'], after: ['b', 'a'], names }, []).details).toHaveLength(1);
});

describe('an order applied to the current rows', () => {
  const mine = { before: ['a', 'b', 'c'], after: ['c', 'a', 'b'] };

  test('omits deleted rows and puts new ones last', () => {
    expect(rebased(mine, ['a', 'b', 'c'])).toEqual({ kind: 'new', ids: ['c', 'a', 'b'] });
    expect(rebased(mine, ['a', 'c'])).toEqual({ kind: 'new', ids: ['c', 'a'] });
    expect(rebased(mine, ['a', 'b', 'c', 'd'])).toEqual({ kind: 'new', ids: ['c', 'a', 'b', 'd'] });
  });

  test('stops when another user has moved the same rows; an equal move is done already', () => {
    expect(rebased(mine, ['b', 'a', 'c'])).toEqual({ kind: 'overtaken' });
    expect(rebased(mine, ['c', 'a', 'b'])).toEqual({ kind: 'same', ids: ['c', 'a', 'b'] });
  });

  test('stops when the service does not list a moved row, instead of saying "like this already"', () => {
    expect(rebased(mine, ['a', 'b'])).toEqual({ kind: 'unnamed', ids: ['c'] });
    expect(rebased(mine, [])).toEqual({ kind: 'unnamed', ids: ['c'] });
    // Of two swapped neighbors the missing one is named.
    expect(rebased({ before: ['a', 'b'], after: ['b', 'a'] }, ['b'])).toEqual({ kind: 'unnamed', ids: ['a'] });
    expect(rebased({ before: ['a', 'b'], after: ['b', 'a'] }, ['a'])).toEqual({ kind: 'unnamed', ids: ['b'] });
    // Nothing was moved, so nothing is missing.
    expect(rebased({ before: ['a', 'b'], after: ['a', 'b'] }, ['b'])).toEqual({ kind: 'same', ids: ['b'] });
  });

  test('names every current row once', async () => {
    await fc.assert(
      fc.property(shuffled, order, ([before, after], others) => {
        const now = [...before.filter((id) => !others.includes(id)), ...others.filter((id) => !before.includes(id))];
        const again = rebased({ before, after }, now);
        if (again.kind === 'overtaken') throw new Error('nobody else has moved anything');
        if (again.kind === 'unnamed') return expect(again.ids.filter((id) => now.includes(id))).toEqual([]);
        expect([...again.ids].sort()).toEqual([...now].sort());
      }),
    );
  });
});

test.each([
  ['c', { before: 'a' }, 'a', 'cab'],
  ['c', { after: 'a' }, 'a', 'acb'],
  ['a', { before: 'c' }, 'c', 'bac'],
  ['a', { after: 'c' }, 'c', 'bca'],
  ['b', { first: true }, undefined, 'bac'],
  ['b', { last: true }, undefined, 'acb'],
  ['cab', {}, undefined, 'cab'],
  ['a', { before: 'a' }, 'a', 'a row cannot be moved next to itself'],
  ['b', {}, undefined, '1 of 3 rows are named: name all, or say where with --first, --last, --before or --after'],
  ['b', { first: true, last: true }, undefined, 'give one of --first, --last, --before and --after'],
])('a command moves %s of abc by %j', (moved, to, anchor, result) => {
  const same = (row: unknown) => String(row);
  const list = { idOf: same, nameOf: same } as unknown as AnyList;
  const order = orderValues({ list, all: ['a', 'b', 'c'], moved: [...moved], anchor }, to);
  expect(order.ok ? order.value.after.join('') : order.text).toBe(result);
});
