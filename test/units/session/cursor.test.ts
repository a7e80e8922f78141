import { expect, test } from 'vitest';
import { countShown } from '../../../src/session/rows/visible-list.ts';
import type { Message } from '../../../src/session/state/message.ts';
import { stepper } from '../../support/stepper.ts';
import { bareList } from '../../support/things.ts';

interface Probe {
  readonly id: string;
  readonly red: boolean;
  readonly ends: number;
}

const probes = bareList<Probe>({
  id: 'probes',
  title: 'Probes',
  columns: [
    {
      id: 'state',
      title: 'State',
      min: 4,
      priority: 1,
      text: (row) => (row.red ? 'red' : 'fine'),
      sort: (row) => (row.red ? 1 : 0),
      downward: true,
    },
    { id: 'ends', title: 'Ends', min: 4, priority: 1, text: (row) => String(row.ends), sort: (row) => row.ends },
  ],
  sorted: { by: 'state', down: true },
});

const probe = (id: string, red = false, ends = 0): Probe => ({ id, red, ends });
const fine = [...'abcdefghijklmnopqrst'].map((id) => probe(id));
const reds = ['A', 'B', 'C', 'D'].map((id) => probe(id, true));

test('g goes to the first row of the list as it is now: rows that wait and rows that a poll has changed take their place', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine);
  session.send({ type: 'moveCursor', by: 5 });
  session.poll([...fine.map((row) => (row.id === 'k' ? probe('k', true) : row)), ...reds]);
  expect(session.view().cursor).toBe('f');
  session.send({ type: 'moveToEnd', last: false });
  expect(session.view()).toMatchObject({ cursor: 'k', cursorAt: 0, top: 0, waiting: 0 });
  // v9j from there: the five red rows and the five that follow them on screen.
  session.send({ type: 'toggleRange' }, { type: 'addDigit', digit: '9' }, { type: 'moveCursor', by: 1 });
  expect(
    session
      .view()
      .targets.map((row) => (row as Probe).id)
      .join(''),
  ).toBe('kABCDabcde');
});

test('rows that come wait for the next order, but where none is shown', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine.slice(0, 1));
  session.poll(fine.slice(0, 3));
  expect(session.view()).toMatchObject({ ids: ['a'], waiting: 2 });
  const empty = stepper<Probe>(probes);
  empty.poll([]);
  empty.poll(fine.slice(0, 1));
  expect(empty.view()).toMatchObject({ ids: ['a'], waiting: 0 });
});

test('a range marks no row that was not in the list when it was begun', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine);
  session.poll(fine.filter(({ id }) => id !== 'c'));
  session.send({ type: 'toggleRange' });
  // c comes back to its place in the order.
  session.poll(fine);
  session.send({ type: 'moveCursor', by: 3 });
  expect(session.view().cursor).toBe('d');
  expect([...session.view().listState.marks].join('')).toBe('abd');
});

test('of all marked rows an action is for those that were there when they were marked', () => {
  const session = stepper<Probe>(probes);
  const targets = () =>
    session
      .view()
      .targets.map((row) => (row as Probe).id)
      .join('');
  const top: Message = { type: 'moveToEnd', last: false };
  session.poll(fine.slice(0, 3));
  session.send({ type: 'markAll' });
  session.poll(['a', 'd', 'c', 'e'].map((id) => probe(id)));
  session.send(top);
  expect([session.view().ids.join(''), targets(), session.view().listState.marks.size]).toEqual(['adce', 'ac', 3]);
  session.poll(fine.slice(0, 5));
  session.send(top);
  expect([session.view().ids.join(''), targets()]).toEqual(['abcde', 'abc']);
});

test('g in a range marks up to the first row and moves no row', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine);
  session.send({ type: 'moveCursor', by: 2 }, { type: 'toggleRange' });
  session.poll([...fine, ...reds]);
  session.send({ type: 'moveToEnd', last: false });
  expect([...session.view().listState.marks].toSorted().join('')).toBe('abc');
  expect(session.view()).toMatchObject({ cursor: 'a', waiting: 4 });
});

test('a filter that ends leaves the cursor on the row that it was on', () => {
  for (const end of [[{ type: 'closeLayer' }], [{ type: 'choose' }, { type: 'goBack' }]] as const) {
    const session = stepper<Probe>(probes);
    session.poll(fine.map((row, at) => ({ ...row, ends: at })));
    session.send({ type: 'moveCursor', by: 2 }, { type: 'openFilter' }, { type: 'pasteText', text: '15' });
    expect(session.view().cursor).toBe('p');
    session.send(...end);
    expect(session.view()).toMatchObject({ cursor: 'p', cursorAt: 15 });
    expect(session.view().listState.filter).toBe('');
  }
});

test('a filter that is recalled begins at its first match, as one that is typed does', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine.map((row, at) => ({ ...row, ends: at })));
  const open: Message = { type: 'openFilter' };
  session.send(open, { type: 'pasteText', text: '1' }, { type: 'choose' }, { type: 'goBack' });
  session.send({ type: 'moveCursor', by: 4 }, open, { type: 'recall', by: 1 });
  expect([session.view().listState.filter, session.view().cursor]).toEqual(['1', 'b']);
  // Before the newest one it is empty; behind the oldest one it stays.
  const recalled = (...steps: (1 | -1)[]) => {
    session.send(...steps.map((by): Message => ({ type: 'recall', by })));
    return session.view().listState.filter;
  };
  expect([recalled(1, -1), recalled(-1, -1), recalled(1)]).toEqual(['', '', '1']);
});

test('a key that moves where the filter leaves no row leaves the cursor on its row', () => {
  const moves: readonly (readonly Message[])[] = [
    [{ type: 'moveInLayer', by: 1 }, { type: 'choose' }],
    [{ type: 'choose' }, { type: 'moveCursor', by: 1 }],
    [{ type: 'choose' }, { type: 'moveToEnd', last: true }],
  ];
  for (const move of moves) {
    const session = stepper<Probe>(probes);
    session.poll(fine);
    session.send({ type: 'moveCursor', by: 3 }, { type: 'openFilter' }, { type: 'pasteText', text: 'zz' }, ...move);
    expect(session.view().ids).toEqual([]);
    session.send({ type: 'goBack' });
    expect(session.view()).toMatchObject({ cursor: 'd', cursorAt: 3 });
  }
});

test('a row under the cursor that a poll takes out of the filter stays until the cursor moves', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine);
  session.send(
    { type: 'openFilter' },
    { type: 'pasteText', text: 'fine' },
    { type: 'choose' },
    { type: 'moveCursor', by: 2 },
  );
  session.poll(fine.map((row) => (row.id === 'c' ? probe('c', true) : row)));
  expect(session.view()).toMatchObject({ cursor: 'c', gone: 'c' });
  expect(countShown(session.view())).toBe(session.view().ids.length - 1);
  expect(session.view().targets).toEqual([probe('c', true)]);
  session.send({ type: 'markAll' });
  expect(session.view().listState.marks).toEqual(new Set(fine.flatMap(({ id }) => (id === 'c' ? [] : [id]))));
  session.send({ type: 'moveCursor', by: 1 });
  expect(session.view().cursor).toBe('d');
  expect(session.view().places.has('c')).toBe(false);
  // One that the read no longer has stays in its place, but is not counted.
  const gone = stepper<Probe>(probes);
  gone.poll(fine);
  gone.send({ type: 'moveCursor', by: 2 });
  gone.poll(fine.filter(({ id }) => id !== 'c'));
  expect(gone.view()).toMatchObject({ gone: 'c', ids: fine.map(({ id }) => id), total: fine.length - 1 });
  expect(countShown(gone.view())).toBe(fine.length - 1);
});

test('a filter finds the state as the title counts it', () => {
  const session = stepper<Probe>({
    ...probes,
    states: [{ label: 'BURNING', isIn: (row: Probe) => row.red }],
  });
  session.poll([...fine, ...reds]);
  session.send({ type: 'openFilter' }, { type: 'pasteText', text: 'burning' });
  expect(session.view().ids.join('')).toBe('ABCD');
});

test('a sort shows the top, with the cursor on the first row', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine.map((row, at) => ({ ...row, ends: 20 - at })));
  session.send({ type: 'moveCursor', by: 15 }, { type: 'setSort', by: 'ends' });
  expect(session.view()).toMatchObject({ cursor: 't', cursorAt: 0, top: 0 });
});

test('after our edit deleted the row under the cursor, polls leave the cursor on the row that took its place', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine);
  session.send({ type: 'moveCursor', by: 5 });
  session.poll(fine, ['f']);
  session.send({ type: 'sendingChanged', of: {} });
  expect(session.view().cursor).toBe('g');
  session.poll(fine.slice(3), ['f']);
  expect(session.view().cursor).toBe('g');
});

const madeBy = (id: string) =>
  ({
    type: 'performDone',
    pending: { list: probes, action: { id: 'probes.new', title: 'new', uses: [] }, rows: [undefined], values: {} },
    results: [{ id: '', name: id, ok: true, text: `created ${id}` }],
    made: id,
  }) as unknown as Message;

test('a row that we made is shown as soon as it is read, under the cursor and not as new; others wait', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine);
  session.send({ type: 'moveCursor', by: 3 }, madeBy('M'));
  // A read that began before the edit does not have it yet.
  session.poll(fine);
  session.poll([...reds, ...fine, probe('M', true)]);
  expect(session.view()).toMatchObject({ cursor: 'M', cursorAt: 0, waiting: 4 });
  expect(session.view().counts.fresh.has('M')).toBe(false);
  expect(session.view().counts.fresh.size).toBe(4);
});

test('rows that an undo brings back are shown as soon as they are read, in their place; others wait', () => {
  const session = stepper<Probe>(probes);
  session.poll(fine);
  // Our edit takes two rows out of the list, and Ctrl-R orders the others anew.
  session.poll(fine.slice(3));
  session.send({ type: 'refresh' });
  session.poll(fine.slice(3));
  const steps = ['a', 'b'].map((id) => ({ id, name: id, calls: [], before: probe(id), after: probe(id) }));
  const forward = { list: probes, action: { id: 'probes.end', title: 'end', uses: [] }, rows: [], values: {} };
  const edit = { text: 'ended 2 probes', list: probes.id, group: 'g', forward, steps };
  const undoing = { entries: [], text: '', edit };
  session.send({ type: 'undoDone', undoing, done: 2, left: [] } as unknown as Message);
  session.poll(fine.slice(3));
  session.poll(fine);
  expect(session.view()).toMatchObject({ ids: ['a', 'b', ...fine.slice(3).map(({ id }) => id)], waiting: 1 });
});

test('a filter gives way to a row that we made, unless the cursor has gone on', () => {
  for (const isGone of [false, true]) {
    const session = stepper<Probe>(probes);
    session.poll(fine);
    session.send({ type: 'openFilter' }, { type: 'pasteText', text: 'fine' }, { type: 'choose' }, madeBy('M'));
    if (isGone) session.send({ type: 'moveCursor', by: 1 });
    session.poll([...fine, probe('M', true)]);
    expect(session.view()).toMatchObject(isGone ? { cursor: 'b', waiting: 0 } : { cursor: 'M', cursorAt: 0 });
    expect(session.view().listState.filter).toBe(isGone ? 'fine' : '');
  }
});

test('a time range that is chosen again changes nothing, another one begins anew', () => {
  for (const [range, size] of [
    ['1d', [4, 1]],
    ['1h', [0, 0]],
  ] as const) {
    const session = stepper<Probe>({ ...probes, ranges: { options: ['1h', '1d'], initial: '1d' } });
    session.poll(fine);
    session.poll([...fine, ...reds]);
    session.send({ type: 'toggleMark' }, { type: 'setTimeRange', range });
    const { counts, listState } = session.view();
    expect([counts.fresh.size, listState.marks.size]).toEqual(size);
  }
});

test('a view of the list as it is asked leaves new what is new, and one that asks for other rows does not', () => {
  const ranged = { ...probes, ranges: { options: ['1h', '1d'], initial: '1d' } };
  for (const [range, fresh] of [
    ['1d', 4],
    ['1h', 0],
  ] as const) {
    const session = stepper<Probe>(ranged);
    session.poll(fine);
    session.poll([...fine, ...reds]);
    expect(session.view().counts.fresh.size).toBe(4);
    const view = { name: 'v', at: 1, screen: probes.id, tab: 0, list: { filter: 'fine', range } };
    session.become({ ...session.state(), views: [view] });
    session.send({ type: 'openView', name: 'v' });
    expect(session.view().listState.filter).toBe('fine');
    expect(session.view().counts.fresh.size).toBe(fresh);
  }
});
