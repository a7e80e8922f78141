import type { Comparison, Numeral, QuerySpan, Quoted, Tree, Word } from './query-tree.ts';

/** A part of the arithmetic of a formula. */
export type FormulaTerm =
  | ({ readonly kind: 'number' } & Numeral)
  | ({ readonly kind: 'variable' } & Word)
  | ({ readonly kind: 'string' } & Word)
  | ({ readonly kind: 'group'; readonly body: FormulaTerm } & QuerySpan)
  | ({ readonly kind: 'signed'; readonly sign: string; readonly body: FormulaTerm } & QuerySpan)
  | ({ readonly kind: 'named'; readonly key: Word; readonly value: FormulaTerm } & QuerySpan)
  | ({ readonly kind: 'call'; readonly name: Word; readonly args: readonly FormulaTerm[] } & QuerySpan)
  | ({ readonly kind: 'joined'; readonly head: FormulaTerm; readonly tail: readonly Joined[] } & QuerySpan);

interface Joined {
  readonly joint: Word;
  readonly right: FormulaTerm;
}

/** One argument of a step: `"5m"`, `direction="both"`. */
interface FormulaArgument extends QuerySpan {
  readonly key?: Word;
  readonly value: Quoted;
}

/** One step behind a formula: `.last("5m")`. */
export interface FormulaStep extends QuerySpan {
  readonly name: Word;
  readonly args: readonly FormulaArgument[];
}

/** `formula("a / b").by("k").last("5m") > 1` (docs/contract/monitor-queries.md#formula). */
export interface Formula extends Tree {
  readonly kind: 'formula';
  /** `formula(…)` itself. */
  readonly call: QuerySpan;
  /** The text between the quotes, and what it says. */
  readonly body: Quoted & { readonly expression: FormulaTerm };
  readonly steps: readonly FormulaStep[];
  readonly comparison: Comparison;
}

/** The step of a name; the first one where it stands there twice. */
export const formulaStep = (tree: Formula, name: string): FormulaStep | undefined =>
  tree.steps.find((step) => step.name.text === name);

/** Terms inside a term, itself included, in the order of the text. */
export function formulaTerms(term: FormulaTerm): FormulaTerm[] {
  switch (term.kind) {
    case 'group':
    case 'signed':
      return [term, ...formulaTerms(term.body)];
    case 'named':
      return [term, ...formulaTerms(term.value)];
    case 'call':
      return [term, ...term.args.flatMap(formulaTerms)];
    case 'joined':
      return [term, ...formulaTerms(term.head), ...term.tail.flatMap((joined) => formulaTerms(joined.right))];
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
