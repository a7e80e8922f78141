import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import { ask, call, showing } from '../../src/api/endpoint.ts';
import { unassignIssue } from '../../src/api/error-tracking.ts';
import { muteMonitor } from '../../src/api/monitors.ts';
import { createTranslator } from '../../src/api/vocabulary/translator.ts';
import {
  addThing,
  clientOf,
  dropThing,
  getThing,
  keys,
  listThings,
  memoryRecorder,
  orderThings,
  setThing,
} from '../support/calls.ts';
import { hangUp, json, type Received, serve } from '../support/scripted-server.ts';

const rename = (name: string) => call(setThing, { thing_id: 'x', body: { data: { attributes: { name } } } });
const purpose = (name: string) => ({
  action: 'things.rename',
  target: { id: 'x', name },
  before: { attributes: { name } },
});
const add = call(addThing, { body: { data: { attributes: { name: 'new' } } } });
const drop = call(dropThing, { thing_id: 'x' });

/** A service with one object; `fault` may break a response before or after the edit is applied. */
async function oneThing(fault: {
  before?: (nth: number) => number | undefined;
  after?: (nth: number) => number | undefined;
}) {
  const state = { name: 'old', exists: true, edits: 0 };
  const { origin, received } = await serve((request, answer) => {
    const shown = { data: { id: 'x', type: 'thing', attributes: { name: state.name } } };
    const fail = (status: number | undefined) => {
      if (status === 0) hangUp(answer);
      else if (status !== undefined) json(answer, status, { errors: ['Bad Gateway'] });
      return status !== undefined;
    };
    if (request.method === 'GET') return json(answer, 200, shown);
    const nth = ++state.edits;
    if (fail(fault.before?.(nth))) return;
    if (!state.exists) return json(answer, 404, { errors: ['thing not found'] });
    if (request.method === 'DELETE') state.exists = false;
    else state.name = JSON.parse(request.body).data.attributes.name;
    if (fail(fault.after?.(nth))) return;
    json(answer, 200, { data: { id: 'x', type: 'thing', attributes: { name: state.name } } });
  });
  return { origin, received, state };
}

const methods = (received: readonly Received[]) => received.map((request) => request.method);
const problemIn = (result: { ok: boolean }) => ('problem' in result ? (result.problem as { kind: string }) : undefined);

test('the journal has the intent before the request is sent and the outcome after the response', async () => {
  const recorder = memoryRecorder();
  const { origin } = await serve((request, answer) => {
    recorder.lines.push(`received ${request.method}`);
    json(answer, 200, { data: { id: 'x' } });
  });
  const { client } = clientOf(origin, { recorder });
  expect(await client.send(rename('new'))).toMatchObject({ ok: true });
  expect(recorder.lines).toEqual(['intent things.set', 'received PATCH', 'outcome entry-1 applied']);
  expect(recorder.outcomes).toEqual([{ state: 'applied', attempts: 1, status: 200 }]);
});

test('a read-only client refuses edits without a journal entry, and still reads', async () => {
  const { origin, received } = await oneThing({});
  const { client, recorder } = clientOf(origin, { readOnly: true });
  for (const edit of [rename('new'), add, drop])
    expect(problemIn(await client.send<unknown>(edit))).toMatchObject({ kind: 'readOnly' });
  expect([received.length, recorder.lines.length]).toEqual([0, 0]);
  expect(await client.send(call(getThing, { thing_id: 'x' }))).toMatchObject({ ok: true });
});

test('an edit that cannot be journaled is not sent', async () => {
  const { origin, received } = await oneThing({});
  const refusing = {
    ...memoryRecorder(),
    intent: async () => ({ ok: false, problem: { kind: 'invalid', text: 'disk full', messages: [] } }) as const,
  };
  const throwing = { ...memoryRecorder(), intent: () => Promise.reject(new Error('EROFS')) };
  for (const recorder of [refusing, throwing, undefined]) {
    const result = await clientOf(origin, { recorder }).client.send(rename('new'));
    expect(problemIn(result)).toMatchObject({ kind: 'unrecorded' });
  }
  expect(received.length).toBe(0);
});

test('a failed write of the outcome does not make an applied edit a failed one', async () => {
  const { origin } = await oneThing({});
  const recorder = { ...memoryRecorder(), outcome: () => Promise.reject(new Error('ENOSPC')) };
  expect(await clientOf(origin, { recorder }).client.send(rename('new'))).toMatchObject({ ok: true });
});

test('300 creates over kept connections that the service drops on reuse: each arrives exactly once', async () => {
  const arrived: string[] = [];
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    let used = false;
    let text = '';
    socket.on('data', (bytes) => {
      if (used) return void socket.destroy();
      text += bytes;
      const name = /"name":"([^"]+)"/.exec(text)?.[1];
      if (name === undefined) return;
      arrived.push(name);
      used = true;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n{"data":{"id":"new"}}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { client } = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let batch = 0; batch < 60; batch++) {
    const names = Array.from({ length: 5 }, (_, nth) => `${batch}-${nth}`);
    const creates = names.map((name) => call(addThing, { body: { data: { attributes: { name } } } }));
    const results = await Promise.all(creates.map((create) => client.send(create)));
    expect(results.every((result) => result.ok)).toBe(true);
  }
  expect(arrived.length).toBe(300);
  expect(new Set(arrived).size).toBe(300);
});

test.each([
  ['a 502', 502],
  ['a reset', 0],
])('%s after the edit was applied: it is read back as applied and not sent again', async (_, fault) => {
  const { origin, received } = await oneThing({ after: () => fault });
  const { client, recorder } = clientOf(origin);
  const result = await client.send(rename('new'), { purpose: purpose('old') });
  expect(result).toMatchObject({ ok: true, value: { data: { attributes: { name: 'new' } } } });
  expect(methods(received)).toEqual(['PATCH', 'GET']);
  expect(recorder.outcomes).toMatchObject([{ state: 'applied', attempts: 1 }]);
});

test.each([
  ['a 502', 502],
  ['a reset', 0],
])('%s before the edit was applied: it is read back as unchanged and sent again', async (_, fault) => {
  const { origin, received, state } = await oneThing({ before: (nth) => (nth < 3 ? fault : undefined) });
  const { client, recorder } = clientOf(origin);
  expect(await client.send(rename('new'), { purpose: purpose('old') })).toMatchObject({ ok: true });
  expect(methods(received)).toEqual(['PATCH', 'GET', 'PATCH', 'GET', 'PATCH']);
  expect(state.name).toBe('new');
  expect(recorder.outcomes).toMatchObject([{ state: 'applied', attempts: 3 }]);
});

test('an edit by another user in between is a conflict that names both values and keeps theirs', async () => {
  const { origin, state } = await oneThing({
    before: () => {
      state.name = 'theirs';
      return 502;
    },
  });
  const { client, recorder } = clientOf(origin);
  const result = await client.send(rename('ours'), { purpose: purpose('old') });
  expect(problemIn(result)).toMatchObject({
    kind: 'conflict',
    doubt: { ours: { data: { attributes: { name: 'ours' } } }, theirs: { data: { attributes: { name: 'theirs' } } } },
  });
  expect(state.name).toBe('theirs');
  expect(recorder.outcomes).toMatchObject([{ state: 'unknown' }]);
});

test.each([
  ['502', 502],
  ['reset', 0],
])('a create with an unknown outcome (%s) is never sent twice', async (_, fault) => {
  const { origin, received } = await serve((_it, answer) => (fault ? json(answer, fault, '<html>') : hangUp(answer)));
  const { client, recorder } = clientOf(origin);
  const result = await client.send(add);
  expect(problemIn(result)).toMatchObject({ kind: 'unknown', operation: 'things.add', doubt: { ours: add.body } });
  expect(received.length).toBe(1);
  expect(recorder.outcomes).toMatchObject([{ state: 'unknown', attempts: 1 }]);
});

test('a create of which no byte was sent is retried; the service receives it once', async () => {
  const { origin, received } = await serve((_, answer) => json(answer, 200, { data: { id: 'n' } }));
  const closed = createServer();
  closed.listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const dead = clientOf(`http://127.0.0.1:${port}`);
  expect(problemIn(await dead.client.send(add))).toMatchObject({ kind: 'unreachable' });
  expect(dead.recorder.outcomes).toMatchObject([{ state: 'refused', attempts: 3 }]);
  expect(await clientOf(origin).client.send(add)).toMatchObject({ ok: true });
  expect(received.length).toBe(1);
});

test('no problem text contains the secret of a create', async () => {
  const secret = 'correct-horse-battery';
  const { origin } = await serve((_, answer) => json(answer, 502, { errors: [`upstream refused ${secret}`] }));
  const body = { data: { attributes: { name: 'new', secret } } };
  const result = await clientOf(origin).client.send(call(addThing, { body }));
  expect(problemIn(result)).toMatchObject({ kind: 'unknown' });
  expect(JSON.stringify(result)).not.toContain(secret);
});

test('a secret that an edit sent is redacted in later responses, too', async () => {
  const secret = 'correct-horse-battery';
  const { origin } = await serve((request, answer) =>
    request.method === 'POST'
      ? json(answer, 200, { data: { id: 'x', attributes: { name: 'new' } } })
      : json(answer, 200, { data: { id: 'x', attributes: { name: `made with ${secret}` } } }),
  );
  const { client } = clientOf(origin);
  const body = { data: { attributes: { name: 'new', secret } } };
  expect(await client.send(call(addThing, { body }))).toMatchObject({ ok: true });
  const read = await client.send(call(getThing, { thing_id: 'x' }));
  expect(JSON.stringify(read)).toContain('made with [key redacted]');
  expect(JSON.stringify(read)).not.toContain(secret);
});

test('keys that the service repeats in a refusal are in neither the result nor the journal', async () => {
  const { origin } = await serve((_, answer) =>
    json(answer, 400, { errors: [`${keys.apiKey} may not`, `nor ${encodeURIComponent(keys.appKey)}`] }),
  );
  const { client, recorder } = clientOf(origin);
  const result = await client.send(rename('new'));
  expect(JSON.stringify([result, recorder.outcomes])).not.toMatch(new RegExp(`${keys.apiKey}|${keys.appKey}`));
  expect(recorder.outcomes).toMatchObject([{ state: 'refused', text: expect.stringContaining('[redacted] may not') }]);
});

test('an edit aborted after it was sent is unknown, not canceled', async () => {
  const { origin, received } = await serve(() => {});
  const { client, recorder } = clientOf(origin);
  const stop = new AbortController();
  const sent = client.send(rename('new'), { signal: stop.signal });
  while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  expect(problemIn(await sent)).toMatchObject({ kind: 'unknown' });
  expect(recorder.outcomes).toMatchObject([{ state: 'unknown' }]);
});

test('repeated 429 with wrong headers: waits stay bounded, the edit is applied, and a read reports its wait', async () => {
  const lies = ['-1', 'NaN', '1e300', '0', String(Date.now()), 'soon'];
  const { origin, received } = await serve((request, answer, nth) => {
    const edits = received.filter((one) => one.method === 'PATCH').length;
    if (request.method === 'PATCH' && edits > 4) return json(answer, 200, { data: { id: 'x' } });
    const headers = {
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '5',
      'x-ratelimit-reset': lies[nth % 2] as string,
    };
    json(answer, 429, '<html>slow down</html>', headers);
  });
  const { client, clock } = clientOf(origin);
  expect(await client.send(rename('new'))).toMatchObject({ ok: true });
  expect(received.length).toBe(5);
  expect(client.refusals()).toBe(4);
  expect(clock.waits.every((ms) => ms >= 0 && ms <= 315_000)).toBe(true);
  expect(client.holdBack('things.set')).toBeGreaterThanOrEqual(0);

  const far = await serve((_, answer) => json(answer, 429, {}, { 'x-ratelimit-reset': '1e300' }));
  const result = await clientOf(far.origin).client.send(call(listThings));
  expect(problemIn(result)).toMatchObject({ kind: 'tooMany', waitMs: 300_000 + 15_000 / 2 });
  expect(far.received.length).toBe(1);
});

test('an edit that is refused without a header tries until a limit of a minute has probably started again', async () => {
  const { origin, received } = await serve((_, answer) => json(answer, 429, {}));
  const { client, clock } = clientOf(origin, { random: () => 0 });
  expect(problemIn(await client.send(rename('new')))).toMatchObject({ kind: 'tooMany' });
  expect(received.length).toBe(8);
  expect(clock.waits.filter((ms) => ms >= 500)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
});

test('64-bit ids stay exact in requests and responses', async () => {
  const { origin, received } = await serve((request, answer) =>
    json(
      answer,
      200,
      request.method === 'GET'
        ? '{"data":{"id":9223372036854775807,"attributes":{"count":9007199254740993}}}'
        : request.body,
    ),
  );
  const { client } = clientOf(origin);
  const got = await client.send(call(getThing, { thing_id: 9223372036854775807n }));
  expect(got).toMatchObject({
    ok: true,
    value: { data: { id: 9223372036854775807n, attributes: { count: 9007199254740993n } } },
  });
  const put = await client.send(
    call(setThing, { thing_id: 1, body: { data: { attributes: { count: 9007199254740993n } } } }),
  );
  expect(put).toMatchObject({ ok: true, value: { data: { attributes: { count: 9007199254740993n } } } });
  expect(received.map((request) => request.url)).toEqual(['/api/v2/things/9223372036854775807', '/api/v2/things/1']);
});

test('the key headers carry the prefix of the deployment', async () => {
  const { origin, received } = await serve((_, answer) => json(answer, 200, { data: [] }));
  const { client } = clientOf(origin, { vocabulary: createTranslator({ service: 'ACME' }) });
  await client.send(call(listThings));
  expect(received[0]?.headers).toMatchObject({ 'acme-api-key': keys.apiKey, 'acme-application-key': keys.appKey });
  expect(received[0]?.headers).not.toHaveProperty('service-api-key');
});

test('a plan receives the responses to its calls and shows partial results', async () => {
  const { origin, received } = await oneThing({});
  const { client } = clientOf(origin);
  function* plan() {
    const first = yield* ask(call(getThing, { thing_id: 'x' }));
    yield* showing(first.ok ? first.value.data?.attributes?.name : 'nothing');
    const second = yield* ask(rename('new'));
    return [first.ok, second.ok];
  }
  const shown: unknown[] = [];
  expect(await client.run(plan(), { partial: (value) => shown.push(value) })).toEqual([true, true]);
  expect(shown).toEqual(['old']);
  expect(methods(received)).toEqual(['GET', 'PATCH']);
});

test.each([303, 307])(
  'a redirect (%i) after the edit was applied: it is read back as applied, and the redirect is not followed',
  async (status) => {
    const { origin, received } = await serve((request, answer) => {
      if (request.method === 'GET') return json(answer, 200, { data: { id: 'x', attributes: { name: 'new' } } });
      json(answer, status, '', { location: '/elsewhere' });
    });
    const { client, recorder } = clientOf(origin);
    expect(await client.send(rename('new'), { purpose: purpose('old') })).toMatchObject({ ok: true });
    expect(received.map((request) => request.url)).toEqual(['/api/v2/things/x', '/api/v2/things/x']);
    expect(recorder.outcomes).toMatchObject([{ state: 'applied', attempts: 1 }]);
    expect(problemIn(await client.send(add))).toMatchObject({ kind: 'unknown', status });
    expect(recorder.outcomes).toMatchObject([{}, { state: 'unknown', attempts: 1 }]);
  },
);

test.each(['', 'null', '{}', '[]'])(
  'a success with an unusable body (%j) is read back; a create stays unknown',
  async (body) => {
    const { origin, received } = await serve((request, answer) =>
      json(answer, 200, request.method === 'GET' ? { data: { id: 'x', attributes: { name: 'new' } } } : body),
    );
    const { client, recorder } = clientOf(origin);
    const result = await client.send(rename('new'), { purpose: purpose('old') });
    expect(result).toMatchObject({ ok: true, value: { data: { attributes: { name: 'new' } } } });
    expect(problemIn(await client.send(add))).toMatchObject({ kind: 'unknown', operation: 'things.add' });
    expect(methods(received)).toEqual(['PATCH', 'GET', 'POST']);
    expect(recorder.outcomes).toMatchObject([{ state: 'applied' }, { state: 'unknown' }]);
  },
);

test('an error object in a 2xx is journaled as refused and not retried', async () => {
  const { origin, received } = await serve((_, answer) => json(answer, 200, { error: 'denied' }));
  const { client, recorder } = clientOf(origin);
  for (const edit of [rename('new'), add, drop, call(orderThings, { body: { order: ['a'] } })])
    expect(problemIn(await client.send<unknown>(edit))).toMatchObject({ kind: 'invalid', messages: ['denied'] });
  expect(received.length).toBe(4);
  expect(recorder.outcomes.map((outcome) => outcome.state)).toEqual(Array(4).fill('refused'));
});

test('a mute without a response that is read back as not muted is sent again and applied', async () => {
  const silenced: Record<string, number | null> = {};
  const { origin, received } = await serve((request, answer, nth) => {
    if (request.method === 'POST' && nth === 1) return hangUp(answer);
    if (request.method === 'POST') silenced['*'] = null;
    json(answer, 200, { id: 4211, options: { silenced } });
  });
  const { client, recorder } = clientOf(origin, { find: findEndpoint });
  expect(await client.send(call(muteMonitor, { monitor_id: 4211, body: { scope: '*' } }))).toMatchObject({ ok: true });
  expect(methods(received)).toEqual(['POST', 'GET', 'POST']);
  expect(recorder.outcomes).toMatchObject([{ state: 'applied', attempts: 2 }]);
});

test.each(['{}', '{"data":null}', '{"result":{}}'])(
  'a read-back without the thing (%s) proves nothing, also where the edit takes a value away',
  async (body) => {
    const { origin } = await serve((request, answer) =>
      request.method === 'DELETE' ? hangUp(answer) : json(answer, 200, body),
    );
    const { client, recorder } = clientOf(origin, { find: findEndpoint });
    const result = await client.send(call(unassignIssue, { issue_id: 'i' }), { purpose: purpose('old') });
    expect(problemIn(result)).toMatchObject({ kind: 'unknown' });
    expect(recorder.outcomes).toMatchObject([{ state: 'unknown', attempts: 1 }]);
  },
);

test('a mute is not sent again over the end that another operator set meanwhile', async () => {
  const { origin, received } = await serve((request, answer) => {
    if (request.method === 'POST') return hangUp(answer);
    json(answer, 200, { id: 4211, options: { silenced: { '*': 1_900_000_000 } } });
  });
  const { client, recorder } = clientOf(origin, { find: findEndpoint });
  const mute = call(muteMonitor, { monitor_id: 4211, body: { scope: '*', end: 1_800_000_000 } });
  const result = await client.send(mute, { purpose: purpose('old') });
  expect(problemIn(result)).toMatchObject({ kind: 'unknown', doubt: { theirs: { id: 4211 } } });
  expect(methods(received)).toEqual(['POST', 'GET']);
  expect(recorder.outcomes).toMatchObject([{ state: 'unknown', attempts: 1 }]);
});
