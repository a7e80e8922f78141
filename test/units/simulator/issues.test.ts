import { expect, test } from 'vitest';
import { type Simulated, simulated, start } from '../../support/simulated.ts';

const hour = 3_600_000;
const day = 24 * hour;
const uuid = (number: number): string => `c1486d5e-0000-4000-8000-${String(number).padStart(12, '0')}`;

const searches = ({ ask }: Simulated, attributes: object = {}, query = '') =>
  ask('POST', `/api/v2/error-tracking/issues/search${query}`, {
    data: {
      type: 'search_request',
      attributes: { query: '*', from: start - day, to: start, persona: 'ALL', ...attributes },
    },
  });
const ids = async (client: Simulated, attributes: object = {}) =>
  (await searches(client, attributes)).body.data.map((row: { id: string }) => Number(row.id.slice(-6)));
const setState = ({ ask }: Simulated, id: string, state: string) =>
  ask('PUT', `/api/v2/error-tracking/issues/${id}/state`, {
    data: { id, type: 'error_tracking_issue', attributes: { state } },
  });
const assign = ({ ask }: Simulated, id: string, user: string) =>
  ask('PUT', `/api/v2/error-tracking/issues/${id}/assignee`, { data: { id: user, type: 'assignee' } });

test('errors are objects, and an empty search has data', () =>
  simulated(async (client) => {
    const other = await client.ask('POST', '/api/v2/error-tracking/issues/search', { data: { type: 'other' } });
    expect(other.headers['content-type']).toBe('application/vnd.api+json');
    expect(other.body.errors[0]).toMatchObject({ status: '400', title: 'Bad Request' });
    const empty = await searches(client);
    expect([empty.status, empty.body]).toEqual([200, { data: [] }]);
  }));

test('search: query, platforms, states, order', () =>
  simulated(async (client) => {
    const { service } = client;
    service.has('issue', {
      id: uuid(1),
      error_type: 'TypeError',
      error_message: 'x is undefined',
      service: 'web',
      platform: 'BROWSER',
      languages: ['JAVASCRIPT'],
      total_count: 50,
      impacted_sessions: 2,
      first_seen: start - 9 * hour,
    });
    service.has('issue', {
      id: uuid(2),
      error_type: 'KeyError',
      service: 'api',
      languages: ['PYTHON'],
      state: 'RESOLVED',
      total_count: 90,
      env: 'staging',
      first_seen: start - 5 * hour,
    });
    service.has('issue', {
      id: uuid(3),
      error_type: '型エラー',
      service: 'shop',
      platform: 'IOS',
      total_count: 10,
      is_crash: true,
      impacted_sessions: 40,
      first_seen: start - 7 * hour,
    });
    expect(await ids(client)).toEqual([2, 1, 3]);
    expect(await ids(client, { order_by: 'FIRST_SEEN' })).toEqual([2, 3, 1]);
    expect(await ids(client, { order_by: 'IMPACTED_SESSIONS' })).toEqual([3, 1, 2]);
    expect((await ids(client, { order_by: 'PRIORITY' }))[0]).toBe(3);
    const table: Readonly<Record<string, readonly number[]>> = {
      undefined: [1],
      'service:api': [2],
      'service:(api OR web)': [2, 1],
      'error.type:*Error': [2, 1],
      '@language:JAVASCRIPT': [1],
      'env:prod -service:web': [3],
      'state:RESOLVED': [2],
      'error.message:"is undefined"': [1],
      型エラー: [3],
      'NOT state:OPEN AND env:staging': [2],
    };
    for (const [query, found] of Object.entries(table))
      expect([query, await ids(client, { query })]).toEqual([query, found]);
    expect(await ids(client, { persona: undefined, track: 'rum' })).toEqual([1, 3]);
    expect(await ids(client, { persona: undefined, track: 'logs' })).toEqual([2]);
    expect(await ids(client, { persona: 'MOBILE' })).toEqual([3]);
    expect(await ids(client, { states: ['OPEN', 'IGNORED'] })).toEqual([1, 3]);
    expect((await searches(client, { query: 'service:api' })).body.data[0].attributes).toEqual({ total_count: 90 });
  }));

test('state: any to any, and the case follows', () =>
  simulated(async (client) => {
    const id = client.service.has('issue', {});
    const user = [...client.service.org.users.keys()][1] ?? '';
    await assign(client, id, user);
    const resolved = (await setState(client, id, 'RESOLVED')).body;
    expect(resolved.data.attributes.state).toBe('RESOLVED');
    const kase = (body: { included: { type: string; attributes: object }[] }) =>
      body.included.find((one) => one.type === 'case')?.attributes;
    expect(kase(resolved)).toMatchObject({ status: 'CLOSED', key: 'ET-1', creation_source: 'ERROR_TRACKING' });
    expect(kase(resolved)).toHaveProperty('closed_at');
    expect((await setState(client, id, 'RESOLVED')).status).toBe(200);
    const open = (await setState(client, id, 'OPEN')).body;
    expect(open.data.attributes.state).toBe('OPEN');
    expect(kase(open)).toMatchObject({ status: 'IN_PROGRESS' });
    expect(kase(open)).not.toHaveProperty('closed_at');
    for (const state of ['IGNORED', 'EXCLUDED', 'ACKNOWLEDGED'])
      expect((await setState(client, id, state)).body.data.attributes.state).toBe(state);
  }));

test('what happens by itself: quiet ones resolve, resolved ones come back, excluded ones stop', () =>
  simulated(async (client) => {
    const { service } = client;
    const quiet = service.has('issue', { last_seen: start - hour });
    const loud = service.has('issue', {
      per_minute: 2,
      first_seen: start - hour,
      returns_after_ms: 2 * hour,
      last_seen_version: '1.4.9',
    });
    const excluded = service.has('issue', { per_minute: 2, first_seen: start - hour });
    await setState(client, loud, 'RESOLVED');
    await setState(client, excluded, 'EXCLUDED');
    service.passes(3 * hour);
    const shown = async (id: string) => (await client.get(`/api/v2/error-tracking/issues/${id}`)).body.data.attributes;
    expect(await shown(loud)).toMatchObject({
      state: 'OPEN',
      last_seen_version: '1.4.10',
      regression: {
        regressed_at: '2026-11-21T12:00:00.000000+00:00',
        regressed_at_version: '1.4.10',
        resolved_at: '2026-11-21T10:00:00.000000+00:00',
      },
    });
    expect((await shown(excluded)).last_seen).toBeLessThanOrEqual(start);
    await setState(client, excluded, 'OPEN');
    service.passes(hour);
    expect((await shown(excluded)).last_seen).toBeGreaterThan(start + 3 * hour);
    expect((await shown(quiet)).state).toBe('OPEN');
    service.passes(14 * day);
    expect((await shown(quiet)).state).toBe('RESOLVED');
  }));

test('the seeded organization: enough issues, believable and unusual', () =>
  simulated(
    async (client) => {
      const { org } = client.service;
      expect(org.issues.size).toBe(320);
      const all = [...org.issues.values()];
      expect(new Set(all.map((one) => one.state)).size).toBe(5);
      expect(new Set(all.map((one) => one.platform)).size).toBeGreaterThanOrEqual(6);
      expect(all.some((one) => one.message.includes('\u001b'))).toBe(true);
      expect(all.some((one) => /[\u3040-\u9fff]/.test(one.type))).toBe(true);
      const bounds = all.flatMap((one) => {
        const [, index, size] = /(\d+)(?:, Size: |\] with length )(\d+)/.exec(one.message) ?? [];
        return index === undefined ? [] : [Number(index) >= Number(size)];
      });
      expect(new Set(bounds)).toEqual(new Set([true]));
      expect(all.some((one) => one.case !== null)).toBe(true);
      const { body } = await searches(
        client,
        { from: start - 7 * day },
        '?include=issue,issue.assignee,issue.case,issue.team_owners',
      );
      expect(body.data).toHaveLength(100);
      expect(new Set(body.included.map((one: { type: string }) => one.type))).toEqual(
        new Set(['issue', 'user', 'case', 'team']),
      );
    },
    { issues: 320 },
  ));
