import type { Call, Plan } from '../../src/api/endpoint.ts';
import type { ProblemKind, Result } from '../../src/api/problem.ts';
import type { Action } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { receiptText, toReceipt } from '../../src/describe/receipt.ts';
import { runAtOnce } from '../../src/lib/slices.ts';

/** Runs a plan with `answer` as the client; records its calls, partial results and pauses. */
export function walk<T>(plan: Plan<T, unknown>, answer: (call: Call, nth: number) => Result<unknown>) {
  const calls: Call[] = [];
  const partials: unknown[] = [];
  const pauses: number[] = [];
  let step = plan.next();
  while (!step.done) {
    if (!('endpoint' in step.value)) {
      if ('partial' in step.value) partials.push(step.value.partial);
      else pauses.push(step.value.pauseMs);
      step = plan.next({ ok: true, value: undefined, status: 0, unread: [] });
    } else {
      calls.push(step.value);
      step = plan.next(kept(step.value, answer(step.value, calls.length)));
    }
  }
  return { value: step.value, calls, partials, pauses };
}

/** What a call keeps of its answer. */
export const kept = ({ reduce }: Call, result: Result<unknown>): Result<unknown> =>
  reduce && result.ok ? { ...result, value: runAtOnce(reduce(result.value as never)) } : result;

/** The plan that an action sends, with the type of its response. */
export function planOf<A>(sent: Call<A> | Plan<Result<A>>): Plan<Result<A>> {
  if ('endpoint' in sent) throw new Error(`${sent.endpoint.id} is one call, not a plan`);
  return sent;
}

/**
 * Does an action on a row: its calls and their operations, the bodies that were sent, and once it was applied what it says and
 * whether that is a warning, what undoes it and the row as it is then. A problem is what it says where it was not.
 */
export function acted<Row, V, A>(
  action: Action<Row, V, A>,
  row: Row,
  values: V,
  answer: (call: Call, nth: number) => Result<unknown>,
  context: Context = contextOf(),
) {
  const walked = walk(planOf(action.send(row, values, context)), answer);
  const { calls, value } = walked;
  return {
    ...walked,
    operations: calls.map(({ endpoint }) => endpoint.id),
    bodies: calls.flatMap(({ body }) => (body === undefined ? [] : [body])),
    says: () => (value.ok ? receiptText(action.done(row, values, value.value, context)) : value.problem.text),
    warns: () => value.ok && toReceipt(action.done(row, values, value.value, context)).isWarning === true,
    back: () => (value.ok && action.undo?.(row, values, value.value, context)) || [],
    truth: () => (value.ok ? action.truth?.(row, value.value, values) : undefined),
    made: () => (value.ok ? action.made?.(value.value) : undefined),
  };
}

/** A successful result as the client returns it. */
export function answered(value: unknown, unread: readonly string[] = [], status = 200): Result<unknown> {
  return { ok: true, value, status, unread };
}

/** A problem as the client returns it. */
export function refused(kind: ProblemKind, text: string, status?: number): Result<unknown> {
  return { ok: false, problem: { kind, text, messages: [text], status } };
}

/** A context; at noon UTC by default. */
export function contextOf(more: Partial<Context> = {}): Context {
  return {
    now: Date.UTC(2026, 4, 6, 12, 0, 0),
    zone: 'UTC',
    recent: [],
    profile: { name: 'test', production: false, readOnly: false },
    origin: 'http://127.0.0.1:9',
    offered: () => true,
    trend: () => [],
    ascii: false,
    ...more,
  };
}
