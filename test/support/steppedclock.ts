import type { Clock } from '../../src/lib/clock.ts';

/** Time that stands still but for `passes`. */
export interface SteppedClock extends Clock {
  /** Lets milliseconds pass, every timer that falls due in its order; what a timer began is settled before the next one. */
  passes(ms: number): Promise<void>;
  /** Timers that are still to come. */
  waiting(): number;
}

/** Ends when all promises that need no timer are settled. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
}

/** A clock for stepping pure code: it begins at a round time, and nothing of it depends on the real one. */
export function createSteppedClock(from = Date.UTC(2026, 10, 21)): SteppedClock {
  const state = { now: from };
  const timers = new Set<{ readonly at: number; readonly then: () => void }>();
  return {
    now: () => state.now,
    after(ms, then) {
      const timer = { at: state.now + ms, then };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    waiting: () => timers.size,
    async passes(ms) {
      const until = state.now + ms;
      await settled();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
        if (!next) break;
        timers.delete(next);
        state.now = Math.max(state.now, next.at);
        next.then();
        await settled();
      }
      state.now = until;
      await settled();
    },
  };
}
