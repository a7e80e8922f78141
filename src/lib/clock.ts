/**
 * Clock passed in everywhere, so that tests control time. `now` is milliseconds since the Unix epoch; `after` calls
 * back once after `ms` and returns a function that cancels it.
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

/**
 * The time of a clock to measure waits by: where the wall clock is set back, it stands still until the next look, so that no wait
 * grows by what the clock lost. Set forward, and after a sleep of the machine, it goes on with it.
 */
export function steadyTime({ now }: Pick<Clock, 'now'>): () => number {
  const state = { last: now(), lost: 0 };
  return () => {
    const at = now();
    state.lost += Math.max(0, state.last - at);
    state.last = at;
    return at + state.lost;
  };
}

/** Keeps the process alive, which no timer of the clock does, until the function that it returns is called. */
export function keepAwake(): () => void {
  const awake = setInterval(() => {}, 2 ** 30);
  return () => clearInterval(awake);
}
