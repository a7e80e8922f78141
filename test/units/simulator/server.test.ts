import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { simulated } from '../../support/simulated.ts';

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

test('rate limits: headers, the refusal, the next period, other buckets', () =>
  simulated(
    async ({ service, get }) => {
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
      service.passes(6000);
      expect((await get('/api/v1/monitor')).status).toBe(200);
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

test('a body that is no JSON is a body without fields', () =>
  simulated(async ({ at, service }) => {
    const headers = { 'SERVICE-API-KEY': at.apiKey, 'SERVICE-APPLICATION-KEY': at.appKey };
    const answer = await fetch(`${at.url}/api/v1/monitor`, { method: 'POST', headers, body: '{"type":' });
    expect([answer.status, await answer.json()]).toEqual([400, { errors: ["The parameter 'type' is required"] }]);
    expect(service.received('POST')[0]?.body).toBeUndefined();
  }));

test('the same seed and moment give the same organization, and it lives on', () => {
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

test('latency is added to each answer', () =>
  simulated(
    async ({ get }) => {
      const before = Date.now();
      expect((await get('/api/v2/users')).status).toBe(200);
      expect(Date.now() - before).toBeGreaterThanOrEqual(55);
    },
    { latencyMs: 60 },
  ));

test('a path of no operation is not found', () =>
  simulated(async ({ get }) => {
    const { status, body } = await get('/api/v3/nowhere');
    expect([status, body]).toEqual([404, { errors: ['Not found'] }]);
  }));
