import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../../../src/session/state/message.ts';
import { stepper as steppedList } from '../../support/stepper.ts';
import { bareList } from '../../support/things.ts';

interface Thing {
  readonly id: string;
  readonly rank: number;
}

const thingList = bareList<Thing>({
  columns: [
    { id: 'rank', title: 'Rank', min: 4, priority: 1, text: (row) => String(row.rank), sort: (row) => row.rank },
  ],
  sorted: { by: 'rank', down: false },
});
const stepper = () => steppedList<Thing>(thingList);

const rows = fc.uniqueArray(fc.record({ id: fc.constantFrom(...'abcdefgh'), rank: fc.nat(9) }), {
  selector: ({ id }) => id,
  minLength: 1,
});
const move: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ type: fc.constant('moveCursor' as const), by: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ type: fc.constant('moveToEnd' as const), last: fc.boolean() }),
  fc.constantFrom<Message>({ type: 'toggleMark' }, { type: 'toggleRange' }, { type: 'markAll' }),
);

test('after any poll the cursor stays on its row and the rows keep their order', () => {
  fc.assert(
    fc.property(rows, fc.array(move, { maxLength: 6 }), rows, (first, moves, second) => {
      const session = stepper();
      session.poll(first);
      for (const message of moves) session.send(message);
      const before = session.view();
      session.poll(second);
      const after = session.view();
      expect(after.cursor).toBe(before.cursor);
      expect(after.ids).toEqual(before.ids.filter((id) => after.places.has(id)));
      expect(after.waiting).toBe(second.filter(({ id }) => !before.places.has(id)).length);
    }),
  );
});

test('a deleted row disappears at once, and the cursor is on another row', () => {
  fc.assert(
    fc.property(rows, fc.array(move, { maxLength: 6 }), (all, moves) => {
      const session = stepper();
      session.poll(all);
      for (const message of moves) session.send(message);
      const { cursor = '', ids } = session.view();
      session.poll(all, [cursor]);
      const after = session.view();
      expect(after.ids).toEqual(ids.filter((id) => id !== cursor));
      expect(after.cursor === undefined).toBe(ids.length === 1);
    }),
  );
});

test('after any moves the cursor is on a row, and actions apply to the visible marks, else to that row', () => {
  fc.assert(
    fc.property(rows, fc.array(move, { maxLength: 12 }), (all, moves) => {
      const session = stepper();
      session.poll(all);
      for (const message of moves) {
        session.send(message);
        const { ids, cursorAt: at, cursor, listState, targets } = session.view();
        expect(ids[at]).toBe(cursor);
        expect(cursor).toBeDefined();
        const marked = ids.filter((id) => listState.marks.has(id));
        expect(targets.map((row) => (row as Thing).id)).toEqual(marked.length > 0 ? marked : [cursor]);
      }
    }),
  );
});
