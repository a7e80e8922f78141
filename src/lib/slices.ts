/** Work that can pause at each yield, so that long work does not block keys, frames and timers. */
export type Sliced<T> = Generator<void, T, void>;

/** Runs sliced work to its end without pausing; for small inputs and tests. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Number of values in a parsed JSON value, including itself; stops counting above `most`. */
export function countValues(value: unknown, most = Number.POSITIVE_INFINITY): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && count <= most; at++) count += countValues(value[at], most - count);
  } else {
    for (const name in value) {
      if (count > most) break;
      count += countValues((value as Readonly<Record<string, unknown>>)[name], most - count);
    }
  }
  return count;
}
