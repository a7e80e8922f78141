import type { Comparison, Numeral, Placed, Quoted, Tree, Word } from './query-tree.ts';

/** A part of the arithmetic of a formula. */
export type Term =
  | ({ readonly kind: 'number' } & Numeral)
  | ({ readonly kind: 'variable' } & Word)
  | ({ readonly kind: 'string' } & Word)
  | ({ readonly kind: 'group'; readonly body: Term } & Placed)
  | ({ readonly kind: 'signed'; readonly sign: string; readonly body: Term } & Placed)
  | ({ readonly kind: 'named'; readonly key: Word; readonly value: Term } & Placed)
  | ({ readonly kind: 'call'; readonly name: Word; readonly args: readonly Term[] } & Placed)
  | ({ readonly kind: 'joined'; readonly head: Term; readonly tail: readonly Joined[] } & Placed);

interface Joined {
  readonly joint: Word;
  readonly right: Term;
}

/** One argument of a step: `"5m"`, `direction="both"`. */
interface FormulaArgument extends Placed {
  readonly key?: Word;
  readonly value: Quoted;
}

/** One step behind a formula: `.last("5m")`. */
export interface FormulaStep extends Placed {
  readonly name: Word;
  readonly args: readonly FormulaArgument[];
}

/** `formula("a / b").by("k").last("5m") > 1` (docs/contract/monitor-queries.md#formula). */
export interface Formula extends Tree {
  readonly kind: 'formula';
  /** `formula(…)` itself. */
  readonly call: Placed;
  /** The text between the quotes, and what it says. */
  readonly body: Quoted & { readonly expression: Term };
  readonly steps: readonly FormulaStep[];
  readonly comparison: Comparison;
}

/** The step of a name; the first one where it stands there twice. */
export const formulaStep = (tree: Formula, name: string): FormulaStep | undefined =>
  tree.steps.find((step) => step.name.text === name);

/** Terms inside a term, itself included, in the order of the text. */
export function termsOf(term: Term): Term[] {
  switch (term.kind) {
    case 'group':
    case 'signed':
      return [term, ...termsOf(term.body)];
    case 'named':
      return [term, ...termsOf(term.value)];
    case 'call':
      return [term, ...term.args.flatMap(termsOf)];
    case 'joined':
      return [term, ...termsOf(term.head), ...term.tail.flatMap((joined) => termsOf(joined.right))];
    default:
      return [term];
  }
}

const quoted = ({ quote, text }: Quoted): string => `${quote}${text}${quote}`;

/** The formula as text; quoted text is unchanged. */
export function printed({ body, steps, comparison }: Formula): string {
  const argument = ({ key, value }: FormulaArgument) => (key ? `${key.text}=${quoted(value)}` : quoted(value));
  const joint = (next: FormulaArgument | undefined) => (next?.key ? ', ' : ',');
  const inside = ({ args }: FormulaStep) =>
    args.map((arg, at) => (at === 0 ? argument(arg) : joint(arg) + argument(arg))).join('');
  const chain = steps.map((step) => `.${step.name.text}(${inside(step)})`).join('');
  return `formula(${quoted(body)})${chain} ${comparison.operator.text} ${comparison.threshold.text}`;
}

/** The argument of a step that has no name of its own; undefined where there is none. */
export const unnamedArgument = (step: FormulaStep | undefined): Quoted | undefined =>
  step?.args.find((arg) => !arg.key)?.value;
