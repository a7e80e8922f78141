import { type Call, type Endpoint, isRead } from '../api/endpoint.ts';
import { problemResult, type Result } from '../api/problem.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { stringifyExact } from '../lib/json.ts';
import type { Clock } from '../lib/time.ts';
import type { Client, Purpose, Recorder } from './client.ts';
import { openConnection } from './connection.ts';
import { type Delivery, type DeliveryContext, deliver } from './deliver.ts';
import { canceledProblem } from './delivery-problems.ts';
import { createKeyGate, keysRefused } from './key-gate.ts';
import { type PreviewedRequest, previewEdit } from './preview-edit.ts';
import { createRateLimits } from './rate-limits.ts';
import { sendRecorded } from './recorded-edit.ts';
import { redactedKey } from './redact.ts';
import { createRepeatedReads, reducedAnswers, searchAnswers } from './repeated-reads.ts';
import type { RequestKeys } from './request-keys.ts';
import { runPlan } from './run-plan.ts';
import { createSecretFilter } from './secret-filter.ts';
import { type AttemptContext, prepareRequest, sendOnce } from './send-once.ts';
import { sleep } from './sleep.ts';
import { createTooLarge } from './too-large.ts';
import { type createTransport, type Environment, type Timeouts, timeouts } from './transport.ts';

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

/** What the functions of one client share. */
interface ClientState extends AttemptContext {
  readonly options: ClientOptions;
  readonly delivery: DeliveryContext;
  readonly closing: AbortController;
  readonly count: { edits: number };
}

/**
 * The program's only network access (docs/design/reliability.md). Never throws: every `send` reports options that
 * cannot work (an invalid base URL, keys that fit no header, an invalid proxy). `close` ends reads at once and waits
 * for edits in flight.
 */
export function createClient(options: ClientOptions): Client {
  const state = openState(options);
  const { connection, rateLimits, gate, keys } = state;
  return {
    vocabulary: options.vocabulary,
    origin: connection.ok ? connection.base.href.replace(/\/+$/, '') : options.origin,
    ends() {
      const { apiKey, appKey } = keys();
      return { apiKey: endOf(apiKey), appKey: endOf(appKey) };
    },
    send: async <A>(call: Call<A>, how?: { readonly signal?: AbortSignal; readonly purpose?: Purpose }) =>
      (await send(state, call, how)) as Result<A>,
    expectEdit() {
      if (connection.ok && !options.readOnly && !options.preview) connection.transport.expectEdit();
    },
    run: (plan, how = {}) =>
      runPlan(
        plan,
        (call) => send(state, call, how),
        how.partial,
        (ms) => sleep(state.clock, ms, how.signal ?? new AbortController().signal),
      ),
    offered: (endpointId) => !state.notOffered.has(endpointId),
    budgets: rateLimits.budgets,
    holdBack: rateLimits.holdBack,
    slowdown: rateLimits.slowdown,
    refusals: rateLimits.refusals,
    inFlight: () => state.count.edits,
    keysRefused: () => gate.isShut(keys()),
    async close() {
      state.closing.abort();
      if (connection.ok) await connection.transport.close();
    },
  };
}

function openState(options: ClientOptions): ClientState {
  const { clock, random, vocabulary, origin, environment = {}, transport } = options;
  const totals: Timeouts = { ...timeouts, ...options.timeouts };
  const keys = (): RequestKeys => (typeof options.keys === 'function' ? options.keys() : options.keys);
  const context: AttemptContext = {
    clock,
    random,
    vocabulary,
    connection: openConnection({ origin, environment, timeouts: totals, transport }),
    keys,
    secrets: createSecretFilter(keys),
    gate: createKeyGate(),
    rateLimits: createRateLimits({ clock, random }),
    notOffered: new Set(),
    tooLarge: createTooLarge(clock),
    remembered: {
      whole: createRepeatedReads(),
      reduced: createRepeatedReads(reducedAnswers),
      searches: createRepeatedReads(searchAnswers),
    },
  };
  const delivery: DeliveryContext = {
    clock,
    random,
    totals,
    find: options.find ?? (() => undefined),
    mayRetry: context.rateLimits.retry,
    attempt: (call, times, signal) => sendOnce(context, call, times, signal),
  };
  return { ...context, options, delivery, closing: new AbortController(), count: { edits: 0 } };
}

async function send(
  state: ClientState,
  call: Call,
  how: { readonly signal?: AbortSignal; readonly purpose?: Purpose } = {},
): Promise<Result<unknown>> {
  const sent = isRead(call.endpoint) ? read(state, call, how.signal) : edit(state, call, how.signal, how.purpose);
  return state.secrets.clean(call, await sent);
}

async function follow(state: ClientState, call: Call, before: unknown, signal: AbortSignal): Promise<Delivery> {
  const delivery = await deliver(call, before, state.delivery, signal);
  return { ...delivery, result: state.secrets.clean(call, delivery.result) };
}

async function read(state: ClientState, call: Call, signal: AbortSignal | undefined): Promise<Result<unknown>> {
  const either = new AbortController();
  const end = () => either.abort();
  const signals = [state.closing.signal, ...(signal ? [signal] : [])];
  if (signals.some((signal) => signal.aborted)) return { ok: false, problem: canceledProblem(call) };
  for (const signal of signals) signal.addEventListener('abort', end);
  try {
    return (await follow(state, call, undefined, either.signal)).result;
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}

async function edit(
  state: ClientState,
  call: Call,
  signal: AbortSignal | undefined,
  purpose: Purpose | undefined,
): Promise<Result<unknown>> {
  const { options, count } = state;
  if (options.preview) return previewEdit(state, call, options.preview);
  if (options.readOnly) return problemResult('readOnly', 'not sent: this profile is read-only');
  if (stringifyExact(call.body).includes(redactedKey))
    return problemResult(
      'invalid',
      `not sent: ${redactedKey} stands for a key that the service repeats in this text, and would overwrite it`,
    );
  if (state.closing.signal.aborted || signal?.aborted) return { ok: false, problem: canceledProblem(call) };
  const prepared = prepareRequest(state, call);
  if (!prepared.ok) return prepared;
  state.secrets.remember(call);
  // Before the journal: a request that cannot be sent is no intent.
  if (state.gate.isShut(state.keys())) return { ok: false, problem: keysRefused(call.endpoint.id) };
  const given = purpose ?? { action: 'call', target: { id: Object.values(call.params).join(' '), name: '' } };
  const why = call.before === undefined ? given : { ...given, before: call.before };
  count.edits++;
  try {
    const until = signal ?? new AbortController().signal;
    return await sendRecorded(call, why, options.recorder, () => follow(state, call, why.before, until));
  } finally {
    count.edits--;
  }
}

/** The last four characters, only of keys of at least sixteen. */
export const endOf = (key: string): string => (key.length >= 16 ? key.slice(-4) : '');
