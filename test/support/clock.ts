import { type Clock, systemClock } from '../../src/lib/time.ts';

const day = 86_400_000;

/** Noon of today in UTC, so that "in an hour" is always today. */
export const noon = (): number => Math.floor(Date.now() / day) * day + day / 2;

/**
 * A clock that starts at noon and runs in real time; `passes` advances it and runs due timers in order. A test of what is there
 * before a timer ends stops it first: the machine may take longer than that timer.
 */
export interface TestClock extends Clock {
  /** From now on only `passes` advances it. */
  stops(): void;
  /** `30s`, `5m`, `2h`, `1d` or milliseconds. */
  passes(time: string | number): Promise<void>;
  /** Simulates machine sleep: the wall clock advances, timers do not. */
  sleeps(time: string): void;
  /** Sets what `passes` awaits after each timer, so that its work ends before the next timer. */
  settlesWith(settled: () => Promise<void>): void;
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const millis = (time: string | number): number => {
  if (typeof time === 'number') return time;
  const match = /^(\d+)([smhd])$/.exec(time);
  if (!match) throw new Error(`a test clock understands 30s, 5m, 2h and 1d, not ${time}`);
  return Number(match[1]) * (units[match[2] ?? ''] ?? 0);
};

const breathe = () => new Promise<void>((done) => setTimeout(done, 5));

/** `stoppedAt`: stands still at this time from the start. */
export function createTestClock(stoppedAt?: number): TestClock {
  const ahead = stoppedAt === undefined ? noon() - Date.now() : 0;
  const state = { ahead, next: 0, settled: breathe, stoppedAt };
  const due = new Map<number, { at: number; then: () => void; timer: NodeJS.Timeout | undefined }>();
  // Whole milliseconds, as a wall clock.
  const now = () => Math.floor((state.stoppedAt ?? Date.now()) + state.ahead);
  return {
    now,
    after(ms, then) {
      state.next += 1;
      const id = state.next;
      const wait = Math.max(0, Math.min(ms, 2 ** 31 - 1));
      const fire = () => {
        if (due.delete(id)) then();
      };
      const timer = state.stoppedAt === undefined ? setTimeout(fire, wait).unref() : undefined;
      due.set(id, { at: now() + wait, then, timer });
      return () => {
        clearTimeout(timer);
        due.delete(id);
      };
    },
    stops() {
      state.stoppedAt ??= Date.now();
      for (const { timer } of due.values()) clearTimeout(timer);
    },
    settlesWith(settled) {
      state.settled = settled;
    },
    sleeps(time) {
      state.ahead += millis(time);
      for (const timer of due.values()) timer.at += millis(time);
    },
    async passes(time) {
      const until = now() + millis(time);
      for (;;) {
        const next = [...due].filter(([, timer]) => timer.at <= until).sort((one, other) => one[1].at - other[1].at)[0];
        if (!next) break;
        const [id, timer] = next;
        state.ahead += Math.max(0, timer.at - now());
        clearTimeout(timer.timer);
        due.delete(id);
        timer.then();
        await state.settled();
      }
      state.ahead += Math.max(0, until - now());
      await state.settled();
    },
  };
}

/** The real clock, moved so that it is noon now. */
export function noonClock(): Clock {
  const ahead = noon() - Date.now();
  return { ...systemClock, now: () => systemClock.now() + ahead };
}
