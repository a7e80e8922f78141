import { expect, test } from 'vitest';
import { list } from '../../../src/describe/screen.ts';
import { guardMs, keepsPlaces, quietMs, topAfterSort } from '../../../src/session/list/cursor.ts';
import type { ListState } from '../../../src/session/rows/list-state.ts';
import { createRowsInSight, seenMs } from '../../../src/shell/attached.ts';
import { nothingSaid, toHearing, unsaid } from '../../../src/shell/plain.ts';
import { bareSession, heldSource } from '../../support/bare-session.ts';

/** When rows keep their places, when they are sorted, where that leaves the cursor, and what of them was seen. */

interface Lamp {
  readonly id: string;
  readonly red?: boolean;
}

const lamps = (held: { rows: readonly Lamp[] }) =>
  list<Lamp>({
    ...{ id: 'lamps', title: 'Lamps', actions: [], empty: '' },
    columns: [{ id: 'red', title: 'RED', min: 3, priority: 1, text: ({ red }) => `${red}`, sort: ({ red }) => +!red }],
    sorted: { by: 'red', down: false },
    states: [{ label: 'RED', needsPerson: 'red lamp', isIn: ({ red = false }) => red }],
    detail: { sections: () => [] },
    load: () => heldSource('lamps', () => held.rows),
    idOf: ({ id }) => id,
    nameOf: ({ id }) => id,
  });

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP'];
const calm: readonly Lamp[] = letters.map((id) => ({ id }));
const key = (name: string, alone = true) => ({ name, text: name, alone });

/** A session of 42 lamps, 24 of which are in sight, polled every 15 s; drawn at once. */
async function opened() {
  const held = { rows: calm };
  const screens = [
    { id: 'lamps', title: 'Lamps', key: '1', lists: [lamps(held)] },
    { id: 'other', title: 'Other', key: '2', lists: [{ ...lamps({ rows: [] }), id: 'other' }] },
  ];
  const { session, clock, state } = await bareSession(screens);
  const sight = createRowsInSight(clock);
  let inSight: object | undefined;
  const drawn = () => {
    const rows = sight.undrawn(session.now());
    if (rows && rows !== inSight) sight.shown(rows);
    inSight = rows;
    for (const one of session.undrawn()) session.shown(one);
  };
  session.store.subscribe(drawn);
  const view = () => session.now().view;
  return {
    ...{ session, clock, state, view },
    turnsRed(...red: string[]) {
      held.rows = letters.map((id) => ({ id, red: red.includes(id) }));
    },
    without(id: string) {
      held.rows = calm.filter((row) => row.id !== id);
    },
    press(...names: string[]) {
      for (const name of names) {
        const seen = sight.pressed();
        if (seen) session.send(seen);
        session.press(key(name));
      }
    },
    first: () => view().ids.slice(0, 3).join(''),
  };
}

const calmState = { marks: new Set<string>() } as Partial<ListState> as ListState;

test.each<[string, boolean, number, Partial<ListState>, Parameters<typeof keepsPlaces>[0]['layers']]>([
  ['before any key', false, Number.POSITIVE_INFINITY, {}, []],
  ['right after a key', true, 0, {}, []],
  ['just before 20 s', true, quietMs - 1, {}, []],
  ['at 20 s', false, quietMs, {}, []],
  ['with the clock set back', false, -1, {}, []],
  ['under a layer', true, quietMs, {}, [{ kind: 'help' } as never]],
  ['while a filter is typed', true, quietMs, {}, [{ kind: 'filter' } as never]],
  ['behind a detail', true, quietMs, { detail: { id: 'a', tab: 0, top: 0 } }, []],
  ['in a range', true, quietMs, { rowRange: { from: 'a', rows: [], count: '' } }, []],
  ['with a mark', true, quietMs, { marks: new Set(['a']) }, []],
  ['in an unsaved order', true, quietMs, { moving: ['a'] }, []],
])('rows keep their places %s: %s', (_, keeps, sinceKey, own, layers) => {
  expect(keepsPlaces({ layers }, { ...calmState, ...own }, sinceKey)).toBe(keeps);
});

test.each([
  // top, cursor, height, rows → top
  [0, 0, 10, 40, 0],
  [0, 9, 10, 40, 0],
  [0, 10, 10, 40, 1],
  [0, 39, 10, 40, 30],
  [12, 11, 10, 40, 11],
  [12, 15, 10, 40, 12],
  [35, 36, 10, 40, 30],
  [5, 0, 10, 4, 0],
])('a list that began at row %i, its cursor at %i of a window of %i and %i rows, begins at row %i', (...row) => {
  const [top, at, height, count, after] = row;
  expect(topAfterSort(top, at, height, count)).toBe(after);
});

test('a poll sorts a list that nobody uses: its top stays in sight, and the cursor on its row', async () => {
  const { clock, view, turnsRed, first } = await opened();
  turnsRed('P', 'z');
  await clock.passes(15_000);
  expect([first(), view().cursor, view().cursorAt, view().top]).toEqual(['zPa', 'a', 2, 0]);
  turnsRed(...letters.slice(1));
  await clock.passes(15_000);
  // The cursor would leave the window: it scrolls the least.
  expect([first(), view().cursor, view().cursorAt, view().top]).toEqual(['bcd', 'a', 41, 42 - 24]);
});

test('after a key rows keep their places for 20 s, and are sorted once then', async () => {
  const { clock, view, press, turnsRed, first } = await opened();
  await clock.passes(10_000);
  press('j');
  turnsRed('P');
  await clock.passes(quietMs - 1);
  expect([first(), view().counts.fresh.size]).toEqual(['abc', 1]);
  await clock.passes(1);
  expect([first(), view().cursor]).toEqual(['Pab', 'b']);
  const { order } = view();
  await clock.passes(60_000);
  expect(view().order).toBe(order);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['a layer', ['?'], ['esc']],
  ['a filter that is typed', ['/'], ['esc']],
  ['a detail', ['return'], ['esc']],
  ['a range', ['v'], ['esc', 'esc']],
  ['a mark', ['space'], ['esc']],
])('under %s rows keep their places, and are sorted after 20 s without it', async (_, open, close) => {
  const { clock, press, turnsRed, first } = await opened();
  press(...open);
  turnsRed('P');
  await clock.passes(60_000);
  expect(first()).toBe('abc');
  press(...close);
  await clock.passes(quietMs - 1);
  expect(first()).toBe('abc');
  await clock.passes(15_000);
  expect(first()).toBe('Pab');
});

test.each<[string, readonly string[]]>([
  ['g', ['g']],
  ['another screen and back', ['2', '1']],
])('%s sorts at once, and what is new stays new until it was seen', async (_, keys) => {
  const { clock, view, press, turnsRed, first } = await opened();
  press('j');
  turnsRed('P');
  await clock.passes(15_000);
  expect([first(), view().counts.fresh.size]).toEqual(['abc', 1]);
  press(...keys);
  await clock.passes(0);
  expect([first(), view().counts.fresh.size]).toEqual(['Pab', 1]);
  await clock.passes(seenMs - 1);
  press('j');
  expect(view().counts.fresh.size).toBe(1);
  await clock.passes(1);
  press('k');
  expect(view().counts.fresh.size).toBe(0);
});

test('what is new off screen, or under a layer, is not seen by any key', async () => {
  const { clock, view, press, turnsRed } = await opened();
  press('j');
  turnsRed('P');
  await clock.passes(15_000);
  for (const name of ['j', 'j', 'j']) {
    press(name);
    await clock.passes(seenMs);
  }
  expect(view().counts.fresh.size).toBe(1);
  press('g', '?');
  await clock.passes(seenMs);
  press('j', 'esc');
  expect(view().counts.fresh.size).toBe(1);
});

test('after a sort by itself a move and an action in one read are refused; an action alone is for the same row', async () => {
  const { session, clock, state, view, press, turnsRed } = await opened();
  const read = (...names: string[]) => {
    for (const name of names) session.press(key(name, false));
  };
  turnsRed('P', 'c');
  await clock.passes(15_000);
  read('j', '2', '1');
  expect([state().screen, state().flash?.text]).toEqual(['lamps', 'Rows were just sorted, press again · ignored: 1']);
  await clock.passes(guardMs);
  read('j', '2');
  expect(state().screen).toBe('other');
  press('1');
  turnsRed('P');
  await clock.passes(quietMs + 15_000);
  press('return');
  expect(view().detail?.row).toEqual({ id: view().cursor, red: false });
});

test('where a sort took the row under the cursor away, no action is for the one in its place unseen', async () => {
  const { clock, view, press, without } = await opened();
  press('j');
  without('b');
  await clock.passes(15_000);
  expect([view().cursor, view().gone]).toEqual(['b', 'b']);
  await clock.passes(quietMs - 15_000);
  expect([view().cursor, view().gone]).toEqual(['c', undefined]);
  press('return');
  expect(view().detail).toBeUndefined();
  await clock.passes(guardMs);
  press('return');
  expect(view().detail?.row).toEqual({ id: 'c' });
});

test('a sort by itself is not spoken, whatever moved', async () => {
  const { session, clock, press, turnsRed, first } = await opened();
  press('j');
  turnsRed('P');
  await clock.passes(15_000);
  const before = unsaid(nothingSaid, toHearing(session), clock.now());
  await clock.passes(quietMs - 15_000);
  expect([first(), unsaid(before.said, toHearing(session), clock.now()).text]).toEqual(['Pab', '']);
});
