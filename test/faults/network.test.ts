import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type Call, call, reducing } from '../../src/api/endpoint.ts';
import { listMonitors } from '../../src/api/monitors.ts';
import { connectThroughSocks } from '../../src/client/socks.ts';
import { clientOf, keys, listThings, setThing } from '../support/calls.ts';
import { hangUp, json, serve } from '../support/scripted-server.ts';

const list = call(listThings);
const things = { data: [{ id: 'a', type: 'thing', attributes: { name: 'one' } }] };

/** A server that responds to any request with these bytes and closes the connection. */
async function raw(bytes: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a response is read; the request carried the keys and the accept headers', async () => {
  const { origin, received } = await serve((_, answer) => json(answer, 200, things));
  const { client } = clientOf(`${origin}/prefix/`);
  expect(await client.send(list)).toEqual({ ok: true, value: things, status: 200, unread: [] });
  expect(received[0]).toMatchObject({
    method: 'GET',
    url: '/prefix/api/v2/things',
    headers: { 'service-api-key': keys.apiKey, 'service-application-key': keys.appKey, accept: 'application/json' },
  });
  expect(client.origin).toBe(`${origin}/prefix`);
});

test('a server that never responds gives a problem within the total time, after retries', async () => {
  const { origin, received } = await serve(() => {});
  const { client } = clientOf(origin, { timeouts: { headers: 100 } });
  const result = await client.send(list);
  expect(result).toMatchObject({ ok: false, problem: { kind: 'unreachable', operation: 'things.list' } });
  expect(!result.ok && result.problem.text).toContain('did not respond in time');
  expect(received.length).toBe(3);
});

test('a response that drips for ever ends with the time in which one must have arrived', async () => {
  const { origin } = await serve((_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => answer.write(' '), 20);
    answer.on('close', () => clearInterval(drip));
  });
  const { client } = clientOf(origin, { timeouts: { arriving: 300 } });
  expect(await client.send(list)).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
});

test('a response that stalls ends with the idle timeout', async () => {
  const { origin } = await serve((_, answer) => {
    answer.writeHead(200, { 'content-length': '100' });
    answer.write('{"data":');
  });
  const { client } = clientOf(origin, { timeouts: { idle: 100 } });
  expect(await client.send(list)).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
});

test.each([
  ['shorter than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"data":[]}'],
  ['chunks without an end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n{"data":[]}\r\n'],
  ['no length at all', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"data":[]}'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['nothing', ''],
])('a truncated body is not a success: %s', async (_, bytes) => {
  const { client } = clientOf(await raw(bytes));
  expect(await client.send(list)).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
});

test('a read succeeds by retrying after two connection resets', async () => {
  const { origin, received } = await serve((_, answer, nth) => (nth < 3 ? hangUp(answer) : json(answer, 200, things)));
  const { client, clock } = clientOf(origin);
  expect(await client.send(list)).toMatchObject({ ok: true, value: things });
  expect(received.length).toBe(3);
  expect(clock.waits).toEqual([250, 500]);
});

test('a redirect to another host is not followed; the problem names the host', async () => {
  const other = await serve((_, answer) => json(answer, 200, things));
  const { origin } = await serve((_, answer) => {
    answer.writeHead(307, { location: `${other.origin}/api/v2/things`, 'content-length': '0' });
    answer.end();
  });
  const { client } = clientOf(origin);
  const edit = call(setThing, { thing_id: 'x', body: { data: { attributes: {} } } });
  for (const result of [await client.send(list), await client.send(edit)]) {
    expect(result.ok).toBe(false);
    expect(!result.ok && result.problem.text).toContain(new URL(other.origin).host);
  }
  expect(other.received).toEqual([]);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('a compressed response is decompressed: %s', async (encoding, pack) => {
  const { origin, received } = await serve((_, answer) => {
    const bytes = pack(Buffer.from(JSON.stringify(things)));
    answer.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length });
    answer.end(bytes);
  });
  expect(await clientOf(origin).client.send(list)).toMatchObject({ ok: true, value: things });
  expect(received[0]?.headers['accept-encoding']).toBe('zstd, br, gzip, deflate');
});

test('a gzip bomb is refused and not retried', async () => {
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '));
  const { origin, received } = await serve((_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length });
    answer.end(bomb);
  });
  const result = await clientOf(origin).client.send(list);
  expect(result).toMatchObject({ ok: false, problem: { kind: 'unreadable', tooBig: true } });
  expect(!result.ok && result.problem.text).toContain('over the limit (8 MB, 32 MB unpacked)');
  expect(received.length).toBe(1);
});

test.each([
  ['at the top', call(listMonitors), '[', ']'],
  ['in an envelope', list, '{"data":[', ']}'],
] as const)(
  'a list of 16 million zeros in 31 KB is refused at its first thousand, and not retried: %s',
  async (_, read, before, after) => {
    const zeros = gzipSync(Buffer.from(`${before}${'0,'.repeat(16_000_000 - 1)}0${after}`), { level: 9 });
    const { origin, received } = await serve((_, answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip', 'content-length': zeros.length });
      answer.end(zeros);
    });
    let isReduced = false;
    const result = await clientOf(origin).client.send(
      reducing(read as Call, function* () {
        isReduced = true;
        yield;
      }),
    );
    expect(result).toMatchObject({ ok: false, problem: { kind: 'unreadable', status: 200 } });
    expect(!result.ok && result.problem.text).toContain('it is a list whose first 1,000 values are not objects');
    expect(isReduced).toBe(false);
    expect(received.length).toBe(1);
  },
);

test('values are counted before anything is made of them, rows of a long list too', async () => {
  const rows = gzipSync(Buffer.from(`[${'{"id":1,"options":{}},'.repeat(400_000)}{}]`), { level: 9 });
  const { origin, received } = await serve((_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip', 'content-length': rows.length });
    answer.end(rows);
  });
  let isReduced = false;
  const result = await clientOf(origin).client.send(
    reducing(call(listMonitors), function* () {
      isReduced = true;
      yield;
    }),
  );
  expect(result).toMatchObject({ ok: false, problem: { kind: 'unreadable', tooBig: true } });
  expect(!result.ok && result.problem.text).toContain(
    'more than 1,000,000 values: narrow the search or the time range',
  );
  expect(isReduced).toBe(false);
  expect(received.length).toBe(1);
});

test('10,000 rows of 3 KB are read without blocking the event loop', async () => {
  const row = { type: 'thing', attributes: { name: 'x'.repeat(2900), tags: ['a', 'b'] } };
  const rows = Array.from({ length: 10_000 }, (_, nth) => ({ id: `${nth}`, ...row }));
  const bytes = gzipSync(Buffer.from(JSON.stringify({ data: rows })));
  const { origin } = await serve((_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.length });
    answer.end(bytes);
  });
  const sent = clientOf(origin).client.send(list);
  let turns = 0;
  const state = { over: false };
  const turn = () => {
    turns++;
    if (!state.over) setImmediate(turn);
  };
  turn();
  const result = await sent;
  state.over = true;
  expect(result.ok && result.unread).toEqual([]);
  expect(result.ok && result.value.data?.length).toBe(10_000);
  expect(turns).toBeGreaterThan(400);
});

test('a refusal of many megabytes is not parsed', async () => {
  const { origin } = await serve((_, answer) =>
    json(answer, 400, `{"errors":["x"],"more":[${'0,'.repeat(1_000_000)}0]}`),
  );
  expect(await clientOf(origin).client.send(list)).toMatchObject({
    ok: false,
    problem: { kind: 'invalid', messages: [] },
  });
});

test('a body beyond 8 MB is refused before it is complete', async () => {
  const { origin } = await serve((_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const pour = () => {
      while (!answer.destroyed && answer.write(piece));
    };
    answer.on('drain', pour);
    pour();
  });
  expect(await clientOf(origin).client.send(list)).toMatchObject({ ok: false, problem: { kind: 'unreadable' } });
});

/** A small body whose unpacking would take 32 MB, by its own header. */
function wideWindow() {
  const body = JSON.stringify({ ...things, padding: 'x'.repeat(9 * 1024 * 1024) });
  return zstdCompressSync(body, { params: { [constants.ZSTD_c_windowLog]: 25 } });
}

test.each([
  ['damaged', 'gzip', Buffer.from('not gzip at all'), 'unreadable', 'cannot be decompressed'],
  ['cut', 'gzip', gzipSync(Buffer.from(JSON.stringify(things))).subarray(0, 20), 'unreachable', ''],
  ['cut', 'zstd', zstdCompressSync(JSON.stringify(things)).subarray(0, -2), 'unreachable', ''],
  ['unknown', 'compress', Buffer.from('x'), 'unreadable', 'cannot be decompressed'],
  ['of a window over 8 MB', 'zstd', wideWindow(), 'unreadable', 'cannot be decompressed'],
])('a body that cannot be decompressed is a problem: %s', async (_, encoding, bytes, kind, text) => {
  const { origin } = await serve((_, answer) => {
    answer.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length });
    answer.end(bytes);
  });
  expect(await clientOf(origin).client.send(list)).toMatchObject({
    ok: false,
    problem: { kind, text: expect.stringContaining(text) },
  });
});

test('an aborted read is canceled, before and during the request', async () => {
  const { origin, received } = await serve(() => {});
  const { client } = clientOf(origin);
  expect(await client.send(list, { signal: AbortSignal.abort() })).toMatchObject({ problem: { kind: 'canceled' } });
  expect(received.length).toBe(0);
  const stop = new AbortController();
  const sent = client.send(list, { signal: stop.signal });
  while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  expect(await sent).toMatchObject({ ok: false, problem: { kind: 'canceled' } });
});

test('a refused connection gives a problem that names the host and what to check', async () => {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const result = await clientOf(`http://127.0.0.1:${port}`).client.send(list);
  expect(result).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
  expect(!result.ok && result.problem.text).toBe(
    `cannot connect to 127.0.0.1:${port} (connection refused): is the service running?`,
  );
});

test('an unknown host and a server without TLS each give a problem', async () => {
  const nowhere = await clientOf('https://no-such-host.invalid').client.send(list);
  expect(nowhere).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
  expect(!nowhere.ok && nowhere.problem.text).toContain('no-such-host.invalid');
  const { origin, received } = await serve((_, answer) => json(answer, 200, things));
  const plain = await clientOf(origin.replace('http:', 'https:')).client.send(list);
  expect(plain).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
  expect(!plain.ok && plain.problem.text).toContain('127.0.0.1');
  // One that says what it thinks of a handshake, before it closes the connection.
  const port = await listening((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  const other = await clientOf(`https://127.0.0.1:${port}`).client.send(list);
  expect(!other.ok && other.problem.text).toContain(`127.0.0.1:${port} does not speak TLS (ERR_SSL_WRONG_VERSION`);
  expect(received.length).toBe(0);
});

test.each([
  ['http to another machine', 'http://api.example.test'],
  ['a password', 'https://me:hunter2@api.example.test'],
  ['a query', 'https://api.example.test/?x=1'],
  ['no address', 'api.example.test'],
])('a base URL that must not receive keys is refused: %s', async (_, origin) => {
  const result = await clientOf(origin).client.send(list);
  expect(result).toMatchObject({ ok: false, problem: { kind: 'invalid' } });
  expect(JSON.stringify(result)).not.toContain('hunter2');
});

test('nothing is sent while certificate validation is switched off', async () => {
  const { origin, received } = await serve((_, answer) => json(answer, 200, things));
  const { client } = clientOf(origin, { environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
  const result = await client.send(list);
  expect(!result.ok && result.problem.text).toContain('NODE_TLS_REJECT_UNAUTHORIZED');
  expect(received.length).toBe(0);
});

test.each(['bad\r\nX-Evil: 1', 'two words', 'schlüssel', ''])(
  'a key that is no valid header value is refused without being shown: %j',
  async (apiKey) => {
    const { origin, received } = await serve((_, answer) => json(answer, 200, things));
    const { client } = clientOf(origin, { keys: { ...keys, apiKey } });
    const result = await client.send(list);
    expect(result).toMatchObject({ ok: false, problem: { kind: 'forbidden' } });
    if (apiKey !== '') expect(JSON.stringify(result)).not.toContain(apiKey.slice(0, 3));
    expect(received.length).toBe(0);
  },
);

test('a key repeated in a refusal is redacted', async () => {
  const { origin } = await serve((request, answer) =>
    json(answer, 400, { errors: [`bad key ${request.headers['service-api-key']}`, encodeURIComponent(keys.appKey)] }),
  );
  const result = await clientOf(origin).client.send(list);
  expect(result).toMatchObject({
    ok: false,
    problem: { kind: 'invalid', messages: ['bad key [redacted]', '[redacted]'] },
  });
  expect(JSON.stringify(result)).not.toMatch(new RegExp(`${keys.apiKey}|${keys.appKey}`));
});

test('a proxy is used through a CONNECT tunnel and sees no key; loopback bypasses it', async () => {
  const asked: string[] = [];
  const proxy = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      asked.push(bytes.toString());
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const environment = { HTTPS_PROXY: `http://me:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const result = await clientOf('https://api.example.test', { environment }).client.send(list);
  expect(result).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
  expect(!result.ok && result.problem.text).toContain('proxy');
  expect(asked[0]).toMatch(/^CONNECT api\.example\.test:443 HTTP\/1\.1/);
  expect(asked.join('')).not.toContain(keys.apiKey);

  const { origin } = await serve((_, answer) => json(answer, 200, things));
  expect(await clientOf(origin, { environment }).client.send(list)).toMatchObject({ ok: true });
  const bad = await clientOf('https://api.example.test', {
    environment: { HTTPS_PROXY: 'socks4://me:hunter2@x' },
  }).client.send(list);
  expect(bad).toMatchObject({ ok: false, problem: { kind: 'invalid' } });
  expect(JSON.stringify(bad)).not.toContain('hunter2');
});

/** A server on a free port of this machine, which does this with each connection. */
async function listening(answers: (socket: Socket) => unknown): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    answers(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

const says = (text: string) => (socket: Socket) => void socket.once('data', () => socket.end(text));
const edited = call(setThing, { thing_id: 'a', body: { data: { attributes: { name: 'two' } } } });
const unreachable = 'the proxy cannot be reached: check HTTPS_PROXY and the network';

test.each<[string, (socket: Socket) => void, string]>([
  ['never answers', () => {}, unreachable],
  ['is no proxy', says('<html>hello</html>'), unreachable],
  ['goes away', (socket) => socket.destroy(), unreachable],
  [
    'refuses with a page',
    says('HTTP/1.1 403 Forbidden\r\nContent-Length: 20\r\n\r\n<html>Blocked</html>'),
    'the proxy refused the connection to api.example.test (403): check HTTPS_PROXY and NO_PROXY',
  ],
  [
    'needs a password',
    says('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
    'the proxy needs a user and a password (407): write user:password@ before its host in HTTPS_PROXY',
  ],
])(
  'of a proxy that %s a read and an edit end soon, with what to check, and close waits for nothing',
  async (_, answers, text) => {
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${await listening(answers)}` };
    const timeouts = { connect: 200 };
    const { client, recorder } = clientOf('https://api.example.test', { environment, timeouts });
    const [listed, sent] = await Promise.all([client.send(list), client.send(edited)]);
    expect(listed).toMatchObject({ ok: false, problem: { kind: 'unreachable', text } });
    expect(sent).toMatchObject({ ok: false, problem: { text: expect.stringContaining(text) } });
    // Nothing of the edit has left.
    expect(recorder.lines.at(-1)).toMatch(/^outcome entry-1 (unsent|refused|failed)/);
    await client.close();
  },
);

/** A SOCKS 5 proxy that leads every name to this port; with `password` it wants it of the user "me". */
function socks(port: number, asked: string[], password?: string) {
  const serves = async (socket: Socket): Promise<void> => {
    const bytes = socket[Symbol.asyncIterator]();
    const next = async (): Promise<Buffer> => (await bytes.next()).value ?? Buffer.alloc(0);
    const methods = await next();
    const method = password === undefined ? 0 : 2;
    if (!methods.subarray(2).includes(method)) return void socket.end(Buffer.from([5, 255]));
    socket.write(Buffer.from([5, method]));
    if (password !== undefined) {
      const given = (await next()).subarray(2).toString();
      const isRight = given === `me${String.fromCharCode(password.length)}${password}`;
      socket.write(Buffer.from([1, isRight ? 0 : 1]));
      if (!isRight) return;
    }
    const request = await next();
    const length = request[4] ?? 0;
    asked.push(`${request.subarray(5, 5 + length)}:${request.readUInt16BE(5 + length)}`);
    if (port === 0) return void socket.end(Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]));
    const there = connectTcp(port, '127.0.0.1');
    there.on('error', () => socket.destroy());
    socket.on('close', () => there.destroy());
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    there.pipe(socket);
    for await (const piece of { [Symbol.asyncIterator]: () => bytes }) there.write(piece);
  };
  // A client that goes away ends it.
  return (socket: Socket) => void serves(socket).catch(() => {});
}

test.each(['pa:ss', undefined])(
  'a tunnel through a SOCKS proxy, which is told the name of the host; password %s',
  async (password) => {
    const asked: string[] = [];
    const port = await listening(socks(await listening(says('what is behind it')), asked, password));
    const proxy = new URL(`socks5h://me:pa%3Ass@127.0.0.1:${port}`);
    const socket = await connectThroughSocks(proxy, 'api.example.test:8443', 5000, (code) => new Error(code));
    socket.write('hello');
    expect(String((await once(socket, 'data'))[0])).toBe('what is behind it');
    socket.destroy();
    expect(asked).toEqual(['api.example.test:8443']);
  },
);

test.each<[string, (socket: Socket) => unknown, string]>([
  ['never answers', () => {}, unreachable.replace('HTTPS', 'ALL')],
  ['is no proxy of SOCKS', says('HTTP/1.1 400 Bad Request\r\n\r\n'), unreachable.replace('HTTPS', 'ALL')],
  ['goes away', (socket) => socket.destroy(), unreachable.replace('HTTPS', 'ALL')],
  [
    'wants another password',
    socks(0, [], 'other'),
    'the proxy needs a user and a password (407): write user:password@ before its host in ALL_PROXY',
  ],
  [
    'allows it not',
    socks(0, [], 'secret'),
    'the proxy refused the connection to api.example.test: check ALL_PROXY and NO_PROXY',
  ],
])('of a SOCKS proxy that %s a read and an edit end soon, with what to check', async (_, answers, text) => {
  const environment = { ALL_PROXY: `socks5://me:secret@127.0.0.1:${await listening(answers)}` };
  const { client, recorder } = clientOf('https://api.example.test', { environment, timeouts: { connect: 200 } });
  const [listed, sent] = await Promise.all([client.send(list), client.send(edited)]);
  expect(listed).toMatchObject({ ok: false, problem: { kind: 'unreachable', text } });
  expect(sent).toMatchObject({ ok: false, problem: { text: expect.stringContaining(text) } });
  expect(recorder.lines.at(-1)).toMatch(/^outcome entry-1 (unsent|refused|failed)/);
  expect(JSON.stringify([listed, sent])).not.toContain('secret@');
  await client.close();
});
