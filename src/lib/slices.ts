/** Work that pauses wherever it yields, so that a long piece of it does not hold up keys, frames and timers. */
export type Sliced<T> = Generator<void, T, void>;

/** Does all of it without a pause, for what is known to be small and for tests. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** How many values a parsed JSON value is made of, itself included; counting stops above `most`. */
export function countValues(value: unknown, most = Number.POSITIVE_INFINITY): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (count > most) break;
      count += countValues(item, most - count);
    }
  } else {
    for (const name in value) {
      if (count > most) break;
      count += countValues((value as Readonly<Record<string, unknown>>)[name], most - count);
    }
  }
  return count;
}
