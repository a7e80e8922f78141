import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/lib/time.ts';

/** One request as a server of `serve` received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers one request; `nth` counts from 1. */
export type Behave = (request: Received, answer: ServerResponse, nth: number) => void;

/** A local server that responds as scripted by `behave`; it stops at the end of the test. */
export async function serve(behave: Behave): Promise<{ origin: string; received: Received[]; connections: Socket[] }> {
  const received: Received[] = [];
  const connections: Socket[] = [];
  const server = createServer(async (request, answer) => {
    const parts: Buffer[] = [];
    request.on('error', () => {});
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body: Buffer.concat(parts).toString() };
    behave(call, answer, received.push(call));
  });
  server.on('connection', (socket) => connections.push(socket));
  server.on('clientError', (_, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, connections };
}

/** Answers with JSON. */
export function json(
  answer: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  answer.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  answer.end(text);
}

/** Closes the connection without a response. */
export function hangUp(answer: ServerResponse): void {
  answer.socket?.destroy();
}

/** A clock whose waits end at once and are recorded. */
export function fastClock(start = 1_760_000_000_000): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  const state = { now: start };
  return {
    waits,
    now: () => state.now,
    after(ms, then) {
      const soon = setImmediate(() => {
        waits.push(ms);
        state.now += ms;
        then();
      });
      return () => clearImmediate(soon);
    },
  };
}
