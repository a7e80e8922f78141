import type { Call } from '../api/endpoint.ts';
import type { Plan } from '../api/plan.ts';
import type { Result } from '../api/problem.ts';

/**
 * Runs a plan to its end: every call it yields is sent and answered, every partial is handed to `partial`, and where it
 * pauses, `wait` lets the time pass.
 * Throws only what the plan itself throws, which is a bug.
 */
export async function runPlan<T, Shown>(
  plan: Plan<T, Shown>,
  send: (call: Call) => Promise<Result<unknown>>,
  partial: (value: Shown) => void = () => {},
  wait: (ms: number) => Promise<unknown> = async () => {},
): Promise<T> {
  // The result sent back for a partial is ignored; the generator type requires one.
  const shown: Result<unknown> = { ok: true, value: undefined, status: 0, unread: [] };
  let step = plan.next();
  while (!step.done) {
    if ('endpoint' in step.value) step = plan.next(await send(step.value));
    else {
      if ('partial' in step.value) partial(step.value.partial);
      else await wait(step.value.pauseMs);
      step = plan.next(shown);
    }
  }
  return step.value;
}
