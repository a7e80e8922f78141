import { type Call, type Endpoint, findReadBack, isRead } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Clock } from '../lib/clock.ts';
import { compareWithRead } from './compare-with-read.ts';
import { appliedResult, canceledProblem, conflictProblem, deletedResult, unknownProblem } from './delivery-problems.ts';
import type { Attempt } from './response-result.ts';
import { decideRetry, settleMs } from './retry.ts';
import { sleep } from './sleep.ts';
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
  /** Longest time of a read with all its attempts, and of one attempt of an edit, in milliseconds. */
  readonly totals: { readonly read: number; readonly edit: number };
  /** Sends once; `totalMs` is the longest it may take. */
  attempt(call: Call, totalMs: number, signal: AbortSignal): Promise<Attempt>;
  /** Takes a retry from the budget; false when it is empty. */
  mayRetry(as: 'read' | 'edit'): boolean;
  find(endpointId: string): Endpoint | undefined;
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
  const { clock } = means;
  const { repeat } = call.endpoint;
  const reads = isRead(call.endpoint);
  const look = findReadBack(call, means.find);
  const started = clock.now();
  let canReadBack = look !== undefined;
  let inDoubt = false;
  let isLate = false;

  for (let attempts = 1; ; attempts++) {
    const total = reads ? within(means.totals.read, started, clock.now()) : means.totals.edit;
    const { seen, result } = await means.attempt(call, total, signal);
    if (result.ok) return { result, attempts, inDoubt: false };
    const { problem } = result;
    if (inDoubt && repeat === 'delete' && problem.kind === 'notFound')
      return { result: deletedResult(problem), attempts, inDoubt: false };
    inDoubt ||= seen.kind === 'doubt' && !reads;
    isLate ||= seen.kind === 'doubt' && seen.isLate === true;
    const end = (problem: Problem): Delivery => ({ result: { ok: false, problem: problem }, attempts, inDoubt });
    const giveUp = (): Delivery => {
      if (inDoubt) return end(unknownProblem(call, problem));
      return end(signal.aborted ? canceledProblem(call) : problem);
    };

    const waitMs = waitAfter(seen, attempts, means.random);
    const next = () => decideRetry({ repeat, seen, attempts, elapsedMs: clock.now() - started + waitMs, canReadBack });
    const first = next();
    if (repeat === 'replace' && first === 'unknown' && look) {
      const sight = await seeOnce(look, means, signal);
      return end(unknownProblem(call, problem, sight.kind === 'seen' ? sight.value : undefined));
    }
    if (first === 'end' || first === 'unknown') return giveUp();
    if (!(await sleep(clock, waitMs, signal))) return giveUp();

    if ((first === 'readBack' || first === 'lastLook') && look) {
      const sight = await see(look, means, signal, started + settleMs);
      if (sight.kind === 'blind') return giveUp();
      if (sight.kind === 'gone') return end(sight.problem);
      if (sight.kind === 'notOffered') {
        canReadBack = false;
        if (next() !== 'again') return giveUp();
      } else {
        const stands = compareWithRead(call, sight.value, before);
        if (stands === 'ours') return { result: appliedResult(call, sight.value), attempts, inDoubt: false };
        if (stands === 'other') return end(conflictProblem(call, sight.value));
        // To send it again might overwrite what somebody else has set meanwhile.
        if (stands === 'unclear') return end(unknownProblem(call, problem, sight.value));
        // Unchanged: no attempt had an effect, so a later refusal is certain, unless the service is still at work on one.
        inDoubt = isLate;
        if (first === 'lastLook') return giveUp();
      }
    }
    if (!means.mayRetry(reads ? 'read' : 'edit')) return giveUp();
  }
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
  const { result } = await deliver(look, undefined, means, signal);
  if (result.ok) return { kind: 'seen', value: result.value };
  const { problem } = result;
  if (problem.kind === 'notFound') return { kind: 'gone', problem };
  if (problem.kind === 'notOffered') return { kind: 'notOffered' };
  if (problem.kind === 'tooMany' || problem.kind === 'unreachable') return { kind: 'again', waitMs: problem.waitMs };
  return { kind: 'blind' };
}

function waitAfter(seen: Attempt['seen'], attempts: number, random: () => number): number {
  if (seen.kind === 'refused') return seen.waitMs ?? backoff(attempts - 1, refusedBase, random);
  return backoff(attempts - 1, networkBase, random);
}
