import { type Call, isRead, type Plan } from '../api/endpoint.ts';
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
