import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { simulated, start } from '../../support/simulated.ts';

const logs = { type: 'log alert', query: 'logs("*").index("*").rollup("count").last("5m") > 1' };
const scoped = { errors: ['Forbidden', 'This API does not support scoped app keys'] };
const missing = { errors: ['Forbidden', 'Failed permission authorization checks'] };

test('keys: missing, wrong, revoked', () =>
  simulated(async ({ service, at, as }) => {
    const answers = [
      await as({}).get('/api/v1/monitor'),
      await as({ apiKey: at.apiKey }).get('/api/v1/monitor'),
      await as({ apiKey: 'wrong', appKey: at.appKey }).get('/api/v1/monitor'),
      await as({ apiKey: at.apiKey, appKey: 'wrong' }).get('/api/v1/monitor'),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body).toMatchObject({ status: 'error', code: 403, errors: ['Forbidden'] });
    }
    expect((await as({}).get('/api/v1/validate')).body).toEqual({ errors: ['API key required'] });
    expect((await as({ apiKey: 'wrong' }).get('/api/v1/validate')).body).toEqual({ errors: ['Forbidden'] });
    expect((await as({ apiKey: at.apiKey }).get('/api/v1/validate')).status).toBe(200);
    service.switches.unauthorized = true;
    expect((await as({}).get('/api/v2/users')).status).toBe(401);
    service.keys.revoke(at.appKey);
    expect((await as(at).get('/api/v1/monitor')).status).toBe(403);
    expect(at.apiKey).toMatch(/^fake-api-/);
    expect(at.appKey).toMatch(/^fake-app-/);
  }));

test('Host and size are checked before the body is read, and an aborted request is one line', async () => {
  const lines: string[] = [];
  await simulated(
    async ({ service, at }) => {
      /** Sends the head and `body`, then gives the first line of the response without ending the request. */
      const begin = (head: readonly string[], body = ''): Promise<string> =>
        new Promise((done, fail) => {
          const socket = connect(Number(new URL(at.url).port), '127.0.0.1');
          socket.once('error', fail);
          socket.once('data', (bytes) => {
            done(bytes.toString().split('\r\n')[0] ?? '');
            socket.destroy();
          });
          socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
        });
      const post = 'POST /api/v1/monitor HTTP/1.1';
      for (const host of ['rebound.example', '127.0.0.1.example', 'localhost.example:80'])
        expect(await begin(['GET /api/v1/monitor HTTP/1.1', `Host: ${host}`])).toBe('HTTP/1.1 421 Misdirected Request');
      for (const host of ['localhost', '[::1]:9', '127.0.0.1:1'])
        expect(await begin(['GET /api/v1/monitor HTTP/1.1', `Host: ${host}`])).toBe('HTTP/1.1 403 Forbidden');
      const large = await begin([post, 'Host: localhost', 'Content-Length: 62914560'], '{');
      expect(large).toBe('HTTP/1.1 413 Payload Too Large');
      const chunk = `1000000\r\n${'x'.repeat(0x1000000)}`;
      expect(await begin([post, 'Host: localhost', 'Transfer-Encoding: chunked'], chunk)).toBe(large);
      expect(service.received('POST')).toEqual([]);

      const socket = connect(Number(new URL(at.url).port), '127.0.0.1');
      socket.write(`${[post, 'Host: localhost', 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`, () => socket.destroy());
      await vi.waitFor(() => expect(lines).toHaveLength(1));
      expect(lines).toEqual(['POST /api/v1/monitor: the client ended its request']);
    },
    { complain: (line) => lines.push(line) },
  );
});

test('permissions and scopes intersect', () =>
  simulated(async ({ service, at, as, ask }) => {
    const caller = (permissions: string[], scopes?: string[]) =>
      as(service.keys.make({ permissions, ...(scopes ? { scopes } : {}) }));
    for (const limited of [
      caller(['monitors_read', 'monitors_write'], ['monitors_read']),
      caller(['monitors_read'], ['monitors_read', 'monitors_write']),
    ])
      expect((await limited.ask('POST', '/api/v1/monitor', {})).body).toEqual(missing);
    const reader = as({ apiKey: at.apiKey, appKey: at.readOnlyAppKey });
    expect((await reader.get('/api/v1/monitor')).status).toBe(200);
    expect((await reader.ask('POST', '/api/v1/monitor', {})).body).toEqual(missing);
    service.has('monitor', { id: 31 });
    const muter = caller(['monitors_downtime']);
    expect((await muter.ask('POST', '/api/v1/monitor/31/mute', {})).status).toBe(200);
    service.switches.downtimeMayUnmute = true;
    expect((await muter.ask('POST', '/api/v1/monitor/31/unmute')).status).toBe(200);
    const path = `/api/v2/error-tracking/issues/${service.has('issue', {})}`;
    expect((await caller(['error_tracking_read']).get(path)).status).toBe(200);
    expect((await ask('DELETE', `${path}/assignee`)).status).toBe(204);
  }));

test('each permission is enough for its own operations', () =>
  simulated(async ({ service, as }) => {
    for (const [permission, request, status] of [
      ['logs_read_archives', 'GET /api/v2/logs/config/archives', 200],
      ['logs_read_config', 'GET /api/v2/logs/config/archive-order', 200],
      ['org_app_keys_read', 'GET /api/v2/application_keys', 200],
      ['api_keys_read', 'GET /api/v1/api_key', 200],
      ['api_keys_delete', 'DELETE /api/v2/api_keys/x', 404],
      ['user_access_read', 'GET /api/v2/authn_mappings', 200],
    ] as const) {
      const [method = '', path = ''] = request.split(' ');
      const answer = await as(service.keys.make({ permissions: [permission] })).ask(method, path);
      expect([permission, answer.status]).toEqual([permission, status]);
    }
  }));

test('log monitors need an unscoped key, to create and to validate', () =>
  simulated(async ({ service, as, ask }) => {
    const limited = as(service.keys.make({ scopes: ['monitors_read', 'monitors_write'] }));
    for (const path of ['/api/v1/monitor', '/api/v1/monitor/validate']) {
      const answer = await limited.ask('POST', path, logs);
      expect([answer.status, answer.body]).toEqual([403, scoped]);
      expect((await ask('POST', path, logs)).status).toBe(200);
    }
    service.switches.scopedKeysUnknown = true;
    expect((await limited.get('/api/v2/current_user')).body).toEqual(scoped);
  }));

test('rate limits: headers, the refusal, the next period, other buckets', () =>
  simulated(
    async ({ service, get, ask }) => {
      const first = await get('/api/v1/monitor');
      expect(first.headers).toMatchObject({
        'x-ratelimit-limit': '2',
        'x-ratelimit-period': '10',
        'x-ratelimit-remaining': '1',
        'x-ratelimit-reset': '10',
        'x-ratelimit-name': 'get_all_monitors',
      });
      await get('/api/v1/monitor');
      service.passes(4000);
      const refused = await get('/api/v1/monitor');
      expect([refused.status, refused.body]).toEqual([
        429,
        { errors: ['Rate limit of 2 requests in 10 seconds reached. Please try again later.'] },
      ]);
      expect(refused.headers['x-ratelimit-reset']).toBe('6');
      expect((await get('/api/v2/current_user')).status).toBe(200);
      service.switches.htmlProblems = true;
      expect((await get('/api/v1/monitor')).text).toContain('<!DOCTYPE html>');
      service.passes(6000);
      expect((await get('/api/v1/monitor')).status).toBe(200);
      service.switches.noRateHeaders = true;
      expect((await get('/api/v1/monitor')).headers).not.toHaveProperty('x-ratelimit-limit');
      service.limits.set(0);
      for (let times = 0; times < 5; times += 1)
        expect((await ask('POST', '/api/v1/monitor/validate', logs)).status).toBe(200);
    },
    { rate: 2 },
  ));

test('the contract’s own buckets where no rate is given', () =>
  simulated(async ({ service, get, ask }) => {
    service.has('monitor', { id: 41 });
    expect((await get('/api/v1/monitor/41')).headers['x-ratelimit-limit']).toBe('3000');
    expect((await ask('POST', '/api/v1/monitor/41/mute', {})).headers).not.toHaveProperty('x-ratelimit-limit');
    expect((await get('/api/v2/users')).headers['x-ratelimit-name']).toBe('users_list');
  }));

test('faults: refusals, resets, silence, half bodies, failing after the work', () =>
  simulated(async ({ service, get, ask }) => {
    service.refuses(503, { times: 2, match: '/api/v1/monitor', html: true });
    expect((await get('/api/v2/users')).status).toBe(200);
    for (let times = 0; times < 2; times += 1) expect((await get('/api/v1/monitor')).text).toContain('<h1>');
    expect((await get('/api/v1/monitor')).status).toBe(200);
    service.refuses(429, { body: { oops: true }, headers: { 'Retry-After': '3' }, match: 'users.list' });
    const many = await get('/api/v2/users');
    expect([many.status, many.body, many.headers['retry-after']]).toEqual([429, { oops: true }, '3']);
    service.drops(1);
    await expect(get('/api/v1/monitor')).rejects.toThrow();
    service.truncates(1);
    await expect(get('/api/v1/monitor')).rejects.toThrow();
    service.appliesThenFails(1, { match: 'POST /api/v1/monitor' });
    const failed = await ask('POST', '/api/v1/monitor', logs);
    expect([failed.status, failed.body]).toEqual([502, { status: 'error', code: 502, errors: ['Bad Gateway'] }]);
    expect((await get('/api/v1/monitor')).body).toHaveLength(1);
    service.appliesThenFails(1, { status: 0 });
    await expect(ask('POST', '/api/v1/monitor', { ...logs, name: 'second' })).rejects.toThrow();
    expect((await get('/api/v1/monitor')).body).toHaveLength(2);
    service.hangs(1, 'users.list');
    const waiting = get('/api/v2/users').then(
      () => 'answered',
      () => 'ended',
    );
    expect(await Promise.race([waiting, get('/api/v1/validate').then(() => 'still silent')])).toBe('still silent');
    await service.stop();
    expect(await waiting).toBe('ended');
  }));

test('withdrawn operations, unknown paths, and what was received', () =>
  simulated(async ({ service, at, get, ask }) => {
    service.has('monitor', { id: 51 });
    service.withdraws(['monitors.mute']);
    expect([
      (await ask('POST', '/api/v1/monitor/51/mute', {})).status,
      (await get('/api/v1/monitor/51')).status,
    ]).toEqual([404, 200]);
    service.withdraws(['monitors.mute'], 405);
    expect((await ask('POST', '/api/v1/monitor/51/mute', { scope: 'a:b' })).status).toBe(405);
    service.recovers();
    expect((await ask('POST', '/api/v1/monitor/51/mute', {})).status).toBe(200);
    expect((await get('/api/v3/nowhere')).body).toEqual({ errors: ['Not found'] });
    service.switches.htmlNotFound = true;
    expect((await get('/api/v3/nowhere')).text).toContain('404 Not Found');
    expect(service.received('POST', '/mute').map((one) => one.body)).toEqual([{}, { scope: 'a:b' }, {}]);
    expect(service.received('GET').at(-1)).toMatchObject({ path: '/api/v3/nowhere', operation: '' });
    expect(JSON.stringify(service.received())).not.toContain(at.apiKey);
    service.forgets();
    expect(service.received()).toEqual([]);
  }));

test('a body that is no JSON is a body without fields', () =>
  simulated(async ({ at, service }) => {
    const headers = { 'SERVICE-API-KEY': at.apiKey, 'SERVICE-APPLICATION-KEY': at.appKey };
    const answer = await fetch(`${at.url}/api/v1/monitor`, { method: 'POST', headers, body: '{"type":' });
    expect([answer.status, await answer.json()]).toEqual([400, { errors: ["The parameter 'type' is required"] }]);
    expect(service.received('POST')[0]?.body).toBeUndefined();
  }));

test('the same seed and moment give the same organisation, and it lives on', () => {
  const shown = async (seed: number, ms: number) => {
    const found: string[] = [];
    await simulated(
      async ({ service, get }) => {
        service.passes(ms);
        found.push((await get('/api/v1/monitor?group_states=all')).text, String(service.org.issues.size));
      },
      { seed, monitors: 60, issues: 40, lively: true },
    );
    return found;
  };
  return (async () => {
    const [one, again, other, later] = [
      await shown(3, 0),
      await shown(3, 0),
      await shown(4, 0),
      await shown(3, 600_000),
    ];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(later).not.toEqual(one);
    expect(await shown(3, 600_000)).toEqual(later);
    expect(Number(later[1])).toBeGreaterThan(Number(one[1]));
  })();
});

test('latency is added to each answer, and stops', () =>
  simulated(async ({ service, get }) => {
    service.delays(60, '/api/v2/users');
    const before = Date.now();
    const [slow] = await Promise.all([get('/api/v2/users'), get('/api/v1/validate')]);
    expect(slow.status).toBe(200);
    expect(Date.now() - before).toBeGreaterThanOrEqual(55);
    service.recovers();
    expect(service.now()).toBe(start);
  }));
