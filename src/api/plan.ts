import type { Call } from './endpoint.ts';
import type { Problem, Result } from './problem.ts';

/**
 * What a plan may hand out while it runs: a call to send, or a value that is already worth showing. With `pauseMs`
 * there is nothing to show: the plan goes on when so many milliseconds have passed.
 */
export type Step = Call | { readonly partial: unknown; readonly pauseMs?: number };

/**
 * Several calls in order, as a value: a generator that yields calls and is given each Result.
 * It performs nothing itself; a test steps through it by hand.
 */
export type Plan<T> = Generator<Step, T, Result<unknown>>;

/** Inside a plan: hands out one call and gives back its typed Result. `const page = yield* ask(call(...))`. */
export function* ask<A>(one: Call<A>): Generator<Step, Result<A>, Result<unknown>> {
  return (yield one) as Result<A>;
}

/** Inside a plan: shows what is known so far. */
export function* showing(partial: unknown): Generator<Step, void, Result<unknown>> {
  yield { partial };
}

/** Inside a plan: waits, where a service asks to be left alone for a moment. Milliseconds. */
export function* pausing(ms: number): Generator<Step, void, Result<unknown>> {
  yield { partial: undefined, pauseMs: ms };
}

/** A plan of one call. */
export function* just<A>(one: Call<A>): Plan<Result<A>> {
  return yield* ask(one);
}

/** Whether a deployment does not have the operation at all, so that a plan may take the other way. */
export function notOffered(problem: Problem): boolean {
  return problem.kind === 'notOffered';
}
