import type { Call } from './endpoint.ts';
import type { Problem, Result } from './problem.ts';

/**
 * What a plan may hand out while it runs: a call to send, a value that is already worth showing, or a pause of so many
 * milliseconds.
 */
type Step<Shown = never> = Call | { readonly partial: Shown } | { readonly pauseMs: number };

/**
 * Several calls in order, as a value: a generator that yields calls and is given each Result. `Shown` is what it may show
 * before its end: nothing unless it says so, and for a read the very type that it ends with.
 * A plan performs nothing itself; a test steps through it by hand.
 */
export type Plan<T, Shown = never> = Generator<Step<Shown>, T, Result<unknown>>;

/** A plan of one call; inside another plan: `const page = yield* ask(call(...))`. */
export function* ask<A>(request: Call<A>): Plan<Result<A>> {
  return (yield request) as Result<A>;
}

/** Inside a plan: shows what is known so far. */
export function* showing<Shown>(partial: Shown): Plan<void, Shown> {
  yield { partial };
}

/**
 * A plan inside another one that shows something else: what the inner one shows is given to `as`, and shown as what comes
 * out. Without `as` nothing is shown until the inner plan has ended.
 */
export function* inside<T, Inner, Shown = never>(plan: Plan<T, Inner>, as?: (partial: Inner) => Shown): Plan<T, Shown> {
  const shown: Result<unknown> = { ok: true, value: undefined, status: 0, unread: [] };
  let step = plan.next();
  while (!step.done) {
    if (!('partial' in step.value)) step = plan.next(yield step.value);
    else {
      if (as) yield { partial: as(step.value.partial) };
      step = plan.next(shown);
    }
  }
  return step.value;
}

/** Inside a plan: waits, where a service asks to be left alone for a moment. Milliseconds. */
export function* pausing(ms: number): Plan<void> {
  yield { pauseMs: ms };
}

/** Whether a deployment does not have the operation at all, so that a plan may take the other way. */
export function notOffered(problem: Problem): boolean {
  return problem.kind === 'notOffered';
}

/** Whether these keys, or this deployment, cannot read it at all: an edit goes on without what it would have told. */
export const mayNotRead = (problem: Problem): boolean => problem.kind === 'forbidden' || notOffered(problem);
