import fc from 'fast-check';
import { expect, test } from 'vitest';
import { list } from '../../../src/describe/screen.ts';
import { createRowOrders, sorted } from '../../../src/session/list/row-order.ts';
import { RowTable } from '../../../src/session/list/row-table.ts';
import { contextOf } from '../../support/plans.ts';
import { runs } from '../../support/runs.ts';

interface Thing {
  readonly id: string;
  readonly rank: number;
}

const asked = { ranks: 0 };
const things = list<Thing>({
  id: 'things',
  title: 'Things',
  load: () => ({}) as never,
  idOf: (row) => row.id,
  nameOf: (row) => row.id,
  columns: [
    {
      id: 'rank',
      title: 'Rank',
      min: 4,
      priority: 1,
      text: (row) => String(row.rank),
      sort(row) {
        asked.ranks += 1;
        return row.rank;
      },
    },
    // Half of the rows are past their moment, later the others.
    { id: 'age', title: 'Age', min: 4, priority: 1, text: () => '', sort: (row, { now }) => Math.abs(row.rank - now) },
  ],
  sorted: { by: 'rank', down: false },
  actions: [],
  empty: 'no things',
});
const rank = fc.oneof(fc.nat(4), fc.constant(Number.NaN));
const ids = [...'abcdefghij'];
const step = fc.record({
  rows: fc.uniqueArray(fc.record({ id: fc.constantFrom(...ids), rank }), { selector: ({ id }) => id }),
  keep: fc.subarray(ids),
  by: fc.constantFrom('rank', 'rank', 'rank', 'age', undefined),
  down: fc.boolean(),
  now: fc.nat(4),
  isAsked: fc.boolean(),
});

test('the order of a poll is that of all its rows, whatever is kept of the one before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      const ordered = createRowOrders();
      let table = RowTable.of([], things.idOf as never);
      for (const { rows, keep, by, down, now, isAsked } of steps) {
        const kept = (table.rows as Thing[]).filter(({ id }) => keep.includes(id));
        const others = rows.filter(({ id }) => !keep.includes(id));
        table = table.next(
          [...kept, ...others].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
          things.idOf as never,
        );
        const sort = by === undefined ? undefined : { by, down };
        const context = contextOf({ now });
        const order = ordered.of(things, table, sort, context, false);
        if (isAsked) expect(order.ids()).toEqual(sorted(things, table.rows, sort, context));
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('only rows that are others are sorted again', () => {
  const ordered = createRowOrders();
  const rows = Array.from({ length: 2000 }, (_, at): Thing => ({ id: String(at), rank: (at * 7) % 2000 }));
  const first = RowTable.of(rows, things.idOf as never);
  const sort = { by: 'rank', down: true };
  const order = ordered.of(things, first, sort, contextOf(), false).ids() ?? [];
  asked.ranks = 0;
  expect(ordered.of(things, first, sort, contextOf(), false).ids()).toBe(order);
  expect(asked.ranks).toBe(0);
  const next = first.next(rows.with(5, { id: '5', rank: 5000 }), things.idOf as never);
  expect(ordered.of(things, next, sort, contextOf(), false).ids()).toEqual(['5', ...order.filter((id) => id !== '5')]);
  expect(asked.ranks).toBeLessThan(20);
});
