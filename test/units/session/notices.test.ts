import { expect, test } from 'vitest';
import { issueList } from '../../../screens/issues.ts';
import { monitorList } from '../../../screens/monitors.ts';
import type { AnyList } from '../../../src/describe/screen.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { createNotifier } from '../../../src/session/watch/notifier.ts';
import { createTestClock } from '../../support/clock.ts';
import { contextOf } from '../../support/plans.ts';
import { createSteppedClock } from '../../support/steppedclock.ts';

interface Lamp {
  readonly id: string;
  readonly on: boolean;
}

const lamps = {
  id: 'lamps',
  title: 'Lamps',
  idOf: (row: Lamp) => row.id,
  nameOf: (row: Lamp) => `lamp \u001b[31m${row.id}`,
  columns: [],
  states: [
    { label: 'ON', isIn: (row: Lamp) => row.on },
    { label: 'OFF', isIn: () => true },
  ],
  notifies: { one: 'lit lamp', isSo: (row: Lamp) => row.on },
} as unknown as AnyList;

const nothing = new Map<string, string>();
/** A read of the lamps, as it is shown without an edit of ours. */
const read = (rows: readonly Lamp[], key = 'all', isWhole = true) => ({ key, rows, read: rows, isWhole });
const on = (id: string): Lamp => ({ id, on: true });
const off = (id: string): Lamp => ({ id, on: false });

const started = (given?: Clock) => {
  const clock = createTestClock();
  const told: string[] = [];
  const notices = createNotifier({
    clock: given ?? clock,
    context: () => contextOf(),
    notify: (text) => told.push(text),
  });
  return { clock, told, notices };
};

test('the first read of a question notifies of nothing; rows that become so afterward are counted', () => {
  const { told, notices } = started();
  notices.arrived(lamps, read([on('1'), off('2'), off('3')]), nothing);
  expect(told).toEqual([]);
  notices.arrived(lamps, read([on('1'), on('2'), on('3')]), nothing);
  expect(told).toEqual(['2 lit lamps']);
  notices.arrived(lamps, read([on('1'), on('2'), on('3')]), nothing);
  notices.arrived(lamps, read([on('9')], 'some'), nothing);
  expect(told).toHaveLength(1);
});

test('what is news once is not told again when it comes back', async () => {
  const { clock, told, notices } = started();
  const once = { ...lamps, notifies: { ...lamps.notifies, isOnce: true } } as AnyList;
  for (const rows of [[], [on('1')], [], [on('1')], [on('1'), on('2')]]) {
    notices.arrived(once, read(rows), nothing);
    await clock.passes('1m');
  }
  expect(told).toEqual(['1 lit lamp', '1 lit lamp']);
});

test('at most one notification a minute, with everything that happened meanwhile, as counts only', async () => {
  const { clock, told, notices } = started();
  notices.arrived(lamps, read([]), nothing);
  notices.arrived(lamps, read([on('1')]), nothing);
  notices.arrived(lamps, read([on('1'), on('2')]), nothing);
  notices.add('expiring mute');
  expect(told).toEqual(['1 lit lamp']);
  await clock.passes('59s');
  expect(told).toHaveLength(1);
  await clock.passes('2s');
  expect(told).toEqual(['1 lit lamp', '1 lit lamp, 1 expiring mute']);
});

test('a clock that is set back lengthens no wait for a notification', async () => {
  const clock = createSteppedClock();
  const moved = { ms: 0 };
  const { told, notices } = started({ ...clock, now: () => clock.now() + moved.ms });
  notices.add('alert');
  moved.ms = -7_200_000;
  notices.add('alert');
  await clock.passes(60_000);
  expect(told).toEqual(['1 alert', '1 alert']);
});

test('every change of a watched row is told against the state last told; other rows are not', () => {
  const { told, notices } = started();
  const watched = new Map([['1', 'OFF']]);
  expect(notices.arrived(lamps, read([off('1'), off('2')]), watched)).toEqual([]);
  const changes = notices.arrived(lamps, read([on('1'), on('2')]), watched);
  expect(changes).toEqual([{ id: '1', name: 'lamp \u001b[31m1', from: 'OFF', to: 'ON', isOurs: false }]);
  expect(told).toEqual(['2 lit lamps']);
  expect(notices.arrived(lamps, read([on('1')]), new Map([['1', 'ON']]))).toEqual([]);
});

test('a watched row that has left the whole list is told once; one that a part of it lacks may come back', () => {
  const { notices } = started();
  const watched = new Map([['1', 'ON']]);
  const told = (rows: readonly Lamp[], isWhole: boolean, key = 'all') =>
    notices.arrived(lamps, read(rows, key, isWhole), watched).map(({ id, to }) => [id, to]);
  expect(told([off('2')], true)).toEqual([]);
  expect(told([on('1'), off('2')], true)).toEqual([]);
  expect(told([off('2')], false)).toEqual([]);
  expect(told([], true, 'another question')).toEqual([]);
  expect(told([on('1')], true)).toEqual([]);
  expect(told([off('2')], true)).toEqual([['1', undefined]]);
  expect(told([off('2')], true)).toEqual([]);
});

test.each([
  [{ state: 'Alert', priority: 2 }, true],
  [{ state: 'Alert', priority: 3 }, false],
  [{ state: 'Alert' }, false],
  [{ state: 'Warn', priority: 1 }, false],
  [{ state: 'Alert', priority: 1, mutedUntil: Number.POSITIVE_INFINITY }, false],
])('monitors notify of urgent alerts that nobody muted: %j', (row, isSo) => {
  const whole = { mutes: [], groups: [], ...row };
  expect(monitorList.notifies?.isSo(whole as never, contextOf())).toBe(isSo);
  const wider = contextOf({ notify: { priority: 5 } });
  if ('priority' in row && row.priority === 3) expect(monitorList.notifies?.isSo(whole as never, wider)).toBe(true);
});

test.each([
  [{ total: 1000, ageMs: 60_000 }, true],
  [{ total: 999, ageMs: 60_000 }, false],
  [{ total: 5000, ageMs: 7_200_000 }, false],
])('issues notify of new ones with many errors: %j', ({ total, ageMs }, isSo) => {
  const context = contextOf();
  const row = { counts: { total }, firstSeen: context.now - ageMs };
  expect(issueList.notifies?.isSo(row as never, context)).toBe(isSo);
});
