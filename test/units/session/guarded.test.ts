import { expect, test } from 'vitest';
import type { AnyList } from '../../../src/describe/screen.ts';
import { guarded } from '../../../src/session/session-world.ts';

/** What stands for the answer of a function of a description that throws for one row; journeys/faulty.test.tsx has all others. */

function planted(): never {
  throw new TypeError('planted');
}

const column = { id: 'c', text: planted, says: planted, tone: planted, sort: planted };
const broken = {
  id: 'things',
  columns: [column],
  shown: [column],
  columnsOf: () => [column],
  states: [{ label: 'ON', isIn: planted, rank: planted, aside: { label: 'x', isSo: planted } }],
};
const guardedOne = (list: object) =>
  guarded([{ id: 's', title: '', lists: [list as AnyList] }])[0]?.lists[0] as AnyList;

test('a row for which a column or a state throws has a cell that says so, and is in no state', () => {
  const list = guardedOne(broken);
  const columns = [...list.columns, ...(list.shown ?? []), ...(list.columnsOf?.([]) ?? [])];
  const given = columns.map((one) => ['text', 'says', 'tone', 'sort'].map((name) => (one as never)[name]));
  const texts = given.map((members) => members.map((member: () => unknown) => member()));
  expect(texts).toEqual(columns.map(() => ['(unreadable)', '(unreadable)', 'dim', '']));
  const [state] = list.states ?? [];
  const said = [state?.isIn({}, {} as never), state?.rank?.({}), state?.aside?.isSo({}, {} as never)];
  expect(said).toEqual([false, '', undefined]);
});

test('columns of rows that throw are those of the list, and a description without a function has none', () => {
  expect(guardedOne({ ...broken, columnsOf: planted }).columnsOf?.([])).toBeUndefined();
  expect(Object.keys(guardedOne({ id: 'bare', columns: [{ id: 'c', text: planted }] })).sort()).toEqual([
    'columns',
    'id',
  ]);
});
