import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { stringifyExact } from '../../lib/json.ts';
import type { ApiResponse } from '../server/handler.ts';
import type { Fault } from './faults.ts';

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
  const { incoming, outgoing, handled, respond } = request;
  const reset = (): void => {
    incoming.socket.resetAndDestroy();
  };
  switch (fault.kind) {
    case 'answers': {
      const own = fault.after ? handled() : undefined;
      // What was refused is not answered as if it had been done.
      return respond(own && own.status >= 400 ? own : request.translated(fault.answer));
    }
    case 'resets':
      if (fault.after) handled();
      return reset();
    case 'hangs':
      if (fault.after) handled();
      if (!incoming.socket.destroyed) await new Promise((done) => incoming.socket.once('close', done));
      return;
    case 'delays': {
      const early = fault.after ? handled() : undefined;
      await wait(fault.ms);
      return respond(early ?? handled());
    }
    case 'overtakes':
      if (fault.after) handled();
      request.overtaken(fault.body);
      return reset();
    case 'resetsReused':
      return request.isReused ? reset() : respond(handled());
    case 'bloats': {
      if (fault.after) handled();
      const bytes = fault.packed ? bomb() : Buffer.alloc(9 * megabyte, ' ');
      outgoing.writeHead(200, { ...json, 'Content-Length': bytes.length, ...(fault.packed && gzip) });
      outgoing.end(bytes);
      return;
    }
    case 'truncates':
    case 'drips':
    case 'lies':
      return sendOddly(fault, handled(), outgoing);
  }
}

const megabyte = 1024 * 1024;
const json = { 'Content-Type': 'application/json' };
const gzip = { 'Content-Encoding': 'gzip' };

/** 40 MB of spaces in 40 members of gzip. */
const bomb = (): Buffer => Buffer.concat(Array<Buffer>(40).fill(gzipSync(Buffer.alloc(megabyte, ' '))));

const wait = (ms: number): Promise<unknown> => new Promise((done) => setTimeout(done, ms));

/** Sends a response other than it is. */
async function sendOddly(
  fault: Extract<Fault, { kind: 'truncates' | 'drips' | 'lies' }>,
  response: ApiResponse,
  outgoing: ServerResponse,
): Promise<void> {
  const { body, status, type = 'application/json', tail = '' } = response;
  const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : stringifyExact(body) + tail);
  const half = Math.ceil(bytes.length / 2);
  const head = { ...(type !== '' && { 'Content-Type': type }), ...response.headers };
  switch (fault.kind) {
    case 'truncates':
      outgoing.writeHead(status, { ...head, 'Content-Length': bytes.length + 1 });
      outgoing.write(bytes.subarray(0, half), () => outgoing.destroy());
      break;
    case 'lies': {
      const lie = {
        length: { 'Content-Length': half },
        type: { 'Content-Type': 'text/html', 'Content-Length': bytes.length },
        encoding: { ...gzip, 'Content-Length': bytes.length },
      }[fault.about];
      outgoing.writeHead(status, { ...head, ...lie });
      outgoing.end(bytes);
      break;
    }
    case 'drips': {
      outgoing.writeHead(status, { ...head, ...(status !== 204 && { 'Content-Length': bytes.length }) });
      const step = Math.max(1, Math.ceil(bytes.length / 8));
      for (let at = 0; at < bytes.length && !outgoing.destroyed; at += step) {
        outgoing.write(bytes.subarray(at, at + step));
        await wait(fault.ms);
      }
      outgoing.end();
    }
  }
}
