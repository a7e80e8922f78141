import type { Clock } from '../../lib/clock.ts';
import { kindOf } from '../layers/index.ts';
import { geometry } from '../list/geometry.ts';
import type { State } from '../state.ts';

/** An answer counts only this many milliseconds after the terminal has taken the question (design: reliability, Questions). */
export const readingMs = 300;

/**
 * The question on top whose answer sends an edit or loses a secret, as an object that stays the same while it is asked:
 * a confirmation, the review of a form, a save that was held back, a secret that is about to be left. Undefined when
 * nothing is asked, or when the terminal is too small to show it.
 */
export function questionOn(state: State): object | undefined {
  if (geometry(state.size, state.preview).kind === 'tooSmall') return undefined;
  const top = state.layers.at(-1);
  return top && kindOf(top).question?.(top);
}

/** Whether the question on top could have been read by now. */
export interface Reading {
  /** The state has changed: another question on top has not been read. */
  follow(state: State): void;
  /** The terminal has taken the frame that holds the question. */
  shown(question: object): void;
  /** True from the moment that something is asked until a person can have read it. */
  isUnread(): boolean;
  close(): void;
}

/** Measures on the injected clock how long the question on top has been on the terminal. */
export function createReading(clock: Clock): Reading {
  const held = { question: undefined as object | undefined, isShown: false, isRead: false, cancel: () => {} };
  const after = (ms: number, then: () => void) => {
    held.cancel = clock.after(ms, then);
  };
  return {
    follow(state) {
      const question = questionOn(state);
      if (question === held.question) return;
      held.cancel();
      Object.assign(held, { question, isShown: false, isRead: false });
    },
    shown(question) {
      if (held.isShown || question !== held.question) return;
      held.isShown = true;
      // The second timer falls due a turn later: keys that waited while the loop was blocked are read in between, as unread.
      after(readingMs, () =>
        after(0, () => {
          held.isRead = true;
        }),
      );
    },
    isUnread: () => held.question !== undefined && !held.isRead,
    close: () => held.cancel(),
  };
}
