import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Endpoint, isRead, pathNames } from '../../api/endpoint.ts';
import { parsedJson } from '../../lib/json.ts';
import { at } from '../../lib/object-paths.ts';
import { thrownText } from '../../lib/thrown-text.ts';
import { streamText } from '../../lib/whole-stream.ts';
import type { Fault, FaultSource } from '../faults/fault.ts';
import { findHandler } from '../kinds/index.ts';
import {
  type ApiResponse,
  type IncomingRequest,
  type Intercept,
  isResponse,
  refused,
  type ServiceWorld,
} from './handler.ts';
import type { KeyRegistry } from './keys.ts';
import type { Limits } from './limits.ts';
import type { AroundPart } from './object-store.ts';
import { respond } from './respond.ts';
import { readBody } from './sent-body.ts';
import type { WireVocabulary } from './vocabulary.ts';
import { asList } from './wire-values.ts';

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
export interface ServerPorts {
  readonly endpoints: readonly Endpoint[];
  readonly vocabulary: WireVocabulary;
  readonly world: ServiceWorld;
  readonly keys: KeyRegistry;
  readonly limits: Limits;
  readonly faults: FaultSource | undefined;
  readonly layer: ServerLayer;
  /** Connections that have served a request. */
  readonly used: WeakSet<object>;
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
  const isReused = parts.used.has(incoming.socket);
  parts.used.add(incoming.socket);
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
  const { applyFault } = await import('../faults/apply-fault.ts');
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

/** Checks keys and permissions, then the rate limit, then the body, and runs the operation (docs/contract/conventions.md#order-of-checks). */
function handle(parts: ServerPorts, { endpoint, apiKey, appKey, ...rest }: IncomingRequest): ApiResponse {
  if (!endpoint) return refused(404, 'Not found');
  const caller = parts.keys.authenticate(apiKey, appKey, endpoint, rest.now);
  if (isResponse(caller)) return caller;
  const { headers, ...counted } = parts.limits.count(endpoint, rest.now);
  if (counted.refused) return { ...refused(429, counted.text), headers };
  const read = readBody(endpoint, rest.params, rest.body);
  const handled = isResponse(read)
    ? read
    : findHandler(endpoint)({ endpoint, ...rest, body: read.value, caller }, parts.world);
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
