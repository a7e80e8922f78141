import { type Formula, type FormulaStep, formulaStep, unnamedArgument } from './formula-tree.ts';
import { type Diagnostic, doubtful, wrong } from './language.ts';
import { day, toMinutes, week } from './window-lengths.ts';

/** Types whose arguments may stand without quotes (docs/contract/monitor-queries.md#formula). */
export const mayOmitQuotes = (type: string): boolean => type.startsWith('data-');

/** The step that says the window. */
export const windowStep = (tree: Formula): FormulaStep | undefined =>
  formulaStep(tree, 'last') ?? formulaStep(tree, 'current');

/** What is wrong with a window whatever the type: nothing in it, no window, no time. */
export function windowDiagnostic(step: FormulaStep, hint = 'such as "5m", "4h" or "1d"'): Diagnostic | undefined {
  const value = unnamedArgument(step);
  const minutes = toMinutes(value?.text ?? '');
  if (!value || value.text.trim() === '') return wrong(value ?? step, `.${step.name.text}() has no window`, hint);
  if (minutes === undefined) return wrong(value, `${value.text} is not a window`, hint);
  return minutes === 0 ? wrong(value, `window ${value.text} has no length`, hint) : undefined;
}

/**
 * Diagnostics of the windows of all formulas but those of costs. Limits are documented for the queries of a kind, not for
 * formulas over them, so that a window over a limit is only doubtful.
 */
export function formulaWindowDiagnostics(tree: Formula, type: string): Diagnostic[] {
  const step = windowStep(tree);
  if (!step) return [wrong(tree.call, 'the formula has no window', 'add .last("5m") after it')];
  const diagnostic = windowDiagnostic(step);
  if (diagnostic) return [diagnostic];
  const value = unnamedArgument(step);
  const isMetric = type === 'query alert' || type === 'metric alert';
  if (!value || mayOmitQuotes(type) || (toMinutes(value.text) ?? 0) <= (isMetric ? week : 2 * day)) return [];
  const limit = isMetric ? '1w' : '48h';
  const kind = isMetric ? 'metric' : type.replace(/ alert$/, '');
  return [doubtful(value, `window ${value.text} is over the ${limit} limit for ${kind} monitors`, `at most ${limit}`)];
}
