import { type Call, isRead } from '../api/endpoint.ts';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import { findSecrets, hideParams, hideSecrets, keyHeaders } from '../api/secrets.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { areAlike } from '../lib/function-results.ts';
import { runInSlices } from '../lib/slices.ts';
import { giveBack } from '../lib/streams.ts';
import { type Clock, steadyTime } from '../lib/time.ts';
import { redactTexts } from '../lib/values.ts';
import type { Connection } from './connection.ts';
import { type GatePass, type KeyGate, keysRefused, type RateLimits, retryAfterMs } from './hold-back.ts';
import { createRedactor, holdsSecret, redactedKey } from './redact.ts';
import { readErrorBody } from './response-problem.ts';
import { isContainer } from './response-removals.ts';
import { type Attempt, judgeInSlices } from './response-result.ts';
import type { ExchangeTimes, TransportResult } from './transport.ts';
import { formatKeyHeaders, type RequestKeys, toWireRequest, type WireRequest } from './wire-request.ts';

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

/** An edit as it would be sent, in the deployment's words; its secrets are masked. */
export interface PreviewedRequest {
  readonly method: string;
  readonly url: string;
  /** JSON text. */
  readonly body: string | undefined;
}

/** Gives `preview` an edit in place of the service; what is left is that nothing was sent. */
export function previewEdit(
  { connection, vocabulary }: AttemptContext,
  call: Call,
  preview: (request: PreviewedRequest) => void,
): Result<never> {
  if (!connection.ok) return connection;
  const { endpoint, params, body } = call;
  const { secrets } = endpoint;
  const shown = { ...call, params: hideParams(params, secrets).value, body: hideSecrets(body, secrets).value };
  const wired = toWireRequest(shown, connection.base, vocabulary);
  if (!wired.ok) return wired;
  const { method, path, body: text } = wired.wired;
  preview({ method, url: `${connection.base.origin}${path}`, body: text });
  return problemResult('dryRun', `not sent (--dry-run): ${endpoint.title.toLowerCase()}`);
}

/** How many answers are remembered, and characters or bytes of all together and of one at most: what was opened once must not stay. */
interface Bounds {
  readonly answers: number;
  readonly all: number;
  readonly longest: number;
}

const wholeAnswers: Bounds = { answers: 16, all: 8_000_000, longest: 4_000_000 };
/** For reads that keep little of their answers, and that little anyway: every page of a long list. */
export const reducedAnswers: Bounds = { answers: 250, all: Infinity, longest: Infinity };
/** Apart from the others, which a search of many windows would push out. */
export const searchAnswers: Bounds = { answers: 8, all: 4_000_000, longest: 4_000_000 };

/** A request; one with a body is remembered by its series alone: the body names another moment each time. */
type AskedRequest = Pick<WireRequest, 'method' | 'path' | 'body'> & { readonly series?: string | undefined };

/** An answer, and what was made of it. */
interface Remembered {
  /** Of its body as it came. */
  readonly digest: () => string;
  readonly attempt: Attempt;
}

/**
 * The last answers of reads. Where a body comes again, what was made of the last one holds: a poll that changes nothing unpacks, searches
 * and parses nothing, and every value and row is the same object as before.
 */
interface RepeatedReads {
  /** The last answer to the same request, or of its series; undefined where other secrets were looked for in it. */
  last(request: AskedRequest, secrets: readonly string[]): Remembered | undefined;
  keep(request: AskedRequest, sent: TransportResult, attempt: Attempt, secrets: readonly string[]): void;
}

export function createRepeatedReads(bounds = wholeAnswers): RepeatedReads {
  const remembered = new Map<string, Remembered & { readonly length: number; readonly secrets: readonly string[] }>();
  const nameOf = ({ method, path, body, series }: AskedRequest) =>
    body === undefined ? `${method} ${path}` : series === undefined ? undefined : `${method} ${path} ${series}`;
  return {
    last(request, secrets) {
      const name = nameOf(request);
      const before = name === undefined ? undefined : remembered.get(name);
      return before && areAlike(before.secrets, secrets) ? before : undefined;
    },
    keep(request, sent, attempt, secrets) {
      const name = nameOf(request);
      if (sent.kind !== 'answer' || sent.digest === undefined || name === undefined) return;
      const before = remembered.get(name);
      remembered.delete(name);
      const { digest, text, bytes } = sent;
      // The body of an answer that came again is not there.
      const length = before && before.digest() === digest() ? before.length : (bytes ?? text).length;
      if (sent.status !== 200 || length > bounds.longest || !attempt.result.ok) return;
      remembered.set(name, { digest, length, attempt, secrets });
      let all = remembered.values().reduce((sum, { length }) => sum + length, 0);
      for (const [oldest, { length }] of remembered) {
        if (all <= bounds.all && remembered.size <= bounds.answers) break;
        remembered.delete(oldest);
        all -= length;
      }
    },
  };
}

/** Milliseconds after which an answer that was too large is asked for again. */
const heldMs = 600_000;
/** Requests that are remembered at most. */
const most = 100;

/** Reads whose answers were too large to read: each poll would fetch up to 8 MB of one again, only to throw it away. */
interface TooLarge {
  /** What was said of the same request, where that is not long ago. */
  last(request: string): Attempt | undefined;
  keep(request: string, attempt: Attempt): void;
}

export function createTooLarge(clock: Clock): TooLarge {
  const attempts = new Map<string, { readonly at: number; readonly attempt: Attempt }>();
  const now = steadyTime(clock);
  return {
    last(request) {
      const known = attempts.get(request);
      return known && now() - known.at < heldMs ? known.attempt : undefined;
    },
    keep(request, attempt) {
      if (attempt.result.ok || !attempt.result.problem.tooBig) return;
      if (attempts.size >= most) attempts.clear();
      attempts.set(request, { at: now(), attempt });
    },
  };
}

/** Takes the keys and the secrets of the last edits out of what the client hands on. */
interface SecretFilter {
  /** Looks for the secrets of an edit from now on: a service may repeat them in any later answer. */
  remember(call: Call): void;
  texts(): string[];
  /** Notes an answer in which the service repeats a secret. */
  note(value: unknown): void;
  withoutKeys(call: Call, value: unknown): unknown;
  /** Adds the operation to a problem and redacts secrets from its text; takes the keys out of an answer that repeats them. */
  clean(call: Call, result: Result<unknown>): Result<unknown>;
}

/** Shortest secret of an edit that is looked for in later answers, and how many: each costs a search of every answer. */
const shortestSent = 12;
const mostSent = 8;

export function createSecretFilter(keys: () => RequestKeys): SecretFilter {
  const repeating = new WeakSet<object>();
  const sent = new Set<string>();
  const texts = (): string[] => {
    const { apiKey, appKey } = keys();
    return [apiKey, appKey, ...sent];
  };
  /** The places that hold a secret stay: these are shown on request only. */
  const withoutKeys = (call: Call, value: unknown): unknown => {
    const places = call.endpoint.secrets?.map((place) => place.split('.'));
    return redactTexts(value, createRedactor(texts(), redactedKey), places);
  };
  return {
    remember(call) {
      for (const secret of findSecrets(call)) if (secret.length >= shortestSent) sent.add(secret);
      for (const oldest of [...sent].slice(0, -mostSent)) sent.delete(oldest);
    },
    texts,
    note(value) {
      if (isContainer(value)) repeating.add(value);
    },
    withoutKeys,
    clean(call, result) {
      if (result.ok) {
        if (!repeating.has(Object(result.value))) return result;
        return { ...result, value: withoutKeys(call, result.value) };
      }
      const redact = createRedactor([...texts(), ...findSecrets(call)]);
      const { kind, ...rest } = result.problem;
      const members = Object.entries(rest).map(([name, part]) => [name, redactTexts(part, redact)]);
      return { ok: false, problem: { operation: call.endpoint.id, ...Object.fromEntries(members), kind } };
    },
  };
}
