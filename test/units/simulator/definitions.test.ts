import { expect, test } from 'vitest';
import { readQuery } from '../../../src/simulator/query/monitor-query.ts';
import { type Simulated, simulated, start } from '../../support/simulated.ts';

const metric = { type: 'metric alert', query: 'avg(last_5m):avg:queue.depth{host:h1} by {host} > 90', name: 'Queue' };
const create = ({ ask }: Simulated, body: object) => ask('POST', '/api/v1/monitor', { ...metric, ...body });

test('create answers 200 with the server’s defaults, and starts without data', () =>
  simulated(async (client) => {
    const { status, body } = await create(client, {
      message: null,
      options: { thresholds: { critical: 90, warning: null } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Queue',
      type: 'metric alert',
      message: '',
      multi: true,
      overall_state: 'No Data',
      overall_state_modified: null,
      draft_status: 'published',
      deleted: null,
      created_at: start,
      options: {
        notify_no_data: false,
        notify_audit: false,
        new_host_delay: 300,
        include_tags: true,
        silenced: {},
        thresholds: { critical: 90 },
      },
    });
    expect(body.id).toBeGreaterThanOrEqual(1000);
    expect(body.created).toBe('2026-11-21T10:00:00.000000+00:00');
    expect(body.options.thresholds).not.toHaveProperty('warning');
    expect((await client.get(`/api/v1/monitor/${body.id}`)).body.creator).toMatchObject({
      handle: 'robin.vale@example.test',
    });
  }));

test('names that were left out are made up', () =>
  simulated(async (client) => {
    const first = await create(client, { name: null, query: 'avg(last_1h):avg:queue.depth{host:h1} > 100' });
    expect(first.body.name).toBe('**queue.depth** over **host:h1** was **> 100.0** on average during the **last 1h**.');
    const both = await create(client, { name: undefined, type: 'composite', query: `${first.body.id}` });
    expect(both.body.name).toBe(`${first.body.id}`);
  }));

test('burn rates know their most', () =>
  simulated(
    async (client) => {
      const { id = '' } = [...client.service.org.objectives.values()].find((one) => one.target === 0.95) ?? {};
      const query = (limit: number, of = id) =>
        `burn_rate("${of}").over("30d").long_window("1h").short_window("5m") > ${limit}`;
      const made = await create(client, { type: 'slo alert', query: query(20.5) });
      expect(made.body.errors).toEqual([
        'Alert threshold (20.5) must be in range 0 to 20.0 for burn rate alerts (max threshold = 1/1-slo target).',
      ]);
      expect((await create(client, { type: 'slo alert', query: query(7.5) })).status).toBe(200);
      expect((await create(client, { type: 'slo alert', query: query(1, 'nobody') })).status).toBe(400);
    },
    { monitors: 1 },
  ));

test('update keeps what is absent, replaces options, keeps mutes', () =>
  simulated(async (client) => {
    const { body: made } = await create(client, {
      tags: ['a:b'],
      priority: '5',
      options: { renotify_interval: 10, thresholds: { critical: 90 } },
    });
    expect(made.priority).toBe(5);
    await client.ask('POST', `/api/v1/monitor/${made.id}/mute`, { scope: 'host:h1' });
    const { status, body } = await client.ask('PUT', `/api/v1/monitor/${made.id}`, {
      type: 'query alert',
      priority: null,
      options: { evaluation_delay: null, thresholds: { critical: 90 } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Queue',
      tags: ['a:b'],
      priority: null,
      type: 'metric alert',
      restriction_policy: null,
    });
    expect(body.options).toMatchObject({ evaluation_delay: null, silenced: { 'host:h1': null } });
    expect(body.options).not.toHaveProperty('renotify_interval');
    expect(body).not.toHaveProperty('creator');
    const moved = await client.ask('PUT', `/api/v1/monitor/${made.id}`, { query: metric.query.replace('90', '70') });
    expect(moved.body).toMatchObject({ name: 'Queue', options: { thresholds: { critical: 70 } } });
  }));

test('locked and restricted monitors', () =>
  simulated(async (client) => {
    const { service, at, as } = client;
    const owner = [...service.org.users.keys()].at(-3) ?? '';
    const keys = {
      apiKey: at.apiKey,
      appKey: service.keys.make({ user: owner, permissions: ['monitors_write'] }).appKey,
    };
    const locked = service.has('monitor', { id: 5001, name: 'Locked', options: { locked: true } });
    const answer = await as(keys).ask('PUT', `/api/v1/monitor/${locked}`, { name: 'x' });
    expect([answer.status, answer.body]).toEqual([
      401,
      { errors: ['You do not have permissions to update this locked monitor.'] },
    ]);
    expect((await client.ask('PUT', `/api/v1/monitor/${locked}`, { name: 'x' })).status).toBe(200);
    const kept = service.has('monitor', { id: 5002, restricted_roles: ['no-such-role'] });
    expect((await client.ask('POST', `/api/v1/monitor/${kept}/mute`, {})).status).toBe(403);
  }));

test('a query is read into the parts on which responses depend, or refused in one of three texts', () => {
  expect(
    readQuery('query alert', 'avg(last_5m):avg:disk.used{env:prod,role:db} by {host,device} > 90', {}),
  ).toMatchObject({
    ok: true,
    query: {
      classification: 'metric',
      groups: ['host', 'device'],
      scope: ['env:prod', 'role:db'],
      metrics: ['disk.used'],
      threshold: 90,
      operator: '>',
    },
  });
  expect(readQuery('composite', '( 7 && !8 ) || 7', {})).toMatchObject({ query: { members: ['7', '8'] } });
  const refused = (type: string, query: string) => readQuery(type, query, {});
  const text = "The value provided for parameter 'query' is invalid";
  expect(refused('query alert', 'THIS IS A BAD QUERY')).toEqual({ ok: false, text });
  expect(refused('log alert', 'query')).toEqual({ ok: false, text: `${text}: invalid operator specified: ` });
  expect(refused('log alert', 'logs("(a").index("*").rollup("count").last("5m") > 1')).toEqual({
    ok: false,
    text: `${text}: Invalid query: Check for invalid tags or facets in your query.`,
  });
});
