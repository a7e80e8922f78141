import { keyHints } from '../../src/session/state/state-changes.ts';

/** What a journey sees of a message that offers a key: its text as given, then the hint in the words of the product. */
export function offering(text: string, hint?: keyof typeof keyHints): string;
export function offering(text: RegExp, hint?: keyof typeof keyHints): RegExp;
export function offering(text: string | RegExp, hint: keyof typeof keyHints = 'undo'): string | RegExp {
  const offered = ` · ${keyHints[hint]}`;
  return typeof text === 'string' ? text + offered : new RegExp(text.source + offered, text.flags);
}
