import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sorted } from '../../../src/session/rows/list-state.ts';
import { contextOf } from '../../support/plans.ts';
import { bareList } from '../../support/things.ts';

interface Thing {
  readonly id: string;
  readonly name: string;
  readonly rank: number;
}

const things = bareList<Thing>({
  nameOf: (row) => row.name,
  columns: [
    { id: 'rank', title: 'Rank', min: 4, priority: 1, text: ({ rank }) => `${rank}`, sort: ({ rank }) => rank },
    { id: 'name', title: 'Name', min: 4, priority: 1, text: ({ name }) => name, sort: ({ name }) => name },
  ],
});

test('rows stand in the order of a column, unknown numbers last in both directions, equal ones as the service has them', () => {
  const row = fc.record({ name: fc.constantFrom('a', 'b', 'c'), rank: fc.oneof(fc.nat(3), fc.constant(Number.NaN)) });
  fc.assert(
    fc.property(fc.array(row), fc.constantFrom('rank' as const, 'name' as const), fc.boolean(), (made, by, down) => {
      const rows = made.map((one, at): Thing => ({ ...one, id: `${at}` }));
      const order = sorted(things, rows, { by, down }, contextOf()).map((id) => rows[Number(id)] as Thing);
      expect(order.toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual(rows);
      for (const [at, one] of order.entries()) {
        const next = order[at + 1];
        if (!next) break;
        if (Object.is(one[by], next[by])) expect(Number(one.id)).toBeLessThan(Number(next.id));
        else if (!Number.isNaN(next[by])) expect(down ? one[by] > next[by] : one[by] < next[by]).toBe(true);
      }
    }),
  );
});

test('without a column to sort by the order is the service’s', () => {
  const rows = ['b', 'a'].map((id) => ({ id, name: id, rank: 0 }));
  expect(sorted(things, rows, undefined, contextOf())).toEqual(['b', 'a']);
  expect(sorted(things, rows, { by: 'gone', down: true }, contextOf())).toEqual(['b', 'a']);
});
