import type { Problem } from '../api/problem.ts';
import type { Clock } from '../lib/time.ts';

/** The times of polls (docs/design/reliability.md#polling). */
export interface Pace {
  /**
   * Milliseconds until the next poll: the base between 10 s and 300 s times 0.5 to 1.5; four times as long after ten
   * minutes without a key, 1.5 times as long after a failure; all of it longer where many share the rate limit, 45 minutes
   * at most. After a refusal for rate what the service asks for, else the base without any of this, and no more than 30 s.
   */
  gap(everyMs: number, failed?: 'failed' | 'refused'): number;
  /** How many times longer gaps are because nobody presses a key: 1, or 4 after ten minutes. */
  idle(): number;
  /** A key was pressed. */
  touch(): void;
  pause(on: boolean): void;
  paused(): boolean;
  /** Milliseconds that polls must still wait for the rate limit. */
  holding(): number;
}

const floor = 10_000;
/** Longest time between polls while nobody shares the limit, milliseconds. */
export const longestPoll = 300_000;
const idleAfter = 600_000;
/** Longest time until the next try after a refusal for rate. */
const longestRefused = 30_000;
/** Longest base that a shared rate limit makes, whatever its headers say. */
const slowest = 1_800_000;

/** How a read has failed, as far as the next one depends on it. */
export const failureOf = (problem: Problem | undefined): 'failed' | 'refused' | undefined =>
  problem && (problem.kind === 'tooMany' ? 'refused' : 'failed');

/** What polls wait for. */
export interface PaceOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds that polls must wait for the service's rate limit. */
  readonly holdBack: () => number;
  /** How many times as long they wait because many clients share it, from 1 on. */
  readonly slowdown: (which?: 'shared') => number;
}

export function createPace(with_: PaceOptions): Pace {
  const state = { touched: with_.clock.now(), paused: false };
  const idle = () => (with_.clock.now() - state.touched > idleAfter ? 4 : 1);
  return {
    idle,
    gap(everyMs, failed) {
      const base = Math.min(longestPoll, Math.max(floor, everyMs) * idle() * (failed ? 1.5 : 1));
      const slowed = Math.min(slowest, base * with_.slowdown());
      const gap = slowed * (0.5 + with_.random());
      if (failed !== 'refused' || with_.slowdown('shared') > 1) return Math.max(with_.holdBack(), gap);
      // The limit holds polls back by itself: slower ones would leave a person with old rows for minutes.
      const usual = Math.max(floor, everyMs) * (0.5 + with_.random());
      // The time to wait has its own spread, of half as much.
      return Math.max(with_.holdBack() + (with_.random() * longestRefused) / 2, Math.min(longestRefused, usual));
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
