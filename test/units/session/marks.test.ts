import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Marks } from '../../../src/session/list/list-state.ts';
import { markedRows, marking, none } from '../../../src/session/list/marks.ts';
import { RowTable } from '../../../src/session/list/row-table.ts';
import { runs } from '../../support/runs.ts';

interface Named {
  readonly id: string;
}
const idOf = (row: unknown) => (row as Named).id;
const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'), { maxLength: 12 });
const step = fc.oneof(
  fc.record({ read: ids }),
  fc.record({ marked: fc.oneof(ids, fc.constant('all' as const)), isOn: fc.boolean() }),
  fc.record({ failed: ids }),
);

test('marks are a set of ids, whatever rows come, go and come back meanwhile', () => {
  fc.assert(
    fc.property(ids, fc.array(step, { maxLength: 12 }), (first, steps) => {
      let table = RowTable.of(
        first.map((id) => ({ id })),
        idOf,
      );
      let marks: Marks = none;
      let expected = new Set<string>();
      for (const one of steps) {
        const before = [marks, expected] as const;
        if ('read' in one)
          table = table.next(
            one.read.map((id) => table.get(id) ?? { id }),
            idOf,
          );
        else if ('failed' in one) {
          // The rows that an edit failed for are a set of their own.
          expected = new Set([...marks, ...one.failed]);
          marks = expected;
        } else {
          const named = one.marked === 'all' ? table.inOrder().map(idOf) : one.marked;
          marks = marking(marks, named, table, { isOn: one.isOn });
          expected = one.isOn ? expected.union(new Set(named)) : expected.difference(new Set(named));
        }
        const order = table.inOrder().map(idOf).toReversed();
        expect(markedRows(marks, order, table).map(idOf)).toEqual(order.filter((id) => expected.has(id)));
        for (const [are, should] of [before, [marks, expected] as const]) {
          expect([[...are].sort(), are.size]).toEqual([[...should].sort(), should.size]);
          expect([...'abcdefghijkl'].filter((id) => are.has(id))).toEqual(
            [...'abcdefghijkl'].filter((id) => should.has(id)),
          );
        }
      }
    }),
    { numRuns: runs(1000) },
  );
});
