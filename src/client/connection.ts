import { type Endpoint, rawCall } from '../api/endpoint.ts';
import { type Problem, problemResult } from '../api/problem.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { readBaseUrl } from '../lib/setting-values.ts';
import type { Clock } from '../lib/time.ts';
import { problemOfAnswer, problemOfFailure } from './response-problem.ts';
import { createTransport, type Environment, type Timeouts, type Transport, timeouts } from './transport.ts';
import { toWireRequest } from './wire-request.ts';

/** Connection to one deployment, or why there is none. */
export type Connection =
  | { readonly ok: true; readonly base: URL; readonly transport: Transport }
  | { readonly ok: false; readonly problem: Problem };

/** Why the program must not start in this environment, as a sentence; undefined when it may. */
export function startRefusal(environment: Environment): string | undefined {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    return 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks, so anyone could receive the keys: unset it, and set NODE_EXTRA_CA_CERTS for your own CA';
  const flag = (environment.NODE_OPTIONS ?? '').split(/[\s"']+/).find((word) => givesAway.test(word));
  if (flag !== undefined)
    return `NODE_OPTIONS has ${flag.split('=')[0]}, which could expose the keys to others: remove it`;
  const debugged = (environment.NODE_DEBUG ?? '').split(',').find(printsRequests);
  return debugged === undefined
    ? undefined
    : 'NODE_DEBUG prints requests, and keys in their paths: unset it, or remove fetch, undici, http, https, http2, net and tls from it';
}

/** Options of Node, which takes `_` for `-`, that open its inspector, write the keys of TLS, or write its memory. */
const givesAway = /^--(inspect(?!.port)|tls.keylog|heapsnapshot|heap.prof|trace.tls)/;

/** Whether Node prints requests for this part of NODE_DEBUG, in which `*` stands for anything. */
function printsRequests(part: string): boolean {
  const name = part
    .trim()
    .replace(/[|\\{}()[\]^$+?.]/g, '\\$&')
    .replaceAll('*', '.*');
  return (
    name !== '' &&
    ['fetch', 'undici', 'http', 'https', 'http2', 'net', 'tls'].some((one) => new RegExp(`^${name}$`, 'i').test(one))
  );
}

/** Sets up the connection to a base URL without sending anything; configuration errors become problems. */
export function openConnection(options: {
  readonly origin: string;
  readonly environment: Environment;
  readonly timeouts: Timeouts;
  readonly transport?: typeof createTransport | undefined;
}): Connection {
  const refused = startRefusal(options.environment);
  if (refused !== undefined) return problemResult('invalid', refused);
  const read = readBaseUrl(options.origin);
  if (!read.ok) return problemResult('invalid', read.text);
  const base = new URL(read.url);
  try {
    const { environment, timeouts, transport = createTransport } = options;
    return { ok: true, base, transport: transport({ base, environment, timeouts }) };
  } catch (error) {
    return problemResult('invalid', setUpErrorText(error));
  }
}

/** Why no connection can be set up. A TypeError tells of the proxy. */
export const setUpErrorText = (error: unknown): string =>
  error instanceof TypeError ? error.message : 'the connection cannot be set up';

/** What one request without keys shows of the way to a deployment. */
export type Link =
  | {
      readonly ok: true;
      /** Milliseconds from the request to the end of the response, on a new connection. */
      readonly ms: number;
      /** How far our clock is ahead of the service's, to a second; undefined where the response has no date. */
      readonly aheadMs?: number;
    }
  | { readonly ok: false; readonly text: string };

/** Sends one read without any key: a refusal answers as well. Never throws. */
export async function probeLink(
  endpoint: Endpoint,
  to: {
    readonly origin: string;
    readonly environment: Environment;
    readonly vocabulary?: Translator | undefined;
    readonly clock: Clock;
  },
): Promise<Link> {
  const line = openConnection({ ...to, timeouts });
  if (!line.ok) return { ok: false, text: line.problem.text };
  const wired = toWireRequest(rawCall(endpoint, {}), line.base, to.vocabulary);
  if (!wired.ok) return { ok: false, text: wired.problem.text };
  const begun = to.clock.now();
  try {
    const sent = await line.transport.exchange(wired.wired, { as: 'read', keys: {}, totalMs: timeouts.read });
    const ended = to.clock.now();
    const { host } = line.base;
    if (sent.kind === 'failure') return { ok: false, text: problemOfFailure(endpoint, sent, host).text };
    const problem = sent.status < 300 ? undefined : problemOfAnswer(endpoint, sent, host);
    if (problem?.kind === 'unreachable') return { ok: false, text: problem.text };
    const date = Date.parse(sent.headers.date ?? '');
    // The header has whole seconds: the middle of its second is compared with the middle of the exchange.
    const aheadMs = (begun + ended) / 2 - (date + 500);
    return { ok: true, ms: ended - begun, ...(Number.isNaN(date) ? {} : { aheadMs }) };
  } finally {
    await line.transport.close();
  }
}
