import { comparisonDiagnostics, operators } from './comparison.ts';
import { type Formula, type FormulaStep, formulaStep, unnamedArgument } from './formula-tree.ts';
import { windowDiagnostic, windowStep } from './formula-window.ts';
import { type Diagnostic, doubtful, wrong } from './language.ts';
import { splitLength } from './window-lengths.ts';

/** Operators by the function of a cost monitor (docs/contract/monitor-queries.md#formula has `>` for anomalies). */
const taken: Readonly<Record<string, { readonly noun: string; readonly allowed: readonly string[] }>> = {
  change: { noun: 'a cost change', allowed: ['>', '<'] },
  anomaly: { noun: 'a cost anomaly', allowed: ['>=', '>'] },
  forecast: { noun: 'a cost forecast', allowed: ['>'] },
};

/** Rules of `cost alert`: daily windows, one function with its words, the operators of that function. */
export function costRules(tree: Formula): Diagnostic[] {
  const named = tree.steps.filter((step) => taken[step.name.text] !== undefined);
  const [step] = named;
  const { noun, allowed } = taken[step?.name.text ?? ''] ?? { noun: 'a cost monitor', allowed: operators };
  return [
    ...windows(tree),
    ...(step ? words(step) : []),
    ...named
      .slice(1)
      .map((other) => doubtful(other.name, 'a cost monitor has one function', `remove .${other.name.text}()`)),
    ...comparisonDiagnostics(tree.comparison, { of: noun, allowed }),
  ];
}

const days = 'such as "7d" or "30d"';

function windows(tree: Formula): Diagnostic[] {
  const step = windowStep(tree);
  if (!step) {
    return [
      wrong(tree.call, 'the formula has no window', 'add .last("7d") after it, or .current("30d") for a forecast'),
    ];
  }
  const odd = windowDiagnostic(step, days);
  if (odd) return [odd];
  const value = unnamedArgument(step);
  const unit = splitLength(value?.text ?? '')?.unit;
  if (!value || unit === undefined) return [];
  if (['s', 'm', 'h'].includes(unit))
    return [wrong(value, `window ${value.text} is not a number of days: costs come once a day`, days)];
  const forecast = formulaStep(tree, 'forecast');
  return [
    ...(unit === 'd' ? [] : [doubtful(value, `window ${value.text} is not in days`, days)]),
    ...(forecast && step.name.text === 'last'
      ? [doubtful(step.name, 'a forecast usually has .current()', `write .current("${value.text}")`)]
      : []),
    ...(!forecast && step.name.text === 'current'
      ? [doubtful(step.name, '.current() is known for forecasts only', `write .last("${value.text}")`)]
      : []),
  ];
}

function words(step: FormulaStep): Diagnostic[] {
  if (step.name.text === 'change') return change(step);
  if (step.name.text === 'anomaly') return anomaly(step);
  return step.args.slice(0, 1).map((arg) => doubtful(arg, '.forecast() usually has empty parentheses'));
}

function change(step: FormulaStep): Diagnostic[] {
  const value = unnamedArgument(step);
  if (!value) return [doubtful(step, '.change() has no type', 'write "relative" or "absolute"')];
  if (['relative', 'absolute'].includes(value.text)) return [];
  return [wrong(value, `${value.text || 'nothing'} is not a type of change`, 'write "relative" or "absolute"')];
}

function anomaly(step: FormulaStep): Diagnostic[] {
  const direction = step.args.find((arg) => arg.key?.text === 'direction')?.value;
  const threshold = step.args.find((arg) => arg.key?.text === 'threshold')?.value;
  const hint = 'write direction="both", "above" or "below"';
  return [
    ...(direction ? [] : [doubtful(step, '.anomaly() has no direction', hint)]),
    ...(direction && !['both', 'above', 'below'].includes(direction.text)
      ? [wrong(direction, `${direction.text || 'nothing'} is not a direction of an anomaly`, hint)]
      : []),
    ...(threshold && !(threshold.text !== '' && Number.isFinite(Number(threshold.text)))
      ? [wrong(threshold, `the threshold ${threshold.text} of the anomaly is not a number`, 'such as threshold=10')]
      : []),
    ...step.args
      .filter((arg) => !['direction', 'threshold'].includes(arg.key?.text ?? ''))
      .map((arg) => doubtful(arg, `.anomaly() takes direction and threshold`)),
  ];
}
