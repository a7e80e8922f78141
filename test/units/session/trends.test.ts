import * as v from 'valibot';
import { expect, test } from 'vitest';
import { toSnapshot } from '../../../src/session/list/resume-session.ts';
import { snapshotSchema } from '../../../src/session/outside/saved-session.ts';
import { initial } from '../../../src/session/state/state.ts';
import { createTrends } from '../../../src/session/watch/arrivals.ts';
import { bareList } from '../../support/things.ts';

const start = Date.UTC(2026, 10, 24, 15, 0);
const minute = 60_000;

test('the course of a number goes on after a restart with a blank for the time between; what was not read for a day is dropped', () => {
  const first = createTrends([]);
  first.sampleNumbers('home', { alerting: 3, 'service gone': 1 }, start);
  first.sampleNumbers('home', { alerting: 4 }, start + 3 * minute);
  const home = bareList({ id: 'home', derived: { feeds: {}, rows: () => [] } });
  const screens = [{ id: 'home', title: 'Home', lists: [home, bareList({ id: 'lamps', trend: () => 1 })] }];
  first.sampleRows(screens[0]?.lists[1] as typeof home, [{ id: 'a' }], start);
  const seen = () => ({ spans: [], changes: [] });
  const state = initial(screens, { columns: 80, rows: 24 });
  const unread = { known: { asking: false, partial: false }, key: '' };
  const file = toSnapshot(state, screens, () => unread, { seen, courses: first.all });
  expect(file.map(({ list }) => list)).toEqual(['home']);
  const second = createTrends(v.parse(snapshotSchema, JSON.parse(JSON.stringify(file))));
  // The rows of the snapshot are no new read.
  second.sampleNumbers('home', { alerting: 4 }, start + 3 * minute);
  expect(second.of('home', 'alerting')).toEqual([3, 4]);
  second.sampleNumbers('home', { alerting: 9 }, start + 10 * minute);
  second.sampleNumbers('home', { alerting: 8 }, start + 14 * minute);
  expect(second.of('home', 'alerting')).toEqual([3, 4, Number.NaN, Number.NaN, 9, 8]);
  const third = createTrends(
    v.parse(snapshotSchema, JSON.parse(JSON.stringify([{ ...file[0], courses: second.all('home') }]))),
  );
  expect(third.of('home', 'alerting')).toEqual([3, 4, Number.NaN, Number.NaN, 9, 8]);
  expect(third.of('home', 'service gone')).toEqual([1]);
  third.sampleNumbers('home', { alerting: 8 }, start + 24 * 60 * minute);
  expect(third.of('home', 'service gone')).toEqual([]);
});
