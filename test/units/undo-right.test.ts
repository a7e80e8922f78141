import { describe, expect, test } from 'vitest';
import type { MonitorRow } from '../../screens/monitors/row.ts';
import type { Rows } from '../../src/describe/context.ts';
import { initialQuery } from '../../src/describe/screen.ts';
import { systemClock } from '../../src/lib/time.ts';
import { hasDisk, hasMute, hour, silences } from '../support/monitors.ts';
import { contextOf } from '../support/plans.ts';
import { servedCommands } from '../support/served-commands.ts';
import { actionOf, listOf, undoingDashboard } from '../support/undoing-dashboard.ts';

/** An undo takes back the edit that was named, no more of it and nothing else. */

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 3, issues: 0 });

const idsOf = async (list: string) => (await orgdeck([list, 'list', '--fields', 'id'])).out.trimEnd().split('\n');
const hasDowntime = (id: string) => {
  hasMute(simulator, id, 'host:web-1', 2 * hour);
  Object.assign([...simulator.org.silences.values()].at(-1) ?? {}, { made: 'v2' });
};
const lastEntry = async () => (await orgdeck(['journal'])).out.slice(0, 8);

describe('an edit of several requests is undone whichever of them came last', () => {
  test('a monitor that was deleted with its downtimes, and an edit of it before', async () => {
    const id = hasDisk(simulator, { id: 7701, name: 'Disk one' });
    hasDowntime(id);
    await orgdeck(['monitors', 'edit', id, '--priority', '5']);
    const edit = await lastEntry();
    const { out } = await orgdeck(['monitors', 'delete', id, '--end-mutes', '--yes', '--json']);
    expect(JSON.parse(out).items[0].undo.kind).toBe('recreate');
    expect(silences(simulator, id)).toEqual([]);
    expect(await orgdeck(['undo', '--yes'])).toMatchObject({ exit: 0, out: 'Created again: Disk one\n' });
    expect(await orgdeck(['undo', edit, '--yes'])).toMatchObject({ exit: 0 });
  });

  test('also where ending its downtime was refused', async () => {
    const id = hasDisk(simulator, { id: 7702, name: 'Disk two' });
    hasDowntime(id);
    simulator.refuses(403, { match: 'downtimes-v1.delete' });
    simulator.refuses(403, { match: 'downtimes.delete' });
    const { out } = await orgdeck(['monitors', 'delete', id, '--end-mutes', '--yes', '--json']);
    expect(JSON.parse(out).items[0].undo.kind).toBe('recreate');
    simulator.recovers();
    const { entry } = JSON.parse(out).items[0];
    expect(await orgdeck(['undo', entry, '--yes'])).toMatchObject({ exit: 0, out: 'Created again: Disk two\n' });
  });
});

describe('a mute that was ended and made again is another downtime, and the undo of the first one says that it is gone', () => {
  const monitors = listOf('monitors');
  const gone = 'what it made is gone';

  test('of a command', async () => {
    const id = hasDisk(simulator, { id: 7703, name: 'Disk three' });
    await orgdeck(['monitors', 'mute', id, '--for', '4h', '--reason', 'deploy']);
    const mute = await lastEntry();
    await orgdeck(['monitors', 'unmute', id]);
    await orgdeck(['undo', '--yes']);
    const made = silences(simulator, id);
    expect(await orgdeck(['undo', mute, '--yes'])).toMatchObject({ exit: 1, err: expect.stringContaining(gone) });
    expect([made.length, silences(simulator, id)]).toEqual([1, made]);
  });

  test('of a dashboard', async () => {
    const id = hasDisk(simulator, { id: 7704, name: 'Disk four' });
    const own = undoingDashboard(there, {
      ...{ directory: machine.directory, pid: 1, clock: systemClock, screen: 'monitors' },
    });
    const context = contextOf({ origin: there.url, now: Date.now() });
    const edits = async (action: string, values: (row: MonitorRow) => unknown) => {
      const read = await own.client.run(monitors.load(initialQuery(monitors), context).plan(context));
      const row = (read.ok ? (read.value as Rows<MonitorRow>).rows : []).find((one) => one.id === id) as MonitorRow;
      await own.edits({ action: actionOf(monitors, action), list: monitors, rows: [row], values: values(row) });
    };
    const until = { kind: 'for', ms: 4 * hour };
    await edits('monitors.mute', () => ({ until, scope: '*', reason: 'deploy' }));
    await edits('monitors.unmute', ({ mutes: [mute] }) => ({ which: 'one', mute }));
    await own.presses('askUndo');
    const made = silences(simulator, id);
    await own.presses('askUndo');
    expect([own.says(), silences(simulator, id)]).toEqual([expect.stringContaining(gone), made]);
    await own.closes();
  });
});

describe('the order that others have made meanwhile', () => {
  test.each([
    ['retention', 'retention.list'],
    ['archives', 'archives.order'],
  ] as const)('of %s stays where it cannot be read', async (list, read) => {
    const ids = await idsOf(list);
    await orgdeck([list, 'delete', `id:${ids[2]}`, '--yes']);
    simulator.refuses(401, { match: read });
    simulator.forgets();
    const part = await orgdeck(['undo', '--yes']);
    expect(simulator.received('PUT').concat(simulator.received('PATCH'))).toEqual([]);
    expect(part).toMatchObject({ exit: 3 });
    simulator.recovers();
    expect((await orgdeck(['undo', '--yes'])).exit).toBe(0);
    expect((await idsOf(list)).toSpliced(2, 1)).toEqual(ids.toSpliced(2, 1));
  });
});

describe('a dashboard undoes an order', () => {
  const dashboard = () => undoingDashboard(there, { directory: machine.directory, pid: 1, clock: systemClock });
  const context = () => contextOf({ origin: there.url });
  const names = () => [...simulator.org.filters.values()].map(({ name }) => name);
  const list = listOf('retention');
  const swapped = async () => {
    const before = await idsOf('retention');
    const after = before.toSpliced(2, 2, before[3] ?? '', before[2] ?? '');
    return {
      action: actionOf(list, 'retention.set-order'),
      list,
      rows: [undefined],
      values: { before, after, names: {} },
    };
  };

  test('also where one of its rows was created again since', async () => {
    const own = dashboard();
    try {
      const before = names();
      await own.edits(await swapped());
      const read = await own.client.run(list.load(initialQuery(list), context()).plan(context()));
      const row = read.ok ? (read.value as { rows: unknown[] }).rows[4] : undefined;
      await own.edits({ action: actionOf(list, 'retention.delete'), list, rows: [row], values: {} });
      await own.presses('askUndo');
      await own.presses('askUndo');
      expect(names()).toEqual(before);
    } finally {
      await own.closes();
    }
  });

  test('unless others have moved rows since', async () => {
    const own = dashboard();
    try {
      await own.edits(await swapped());
      const ids = await idsOf('retention');
      const theirs = [...ids.slice(0, 4), ...ids.slice(4).toReversed()];
      await orgdeck(['retention', 'set-order', ...theirs.map((id) => `id:${id}`), '--yes'], {
        env: { ORGDECK_CONFIG_DIR: `${machine.directory}/theirs` },
      });
      expect(await idsOf('retention')).toEqual(theirs);
      await own.presses('askUndo');
      expect(await idsOf('retention')).toEqual(theirs);
    } finally {
      await own.closes();
    }
  });
});

describe('the undo of a mute', () => {
  const mute = async (id: string, length: string) =>
    JSON.parse((await orgdeck(['monitors', 'mute', id, '--for', length, '--json'])).out).items[0].entry;

  test('puts the end back that it has moved, and ends with 3 where others have moved it since', async () => {
    const id = hasDisk(simulator, { id: 7712, name: 'Disk longer' });
    await mute(id, '1h');
    const [before] = [...simulator.org.silences.values()].filter(({ monitor }) => monitor === id);
    const end = before?.end;
    const longer = await mute(id, '4h');
    expect((await orgdeck(['undo', longer, '--yes'])).exit).toBe(0);
    const ends = () =>
      [...simulator.org.silences.values()]
        .filter((one) => one.monitor === id && one.canceled === null)
        .map((one) => one.end);
    expect(ends()).toEqual([end]);
    const third = await mute(id, '4h');
    await orgdeck(['monitors', 'extend', id, '--for', '1h'], {
      env: { ORGDECK_CONFIG_DIR: `${machine.directory}/theirs` },
    });
    const theirs = ends();
    await orgdeck(['undo', third, '--dry-run']);
    expect((await orgdeck(['journal'])).out).not.toContain('not undone');
    const { exit, out } = await orgdeck(['undo', third, '--yes', '--json']);
    expect([exit, ends()]).toEqual([3, theirs]);
    const leaves = [{ kind: 'monitors', id, say: 'someone has changed it since' }];
    expect(JSON.parse(out).items).toMatchObject([{ outcome: 'failed', leaves }]);
  });
});

test('a row that was deleted is not written over one that others have added since', async () => {
  const [table] = [...simulator.org.tableStore.tables.values()].filter(({ name }) => name === 'blocked_agents');
  const name = `name:${table?.name}`;
  const rows = async () => JSON.parse((await orgdeck(['tables', 'rows', 'list', name, '--json'])).out).items;
  const [row] = await rows();
  const key = String(row.id);
  expect((await orgdeck(['tables', 'rows', 'delete', name, `id:${key}`, '--yes'])).exit).toBe(0);
  const entry = await lastEntry();
  const theirs = { note: 'added by others' };
  table?.rows.set(key, theirs);
  expect(await orgdeck(['undo', entry, '--yes'])).toMatchObject({
    exit: 1,
    err: expect.stringContaining('it is there again: nothing was sent'),
  });
  expect(table?.rows.get(key)).toEqual(theirs);
});

const keys = (appKey: string) => ({ env: { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: appKey } });

test('an edit of another organization at the same address is neither listed nor undone', async () => {
  const id = hasDisk(simulator, { id: 7703, name: 'Disk three' });
  const otherKey = 'b'.repeat(40);
  const [[keyId, key] = ['', undefined]] = [...simulator.org.applicationKeys].filter(
    ([, { secret }]) => secret === there.appKey,
  );
  if (key) simulator.org.applicationKeys.set(`${keyId}-2`, { ...key, id: `${keyId}-2`, secret: otherKey });
  for (const name of ['one', 'two']) await machine.orgdeck(['profiles', 'add', name, '--base-url', there.url]);
  const { out } = await machine.orgdeck(
    ['--profile', 'one', 'monitors', 'edit', id, '--priority', '5', '--json'],
    keys(there.appKey),
  );
  const { entry } = JSON.parse(out).items[0];
  const of = async (name: string, key: string, ...line: string[]) =>
    machine.orgdeck(['--profile', name, ...line], keys(key));
  expect((await of('two', otherKey, 'journal')).out).toBe('');
  expect(await of('two', otherKey, 'undo', entry, '--yes')).toMatchObject({
    exit: 1,
    err: expect.stringContaining('no edit with ID'),
  });
  expect(await of('one', otherKey, 'undo', '', '--yes')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('an ID is empty'),
  });
  expect(await of('one', otherKey, 'undo', entry, '--yes')).toMatchObject({ exit: 0 });
});
