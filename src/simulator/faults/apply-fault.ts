import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ApiResponse } from '../server/handler.ts';
import { responseBytes, responseHeaders } from '../server/respond.ts';
import { type Fault, faultResponse } from './fault.ts';

/** A request to which a fault happens. */
export interface Faulted {
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
const wait = (ms: number): Promise<unknown> => new Promise((done) => setTimeout(done, ms));
