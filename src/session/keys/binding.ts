import type { Message } from '../message.ts';

export type Group = 'anywhere' | 'back' | 'move' | 'choose' | 'find' | 'take along' | 'write' | 'here';

/** What a key does now: the same value answers the key, fills the footer, is a line of the help and of the palette. */
export interface Binding {
  readonly keys: readonly string[];
  readonly title: string;
  /** A sentence for the help; the title when absent. */
  readonly help?: string;
  readonly group: Group;
  readonly run: Message;
  /** Why it does not work just now; shown when it is pressed. */
  readonly refused?: string | undefined;
  /** Place in the footer, 1 first; absent = only in the help. */
  readonly hint?: number | undefined;
  /**
   * Only a key that a person pressed by itself counts, and only once the question on top could be read: pasted and
   * typed-ahead ones do not.
   */
  readonly deliberate?: boolean;
}

/** A binding of the layer on top. */
export const on = (
  keys: string[],
  title: string,
  run: Message,
  hint?: number,
  more: Partial<Binding> = {},
): Binding => ({ keys, title, group: 'here', run, hint, ...more });

/** What closes the layer on top. */
export const leave = (keys: string[] = ['esc', 'q', 'backspace'], title = 'back'): Binding =>
  on(keys, title, { do: 'pop' }, 91, { group: 'back' });
