import type { Clock } from '../lib/clock.ts';

/** How long until the next poll (design: reliability, polling). */
export interface Pace {
  /** Milliseconds until the next ask: the base between 10 s and 300 s, spread over 0.5 to 1.5, four times as long when nobody has pressed a key for ten minutes. */
  gap(everyMs: number, failed: boolean): number;
  /** A person is here. */
  touch(): void;
  pause(on: boolean): void;
  paused(): boolean;
  /** Milliseconds that the rate budget still wants polls to wait. */
  holding(): number;
}

const floor = 10_000;
const ceiling = 300_000;
const idleAfter = 600_000;

export function createPace(with_: { clock: Clock; random: () => number; holdBack: () => number }): Pace {
  const state = { touched: with_.clock.now(), paused: false };
  return {
    gap(everyMs, failed) {
      const idle = with_.clock.now() - state.touched > idleAfter ? 4 : 1;
      const base = Math.min(ceiling, Math.max(floor, everyMs) * idle * (failed ? 1.5 : 1));
      return Math.max(with_.holdBack(), base * (0.5 + with_.random()));
    },
    touch() {
      state.touched = with_.clock.now();
    },
    pause(on) {
      state.paused = on;
    },
    paused: () => state.paused,
    holding: () => with_.holdBack(),
  };
}
