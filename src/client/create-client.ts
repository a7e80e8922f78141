import { type Call, type Endpoint, isRead } from '../api/endpoint.ts';
import { keyHeaders } from '../api/key-headers.ts';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import { findSecrets, hideParams, hideSecrets } from '../api/secrets.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { Clock } from '../lib/clock.ts';
import { giveBack } from '../lib/give-back.ts';
import { stringifyExact } from '../lib/json.ts';
import { runInSlices } from '../lib/run-in-slices.ts';
import type { Client, Purpose, Recorder } from './client.ts';
import { openConnection } from './connection.ts';
import { type Delivery, type DeliveryContext, deliver } from './deliver.ts';
import { canceledProblem } from './delivery-problems.ts';
import { readErrorBody } from './error-body.ts';
import { createKeyGate, keysRefused } from './key-gate.ts';
import { createRateLimits } from './rate-limits.ts';
import { sendRecorded } from './recorded-edit.ts';
import { createRedactor, holdsSecret, redactData, redactedKey, redactInside } from './redact.ts';
import { createRepeatedReads, reducedAnswers, searchAnswers } from './repeated-reads.ts';
import { formatKeyHeaders, type RequestKeys } from './request-keys.ts';
import { isContainer } from './response-removals.ts';
import { type Attempt, judgeInSlices } from './response-result.ts';
import { runPlan } from './run-plan.ts';
import { sleep } from './sleep.ts';
import { createTooLarge } from './too-large.ts';
import { type createTransport, type Environment, type Timeouts, timeouts } from './transport.ts';
import { retryAfterMs } from './wait-times.ts';
import { toWireRequest, type WireRequest } from './wire-request.ts';

export interface ClientOptions {
  /** Base URL as `readBaseUrl` takes it; a path prefix is allowed. */
  readonly origin: string;
  /** The keys, or where to fetch them at each request. */
  readonly keys: RequestKeys | (() => RequestKeys);
  /** The deployment's vocabulary; absent: the neutral words of the specification, which the program uses internally. */
  readonly vocabulary?: Translator | undefined;
  /** True: only reads are sent. */
  readonly readOnly: boolean;
  /** Given each edit, without keys and secrets, in place of the service: nothing is sent and nothing is recorded. */
  readonly preview?: ((request: PreviewedRequest) => void) | undefined;
  /** Records edits before they are sent; without it no edit is sent. */
  readonly recorder?: Recorder | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  /** For the proxy, and to refuse a switched-off certificate check; nothing is read from the process itself. */
  readonly environment?: Environment;
  /** Finds the read that shows whether an edit was applied; without it such edits may end as `unknown`. */
  readonly find?: (endpointId: string) => Endpoint | undefined;
  readonly timeouts?: Partial<Timeouts>;
  /** In place of sockets, which know no virtual time. */
  readonly transport?: typeof createTransport | undefined;
}

/** What an answer says, and whether it repeats a key. */
interface Judgment {
  readonly judged: Attempt;
  readonly repeats: boolean;
}

/** An edit as it would be sent, in the deployment's words; its secrets are masked. */
export interface PreviewedRequest {
  readonly method: string;
  readonly url: string;
  /** JSON text. */
  readonly body: string | undefined;
}

/** Shortest secret of an edit that is looked for in later answers, and how many: each costs a search of every answer. */
const shortestSent = 12;
const mostSent = 8;

/**
 * The program's only network access (docs/design/reliability.md). Never throws: every `send` reports options that
 * cannot work (an invalid base URL, keys that fit no header, an invalid proxy). `close` ends reads at once and waits
 * for edits in flight.
 */
export function createClient(options: ClientOptions): Client {
  const { clock, random, vocabulary } = options;
  const limits: Timeouts = { ...timeouts, ...options.timeouts };
  const line = openConnection({
    origin: options.origin,
    environment: options.environment ?? {},
    timeouts: limits,
    transport: options.transport,
  });
  const ledger = createRateLimits({ clock, random });
  const notHere = new Set<string>();
  const gate = createKeyGate();
  const closing = new AbortController();
  const count = { edits: 0 };
  /** Answers in which the service repeats a key. */
  const repeating = new WeakSet<object>();

  const keys = (): RequestKeys => (typeof options.keys === 'function' ? options.keys() : options.keys);

  /** Secrets of the last edits: a service may repeat them in any later answer. */
  const sentSecrets = new Set<string>();
  const rememberSecrets = (call: Call) => {
    for (const secret of findSecrets(call)) if (secret.length >= shortestSent) sentSecrets.add(secret);
    for (const oldest of [...sentSecrets].slice(0, -mostSent)) sentSecrets.delete(oldest);
  };
  const secretTexts = (): string[] => {
    const { apiKey, appKey } = keys();
    return [apiKey, appKey, ...sentSecrets];
  };

  function prepare(
    call: Call,
  ): { ok: true; wired: WireRequest; headers: Record<string, string> } | { ok: false; problem: Problem } {
    if (!line.ok) return line;
    const wired = toWireRequest(call, line.base, vocabulary);
    if (!wired.ok) return wired;
    const headers = formatKeyHeaders(keys(), vocabulary?.headers ?? keyHeaders);
    return headers.ok ? { ok: true, wired: wired.wired, headers: headers.headers } : headers;
  }

  const repeated = createRepeatedReads();
  const repeatedReduced = createRepeatedReads(reducedAnswers);
  const repeatedSearches = createRepeatedReads(searchAnswers);
  const tooLarge = createTooLarge(clock);
  const means: DeliveryContext = {
    clock,
    random,
    totals: limits,
    find: options.find ?? (() => undefined),
    mayRetry: ledger.retry,
    async attempt(call, totalMs, signal) {
      const { endpoint } = call;
      const ready = prepare(call);
      if (!ready.ok) return { seen: { kind: 'final' }, result: ready };
      if (!line.ok) return { seen: { kind: 'final' }, result: line };
      const pass = gate.pass(keys());
      if (!pass) return { seen: { kind: 'final' }, result: { ok: false, problem: keysRefused(endpoint.id) } };
      const as = isRead(endpoint) ? 'read' : 'edit';
      const name = `${ready.wired.method} ${ready.wired.path}`;
      const held = call.reduce && tooLarge.last(name);
      if (held) return held;
      const memory = call.reduce ? repeatedReduced : call.series === undefined ? repeated : repeatedSearches;
      const request = { ...ready.wired, series: call.series };
      const secrets = secretTexts();
      const before = as === 'read' ? memory.last(request, secrets) : undefined;
      const sent = await line.transport.exchange(ready.wired, {
        as,
        keys: ready.headers,
        totalMs,
        signal,
        known: before?.digest(),
      });
      const headers = sent.kind === 'answer' ? sent.headers : {};
      if (sent.kind === 'answer') {
        ledger.note(endpoint.id, as, sent.status, headers);
        pass.answered(sent.status, sent.status === 401 ? readErrorBody(sent.text).words : []);
      }
      const waitMs = retryAfterMs(headers, clock.now(), random, as);
      const { host } = line.base;
      const isKnown = before !== undefined && sent.kind === 'answer' && sent.digest?.() === before.digest();
      const judgeAnswer = async (): Promise<Judgment> => {
        const said = sent.kind === 'answer' ? (sent.bytes ?? sent.text) : '';
        const repeats = await runInSlices(holdsSecret(secretTexts(), said));
        const judged = await runInSlices(judgeInSlices(endpoint, sent, host, waitMs, vocabulary));
        if (!call.reduce || !judged.result.ok) return { judged, repeats };
        return { judged: await reduced(call, judged.result, repeats), repeats };
      };
      const { judged, repeats } = isKnown ? { judged: before.attempt, repeats: false } : await judgeAnswer();
      // What is reduced has lost its keys for good, which are others after the next edit.
      if (as === 'read' && !(call.reduce && repeats)) memory.keep(request, sent, judged, secrets);
      if (sent.kind === 'answer' && sent.bytes) giveBack(sent.bytes);
      if (call.reduce) tooLarge.keep(name, judged);
      if (judged.result.ok) {
        ledger.succeeded();
        notHere.delete(endpoint.id);
        const { value } = judged.result;
        if (repeats && !call.reduce && isContainer(value)) repeating.add(value);
      } else if (judged.result.problem.kind === 'notOffered') {
        notHere.add(endpoint.id);
      }
      return judged;
    },
  };

  /** What is kept of an answer, made without the keys that it repeats. */
  async function reduced(
    call: Call,
    answer: Extract<Result<unknown>, { ok: true }>,
    repeats: boolean,
  ): Promise<Attempt> {
    const value = repeats ? withoutKeys(call, answer.value) : answer.value;
    const kept = call.reduce && (await runInSlices(call.reduce(value as never)));
    return { seen: { kind: 'final' }, result: { ...answer, value: kept } };
  }

  const withoutKeys = (call: Call, value: unknown): unknown =>
    redactData(value, createRedactor(secretTexts(), redactedKey), call.endpoint.secrets);

  /** Adds the operation to a problem and redacts secrets from its text; takes the keys out of an answer that repeats them. */
  function clean(call: Call, result: Result<unknown>): Result<unknown> {
    if (result.ok) {
      if (!repeating.has(Object(result.value))) return result;
      return { ...result, value: withoutKeys(call, result.value) };
    }
    const redact = createRedactor([...secretTexts(), ...findSecrets(call)]);
    const { kind, ...rest } = result.problem;
    const words = redactInside(rest, redact) as Omit<Problem, 'kind'>;
    return { ok: false, problem: { operation: call.endpoint.id, ...words, kind } };
  }

  async function follow(call: Call, before: unknown, signal: AbortSignal): Promise<Delivery> {
    const pursuit = await deliver(call, before, means, signal);
    return { ...pursuit, result: clean(call, pursuit.result) };
  }

  async function read(call: Call, signal: AbortSignal | undefined): Promise<Result<unknown>> {
    const either = new AbortController();
    const end = () => either.abort();
    const signals = [closing.signal, ...(signal ? [signal] : [])];
    if (signals.some((signal) => signal.aborted)) return { ok: false, problem: canceledProblem(call) };
    for (const signal of signals) signal.addEventListener('abort', end);
    try {
      return (await follow(call, undefined, either.signal)).result;
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }

  function show(call: Call, preview: (request: PreviewedRequest) => void): Result<never> {
    if (!line.ok) return line;
    const { endpoint, params, body } = call;
    const { secrets } = endpoint;
    const shown = { ...call, params: hideParams(params, secrets).value, body: hideSecrets(body, secrets).value };
    const wired = toWireRequest(shown, line.base, vocabulary);
    if (!wired.ok) return wired;
    const { method, path, body: text } = wired.wired;
    preview({ method, url: `${line.base.origin}${path}`, body: text });
    return problemResult('dryRun', `not sent (--dry-run): ${endpoint.title.toLowerCase()}`);
  }

  async function edit(
    call: Call,
    signal: AbortSignal | undefined,
    purpose: Purpose | undefined,
  ): Promise<Result<unknown>> {
    if (options.preview) return show(call, options.preview);
    if (options.readOnly) return problemResult('readOnly', 'not sent: this profile is read-only');
    if (stringifyExact(call.body).includes(redactedKey))
      return problemResult(
        'invalid',
        `not sent: ${redactedKey} stands for a key that the service repeats in this text, and would overwrite it`,
      );
    if (closing.signal.aborted || signal?.aborted) return { ok: false, problem: canceledProblem(call) };
    const ready = prepare(call);
    if (!ready.ok) return ready;
    rememberSecrets(call);
    // Before the journal: a request that cannot be sent is no intent.
    if (gate.isShut(keys())) return { ok: false, problem: keysRefused(call.endpoint.id) };
    const given = purpose ?? { action: 'call', target: { id: Object.values(call.params).join(' '), name: '' } };
    const why = call.before === undefined ? given : { ...given, before: call.before };
    count.edits++;
    try {
      const until = signal ?? new AbortController().signal;
      return await sendRecorded(call, why, options.recorder, () => follow(call, why.before, until));
    } finally {
      count.edits--;
    }
  }

  async function send(call: Call, how: { signal?: AbortSignal; purpose?: Purpose } = {}): Promise<Result<unknown>> {
    const sent = isRead(call.endpoint) ? read(call, how.signal) : edit(call, how.signal, how.purpose);
    return clean(call, await sent);
  }

  return {
    vocabulary,
    origin: line.ok ? line.base.href.replace(/\/+$/, '') : options.origin,
    ends() {
      const { apiKey, appKey } = keys();
      return { apiKey: endOf(apiKey), appKey: endOf(appKey) };
    },
    send: async <A>(call: Call<A>, how?: { readonly signal?: AbortSignal; readonly purpose?: Purpose }) =>
      (await send(call, how)) as Result<A>,
    run: (plan, how = {}) =>
      runPlan(
        plan,
        (call) => send(call, how),
        how.partial,
        (ms) => sleep(clock, ms, how.signal ?? new AbortController().signal),
      ),
    offered: (endpointId) => !notHere.has(endpointId),
    budgets: ledger.budgets,
    holdBack: ledger.holdBack,
    slowdown: ledger.slowdown,
    refusals: ledger.refusals,
    inFlight: () => count.edits,
    keysRefused: () => gate.isShut(keys()),
    async close() {
      closing.abort();
      if (line.ok) await line.transport.close();
    },
  };
}

/** The last four characters, only of keys of at least sixteen. */
const endOf = (key: string): string => (key.length >= 16 ? key.slice(-4) : '');
