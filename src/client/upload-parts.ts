import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Problem } from '../api/problem.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { isLoopback } from '../lib/setting-values.ts';
import { type Clock, keepAwake } from '../lib/time.ts';
import { backoff, type Headers, networkBase, retryAfterMs, sleep } from './hold-back.ts';
import { AbortReason, agentFor, type Environment, type Failure, flatHeaders, transportProblem } from './transport.ts';

/** Loopback and private networks, in which a service has no object store. */
const privateRanges: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  // IPv4 addresses in the old form (::10.0.0.1), local translators, Teredo, 6to4.
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const neighbors = new BlockList();
for (const [network, prefix] of privateRanges) {
  const isIpv6 = network.includes(':');
  neighbors.addSubnet(network, prefix, isIpv6 ? 'ipv6' : 'ipv4');
  // NAT64 leads to the IPv4 address in it, which is public wherever a network has only IPv6.
  if (!isIpv6) neighbors.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
}

/** Whether an IP address belongs to this machine, a private network, or no host at all; so does what is no address. */
export function isPrivate(address: string): boolean {
  const family = isIP(address);
  return family === 0 || neighbors.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Reads a pre-signed URL: https to a public host. Only a simulator on this machine (the profile's own origin is a
 * loopback one) may name this machine, and then over http too. The sentence names the host, never the URL: whoever has
 * that may write the part.
 */
export function partAddress(text: unknown, origin: URL): ParseResult<URL> {
  if (typeof text !== 'string' || !URL.canParse(text)) return unreadable('the service gave no address for a part');
  const url = new URL(text);
  const host = url.hostname;
  const here = isLoopback(host) && isLoopback(origin.hostname);
  if (url.username !== '' || url.password !== '')
    return unreadable(`the address for a part at ${host} holds a user name: nothing was sent`);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here))
    return unreadable(`the address for a part at ${host} is not https: nothing was sent`);
  const literal = host.replace(/^\[|\]$/g, '');
  if (!here && (isLoopback(host) || (isIP(literal) !== 0 && isPrivate(literal))))
    return unreadable(privateHostText(host));
  return { ok: true, value: url };
}

/** The sentence for a host with a private address. */
const privateHostText = (host: string): string =>
  `the address for a part leads into a private network (${host}): nothing was sent`;

/** The code of the error with which a name that leads to a private address is refused. */
const privateCode = 'EPRIVATE';

/** Resolves names and refuses those with a private address. */
export function publicLookup(lookup: LookupFunction = systemLookup as LookupFunction): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const all = Array.isArray(found) ? found : [];
      if (error) return done(error, '', 0);
      const [first] = all;
      if (first === undefined || all.some((found) => isPrivate(found.address)))
        return done(Object.assign(new Error('private address'), { code: privateCode }), '', 0);
      return options.all ? done(null, all) : done(null, first.address, first.family);
    });
  };
}

/** One part of a file, and where it goes. */
interface PartRequest {
  /** Pre-signed: whoever has it may write the part, so it is never shown or logged. */
  readonly url: string;
  /** Exactly so many bytes will come. */
  readonly length: number;
  /** When the URL expires, epoch milliseconds. */
  readonly until: number;
  /** The bytes from the first one; asked for again by each attempt. What it throws ends the part. */
  bytes(): AsyncIterable<Uint8Array>;
  /** How many bytes this attempt has handed to the network; 0 when it begins. */
  sent?(bytes: number): void;
  /** Why it is tried again. */
  again?(why: string): void;
}

/** Result of a part. `expired`: its URL is no longer valid, only a new upload helps. `source`: its bytes cannot be read. */
export type PartResult =
  | { readonly kind: 'stored'; readonly attempts: number }
  | { readonly kind: 'expired'; readonly problem: Problem }
  | { readonly kind: 'failed' | 'canceled'; readonly problem: Problem }
  | { readonly kind: 'source'; readonly error: unknown };

/** Uploads parts to the object store; has no access to the keys. */
export interface PartUploader {
  /** Sends a part, with retries while its URL is valid. Never throws. */
  send(part: PartRequest, signal: AbortSignal): Promise<PartResult>;
  close(): Promise<void>;
}

/** Milliseconds: to connect, without any progress, and for one attempt in all (docs/design/reliability.md#timeouts). */
export const partTimeouts = { connect: 5_000, idle: 15_000, total: 120_000 } as const;

interface PartsOptions {
  /** Base URL of the profile: only one on this machine may have its parts on this machine. */
  readonly origin: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly environment?: Environment;
  readonly timeouts?: Partial<typeof partTimeouts>;
  /** How names are looked up; the system's way when absent. */
  readonly lookup?: LookupFunction;
}

const mostAttempts = 8;
const mostText = 16 * 1024;

/**
 * Sends parts of files to pre-signed URLs (docs/contract/reference-tables.md#upload): over an agent of their own that never sees a
 * key, each over a new connection, without following a redirect, with an exact length and no content type. Throws a
 * TypeError for a proxy that cannot be read.
 */
export function createParts(options: PartsOptions): PartUploader {
  const { clock, random } = options;
  const limits = { ...partTimeouts, ...options.timeouts };
  const origin = new URL(options.origin);
  const lookup = isLoopback(origin.hostname) ? undefined : publicLookup(options.lookup);
  const agent = agentFor(
    origin,
    options.environment ?? {},
  )({
    allowH2: false,
    connections: 8,
    pipelining: 0,
    connectTimeout: limits.connect,
    // Off: `watchOver` has time limits of its own, which count sent bytes as progress too.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(lookup && { connect: { lookup } }),
  });

  async function attempt(url: URL, part: PartRequest, signal: AbortSignal): Promise<Seen> {
    const watch = watchOver(clock, limits, signal);
    const source: { error?: unknown } = {};
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'PUT',
        headers: { 'content-length': String(part.length) },
        // An iterable of bytes is a body for undici, though its types do not say so.
        body: counted(part, source, watch.progress) as unknown as Dispatcher.DispatchOptions['body'],
        signal: watch.signal,
      } as Dispatcher.RequestOptions);
      watch.progress();
      const text = await textOf(answer.body);
      return { kind: 'answer', status: answer.statusCode, headers: flatHeaders(answer.headers), text };
    } catch (error) {
      if ('error' in source) return { kind: 'source', error: source.error };
      return { kind: 'failure', ...transportProblem(watch.signal.aborted ? watch.signal.reason : error) };
    } finally {
      watch.end();
    }
  }

  return {
    async send(part, signal) {
      const address = partAddress(part.url, origin);
      if (!address.ok) return { kind: 'failed', problem: problem('invalid', address.text) };
      const { host } = address.value;
      for (let attempts = 1; ; attempts++) {
        if (signal.aborted) return { kind: 'canceled', problem: problem('canceled', 'canceled') };
        if (clock.now() >= part.until) return expired(host);
        part.sent?.(0);
        const seen = await attempt(address.value, part, signal);
        const end = judge(seen, host, attempts);
        if (end.kind !== 'again') return end;
        const wait = end.waitMs ?? backoff(attempts - 1, networkBase, random);
        if (attempts >= mostAttempts) return { kind: 'failed', problem: end.problem };
        if (clock.now() + wait >= part.until) return { kind: 'expired', problem: end.problem };
        part.again?.(end.problem.text);
        await sleep(clock, wait, signal);
      }
    },
    close: () => agent.destroy(),
  };

  function judge(seen: Seen, host: string, attempts: number): Judged {
    if (seen.kind === 'source') return seen;
    if (seen.kind === 'failure') return judgeFailure(seen, host);
    const { status, headers } = seen;
    if (status >= 200 && status < 300) return { kind: 'stored', attempts };
    const words = wordsOf(seen.text);
    const text = `${host} refused a part (${status}${words ? `: ${words}` : ''})`;
    if (status >= 300 && status < 400)
      return {
        kind: 'failed',
        problem: problem(
          'unreachable',
          `${host} redirects a part to another address (${status}), which is not followed`,
          status,
        ),
      };
    // An expired or altered URL stays invalid.
    if (status === 401 || status === 403 || status === 404 || status === 410)
      return { kind: 'expired', problem: problem('forbidden', text, status, words) };
    const passing = status >= 500 || status === 408 || status === 429 || /incomplete|timeout|digest/i.test(words);
    const kind = passing ? 'unreachable' : 'invalid';
    const fault = problem(kind, text, status, words);
    if (!passing) return { kind: 'failed', problem: fault };
    return { kind: 'again', problem: fault, waitMs: retryAfterMs(headers, clock.now(), random) };
  }
}

type Seen =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Headers;
      readonly text: string;
    }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly code: string }
  | { readonly kind: 'source'; readonly error: unknown };

type Judged = PartResult | { readonly kind: 'again'; readonly problem: Problem; readonly waitMs?: number | undefined };

const problem = (kind: Problem['kind'], text: string, status?: number, words = ''): Problem => ({
  kind,
  text,
  messages: words ? [words] : [],
  operation: 'tables.upload',
  ...(status !== undefined && { status }),
});

const expired = (host: string): PartResult => ({
  kind: 'expired',
  problem: problem('forbidden', `the address for a part at ${host} has expired`),
});

function judgeFailure({ failure, code }: Extract<Seen, { kind: 'failure' }>, host: string): Judged {
  if (failure === 'canceled') return { kind: 'canceled', problem: problem('canceled', 'canceled') };
  if (code === privateCode) return { kind: 'failed', problem: problem('invalid', privateHostText(host)) };
  const why: Partial<Record<Failure, string>> = {
    timeout: `${host} accepts no more of a part`,
    dns: `unknown host ${host}`,
    refused: `cannot connect to ${host} (connection refused)`,
    tls: `the certificate of ${host} is not trusted (${code})`,
    proxy: `the proxy refused the upload to ${host}`,
    noProxy: 'the proxy cannot be reached',
  };
  const fault = problem('unreachable', why[failure] ?? `the connection to ${host} broke${code ? ` (${code})` : ''}`);
  return failure === 'tls' || failure === 'proxy'
    ? { kind: 'failed', problem: fault }
    : { kind: 'again', problem: fault };
}

/** Ends an attempt that makes no progress, or that takes too long in all. */
function watchOver(clock: Clock, limits: { idle: number; total: number }, signal: AbortSignal) {
  const stop = new AbortController();
  const late = () => stop.abort(new AbortReason('timeout'));
  const called = () => stop.abort(new AbortReason('canceled'));
  let idle = clock.after(limits.idle, late);
  const total = clock.after(limits.total, late);
  // A connection that is not there yet keeps no process alive.
  const fallAsleep = keepAwake();
  signal.addEventListener('abort', called);
  if (signal.aborted) called();
  return {
    signal: stop.signal,
    progress() {
      idle();
      idle = clock.after(limits.idle, late);
    },
    end() {
      idle();
      total();
      fallAsleep();
      signal.removeEventListener('abort', called);
    },
  };
}

/** Yields the bytes of a part, and reports progress after each chunk that the network has taken. */
async function* counted(
  part: PartRequest,
  source: { error?: unknown },
  progress: () => void,
): AsyncGenerator<Uint8Array> {
  const pieces = part.bytes()[Symbol.asyncIterator]();
  let sent = 0;
  try {
    for (;;) {
      let next: IteratorResult<Uint8Array>;
      try {
        next = await pieces.next();
      } catch (error) {
        source.error = error;
        throw error;
      }
      if (next.done ? sent < part.length : sent + next.value.length > part.length) {
        source.error = new Error('the number of bytes differs from the announced one');
        throw source.error;
      }
      if (next.done) return;
      yield next.value;
      sent += next.value.length;
      progress();
      part.sent?.(sent);
    }
  } finally {
    await pieces.return?.(undefined);
  }
}

/** The beginning of a response's text; does not wait for the rest of a long one. */
async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= mostText) break;
    }
  } catch {
    // The status is enough.
  }
  return Buffer.concat(chunks).toString('utf8', 0, mostText);
}

/** Error text from an object store's XML: `AccessDenied, Request has expired`. */
function wordsOf(text: string): string {
  const inside = (name: string) => new RegExp(`<${name}>([^<]{1,200})</${name}>`).exec(text)?.[1]?.trim();
  return [inside('Code'), inside('Message')].filter(Boolean).join(', ');
}
