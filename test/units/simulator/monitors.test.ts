import { expect, test } from 'vitest';
import { checkDefinition } from '../../../src/simulator/kinds/monitor-check.ts';
import { matchedGroups } from '../../../src/simulator/kinds/silences.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { simulated, start } from '../../support/simulated.ts';

test('the list: order, pages, walk, filters', () =>
  simulated(async ({ service, get }) => {
    for (const id of [3005, 3001, 3003, 3002, 3004]) {
      const query = id === 3002 ? 'avg(last_5m):avg:a{host:h0} > 1' : 'avg(last_5m):avg:a{*} > 1';
      service.has('monitor', {
        id,
        name: `Number ${id}`,
        query,
        tags: id > 3003 ? ['team:a', 'x:y'] : ['team:a'],
        groups: { '*': id === 3003 ? 'Alert' : 'OK' },
      });
    }
    service.has('monitor', { id: 9007199254740993n, name: 'Beyond' });
    const ids = async (query: string) =>
      (await get(`/api/v1/monitor${query}`)).body.map((entry: { id: number }) => entry.id);
    expect(await ids('')).toHaveLength(6);
    expect((await get('/api/v1/monitor')).text).toContain('"id":9007199254740993,');
    expect(await ids('?page=0&page_size=2')).toEqual([3001, 3002]);
    expect(await ids('?page=1&page_size=2')).toEqual([3003, 3004]);
    expect(await ids('?id_offset=3003&page_size=1')).toEqual([3004]);
    expect(await ids('?id_offset=9007199254740993')).toEqual([]);
    expect(await ids('?name=number%203001')).toEqual([3001]);
    expect(await ids('?tags=host:h0')).toEqual([3002]);
    expect(await ids('?monitor_tags=team:a,x:y')).toEqual([3004, 3005]);
    expect(await ids('?group_states=alert')).toEqual([3003]);
    const shown = (await get('/api/v1/monitor?group_states=alert')).body[0];
    expect(shown.state.groups['*']).toMatchObject({
      name: '*',
      status: 'Alert',
      last_triggered_ts: start / 1000 - 300,
    });
    expect(shown.matching_downtimes).toEqual([]);
    expect((await get('/api/v1/monitor/3001')).body).not.toHaveProperty('state');
    expect((await get('/api/v1/monitor/3001?with_downtimes=true&group_states=all')).body.state.groups['*'].status).toBe(
      'OK',
    );
  }));

test('search: syntax, counts over every match, pages, sorting', () =>
  simulated(async ({ service, get }) => {
    service.has('monitor', {
      id: 1,
      name: 'Disk almost full',
      message: 'page @ops@example.test',
      tags: ['team:core'],
      priority: 2,
      query: 'avg(last_5m):avg:disk.used{env:prod} by {host} > 90',
      groups: { 'host:web-1': 'Alert', 'host:web-2': 'OK' },
    });
    service.has('monitor', {
      id: 2,
      name: 'Checkout is slow',
      tags: ['team:web'],
      groups: { '*': 'OK' },
      options: { silenced: { '*': null } },
    });
    service.has('monitor', { id: 3, name: 'No news', tags: ['team:core'], groups: { '*': 'No Data' } });
    const found = async (query: string) =>
      (await get(`/api/v1/monitor/search?query=${encodeURIComponent(query)}`)).body.monitors.map(
        (monitor: { id: number }) => monitor.id,
      );
    const table: Readonly<Record<string, readonly number[]>> = {
      '': [2, 1, 3],
      disk: [1],
      '2': [2],
      'status:alert': [1],
      'status:(Alert OR "No Data")': [1, 3],
      'NOT status:ok': [1, 3],
      '-status:ok team:core': [1, 3],
      'muted:true': [2],
      'team:core AND priority:p2': [1],
      'tag:"team:web"': [2],
      'title:dis*': [1],
      'env:prod': [1],
      'group:"host:web-2"': [1],
      'metric:disk.*': [1],
      'notification:ops@example.test': [1],
      'type:metric': [2, 1, 3],
      'nosuchfield:x': [],
      '"almost full" OR slow': [2, 1],
    };
    for (const [query, ids] of Object.entries(table)) expect([query, await found(query)]).toEqual([query, ids]);
    const { body } = await get('/api/v1/monitor/search?query=team:core&per_page=1&page=1&sort=name,desc');
    expect(body.metadata).toEqual({ total_count: 2, page_count: 2, page: 1, per_page: 1 });
    expect(body.monitors).toHaveLength(1);
    expect(body.monitors[0]).toMatchObject({
      id: 1,
      status: 'Alert',
      classification: 'metric',
      scopes: ['env:prod'],
      metrics: ['disk.used'],
      restricted_roles: [],
      notifications: [{ handle: 'ops@example.test', name: 'ops@example.test' }],
    });
    expect(body.monitors[0].overall_state_modified).toBe(start / 1000 - 300);
    expect(body.counts).toMatchObject({
      status: [
        { name: 'Alert', count: 1 },
        { name: 'No Data', count: 1 },
      ],
      muted: [{ name: false, count: 2 }],
      tag: [{ name: 'team:core', count: 2 }],
      type: [{ name: 'metric', count: 2 }],
    });
    const groups = (await get('/api/v1/monitor/groups/search?query=status:alert')).body;
    expect(groups.groups).toHaveLength(1);
    expect(groups.groups[0]).toMatchObject({
      monitor_id: 1,
      group: 'host:web-1',
      status: 'Alert',
      last_nodata_ts: 0,
      muted: false,
      env_tags: ['env:prod'],
      team_tags: ['team:core'],
    });
    expect((await get('/api/v1/monitor/groups/search?query=slow')).body.groups[0]).toMatchObject({
      group: 'total',
      muted: true,
      muted_until_ts: null,
    });
    service.has('monitor', {
      id: 4,
      query: 'avg(last_5m):avg:a{*} by {host} > 1',
      groups: { 'host:a': 'Skipped', 'host:b': 'Skipped' },
      options: { silenced: { 'host:b': null } },
    });
    const { monitors } = (await get('/api/v1/monitor/search?sort=status,asc')).body;
    expect(monitors.map((monitor: { id: number }) => monitor.id)).toEqual([1, 3, 2, 4]);
    const muted = (await get('/api/v1/monitor/groups/search?query=muted_elapsed:0m')).body.groups;
    expect(new Set(muted.map(({ group }: { group: string }) => group))).toEqual(new Set(['total', 'host:b']));
  }));

test('states: the worst group counts, composites follow, silence changes nothing', () =>
  simulated(async ({ service, get, ask }) => {
    service.has('monitor', {
      id: 11,
      query: 'avg(last_5m):avg:a{*} by {host} > 1',
      groups: { 'host:a': 'OK', 'host:b': 'OK' },
    });
    service.has('monitor', { id: 12, groups: { '*': 'OK' } });
    service.has('monitor', { id: 13, type: 'composite', query: '11 && !12' });
    const state = async (id: number) => (await get(`/api/v1/monitor/${id}`)).body.overall_state;
    expect(await state(13)).toBe('OK');
    await ask('POST', '/api/v1/monitor/11/mute', {});
    service.passes(60_000);
    service.turns(11, 'Warn', 'host:a');
    service.turns(11, 'Alert', 'host:b');
    expect([await state(11), await state(13)]).toEqual(['Alert', 'Alert']);
    expect((await get('/api/v1/monitor/11')).body.overall_state_modified).toBe('2026-11-21T10:01:00.000000+00:00');
    // The one group of a composite stands for all of it.
    const composite = (await get('/api/v1/monitor/13?group_states=all')).body;
    expect(Object.values(composite.state.groups)).toMatchObject([{ status: 'Alert', last_triggered_ts: 1795255260 }]);
    service.turns(12, 'Alert');
    expect(await state(13)).toBe('OK');
    expect([...(service.org.monitors.get('13')?.groups.values() ?? [])]).toMatchObject([{ status: 'OK' }]);
    await ask('PUT', '/api/v1/monitor/13', { query: '11 && 12' });
    expect(await state(13)).toBe('Alert');
    const made = (await ask('POST', '/api/v1/monitor', { type: 'composite', query: '11 || 12' })).body;
    expect(made).toMatchObject({ overall_state: 'No Data', overall_state_modified: null });
    service.passes(5000);
    expect(await state(made.id)).toBe('Alert');
    service.turns(12, 'OK');
    await ask('DELETE', '/api/v1/monitor/11?force=true');
    expect([await state(13), await state(made.id)]).toEqual(['OK', 'No Data']);
  }));

test('every seeded definition passes the service’s own checks', () =>
  simulated(
    async ({ service }) => {
      const { org } = service;
      expect(org.monitors.size).toBe(340);
      for (const monitor of org.monitors.values()) {
        if (monitor.type === 'synthetics alert') continue;
        const checked = checkDefinition(
          { type: monitor.type, query: monitor.query, options: monitor.options, priority: monitor.priority },
          org,
        );
        expect([monitor.query, checked.ok || checked.text]).toEqual([monitor.query, true]);
      }
      const kinds = new Set([...org.monitors.values()].map((monitor) => monitor.type));
      expect(kinds.size).toBeGreaterThanOrEqual(19);
      const alerting = [...org.monitors.values()].filter((monitor) => monitor.overall === 'Alert').length;
      expect(alerting).toBeGreaterThan(8);
      expect(alerting).toBeLessThan(50);
    },
    { monitors: 340 },
  ));

test('no group of the demo has had the state of its monitor for longer than the monitor', () => {
  for (const { overall, overallChanged, groups, type } of createSimulator({ seed: 2026 }).org.monitors.values()) {
    if (overall === 'OK' || type === 'composite') continue;
    for (const { status, triggered, nodata } of groups.values())
      if (status === overall) expect(1000 * (triggered ?? nodata ?? 0)).toBeGreaterThanOrEqual(overallChanged ?? 0);
  }
});

test('what the seed and the silences know without parsing a query is what the query says', () => {
  const { monitors, silences } = createSimulator({ seed: 2026 }).org;
  for (const monitor of monitors.values()) {
    if (monitor.type !== 'synthetics alert') expect(monitor.multi(), monitor.query).toBe(monitor.parts().multi);
    for (const silence of silences.values()) {
      // A query that names everything is always parsed.
      const named = { ...monitor, query: `${monitor.query} ${silence.scope.join(' ')} ${silence.scopeText}` };
      expect(matchedGroups(silence, monitor)).toEqual(matchedGroups(silence, named));
    }
  }
});
