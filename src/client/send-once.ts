import { type Call, isRead } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import { keyHeaders } from '../api/secrets.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { runInSlices } from '../lib/slices.ts';
import { giveBack } from '../lib/streams.ts';
import type { Clock } from '../lib/time.ts';
import type { Connection } from './connection.ts';
import { readErrorBody } from './error-body.ts';
import { type GatePass, type KeyGate, keysRefused } from './key-gate.ts';
import type { RateLimits } from './rate-limits.ts';
import { holdsSecret } from './redact.ts';
import type { RepeatedReads } from './repeated-reads.ts';
import { formatKeyHeaders, type RequestKeys } from './request-keys.ts';
import { type Attempt, judgeInSlices } from './response-result.ts';
import type { SecretFilter } from './secret-filter.ts';
import type { TooLarge } from './too-large.ts';
import type { ExchangeTimes, TransportResult } from './transport.ts';
import { retryAfterMs } from './wait-times.ts';
import { toWireRequest, type WireRequest } from './wire-request.ts';

/** What the attempts of one client share. */
export interface AttemptContext {
  readonly clock: Clock;
  readonly random: () => number;
  readonly vocabulary: Translator | undefined;
  readonly connection: Connection;
  readonly keys: () => RequestKeys;
  readonly secrets: SecretFilter;
  readonly gate: KeyGate;
  readonly rateLimits: RateLimits;
  /** Operations that the deployment does not have. */
  readonly notOffered: Set<string>;
  readonly tooLarge: TooLarge;
  readonly remembered: {
    readonly whole: RepeatedReads;
    readonly reduced: RepeatedReads;
    readonly searches: RepeatedReads;
  };
}

/** A request, and the connection that it is sent over. */
interface PreparedRequest {
  readonly ok: true;
  readonly connection: Extract<Connection, { ok: true }>;
  readonly wired: WireRequest;
  readonly headers: Record<string, string>;
}

/** What an answer says, and whether it repeats a secret. */
interface Judgment {
  readonly judged: Attempt;
  readonly repeats: boolean;
}

/** Sends a call once, within these times. */
export async function sendOnce(
  context: AttemptContext,
  call: Call,
  times: ExchangeTimes,
  signal: AbortSignal,
): Promise<Attempt> {
  const prepared = prepareRequest(context, call);
  if (!prepared.ok) return { seen: { kind: 'final' }, result: prepared };
  const pass = context.gate.pass(context.keys());
  if (!pass) return { seen: { kind: 'final' }, result: { ok: false, problem: keysRefused(call.endpoint.id) } };
  const name = `${prepared.wired.method} ${prepared.wired.path}`;
  const held = call.reduce && context.tooLarge.last(name);
  if (held) return held;
  const { judged, repeats } = await exchange(context, call, prepared, pass, times, signal);
  if (call.reduce) context.tooLarge.keep(name, judged);
  if (judged.result.ok) {
    context.rateLimits.succeeded();
    context.notOffered.delete(call.endpoint.id);
    if (repeats && !call.reduce) context.secrets.note(judged.result.value);
  } else if (judged.result.problem.kind === 'notOffered') context.notOffered.add(call.endpoint.id);
  return judged;
}

export function prepareRequest(
  { connection, vocabulary, keys }: AttemptContext,
  call: Call,
): PreparedRequest | { readonly ok: false; readonly problem: Problem } {
  if (!connection.ok) return connection;
  const wired = toWireRequest(call, connection.base, vocabulary);
  if (!wired.ok) return wired;
  const headers = formatKeyHeaders(keys(), vocabulary?.headers ?? keyHeaders);
  return headers.ok ? { ok: true, connection, wired: wired.wired, headers: headers.headers } : headers;
}

/** Sends a request and judges its answer; where the last answer comes again, what was made of it holds. */
async function exchange(
  context: AttemptContext,
  call: Call,
  { connection, wired, headers: keys }: PreparedRequest,
  pass: GatePass,
  times: ExchangeTimes,
  signal: AbortSignal,
): Promise<Judgment> {
  const { clock, random, rateLimits, remembered } = context;
  const as = isRead(call.endpoint) ? 'read' : 'edit';
  const memory = call.reduce ? remembered.reduced : call.series === undefined ? remembered.whole : remembered.searches;
  const request = { ...wired, series: call.series };
  const secrets = context.secrets.texts();
  const before = as === 'read' ? memory.last(request, secrets) : undefined;
  const sent = await connection.transport.exchange(wired, { as, keys, ...times, signal, known: before?.digest() });
  if (sent.kind === 'answer') {
    rateLimits.note(call.endpoint.id, as, sent.status, sent.headers);
    pass.answered(sent.status, sent.status === 401 ? readErrorBody(sent.text).words : []);
  }
  const waitMs = retryAfterMs(sent.kind === 'answer' ? sent.headers : {}, clock.now(), random, as);
  const isKnown = before !== undefined && sent.kind === 'answer' && sent.digest?.() === before.digest();
  const judgment = isKnown
    ? { judged: before.attempt, repeats: false }
    : await judgeAnswer(context, call, sent, connection.base.host, waitMs);
  // What is reduced has lost its keys for good, which are others after the next edit.
  if (as === 'read' && !(call.reduce && judgment.repeats)) memory.keep(request, sent, judgment.judged, secrets);
  if (sent.kind === 'answer' && sent.bytes) giveBack(sent.bytes);
  return judgment;
}

async function judgeAnswer(
  { secrets, vocabulary }: AttemptContext,
  call: Call,
  sent: TransportResult,
  host: string,
  waitMs: number | undefined,
): Promise<Judgment> {
  const said = sent.kind === 'answer' ? (sent.bytes ?? sent.text) : '';
  const repeats = await runInSlices(holdsSecret(secrets.texts(), said));
  const judged = await runInSlices(judgeInSlices(call.endpoint, sent, host, waitMs, vocabulary, call.next));
  if (!call.reduce || !judged.result.ok) return { judged, repeats };
  // What is kept of an answer is made without the keys that it repeats.
  const value = repeats ? secrets.withoutKeys(call, judged.result.value) : judged.result.value;
  const result: Result<unknown> = { ...judged.result, value: await runInSlices(call.reduce(value as never)) };
  return { judged: { seen: { kind: 'final' }, result }, repeats };
}
