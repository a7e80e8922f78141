import * as v from 'valibot';
import { expect, test } from 'vitest';
import { bareMonitor } from '../../../screens/monitors/row.ts';
import { monitors } from '../../../screens/monitors.ts';
import type { Rows } from '../../../src/describe/context.ts';
import { list } from '../../../src/describe/screen.ts';
import { firstRows, seedFrom, toSnapshot } from '../../../src/session/list/resume-session.ts';
import type { ListState, Order } from '../../../src/session/rows/list-state.ts';
import { initial } from '../../../src/session/state/state.ts';
import { bareSession, heldSource } from '../../support/bare-session.ts';

const screens = [monitors];
const noneSeen = { seen: () => ({ spans: [], changes: [] }), courses: () => undefined };
const state = initial(screens, { columns: 100, rows: 30 });

test('rows are kept with their notes and their time under their read, in the order of the list, and given back to it', () => {
  const rows = ['1', '2', '3'].map((id) => bareMonitor(id));
  const own = state.lists.monitors as ListState;
  const order = { ids: ['3', '1', '2'], key: '' } as unknown as Order;
  const known = { value: { rows, notes: ['one page only'] }, at: 5, asking: false, partial: false };
  const ordered = { ...state, lists: { monitors: { ...own, order } } };
  const snapshot = toSnapshot(ordered, screens, () => ({ key: 'all', known }), noneSeen);
  const seeded: [string, Rows<unknown>, number][] = [];
  seedFrom(JSON.parse(JSON.stringify(snapshot)), screens, (...given) => seeded.push(given));
  expect(seeded).toEqual([['all', { rows: [rows[2], rows[0], rows[1]], notes: ['one page only'] }, 5]]);
  const many = { ...known, value: { rows: Array.from({ length: 340 }, (_, at) => bareMonitor(`${at}`)) } };
  const cut = toSnapshot(state, screens, () => ({ key: 'all', known: many }), noneSeen);
  expect(cut.map(({ rows: kept, total }) => [kept.length, total])).toEqual([[300, 340]]);
  // Those of an earlier run that were not read in this one are as many as they were.
  const earlier = { ...known, value: { rows, total: 340 }, isFromSnapshot: true };
  expect(toSnapshot(state, screens, () => ({ key: 'all', known: earlier }), noneSeen)[0]?.total).toBe(340);
});

test('rows are kept in the order of the list, new ones last, and the read is not sorted where the order has enough', () => {
  const asked = { ids: 0 };
  const firstOf = (rows: readonly string[], order: string, most: number) => {
    asked.ids = 0;
    const idOf = (row: unknown) => {
      asked.ids += 1;
      return String(row);
    };
    return firstRows(rows, idOf, [...order], most).join('');
  };
  expect(firstOf([...'abcde'], 'dbeca', 3)).toBe('dbe');
  // The order has one that the read no longer has, then too few.
  expect(firstOf([...'abcde'], 'dxbeca', 3)).toBe('dbe');
  expect(firstOf([...'abcde'], 'dx', 3)).toBe('dab');
  expect(firstOf([...'abcde'], '', 3)).toBe('abc');
  const many = Array.from({ length: 1000 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  expect(firstOf(many, many.toReversed().join(''), 3)).toBe(many.toReversed().slice(0, 3).join(''));
  expect(asked.ids).toBe(1000);
});

test('what a snapshot did not keep is not new once it is read; what it kept and has changed since is', async () => {
  interface Lamp {
    readonly id: string;
    readonly red?: boolean;
  }
  const lamps = list<Lamp>({
    ...{ id: 'lamps', title: 'Lamps', actions: [], empty: '' },
    columns: [{ id: 'id', title: 'ID', min: 3, priority: 1, text: ({ id }) => id }],
    states: [{ label: 'RED', needsPerson: 'red lamp', isIn: ({ red = false }) => red }],
    kept: v.looseObject({ id: v.string() }),
    load: () => heldSource('lamps', () => [{ id: 'a', red: true }, { id: 'b' }, { id: 'c', red: true }, { id: 'd' }]),
    idOf: ({ id }) => id,
    nameOf: ({ id }) => id,
  });
  const lampScreens = [{ id: 'lamps', title: 'Lamps', key: '1', lists: [lamps] }];
  const begun = async (total?: number) => {
    const snapshot = [{ list: 'lamps', key: 'lamps', at: 1, rows: [{ id: 'a' }, { id: 'b' }], total }];
    const { session } = await bareSession(lampScreens, { snapshot });
    session.send({ type: 'moveToEnd', last: false });
    const counts = session.now().counts(lampScreens[0] as never);
    return [[...session.now().view.counts.fresh].join(''), counts?.fresh];
  };
  expect(await begun(4)).toEqual(['a', 1]);
  expect(await begun()).toEqual(['acd', 3]);
});
