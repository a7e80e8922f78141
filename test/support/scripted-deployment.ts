import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { stringifyExact } from '../../src/lib/json.ts';
import { createTestClock } from './clock.ts';
import type { Place } from './connected.ts';
import { type Seat, seated, type User } from './person.ts';
import { hangUp, type Received, serve } from './scripted-server.ts';

/** One scripted response. */
export interface Odd {
  readonly status?: number;
  /** A string or bytes are sent unchanged, other values as exact JSON; undefined = no body. */
  readonly body?: unknown;
  /** Content type; `application/json` unless told otherwise, null for none. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly packed?: 'gzip' | 'br' | 'deflate' | 'raw deflate';
  /** Closes the connection without a response. */
  readonly cut?: boolean;
}

/** Answers by `METHOD /path`; `*` in a path stands for one segment. Other paths respond with an HTML 404 page. */
export type Answers = Readonly<Record<string, Odd | ((request: Received, nth: number) => Odd)>>;

/** A server with scripted responses, which can be replaced while it runs. */
export interface Foreign extends Place {
  readonly received: readonly Received[];
  /** Replaces the responses of these operations. */
  answers(more: Answers): void;
  /** Requests of `METHOD /path`, oldest first. */
  asked(line: string): readonly Received[];
}

const packers = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  'raw deflate': deflateRawSync,
} as const;

/** An HTML page as a response. */
export const page = (title: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>no</body></html>`;
export const html = { type: 'text/html; charset=utf-8' } as const;

/** A web server's HTML 404 page. */
const nothingHere: Odd = {
  ...html,
  status: 404,
  body: page('404 Not Found'),
};

/** Listens on loopback and responds as scripted, below `prefix`; stops at the end of the test. */
export async function foreign(script: Answers, prefix = ''): Promise<Foreign> {
  const now = { ...script };
  const count = new Map<string, number>();
  const { origin, received } = await serve((request, answer) => {
    const path = pathOf(request);
    const line = `${request.method} ${path.startsWith(prefix) ? path.slice(prefix.length) : path}`;
    const name = Object.keys(now).find((name) => isLike(name, line));
    const nth = (count.get(name ?? '') ?? 0) + 1;
    count.set(name ?? '', nth);
    const found = name === undefined ? nothingHere : now[name];
    give(answer, typeof found === 'function' ? found(request, nth) : (found ?? nothingHere));
  });
  return {
    url: `${origin}${prefix}`,
    apiKey: 'an-api-key-of-a-foreign-deployment',
    appKey: 'an-application-key-of-a-foreign-deployment',
    received,
    answers: (more) => Object.assign(now, more),
    asked: (line) =>
      received.filter((request) => isLike(line, `${request.method} ${pathOf(request).slice(prefix.length)}`)),
  };
}

const pathOf = (request: Received): string => request.url.split('?')[0] ?? '';

function isLike(pattern: string, line: string): boolean {
  const [parts, asked] = [pattern.split('/'), line.split('/')];
  return parts.length === asked.length && parts.every((part, at) => part === '*' || part === asked[at]);
}

function give(answer: ServerResponse, odd: Odd): void {
  if (odd.cut) {
    hangUp(answer);
    return;
  }
  const { body, packed, type = 'application/json' } = odd;
  const plain =
    Buffer.isBuffer(body) || typeof body === 'string' ? body : body === undefined ? '' : stringifyExact(body);
  const bytes = packed ? packers[packed](plain) : Buffer.from(plain);
  const status = odd.status ?? 200;
  answer.writeHead(status, {
    ...(type === null ? {} : { 'content-type': type }),
    ...(status === 204 ? {} : { 'content-length': bytes.length }),
    ...(packed ? { 'content-encoding': packed.replace('raw ', '') } : {}),
    ...odd.headers,
  });
  answer.end(status === 204 ? undefined : bytes);
}

/** The whole dashboard over a scripted deployment. `settles` waits for a text and ends waits of retries at once. */
export async function over(
  script: Answers,
  story: (user: User & { settles(what: string | RegExp): Promise<void> }, service: Foreign) => Promise<void>,
  seat: Seat & { prefix?: string } = {},
): Promise<void> {
  const noIssues = { 'POST /api/v2/error-tracking/issues/search': { body: { data: [] } } };
  const service = await foreign({ ...noIssues, ...script }, seat.prefix);
  const clock = createTestClock();
  const wide = { columns: 220, rows: 40, pollMs: 300_000, ...seat };
  const settles = (user: User) => async (what: string | RegExp) => {
    const shows = async () => {
      const screen = await user.screen();
      return typeof what === 'string' ? screen.includes(what) : what.test(screen);
    };
    // Eight attempts with waits between them end after 90 seconds at most.
    for (let tries = 0; tries < 120 && !(await shows()); tries += 1) await clock.passes('1s');
    await user.sees(what);
  };
  await seated(service, clock, (user) => story(Object.assign(user, { settles: settles(user) }), service), wide);
}
