import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Endpoint, isRead, pathNames } from '../../api/endpoint.ts';
import { type KeyHeaders, keyHeaders } from '../../api/secrets.ts';
import type { Translator } from '../../api/vocabulary/translator.ts';
import { thrownText } from '../../lib/function-results.ts';
import { parsedJson } from '../../lib/json.ts';
import { streamText } from '../../lib/streams.ts';
import { at } from '../../lib/values.ts';
import type { Fault, FaultSource } from '../faults/fault.ts';
import { findHandler, findMissing } from '../kinds/index.ts';
import {
  type ApiResponse,
  asList,
  type IncomingRequest,
  type Intercept,
  isResponse,
  readBody,
  refused,
  respond,
  type ServiceWorld,
} from './handler.ts';
import type { KeyRegistry } from './keys.ts';
import type { AroundPart } from './object-store.ts';

/** A rate limit bucket with fixed windows. */
interface Bucket {
  readonly name: string;
  readonly limit: number;
  /** Seconds. */
  readonly period: number;
  used: number;
  window: number;
}

/** The rate limit's decision about one request. */
interface Counted {
  readonly refused: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The service's error text for a refused request. */
  readonly text: string;
}

/** Limits requests per bucket (docs/contract/conventions.md#rate-limits). */
type Limits = (endpoint: Endpoint, now: number) => Counted;

/** Name, requests, seconds. Other v1 operations share one bucket of the organization; other v2 operations have one each. */
const known: Readonly<Record<string, readonly [name: string, limit: number, period: number]>> = {
  'monitors.create': ['post_monitors', 500, 10],
  'monitors.update': ['put_monitors', 500, 10],
  'monitors.get': ['get_monitors', 3000, 10],
  'monitors.list': ['get_all_monitors', 1000, 10],
  'monitors.can-delete': ['can_delete', 12_000, 60],
};
/** Operations whose responses have no rate headers (docs/contract/conventions.md#rate-limits). */
const withoutHeaders = new Set(['monitors.mute', 'monitors.unmute', 'monitors.mute-all', 'monitors.unmute-all']);

const notCounted: Counted = { refused: false, headers: {}, text: '' };

/** Empty buckets of `rate` requests per 10 s; 0 = no limits and no headers, undefined = the buckets of the contract. */
export function createLimits(rate: number | undefined): Limits {
  const buckets = new Map<string, Bucket>();
  const bucketOf = (endpoint: Endpoint): Bucket => {
    const own = endpoint.path.startsWith('/api/v2') ? endpoint.id.replaceAll(/\W/g, '_') : 'org_wide';
    const [name, limit, period] = known[endpoint.id] ?? [own, own === 'org_wide' ? 12_000 : 600, 60];
    const found = buckets.get(name);
    if (found) return found;
    const bucket = { name, limit: rate ?? limit, period: rate === undefined ? period : 10, used: 0, window: -1 };
    buckets.set(name, bucket);
    return bucket;
  };
  return (endpoint, now) => {
    if (rate === 0) return notCounted;
    const bucket = bucketOf(endpoint);
    const second = Math.floor(now / 1000);
    const window = Math.floor(second / bucket.period);
    if (window !== bucket.window) {
      bucket.window = window;
      bucket.used = 0;
    }
    const refused = bucket.used >= bucket.limit;
    if (!refused) bucket.used += 1;
    if (withoutHeaders.has(endpoint.id) && !refused && rate === undefined) return notCounted;
    return {
      refused,
      text: `Rate limit of ${bucket.limit} requests in ${bucket.period} seconds reached. Please try again later.`,
      headers: {
        'X-RateLimit-Limit': String(bucket.limit),
        'X-RateLimit-Period': String(bucket.period),
        'X-RateLimit-Remaining': String(bucket.limit - bucket.used),
        'X-RateLimit-Reset': String((window + 1) * bucket.period - second),
        'X-RateLimit-Name': bucket.name,
      },
    };
  };
}

/** The parts of a request that may hold identifiers. */
interface WireRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/**
 * Translates between the deployment's vocabulary, used on the wire, and the neutral vocabulary,
 * used inside the simulator. Without a vocabulary both are the same.
 */
interface WireVocabulary {
  readonly headers: KeyHeaders;
  /** The path template at which the operation is served. */
  path(endpoint: Endpoint): string;
  /** A request, in the words of the specification. */
  incoming(endpoint: Endpoint, request: WireRequest): WireRequest;
  /** The body of a response in the deployment's vocabulary; text that is not JSON is unchanged. */
  outgoing(endpoint: Endpoint, body: unknown): unknown;
}

/** Translates by this vocabulary; without one, nothing. */
export function wireVocabulary(vocabulary?: Translator): WireVocabulary {
  if (!vocabulary)
    return {
      headers: keyHeaders,
      path: (endpoint) => endpoint.path,
      incoming: (_, request) => request,
      outgoing: (_, body) => body,
    };
  const { back, out } = vocabulary.deployment;
  return {
    headers: vocabulary.headers,
    path: vocabulary.path,
    incoming(endpoint, { path, query, body }) {
      const sent = path.split('/');
      const words = endpoint.path.split('/').map((word, at) => (word.includes('{') ? (sent[at] ?? '') : word));
      // Translates pair by pair, because a name may be repeated.
      const pairs = [...query].flatMap(([name, value]) => Object.entries(back.query(endpoint, { [name]: value })));
      return {
        path: words.join('/'),
        query: new URLSearchParams(pairs as [string, string][]),
        body: back.body(endpoint, body),
      };
    },
    outgoing: (endpoint, body) => (typeof body === 'object' ? out.answer(endpoint, body) : body),
  };
}

/** A request without its keys. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Id of the operation; empty when there is none at this path. */
  readonly operation: string;
}

/** What may be laid over a simulator: how other deployments behave, and what goes wrong at a moment. */
export interface ServerLayer {
  /** Is told of each request that has arrived; the fault that it returns happens to the request. */
  arrives?(request: Received, isRead: boolean): Promise<Fault | undefined>;
  /** Around every operation. */
  readonly around?: Intercept;
  /** Around the receiving of each part of an upload. */
  readonly aroundPart?: AroundPart;
}

/** The server's dependencies. */
interface ServerPorts {
  readonly endpoints: readonly Endpoint[];
  readonly vocabulary: WireVocabulary;
  readonly world: ServiceWorld;
  readonly keys: KeyRegistry;
  readonly limits: Limits;
  readonly faults: FaultSource | undefined;
  readonly layer: ServerLayer;
  /** Milliseconds before each response. */
  readonly latencyMs: number;
  /** Time in the organization, epoch milliseconds; simulates activity up to it. */
  now(): number;
  /** Is told, in one line, of a request that ended early and of an error of the simulator. */
  readonly complain: (line: string) => void;
}

/** One request and its response, on the wire. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly url: URL;
  /** Of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** Connections that have served a request. */
const used = new WeakSet<object>();
/** Bytes of the longest body that is read. */
const longestBody = 8 * 1024 * 1024;
/** Names of this machine: a web page that makes its own name resolve to loopback is refused. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** Serves every endpoint at its method and path. Host and size are checked before the body is read. */
export function createApp(parts: ServerPorts): RequestListener {
  // Literal paths before parameters: `/monitor/search` is no monitor.
  const named = parts.endpoints.map((endpoint) => ({ endpoint, names: pathNames(endpoint.path).length }));
  const routes = named
    .sort((one, other) => one.names - other.names)
    .map(({ endpoint }) => {
      const path = parts.vocabulary.path(endpoint).replaceAll('.', '\\.');
      return { endpoint, pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) };
    });
  return (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
    if (!ownHost.test(incoming.headers.host ?? '')) return respond(refused(421, 'Unknown host'), outgoing);
    const route = routes.find(
      ({ endpoint, pattern }) => endpoint.method === incoming.method && pattern.test(url.pathname),
    );
    const found = Object.entries(route?.pattern.exec(url.pathname)?.groups ?? {});
    const params = Object.fromEntries(found.map(([name, text]) => [name, decoded(text)]));
    serve(parts, route?.endpoint, { incoming, outgoing, url, params }).catch((error: unknown) => {
      const line = `${incoming.method} ${url.pathname}`;
      parts.complain(incoming.destroyed ? `${line}: the client ended its request` : `${line}: ${thrownText(error)}`);
      if (outgoing.headersSent) outgoing.destroy();
      else respond(refused(500, thrownText(error)), outgoing);
    });
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Undefined where the body is too long. */
async function requestOf(
  { vocabulary }: ServerPorts,
  endpoint: Endpoint | undefined,
  { incoming, url }: Exchange,
): Promise<{ request: Received; query: URLSearchParams } | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > longestBody) return undefined;
  const text = await streamText(incoming, longestBody);
  if (text === undefined) return undefined;
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  for (const name of Object.values(vocabulary.headers)) delete headers[name.toLowerCase()];
  // Invalid JSON is no body: the operation's own validation says what is missing.
  const sent = { path: url.pathname, query: url.searchParams, body: text === '' ? undefined : parsedJson(text) };
  const { path, query, body } = endpoint ? vocabulary.incoming(endpoint, sent) : sent;
  const operation = endpoint?.id ?? '';
  const request = { method: incoming.method ?? '', path, query: Object.fromEntries(query), body, headers, operation };
  return { request, query };
}

async function serve(parts: ServerPorts, endpoint: Endpoint | undefined, exchange: Exchange): Promise<void> {
  const { incoming, outgoing } = exchange;
  const parsed = await requestOf(parts, endpoint, exchange);
  if (!parsed) {
    const tooLong = refused(413, `Request body over ${longestBody} bytes`);
    return respond({ ...tooLong, headers: { Connection: 'close' } }, outgoing);
  }
  const { request } = parsed;
  const laid = await parts.layer.arrives?.(request, endpoint !== undefined && isRead(endpoint));
  if (!endpoint) return respond(decide(parts, endpoint, parsed, exchange), outgoing);
  if (parts.latencyMs > 0) await new Promise((done) => setTimeout(done, parts.latencyMs));
  const isReused = used.has(incoming.socket);
  used.add(incoming.socket);
  const fault = laid ?? parts.faults?.take(endpoint.id, isRead(endpoint));
  const translated = (value: ApiResponse): ApiResponse => ({
    ...value,
    body: parts.vocabulary.outgoing(endpoint, value.body),
  });
  const handled = () => translated(decide(parts, endpoint, parsed, exchange));
  if (!fault) return respond(handled(), outgoing);
  const overtaken = (body: unknown = request.body) => {
    decide(parts, endpoint, { ...parsed, request: { ...request, body } }, exchange, 'other operator');
  };
  const responds = (response: ApiResponse) => respond(response, outgoing);
  // The demo has none.
  const { applyFault } = await import('../faults/fault.ts');
  return applyFault(fault, { incoming, outgoing, isReused, handled, overtaken, translated, respond: responds });
}

/** The response to a request, after the interceptor. */
function decide(
  parts: ServerPorts,
  endpoint: Endpoint | undefined,
  { request, query }: { request: Received; query: URLSearchParams },
  { incoming: { headers: sent }, params }: Exchange,
  by: IncomingRequest['by'] = 'caller',
): ApiResponse {
  const { headers } = parts.vocabulary;
  const key = (name: string) => sent[name.toLowerCase()]?.toString();
  const incoming: IncomingRequest = {
    endpoint,
    params,
    query,
    body: request.body,
    apiKey: key(headers.apiKey),
    appKey: key(headers.appKey),
    now: parts.now(),
    by,
  };
  const next = (incoming: IncomingRequest): ApiResponse => inFormatOf(incoming.endpoint, handle(parts, incoming));
  return parts.layer.around ? parts.layer.around(incoming, parts.world, next) : next(incoming);
}

/**
 * Checks keys and permissions, then the rate limit, then the object of the path, then the body, and runs the operation
 * (docs/contract/conventions.md#order-of-checks).
 */
function handle(parts: ServerPorts, { endpoint, apiKey, appKey, ...rest }: IncomingRequest): ApiResponse {
  if (!endpoint) return refused(404, 'Not found');
  const caller = parts.keys.authenticate(apiKey, appKey, endpoint, rest.now);
  if (isResponse(caller)) return caller;
  const { headers, ...counted } = parts.limits(endpoint, rest.now);
  if (counted.refused) return { ...refused(429, counted.text), headers };
  const read = readBody(endpoint, rest.params, rest.body);
  const request = { endpoint, ...rest, caller, body: isResponse(read) ? rest.body : read.value };
  const handled = isResponse(read)
    ? (findMissing(request, parts.world) ?? read)
    : findHandler(endpoint)(request, parts.world);
  return { ...handled, headers: { ...headers, ...handled.headers } };
}

/** Families whose responses have a media type of their own, and objects as errors (docs/contract/reference-tables.md, docs/contract/error-tracking.md). */
const ownFormat = /^\/api\/v2\/(reference-tables|error-tracking)\//;

function inFormatOf(endpoint: Endpoint | undefined, response: ApiResponse): ApiResponse {
  const { status, body } = response;
  // The refusal of unknown keys keeps the common format.
  if (!ownFormat.test(endpoint?.path ?? '') || response.type !== undefined || at(body, 'code') === 403) return response;
  const errors = asList(at(body, 'errors'))?.map((detail) => ({
    status: String(status),
    title: STATUS_CODES[status] ?? 'Error',
    detail,
  }));
  return { ...response, type: 'application/vnd.api+json', ...(errors ? { body: { errors } } : {}) };
}
