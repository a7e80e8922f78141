import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Endpoint, isRead, pathNames } from '../../api/endpoint.ts';
import { parseExact, stringifyExact } from '../../lib/json.ts';
import { thrownText } from '../../lib/thrown-text.ts';
import { applyFault } from '../faults/apply-fault.ts';
import { type FaultSource, page } from '../faults/faults.ts';
import { handlerOf } from '../kinds/index.ts';
import { inTableFormat } from '../kinds/tables.ts';
import { type ApiResponse, type IncomingRequest, type Intercept, isResponse, refused, type World } from './handler.ts';
import type { Keys } from './keys.ts';
import type { Limits } from './limits.ts';
import type { WireVocabulary } from './vocabulary.ts';

/** A recorded request, for tests; without its keys. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Id of the operation; empty when there is none at this path. */
  readonly operation: string;
}

/** The server's dependencies. */
export interface Parts {
  readonly endpoints: readonly Endpoint[];
  readonly vocabulary: WireVocabulary;
  readonly world: World;
  readonly keys: Keys;
  readonly limits: Limits;
  readonly faults: FaultSource;
  /** Connections that have served a request. */
  readonly used: WeakSet<object>;
  readonly intercept: Intercept | undefined;
  /** Operations that this deployment does not have, with the status of the response. */
  readonly withdrawn: ReadonlyMap<string, number>;
  readonly received: Received[];
  /** Time in the organisation, epoch milliseconds; simulates activity up to it. */
  now(): number;
  /** Milliseconds before the response. */
  latency(operation: string, line: string): number;
  /** Is told, in one line, of a request that ended early and of an error of the simulator. */
  readonly complain: (line: string) => void;
}

type Served = Context<{ Bindings: HttpBindings }>;

/** Bytes of the longest body that is read. */
const longestBody = 8 * 1024 * 1024;
/** Names of this machine: a web page that makes its own name resolve to loopback is refused. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** A web application that serves every endpoint at its method and path. Host and size are checked before the body is read. */
export function createApp(parts: Parts): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const limited = bodyLimit({
    maxSize: longestBody,
    onError: () =>
      respond({ ...refused(413, `Request body over ${longestBody} bytes`), headers: { Connection: 'close' } }),
  });
  app.use(async (context, next) => {
    if (!ownHost.test(context.req.header('host') ?? '')) return respond(refused(421, 'Unknown host'));
    // Without this condition the server would build a stream for the missing body of every read.
    return context.req.method === 'GET' ? next() : limited(context, next);
  });
  app.onError((error, context) => {
    const { incoming } = context.env;
    const line = `${context.req.method} ${context.req.path}`;
    parts.complain(incoming.destroyed ? `${line}: the client ended its request` : `${line}: ${thrownText(error)}`);
    return respond(refused(500, thrownText(error)));
  });
  // Literal paths before parameters: `/monitor/search` is no monitor.
  const ordered = [...parts.endpoints].sort((a, b) => pathNames(a.path).length - pathNames(b.path).length);
  for (const endpoint of ordered) {
    const path = parts.vocabulary.path(endpoint).replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(endpoint.method, path, (context) => serveCall(parts, endpoint, context));
  }
  app.notFound(async (context) => {
    const parsed = await requestOf(parts, undefined, context);
    record(parts, parsed.request);
    return respond(decide(parts, undefined, parsed, context));
  });
  return app;
}

/** The most recorded requests: a demo may run for weeks. */
const mostRecorded = 5000;

function record(parts: Parts, request: Received): void {
  parts.received.push(request);
  if (parts.received.length > mostRecorded) parts.received.splice(0, mostRecorded / 10);
}

async function requestOf(
  { vocabulary }: Parts,
  endpoint: Endpoint | undefined,
  context: Served,
): Promise<{ request: Received; query: URLSearchParams }> {
  const url = new URL(context.req.url);
  const text = await context.req.text();
  const headers = { ...context.req.header() };
  for (const name of Object.values(vocabulary.headers)) delete headers[name.toLowerCase()];
  const sent = { path: url.pathname, query: url.searchParams, body: text === '' ? undefined : parseBody(text) };
  const { path, query, body } = endpoint ? vocabulary.incoming(endpoint, sent) : sent;
  const operation = endpoint?.id ?? '';
  const request = { method: context.req.method, path, query: Object.fromEntries(query), body, headers, operation };
  return { request, query };
}

/** The parsed body; undefined for invalid JSON, so each operation's validation says what is missing. */
function parseBody(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

async function serveCall(parts: Parts, endpoint: Endpoint, context: Served): Promise<Response> {
  const parsed = await requestOf(parts, endpoint, context);
  const { request } = parsed;
  record(parts, request);
  const line = `${request.method} ${request.path}`;
  const wait = parts.latency(endpoint.id, line);
  if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  const { incoming, outgoing } = context.env;
  const isReused = parts.used.has(incoming.socket);
  parts.used.add(incoming.socket);
  const fault = parts.faults.take(endpoint.id, line, isRead(endpoint));
  const translated = (value: ApiResponse): ApiResponse => ({
    ...value,
    body: parts.vocabulary.outgoing(endpoint, value.body),
  });
  const handled = () => translated(inTableFormat(endpoint.path, decide(parts, endpoint, parsed, context)));
  if (!fault) return respond(handled());
  const overtaken = (body: unknown = request.body) => {
    decide(parts, endpoint, { ...parsed, request: { ...request, body } }, context, 'other operator');
  };
  return applyFault(fault, { incoming, outgoing, isReused, handled, overtaken, translated, respond });
}

/** The response to a request, after the interceptor. */
function decide(
  parts: Parts,
  endpoint: Endpoint | undefined,
  { request, query }: { request: Received; query: URLSearchParams },
  context: Served,
  by: IncomingRequest['by'] = 'caller',
): ApiResponse {
  const { headers } = parts.vocabulary;
  const incoming: IncomingRequest = {
    endpoint,
    params: context.req.param(),
    query,
    body: request.body,
    apiKey: context.req.header(headers.apiKey),
    appKey: context.req.header(headers.appKey),
    now: parts.now(),
    by,
  };
  const next = (incoming: IncomingRequest): ApiResponse => handle(parts, incoming);
  return parts.intercept ? parts.intercept(incoming, parts.world, next) : next(incoming);
}

/** Checks keys and permissions, then the rate limit, then runs the operation (contract/monitors.md section 1). */
function handle(parts: Parts, { endpoint, apiKey, appKey, ...rest }: IncomingRequest): ApiResponse {
  if (!endpoint) return refused(404, 'Not found');
  const withdrawn = parts.withdrawn.get(endpoint.id);
  if (withdrawn !== undefined) return withdrawn === 405 ? refused(405, 'Method not allowed') : page(404, 'Not Found');
  const caller = parts.keys.authenticate(apiKey, appKey, endpoint, rest.now);
  if (isResponse(caller)) return caller;
  const { headers, ...counted } = parts.limits.count(endpoint, rest.now);
  if (counted.refused) return { ...refused(429, counted.text), headers };
  const response = handlerOf(endpoint)({ endpoint, ...rest, caller }, parts.world);
  return { ...response, headers: { ...headers, ...response.headers } };
}

function respond(response: ApiResponse): Response {
  const { status, body, tail = '' } = response;
  const text = body === undefined ? null : typeof body === 'string' ? body : stringifyExact(body) + tail;
  const type = response.type === '' ? {} : { 'Content-Type': response.type ?? 'application/json' };
  const headers = { ...type, ...response.headers };
  return new Response(status === 204 ? null : text, { status, headers });
}
