import { isLoopback } from '../lib/setting-values.ts';
import { nextTurn } from '../lib/slices.ts';
import { systemClock } from '../lib/time.ts';
import { present } from '../lib/values.ts';
import {
  Agent,
  type BodyFault,
  collectBody,
  createConnect,
  createReadConnections,
  createReadyConnection,
  type Dispatcher,
  decompress,
  EnvHttpProxyAgent,
  kept,
  Pool,
  type ReadConnections,
} from './connections.ts';
import type { Headers } from './hold-back.ts';
import type { WireRequest } from './wire-request.ts';

/**
 * Milliseconds. `idle`: without a byte of a body. `read`: for the attempts of a read until its answer begins, and `arriving` for one with
 * all of it, however its bytes drip. `edit`: for one attempt of an edit in all.
 */
export interface Timeouts {
  readonly connect: number;
  readonly headers: number;
  readonly idle: number;
  readonly read: number;
  readonly arriving: number;
  readonly edit: number;
}

/** Design: reliability, timeouts. */
export const timeouts: Timeouts = {
  connect: 5_000,
  headers: 10_000,
  idle: 10_000,
  read: 20_000,
  arriving: 300_000,
  edit: 30_000,
};

/** Why there is no complete response. Codes only: an error's message may contain a header, and so a key. */
export type Failure = 'canceled' | 'timeout' | 'dns' | 'refused' | 'tls' | 'proxy' | 'noProxy' | 'network' | BodyFault;

/**
 * The result of one request. `left`: bytes of it may have reached the service. A failure has a status when the
 * response had begun. A long successful body is told as `bytes`, which the receiver drops after use, in place of `text`. `digest` gives that
 * of a successful body as it came; where it is the known one, neither is there.
 */
export type TransportResult =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Headers;
      readonly text: string;
      readonly bytes?: Buffer;
      readonly digest?: () => string;
    }
  | {
      readonly kind: 'failure';
      readonly failure: Failure;
      readonly left: boolean;
      readonly code: string;
      readonly status?: number;
    };

export interface Transport {
  /** Sends one request once; never throws. Reads share connections; each edit has its own. */
  exchange(wired: WireRequest, how: ExchangeOptions): Promise<TransportResult>;
  /** Opens the connection of an edit that is likely to come: within three seconds it has no handshake to wait for. */
  expectEdit(): void;
  close(): Promise<void>;
}

/** The longest that an exchange may take: until its answer begins, from when it is sent, and with all that arrives, from the call. */
export interface ExchangeTimes {
  readonly totalMs: number;
  /** Without it the total is for everything, from the call on. */
  readonly arrivingMs?: number;
}

interface ExchangeOptions extends ExchangeTimes {
  readonly as: 'read' | 'edit';
  readonly keys: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Digest of the body that the same request had before: one that comes again is not unpacked. */
  readonly known?: string | undefined;
}

/** The environment as far as the network is concerned. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * One origin over undici's `request`, which follows no redirect. Throws a TypeError for a proxy that cannot be read;
 * the message does not repeat it, because it may hold a password.
 */
export function createTransport(with_: { base: URL; timeouts: Timeouts; environment: Environment }): Transport {
  const { base } = with_;
  const common = {
    allowH2: false,
    connectTimeout: with_.timeouts.connect,
    headersTimeout: with_.timeouts.headers,
    bodyTimeout: with_.timeouts.idle,
  };
  const direct = (options: Pool.Options) => new Pool(base.origin, options);
  const agent = agentFor(base, with_.environment, direct);
  const reads = createReadConnections(() => agent({ ...common, connections: 4, ...kept }));
  // The service may close a reused connection while an edit is written to it, so that the outcome is unknown. A new
  // connection for each edit avoids that race.
  const ready = createReadyConnection(base, createConnect({ allowH2: false, timeout: common.connectTimeout }));
  const isDirect = agent === direct;
  const edits = agent({ ...common, connections: 8, pipelining: 0, ...(isDirect && { connect: ready.connect }) });

  return {
    expectEdit() {
      // Behind a proxy each opens its own.
      if (isDirect) ready.open();
    },
    async exchange(wired, how) {
      const stop = new AbortController();
      const end = () => stop.abort(new AbortReason('canceled'));
      const late = () => stop.abort(new AbortReason('timeout'));
      const calledOff = systemClock.after(how.arrivingMs ?? how.totalMs, late);
      if (how.signal?.aborted) end();
      how.signal?.addEventListener('abort', end);
      const trail = newTrail(how, late);
      try {
        const send = (over: Dispatcher) =>
          ask(
            over.compose(keyed(base.origin, how.keys), followed(trail)),
            base.origin,
            wired,
            stop.signal,
            trail,
            how.known,
          );
        return await (how.as === 'edit' ? send(edits) : overKept(reads, send, trail, stop.signal));
      } catch (error) {
        const why = transportProblem(stop.signal.aborted ? stop.signal.reason : error);
        const { left, status, headers } = trail;
        if (status === undefined || headers === undefined) return { kind: 'failure', ...why, left };
        // For a refusal the status is enough, even when the body is incomplete.
        if (status >= 300 && why.failure !== 'canceled') return { kind: 'answer', status, headers, text: '' };
        return { kind: 'failure', ...why, left, status };
      } finally {
        calledOff();
        trail.waited?.();
        how.signal?.removeEventListener('abort', end);
      }
    },
    async close() {
      ready.drop();
      await Promise.all([reads.close(), edits.close()]);
    },
  };
}

/**
 * Sends a read. Where the service has closed a kept connection, or a network forgot it, the read has no answer: no other goes over one that
 * was kept then, and where it was closed, this one is sent once more at once.
 */
async function overKept<T>(
  reads: ReadConnections,
  send: (over: Dispatcher) => Promise<T>,
  trail: Trail,
  signal: AbortSignal,
): Promise<T> {
  const pool = reads.next();
  const before = pool.opened();
  try {
    const sent = await send(pool.dispatcher);
    // Its connection is free for another request one turn of the loop later: one that came sooner would open a new one.
    await nextTurn();
    return sent;
  } catch (error) {
    const isKept = trail.left && pool.opened() === before;
    if (!isKept || trail.status !== undefined) throw error;
    const { failure } = transportProblem(signal.aborted ? signal.reason : error);
    if (failure !== 'canceled') reads.renew(pool);
    if (failure !== 'network') throw error;
    return send(reads.next().dispatcher);
  }
}

interface Trail {
  left: boolean;
  /** Begins the wait for an answer to what is sent, and gives what ends it. */
  waits?: () => () => void;
  waited?: (() => void) | undefined;
  status?: number;
  headers?: Headers;
}

/** A read may wait for others before it is sent, and for its bytes once its answer has begun, as long as they come. */
const newTrail = ({ totalMs, arrivingMs }: ExchangeTimes, late: () => void): Trail =>
  arrivingMs === undefined ? { left: false } : { left: false, waits: () => systemClock.after(totalMs, late) };

async function ask(
  dispatcher: Dispatcher,
  origin: string,
  wired: WireRequest,
  signal: AbortSignal,
  trail: Trail,
  knownDigest: string | undefined,
): Promise<TransportResult> {
  const { method, path } = wired;
  const answer = await dispatcher.request({
    origin,
    method,
    path,
    headers: wired.headers,
    body: wired.body ?? null,
    signal,
  });
  trail.waited?.();
  const status = answer.statusCode;
  const headers = flatHeaders(answer.headers);
  trail.status = status;
  trail.headers = headers;
  // For a refusal the status is enough; its text is optional.
  const failed = (failure: BodyFault): TransportResult =>
    status >= 300
      ? { kind: 'answer', status, headers, text: '' }
      : { kind: 'failure', failure, left: true, code: '', status };
  const encoding = headers['content-encoding'] ?? '';
  const body = await collectBody(answer.body, encoding);
  if (body === 'tooBig') return failed('tooBig');
  // Without a length, a truncated body cannot be told from a complete one.
  const measured = 'content-length' in headers || /\bchunked\b/i.test(headers['transfer-encoding'] ?? '');
  if (!measured && status < 300 && status !== 204 && status !== 205) return failed('cut');
  const { digest } = body;
  const isKnown = status === 200 && knownDigest !== undefined && digest() === knownDigest;
  const unpacked = isKnown ? { text: '' } : await decompress(body.pieces, encoding);
  body.drop();
  if (typeof unpacked === 'string') return failed(unpacked);
  if ('text' in unpacked) return { kind: 'answer', status, headers, text: unpacked.text, digest };
  const { bytes } = unpacked;
  return status < 300
    ? { kind: 'answer', status, headers, text: '', bytes, digest }
    : { kind: 'answer', status, headers, text: bytes.toString(), digest };
}

/** Adds the keys, and only where scheme, host and port are the profile's own. */
export const keyed =
  (origin: string, keys: Readonly<Record<string, string>>): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    String(options.origin) === origin
      ? dispatch({ ...options, headers: { ...(options.headers as Record<string, string>), ...keys } }, handler)
      : dispatch(options, handler);

/** Records that the service may have received the request: the connection is open and writing begins. */
const followed =
  (trail: Trail): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        handler.onRequestStart?.(controller, context);
        trail.left ||= !controller.aborted;
        trail.waited ??= trail.waits?.();
      },
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    });

/** The proxy that an environment names, by the first of the variables that count; `fault` says why it cannot be used. */
export function proxyIn(
  env: Environment,
): { readonly name: string; readonly uri: string; readonly fault?: string } | undefined {
  const name = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].find((variable) => env[variable]);
  const given = name && env[name];
  if (!name || !given) return undefined;
  const uri = given.includes('://') ? given : `http://${given}`;
  if (/^(https?|socks5h?):\/\/[^/]/i.test(uri) && URL.canParse(uri)) return { name, uri };
  return {
    name,
    uri,
    fault: `the proxy in ${name} is no address of http, https or socks5: write it as http://host:port or socks5://host:port`,
  };
}

/** Whether the address of a proxy is one of SOCKS 5, which looks up the names of hosts itself. */
const isSocks = (uri: string): boolean => /^socks5h?:/i.test(uri);

/** How agents for this origin are made: through the proxy of the environment, but never to this machine; `direct` without a proxy. */
export function agentFor(
  base: URL,
  env: Environment,
  direct: (options: Pool.Options) => Dispatcher = (options) => new Agent(options),
): (options: Pool.Options) => Dispatcher {
  const proxy = proxyIn(env);
  if (!proxy || isLoopback(base.hostname)) return direct;
  const { name, uri, fault } = proxy;
  if (fault !== undefined) throw new TypeError(fault);
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? '';
  const socks = isSocks(uri) ? new URL(uri) : undefined;
  return (options) =>
    new EnvHttpProxyAgent({
      ...options,
      httpProxy: '',
      // undici's own agent for SOCKS keeps no limit of connections: only the tunnel is made in another way.
      httpsProxy: socks ? `http://${socks.host}` : uri,
      noProxy,
      proxyTunnel: true,
      clientFactory: (url: URL, more: object) =>
        wayToProxy(url, { ...more, ...present({ headersTimeout: options.connectTimeout }) }, socks, name),
    } as EnvHttpProxyAgent.Options);
}

/**
 * The connections to the proxy itself. By default it has five minutes to answer a CONNECT, which no signal of a request ends; here
 * it has as long as a connection may take, and what goes wrong is told from what goes wrong with the service, with the `name` of the variable that names the proxy.
 */
function wayToProxy(url: URL, options: Pool.Options, socks: URL | undefined, name: string): Pool {
  const pool = new Pool(url.origin, options);
  const connect = pool.connect.bind(pool);
  const failed = (code: string) => Object.assign(new Error('the proxy'), { code: `UND_ERR_PRX_${code}_${name}` });
  return Object.assign(pool, {
    async connect(target: Dispatcher.ConnectOptions) {
      if (socks) {
        const { connectThroughSocks } = await import('./socks.ts');
        const socket = await connectThroughSocks(socks, target.path, options.headersTimeout ?? 0, failed);
        return { statusCode: 200, socket };
      }
      const connected = await connect(target).catch(() => {
        throw failed('UNREACHABLE');
      });
      if (connected.statusCode === 200) return connected;
      connected.socket.on('error', () => {}).destroy();
      throw failed(String(connected.statusCode));
    },
  });
}

/** The headers of an answer by their names in lower case; one that came several times as one text. */
export const flatHeaders = (headers: Record<string, string | string[] | undefined>): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));

/** The reason of our abort, passed through an AbortSignal. */
export class AbortReason extends Error {
  readonly why: 'canceled' | 'timeout';
  constructor(why: 'canceled' | 'timeout') {
    super(why);
    this.why = why;
  }
}

const kinds: readonly [Failure, RegExp][] = [
  ['noProxy', /^UND_ERR_PRX_UNREACHABLE/],
  ['dns', /^(ENOTFOUND|EAI_)/],
  ['refused', /^ECONNREFUSED$/],
  ['timeout', /TIMEOUT|ETIMEDOUT/],
  ['proxy', /^UND_ERR_PRX|^UND_ERR_ABORTED$/],
  ['tls', /^UNSPECIFIED|CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|ERR_OSSL/],
  ['cut', /MISMATCH/],
];

/** The failure of a request, from the error's codes alone. */
export function transportProblem(error: unknown): { failure: Failure; code: string } {
  if (error instanceof AbortReason) return { failure: error.why, code: '' };
  const code = codeOf(error);
  return { failure: kinds.find(([, pattern]) => pattern.test(code))?.[0] ?? 'network', code };
}

// Several addresses of one host fail together as an AggregateError; a wrapped error is told by its cause.
function codeOf(error: unknown): string {
  const { code, cause, errors, message } = (error ?? {}) as Partial<Record<'code' | 'cause' | 'message', unknown>> & {
    errors?: unknown[];
  };
  // What OpenSSL says of a certificate, where Node has no code for it: a sentence of its own, with nothing of the request.
  if (code === 'UNSPECIFIED') return `${code}: ${String(message).slice(0, 80)}`;
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return code;
  return codeOfFirst(errors) || (cause === undefined ? '' : codeOf(cause)) || (typeof code === 'string' ? code : '');
}

const codeOfFirst = (errors: unknown[] | undefined): string =>
  errors === undefined || errors.length === 0 ? '' : codeOf(errors[0]);
