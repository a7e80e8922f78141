import {
  type Formula,
  type FormulaStep,
  type FormulaTerm,
  formulaStep,
  formulaTerms,
  formulaWindowDiagnostics,
  mayOmitQuotes,
  unnamedArgument,
  variableRules,
  windowDiagnostic,
  windowStep,
} from './formula-tree.ts';
import {
  comparisonDiagnostics,
  type Diagnostic,
  doubtful,
  type Language,
  operators,
  type QueryContext,
  splitLength,
  wrong,
} from './language.ts';
import { parse } from './made/formula.js';
import { formulaOffers } from './offers.ts';

/** Operators by the function of a cost monitor (docs/contract/monitor-queries.md#formula has `>` for anomalies). */
const taken: Readonly<Record<string, { readonly noun: string; readonly allowed: readonly string[] }>> = {
  change: { noun: 'a cost change', allowed: ['>', '<'] },
  anomaly: { noun: 'a cost anomaly', allowed: ['>=', '>'] },
  forecast: { noun: 'a cost forecast', allowed: ['>'] },
};

/** Rules of `cost alert`: daily windows, one function with its words, the operators of that function. */
function costRules(tree: Formula): Diagnostic[] {
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

/** Diagnostics of a parsed formula. */
function formulaRules(tree: Formula, about: QueryContext): Diagnostic[] {
  const terms = formulaTerms(tree.body.expression);
  const isCost = about.type === 'cost alert';
  return [
    ...terms.flatMap(termDiagnostics),
    ...(terms.some((term) => term.kind === 'variable')
      ? []
      : [doubtful(tree.body, 'the formula uses no variable, so it measures nothing')]),
    ...quoteDiagnostics(tree, about.type),
    ...orderDiagnostics(tree, isCost),
    ...(isCost
      ? costRules(tree)
      : [...formulaWindowDiagnostics(tree, about.type), ...comparisonDiagnostics(tree.comparison)]),
    ...variableRules(tree, about),
  ];
}

function termDiagnostics(term: FormulaTerm): Diagnostic[] {
  if (term.kind === 'number')
    return Number.isNaN(term.value) ? [wrong(term, `${term.text} is not a number`, 'a name begins with a letter')] : [];
  if (term.kind !== 'joined') return [];
  return term.tail.flatMap(({ joint }) => {
    if (joint.text === '//') return [wrong(joint, '// is not an operator of a formula', 'write /')];
    if (['+', '-', '*', '/'].includes(joint.text)) return [];
    return [doubtful(joint, `${joint.text} may not be an operator of a formula`, 'write +, -, * or /')];
  });
}

function quoteDiagnostics({ body, steps }: Formula, type: string): Diagnostic[] {
  if (mayOmitQuotes(type)) return [];
  const bare = steps.flatMap((step) => step.args).filter(({ key, value }) => !key && value.quote === '');
  return [
    ...(body.quote === '' ? [wrong(body, 'the formula is not in quotes', `write formula("${body.text.trim()}")`)] : []),
    ...bare.map(({ value }) => doubtful(value, `${value.text} is not in quotes`, `write "${value.text}"`)),
  ];
}

const places: Readonly<Record<string, number>> = {
  by: 1,
  rollup: 2,
  last: 3,
  current: 3,
  change: 4,
  anomaly: 4,
  forecast: 4,
};

/** Unknown, repeated and misplaced steps. */
function orderDiagnostics({ steps }: Formula, isCost: boolean): Diagnostic[] {
  return steps.flatMap(({ name }, at) => {
    const place = places[name.text];
    if (place === undefined) return [doubtful(name, `.${name.text}() is not a known step of a formula`)];
    const before = steps.slice(0, at).map((step) => step.name.text);
    if (before.includes(name.text)) return [doubtful(name, `.${name.text}() is repeated`, 'remove one')];
    if (!isCost && (place === 4 || name.text === 'current'))
      return [doubtful(name, `.${name.text}() is known for costs only`)];
    const late = before.find((other) => (places[other] ?? 0) > place || (places[other] === place && place === 3));
    if (late === undefined) return [];
    return places[late] === place
      ? [doubtful(name, `.${late}() already says the window`, 'remove one')]
      : [doubtful(name, `.${name.text}() commonly stands before .${late}()`)];
  });
}

/** Formulas over `options.variables`, for costs and for most other types (docs/contract/monitor-queries.md#formula). */
export const formula: Language<Formula> = {
  parse: (text) => parse(text) as Formula,
  rules: formulaRules,
  outline: ({ type }) => ({
    languageNoun: type === 'cost alert' ? 'a cost monitor' : 'a formula',
    beginning: 'formula("…")',
    example: `formula("query1").last("${type === 'cost alert' ? '7d' : '5m'}") > 100`,
  }),
  offers: ({ type }) => formulaOffers(type),
};
