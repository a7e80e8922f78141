import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import { createKeyGate } from '../../../src/client/key-gate.ts';
import { decompress } from '../../../src/client/response-body.ts';
import { createTransport, failureOf, keyed, timeouts } from '../../../src/client/transport.ts';
import { createSteppedClock } from '../../support/steppedclock.ts';

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code }, more);

test.each([
  ['a code', coded('ECONNREFUSED'), 'refused', 'ECONNREFUSED'],
  ['the code of a cause', new Error('x', { cause: coded('ENOTFOUND') }), 'dns', 'ENOTFOUND'],
  ['a cause behind a socket error', coded('UND_ERR_SOCKET', { cause: coded('ETIMEDOUT') }), 'timeout', 'ETIMEDOUT'],
  ['a socket error alone', coded('UND_ERR_SOCKET'), 'network', 'UND_ERR_SOCKET'],
  ['the first of several', new AggregateError([coded('ECONNREFUSED'), coded('ENOTFOUND')]), 'refused', 'ECONNREFUSED'],
  ['none of several', new AggregateError([]), 'network', ''],
  ['nothing', undefined, 'network', ''],
])('a failure is told by %s', (_, error, failure, code) => {
  expect(failureOf(error)).toEqual({ failure, code });
});

test('a request called off before it begins is not sent, and leaves no listener', async () => {
  const transport = createTransport({ base: new URL('http://127.0.0.1:1'), timeouts, environment: {} });
  const wired = { method: 'GET', path: '/', headers: {}, body: undefined } as const;
  const how = { as: 'read', keys: {}, totalMs: 1000 } as const;
  expect(await transport.exchange(wired, { ...how, signal: AbortSignal.abort() })).toMatchObject({
    failure: 'cancelled',
    left: false,
  });
  const { signal } = new AbortController();
  expect(await transport.exchange(wired, { ...how, signal })).toMatchObject({ failure: 'refused', left: false });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await transport.close();
});

test.each([
  ['https://api.acme.test', true],
  ['http://api.acme.test', false],
  ['https://api.acme.test:8443', false],
  ['https://api.acme.test.evil.test', false],
  ['https://api-acme.test', false],
  ['https://store.example.test', false],
])('keys leave for their own origin alone: %s', (origin, isTheirs) => {
  const sent: unknown[] = [];
  const dispatch = keyed('https://api.acme.test', { 'service-api-key': 'fake-api-key' })((options) => {
    sent.push(options.headers);
    return true;
  });
  dispatch({ origin, path: '/', method: 'GET', headers: { accept: '*/*' } }, {});
  expect(sent).toEqual([{ accept: '*/*', ...(isTheirs && { 'service-api-key': 'fake-api-key' }) }]);
});

test('characters across two pieces of a compressed body are read', async () => {
  const text = `x${'日'.repeat(200_000)}`;
  expect(await decompress(gzipSync(text), 'gzip')).toEqual({ text });
  expect(await decompress(Buffer.from('a'), 'gzip, br')).toBe('packed');
});

test('other keys open the gate, also for the ones that were refused before', () => {
  const gate = createKeyGate();
  const [old, other] = [
    { apiKey: 'a', appKey: 'b' },
    { apiKey: 'a', appKey: 'c' },
  ];
  for (let nth = 0; nth < 3; nth += 1) gate.pass(old)?.answered(401, []);
  expect([gate.isShut(old), gate.isShut(other)]).toEqual([true, false]);
  expect(gate.pass(old)).toBeUndefined();
  expect(gate.pass(other)).toBeDefined();
  expect(gate.isShut(old)).toBe(false);
});

test('the ends of keys are shown of long keys alone', async () => {
  const client = createClient({
    origin: 'https://api.example.test',
    keys: { apiKey: '0123456789abcdef', appKey: '0123456789abcde' },
    readOnly: true,
    clock: createSteppedClock(),
    random: () => 0,
  });
  expect(client.ends()).toEqual({ apiKey: 'cdef', appKey: '' });
  await client.close();
});
