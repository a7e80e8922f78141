import type { Sliced } from '../lib/slices.ts';

/** Lets everything else that waits go first at each pause. */
export async function runInSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
