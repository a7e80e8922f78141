import { ESC, KEEP_KEY_CODES, LEAVE_KEY_CODES, MODES, SEND_KEY_CODES } from './sequences.ts';

/** The terminal modes that this program has set. */
export interface Modes {
  /** Takes note of the modes that a text sets or resets. */
  track(text: string): void;
  /** Sequences that set or reset every mode as it was last. */
  restoreSequence(): string;
  /** Sequences that undo what is set, and nothing else: leaving an alternate screen that was never entered moves the cursor. */
  resetSequence(): string;
}

const MODE = /\u001B\[\?(\d+)([hl])/g;

export function createModes(): Modes {
  const set = new Map<number, boolean>();
  const keys = { areCodes: false };
  return {
    track(text) {
      for (const [, mode, way] of text.matchAll(MODE)) set.set(Number(mode), way === 'h');
      if (text.includes(SEND_KEY_CODES)) keys.areCodes = true;
      if (text.includes(LEAVE_KEY_CODES)) keys.areCodes = false;
    },
    restoreSequence: () =>
      [...set].map(([mode, isSet]) => `${ESC}[?${mode}${isSet ? 'h' : 'l'}`).join('') +
      (keys.areCodes ? KEEP_KEY_CODES : ''),
    resetSequence: () =>
      (keys.areCodes ? LEAVE_KEY_CODES : '') +
      MODES.filter((mode) => (mode === 25 ? set.get(25) === false : set.get(mode)))
        .map((mode) => `${ESC}[?${mode}${mode === 25 ? 'h' : 'l'}`)
        .join(''),
  };
}
