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
function* costRules(tree: Formula): Iterable<Diagnostic> {
  const [step, ...others] = tree.steps.filter((step) => taken[step.name.text] !== undefined);
  const { noun, allowed } = taken[step?.name.text ?? ''] ?? { noun: 'a cost monitor', allowed: operators };
  yield* windows(tree);
  if (step) yield* words(step);
  for (const { name } of others) yield doubtful(name, 'a cost monitor has one function', `remove .${name.text}()`);
  yield* comparisonDiagnostics(tree.comparison, { of: noun, allowed });
}

const days = 'such as "7d" or "30d"';

function* windows(tree: Formula): Iterable<Diagnostic> {
  const step = windowStep(tree);
  const odd = step
    ? windowDiagnostic(step, days)
    : wrong(tree.call, 'the formula has no window', 'add .last("7d") after it, or .current("30d") for a forecast');
  if (odd) yield odd;
  const value = unnamedArgument(step);
  const unit = splitLength(value?.text ?? '')?.unit;
  if (odd || !step || !value || unit === undefined) return;
  if (['s', 'm', 'h'].includes(unit)) {
    yield wrong(value, `window ${value.text} is not a number of days: costs come once a day`, days);
    return;
  }
  const forecast = formulaStep(tree, 'forecast');
  if (unit !== 'd') yield doubtful(value, `window ${value.text} is not in days`, days);
  if (forecast && step.name.text === 'last')
    yield doubtful(step.name, 'a forecast usually has .current()', `write .current("${value.text}")`);
  if (!forecast && step.name.text === 'current')
    yield doubtful(step.name, '.current() is known for forecasts only', `write .last("${value.text}")`);
}

function words(step: FormulaStep): Iterable<Diagnostic> {
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

function* anomaly(step: FormulaStep): Iterable<Diagnostic> {
  const direction = step.args.find((arg) => arg.key?.text === 'direction')?.value;
  const threshold = step.args.find((arg) => arg.key?.text === 'threshold')?.value;
  const hint = 'write direction="both", "above" or "below"';
  if (!direction) yield doubtful(step, '.anomaly() has no direction', hint);
  else if (!['both', 'above', 'below'].includes(direction.text))
    yield wrong(direction, `${direction.text || 'nothing'} is not a direction of an anomaly`, hint);
  if (threshold && !(threshold.text !== '' && Number.isFinite(Number(threshold.text))))
    yield wrong(threshold, `the threshold ${threshold.text} of the anomaly is not a number`, 'such as threshold=10');
  for (const arg of step.args)
    if (!['direction', 'threshold'].includes(arg.key?.text ?? ''))
      yield doubtful(arg, `.anomaly() takes direction and threshold`);
}

/** Diagnostics of a parsed formula. */
function* formulaRules(tree: Formula, about: QueryContext): Iterable<Diagnostic> {
  const terms = formulaTerms(tree.body.expression);
  const isCost = about.type === 'cost alert';
  yield* terms.flatMap(termDiagnostics);
  if (!terms.some((term) => term.kind === 'variable'))
    yield doubtful(tree.body, 'the formula uses no variable, so it measures nothing');
  yield* quoteDiagnostics(tree, about.type);
  yield* orderDiagnostics(tree, isCost);
  if (isCost) yield* costRules(tree);
  else {
    yield* formulaWindowDiagnostics(tree, about.type);
    yield* comparisonDiagnostics(tree.comparison);
  }
  yield* variableRules(tree, about);
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

function* quoteDiagnostics({ body, steps }: Formula, type: string): Iterable<Diagnostic> {
  if (mayOmitQuotes(type)) return;
  if (body.quote === '') yield wrong(body, 'the formula is not in quotes', `write formula("${body.text.trim()}")`);
  for (const { key, value } of steps.flatMap((step) => step.args))
    if (!key && value.quote === '') yield doubtful(value, `${value.text} is not in quotes`, `write "${value.text}"`);
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
