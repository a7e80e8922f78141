import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** One HTTP message: the first line, headers by lower-case name, and the body as text. */
export interface Message {
  readonly from: 'client' | 'service';
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Records the HTTP messages that this process's client writes and reads. */
export interface Tap {
  /** The messages so far. */
  messages(): Message[];
  close(): void;
}

interface Exchange {
  line: string;
  sent: string;
  status: string;
  received: string;
  readonly bodies: { readonly sent: Buffer[]; readonly received: Buffer[] };
}

/** The diagnostics message of one request; one object per request. */
interface Diagnostic {
  readonly request: object & { readonly method: string; readonly path: string };
  /** Header lines as they are written. */
  readonly headers?: string;
  readonly chunk?: string | Uint8Array;
  readonly response?: { readonly statusCode: number; readonly headers: readonly Buffer[] };
}

/** Listens to requests for one origin alone. */
export function tap(origin: string): Tap {
  const exchanges = new Map<object, Exchange>();
  const on = (name: string, handle: (exchange: Exchange, diagnostic: Diagnostic) => void) => {
    const channel = `undici:${name}`;
    const listen = (message: unknown) => {
      const diagnostic = message as Diagnostic;
      if ((diagnostic.request as { origin?: unknown }).origin !== origin) return;
      const known = exchanges.get(diagnostic.request) ?? {
        line: '',
        sent: '',
        status: '',
        received: '',
        bodies: { sent: [], received: [] },
      };
      exchanges.set(diagnostic.request, known);
      handle(known, diagnostic);
    };
    subscribe(channel, listen);
    return () => unsubscribe(channel, listen);
  };
  const stops = [
    on('client:sendHeaders', (exchange, { request, headers = '' }) => {
      exchange.line = `${request.method} ${request.path}`;
      exchange.sent = headers;
    }),
    on('request:bodyChunkSent', (exchange, { chunk = '' }) => exchange.bodies.sent.push(Buffer.from(chunk))),
    on('request:headers', (exchange, { response }) => {
      exchange.status = String(response?.statusCode);
      const names = (response?.headers ?? []).map(String);
      exchange.received = names.map((name, at) => (at % 2 === 0 ? name : `: ${name}\r\n`)).join('');
    }),
    on('request:bodyChunkReceived', (exchange, { chunk = '' }) => exchange.bodies.received.push(Buffer.from(chunk))),
  ];
  return {
    messages: () =>
      [...exchanges.values()].flatMap(({ line, sent, status, received, bodies }): Message[] => [
        { from: 'client', line, headers: headersIn(sent), body: Buffer.concat(bodies.sent).toString('utf8') },
        {
          from: 'service',
          line: `${status} to ${line}`,
          headers: headersIn(received),
          body: Buffer.concat(bodies.received).toString('utf8'),
        },
      ]),
    close() {
      for (const stop of stops) stop();
    },
  };
}

const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
