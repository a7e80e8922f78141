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

test('search: the window decides the counts, and parts add up', () =>
  simulated(async (client) => {
    client.service.has('issue', { id: uuid(1), total_count: 100, first_seen: start - 10 * hour, last_seen: start - 1 });
    const total = async (from: number, to: number) =>
      (await searches(client, { from, to })).body.data[0]?.attributes.total_count ?? 0;
    expect(await total(start - day, start)).toBe(100);
    const parts = [];
    for (let at = 10; at > 0; at -= 1) parts.push(await total(start - at * hour, start - (at - 1) * hour));
    expect(parts.reduce((a, b) => a + b)).toBe(100);
    expect(Math.max(...parts)).toBeLessThanOrEqual(11);
    expect(await total(start - day, start - 10 * hour)).toBe(0);
    expect(await total(start - 10 * hour, start - 10 * hour + 1)).toBe(1);
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

test('search: included only when asked, by kind, in no order; at most 100', () =>
  simulated(async (client) => {
    const { service } = client;
    const team = service.has('team', { handle: 'core', name: 'Core' });
    const user = [...service.org.users.keys()][3] ?? '';
    for (let at = 1; at <= 130; at += 1)
      service.has('issue', { id: uuid(at), total_count: at, assignee: at < 9 ? user : undefined, team_owners: [team] });
    const plain = (await searches(client)).body;
    expect(plain.data).toHaveLength(100);
    expect(plain).not.toHaveProperty('included');
    expect(plain.data[0].relationships.issue.data).toEqual({ id: uuid(130), type: 'issue' });
    const whole = (await searches(client, {}, '?include=issue,issue.team_owners')).body.included as {
      id: string;
      type: string;
    }[];
    expect(whole.filter((one) => one.type === 'issue')).toHaveLength(100);
    expect(whole.filter((one) => one.type === 'team')).toHaveLength(1);
    expect(whole.filter((one) => one.type === 'issue').map((one) => one.id)).not.toEqual(
      plain.data.map((one: { id: string }) => one.id),
    );
    const repeated = (await searches(client, { assignee_ids: [user] }, '?include=issue.assignee&include=issue')).body;
    expect(repeated.data).toHaveLength(8);
    expect(repeated.included.find((one: { type: string }) => one.type === 'user')).toMatchObject({
      id: user,
      attributes: { name: 'Ines Brook' },
    });
  }));

test('get: one issue, without relationships that do not exist', () =>
  simulated(async (client) => {
    const id = client.service.has('issue', {
      error_type: 'TypeError',
      file_path: '',
      last_seen: start - 60_000,
      total_count: 3,
    });
    const { body, headers } = await client.get(`/api/v2/error-tracking/issues/${id}?include=assignee,case`);
    expect(headers['content-type']).toBe('application/vnd.api+json');
    expect(body).toMatchObject({
      data: {
        id,
        type: 'issue',
        attributes: { error_type: 'TypeError', file_path: '', state: 'OPEN', platform: 'BACKEND' },
      },
    });
    expect(body.data.attributes.last_seen).toBeLessThanOrEqual(start - 60_000);
    expect(body.data).not.toHaveProperty('relationships');
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

test('assign: opens a case, acknowledges what is open, leaves what is resolved; unassign twice', () =>
  simulated(async (client) => {
    const [one = '', other = ''] = [
      client.service.has('issue', {}),
      client.service.has('issue', { state: 'RESOLVED' }),
    ];
    const user = [...client.service.org.users.keys()][1] ?? '';
    const { body } = await assign(client, one, user);
    expect(body.data.attributes.state).toBe('ACKNOWLEDGED');
    expect(body.data.relationships).toMatchObject({
      assignee: { data: { id: user, type: 'user' } },
      case: { data: { type: 'case' } },
    });
    expect(body.included.map((item: { type: string }) => item.type).sort()).toEqual(['case', 'user']);
    expect((await assign(client, other, user)).body.data.attributes.state).toBe('RESOLVED');
    for (let times = 0; times < 2; times += 1) {
      const gone = await client.ask('DELETE', `/api/v2/error-tracking/issues/${one}/assignee`);
      expect([gone.status, gone.text, gone.headers['content-type']]).toEqual([204, '', 'text/plain']);
    }
    const after = (await client.get(`/api/v2/error-tracking/issues/${one}`)).body.data;
    expect(after.attributes.state).toBe('ACKNOWLEDGED');
    expect(after.relationships).not.toHaveProperty('assignee');
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

test('the seeded organisation: enough issues, believable and unusual', () =>
  simulated(
    async (client) => {
      const { org } = client.service;
      expect(org.issues.size).toBe(320);
      const all = [...org.issues.values()];
      expect(new Set(all.map((one) => one.state)).size).toBe(5);
      expect(new Set(all.map((one) => one.platform)).size).toBeGreaterThanOrEqual(6);
      expect(all.some((one) => one.message.includes('\u001b'))).toBe(true);
      expect(all.some((one) => /[\u3040-\u9fff]/.test(one.type))).toBe(true);
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
