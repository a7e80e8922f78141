import { expect, test } from 'vitest';
import { mutedText } from '../../screens/monitors/columns.ts';
import { detail } from '../../screens/monitors/detail.ts';
import { ledgerRows } from '../../screens/monitors/ledger-row.ts';
import { current, readPage as readPageOf } from '../../screens/monitors/list-page.ts';
import { muteAction } from '../../screens/monitors/mute.ts';
import { type MonitorRow, rawMonitor, readMonitor } from '../../screens/monitors/row.ts';
import { call, reducing } from '../../src/api/endpoint.ts';
import { listMonitors } from '../../src/api/monitors.ts';
import { shareUnchanged } from '../../src/cache/cache.ts';
import { createClient } from '../../src/client/client.ts';
import { runAtOnce } from '../../src/lib/slices.ts';
import { contextOf } from '../support/plans.ts';
import { fastClock, json, serve } from '../support/scripted-server.ts';

const monitorOf = (id: number, groups: number) => ({
  id,
  name: `Monitor ${id}`,
  tags: ['team:core', 'env:production'],
  overall_state: 'Alert',
  message: 'Look at the disk. @team-core',
  options: { silenced: {} as Record<string, number | null> },
  state: {
    groups: Object.fromEntries(
      Array.from({ length: groups }, (_, at) => {
        const name = `host:web-${at}`;
        return [name, { name, status: at % 10 === 0 ? 'Alert' : 'OK' }];
      }),
    ),
  },
});
const monitors = (count: number, groups = 0) =>
  Array.from({ length: count }, (_, at) => monitorOf(at + 1, (at % 2) * groups));
const readPage = (answer: unknown) => readPageOf(answer, false);
const rowsOf = (answer: unknown) => runAtOnce(readPage(answer)) as readonly MonitorRow[];

test('a listed row keeps eight groups, whatever their number, and what is asked of all of them; one that was read whole has all', () => {
  const answer = monitorOf(1, 500);
  const [row] = rowsOf([answer]) as [MonitorRow];
  expect(row.worst.map(({ name }) => name)).toEqual([0, 10, 20, 30, 40, 50, 60, 70].map((at) => `host:web-${at}`));
  expect(row.groups).toMatchObject({ all: 500, states: ['Alert', 'OK'] });
  expect(row.groups.red).toHaveLength(50);
  expect(row).not.toHaveProperty('raw');
  const whole = readMonitor(answer, 0) as MonitorRow;
  expect(whole.worst).toHaveLength(500);
  expect(rawMonitor(whole)).toBe(answer);
  expect(runAtOnce(readPageOf([answer], true))).toEqual([whole]);
});

test('a detail tells of a listed row what its list has, and that the options are being read', () => {
  const options = { silenced: {}, thresholds: { critical: 20, warning: 10 } };
  const [row] = rowsOf([{ ...monitorOf(1, 0), options }]) as [MonitorRow];
  const lines = detail.sections(row, undefined, contextOf()).flatMap((section) => section.lines);
  expect(lines).toContainEqual(expect.objectContaining({ label: 'Thresholds', value: 'critical 20, warning 10' }));
  expect(lines).toContainEqual(expect.objectContaining({ text: 'Loading…' }));
  const labels = lines.flatMap((line) => (line.kind === 'pair' ? line.label : []));
  for (const unread of ['Alerts', 'Created', 'Status']) expect(labels).not.toContain(unread);
});

test('a page is red only of what notifies: neither the state of P3, nor a muted group, nor a neighbor without a priority', () => {
  const tonesOf = (of: object, loaded: readonly MonitorRow[] = []) => {
    const [row] = rowsOf([{ ...monitorOf(1, 2), tags: ['service:shop'], ...of }]) as [MonitorRow];
    const context = contextOf({ loaded: () => loaded });
    const detailLines = [
      ...detail.sections(row, undefined, context),
      ...(detail.neighbors?.(row, undefined, context) ?? []),
    ];
    const [first] = detail.preview?.(row, context) ?? [];
    return {
      detail: detailLines.flatMap(({ lines }) =>
        lines.flatMap((line) =>
          line.kind === 'pair' && /Alert(?!s)/i.test(`${line.label} ${line.value}`) ? [line.tone] : [],
        ),
      ),
      preview: first?.kind === 'facts' ? first.facts.flatMap(({ tone }) => tone ?? []) : [],
    };
  };
  const neighbor = rowsOf([{ ...monitorOf(2, 0), tags: ['service:shop'] }]);
  expect(tonesOf({ priority: 1 })).toEqual({ detail: ['bad', 'bad'], preview: ['bad', 'bad', 'good'] });
  expect(tonesOf({ priority: 3 }, neighbor).detail).toEqual(['plain', 'bad', 'plain']);
  const muted = { priority: 1, options: { silenced: { '*': null } } };
  expect(tonesOf(muted, neighbor)).toEqual({
    detail: ['quiet', 'quiet', 'plain'],
    preview: ['quiet', 'quiet', 'quiet'],
  });
});

test('groups of one name are counted as they are listed', () => {
  const groups = { a: { name: 'b', status: 'OK' }, b: { status: 'Warn' }, c: { name: 'c', status: 'Alert' } };
  const [row] = rowsOf([{ id: 1, state: { groups } }]);
  expect(row?.groups).toMatchObject({ all: 2, red: ['c', 'b'] });
});

test('a page is read in slices: a pause at least after each three monitors of 500 groups', () => {
  const pauses = (count: number, groups: number) => [...readPage(monitors(count * 2, groups))].length;
  expect(pauses(80, 500)).toBeGreaterThanOrEqual(26);
  expect(pauses(30, 0)).toBe(0);
  expect(pauses(500, 0)).toBeGreaterThanOrEqual(5);
});

test('a row lists a mute until it has ended, and knows which groups still notify under one of a scope', () => {
  const answer = monitorOf(1, 20);
  answer.options.silenced = { 'host:web-0': 1000, 'host:web-10': null };
  const [row] = rowsOf([answer]) as [MonitorRow];
  expect(row.groups.red).toEqual(['host:web-0', 'host:web-10']);
  expect(current(row, 999_999)).toBe(row);
  expect(current(row, 1_000_000).mutes.map(({ scope }) => scope)).toEqual(['host:web-10']);
});

test('the cell of a mute of a scope counts groups that the row does not have', () => {
  const answer = monitorOf(1, 500);
  answer.options.silenced = { 'host:web-0': 1000, 'host:web-1': null, 'host:web-1,env:prod': null };
  const [row] = rowsOf([answer]) as [MonitorRow];
  expect(mutedText(row, { now: 0 })).toBe('2/500 17m left');
  expect(mutedText(current(row, 1_000_000), { now: 1_000_000 })).toBe('1/500 forever');
});

test('what mutes silence is counted over all groups', () => {
  const [whole, scoped] = [monitorOf(1, 500), monitorOf(2, 500)];
  whole.options.silenced = { '*': 5000 };
  scoped.options.silenced = { 'host:web-0': 5000, 'env:prod': null };
  const rows = ledgerRows(rowsOf([whole, scoped]), [], 0);
  expect(rows.map(({ mute, groups, alerting, notifies }) => [mute.scope, groups, alerting, notifies])).toEqual([
    ['*', 500, 50, true],
    ['host:web-0', 1, 1, true],
    ['env:prod', 0, 0, false],
  ]);
});

test('a poll of a page renews only the row that has changed', () => {
  const before = rowsOf(monitors(320));
  for (const place of [0, 31, 319]) {
    const answer = monitors(320);
    (answer[place] as { name: string }).name = 'Another name';
    const after = runAtOnce(shareUnchanged(before, rowsOf(answer))) as readonly MonitorRow[];
    expect(after[place]?.name).toBe('Another name');
    expect(after.flatMap((row, at) => (row === before[at] ? [] : [at]))).toEqual([place]);
  }
  expect(runAtOnce(shareUnchanged(before, rowsOf(monitors(320))))).toBe(before);
});

test('what a mute of 10,000 marked monitors would do is told from each row once', () => {
  const count = { read: 0 };
  const rows = rowsOf(monitors(10_000, 20)).map(
    (row) =>
      new Proxy(row, {
        get(of, name) {
          count.read += 1;
          return of[name as keyof MonitorRow];
        },
      }),
  );
  const context = contextOf();
  const bar = muteAction.bar?.(rows, context);
  const foresight = bar?.foresees?.(bar.values);
  expect(foresight?.text).toContain('10000 monitors, 100000 groups, 10000 alerting');
  expect(count.read).toBeLessThan(20 * rows.length);
});

const apiKey = 'a1b2c3d4e5f60718';

test('an answer that is reduced is read once for the same text, and without the keys that it repeats', async () => {
  const answers = [[{ id: 1, message: 'x' }], [{ id: 1, message: 'x' }], [{ id: 2, message: apiKey }]];
  const { origin } = await serve((_, answer, nth) => json(answer, 200, answers[Math.min(nth, 3) - 1]));
  const client = createClient({
    origin,
    keys: { apiKey, appKey: '0123456789abcdef01234567' },
    readOnly: true,
    clock: fastClock(),
    random: () => 0,
  });
  const count = { reduced: 0 };
  const read = async () => {
    const result = await client.send(
      reducing(call(listMonitors), function* (answer) {
        count.reduced += 1;
        return yield* readPage(answer);
      }),
    );
    return result.ok ? result.value : undefined;
  };
  const first = await read();
  expect(first).toMatchObject([{ id: '1' }]);
  expect(await read()).toBe(first);
  expect(count.reduced).toBe(1);
  for (const times of [2, 3]) {
    const [row] = (await read()) as readonly MonitorRow[];
    expect(row?.message).toBe('[key redacted]');
    // What repeats a key is not remembered: which keys are to be taken out may change.
    expect(count.reduced).toBe(times);
  }
  await client.close();
});
