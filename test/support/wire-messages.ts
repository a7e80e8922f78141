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

interface Heard {
  line: string;
  sent: string;
  status: string;
  came: string;
  readonly bodies: { readonly sent: Buffer[]; readonly came: Buffer[] };
}

/** The diagnostics message of one request; one object per request. */
interface Told {
  readonly request: object & { readonly method: string; readonly path: string };
  /** Header lines as they are written. */
  readonly headers?: string;
  readonly chunk?: string | Uint8Array;
  readonly response?: { readonly statusCode: number; readonly headers: readonly Buffer[] };
}

/** Listens to requests for one origin alone. */
export function tap(origin: string): Tap {
  const heard = new Map<object, Heard>();
  const on = (name: string, hear: (heard: Heard, diagnostic: Told) => void) => {
    const channel = `undici:${name}`;
    const listen = (message: unknown) => {
      const diagnostic = message as Told;
      if ((diagnostic.request as { origin?: unknown }).origin !== origin) return;
      const known = heard.get(diagnostic.request) ?? {
        line: '',
        sent: '',
        status: '',
        came: '',
        bodies: { sent: [], came: [] },
      };
      heard.set(diagnostic.request, known);
      hear(known, diagnostic);
    };
    subscribe(channel, listen);
    return () => unsubscribe(channel, listen);
  };
  const stops = [
    on('client:sendHeaders', (heard, { request, headers = '' }) => {
      heard.line = `${request.method} ${request.path}`;
      heard.sent = headers;
    }),
    on('request:bodyChunkSent', (heard, { chunk = '' }) => heard.bodies.sent.push(Buffer.from(chunk))),
    on('request:headers', (heard, { response }) => {
      heard.status = String(response?.statusCode);
      const names = (response?.headers ?? []).map(String);
      heard.came = names.map((name, at) => (at % 2 === 0 ? name : `: ${name}\r\n`)).join('');
    }),
    on('request:bodyChunkReceived', (heard, { chunk = '' }) => heard.bodies.came.push(Buffer.from(chunk))),
  ];
  return {
    messages: () =>
      [...heard.values()].flatMap(({ line, sent, status, came, bodies }): Message[] => [
        { from: 'client', line, headers: headersIn(sent), body: Buffer.concat(bodies.sent).toString('utf8') },
        {
          from: 'service',
          line: `${status} to ${line}`,
          headers: headersIn(came),
          body: Buffer.concat(bodies.came).toString('utf8'),
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
