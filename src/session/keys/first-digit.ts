import type { Clock } from '../../lib/clock.ts';
import type { Key } from '../keyboard/keyboard.ts';
import { pauseMs } from './burst.ts';

/**
 * A digit that chooses in a bar and may as well begin a typed end (`4` is 4h, `45m` is not): the next key decides, and a
 * pause of `pauseMs` chooses. One chunk of keys and keys one by one are so read alike.
 */
export interface FirstDigit {
  /** Waits for what follows this digit. */
  hold(digit: Key): void;
  /** The digit that waits, when another key has come; it waits no longer. */
  take(): Key | undefined;
  isOn(): boolean;
}

/** `choose` is called with a digit that no key has followed. */
export function createFirstDigit(clock: Clock, choose: (digit: Key) => void): FirstDigit {
  const held = { digit: undefined as Key | undefined, cancel: () => {} };
  const take = () => {
    const { digit } = held;
    held.cancel();
    held.digit = undefined;
    return digit;
  };
  return {
    hold(digit) {
      held.digit = digit;
      held.cancel = clock.after(pauseMs, () => {
        take();
        choose(digit);
      });
    },
    take,
    isOn: () => held.digit !== undefined,
  };
}

/** Whether a key goes on with an end that a digit began: `45m`, `4:30`, `9am`, `1 day`. */
export const goesOn = ({ text }: Key): boolean => text !== undefined && /^[\d:., adhmpsw]$/i.test(text);

/** Whether a key takes the digit back instead of choosing it. */
export const takesBack = ({ name }: Key): boolean => ['esc', 'backspace', 'ctrl+c'].includes(name);
