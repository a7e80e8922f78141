import { type Endpoint, rawCall } from '../api/endpoint.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { Clock } from '../lib/time.ts';
import { openConnection } from './connection.ts';
import { problemOfAnswer, problemOfFailure } from './response-problem.ts';
import { type Environment, timeouts } from './transport.ts';
import { toWireRequest } from './wire-request.ts';

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
