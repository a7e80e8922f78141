import { field, isObject, items, toWord } from '../lib/values.ts';
import {
  type Comparison,
  type Diagnostic,
  day,
  doubtful,
  type JoinedParts,
  type Numeral,
  orList,
  type QueryContext,
  type QuerySpan,
  type Quoted,
  type Tree,
  toMinutes,
  type Word,
  week,
  wrong,
} from './language.ts';

/** A part of the arithmetic of a formula. */
export type FormulaTerm =
  | ({ readonly kind: 'number' } & Numeral)
  | ({ readonly kind: 'variable' } & Word)
  | ({ readonly kind: 'string' } & Word)
  | ({ readonly kind: 'group'; readonly body: FormulaTerm } & QuerySpan)
  | ({ readonly kind: 'signed'; readonly sign: string; readonly body: FormulaTerm } & QuerySpan)
  | ({ readonly kind: 'named'; readonly key: Word; readonly value: FormulaTerm } & QuerySpan)
  | ({ readonly kind: 'call'; readonly name: Word; readonly args: readonly FormulaTerm[] } & QuerySpan)
  | JoinedParts<FormulaTerm>;

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

/** The step with this name, the first of several. */
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

/** The argument of a step that has no name of its own; undefined where there is none. */
export const unnamedArgument = (step: FormulaStep | undefined): Quoted | undefined =>
  step?.args.find((arg) => !arg.key)?.value;

/** Whether monitors of this type may have arguments without quotes (docs/contract/monitor-queries.md#formula). */
export const mayOmitQuotes = (type: string): boolean => type.startsWith('data-');

/** The step that has the window. */
export const windowStep = (tree: Formula): FormulaStep | undefined =>
  formulaStep(tree, 'last') ?? formulaStep(tree, 'current');

/** What is wrong with a window for every type: it is missing, it is no length of time, its length is 0. */
export function windowDiagnostic(step: FormulaStep, hint = 'such as "5m", "4h" or "1d"'): Diagnostic | undefined {
  const value = unnamedArgument(step);
  const minutes = toMinutes(value?.text ?? '');
  if (!value || value.text.trim() === '') return wrong(value ?? step, `.${step.name.text}() has no window`, hint);
  if (minutes === undefined) return wrong(value, `${value.text} is not a window`, hint);
  return minutes === 0 ? wrong(value, `window ${value.text} has no length`, hint) : undefined;
}

/**
 * Diagnostics of the window of a formula, not of one over costs. A window over a limit is only doubtful: limits are documented
 * for single queries, not for formulas over them.
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

/** The `data_source` of event queries and of cost queries, as the specification has them (docs/contract/monitor-queries.md#formula). */
const eventSources = [
  'rum',
  'ci_pipelines',
  'ci_tests',
  'audit',
  'events',
  'logs',
  'spans',
  'database_queries',
  'network',
  'network_path',
];
const costSources = ['metrics', 'cloud_cost', 'service_usage'];
const aggregations = [
  'count',
  'cardinality',
  'median',
  'pc75',
  'pc90',
  'pc95',
  'pc98',
  'pc99',
  'sum',
  'min',
  'max',
  'avg',
];
const aggregators = ['avg', 'sum', 'max', 'min', 'last', 'area', 'l2norm', 'percentile', 'stddev'];

/**
 * Checks a formula against `options.variables`: each name has a variable, and each used variable has its required
 * members. `threshold` is the threshold itself. No diagnostics without options, or for variants that the specification does not show.
 */
export function variableRules(tree: Formula, { type, options }: QueryContext): Diagnostic[] {
  if (typeof options !== 'object' || options === null) return [];
  const terms = formulaTerms(tree.body.expression).filter((term) => term.kind === 'variable');
  const used = terms.filter(
    ({ text }, at) => text !== 'threshold' && terms.findIndex((term) => term.text === text) === at,
  );
  const variables = items(field(options, 'variables'));
  if (variables.length === 0) return used.slice(0, 1).map((term) => noVariables(term, type));
  const names = variables.map((variable) => toWord(field(variable, 'name')) || undefined);
  return used.flatMap((term) => {
    const variable = variables[names.indexOf(term.text)];
    return variable === undefined ? unknownVariable(term, term.text, names) : [...sourceDiagnostics(variable, term)];
  });
}

function noVariables(place: QuerySpan, type: string): Diagnostic {
  const say = type === 'cost alert' ? wrong : doubtful;
  return say(place, 'the options have no variables', 'options.variables says what each name stands for');
}

function unknownVariable(place: QuerySpan, name: string, names: readonly (string | undefined)[]): Diagnostic {
  const known = names.filter((name) => name !== undefined);
  if (known.length < names.length)
    return doubtful(place, `there is no variable ${name}, but some in the options have no name`);
  return wrong(place, `there is no variable ${name}`, `options.variables has ${known.slice(0, 5).join(', ')}`);
}

/** The `data_source` of variants that the specification does not have. */
const otherSources = [
  'data_quality_metrics',
  'aggregate_filtered_query',
  'aggregate_augmented_query',
  'reference_table',
];

/** Diagnostics of the members that every variable needs, whatever its source; `others`: those that may not have its name. */
export function* shapeDiagnostics(
  variable: unknown,
  place: QuerySpan,
  others: readonly unknown[],
): Iterable<Diagnostic> {
  if (!isObject(variable)) {
    yield wrong(place, 'a variable is an object', '{"name": "query1", "data_source": …}');
    return;
  }
  const name = toWord(variable.name);
  const source = toWord(variable.data_source);
  const sources = [...eventSources, ...costSources];
  if (name === '') yield wrong(place, 'a variable has no name', '"name": "query1"');
  else if (others.some((other) => field(other, 'name') === name))
    yield wrong(place, `two variables are called ${name}`, 'give one another name');
  // Some variants have no source (docs/contract/monitor-queries.md#formula).
  if (source === '' && !('job_type' in variable || 'jobs_query' in variable))
    yield wrong(place, `variable ${name || '(no name)'} has no data_source`, '"data_source": "metrics"');
  if (source !== '' && ![...sources, ...otherSources].includes(source))
    yield doubtful(place, `variable ${name}: ${source} is not a known data_source`, orList(sources));
}

/** All diagnostics of one variable; `others`: those that may not have its name. */
export const variableDiagnostics = (variable: unknown, place: QuerySpan, others: readonly unknown[]): Diagnostic[] => [
  ...shapeDiagnostics(variable, place, others),
  ...sourceDiagnostics(variable, place),
];

/** Diagnostics of what a variable with its source needs; none for variants that the specification does not have. */
function* sourceDiagnostics(variable: unknown, place: QuerySpan): Iterable<Diagnostic> {
  const name = toWord(field(variable, 'name')) || '(no name)';
  const source = toWord(field(variable, 'data_source'));
  if (eventSources.includes(source)) yield* eventDiagnostics(name, variable, place);
  if (costSources.includes(source)) yield* costDiagnostics(name, variable, place);
}

function* eventDiagnostics(name: string, variable: unknown, place: QuerySpan): Iterable<Diagnostic> {
  const compute = field(variable, 'compute');
  // Some services have a list of computations, and groups that are texts instead of objects.
  const computations = items(compute).length > 0 ? items(compute) : [compute];
  const isGroup = (group: unknown) => toWord(group) !== '' || toWord(field(group, 'facet')) !== '';
  for (const computation of computations) yield* computeDiagnostics(name, computation, place);
  if (typeof field(field(variable, 'search'), 'query') !== 'string')
    yield doubtful(place, `variable ${name} has no search.query`, 'write "*" for all');
  if (!items(field(variable, 'group_by')).every(isGroup))
    yield doubtful(place, `variable ${name} has a group_by without a facet`, 'add the facet to group by');
}

function* computeDiagnostics(name: string, compute: unknown, place: QuerySpan): Iterable<Diagnostic> {
  const aggregation = toWord(field(compute, 'aggregation'));
  if (aggregation === '')
    yield wrong(place, `variable ${name} has no compute.aggregation`, 'such as count, or avg with a metric');
  else if (!aggregations.includes(aggregation))
    yield doubtful(place, `variable ${name}: ${aggregation} is not a known aggregation`, orList(aggregations));
  else if (aggregation !== 'count' && toWord(field(compute, 'metric')) === '')
    yield wrong(place, `variable ${name}: ${aggregation} needs compute.metric`, 'name the measure or the facet');
}

function* costDiagnostics(name: string, variable: unknown, place: QuerySpan): Iterable<Diagnostic> {
  const aggregator = toWord(field(variable, 'aggregator'));
  if (toWord(field(variable, 'query')).trim() === '') yield wrong(place, `variable ${name} has no query`);
  if (aggregator !== '' && !aggregators.includes(aggregator))
    yield doubtful(place, `variable ${name}: ${aggregator} is not a known aggregator`, orList(aggregators));
}
