import type { Clock } from '../lib/clock.ts';

/** Ages on screen are drawn again this often: the unit of one may have changed. */
const ageMs = 15_000;

/** Tells every `ageMs` that the ages on screen may have changed. */
export function createAgeTimer(clock: Clock, aged: () => void): { start(): void; close(): void } {
  const held = { cancel: () => {} };
  const repeat = () => {
    held.cancel = clock.after(ageMs, () => {
      aged();
      repeat();
    });
  };
  return { start: repeat, close: () => held.cancel() };
}
