import type { Offer, Range, TextDiagnostic } from '../lib/text-matches.ts';

export type { Completion, Offer } from '../lib/text-matches.ts';

/** Location in a query in UTF-16 units; `end` is exclusive. */
export type QuerySpan = Range;

/** A word as it is written. */
export interface Word extends QuerySpan {
  readonly text: string;
}

/** Text in quotes: `text` is what stands between them, escapes kept; `quote` is empty where there were none. */
export interface Quoted extends Word {
  readonly quote: '"' | "'" | '';
}

/** A number as it is written; NaN where it is none. */
export interface Numeral extends Word {
  readonly value: number;
}

/** `> 90`: what every query but a composite and a service check ends with (docs/contract/monitor-queries.md#common-rules). */
export interface Comparison extends QuerySpan {
  readonly operator: Word;
  readonly threshold: Numeral;
}

/** Common members of every tree. */
export interface Tree extends QuerySpan {
  readonly kind: string;
  readonly comparison?: Comparison | undefined;
}

/** Parts with signs or words between them: `a / b`, `1 && 2`. */
export interface JoinedParts<Part> extends QuerySpan {
  readonly kind: 'joined';
  readonly head: Part;
  readonly tail: readonly { readonly joint: Word; readonly right: Part }[];
}

/** What is said of a part of a query. `doubtful`: outside the documented grammar, but some deployments take it. */
export interface Diagnostic extends TextDiagnostic {
  /** The option that it is about, where the query may be right as it is: `thresholds.warning`. */
  readonly option?: string | undefined;
}

/** Context of a query: its wire `type`, and the `options` of the monitor where known. */
export interface QueryContext {
  readonly type: string;
  readonly options?: unknown;
}

/** What the organization already uses, offered while a query is typed. */
export interface UsedWords {
  readonly metrics?: readonly string[];
  /** Of queries: `env:prod`. */
  readonly tags?: readonly string[];
  /** What queries group by, and the keys of tags. */
  readonly keys?: readonly string[];
  readonly checks?: readonly string[];
  /** Ids of SLOs. */
  readonly objectives?: readonly string[];
  /** The monitors of which a composite may be made. */
  readonly monitors?: readonly { readonly id: string; readonly name: string }[];
  readonly variables?: readonly string[];
}

/** Stands behind a beginning of a query, so that it is never a whole one: no grammar takes it. */
export const queryEndMark = '\u0000';

/** Where the cursor is in a query, read from the text in front of it. */
export interface OfferPlace {
  readonly before: string;
  readonly used: UsedWords;
  /** Names of the source and of the steps so far. */
  readonly calls: readonly string[];
  /** The call whose parentheses are open. */
  readonly call: string | undefined;
  /** How many arguments of that call stand in front of the cursor. */
  readonly argument: number;
  /** The first argument of that call. */
  readonly first: string;
  /** The text behind the last quote, where that quote is open. */
  readonly inside: string | undefined;
  readonly quote: string;
}

/** The offers of a place: always the same ones, or found by looking at the place. */
export type OffersAt = readonly Offer[] | ((place: OfferPlace) => readonly Offer[]);

/**
 * What may stand where a grammar expects a token of this name (`a window`, `an operator`) or a sign (`","`). A sign that is
 * not in the table is offered as it is.
 */
export type OfferTable = Readonly<Record<string, OffersAt>>;

/** Outline of a kind of query, for messages about empty or unrelated text. */
export interface Outline {
  /** Whose queries they are: `a log monitor`. */
  readonly languageNoun: string;
  /** The beginning of every query of the kind: `logs("…")`. */
  readonly beginning: string;
  /** A whole query. */
  readonly example: string;
}

/** A query language: a grammar, the rules that a sentence of it must keep, and the words that it offers. */
export interface Language<T extends Tree = Tree> {
  /** The tree of a text; throws a syntax error, which becomes a diagnostic. */
  parse(text: string): T;
  /** Diagnostics of a parsed tree; `wrong` only where the service certainly refuses it. */
  rules(tree: T, about: QueryContext): Iterable<Diagnostic>;
  outline(about: QueryContext): Outline;
  /** What is offered while a query is typed. */
  offers(about: QueryContext): OfferTable;
}

/** Diagnostic for a part that the service certainly refuses. */
export const wrong = ({ start, end }: QuerySpan, message: string, hint?: string): Diagnostic => ({
  verdict: 'wrong',
  message,
  ...(hint === undefined ? {} : { hint }),
  start,
  end,
});

/** Says that a diagnostic is about an option of the monitor, not about the query. */
export const ofOption = (option: string, diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, option });

/** Diagnostic for a part that some deployments accept. */
export const doubtful = (place: QuerySpan, message: string, hint?: string): Diagnostic => ({
  ...wrong(place, message, hint),
  verdict: 'doubtful',
});

/** A value that is no number. */
export const notNumber = (place: QuerySpan, what: string): Diagnostic =>
  wrong(place, `${what} is not a number`, 'write a number, such as 90');

/** A query that ends before its comparison. */
export const noComparison = (place: QuerySpan, hint: string): Diagnostic =>
  wrong(place, 'the query has no operator and no threshold', hint);

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

/** `a`, `a or b`, `a, b or c`. */
export function orList(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Minutes of the units that a window may be written in; a month has 30 days. */
const perUnit: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60, d: 1440, w: 10_080, mo: 43_200 };

/** Minutes of an hour, as limits are written with them. */
export const hour = 60;
/** Minutes of a day. */
export const day = 24 * hour;
/** Minutes of a week. */
export const week = 7 * day;

/** The number and the unit of `15m`, `1w`, `1mo`; undefined for anything else. */
export function splitLength(text: string): { readonly count: number; readonly unit: string } | undefined {
  const [, count, unit] = /^(\d{1,9})(mo|[smhdw])$/.exec(text) ?? [];
  return count === undefined || unit === undefined ? undefined : { count: Number(count), unit };
}

/** Minutes of a window such as `5m`, `1h`, `30s`, `1mo` (docs/contract/monitor-queries.md#common-rules); undefined where it is none. */
export function toMinutes(text: string): number | undefined {
  const parts = splitLength(text);
  return parts && parts.count * (perUnit[parts.unit] as number);
}

/** What the operators of a comparison are in words. */
export const meanings = {
  '>': 'above',
  '>=': 'at or above',
  '<': 'below',
  '<=': 'at or below',
  '==': 'equal to',
  '!=': 'other than',
} as const;

/** Operators of every comparison, unless a kind takes fewer (docs/contract/monitor-queries.md#common-rules). */
export const operators: readonly string[] = Object.keys(meanings);

/** Operators behind a text, each with a blank around it. */
export const operatorOffers = (before: string, allowed: readonly string[] = operators): Offer[] =>
  Object.entries(meanings)
    .filter(([operator]) => allowed.includes(operator))
    .map(([operator, hint]) => ({ text: `${spaced(before, operator)} `, hint }));

/** The text with a leading space unless there is one already. */
export const spaced = (before: string, text: string): string => (/\s$/.test(before) ? text : ` ${text}`);

/** Correction of common mistyped operators. */
const meant: Readonly<Record<string, string>> = {
  '=>': '>=',
  '=<': '<=',
  '=': '==',
  '===': '==',
  '!==': '!=',
  '!': '!=',
  '<>': '!=',
  '~=': '!=',
  '>>': '>',
  '<<': '<',
};

/**
 * Diagnostics of the comparison at the end of a query: an unknown operator or one outside `allowed`, a threshold that
 * is not a number. `of` names the kind in messages (`a forecast`).
 */
export function* comparisonDiagnostics(
  { operator, threshold }: Comparison,
  { allowed = operators, of: noun = 'a query' }: { readonly allowed?: readonly string[]; readonly of?: string } = {},
): Iterable<Diagnostic> {
  const right = operators.includes(operator.text) ? undefined : meant[operator.text];
  const whose = operators.includes(operator.text) ? ` of ${noun}` : '';
  if (!allowed.includes(operator.text))
    yield wrong(operator, `${operator.text} is not an operator${whose}`, `write ${right ?? orList(allowed)}`);
  // A threshold that the service works out by itself (docs/contract/monitor-queries.md#options, dynamic thresholds).
  if (threshold.text === 'threshold') yield doubtful(threshold, 'the threshold is a formula, so it is not checked');
  else if (Number.isNaN(threshold.value)) yield notNumber(threshold, `the threshold ${threshold.text}`);
}
