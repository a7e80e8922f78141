import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import type { buildConnector } from 'undici';
import api from 'undici/lib/api/index.js';
import createConnect from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { longJson } from '../lib/slices.ts';
import { giveBack, streamPieces } from '../lib/streams.ts';
import { systemClock } from '../lib/time.ts';

/** Milliseconds that a connection of reads is kept at most: many services, and networks, end or forget one that is idle for a minute. */
const keptMs = 55_000;
/** Where the service says less, in `Keep-Alive`, that holds. */
export const kept = { keepAliveTimeout: keptMs, keepAliveMaxTimeout: keptMs };
/** Milliseconds that a connection waits for its edit. */
const readyMs = 3_000;

/** The connections of reads, which are kept between them. */
export interface ReadConnections {
  /** What the next read is sent over. After a sleep of the machine, in which no timer ran, nothing that was kept. */
  next(): ReadPool;
  /** After a read over a kept connection of `pool` had no answer: no other read goes over one that was kept as long. */
  renew(pool: ReadPool): void;
  close(): Promise<void>;
}

interface ReadPool {
  readonly dispatcher: Dispatcher;
  /** How many connections it has opened: a read between two equal numbers went over one that was there. */
  opened(): number;
}

export function createReadConnections(open: () => Dispatcher): ReadConnections {
  const opened = (): ReadPool => {
    const dispatcher = open();
    let count = 0;
    dispatcher.on('connect', () => {
      count += 1;
    });
    return { dispatcher, opened: () => count };
  };
  let pool = opened();
  let usedAt = systemClock.now();
  const renew = (stale: ReadPool) => {
    if (stale !== pool) return;
    pool = opened();
    void stale.dispatcher.close();
  };
  return {
    next() {
      const now = systemClock.now();
      if (now - usedAt > keptMs) renew(pool);
      usedAt = now;
      return pool;
    },
    renew,
    close: () => pool.dispatcher.destroy(),
  };
}

/** A connection that is opened before its edit, so that the edit does not wait for it. */
interface ReadyConnection {
  /** Opens one, unless one is there. One that no edit takes within three seconds is dropped: the service may close it. */
  open(): void;
  /** What the edits of a pool connect with: the one that is ready, else one of their own. */
  readonly connect: Connect;
  drop(): void;
}

export function createReadyConnection({ protocol, host, hostname, port }: URL, connect: Connect): ReadyConnection {
  type Opened = Parameters<Parameters<Connect>[1]>;
  let ready: { readonly opened: Promise<Opened>; readonly wait: () => void } | undefined;
  const take = () => {
    const taken = ready;
    ready = undefined;
    taken?.wait();
    return taken?.opened;
  };
  const drop = () => void take()?.then(([, socket]) => socket?.destroy());
  return {
    open() {
      if (ready) return;
      // An address of IPv6 is one in brackets only in a URL.
      const place = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port };
      const opened = new Promise<Opened>((open) => connect(place, (...given) => open(given)));
      ready = { opened, wait: systemClock.after(readyMs, drop) };
    },
    async connect(options, callback) {
      const [, socket] = (await take()) ?? [];
      // One that has ended while it waited, or never came, is none.
      if (socket?.readyState === 'open') callback(null, socket);
      else connect(options, callback);
    },
    drop,
  };
}

/**
 * undici without its index, which loads twice as much before the first frame: mocks, caches, fetch, web sockets. What the
 * index does to what it exports is done here.
 */

Object.assign(Dispatcher.prototype, api);

/** Opens a connection. */
type Connect = ReturnType<typeof buildConnector>;

export { Agent, createConnect, type Dispatcher, EnvHttpProxyAgent, Pool };

/** Largest response body, on the wire and decompressed, in bytes (docs/design/reliability.md#sizes). */
const maxWireBytes = 8 * 1024 * 1024;
const maxInflatedBytes = 32 * 1024 * 1024;

/** Bytes decompressed between two pauses. */
const chunkSize = 256 * 1024;

/** Why a body is incomplete: over the limit, truncated, or in an encoding that we did not accept. */
export type BodyFault = 'tooBig' | 'cut' | 'packed';

/** A body as it came from the wire, and a digest of it and its encoding. */
interface WireBody {
  digest(): string;
  readonly pieces: Pieces;
  /** Gives back what was received; its pieces are empty after that. */
  drop(): void;
}

type Pieces = readonly Uint8Array[];

/** Milliseconds after which a short body is hashed and let go. */
const hashedAfterMs = 1000;

/** Bytes of a body that is hashed and given back at once; more than a list of some hundred rows has, which a start reads before its rows. */
const longBody = 1024 * 1024;
/** The body as it comes from the wire; one over the limit is not read to its end. */
export async function collectBody(stream: AsyncIterable<Buffer>, encoding: string): Promise<WireBody | 'tooBig'> {
  const pieces = await streamPieces(stream, maxWireBytes);
  if (!pieces) return 'tooBig';
  const digest = digestLater(encoding, pieces);
  if (pieces.reduce((sum, piece) => sum + piece.length, 0) < longBody) return { digest, pieces, drop: () => {} };
  digest();
  // A poll of 100 pages receives 170 MB and makes little garbage besides: 20 MB of it would wait for a collection.
  return { digest, pieces, drop: () => pieces.forEach(giveBack) };
}

/** Hashes when asked for, or a little later: only the next answer is compared, and Node's hashes take the 7 ms of a start to load. */
function digestLater(encoding: string, pieces: Pieces): () => string {
  const state = { pieces, digest: '' };
  const digest = () => {
    if (state.digest !== '') return state.digest;
    calledOff();
    const hash = createHash('sha256').update(`${encoding}\n`);
    for (const piece of state.pieces) hash.update(piece);
    state.pieces = [];
    state.digest = hash.digest('base64');
    return state.digest;
  };
  const calledOff = systemClock.after(hashedAfterMs, digest);
  return digest;
}

/** Largest window of a `zstd` body, as RFC 9659 bounds it: 8 MB. A frame that wants more memory is not unpacked. */
const windowLog = { [constants.ZSTD_d_windowLogMax]: 23 };

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  zstd: (options: { readonly chunkSize: number }) => createZstdDecompress({ ...options, params: windowLog }),
} as const;

/** A body without its encodings and a byte order mark: as text, or as bytes where it is long. */
type Decoded = { readonly text: string } | { readonly bytes: Buffer };

/** Decodes `content-encoding` chunk by chunk, yielding in between; stops once there are more bytes than the limit. */
export async function decompress(pieces: Pieces, encoding: string): Promise<Decoded | BodyFault> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const [first] = pieces;
  if (!first || names.length === 0) return decoded(pieces);
  const unpacker = names.length === 1 ? unpackerOf(names[0] as string, first) : undefined;
  if (!unpacker) return 'packed';
  const unpacked: Buffer[] = [];
  let size = 0;
  try {
    unpacker.end(Buffer.concat(pieces));
    for await (const piece of unpacker as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxInflatedBytes) return 'tooBig';
      unpacked.push(piece);
    }
  } catch (error) {
    return (error as { code?: string }).code === 'Z_BUF_ERROR' ? 'cut' : 'packed';
  }
  const body = decoded(unpacked);
  for (const piece of unpacked) giveBack(piece);
  return body;
}

function decoded(pieces: Pieces): Decoded {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  // Not in pages of their own: V8 reads a buffer that can grow ten times as slowly.
  const bytes = Buffer.concat(pieces);
  // Invalid UTF-8 becomes U+FFFD.
  if (size <= longJson) return { text: withoutMark(bytes.toString()) };
  return { bytes: bytes.indexOf(mark) === 0 ? bytes.subarray(mark.length) : bytes };
}

const mark = Buffer.from('\uFEFF');

/** Without a byte order mark. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

function unpackerOf(name: string, bytes: Uint8Array): Transform | undefined {
  if (name === 'deflate')
    return ((bytes[0] ?? 0) & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
  return Object.hasOwn(unpackers, name) ? unpackers[name as keyof typeof unpackers]({ chunkSize }) : undefined;
}
