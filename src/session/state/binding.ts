import { capitalized } from '../../lib/text.ts';
import type { Message } from './message.ts';

export type BindingGroup = 'anywhere' | 'back' | 'move' | 'choose' | 'find' | 'copy' | 'write' | 'here' | 'recent';

/** What a key does now: one value for the key press, the footer, the help and the palette. */
export interface Binding {
  readonly keys: readonly string[];
  readonly title: string;
  /** A sentence for the help; the title when absent. */
  readonly help?: string | undefined;
  readonly group: BindingGroup;
  readonly run: Message;
  /** Why the key does not work now; shown when it is pressed. */
  readonly refused?: string | undefined;
  /** It is refused because of the row under the cursor: another one may take it. */
  readonly isOfRow?: boolean;
  /** Why it will probably be refused; it works all the same. */
  readonly doubt?: string | undefined;
  /** Place in the footer, 1 first; absent = only in the help. */
  readonly hint?: number | undefined;
  /**
   * The key counts only when it was pressed by itself after the question on top could be read: pasted and typed-ahead
   * keys do not.
   */
  readonly deliberate?: boolean;
}

/** What a key does, as a sentence of the help: its title, and its help where that does not say it. */
export function bindingSentence({
  title,
  help = title,
}: {
  readonly title: string;
  readonly help?: string | undefined;
}): string {
  const words = ` ${help.toLowerCase()} `.replaceAll(/[:;,.]/g, ' ');
  const name = ` ${title.toLowerCase().replace('…', '')} `;
  return capitalized(words.includes(name) ? help : `${title}: ${help}`);
}

/** Makes the bindings of a group; `help` is the sentence of the help. */
export const inGroup =
  (group: BindingGroup) =>
  (keys: string[], title: string, run: Message, help?: string, more: Partial<Binding> = {}): Binding => ({
    keys,
    title,
    group,
    run,
    help,
    ...more,
  });

/** A binding of the layer on top. */
export const on = (
  keys: string[],
  title: string,
  run: Message,
  hint?: number,
  more: Partial<Binding> = {},
): Binding => ({ keys, title, group: 'here', run, hint, ...more });

/** The binding that closes the layer on top. */
export const leave = (keys: string[] = ['esc', 'q', 'backspace'], title = 'back'): Binding =>
  on(keys, title, { type: 'closeLayer' }, 91, { group: 'back' });
