import { expect, test } from 'vitest';
import { bareMonitor } from '../../../screens/monitors/row.ts';
import { monitors } from '../../../screens/monitors.ts';
import type { Known } from '../../../src/cache/cache.ts';
import { createOrganisation } from '../../../src/describe/organisation.ts';
import type { Rows } from '../../../src/describe/source.ts';
import type { ListState, Order } from '../../../src/session/list/list-state.ts';
import { combinedScreens } from '../../../src/session/organisations/combined-list.ts';
import { firstRows, seedFrom, snapshotOf } from '../../../src/session/snapshot.ts';
import { initial } from '../../../src/session/state.ts';
import { contextOf } from '../../support/plans.ts';

const of = (name: string) => ({ organisation: createOrganisation(name, (base) => base), screens: [monitors] });

test('rows of several organisations are kept under the read of their own, and given back to it', () => {
  const screens = combinedScreens([of('acme'), of('beta')]);
  const told: Record<string, Rows<unknown>> = {
    acme: { rows: [bareMonitor('1')] },
    beta: { rows: [bareMonitor('2')], notes: ['one page only'] },
  };
  const snapshot = snapshotOf(initial(screens, { columns: 100, rows: 30 }), screens, (list, own) => {
    const { key } = list.load(own.asked, contextOf());
    const value = told[list.organisation?.name ?? ''];
    const known = { ...(value && list.id === 'monitors' && { value }), at: 5, asking: false, partial: false };
    return { key, known: known as Known<Rows<unknown>> };
  });
  const seeded: [string, Rows<unknown>, number][] = [];
  seedFrom(JSON.parse(JSON.stringify(snapshot)), screens, (...given) => seeded.push(given));
  expect(seeded.map(([, value]) => value)).toEqual([told.acme, told.beta]);
  expect(seeded.map(([key, , at]) => [key.split('\u0000')[0], at])).toEqual([
    ['acme', 5],
    ['beta', 5],
  ]);
});

test('of several organisations, rows of each are kept in the order in which all are shown', () => {
  const screens = combinedScreens([of('acme'), of('beta')]);
  const rows = ['1', '2', '3'].map((id) => bareMonitor(id));
  const state = initial(screens, { columns: 100, rows: 30 });
  const own = state.lists.monitors as ListState;
  const order = { ids: ['beta/3', 'acme/2', 'acme/3', 'beta/1', 'acme/1'], key: '' } as unknown as Order;
  const snapshot = snapshotOf({ ...state, lists: { monitors: { ...own, order } } }, screens, (list) => ({
    key: '',
    known: { ...(list.id === 'monitors' && { value: { rows } }), at: 5, asking: false, partial: false },
  }));
  expect(snapshot.map((kept) => kept.rows.map((row) => (row as { id: string }).id).join(''))).toEqual(['231', '312']);
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
