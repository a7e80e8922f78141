import type { Finding } from './language.ts';

/** What a generated parser throws: where it could not go on, and what it would have taken there. */
export interface SyntaxFault {
  readonly found: string | null;
  readonly expected: readonly Expectation[];
  readonly location: { readonly start: { readonly offset: number } };
}

type Expectation =
  | { readonly type: 'literal'; readonly text: string; readonly ignoreCase: boolean }
  | { readonly type: 'other'; readonly description: string }
  | { readonly type: 'class' | 'any' | 'end' };

/** Whether an error came out of a grammar; everything else is our own mistake. */
export function isSyntaxFault(error: unknown): error is SyntaxFault {
  return (
    error instanceof Error && error.name === 'SyntaxError' && Array.isArray((error as { expected?: unknown }).expected)
  );
}

/** Thousands of open parentheses: the parser ran out of room for them. */
export const isTooDeep = (error: unknown): boolean => error instanceof RangeError && /stack/.test(error.message);

/** Names and literals that could have stood at the place, once each, in the order of the grammar. */
export function expectedAt(fault: SyntaxFault): {
  readonly names: string[];
  readonly literals: string[];
  readonly end: boolean;
} {
  const names = new Set<string>();
  const literals = new Set<string>();
  for (const it of fault.expected) {
    if (it.type === 'other' && it.description !== 'space') names.add(it.description);
    if (it.type === 'literal') literals.add(it.text);
  }
  return { names: [...names], literals: [...literals], end: fault.expected.some((it) => it.type === 'end') };
}

/** The sentence for a text that is not of the grammar. Its place is always inside the text. */
export function faultFinding(text: string, fault: SyntaxFault): Finding {
  const offset = Math.min(fault.location.start.offset, text.length);
  const { names, literals, end } = expectedAt(fault);
  const all = [...names, ...literals.map((it) => `"${it}"`), ...(end ? ['the end'] : [])];
  const hint = all.length === 0 ? {} : { hint: `expected ${either(all.slice(0, 5))}${all.length > 5 ? ' …' : ''}` };
  const rest = text.slice(offset);
  if (rest.trim() === '') {
    const stop = text.trimEnd().length;
    const message = stop === 0 ? 'the query is empty' : 'the query ends too early';
    return { verdict: 'wrong', message, ...hint, start: Math.max(0, stop - 1), end: stop === 0 ? text.length : stop };
  }
  const strange = /^(?:[\w.@-]+|\s*.)/su.exec(rest)?.[0] ?? rest.slice(0, 1);
  const message = `${shortened(strange.trim() === '' ? 'a space' : strange.trim())} cannot stand here`;
  return { verdict: 'wrong', message, ...hint, start: offset, end: offset + strange.length };
}

/** At most `most` units of a word; what is left out is told by the ellipsis. */
export const shortened = (text: string, most = 30): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/** `a`, `a or b`, `a, b or c`. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
