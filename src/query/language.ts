import type { QuerySpan, Tree } from './query-tree.ts';

/**
 * What is said of a part of a query. `wrong`: the service is sure to refuse it. `doubtful`: outside the documented
 * grammar, but some deployments take it: a warning, never a block.
 */
export interface Diagnostic extends QuerySpan {
  readonly verdict: 'wrong' | 'doubtful';
  /** One sentence, lower case: what is wrong with this part. */
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string | undefined;
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

/** A text that may be put in, and what it means. */
export interface Offer {
  readonly text: string;
  readonly hint?: string | undefined;
  /** Where the cursor goes, counted from the start of `text`; its end when absent. */
  readonly cursor?: number;
}

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

/** Offers to replace the letters from `start` to `end`. */
export interface Completion {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Offer[];
}

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
  /** The tree of a text; throws a syntax error, which `syntax.ts` makes a diagnostic of. */
  parse(text: string): T;
  /** The tree as text: equal to what was parsed, but for spaces that mean nothing. */
  print(tree: T): string;
  /** Diagnostics of a parsed tree; `wrong` only where the service certainly refuses it. */
  rules(tree: T, about: QueryContext): readonly Diagnostic[];
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
