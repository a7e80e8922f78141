import { type Diagnostic, doubtful, notNumber, type Offer, wrong } from './language.ts';
import type { Comparison } from './query-tree.ts';
import { orList } from './syntax.ts';

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
export function comparisonDiagnostics(
  { operator, threshold }: Comparison,
  { allowed = operators, of: noun = 'a query' }: { readonly allowed?: readonly string[]; readonly of?: string } = {},
): Diagnostic[] {
  const write = `write ${orList(allowed)}`;
  const first = operators.includes(operator.text)
    ? wrong(operator, `${operator.text} is not an operator of ${noun}`, write)
    : wrong(
        operator,
        `${operator.text} is not an operator`,
        meant[operator.text] ? `write ${meant[operator.text]}` : write,
      );
  return [
    ...(allowed.includes(operator.text) ? [] : [first]),
    // A threshold that the service works out by itself (docs/contract/monitor-queries.md#options, dynamic thresholds).
    ...(threshold.text === 'threshold'
      ? [doubtful(threshold, 'the threshold is a formula, so it is not checked')]
      : []),
    ...(Number.isNaN(threshold.value) && threshold.text !== 'threshold'
      ? [notNumber(threshold, `the threshold ${threshold.text}`)]
      : []),
  ];
}
