import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { type Endpoint, pathNames } from '../../api/endpoint.ts';
import { parseExact, stringifyExact } from '../../lib/json.ts';
import { handlerOf } from '../kinds/index.ts';
import { dressed } from '../kinds/tables.ts';
import { type Answer, type Incoming, type Intercept, isAnswer, refused, type World } from './answer.ts';
import { type Fault, type Faults, page } from './faults.ts';
import type { Keys } from './keys.ts';
import type { Limits } from './limits.ts';
import type { WireVocabulary } from './vocabulary.ts';

/** A request as a test may look at it; the keys are not in it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Id of the operation; empty when there is none at this path. */
  readonly operation: string;
}

/** What the server is made of. */
export interface Parts {
  readonly endpoints: readonly Endpoint[];
  readonly vocabulary: WireVocabulary;
  readonly world: World;
  readonly keys: Keys;
  readonly limits: Limits;
  readonly faults: Faults;
  readonly intercept: Intercept | undefined;
  /** Operations that this deployment does not have, with the status it says so. */
  readonly withdrawn: ReadonlyMap<string, number>;
  readonly received: Received[];
  /** Time in the organisation; lives its life up to now. */
  now(): number;
  /** Milliseconds that an answer takes. */
  latency(operation: string, line: string): number;
}

type Served = Context<{ Bindings: HttpBindings }>;

/** The interface as a web application: every endpoint at its method and path. */
export function createApp(parts: Parts): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  // Fixed words before names in braces: `/monitor/search` is no monitor.
  const ordered = [...parts.endpoints].sort((a, b) => pathNames(a.path).length - pathNames(b.path).length);
  for (const endpoint of ordered) {
    const path = parts.vocabulary.path(endpoint).replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(endpoint.method, path, (context) => serveCall(parts, endpoint, context));
  }
  app.notFound(async (context) => {
    const asked = await requestOf(parts, undefined, context);
    note(parts, asked.request);
    return respond(decide(parts, undefined, asked, context));
  });
  return app;
}

/** A demo may run for weeks: only so many requests are remembered. */
const remembered = 5000;

function note(parts: Parts, request: Received): void {
  parts.received.push(request);
  if (parts.received.length > remembered) parts.received.splice(0, remembered / 10);
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
  const sent = { path: url.pathname, query: url.searchParams, body: text === '' ? undefined : readable(text) };
  const { path, query, body } = endpoint ? vocabulary.incoming(endpoint, sent) : sent;
  const operation = endpoint?.id ?? '';
  const request = { method: context.req.method, path, query: Object.fromEntries(query), body, headers, operation };
  return { request, query };
}

/** A body that is no JSON reads as none: the checks of each operation then say what is missing. */
function readable(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

async function serveCall(parts: Parts, endpoint: Endpoint, context: Served): Promise<Response> {
  const asked = await requestOf(parts, endpoint, context);
  const { request } = asked;
  note(parts, request);
  const line = `${request.method} ${request.path}`;
  const wait = parts.latency(endpoint.id, line);
  if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  const fault = parts.faults.take(endpoint.id, line);
  const given = (value: Answer): Answer => ({ ...value, body: parts.vocabulary.outgoing(endpoint, value.body) });
  if (fault && fault.kind !== 'truncates' && !fault.after) return spoil(fault, given, context);
  const answer = given(dressed(endpoint.path, decide(parts, endpoint, asked, context)));
  if (!fault) return respond(answer);
  return fault.kind === 'truncates' ? truncate(answer, context) : spoil(fault, given, context);
}

/** The answer to a request, after whoever stands in front of the operations had a say. */
function decide(
  parts: Parts,
  endpoint: Endpoint | undefined,
  { request, query }: { request: Received; query: URLSearchParams },
  context: Served,
): Answer {
  const { headers } = parts.vocabulary;
  const incoming: Incoming = {
    endpoint,
    params: context.req.param(),
    query,
    body: request.body,
    apiKey: context.req.header(headers.apiKey),
    appKey: context.req.header(headers.appKey),
    now: parts.now(),
  };
  const next = (incoming: Incoming): Answer => answerTo(parts, incoming);
  return parts.intercept ? parts.intercept(incoming, parts.world, next) : next(incoming);
}

/** Keys and permission, then calls left, then the operation itself (contract/monitors.md section 1). */
function answerTo(parts: Parts, { endpoint, apiKey, appKey, ...rest }: Incoming): Answer {
  if (!endpoint) return refused(404, 'Not found');
  const withdrawn = parts.withdrawn.get(endpoint.id);
  if (withdrawn !== undefined) return withdrawn === 405 ? refused(405, 'Method not allowed') : page(404, 'Not Found');
  const caller = parts.keys.admit(apiKey, appKey, endpoint, rest.now);
  if (isAnswer(caller)) return caller;
  const { headers, ...counted } = parts.limits.count(endpoint, rest.now);
  if (counted.refused) return { ...refused(429, counted.text), headers };
  const answer = handlerOf(endpoint)({ endpoint, ...rest, caller }, parts.world);
  return { ...answer, headers: { ...headers, ...answer.headers } };
}

function respond(answer: Answer): Response {
  const { status, body, tail = '' } = answer;
  const text = body === undefined ? null : typeof body === 'string' ? body : stringifyExact(body) + tail;
  const type = answer.type === '' ? {} : { 'Content-Type': answer.type ?? 'application/json' };
  const headers = { ...type, ...answer.headers };
  return new Response(status === 204 ? null : text, { status, headers });
}

async function spoil(
  fault: Exclude<Fault, { kind: 'truncates' }>,
  given: (answer: Answer) => Answer,
  context: Served,
): Promise<Response> {
  if (fault.kind === 'answers') return respond(given(fault.answer));
  const { incoming } = context.env;
  if (fault.kind === 'resets') incoming.socket.resetAndDestroy();
  else await new Promise((done) => incoming.socket.once('close', done));
  return RESPONSE_ALREADY_SENT;
}

/** Half of the body, and then the connection goes. */
function truncate(answer: Answer, context: Served): Response {
  const { outgoing } = context.env;
  const text = typeof answer.body === 'string' ? answer.body : stringifyExact(answer.body ?? {});
  const bytes = Buffer.from(text);
  outgoing.writeHead(answer.status, {
    'Content-Type': answer.type ?? 'application/json',
    'Content-Length': bytes.length + 1,
  });
  outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}
