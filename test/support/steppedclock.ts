import type { Clock } from '../../src/lib/time.ts';

/** A clock that only `passes` advances. */
export interface SteppedClock extends Clock {
  /** Advances by milliseconds and runs due timers in order; the work of a timer settles before the next one. */
  passes(ms: number): Promise<void>;
  /** The number of pending timers. */
  waiting(): number;
}

/** Ends when all promises that need no timer are settled. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
}

/** A clock for stepping pure code: it starts at a round time and does not read the real clock. */
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
