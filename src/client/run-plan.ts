import { type Call, isRead } from '../api/endpoint.ts';
import type { Plan } from '../api/plan.ts';
import type { Result } from '../api/problem.ts';

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
  send: (call: Call) => Promise<Result<unknown>>,
  partial: (value: Shown) => void = () => {},
  wait: (ms: number) => Promise<unknown> = async () => {},
): Promise<T> {
  // The result sent back for a partial is ignored; the generator type requires one.
  const shown: Result<unknown> = { ok: true, value: undefined, status: 0, unread: [] };
  let shownInstead: Extract<Result<unknown>, { readonly ok: false }> | undefined;
  const answerCall = async (call: Call): Promise<Result<unknown>> => {
    if (shownInstead && isRead(call.endpoint)) needed();
    const answer = await send(call);
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
