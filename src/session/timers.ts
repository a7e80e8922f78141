import type { Clock } from '../lib/clock.ts';
import type { Flash } from './message.ts';

/** Milliseconds that a flash is shown; a bad one longer. */
const flashMs = 8_000;
const badFlashMs = 20_000;
/** Ages on screen are drawn again this often: the unit of one may have changed. */
const ageMs = 15_000;

/** The session's own timers: the end of a flash, and the ages on screen. */
export function createTimers(with_: {
  readonly clock: Clock;
  /** The flash has been shown long enough. */
  readonly expired: (flash: Flash) => void;
  /** The ages on screen may have changed. */
  readonly aged: () => void;
}): {
  /** Another flash is shown: it ends after its time, unless it is a lasting one. */
  flashed(flash: Flash): void;
  start(): void;
  close(): void;
} {
  const { clock, expired, aged } = with_;
  const cancel = { flash: () => {}, age: () => {} };
  const repeat = () => {
    cancel.age = clock.after(ageMs, () => {
      aged();
      repeat();
    });
  };
  return {
    flashed(flash) {
      cancel.flash();
      if (!flash.lasting) cancel.flash = clock.after(flash.tone === 'bad' ? badFlashMs : flashMs, () => expired(flash));
    },
    start: repeat,
    close() {
      cancel.flash();
      cancel.age();
    },
  };
}
