import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { detail } from '../../screens/monitors/detail.ts';
import { extendAction } from '../../screens/monitors/extend.ts';
import { initialSearch } from '../../screens/monitors/load.ts';
import { mutesOf } from '../../screens/monitors/mutes.ts';
import { deleteAction, forceDeleteAction } from '../../screens/monitors/remove.ts';
import type { MonitorRow } from '../../screens/monitors/row.ts';
import { readWhole } from '../../screens/monitors/whole.ts';
import { monitorList, muteAction, unmuteAction } from '../../screens/monitors.ts';
import { createDowntimeV1 } from '../../src/api/downtimes.ts';
import { call } from '../../src/api/endpoint.ts';
import type { Client } from '../../src/client/client.ts';
import type { Action } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { tabsOf } from '../../src/describe/detail.ts';
import { receiptText } from '../../src/describe/receipt.ts';
import { contextOf } from '../support/plans.ts';
import { live } from '../support/seeded-client.ts';
import type { Simulator } from '../support/simulator.ts';

const hour = 3_600_000;
const purpose = { action: 'test', target: { id: 'x', name: 'x' } };
let service: Simulator;
let client: Client;

beforeEach(async () => {
  ({ service, client } = await live());
});

afterEach(async () => {
  await client.close();
  await service.stop();
});

const context = (more: Partial<Context> = {}): Context =>
  contextOf({ now: service.now(), offered: (id) => client.offered(id), ...more });

/** A monitor with three groups, two of which alert. */
function disk(more: Record<string, unknown> = {}): string {
  const groups = { 'host:web-1': 'Alert', 'host:web-2': 'Warn', 'host:web-3': 'OK' };
  return service.has('monitor', {
    name: 'Disk',
    tags: ['team:core'],
    query: 'avg(last_5m):avg:disk.used{*} by {host} > 90',
    groups,
    ...more,
  });
}

async function rows(
  search: Record<string, string> = {},
): Promise<{ rows: readonly MonitorRow[]; notes?: readonly string[] }> {
  const source = monitorList.load({ search: { ...initialSearch, ...search }, range: '' }, context());
  const read = await client.run(source.plan(context()));
  if (!read.ok) throw new Error(read.problem.text);
  return read.value;
}

async function listed(id: string): Promise<MonitorRow> {
  const row = (await rows()).rows.find((row) => row.id === id);
  if (!row) throw new Error(`monitor ${id} is not in the list`);
  return row;
}

/** Runs an action on a row; returns its receipt and undo calls. */
async function does<V>(action: Action<MonitorRow, V>, row: MonitorRow, values: V, known = context()) {
  const work = action.send(row, values, known);
  const result = 'endpoint' in work ? await client.send(work, { purpose }) : await client.run(work, { purpose });
  if (!result.ok) return { problem: result.problem, says: result.problem.text, undo: async () => {} };
  const calls = action.undo?.(row, values, result.value, known) ?? [];
  return {
    says: receiptText(action.done(row, values, result.value, known)),
    truth: action.truth?.(row, result.value, values),
    undo: async () => {
      for (const one of calls) expect(await client.send(one, { purpose })).toMatchObject({ ok: true });
    },
  };
}

/** The current mutes of the service. */
async function silent(id: string): Promise<string[]> {
  const whole = await client.run(readWhole(id, context()));
  if (!whole.ok) throw new Error(whole.problem.text);
  return mutesOf(whole.value.row, service.now()).map(
    (mute) => `${mute.scope} ${mute.by}${mute.wide ? ' wide' : ''}${mute.why ? ` ${mute.why}` : ''}`,
  );
}

const forAnHour = { kind: 'for', ms: hour } as const;
const only = async (row: MonitorRow) => unmuteAction.values?.([row], context()) ?? { which: 'only' as const };

describe('against the simulator', () => {
  test('every monitor is listed, with or without paging, and the search agrees', async () => {
    const id = disk();
    const all = (await rows()).rows;
    expect(all).toHaveLength(service.org.monitors.size);
    service.switches.ignoresPages = true;
    expect((await rows()).rows).toHaveLength(all.length);
    service.switches.ignoresPages = false;
    const found = await rows({ query: 'title:Disk' });
    expect(found.rows.map((row) => row.id)).toContain(id);
    expect(found.notes?.[0]).toMatch(/^\d+ match: /);
    const alert = (await rows({ groups: 'alert' })).rows;
    expect(alert.map((row) => row.id)).toContain(id);
    expect(alert.length).toBeLessThan(all.length);
  });

  test('every monitor of the organisation can be drawn, with all oddities on', async () => {
    for (const name of [
      'nullCreatorName',
      'missingOptions',
      'floatInts',
      'unknownWords',
      'noDraftStatus',
      'staleSilences',
      'unreadableQueries',
    ] as const)
      service.switches[name] = true;
    for (const row of (await rows()).rows) {
      for (const column of monitorList.columns) expect(typeof column.text(row, context())).toBe('string');
      for (const tab of tabsOf(detail, row, undefined, context())) expect(tab.id).not.toBe('');
    }
  });

  test('mutes for an hour, and undo unmutes', async () => {
    const id = disk();
    const done = await does(muteAction, await listed(id), { until: forAnHour, reason: '', scope: '*' });
    expect(done.says).toMatch(/^Muted Disk until /);
    expect(await silent(id)).toEqual(['* mute']);
    await done.undo();
    expect(await silent(id)).toEqual([]);
  });

  test('mutes one group, replaces that mute, and undo restores the first', async () => {
    const id = disk();
    await does(muteAction, await listed(id), { until: { kind: 'for', ms: 4 * hour }, reason: '', scope: 'host:web-1' });
    const before = mutesOf(await listed(id), service.now())[0]?.end;
    const done = await does(muteAction, await listed(id), { until: forAnHour, reason: '', scope: 'host:web-1' });
    expect(mutesOf(await listed(id), service.now())[0]?.end).toBeLessThan(before ?? 0);
    await done.undo();
    expect(mutesOf(await listed(id), service.now())[0]?.end).toBe(before);
  });

  test('a reason creates a downtime; unmute ends it, undo recreates it with the reason', async () => {
    const id = disk();
    await does(muteAction, await listed(id), { until: forAnHour, reason: 'patching', scope: 'host:web-1' });
    expect(await silent(id)).toEqual(['host:web-1 v1 patching']);
    const row = await listed(id);
    const done = await does(unmuteAction, row, await only(row));
    expect(done.says).toBe('Unmuted host:web-1 of Disk');
    expect(await silent(id)).toEqual([]);
    await done.undo();
    expect(await silent(id)).toEqual(['host:web-1 v1 patching']);
  });

  test.each([
    [['monitors.mute'], '* v1'],
    [['monitors.mute', 'downtimes-v1.create'], '* v2'],
  ])('without %j it uses the next operation, and undo works', async (missing, expected) => {
    const id = disk();
    service.withdraws(missing);
    const done = await does(muteAction, await listed(id), { until: forAnHour, reason: '', scope: '*' });
    expect(done.says).toMatch(/^Muted Disk until /);
    // A v2 downtime also has a number in the v1 list; both ids are valid.
    expect((await silent(id)).map((text) => text.replace('v2', 'v1'))).toEqual([expected.replace('v2', 'v1')]);
    await done.undo();
    expect(await silent(id)).toEqual([]);
    service.forgets();
    await does(muteAction, await listed(id), { until: forAnHour, reason: '', scope: '*' });
    expect(service.received('POST', '/mute')).toEqual([]);
  });

  test('a scope that matches nothing is reported', async () => {
    const done = await does(muteAction, await listed(disk()), { until: forAnHour, reason: '', scope: 'host:nope' });
    expect(done.says).toMatch(/; no group of it matches host:nope: check the scope$/);
  });

  test('unmute reports what still mutes the monitor, and leaves mutes of others', async () => {
    const id = disk();
    const wide = call(createDowntimeV1, {
      body: { scope: '*', monitor_tags: ['team:core'], message: 'move of the core team' },
    });
    expect(await client.send(wide, { purpose })).toMatchObject({ ok: true });
    await does(muteAction, await listed(id), { until: forAnHour, reason: '', scope: 'host:web-1' });
    const row = await listed(id);
    const values = { which: 'all' } as const;
    const done = await does(unmuteAction, row, values);
    expect(done.says).toMatch(
      /^STILL MUTED forever \(downtime \d+, which mutes every monitor tagged team:core\)\. Ended the .* on host:web-1 of Disk$/,
    );
    const left = done.truth && unmuteAction.values?.([done.truth], context());
    expect(left && unmuteAction.confirm?.([row], left, context())).toMatchObject({ destructive: true });
    if (!left || !done.truth) throw new Error('nothing left');
    const last = await does(unmuteAction, done.truth, left);
    expect(await silent(id)).toEqual([]);
    await last.undo();
    expect(await silent(id)).toEqual(['* v1 wide move of the core team']);
  });

  test('ends all scopes at once, and undo restores them', async () => {
    const id = disk();
    for (const scope of ['host:web-1', 'host:web-2'])
      await does(muteAction, await listed(id), { until: forAnHour, reason: '', scope });
    await does(muteAction, await listed(id), { until: forAnHour, reason: 'patching', scope: 'host:web-3' });
    const row = await listed(id);
    expect(unmuteAction.values?.([row], context())).toBeUndefined();
    const done = await does(unmuteAction, row, { which: 'all' });
    expect(await silent(id)).toEqual([]);
    await done.undo();
    expect((await silent(id)).toSorted()).toEqual(['host:web-1 mute', 'host:web-2 mute', 'host:web-3 v1 patching']);
  });

  test('extends a mute and a downtime, and undo restores their ends', async () => {
    for (const reason of ['', 'patching']) {
      const id = disk();
      await does(muteAction, await listed(id), { until: forAnHour, reason, scope: '*' });
      const before = mutesOf(await listed(id), service.now())[0]?.end ?? 0;
      const done = await does(extendAction, await listed(id), { until: forAnHour, which: '' });
      expect(done.says).toMatch(/^Muted until .*: Disk$/);
      expect(mutesOf(await listed(id), service.now())[0]?.end).toBe(before + hour);
      await done.undo();
      expect(mutesOf(await listed(id), service.now())[0]?.end).toBe(before);
    }
  });

  test('a mute ends by itself', async () => {
    const id = disk();
    await does(muteAction, await listed(id), { until: forAnHour, reason: '', scope: '*' });
    service.passes(hour + 2000);
    expect(unmuteAction.enabled?.(await listed(id), context())).toBe('not muted');
  });

  test('a monitor that a composite refers to is deleted only by force', async () => {
    const id = disk();
    const both = service.has('monitor', { name: 'Both', type: 'composite', query: `${id} && ${id}` });
    const done = await does(deleteAction, await listed(id), {});
    expect(done.problem?.kind).toBe('conflict');
    expect(done.says).toContain(both);
    expect(service.received('DELETE')).toEqual([]);
    expect((await does(forceDeleteAction, await listed(id), {})).says).toContain('Deleted Disk');
    await expect(listed(id)).rejects.toThrow('not in the list');
    expect((await does(deleteAction, await listed(both), {})).says).toBe('Deleted Both');
  });

  test('a mute in doubt is resolved by a read', async () => {
    const id = disk();
    const row = await listed(id);
    service.appliesThenFails(1, { match: 'monitors.mute' });
    const done = await does(muteAction, row, { until: forAnHour, reason: '', scope: '*' });
    expect(done.says).toMatch(/^Muted Disk until /);
    expect(await silent(id)).toEqual(['* mute']);
  });
});
