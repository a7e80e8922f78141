import { expect, test } from 'vitest';
import type { BoardLine } from '../../../src/describe/derived.ts';
import { update } from '../../../src/session/session.ts';
import { emptyWorld } from '../../support/empty-world.ts';
import { stepper } from '../../support/stepper.ts';
import { bareList } from '../../support/things.ts';

const board = bareList<BoardLine>({
  id: 'board',
  title: 'Board',
  board: { blocks: () => [] },
  nameOf: (line) => line.name,
  columns: [{ id: 'line', title: 'Line', min: 4, priority: 1, text: (line) => line.name }],
});

const line = (id: string): BoardLine => ({ id, block: id.slice(0, 1), name: id, cells: { text: id }, place: {} });
const lines = (ids: string) => ids.split(' ').map(line);

/** A board with these lines, the cursor on one of them. */
function on(cursor: string, ids: string) {
  const session = stepper<BoardLine>(board);
  session.poll(lines(ids));
  session.send({ type: 'moveCursor', by: session.view().ids.indexOf(cursor) });
  expect(session.view().cursor).toBe(cursor);
  return {
    ...session,
    shown: () => session.view().ids.join(' '),
    at: () => `${session.view().cursor} ${session.view().cursorAt}`,
  };
}

test('lines that an edit or a poll ranks elsewhere keep their places', () => {
  const session = on('a2', 'a1 a2 a3 a4 b1');
  session.poll(lines('a1 a3 a4 a2 b1'));
  session.poll(lines('a3 a4 a1 a2 b1'));
  expect(session.shown()).toBe('a1 a2 a3 a4 b1');
  session.send({ type: 'moveCursor', by: 1 });
  expect([session.shown(), session.at()]).toEqual(['a1 a2 a3 a4 b1', 'a3 2']);
});

test('after several marked lines sank the cursor is where it was', () => {
  const session = on('b3', 'a1 b1 b2 b3 b4 b5 c1');
  session.poll(lines('a1 b4 b5 b1 b2 b3 c1'));
  expect(session.at()).toBe('b3 3');
});

test('a line that comes is shown at once, where it ranks in its block', () => {
  const session = on('a2', 'a1 a2 a3 b1');
  session.poll(lines('a0 a1 a3 a2 b1'));
  expect(session.shown()).toBe('a0 a1 a2 a3 b1');
  session.poll(lines('a3 a2 a9 b1'));
  expect(session.shown()).toBe('a2 a9 a3 b1');
  session.poll(lines('a8 a3 a2 a9 b1'));
  expect([session.shown(), session.at()]).toEqual(['a8 a2 a9 a3 b1', 'a2 1']);
  session.poll(lines('b0 b1 a8 a3 a2 a9'));
  expect(session.shown()).toBe('b0 b1 a8 a2 a9 a3');
});

test('a line that the last read no longer has stays under the cursor; nothing takes its place under a key', () => {
  const first = on('a1', 'a1 a2 b1');
  first.poll(lines('a0 a2 b1'));
  expect([first.shown(), first.at()]).toEqual(['a1 a0 a2 b1', 'a1 0']);
  const session = on('b1', 'a1 a2 b1 b2 c1');
  session.poll(lines('a1 a2 b2 c1'));
  expect(session.view()).toMatchObject({ cursor: 'b1', cursorAt: 2, gone: 'b1' });
  session.poll(lines('a1 a2 c1'));
  expect(session.shown()).toBe('a1 a2 b1 c1');
  session.poll(lines('c1 c2'));
  expect(session.shown()).toBe('b1 c1 c2');
  session.poll(lines('a1 b1 c1'));
  expect(session.view().gone).toBeUndefined();
  session.poll(lines('a1 c1'));
  session.send({ type: 'moveCursor', by: 1 });
  expect(session.shown()).toBe('a1 c1');
  expect(session.view().cursor).toBe('c1');
});

test('g and Ctrl-R put every line in its order', () => {
  for (const key of [{ type: 'moveToEnd', last: false }, { type: 'refresh' }] as const) {
    const session = on('a1', 'a1 a2 a3');
    session.poll(lines('a2 a3 a1'));
    expect(session.shown()).toBe('a1 a2 a3');
    session.send(key);
    expect(session.shown()).toBe('a2 a3 a1');
    expect(session.view().cursor).toBe(key.type === 'moveToEnd' ? 'a2' : 'a1');
  }
});

test('Tab goes from block to block that has lines, round the ends', () => {
  const all = lines('a1 a2 b1 c1 c2');
  const blocks = [...'aebc'].map((id) => ({ id, lines: all.filter(({ block }) => block === id) })) as never;
  const beside = (cursor: string, by: 1 | -1) => {
    const { state, view } = on(cursor, 'a1 a2 b1 c1 c2');
    const screens = [{ id: board.id, title: board.title, lists: [board] }];
    const world = { ...emptyWorld(screens, state()), view: { ...view(), blocks } };
    return update(state(), { type: 'moveBlock', by }, world).state.lists.board?.cursor;
  };
  expect(['a2', 'b1', 'c2'].map((cursor) => beside(cursor, 1))).toEqual(['b1', 'c1', 'a1']);
  expect(['a2', 'b1', 'c2'].map((cursor) => beside(cursor, -1))).toEqual(['c1', 'a1', 'b1']);
});
