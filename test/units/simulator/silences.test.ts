import { expect, test } from 'vitest';
import { type Simulated, simulated, start } from '../../support/simulated.ts';

const now = start / 1000;

/** A monitor by host in production, with tags. */
function prepare({ service }: Simulated): void {
  service.has('monitor', {
    id: 77,
    name: 'Disk',
    query: 'avg(last_5m):avg:disk.used{env:prod} by {host} > 90',
    tags: ['team:core', 'tier:1'],
    groups: { 'host:web-1': 'Alert', 'host:web-2': 'OK' },
    modified: '2026-01-01T00:00:00Z',
  });
}

const silenced = async ({ get }: Simulated, id = 77) => (await get(`/api/v1/monitor/${id}`)).body.options.silenced;
const matching = async ({ get }: Simulated, id = 77) =>
  (await get(`/api/v1/monitor/${id}?with_downtimes=true`)).body.matching_downtimes;

const withMonitor = (story: (client: Simulated) => Promise<void>) => () =>
  simulated(async (client) => {
    prepare(client);
    await story(client);
  });

test(
  'unmute: by query, by body, all scopes, and nothing to do',
  withMonitor(async (client) => {
    const unmute = (query: string, body?: object) => client.ask('POST', `/api/v1/monitor/77/unmute${query}`, body);
    expect((await unmute('?all_scopes=true')).status).toBe(200);
    for (const scope of ['host:web-1', 'host:web-2', '*'])
      await client.ask('POST', '/api/v1/monitor/77/mute', { scope });
    expect((await unmute('?scope=host%3Aweb-1', { scope: 'host:web-2' })).body.options.silenced).toEqual({
      'host:web-2': null,
      '*': null,
    });
    expect((await unmute('', { scope: 'host:web-2' })).body.options.silenced).toEqual({ '*': null });
    expect((await unmute('')).body.options.silenced).toEqual({});
    for (const scope of ['host:web-1', '*']) await client.ask('POST', '/api/v1/monitor/77/mute', { scope });
    expect((await unmute('', { all_scopes: true, scope: [] })).body.options.silenced).toEqual({});
    await client.ask('POST', '/api/v1/monitor/77/mute', { scope: 'host:web-1' });
    expect((await unmute('')).body.errors).toEqual(['query alert "Disk" is already unmuted on *']);
  }),
);

test(
  'downtime v1: by scope, by tags, current ones, expiry',
  withMonitor(async (client) => {
    const add = async (body: object) => (await client.ask('POST', '/api/v1/downtime', body)).body.id as number;
    const one = await add({ scope: ['host:web-1'], end: now + 60 });
    const two = await add({ scope: ['host:web-1'] });
    const told = {
      mute_first_recovery_notification: true,
      notify_end_states: ['alert'],
      notify_end_types: ['canceled'],
    };
    expect((await client.ask('PUT', `/api/v1/downtime/${two}`, told)).body).toMatchObject(told);
    const untold = { mute_first_recovery_notification: false };
    expect((await client.ask('PUT', `/api/v1/downtime/${two}`, untold)).body).toMatchObject({ ...told, ...untold });
    const tagged = await add({ scope: '*', monitor_tags: ['team:core'], start: now - 5 });
    await add({ scope: 'host:elsewhere' });
    expect((await matching(client)).map((found: { id: number }) => found.id)).toEqual([one, two, tagged]);
    expect((await matching(client))[2].groups).toEqual(['host:web-1', 'host:web-2']);
    expect(await silenced(client)).toEqual({});
    client.service.passes(60_000);
    expect((await client.get(`/api/v1/downtime/${one}`)).body.status).toBe('ended');
    expect((await client.get('/api/v1/downtime?current_only=true')).body).toHaveLength(3);
    const canceled = await client.ask('POST', '/api/v1/downtime/cancel/by_scope', { scope: 'host:web-1' });
    expect(canceled.body).toEqual({ cancelled_ids: [two] });
    expect((await client.get('/api/v1/downtime?with_creator=true')).body[0].creator.handle).toBe(
      'robin.vale@example.test',
    );
  }),
);

test(
  'downtime v2: create, read, restart, include, match, cancel',
  withMonitor(async (client) => {
    const attributes = {
      scope: 'env:(prod OR stage) AND host:web-1',
      monitor_identifier: { monitor_id: 77 },
      schedule: { start: null, end: '2026-11-21T12:00:00Z' },
      message: 'why',
      display_timezone: '',
    };
    const made = await client.ask('POST', '/api/v2/downtime', { data: { type: 'downtime', attributes } });
    expect(made.status).toBe(200);
    const { id } = made.body.data;
    expect(made.body.data.attributes).toMatchObject({
      scope: attributes.scope,
      monitor_identifier: { monitor_id: 77 },
      status: 'active',
      message: 'why',
      display_timezone: 'UTC',
      canceled: null,
      schedule: { start: '2026-11-21T10:00:00.000000+00:00', end: '2026-11-21T12:00:00.000000+00:00' },
    });
    expect(made.body.data).not.toHaveProperty('relationships');
    const shown = (await client.get(`/api/v2/downtime/${id}?include=created_by,monitor`)).body;
    expect(shown.data.relationships.monitor).toEqual({ data: { id: '77', type: 'monitor' } });
    expect(shown.included.map((item: { id: unknown; type: string }) => item.type).sort()).toEqual(['monitor', 'users']);
    expect(shown.included.find((item: { type: string }) => item.type === 'monitor').id).toBe(77);
    expect((await matching(client))[0]).toMatchObject({ monitor_id: 77, groups: ['host:web-1'] });
    expect(await silenced(client)).toEqual({});
    const match = (await client.get('/api/v2/monitor/77/downtime_matches?page[limit]=5')).body;
    expect(match).toMatchObject({
      data: [
        { type: 'downtime_match', id, attributes: { groups: ['host:web-1'], end: '2026-11-21T12:00:00.000000+00:00' } },
      ],
      meta: { page: { total_filtered_count: 1 } },
    });
    client.service.passes(600_000);
    const patched = await client.ask('PATCH', `/api/v2/downtime/${id}`, {
      data: { id, type: 'downtime', attributes: { schedule: { start: null, end: null } } },
    });
    expect(patched.body.data.attributes.schedule).toEqual({ start: '2026-11-21T10:10:00.000000+00:00', end: null });
    expect((await client.get('/api/v2/downtime?current_only=true')).body.meta.page.total_filtered_count).toBe(1);
    for (let times = 0; times < 2; times += 1)
      expect((await client.ask('DELETE', `/api/v2/downtime/${id}`)).status).toBe(204);
    expect((await client.get(`/api/v2/downtime/${id}`)).body.data.attributes.status).toBe('canceled');
    expect(await matching(client)).toEqual([]);
  }),
);

test(
  'one table: unmute ends a first-kind downtime of this monitor, and no other',
  withMonitor(async (client) => {
    await client.ask('POST', '/api/v1/downtime', { scope: '*', monitor_id: 77 });
    await client.ask('POST', '/api/v2/downtime', {
      data: { type: 'downtime', attributes: { scope: '*', monitor_identifier: { monitor_tags: ['tier:1'] } } },
    });
    expect(await matching(client)).toHaveLength(2);
    const { body } = await client.ask('POST', '/api/v1/monitor/77/unmute');
    expect(body.options.silenced).toEqual({});
    expect(body.matching_downtimes).toHaveLength(1);
    expect(
      (await client.get('/api/v2/downtime')).body.data
        .map((one: { attributes: { status: string } }) => one.attributes.status)
        .sort(),
    ).toEqual(['active', 'canceled']);
  }),
);

test(
  'mute all and unmute all',
  withMonitor(async (client) => {
    expect((await client.ask('POST', '/api/v1/monitor/mute_all', {})).body).toMatchObject({
      scope: ['*'],
      monitor_id: null,
      downtime_type: 0,
    });
    expect(await matching(client)).toHaveLength(1);
    const gone = await client.ask('POST', '/api/v1/monitor/unmute_all');
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await matching(client)).toEqual([]);
  }),
);

const recurring = (schedule: object, id?: string) => ({
  data: {
    ...(id !== undefined && { id }),
    type: 'downtime',
    attributes: { scope: '*', monitor_identifier: { monitor_tags: ['tier:1'] }, schedule },
  },
});

test(
  'downtime v2: a rule is scheduled between two windows, and changes to once and back',
  withMonitor(async (client) => {
    const rule = { start: '2026-11-24T22:00:00', duration: '90m', rrule: 'FREQ=WEEKLY;BYDAY=TU' };
    const schedule = { timezone: 'Europe/Berlin', recurrences: [rule] };
    const { body } = await client.ask('POST', '/api/v2/downtime', recurring(schedule));
    const { id } = body.data;
    const window = (day: string) => ({
      start: `2026-${day}T21:00:00.000000+00:00`,
      end: `2026-${day}T22:30:00.000000+00:00`,
    });
    expect(body.data.attributes).toMatchObject({
      status: 'scheduled',
      schedule: { ...schedule, current_downtime: window('11-24') },
    });
    const shown = async () => (await client.get(`/api/v2/downtime/${id}`)).body.data.attributes;
    client.service.passes(Date.parse('2026-11-24T21:00:00Z') - start);
    expect((await shown()).status).toBe('active');
    expect(await matching(client)).toHaveLength(1);
    client.service.passes(90 * 60_000);
    expect(await shown()).toMatchObject({ status: 'scheduled', schedule: { current_downtime: window('12-01') } });
    expect(await matching(client)).toEqual([]);
    const once = { start: '2026-11-25T00:00:00Z', end: '2026-11-25T01:00:00Z' };
    const patch = async (to: object) =>
      (await client.ask('PATCH', `/api/v2/downtime/${id}`, { data: { id, type: 'downtime', attributes: to } })).body;
    expect((await patch({ message: 'x' })).data.attributes.schedule.recurrences).toEqual([rule]);
    expect((await patch({ schedule: once })).data.attributes.schedule).toEqual({
      start: '2026-11-25T00:00:00.000000+00:00',
      end: '2026-11-25T01:00:00.000000+00:00',
    });
    expect((await patch({ schedule })).data.attributes.schedule.current_downtime).toEqual(window('12-01'));
  }),
);

test(
  'downtime v2: a rule that ends is over, and one that cannot be is refused',
  withMonitor(async (client) => {
    const rule = { start: '2026-11-21T12:00:00', duration: '1h', rrule: 'FREQ=DAILY;COUNT=2' };
    const send = (more: object, zone = 'UTC') =>
      client.ask('POST', '/api/v2/downtime', recurring({ timezone: zone, recurrences: [{ ...rule, ...more }] }));
    const { id } = (await send({})).body.data;
    const status = async () => (await client.get(`/api/v2/downtime/${id}`)).body.data.attributes.status;
    client.service.passes(26 * 3_600_000);
    expect(await status()).toBe('active');
    client.service.passes(3_600_000);
    expect(await status()).toBe('ended');
    const errors = async (more: object, zone?: string) => (await send(more, zone)).body.errors;
    expect(await errors({ duration: '1y' })).toEqual(['Invalid duration']);
    expect(await errors({ rrule: 'FREQ=HOURLY' })).toEqual(['Invalid rrule']);
    expect(await errors({ rrule: 'FREQ=DAILY;UNTIL=20200101' })).toEqual(['The schedule has no windows ahead']);
    expect(await errors({}, 'Mars/Olympus')).toEqual(["Invalid timezone: 'Mars/Olympus'"]);
    const now = (await send({ start: null })).body.data.attributes.schedule;
    expect(now.recurrences[0].start).toBe('2026-11-22T13:00:00');
  }),
);
