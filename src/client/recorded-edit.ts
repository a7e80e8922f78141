import type { Call } from '../api/endpoint.ts';
import { problemResult, type Result } from '../api/problem.ts';
import type { CallOutcome, Purpose, Recorder } from './client.ts';
import type { Delivery } from './deliver.ts';

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
