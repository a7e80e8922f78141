import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type ApiResponse, responseBytes, responseHeaders } from '../server/handler.ts';
import type { FaultRule } from './read-fault-plan.ts';

/** What happens to one request: a fault of a plan, or any response. */
export interface Fault {
  readonly does: FaultRule | AnyResponse;
  /** In [0, 1): chooses within the range of the fault. */
  readonly chance: number;
}

interface AnyResponse {
  readonly fault: 'response';
  readonly response: ApiResponse;
  /** Default: before the request is handled. */
  readonly when?: 'before' | 'after' | undefined;
}

/** Chooses the fault of each request; undefined = none. */
export interface FaultSource {
  take(operation: string, isRead: boolean): Fault | undefined;
}

/** An HTML error page as an edge proxy sends it. */
export const errorPage = (status: number, title: string): ApiResponse => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<!DOCTYPE html>\n<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>\n`,
});

/** The response in place of the operation's own; undefined for a fault of another sort. */
function faultResponse({ does, chance }: Fault): ApiResponse | undefined {
  switch (does.fault) {
    case 'response':
      return does.response;
    case 'page':
      return errorPage(does.status ?? 502, STATUS_CODES[does.status ?? 502] ?? 'Problem');
    case 'empty':
      return { status: 200 };
    case 'envelope':
      return { status: 200, body: envelopes[Math.floor(chance * envelopes.length)] };
    case 'status':
      return { status: does.status, body: { errors: [STATUS_CODES[does.status] ?? 'Problem'] } };
    case 'rate-limit':
      return { status: 429, body: { errors: ['Too Many Requests'] }, headers: rateHeaders(does.headers, chance) };
    case 'unauthorized':
      return { status: 401, body: { errors: ['Unauthorized'] } };
    case 'redirect':
      return { status: does.status ?? 307, headers: { Location: does.to ?? 'https://elsewhere.example.test/' } };
    default:
      return undefined;
  }
}

/** JSON that no operation answers. */
const envelopes: readonly unknown[] = [null, {}, [], { result: {} }, { data: null }, { data: 7 }, 'ok'];

const lies = ['-1', 'NaN', '1e300', '0', 'soon', '99999999999999999999'];

function rateHeaders(sort: 'right' | 'none' | 'lying' = 'right', chance: number): Record<string, string> {
  if (sort === 'none') return {};
  const reset = sort === 'lying' ? (lies[Math.floor(chance * lies.length)] ?? '') : '2';
  return {
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Period': '10',
    'X-RateLimit-Remaining': sort === 'lying' ? '100' : '0',
    'X-RateLimit-Reset': reset,
    'Retry-After': reset,
  };
}

/** A request to which a fault happens. */
interface Faulted {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Whether the connection has served a request before. */
  readonly isReused: boolean;
  /** Handles the request; the response in the deployment's words. */
  handled(): ApiResponse;
  /** Handles the same request as another operator's, with this body where there is one. */
  overtaken(body: unknown): void;
  translated(response: ApiResponse): ApiResponse;
  respond(response: ApiResponse): void;
}

/** Lets the fault happen. */
export async function applyFault(fault: Fault, request: Faulted): Promise<void> {
  const { does, chance } = fault;
  const { incoming, outgoing, handled, respond } = request;
  const isAfter = 'when' in does && does.when === 'after';
  const reset = (): void => {
    incoming.socket.resetAndDestroy();
  };
  const response = isAfter ? handled() : undefined;
  switch (does.fault) {
    case 'drop':
      return reset();
    case 'hang':
      if (!incoming.socket.destroyed) await new Promise((done) => incoming.socket.once('close', done));
      return;
    case 'delay': {
      const [low, high] = typeof does.ms === 'number' ? [does.ms, does.ms] : does.ms;
      await wait(Math.round(low + chance * (high - low)));
      return respond(response ?? handled());
    }
    case 'other-operator':
      request.overtaken('body' in does ? does.body : undefined);
      return reset();
    case 'reset-on-reuse':
      return request.isReused ? reset() : respond(handled());
    case 'huge': {
      const bytes = does.packed ? bomb() : Buffer.alloc(9 * megabyte, ' ');
      outgoing.writeHead(200, { ...json, 'Content-Length': bytes.length, ...(does.packed && gzip) });
      outgoing.end(bytes);
      return;
    }
    case 'truncate': {
      const { status, headers, bytes } = written(handled());
      outgoing.writeHead(status, { ...headers, 'Content-Length': bytes.length + 1 });
      outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => outgoing.destroy());
      return;
    }
    case 'lie': {
      const { status, headers, bytes } = written(handled());
      const lie = {
        length: { 'Content-Length': Math.ceil(bytes.length / 2) },
        type: { 'Content-Type': 'text/html', 'Content-Length': bytes.length },
        encoding: { ...gzip, 'Content-Length': bytes.length },
      }[does.about];
      outgoing.writeHead(status, { ...headers, ...lie });
      outgoing.end(bytes);
      return;
    }
    case 'drip':
      return drip(handled(), outgoing, does.ms);
    default: {
      // What was refused is not answered as if it had been done.
      const other = faultResponse(fault) ?? { status: 500 };
      return respond(response && response.status >= 400 ? response : request.translated(other));
    }
  }
}

/** Sends a response in eighths, `ms` apart. */
async function drip(response: ApiResponse, outgoing: ServerResponse, ms: number): Promise<void> {
  const { status, headers, bytes } = written(response);
  outgoing.writeHead(status, { ...headers, ...(status !== 204 && { 'Content-Length': bytes.length }) });
  const step = Math.max(1, Math.ceil(bytes.length / 8));
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += step) {
    outgoing.write(bytes.subarray(at, at + step));
    await wait(ms);
  }
  outgoing.end();
}

const written = (response: ApiResponse) => ({
  status: response.status,
  headers: responseHeaders(response),
  bytes: responseBytes(response),
});

const megabyte = 1024 * 1024;
const json = { 'Content-Type': 'application/json' };
const gzip = { 'Content-Encoding': 'gzip' };
/** 40 MB of spaces in 40 members of gzip. */
const bomb = (): Buffer => Buffer.concat(Array<Buffer>(40).fill(gzipSync(Buffer.alloc(megabyte, ' '))));
