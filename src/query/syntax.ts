/** Error thrown by a generated parser: the position, and the expected tokens. */
export interface SyntaxFault {
  readonly found: string | null;
  readonly expected: readonly Expectation[];
  readonly location: { readonly start: { readonly offset: number } };
}

type Expectation =
  | { readonly type: 'literal'; readonly text: string; readonly ignoreCase: boolean }
  | { readonly type: 'other'; readonly description: string }
  | { readonly type: 'class' | 'any' | 'end' };

/** Whether an error is a parser's; any other error is a bug. */
export function isSyntaxFault(error: unknown): error is SyntaxFault {
  return (
    error instanceof Error && error.name === 'SyntaxError' && Array.isArray((error as { expected?: unknown }).expected)
  );
}

/** Stack overflow of the parser, as from thousands of open parentheses. */
export const isTooDeep = (error: unknown): boolean => error instanceof RangeError && /stack/.test(error.message);

/** Expected token names and literals, without duplicates, in grammar order. */
export function expectedAt(fault: SyntaxFault): {
  readonly names: string[];
  readonly literals: string[];
  readonly end: boolean;
} {
  const names = new Set<string>();
  const literals = new Set<string>();
  for (const expectation of fault.expected) {
    if (expectation.type === 'other' && expectation.description !== 'space') names.add(expectation.description);
    if (expectation.type === 'literal') literals.add(expectation.text);
  }
  return {
    names: [...names],
    literals: [...literals],
    end: fault.expected.some((expectation) => expectation.type === 'end'),
  };
}

/** At most `most` units of a word; an ellipsis stands for the rest. */
export const shortened = (text: string, most = 30): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/** `a`, `a or b`, `a, b or c`. */
export function orList(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
