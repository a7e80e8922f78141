import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type LookupFunction, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  createParts,
  isPrivate,
  type PartResult,
  partAddress,
  partTimeouts,
  publicLookup,
} from '../../src/client/upload-parts.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { type Behave, fastClock, hangUp, serve } from '../support/scripted-server.ts';
import { createSteppedClock } from '../support/steppedclock.ts';

const here = new URL('http://127.0.0.1:1');
const there = new URL('https://api.example.test');
const xml = (code: string, message: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

/** Ends every wait at once, except the timeouts of an attempt. */
function patientClock() {
  const clock = fastClock();
  const { idle, total } = partTimeouts;
  return {
    ...clock,
    after: (ms: number, then: () => void) => (ms === idle || ms === total ? () => {} : clock.after(ms, then)),
  };
}

/** Sends `abcdef` to a server with this behavior. */
async function sending(behave: Behave, { until = Number.POSITIVE_INFINITY, clock = patientClock() } = {}) {
  const { origin, received } = await serve(behave);
  const parts = createParts({ origin, clock, random: () => 1, environment: { https_proxy: 'http://127.0.0.1:9' } });
  onTestFinished(() => parts.close());
  const seen: { sent: number[]; again: string[] } = { sent: [], again: [] };
  const end = await parts.send(
    {
      url: `${origin}/bucket/part%201?signature=the-secret`,
      length: 6,
      until,
      bytes: () => pieces('abc', 'def'),
      sent: (bytes) => seen.sent.push(bytes),
      again: (why) => seen.again.push(why),
    },
    new AbortController().signal,
  );
  return { end, received, clock, ...seen };
}

const textOf = (end: PartResult) => ('problem' in end ? end.problem.text : '');

test('a part is sent with its length only: no key, no content type, no second address', async () => {
  const { end, received, sent } = await sending((_, answer) => answer.end());
  expect(end).toEqual({ kind: 'stored', attempts: 1 });
  const [request] = received;
  expect([request?.method, request?.url, request?.body]).toEqual([
    'PUT',
    '/bucket/part%201?signature=the-secret',
    'abcdef',
  ]);
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual(['connection', 'content-length', 'host']);
  expect(request?.headers).toMatchObject({ 'content-length': '6', connection: 'close' });
  expect(sent).toEqual([0, 3, 6]);
});

test('a temporary failure is retried from the first byte, with the reason', async () => {
  const { end, received, again, sent, clock } = await sending((_, answer, nth) => {
    if (nth === 1) return hangUp(answer);
    if (nth === 2) return answer.writeHead(503, { 'retry-after': '7' }).end(xml('SlowDown', 'Please wait'));
    if (nth === 3) return answer.writeHead(400).end(xml('IncompleteBody', 'Too short'));
    if (nth === 4) return answer.writeHead(408).end();
    if (nth === 5) return answer.writeHead(429).end();
    answer.end();
  });
  expect(end).toEqual({ kind: 'stored', attempts: 6 });
  expect(received.map((request) => request.body)).toEqual(Array.from({ length: 6 }, () => 'abcdef'));
  expect(again).toHaveLength(5);
  // Doubled each time; where the store asks for a wait, that and a quarter more.
  expect(clock.waits).toEqual([500, 8750, 2000, 4000, 8000]);
  expect(again[0]).toMatch(/broke \(UND_ERR_SOCKET\)$/);
  expect(again[1]).toMatch(/503: SlowDown, Please wait/);
  expect(sent.filter((value) => value === 0)).toHaveLength(6);
  expect(again.join()).not.toContain('the-secret');
});

test('a permanent failure is not retried', async () => {
  for (const [status, body, kind, words] of [
    [403, xml('AccessDenied', 'Request has expired'), 'expired', 'AccessDenied, Request has expired'],
    [404, '', 'expired', '404'],
    [401, '', 'expired', '401'],
    [410, '', 'expired', '410'],
    [409, '', 'failed', '409'],
    [428, '', 'failed', '428'],
    [400, xml('InvalidPart', 'Wrong size'), 'failed', 'InvalidPart, Wrong size'],
    [413, '<html>', 'failed', '413'],
    [300, '', 'failed', 'another address'],
    [307, '', 'failed', 'another address'],
    [399, '', 'failed', 'another address'],
  ] as const) {
    const { end, received } = await sending((_, answer) =>
      answer.writeHead(status, { location: 'http://127.0.0.1:9/x' }).end(body),
    );
    expect([end.kind, textOf(end)]).toEqual([kind, expect.stringContaining(words)]);
    const { problem } = end as Extract<PartResult, { problem: unknown }>;
    expect(problem).toMatchObject({ status, messages: words.includes(',') ? [words] : [] });
    expect(problem.kind).toBe(kind === 'expired' ? 'forbidden' : status < 400 ? 'unreachable' : 'invalid');
    expect(received).toHaveLength(1);
    expect(JSON.stringify(end)).not.toContain('the-secret');
  }
});

test('nothing more is sent when its URL has expired, or would after the wait', async () => {
  const clock = patientClock();
  const late = await sending((_, answer) => answer.end(), { until: clock.now(), clock });
  expect([late.end.kind, late.received.length]).toEqual(['expired', 0]);
  const soon = await sending((_, answer) => answer.writeHead(500).end(), { until: clock.now() + 700, clock });
  expect([soon.end.kind, soon.received.length]).toEqual(['expired', 2]);
  const just = await sending((_, answer) => answer.writeHead(500).end(), { until: clock.now() + 500, clock });
  expect([just.end.kind, just.received.length, textOf(just.end)]).toEqual([
    'expired',
    1,
    expect.stringContaining('500'),
  ]);
  const never = await sending((_, answer) => answer.writeHead(500).end());
  expect([never.end.kind, never.received.length]).toEqual(['failed', 8]);
  expect(textOf(never.end)).not.toBe('');
  expect(never.end).toMatchObject({ problem: { kind: 'unreachable', status: 500 } });
});

test('unreadable bytes end the part at once', async () => {
  const origin = await deaf(1000);
  const parts = createParts({ origin, clock: createTestClock(), random: () => 0 });
  onTestFinished(() => parts.close());
  const broken = async function* () {
    yield Buffer.from('ab');
    throw new Error('the disk is gone');
  };
  const asked = { url: origin, length: 6, until: Number.POSITIVE_INFINITY, bytes: broken };
  expect(await parts.send(asked, new AbortController().signal)).toMatchObject({
    kind: 'source',
    error: { message: 'the disk is gone' },
  });
  for (const bytes of [() => pieces('ab'), () => pieces('abcd', 'efg')])
    expect((await parts.send({ ...asked, bytes }, new AbortController().signal)).kind).toBe('source');
});

/** A server that reads at most this many bytes and never responds. */
async function deaf(most: number): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let size = 0;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      size += bytes.length;
      if (size >= most) socket.pause();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const soon = () => new Promise((done) => setTimeout(done, 50));

/** Advances the clock in steps until the work is done; returns the milliseconds. */
async function passing(clock: TestClock, work: Promise<unknown>, step: number): Promise<number> {
  const begun = clock.now();
  const state = { over: false };
  void work.then(() => {
    state.over = true;
  });
  while (!state.over) {
    await clock.passes(step);
    await new Promise((done) => setTimeout(done, 10));
  }
  return clock.now() - begun;
}

test('15 seconds without progress end an attempt, and so do 120 seconds of slow progress', async () => {
  const clock = createTestClock();
  const big = Buffer.alloc(64 * 1024);
  const origin = await deaf(1_000_000);
  const parts = createParts({ origin, clock, random: () => 1 });
  onTestFinished(() => parts.close());
  const endless = async function* () {
    for (;;) yield big;
  };
  const until = clock.now() + 15_100;
  const stalled = parts.send({ url: origin, length: 1e12, until, bytes: endless }, new AbortController().signal);
  await soon();
  await passing(clock, stalled, 5000);
  expect(clock.now() - until).toBeGreaterThanOrEqual(-100);
  expect(await stalled).toMatchObject({
    kind: 'expired',
    problem: { text: expect.stringContaining('accepts no more') },
  });

  const drop = async function* () {
    for (;;) {
      // One piece every ten seconds: progress, but no completion.
      await new Promise<void>((done) => void clock.after(10_000, done));
      yield Buffer.from('x');
    }
  };
  const later = clock.now() + 120_100;
  const slow = parts.send({ url: origin, length: 1e6, until: later, bytes: drop }, new AbortController().signal);
  await soon();
  await passing(clock, slow, 1000);
  expect(clock.now() - later).toBeGreaterThanOrEqual(-100);
  expect((await slow).kind).toBe('expired');
});

test('of a long refusal the beginning is read, without waiting for its end', async () => {
  const { end } = await sending((_, answer) => {
    answer.writeHead(400).write(`<Code>InvalidPart</Code>${' '.repeat(20_000)}`);
  });
  expect(end).toMatchObject({ kind: 'failed', problem: { messages: ['InvalidPart'] } });
});

test.each([
  [
    'refuses is not tried again',
    'HTTP/1.1 403 Forbidden\r\n\r\n',
    'the proxy refused the upload to store.example.test',
    0,
  ],
  ['is none is tried again', '', 'the proxy cannot be reached', 7],
])('a part through a proxy that %s', async (_, says, text, times) => {
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(says));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const parts = createParts({
    origin: there.href,
    clock: patientClock(),
    random: () => 1,
    environment: { https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
  });
  onTestFinished(() => parts.close());
  const again: string[] = [];
  const asked = {
    url: 'https://store.example.test/a',
    length: 1,
    until: Number.POSITIVE_INFINITY,
    bytes: () => pieces('a'),
    again: (why: string) => again.push(why),
  };
  const end = await parts.send(asked, new AbortController().signal);
  expect([end.kind, textOf(end), again]).toEqual(['failed', text, Array(times).fill(text)]);
});

test('a part leaves no timer, no listener and no open file, and what an answer brings is progress', async () => {
  const clock = createSteppedClock();
  const state = { ended: 0, answer: undefined as ServerResponse | undefined };
  const { origin } = await serve((_, answer, nth) => {
    if (nth === 1) answer.writeHead(200).end();
    else state.answer = answer;
  });
  const parts = createParts({ origin, clock, random: () => 1 });
  onTestFinished(() => parts.close());
  const stop = new AbortController();
  const bytes = async function* () {
    try {
      yield Buffer.from('a');
    } finally {
      state.ended += 1;
    }
  };
  const asked = { url: origin, length: 1, until: Number.POSITIVE_INFINITY, bytes };
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  expect((await parts.send(asked, stop.signal)).kind).toBe('stored');
  expect([clock.waiting(), getEventListeners(stop.signal, 'abort').length, state.ended]).toEqual([0, 0, 1]);
  // The headers come after 10 s, the rest 10 s later.
  const slow = parts.send(asked, stop.signal);
  await expect.poll(() => state.answer).toBeDefined();
  await clock.passes(10_000);
  state.answer?.writeHead(200, { 'content-length': 2 }).write('a');
  await expect.poll(() => clock.waiting()).toBe(2);
  await soon();
  await clock.passes(10_000);
  const running = timers();
  state.answer?.end('a');
  expect((await slow).kind).toBe('stored');
  expect([clock.waiting(), getEventListeners(stop.signal, 'abort').length]).toEqual([0, 0]);
  expect(timers()).toBeLessThan(running);
});

test('a part that is called off when it begins is not sent', async () => {
  const { origin, received } = await serve((_, answer) => answer.end());
  const parts = createParts({ origin, clock: patientClock(), random: () => 1 });
  onTestFinished(() => parts.close());
  const stop = new AbortController();
  const asked = {
    url: origin,
    length: 1,
    until: Number.POSITIVE_INFINITY,
    bytes: () => pieces('a'),
    sent: () => stop.abort(),
  };
  expect((await parts.send(asked, stop.signal)).kind).toBe('canceled');
  expect(received).toEqual([]);
});

test('a canceled part ends at once', async () => {
  const clock = createTestClock();
  const origin = await deaf(10);
  const parts = createParts({ origin, clock, random: () => 1 });
  onTestFinished(() => parts.close());
  const stop = new AbortController();
  const asked = { url: origin, length: 6, until: Number.POSITIVE_INFINITY, bytes: () => pieces('abcdef') };
  const work = parts.send(asked, stop.signal);
  await soon();
  stop.abort();
  expect((await work).kind).toBe('canceled');
  expect((await parts.send(asked, stop.signal)).kind).toBe('canceled');
});

test('URLs must be https to a public host, or of a simulator on this machine', () => {
  for (const url of [
    'https://store.example.test/a?b=c',
    'https://93.184.216.34/a',
    'https://[2606:2800:220:1::1]:8443/',
  ])
    expect([url, partAddress(url, there).ok]).toEqual([url, true]);
  for (const url of [
    'http://store.example.test/a',
    'https://user:word@store.example.test/a',
    'https://user@store.example.test/a',
    'https://:word@store.example.test/a',
    'ftp://store.example.test/a',
    'https://localhost/a',
    'https://127.0.0.1/a',
    'https://10.1.2.3/a',
    'https://172.31.0.1/a',
    'https://192.168.1.1/a',
    'https://169.254.169.254/latest',
    'https://100.64.0.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[::10.0.0.1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:a00:1::1]/',
    'https://[2001:0:a00:1::1]/',
    'https://0.0.0.0/',
    'http://127.0.0.1:4000/a',
    'not a url',
    7,
    null,
  ]) {
    const read = partAddress(url, there);
    expect([url, read.ok]).toEqual([url, false]);
    if (!read.ok) expect(read.text).not.toMatch(/word|latest|\?b/);
  }
  expect(partAddress('http://127.0.0.1:4000/a', here).ok).toBe(true);
  expect(partAddress('http://localhost:4000/a', here).ok).toBe(true);
  expect(partAddress('http://10.0.0.1/a', here).ok).toBe(false);
  expect(partAddress('https://10.0.0.1/a', here).ok).toBe(false);
});

test('a name that resolves into a private network is refused, whatever else it resolves to', async () => {
  expect(isPrivate('93.184.216.34')).toBe(false);
  expect(isPrivate('64:ff9b::5db8:d822')).toBe(false);
  expect(isPrivate('nonsense')).toBe(true);
  const says = (...addresses: string[]): LookupFunction =>
    publicLookup((_, __, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  const ask = (lookup: LookupFunction, all: boolean) =>
    new Promise((done) => lookup('store.example.test', { all }, (error, found) => done(error ? error.code : found)));
  expect(await ask(says('93.184.216.34'), true)).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(await ask(says('93.184.216.34'), false)).toBe('93.184.216.34');
  expect(await ask(says('93.184.216.34', '10.0.0.1'), true)).toBe('EPRIVATE');
  expect(await ask(says(), true)).toBe('EPRIVATE');
  const parts = createParts({
    origin: there.href,
    clock: patientClock(),
    random: () => 0,
    lookup: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  onTestFinished(() => parts.close());
  const asked = {
    url: 'https://store.example.test/a',
    length: 1,
    until: Number.POSITIVE_INFINITY,
    bytes: () => pieces('a'),
  };
  expect(await parts.send(asked, new AbortController().signal)).toMatchObject({
    kind: 'failed',
    problem: { kind: 'invalid', text: expect.stringContaining('private network (store.example.test)') },
  });
});
