import { type Call, type Endpoint, findReadBack, isRead } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Clock } from '../lib/time.ts';
import { compareWithRead } from './compare-with-read.ts';
import { appliedResult, canceledProblem, conflictProblem, deletedResult, unknownProblem } from './delivery-problems.ts';
import type { Attempt } from './response-result.ts';
import { decideRetry, type RetryDecision, settleMs } from './retry.ts';
import { sleep } from './sleep.ts';
import type { ExchangeTimes, Timeouts } from './transport.ts';
import { backoff, networkBase, refusedBase } from './wait-times.ts';

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
  const started = means.clock.now();
  const known = { attempts: 0, canReadBack: look !== undefined, inDoubt: false, isLate: false };
  const pursuit: Pursuit = { call, before, means, signal, started, look, ...known };

  for (;;) {
    pursuit.attempts++;
    const { read, arriving, edit } = means.totals;
    const times = reads
      ? { totalMs: within(read, started, means.clock.now()), arrivingMs: arriving }
      : { totalMs: edit };
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
    const elapsedMs = clock.now() - pursuit.started + waitMs;
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
  const { call, means, signal } = pursuit;
  const sight = await see(look, means, signal, pursuit.started + settleMs);
  if (sight.kind === 'blind') return giveUp(pursuit, problem);
  if (sight.kind === 'gone') return failed(sight.problem);
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

/** Remaining time of `total`, at least 1 ms, whatever the wall clock does. */
const within = (total: number, started: number, now: number): number =>
  Math.min(total, Math.max(1, total - (now - started)));

type ReadBack =
  | { readonly kind: 'seen'; readonly value: unknown }
  | { readonly kind: 'gone'; readonly problem: Problem }
  | { readonly kind: 'notOffered' }
  | { readonly kind: 'again'; readonly waitMs?: number | undefined }
  | { readonly kind: 'blind' };

/** Reads back the state after an edit, repeatedly while the network is down, until `deadline`. */
async function see(
  look: Call,
  means: DeliveryContext,
  signal: AbortSignal,
  deadline: number,
): Promise<Exclude<ReadBack, { kind: 'again' }>> {
  for (let tries = 1; ; tries++) {
    const sight = await seeOnce(look, means, signal);
    if (sight.kind !== 'again') return sight;
    const waitMs = sight.waitMs ?? backoff(tries + 1, networkBase, means.random);
    const over = tries >= 8 || means.clock.now() + waitMs >= deadline;
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
