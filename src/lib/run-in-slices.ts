import type { Sliced } from './slices.ts';

/** Runs sliced work, yielding to the event loop at each pause. */
export async function runInSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Resolves when the event loop has done everything that this turn of it set off. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
