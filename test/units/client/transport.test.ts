import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openConnection } from '../../../src/client/connection.ts';
import { collectBody, decompress } from '../../../src/client/connections.ts';
import { sleep } from '../../../src/client/hold-back.ts';
import { problemOfFailure } from '../../../src/client/response-problem.ts';
import { agentFor, createTransport, keyed, timeouts, transportProblem } from '../../../src/client/transport.ts';
import { publicLookup } from '../../../src/client/upload-parts.ts';
import { getThing } from '../../support/calls.ts';
import { hangUp, serve } from '../../support/scripted-server.ts';
import { createSteppedClock } from '../../support/steppedclock.ts';

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code }, more);

test.each([
  ['a code', coded('ECONNREFUSED'), 'refused', 'ECONNREFUSED'],
  ['the code of a cause', new Error('x', { cause: coded('ENOTFOUND') }), 'dns', 'ENOTFOUND'],
  ['a cause behind a socket error', coded('UND_ERR_SOCKET', { cause: coded('ETIMEDOUT') }), 'timeout', 'ETIMEDOUT'],
  ['a socket error alone', coded('UND_ERR_SOCKET'), 'network', 'UND_ERR_SOCKET'],
  ['the first of several', new AggregateError([coded('ECONNREFUSED'), coded('ENOTFOUND')]), 'refused', 'ECONNREFUSED'],
  ['the one of several', new AggregateError([coded('ENOTFOUND')]), 'dns', 'ENOTFOUND'],
  [
    'what OpenSSL says without a code',
    new Error('x', { cause: Object.assign(new Error('EE certificate key too weak'), { code: 'UNSPECIFIED' }) }),
    'tls',
    'UNSPECIFIED: EE certificate key too weak',
  ],
  ['none of several', new AggregateError([]), 'network', ''],
  ['nothing', undefined, 'network', ''],
])('a failure is told by %s', (_, error, failure, code) => {
  expect(transportProblem(error)).toEqual({ failure, code });
});

test('a request called off before it begins is not sent, and leaves no listener', async () => {
  const transport = createTransport({ base: new URL('http://127.0.0.1:1'), timeouts, environment: {} });
  const wired = { method: 'GET', path: '/', headers: {}, body: undefined } as const;
  const how = { as: 'read', keys: {}, totalMs: 1000 } as const;
  expect(await transport.exchange(wired, { ...how, signal: AbortSignal.abort() })).toMatchObject({
    failure: 'canceled',
    left: false,
  });
  const { signal } = new AbortController();
  expect(await transport.exchange(wired, { ...how, signal })).toMatchObject({ failure: 'refused', left: false });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await transport.close();
});

test('a body that comes again is not unpacked; another one, encoding or status is', async () => {
  const told = { body: Buffer.from('one'), status: 200, encoding: '' };
  const { origin } = await serve((_, answer) => {
    const encoding = told.encoding === '' ? {} : { 'content-encoding': told.encoding };
    answer.writeHead(told.status, { 'content-length': told.body.length, ...encoding }).end(told.body);
  });
  const transport = createTransport({ base: new URL(origin), timeouts, environment: {} });
  const wired = { method: 'GET', path: '/', headers: {}, body: undefined } as const;
  const ask = (known?: string) => transport.exchange(wired, { as: 'read', keys: {}, totalMs: 5000, known });
  const first = await ask();
  if (first.kind !== 'answer') throw new Error('no answer');
  expect(first.text).toBe('one');
  const digest = first.digest?.();
  expect(await ask(digest)).toMatchObject({ status: 200, text: '' });
  told.status = 201;
  expect(await ask(digest)).toMatchObject({ text: 'one' });
  told.status = 200;
  told.encoding = 'identity';
  expect(await ask(digest)).toMatchObject({ text: 'one' });
  told.encoding = '';
  told.body = Buffer.from('two');
  expect(await ask(digest)).toMatchObject({ text: 'two' });
  await transport.close();
});

test('without a length a body may have been cut: a success counts only where it has none, a refusal always', async () => {
  const { origin } = await serve(({ url }, { socket }) => {
    socket?.end(`HTTP/1.1 ${url.slice(1)} Any\r\nconnection: close\r\n\r\n${/20[45]/.test(url) ? '' : 'why'}`);
  });
  const transport = createTransport({ base: new URL(origin), timeouts, environment: {} });
  const asks = (status: number) => {
    const wired = { method: 'GET', path: `/${status}`, headers: {}, body: undefined } as const;
    return transport.exchange(wired, { as: 'read', keys: {}, totalMs: 5000 });
  };
  for (const status of [200, 299]) expect(await asks(status)).toMatchObject({ failure: 'cut', status, left: true });
  for (const status of [204, 205]) expect(await asks(status)).toMatchObject({ kind: 'answer', status, text: '' });
  for (const status of [300, 403]) expect(await asks(status)).toMatchObject({ kind: 'answer', status, text: 'why' });
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

test('each edit has a connection of its own; of an answer that breaks off its status is known, which is enough for a refusal', async () => {
  const { origin, received } = await serve(({ url }, answer) => {
    answer.writeHead(Number(url.slice(1)), { 'content-length': 9 }).write('{"dat');
    setTimeout(() => hangUp(answer), 10);
  });
  const transport = createTransport({ base: new URL(origin), timeouts, environment: {} });
  const asks = (as: 'read' | 'edit', status: number) => {
    const wired = { method: as === 'read' ? 'GET' : 'POST', path: `/${status}`, headers: {}, body: undefined } as const;
    return transport.exchange(wired, { as, keys: {}, totalMs: 5000 });
  };
  expect(await asks('edit', 299)).toMatchObject({ kind: 'failure', status: 299, left: true });
  for (const status of [300, 403])
    expect(await asks('read', status)).toMatchObject({ kind: 'answer', status, text: '' });
  expect(received.map(({ headers }) => headers.connection)).toEqual(['close', 'keep-alive', 'keep-alive']);
  await transport.close();
});

test.each([
  ['read', 4],
  ['edit', 8],
] as const)('of each %s %i are on their way at once', async (as, most) => {
  const held: ServerResponse[] = [];
  const { origin, received } = await serve((_, answer) => void held.push(answer));
  const transport = createTransport({ base: new URL(origin), timeouts, environment: {} });
  const wired = { method: as === 'read' ? 'GET' : 'POST', path: '/', headers: {}, body: undefined } as const;
  const all = Array.from({ length: most + 2 }, () => transport.exchange(wired, { as, keys: {}, totalMs: 5000 }));
  await expect.poll(() => received.length).toBe(most);
  await new Promise((done) => setTimeout(done, 30));
  expect(received).toHaveLength(most);
  for (let at = 0; at < all.length; at += 1) {
    await expect.poll(() => held.length, { interval: 2 }).toBeGreaterThan(at);
    held[at]?.writeHead(204).end();
  }
  expect((await Promise.all(all)).every((sent) => sent.kind === 'answer')).toBe(true);
  await transport.close();
});

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a wait ends with its time or with its signal, and leaves no timer and no listener', async () => {
  const clock = createSteppedClock();
  const stop = new AbortController();
  const [over, off] = [sleep(clock, 1000, stop.signal), sleep(clock, 5000, stop.signal)];
  await clock.passes(1000);
  expect(await over).toBe(true);
  expect([clock.waiting(), getEventListeners(stop.signal, 'abort').length]).toEqual([1, 1]);
  const running = timers();
  stop.abort();
  expect(timers()).toBe(running - 1);
  expect(await off).toBe(false);
  expect([clock.waiting(), getEventListeners(stop.signal, 'abort').length]).toEqual([0, 0]);
  expect(await sleep(clock, 1000, stop.signal)).toBe(false);
});

test.each([
  [{ https_proxy: 'ftp://no', HTTPS_PROXY: 'http://yes', all_proxy: 'http://yes', ALL_PROXY: 'http://yes' }, false],
  [{ HTTPS_PROXY: 'ftp://no', all_proxy: 'http://yes', ALL_PROXY: 'http://yes' }, false],
  [{ https_proxy: '', all_proxy: 'ftp://no', ALL_PROXY: 'http://yes' }, false],
  [{ ALL_PROXY: 'ftp://no' }, false],
  [{ https_proxy: 'http://yes', HTTPS_PROXY: 'ftp://no' }, true],
  [{ https_proxy: 'yes:3128' }, true],
  [{ https_proxy: 'http://[' }, false],
  [{ https_proxy: 'socks5://yes:1' }, true],
  [{ ALL_PROXY: 'SOCKS5H://me:pass@yes' }, true],
  [{ https_proxy: 'socks4://no:1' }, false],
])('of the proxies %j the first one counts, and must be http: %s', (environment, isFine) => {
  const make = (base: string) => () => agentFor(new URL(base), environment);
  if (isFine) expect(make('https://api.example.test')).not.toThrow();
  else expect(make('https://api.example.test')).toThrow(/^the proxy in (https_proxy|HTTPS_PROXY|all_proxy|ALL_PROXY) /);
  expect(make('http://127.0.0.1:1')).not.toThrow();
});

test.each([
  [new TypeError('the proxy cannot be read'), 'the proxy cannot be read'],
  [new Error('a key is in here'), 'the connection cannot be set up'],
])('why there is no connection is told by our own errors alone: %s', (error, text) => {
  const transport = () => {
    throw error;
  };
  const made = openConnection({ origin: 'https://api.example.test', environment: {}, timeouts, transport });
  expect(made).toMatchObject({ ok: false, problem: { kind: 'invalid', text } });
});

test('of a name all addresses are looked up, however many are asked for', () => {
  const asked: unknown[] = [];
  publicLookup((_, options) => asked.push(options))('store.example.test', { all: false, family: 4 }, () => {});
  expect(asked).toEqual([{ all: true, family: 4 }]);
});

test('characters across two pieces of a compressed body are read', async () => {
  const text = `x${'日'.repeat(200_000)}`;
  expect(await decompress([gzipSync(text)], 'gzip')).toEqual({ text });
  expect(await decompress([Buffer.from('a')], 'gzip, br')).toBe('packed');
});

test('a long body is told as bytes, without the mark at its beginning', async () => {
  const bytes = Buffer.from(`x${'日'.repeat(300_000)}`);
  const marked = Buffer.concat([Buffer.from('\uFEFF'), bytes]);
  for (const whole of [bytes, marked]) {
    expect(await decompress([whole.subarray(0, 5), whole.subarray(5)], '')).toEqual({ bytes });
    expect(await decompress([gzipSync(whole)], 'gzip')).toEqual({ bytes });
  }
});

test('a long body is hashed as it came and then given back, but for pieces that may lie in a pool, and a short one is not', async () => {
  const held = async (sizes: readonly number[]) => {
    const pieces = sizes.map((size) => (size === 1000 ? Buffer.from('\0'.repeat(size)) : Buffer.alloc(size)));
    async function* stream() {
      yield* pieces;
    }
    const body = await collectBody(stream(), '');
    if (body === 'tooBig') throw new Error('no body');
    body.drop();
    return { left: pieces.map(({ length }) => length), digest: body.digest() };
  };
  const long = await held([1000, 20_000, 64 * 1024, 1_200_000]);
  expect(long.left).toEqual([1000, 0, 0, 0]);
  const both = Buffer.alloc(1_200_000);
  async function* halves() {
    yield* [both.subarray(0, 600_000), both.subarray(600_000)];
  }
  const body = await collectBody(halves(), '');
  if (body !== 'tooBig') body.drop();
  expect(both).toHaveLength(0);
  expect(long.digest).toBe((await held([...Array(1286).fill(1000), 536])).digest);
  expect((await held([64 * 1024, 64 * 1024])).left).toEqual([64 * 1024, 64 * 1024]);
});

test.each(['', 'gzip'])(
  'characters across two pieces of a body are read, without the mark at its beginning (%s)',
  async (encoding) => {
    const bytes = Buffer.from(`\uFEFFx日\uFEFF`);
    const whole = encoding === '' ? bytes : gzipSync(bytes);
    const pieces = Array.from(whole, (_, at) => whole.subarray(at, at + 1));
    expect(await decompress(pieces, encoding)).toEqual({ text: 'x日\uFEFF' });
    expect(await decompress([Buffer.from([0x61, 0xe6, 0x97])], '')).toEqual({ text: 'a\uFFFD' });
  },
);

test('a compressed body is read with a header or without one; cut short it is no answer, and nor is another encoding', async () => {
  const bytes = Buffer.from('text '.repeat(100));
  const text = bytes.toString();
  expect(await decompress([deflateSync(bytes)], 'deflate')).toEqual({ text });
  expect(await decompress([deflateRawSync(bytes)], 'deflate')).toEqual({ text });
  expect(await decompress([gzipSync(bytes).subarray(0, -9)], 'gzip')).toBe('cut');
  expect(await decompress([bytes], 'gzip')).toBe('packed');
  expect(await decompress([bytes], 'constructor')).toBe('packed');
});

test.each([
  ['CERT_HAS_EXPIRED', 'the certificate of api.test has expired (CERT_HAS_EXPIRED): check the clock of this machine'],
  ['CERT_NOT_YET_VALID', 'the certificate of api.test is not valid yet (CERT_NOT_YET_VALID): check the clock'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate of api.test is for another host (ERR_TLS_CERT_ALTNAME_INVALID)'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate of api.test is not trusted (SELF_SIGNED_CERT_IN_CHAIN)'],
  [
    'UNSPECIFIED: EE certificate key too weak',
    'the certificate of api.test is too weak to be trusted (UNSPECIFIED: EE',
  ],
  ['EPROTO', 'api.test does not speak TLS (EPROTO): check the port'],
])('%s is told as what is wrong, with what to check', (code, text) => {
  const problem = problemOfFailure(
    getThing,
    { kind: 'failure', failure: transportProblem({ code }).failure, code, left: false },
    'api.test',
  );
  expect(problem.text).toContain(text);
});
