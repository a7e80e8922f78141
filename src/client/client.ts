import { type Call, type Endpoint, isRead, type Plan } from '../api/endpoint.ts';
import { problemResult, type Result } from '../api/problem.ts';
import { endOf } from '../api/secrets.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { stringifyExact } from '../lib/json.ts';
import type { Clock } from '../lib/time.ts';
import { openConnection } from './connection.ts';
import { canceledProblem, type Delivery, type DeliveryContext, deliver } from './deliver.ts';
import { type Budget, createKeyGate, createRateLimits, keysRefused, sleep } from './hold-back.ts';
import { redactedKey } from './redact.ts';
import {
  type AttemptContext,
  createRepeatedReads,
  createSecretFilter,
  createTooLarge,
  type PreviewedRequest,
  prepareRequest,
  previewEdit,
  reducedAnswers,
  searchAnswers,
  sendOnce,
} from './send-once.ts';
import { type createTransport, type Environment, type Timeouts, timeouts } from './transport.ts';
import type { RequestKeys } from './wire-request.ts';

/** Purpose of an edit, for the journal and for messages about an unknown outcome. */
export interface Purpose {
  /** Id of the action, or `call` for a bare operation. */
  readonly action: string;
  readonly target: { readonly id: string; readonly name: string };
  /** The row before, without secrets. */
  readonly before?: unknown;
  /** Edits of one key press share a group; one `u` undoes them all. */
  readonly group?: string;
  /** The group of an edit that was undone, and that this one makes again. */
  readonly redoes?: string;
  /** Called with the id of its entry, once that is written. */
  recorded?(entry: string): void;
}

/** Records edits. `intent` returns only after the line is on the disk. */
export interface Recorder {
  intent(call: Call, purpose: Purpose): Promise<Result<string>>;
  /** `result`: what the request ended with, which names what it has made. */
  outcome(entry: string, outcome: CallOutcome, result?: Result<unknown>): Promise<void>;
}

export type CallOutcome = {
  readonly state: 'applied' | 'refused' | 'unknown';
  readonly attempts: number;
  readonly status?: number;
  readonly text?: string;
  /** Id of what a create has made, where the answer tells it. */
  readonly made?: string;
};

/** The program's only network access. Never throws for failures of a network or a service. */
export interface Client {
  readonly origin: string;
  /** The deployment's vocabulary, where it has one. */
  readonly vocabulary?: Translator | undefined;
  /** Last four characters of the keys in use; empty for keys shorter than 16 characters. */
  ends(): { readonly apiKey: string; readonly appKey: string };
  send<A>(call: Call<A>, how?: { readonly signal?: AbortSignal; readonly purpose?: Purpose }): Promise<Result<A>>;
  /** Opens the connection of an edit that is likely to come, which waits for it three seconds; nothing where no edit is sent. */
  expectEdit(): void;
  /** Runs a plan to its end; `partial` is given what the plan shows on the way. */
  run<T, Shown>(
    plan: Plan<T, Shown>,
    how?: { readonly signal?: AbortSignal; readonly purpose?: Purpose; readonly partial?: (value: Shown) => void },
  ): Promise<T>;
  /** False once the deployment has answered 404 or 405 for the operation itself. */
  offered(endpointId: string): boolean;
  budgets(): readonly Budget[];
  /** Milliseconds that polls should wait for rate limits; 0 = none. With an endpoint's id: polls of that operation alone. */
  holdBack(endpointId?: string): number;
  /** How many times as long polls should wait, from 1 on, because many clients share a rate limit. */
  slowdown(which?: 'shared'): number;
  /** Number of 429 answers so far. */
  refusals(): number;
  /** True when no request is sent any more because the service refused the keys; needs a client with other keys. */
  keysRefused(): boolean;
  close(): Promise<void>;
}

/**
 * Writes the intent to the journal, sends the edit, writes the outcome. An edit whose intent cannot be written is not
 * sent (docs/design/reliability.md#journal).
 */
export async function sendRecorded(
  call: Call,
  purpose: Purpose,
  recorder: Recorder | undefined,
  send: () => Promise<Delivery>,
): Promise<Result<unknown>> {
  if (recorder === undefined) return problemResult('unrecorded', 'nothing was sent: there is no journal');
  const entry = await recorder
    .intent(call, purpose)
    .catch(() => problemResult('unrecorded', 'nothing was sent: the journal cannot be written'));
  if (!entry.ok) return { ok: false, problem: { ...entry.problem, kind: 'unrecorded' } };
  purpose.recorded?.(entry.value);
  const pursuit = await send();
  // The result does not depend on the disk; the next start lists the edit as one without an outcome.
  await recorder.outcome(entry.value, outcomeOf(pursuit), pursuit.result).catch(() => {});
  return pursuit.result;
}

function outcomeOf({ result, attempts, inDoubt }: Delivery): CallOutcome {
  if (result.ok) return { state: 'applied', attempts, status: result.status };
  const { kind, status, text } = result.problem;
  const state = inDoubt || kind === 'unknown' ? 'unknown' : 'refused';
  return { state, attempts, text, ...(status !== undefined && { status }) };
}

/** Thrown into a plan that looks at the answer of an edit which was shown instead of sent. */
class AnswerNeeded extends Error {}

const needed = (): never => {
  throw new AnswerNeeded();
};
const unknownAnswer: Result<unknown> = {
  ok: true,
  value: new Proxy({}, { get: needed, has: needed, ownKeys: needed, getOwnPropertyDescriptor: needed }),
  status: 200,
  unread: [],
};

type Send = (call: Call) => Promise<Result<unknown>>;

/** A call that was sent, before the plan has come to it or since, and the one that follows it, once that is known. */
interface Asked {
  readonly key: string;
  readonly answer: Promise<Result<unknown>>;
  following?: Call | undefined;
}

/** Sends the page after one (`next`) while that is still read, as soon as the plan has come to the first: two are under way at most. */
function sendAhead(send: Send): Send {
  let early: Asked | undefined;
  const beginNext = ({ following }: Asked) => {
    if (following && !early) early = begin(following);
  };
  const begin = (call: Call): Asked => {
    const { key, next } = call;
    const tells: Call['next'] = (count, last) => {
      asked.following = next?.(count, last);
      beginNext(asked);
      return undefined;
    };
    const asked: Asked = { key, answer: send(next ? { ...call, next: tells } : call) };
    return asked;
  };
  return (call) => {
    const asked = early?.key === call.key ? early : begin(call);
    if (asked === early) early = undefined;
    beginNext(asked);
    return asked.answer;
  };
}

/** What is said of a plan that was not followed to its end. */
const mayGoOn = 'what follows depends on the answer';

/**
 * Runs a plan to its end: every call it yields is sent and answered, every partial is handed to `partial`, and where it
 * pauses, `wait` lets the time pass. Where `send` shows an edit instead (`dryRun`), the plan goes on as if it had succeeded,
 * until it looks at the answer or reads what the edit would have changed; the result is that refusal, and its messages say
 * whether more may follow.
 * Throws only what the plan itself throws, which is a bug.
 */
export async function runPlan<T, Shown>(
  plan: Plan<T, Shown>,
  send: Send,
  partial: (value: Shown) => void = () => {},
  wait: (ms: number) => Promise<unknown> = async () => {},
): Promise<T> {
  // The result sent back for a partial is ignored; the generator type requires one.
  const shown: Result<unknown> = { ok: true, value: undefined, status: 0, unread: [] };
  let shownInstead: Extract<Result<unknown>, { readonly ok: false }> | undefined;
  const asks = sendAhead(send);
  const answerCall = async (call: Call): Promise<Result<unknown>> => {
    if (shownInstead && isRead(call.endpoint)) needed();
    const answer = await asks(call);
    if (answer.ok || answer.problem.kind !== 'dryRun') return answer;
    shownInstead ??= answer;
    return unknownAnswer;
  };
  try {
    let step = plan.next();
    while (!step.done) {
      if ('endpoint' in step.value) {
        step = plan.next(await answerCall(step.value));
      } else {
        if ('partial' in step.value) partial(step.value.partial);
        else await wait(step.value.pauseMs);
        step = plan.next(shown);
      }
    }
    return shownInstead ? (shownInstead as T) : step.value;
  } catch (error) {
    if (!(error instanceof AnswerNeeded) || !shownInstead) throw error;
    return { ...shownInstead, problem: { ...shownInstead.problem, messages: [mayGoOn] } } as T;
  }
}

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
  return { ...context, options, delivery, closing: new AbortController() };
}

async function send(
  state: ClientState,
  call: Call,
  how: { readonly signal?: AbortSignal; readonly purpose?: Purpose } = {},
): Promise<Result<unknown>> {
  const sent = isRead(call.endpoint) ? read(state, call, how.signal) : edit(state, call, how.signal, how.purpose);
  return state.secrets.clean(call, await sent);
}

async function read(state: ClientState, call: Call, signal: AbortSignal | undefined): Promise<Result<unknown>> {
  const either = new AbortController();
  const end = () => either.abort();
  const signals = [state.closing.signal, ...(signal ? [signal] : [])];
  if (signals.some((signal) => signal.aborted)) return { ok: false, problem: canceledProblem(call) };
  for (const signal of signals) signal.addEventListener('abort', end);
  try {
    return (await deliver(call, undefined, state.delivery, either.signal)).result;
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
  const { options } = state;
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
  const until = signal ?? new AbortController().signal;
  return sendRecorded(call, why, options.recorder, async () => {
    const delivery = await deliver(call, why.before, state.delivery, until);
    return { ...delivery, result: state.secrets.clean(call, delivery.result) };
  });
}
