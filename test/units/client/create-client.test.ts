import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ask, type Call, call, pausing, reducing, showing } from '../../../src/api/endpoint.ts';
import { problemResult, toResult } from '../../../src/api/problem.ts';
import {
  type CallOutcome,
  type ClientOptions,
  type Purpose,
  type Recorder,
  sendRecorded,
} from '../../../src/client/client.ts';
import type { createTransport, TransportResult } from '../../../src/client/transport.ts';
import { formatKeyHeaders } from '../../../src/client/wire-request.ts';
import { addThing, clientOf, getThing, keys, listThings, memoryRecorder, setThing } from '../../support/calls.ts';

const rename = call(setThing, { thing_id: 'x', body: { data: { attributes: { name: 'new' } } } });
const list = call(listThings);
const read = call(getThing, { thing_id: 'x' });
const add = (secret: string) => call(addThing, { body: { data: { attributes: { secret } } } });

type Exchange = ReturnType<typeof createTransport>['exchange'];
const answer = (status: number, body: unknown, headers = {}): TransportResult => ({
  kind: 'answer',
  status,
  headers,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const shown = (attributes: object = {}) => answer(200, { data: { id: 'x', attributes } });

/** A client without sockets: `respond` answers each request. */
function wired(
  respond: (...given: [...Parameters<Exchange>, nth: number]) => ReturnType<Exchange> | TransportResult,
  more: Partial<ClientOptions> = {},
) {
  const asked: string[] = [];
  const count = { closed: 0, expected: 0 };
  const transport: typeof createTransport = () => ({
    expectEdit() {
      count.expected += 1;
    },
    exchange: async (request, how) => respond(request, how, asked.push(`${how.as} ${request.method}`)),
    async close() {
      count.closed += 1;
    },
  });
  return { ...clientOf('https://api.example.test/prefix/', { transport, ...more }), asked, count };
}

test('a client tells its address without a slash at the end, also where it cannot be used', () => {
  expect(wired(() => shown()).client.origin).toBe('https://api.example.test/prefix');
  expect(clientOf('nonsense/').client.origin).toBe('nonsense/');
});

test('the connection of an edit is opened where edits are sent', () => {
  for (const more of [{}, { readOnly: true }, { preview: () => {} }]) {
    const { client, count } = wired(() => shown(), more);
    client.expectEdit();
    expect(count.expected).toBe('readOnly' in more || 'preview' in more ? 0 : 1);
  }
  expect(() => clientOf('nonsense/').client.expectEdit()).not.toThrow();
});

test('the ends of keys are shown of long keys alone', () => {
  const { client } = wired(() => shown(), { keys: { apiKey: '0123456789abcdef', appKey: '0123456789abcde' } });
  expect(client.ends()).toEqual({ apiKey: 'cdef', appKey: '' });
});

test('a read ends as soon as it is called off or the client is closed, and leaves no listener', async () => {
  const { client, count, asked } = wired(
    (_, { signal }) =>
      new Promise((done) =>
        signal?.addEventListener('abort', () => done({ kind: 'failure', failure: 'canceled', left: true, code: '' })),
      ),
  );
  const stop = new AbortController();
  const reads = [client.send(read, { signal: stop.signal }), client.send(list)];
  await Promise.resolve();
  stop.abort();
  expect(await reads[0]).toMatchObject({ ok: false, problem: { kind: 'canceled' } });
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  await client.close();
  expect(await reads[1]).toMatchObject({ ok: false, problem: { kind: 'canceled' } });
  expect([count.closed, asked.length]).toEqual([1, 2]);
  const canceled = { ok: false, problem: { kind: 'canceled', text: 'canceled before it was sent' } };
  for (const later of [read, rename]) expect(await client.send(later)).toMatchObject(canceled);
  const other = wired(() => shown());
  for (const one of [read, rename])
    expect(await other.client.send(one, { signal: AbortSignal.abort() })).toMatchObject(canceled);
  expect([asked.length, other.asked, other.recorder.lines]).toEqual([2, [], []]);
  await clientOf('nonsense').client.close();
});

test('what an answer tells of limits, operations and keys is known afterward', async () => {
  const limit = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '90', 'x-ratelimit-reset': '20' };
  const answers = [answer(404, ''), shown(), answer(200, { data: [] }, limit)];
  const { client } = wired((_, __, nth) => answers[nth - 1] ?? answer(401, { errors: ['Unauthorized'] }));
  await client.send(read);
  expect(client.offered('things.get')).toBe(false);
  await client.send(read);
  expect(client.offered('things.get')).toBe(true);
  await client.send(list);
  expect(client.budgets()).toMatchObject([{ name: 'things.list', limit: 100, remaining: 90 }]);
  for (const _ of [1, 2]) await client.send(read);
  expect(client.keysRefused()).toBe(false);
  await client.send(read);
  expect(client.keysRefused()).toBe(true);
});

test('a 401 about a thing does not shut the client; once it is shut, an edit is no intent', async () => {
  const words = { errors: ['You may not update this locked thing'] };
  const { client, asked, recorder } = wired((_, __, nth) => answer(401, nth > 4 ? '' : words));
  for (let nth = 0; nth < 10; nth += 1) await client.send(read);
  expect(asked).toHaveLength(7);
  expect(await client.send(rename)).toMatchObject({ ok: false, problem: { kind: 'forbidden' } });
  expect(recorder.lines).toEqual([]);
});

test('after twenty retries a service that fails is asked once, until five requests succeed', async () => {
  const state = { fails: true };
  const { client, asked } = wired(() => (state.fails ? answer(503, '') : shown()));
  for (let nth = 0; nth < 11; nth += 1) await client.send(read);
  expect(asked).toHaveLength(10 * 3 + 1);
  state.fails = false;
  for (let nth = 0; nth < 5; nth += 1) await client.send(read);
  state.fails = true;
  await client.send(read);
  expect(asked).toHaveLength(31 + 5 + 2);
});

test('the eight secrets sent last are redacted in later answers, from twelve characters on', async () => {
  const state = { name: '' };
  const { client } = wired(() => shown({ name: state.name }));
  const tells = async (text: string) => {
    state.name = text;
    const result = await client.send(read);
    return result.ok && (result.value as { data: { attributes: { name: string } } }).data.attributes.name;
  };
  const secrets = Array.from({ length: 9 }, (_, nth) => `fake-secret${nth}`);
  for (const secret of [...secrets, 'fake-short1']) await client.send(add(secret));
  expect(await tells(`x ${secrets[1]}`)).toBe('x [key redacted]');
  expect(await tells(`x ${secrets[8]}`)).toBe('x [key redacted]');
  expect(await tells(`x ${secrets[0]}`)).toBe(`x ${secrets[0]}`);
  expect(await tells('x fake-short1')).toBe('x fake-short1');
  expect(await tells(`x ${keys.apiKey}`)).toBe('x [key redacted]');
});

test('a new secret stays where its answer may have it, and nowhere else', async () => {
  const secret = 'fake-secret-of-an-edit';
  const { client } = wired(() => shown({ name: secret, secret }));
  expect(await client.send(add(secret))).toMatchObject({
    value: { data: { attributes: { name: '[key redacted]', secret } } },
  });
});

test('the purpose of an edit is journaled with the row that its plan has read, else with the one that was listed', async () => {
  const purposes: Purpose[] = [];
  const recorder: Recorder = {
    intent: async (_, purpose) => {
      purposes.push(purpose);
      return toResult('1');
    },
    outcome: async () => {},
  };
  const { client } = wired(() => shown(), { recorder });
  const purpose = { action: 'rename', target: { id: 'x', name: 'X' }, before: 'listed' };
  await client.send(rename);
  await client.send(rename, { purpose });
  await client.send({ ...rename, before: 'read' }, { purpose });
  expect(purposes).toEqual([
    { action: 'call', target: { id: 'x', name: '' } },
    purpose,
    { ...purpose, before: 'read' },
  ]);
});

test.each<[string, ReturnType<typeof problemResult>, boolean, Partial<CallOutcome>]>([
  ['a refusal', problemResult('invalid', 'no', { status: 400 }), false, { state: 'refused', status: 400 }],
  ['a doubt', problemResult('unknown', 'no'), false, { state: 'unknown' }],
  ['a conflict after a doubt', problemResult('conflict', 'no'), true, { state: 'unknown' }],
])('the outcome of %s in the journal', async (_, result, inDoubt, outcome) => {
  const recorder = memoryRecorder();
  const purpose = { action: 'call', target: { id: 'x', name: '' } };
  await sendRecorded(rename, purpose, recorder, async () => ({ result, inDoubt, attempts: 2 }));
  expect(recorder.outcomes).toEqual([{ attempts: 2, text: 'no', ...outcome }]);
});

test('a plan waits by the clock, and an error of its own is thrown, also where its edits are only shown', async () => {
  function* plan(edit: Call) {
    yield* showing('soon');
    yield* pausing(700);
    yield* ask(edit);
    throw new Error('a bug');
  }
  const { client, clock, asked } = wired(() => shown());
  await expect(client.run(plan(rename))).rejects.toThrow('a bug');
  expect([clock.waits, asked]).toEqual([[700], ['edit PATCH']]);
  const preview = wired(() => shown(), { preview: () => {} });
  await expect(preview.client.run(plan(rename))).rejects.toThrow('a bug');
});

test.each([
  [
    { apiKey: 'a', appKey: 'b' },
    { k: 'a', p: 'b' },
  ],
  [{ apiKey: 'a', appKey: '' }, { k: 'a' }],
  [{ apiKey: '', appKey: '' }, 'there is no API key: add one to the profile'],
])('the keys %j give the headers %j', (given, headers) => {
  const made = formatKeyHeaders(given, { apiKey: 'k', appKey: 'p' });
  expect(made.ok ? made.headers : made.problem.text).toEqual(headers);
});

test('an answer that comes again is the same value and is not unpacked; after an edit with a secret it is searched anew', async () => {
  const known: (string | undefined)[] = [];
  const { client } = wired((request, how) => {
    known.push(how.known);
    if (request.method !== 'GET') return shown();
    const isKnown = how.known === 'digest';
    return { ...(shown() as object), ...(isKnown ? { text: '' } : {}), digest: () => 'digest' } as TransportResult;
  });
  const [first, second] = [await client.send(read), await client.send(read)];
  expect(second).toMatchObject({ ok: true });
  expect(second.ok && first.ok && second.value === first.value).toBe(true);
  await client.send(add('fake-a-long-secret'));
  const third = await client.send(read);
  expect(third.ok && first.ok && third.value === first.value).toBe(false);
  expect(known).toEqual([undefined, 'digest', undefined, undefined]);
});

test('an answer that was too large to read is not asked for again for ten minutes', async () => {
  let at = 1_000_000;
  const tooLarge = answer(200, `[${'{},'.repeat(1_100_000)}{}]`);
  const { client, asked } = wired(
    () => ({ ...tooLarge, bytes: Buffer.from(tooLarge.kind === 'answer' ? tooLarge.text : '') }),
    {
      clock: { now: () => at, after: () => () => {} },
    },
  );
  const reduced = reducing(list, function* () {
    yield;
  });
  // The clock is set back by a day, too.
  for (const later of [0, -86_400_000, 599_999, 1]) {
    at += later;
    expect(await client.send(reduced)).toMatchObject({ ok: false, problem: { tooBig: true } });
  }
  expect(asked).toHaveLength(2);
});
