/**
 * Time as the program sees it. Passed in everywhere, so that a test can let an hour pass at once.
 * `now` is the wall clock in milliseconds since the Unix epoch; `after` calls back once and returns
 * the way to call it off.
 */
export interface Clock {
  now(): number;
  after(ms: number, then: () => void): () => void;
}

/** The real clock. A timer never keeps the process alive by itself. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
