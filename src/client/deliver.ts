import { type Call, type Endpoint, findReadBack, isRead, type Repeat } from '../api/endpoint.ts';
import { type Problem, type Result, toResult } from '../api/problem.ts';
import { hideSecrets } from '../api/secrets.ts';
import { type Clock, steadyTime } from '../lib/time.ts';
import { compareWithRead } from './check-edit.ts';
import { backoff, networkBase, refusedBase, sleep } from './hold-back.ts';
import { read } from './read-response.ts';
import type { Attempt, AttemptOutcome } from './response-result.ts';
import type { ExchangeTimes, Timeouts } from './transport.ts';

/** Problem of an edit with unknown outcome, with the values sent and the values read. */
export function unknownProblem(call: Call, last: Problem, theirs?: unknown): Problem {
  const { endpoint } = call;
  return {
    ...last,
    kind: 'unknown',
    text: `outcome unknown (${last.text}); check before you repeat it`,
    operation: endpoint.id,
    doubt: { ours: oursOf(call), ...(theirs !== undefined && { theirs: theirsOf(call, theirs) }) },
  };
}

/** Problem of an edit whose read-back shows neither our values nor those before: somebody else changed them. */
export function conflictProblem(call: Call, theirs: unknown): Problem {
  const { endpoint } = call;
  return {
    kind: 'conflict',
    text: 'another user has changed it since, so it was not sent again',
    messages: [],
    operation: endpoint.id,
    doubt: { ours: oursOf(call), theirs: theirsOf(call, theirs) },
  };
}

/** Problem of a request canceled before it was sent. */
export function canceledProblem(call: Call): Problem {
  return { kind: 'canceled', text: 'canceled before it was sent', messages: [], operation: call.endpoint.id };
}

/** Result of a repeated delete that finds nothing: the first one was applied. */
function deletedResult(problem: Problem): Result<unknown> {
  return { ok: true, value: undefined, status: problem.status ?? 404, unread: [] };
}

/**
 * Result of an edit without a response whose effect a fresh read shows; the value is what of the read fits the
 * response schema.
 */
export function appliedResult(call: Call, seen: unknown): Result<unknown> {
  const reading = read(call.endpoint.response, seen, false);
  return toResult(reading.ok ? reading.value : undefined);
}

const theirsOf = (call: Call, theirs: unknown): unknown => hideSecrets(theirs, call.endpoint.secrets).value;

function oursOf(call: Call): unknown {
  if (call.body !== undefined) return hideSecrets(call.body, call.endpoint.secrets).value;
  return Object.keys(call.query).length > 0 ? call.query : undefined;
}

/**
 * `unknown`: stop with an unknown outcome. `readBack`: read the object before anything else; `lastLook`: read it, and send
 * nothing more.
 */
type RetryDecision = 'end' | 'again' | 'readBack' | 'lastLook' | 'unknown';

interface RetryState {
  readonly repeat: Repeat;
  readonly seen: AttemptOutcome;
  /** Attempts so far, at least 1. */
  readonly attempts: number;
  /** Milliseconds since the first attempt began, plus the wait that would come next. */
  readonly elapsedMs: number;
  /** Whether the deployment has a read that shows what became of the edit. */
  readonly canReadBack: boolean;
}

/** Attempts at an unreachable service. */
const mostUnsent = 3;

/** Milliseconds within which an edit is sent again: later it might overwrite somebody else's change. */
const resendWithinMs = 10_000;

/** How long an unknown outcome is followed up, in milliseconds. */
const settleMs = 120_000;

const limits: Record<Repeat, { readonly attempts: number; readonly ms: number }> = {
  read: { attempts: 3, ms: 20_000 },
  settable: { attempts: 8, ms: settleMs },
  delete: { attempts: 8, ms: settleMs },
  once: { attempts: 8, ms: settleMs },
  replace: { attempts: 3, ms: 10_000 },
};

/** What to do after an attempt, by the class of the operation and never by its method (docs/design/reliability.md#retry-by-operation). */
export function decideRetry({ repeat, seen, attempts, elapsedMs, canReadBack }: RetryState): RetryDecision {
  const limit = limits[repeat];
  const mayGoOn = attempts < limit.attempts && elapsedMs < limit.ms;
  switch (seen.kind) {
    case 'final':
      return 'end';
    case 'unsent':
      return mayGoOn && attempts < mostUnsent ? 'again' : 'end';
    case 'refused':
      // After a wait, the object may have changed since it was read, and a replacement would undo that.
      return mayGoOn && repeat !== 'replace' ? 'again' : 'end';
    case 'doubt':
      return decideInDoubt(repeat, mayGoOn, elapsedMs, canReadBack);
  }
}

/** What to do after an attempt of which it is unknown whether it was applied. */
function decideInDoubt(repeat: Repeat, mayGoOn: boolean, elapsedMs: number, canReadBack: boolean): RetryDecision {
  switch (repeat) {
    case 'read':
      return mayGoOn ? 'again' : 'end';
    case 'delete':
      return mayGoOn ? 'again' : 'unknown';
    case 'settable':
      if (canReadBack) return mayGoOn ? 'readBack' : 'lastLook';
      return mayGoOn && elapsedMs < resendWithinMs ? 'again' : 'unknown';
    default:
      return 'unknown';
  }
}

/** Final result of a call, how many times it was sent, and whether the outcome stayed unknown. */
export interface Delivery {
  readonly result: Result<unknown>;
  readonly attempts: number;
  readonly inDoubt: boolean;
}

/** Dependencies of `deliver`. */
export interface DeliveryContext {
  readonly clock: Clock;
  readonly random: () => number;
  readonly totals: Pick<Timeouts, 'read' | 'arriving' | 'edit'>;
  /** Sends once. */
  attempt(call: Call, times: ExchangeTimes, signal: AbortSignal): Promise<Attempt>;
  /** Takes a retry from the budget; false when it is empty. */
  mayRetry(as: 'read' | 'edit'): boolean;
  find(endpointId: string): Endpoint | undefined;
}

/** A call on its way, and what is known of its outcome. */
interface Pursuit {
  readonly call: Call;
  readonly before: unknown;
  readonly means: DeliveryContext;
  readonly signal: AbortSignal;
  /** The time, also where the clock is set back meanwhile. */
  now(): number;
  readonly started: number;
  /** The read that shows what became of the edit. */
  readonly look: Call | undefined;
  attempts: number;
  canReadBack: boolean;
  /** Whether an attempt may have been applied. */
  inDoubt: boolean;
  /** Whether the service may still be at work on an attempt. */
  isLate: boolean;
}

/**
 * Sends a call, with retries where its class allows them. An edit without a clear response is read back; where that
 * does not show the outcome, the result is a problem of kind `unknown` (docs/design/reliability.md#retry-by-operation). `before` is the
 * row before the edit, to tell our edit from somebody else's.
 */
export async function deliver(
  call: Call,
  before: unknown,
  means: DeliveryContext,
  signal: AbortSignal,
): Promise<Delivery> {
  const reads = isRead(call.endpoint);
  const look = findReadBack(call, means.find);
  const now = steadyTime(means.clock);
  const started = now();
  const known = { attempts: 0, canReadBack: look !== undefined, inDoubt: false, isLate: false };
  const pursuit: Pursuit = { call, before, means, signal, now, started, look, ...known };

  for (;;) {
    pursuit.attempts++;
    const { read, arriving, edit } = means.totals;
    const times = reads ? { totalMs: Math.max(1, read - (now() - started)), arrivingMs: arriving } : { totalMs: edit };
    const { seen, result } = await means.attempt(call, times, signal);
    const final = result.ok ? result : await settleFailure(pursuit, seen, result.problem);
    if (final) return { result: final, attempts: pursuit.attempts, inDoubt: pursuit.inDoubt && !final.ok };
  }
}

const failed = (problem: Problem): Result<unknown> => ({ ok: false, problem });

/** The final result after an attempt that failed with `problem`; undefined where the call is to be sent again, after a wait. */
async function settleFailure(
  pursuit: Pursuit,
  seen: Attempt['seen'],
  problem: Problem,
): Promise<Result<unknown> | undefined> {
  const { call, look, means, signal, attempts } = pursuit;
  const { clock } = means;
  const { repeat } = call.endpoint;
  const reads = isRead(call.endpoint);
  if (pursuit.inDoubt && repeat === 'delete' && problem.kind === 'notFound') return deletedResult(problem);
  noteDoubt(pursuit, seen);

  const waitMs = waitAfter(seen, attempts, means.random);
  const decide = () => {
    const elapsedMs = pursuit.now() - pursuit.started + waitMs;
    return decideRetry({ repeat, seen, attempts, elapsedMs, canReadBack: pursuit.canReadBack });
  };
  const first = decide();
  if (repeat === 'replace' && first === 'unknown' && look) {
    const sight = await seeOnce(look, means, signal);
    return failed(unknownProblem(call, problem, sight.kind === 'seen' ? sight.value : undefined));
  }
  if (first === 'end' || first === 'unknown') return giveUp(pursuit, problem);
  if (!(await sleep(clock, waitMs, signal))) return giveUp(pursuit, problem);

  if (first !== 'again' && look) {
    const found = await readBack(pursuit, look, problem, first, decide);
    if (found !== 'again') return found;
  }
  return means.mayRetry(reads ? 'read' : 'edit') ? undefined : giveUp(pursuit, problem);
}

function noteDoubt(pursuit: Pursuit, seen: Attempt['seen']): void {
  if (seen.kind !== 'doubt') return;
  pursuit.inDoubt ||= !isRead(pursuit.call.endpoint);
  pursuit.isLate ||= seen.isLate === true;
}

function giveUp({ call, signal, inDoubt }: Pursuit, problem: Problem): Result<unknown> {
  if (inDoubt) return failed(unknownProblem(call, problem));
  return failed(signal.aborted ? canceledProblem(call) : problem);
}

/** The result that the state after an edit shows; `again` where nothing shows against sending it once more. */
async function readBack(
  pursuit: Pursuit,
  look: Call,
  problem: Problem,
  first: RetryDecision,
  decide: () => RetryDecision,
): Promise<Result<unknown> | 'again'> {
  const { call } = pursuit;
  const sight = await see(pursuit, look);
  if (sight.kind === 'blind') return giveUp(pursuit, problem);
  if (sight.kind === 'gone') {
    // Whether it was applied or not, nothing is left to check.
    pursuit.inDoubt = false;
    return failed(sight.problem);
  }
  if (sight.kind === 'notOffered') {
    pursuit.canReadBack = false;
    return decide() === 'again' ? 'again' : giveUp(pursuit, problem);
  }
  const stands = compareWithRead(call, sight.value, pursuit.before);
  // A 204 says that it was done, and what stands now is for the receipt.
  if (stands === 'ours' || (call.endpoint.mayBeEmpty && problem.status === 204))
    return appliedResult(call, sight.value);
  if (stands === 'other') return failed(conflictProblem(call, sight.value));
  // To send it again might overwrite what somebody else has set meanwhile.
  if (stands === 'unclear') return failed(unknownProblem(call, problem, sight.value));
  // Unchanged: no attempt had an effect, so a later refusal is certain, unless the service is still at work on one.
  pursuit.inDoubt = pursuit.isLate;
  return first === 'lastLook' ? giveUp(pursuit, problem) : 'again';
}

type ReadBack =
  | { readonly kind: 'seen'; readonly value: unknown }
  | { readonly kind: 'gone'; readonly problem: Problem }
  | { readonly kind: 'notOffered' }
  | { readonly kind: 'again'; readonly waitMs?: number | undefined }
  | { readonly kind: 'blind' };

/** Reads back the state after an edit, repeatedly while the network is down. */
async function see(
  { means, signal, now, started }: Pursuit,
  look: Call,
): Promise<Exclude<ReadBack, { kind: 'again' }>> {
  for (let tries = 1; ; tries++) {
    const sight = await seeOnce(look, means, signal);
    if (sight.kind !== 'again') return sight;
    const waitMs = sight.waitMs ?? backoff(tries + 1, networkBase, means.random);
    const over = tries >= 8 || now() + waitMs >= started + settleMs;
    if (over || !(await sleep(means.clock, waitMs, signal))) return { kind: 'blind' };
  }
}

async function seeOnce(look: Call, means: DeliveryContext, signal: AbortSignal): Promise<ReadBack> {
  // A person waits for the outcome of the edit.
  const totals = { ...means.totals, arriving: means.totals.read };
  const { result } = await deliver(look, undefined, { ...means, totals }, signal);
  if (result.ok) return { kind: 'seen', value: result.value };
  const { problem } = result;
  if (problem.kind === 'notFound') return { kind: 'gone', problem };
  if (problem.kind === 'notOffered') return { kind: 'notOffered' };
  if (problem.kind === 'tooMany' || problem.kind === 'unreachable') return { kind: 'again', waitMs: problem.waitMs };
  return { kind: 'blind' };
}

function waitAfter(seen: Attempt['seen'], attempts: number, random: () => number): number {
  // Half of it for certain: the attempts of an edit then last until a limit of a minute has probably started again.
  if (seen.kind === 'refused') return seen.waitMs ?? backoff(attempts - 1, refusedBase, () => (1 + random()) / 2);
  return backoff(attempts - 1, networkBase, random);
}
