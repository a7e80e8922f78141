import type { ServerResponse } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createTransport, type ExchangeTimes, timeouts } from '../../../src/client/transport.ts';
import { systemClock } from '../../../src/lib/time.ts';
import { type Behave, hangUp, json, serve } from '../../support/scripted-server.ts';

/** A transport to a server that keeps connections for as long as nobody says otherwise, and what is sent over it. */
async function linked(behave: Behave, headersMs = timeouts.headers) {
  const server = await serve(behave);
  const transport = createTransport({
    base: new URL(server.origin),
    timeouts: { ...timeouts, headers: headersMs },
    environment: {},
  });
  const held = { isOpen: true };
  const close = async () => {
    if (held.isOpen) await transport.close();
    held.isOpen = false;
  };
  onTestFinished(close);
  const send = (as: 'read' | 'edit', totalMs = 5000) =>
    transport.exchange(
      { method: as === 'read' ? 'GET' : 'POST', path: '/', headers: {}, body: undefined },
      { as, keys: {}, totalMs },
    );
  return {
    ...server,
    transport,
    close,
    read: () => send('read'),
    readWithin: (ms: number) => send('read', ms),
    edit: () => send('edit'),
  };
}

/** Node's server adds how long it keeps a connection, unless the answer says so itself. */
const kept = (keepAlive?: string) => ({
  connection: 'keep-alive',
  ...(keepAlive === undefined ? {} : { 'keep-alive': keepAlive }),
});
const answers: Behave = (_, answer) => json(answer, 200, {}, kept());
const answered = { kind: 'answer', status: 200 };

afterEach(() => void vi.useRealTimers());
const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Sockets are real: what they have to tell arrives in turns of the loop. */
const arrives = () => new Promise((go) => setTimeout(go, 20));

test.each([
  [undefined, 54, 56],
  ['timeout=10', 7, 9],
  ['timeout=300', 54, 56],
])('reads keep their connection as long as the service says, 55 s at most: %s', async (keepAlive, seconds, more) => {
  const { read, connections } = await linked((_, answer) => json(answer, 200, {}, kept(keepAlive)));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await read()).toMatchObject(answered);
  await passes(seconds * 1000);
  expect(await read()).toMatchObject(answered);
  expect(connections).toHaveLength(1);
  await passes(more * 1000);
  expect(await read()).toMatchObject(answered);
  expect(connections).toHaveLength(2);
});

/** An exchange with its limits, the waits that it has begun, and the answers of the server, which have to be ended. */
async function limited(as: 'read' | 'edit', times: ExchangeTimes) {
  const waits: { readonly ms: number; readonly passes: () => void; isOver: boolean }[] = [];
  const clock = vi.spyOn(systemClock, 'after').mockImplementation((ms, passes) => {
    const wait = { ms, passes, isOver: false };
    waits.push(wait);
    return () => {
      wait.isOver = true;
    };
  });
  onTestFinished(() => clock.mockRestore());
  const held: ServerResponse[] = [];
  const { transport } = await linked((_, answer) => void held.push(answer));
  const wired = { method: as === 'read' ? 'GET' : 'POST', path: '/', headers: {}, body: undefined } as const;
  return {
    held,
    send: () => transport.exchange(wired, { as, keys: {}, ...times }),
    waitsOf: (ms: number) => waits.filter((wait) => wait.ms === ms),
  };
}

test('a read whose answer has begun waits for the rest as long as it arrives, to a bound', async () => {
  const { held, send, waitsOf } = await limited('read', { totalMs: 20_000, arrivingMs: 300_000 });
  for (const isEndless of [false, true]) {
    const sent = send();
    await expect.poll(() => held.length).toBe(1);
    const answer = held.pop() as ServerResponse;
    expect(waitsOf(20_000).at(-1)).toMatchObject({ isOver: false });
    answer.writeHead(200, { ...kept(), 'content-length': 2 }).write('{');
    await expect.poll(() => waitsOf(20_000).at(-1)?.isOver).toBe(true);
    expect(waitsOf(300_000).at(-1)).toMatchObject({ isOver: false });
    if (isEndless) waitsOf(300_000).at(-1)?.passes();
    else answer.end('}');
    expect(await sent).toMatchObject(isEndless ? { kind: 'failure', failure: 'timeout', status: 200 } : answered);
  }
});

test('a read has its time for an answer from when it is sent: others may be arriving before it', async () => {
  const { held, send, waitsOf } = await limited('read', { totalMs: 20_000, arrivingMs: 300_000 });
  const all = Array.from({ length: 5 }, send);
  await expect.poll(() => held.length).toBe(4);
  expect([waitsOf(20_000).length, waitsOf(300_000).length]).toEqual([4, 5]);
  held[0]?.writeHead(204).end();
  await expect.poll(() => held.length).toBe(5);
  waitsOf(20_000)[4]?.passes();
  expect(await all[4]).toMatchObject({ kind: 'failure', failure: 'timeout', left: true });
  for (const answer of held.slice(1)) answer.writeHead(204).end();
  expect((await Promise.all(all.slice(0, 4))).map(({ kind }) => kind)).toEqual(Array(4).fill('answer'));
});

test('an edit has one time for everything, from when it is asked for', async () => {
  const { held, send, waitsOf } = await limited('edit', { totalMs: 30_000 });
  const sent = send();
  expect(waitsOf(30_000)).toHaveLength(1);
  await expect.poll(() => held.length).toBe(1);
  held[0]?.writeHead(200, { 'content-length': 2 }).write('{');
  waitsOf(30_000)[0]?.passes();
  expect(await sent).toMatchObject({ kind: 'failure', failure: 'timeout', left: true });
  expect(waitsOf(30_000)).toHaveLength(1);
});

test('after a sleep of the machine, in which no timer ran, no read goes over a connection from before', async () => {
  const { read, connections } = await linked(answers);
  await read();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 54_000);
  await read();
  expect(connections).toHaveLength(1);
  vi.setSystemTime(Date.now() + 56_000);
  expect(await read()).toMatchObject(answered);
  expect(connections).toHaveLength(2);
});

test('a read over a connection that the service has closed in the meantime is sent once more', async () => {
  const { read, received, connections } = await linked((given, answer, nth) =>
    nth === 2 ? hangUp(answer) : answers(given, answer, nth),
  );
  await read();
  expect(await read()).toMatchObject(answered);
  expect([received.length, connections.length]).toEqual([3, 2]);
});

test.each([
  ['kept', 1, 3],
  ['new', 0, 1],
])('a read over a %s connection has failed once a new one has no answer either', async (_, before, all) => {
  const { read, received } = await linked((given, answer, nth) =>
    nth > before ? hangUp(answer) : answers(given, answer, nth),
  );
  if (before > 0) await read();
  expect(await read()).toMatchObject({ kind: 'failure', failure: 'network', left: true });
  expect(received).toHaveLength(all);
});

test('after a kept connection of which nothing was heard no read goes over another one', async () => {
  const held: (() => void)[] = [];
  const { read, readWithin, connections } = await linked((given, answer, nth) => {
    if (nth === 3) return;
    if (nth > 2) return answers(given, answer, nth);
    held.push(() => answers(given, answer, nth));
  });
  const both = [read(), read()];
  await expect.poll(() => held.length).toBe(2);
  for (const go of held) go();
  await Promise.all(both);
  expect(connections).toHaveLength(2);
  expect(await readWithin(50)).toMatchObject({ kind: 'failure', failure: 'timeout' });
  expect(await read()).toMatchObject(answered);
  expect(connections).toHaveLength(3);
});

test('an edit takes the connection that was opened for it, and no other one that is there', async () => {
  const { transport, read, edit, received, connections } = await linked(answers);
  await read();
  transport.expectEdit();
  transport.expectEdit();
  await expect.poll(() => connections.length).toBe(2);
  await read();
  expect(await edit()).toMatchObject(answered);
  expect(connections).toHaveLength(2);
  expect(await edit()).toMatchObject(answered);
  expect(connections).toHaveLength(3);
  expect(received.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'keep-alive', 'close', 'close']);
});

test('a connection that waits for an edit is dropped after three seconds, and at the end', async () => {
  const { transport, edit, close, connections } = await linked(answers);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  transport.expectEdit();
  await passes(2_900);
  expect(await edit()).toMatchObject(answered);
  expect(connections).toHaveLength(1);
  transport.expectEdit();
  await passes(3_000);
  vi.useRealTimers();
  await expect.poll(() => connections[1]?.destroyed).toBe(true);
  expect(await edit()).toMatchObject(answered);
  expect(connections).toHaveLength(3);
  transport.expectEdit();
  await expect.poll(() => connections.length).toBe(4);
  await close();
  await expect.poll(() => connections[3]?.destroyed).toBe(true);
});

test('an edit opens a connection of its own where the one that waits for it has ended', async () => {
  const { transport, edit, received, connections } = await linked(answers);
  transport.expectEdit();
  await expect.poll(() => connections.length).toBe(1);
  connections[0]?.end();
  await arrives();
  expect(await edit()).toMatchObject(answered);
  expect([received.length, connections.length]).toEqual([1, 2]);
});

test('an edit whose connection could not be opened tells why', async () => {
  const transport = createTransport({ base: new URL('http://127.0.0.1:1'), timeouts, environment: {} });
  transport.expectEdit();
  const sent = await transport.exchange(
    { method: 'POST', path: '/', headers: {}, body: undefined },
    { as: 'edit', keys: {}, totalMs: 5000 },
  );
  expect(sent).toMatchObject({ kind: 'failure', failure: 'refused', left: false });
  await transport.close();
});
