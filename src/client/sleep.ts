import type { Clock } from '../lib/time.ts';

/** Waits `ms` on the given clock; true when the time is over, false as soon as the signal aborts. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    // The clock's timers do not keep the process alive; a command must not end while it waits.
    const alive = setInterval(() => {}, 60_000);
    const end = (over: boolean) => {
      clearInterval(alive);
      callOff();
      signal.removeEventListener('abort', aborted);
      resolve(over);
    };
    const aborted = () => end(false);
    const callOff = clock.after(ms, () => end(true));
    signal.addEventListener('abort', aborted);
  });
}
