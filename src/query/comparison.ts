import { doubtful, type Finding, wrong } from './language.ts';
import { either } from './syntax.ts';
import type { Comparison } from './tree.ts';

/** Operators of every comparison, unless a kind takes fewer (spec: query languages). */
export const operators: readonly string[] = ['<', '<=', '>', '>=', '==', '!='];

/** What was meant by signs that are no operator. */
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
 * What is to be said of the end of a query: an operator that does not exist or is not one of `allowed`, a threshold that
 * is no number. `of` names whose operators they are (`a forecast`).
 */
export function comparisonFindings(
  { operator, threshold }: Comparison,
  { allowed = operators, of = 'a query' }: { readonly allowed?: readonly string[]; readonly of?: string } = {},
): Finding[] {
  const write = `write ${either(allowed)}`;
  const first = operators.includes(operator.text)
    ? wrong(operator, `${operator.text} is no operator of ${of}`, write)
    : wrong(
        operator,
        `${operator.text} is no operator`,
        meant[operator.text] ? `write ${meant[operator.text]}` : write,
      );
  return [
    ...(allowed.includes(operator.text) ? [] : [first]),
    // A threshold that the service works out by itself (contract/monitors.md 6, dynamic thresholds).
    ...(threshold.text === 'threshold'
      ? [doubtful(threshold, 'a threshold that is worked out cannot be checked')]
      : []),
    ...(Number.isNaN(threshold.value) && threshold.text !== 'threshold'
      ? [wrong(threshold, `the threshold ${threshold.text} is no number`, 'write a number, such as 90')]
      : []),
  ];
}
