import { expect, test } from 'vitest';
import { monitors } from '../../../screens/monitors.ts';
import type { Known } from '../../../src/cache/cache.ts';
import { createOrganisation } from '../../../src/describe/organisation.ts';
import type { Rows } from '../../../src/describe/source.ts';
import { combinedScreens } from '../../../src/session/organisations/combined-list.ts';
import { seedFrom, snapshotOf } from '../../../src/session/snapshot.ts';
import { initial } from '../../../src/session/state.ts';
import { contextOf } from '../../support/plans.ts';

const of = (name: string) => ({ organisation: createOrganisation(name, (base) => base), screens: [monitors] });

test('rows of several organisations are kept under the read of their own, and given back to it', () => {
  const screens = combinedScreens([of('acme'), of('beta')]);
  const told: Record<string, Rows<unknown>> = {
    acme: { rows: [{ id: '1', name: 'Disk' }] },
    beta: { rows: [{ id: '1', name: 'Queue' }], notes: ['one page only'] },
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
