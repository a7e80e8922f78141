import { isObject } from '../lib/object-paths.ts';
import { field, items, toWord } from '../lib/unchecked-values.ts';
import { type Formula, type FormulaTerm, formulaTerms } from './formula-tree.ts';
import { type Diagnostic, doubtful, type QueryContext, wrong } from './language.ts';
import type { QuerySpan } from './query-tree.ts';
import { orList } from './syntax.ts';

/** Sources of the event queries and of the cost queries that the specification shows (docs/contract/monitor-queries.md#formula). */
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

/** `threshold` stands for the threshold itself (docs/contract/monitor-queries.md#options). */
const ownWords = new Set(['threshold']);

/**
 * Checks a formula against `options.variables`: each name has a variable, and each used variable has its required
 * members. No diagnostics without options, or for variants that the specification does not show.
 */
export function variableRules(tree: Formula, { type, options }: QueryContext): Diagnostic[] {
  if (typeof options !== 'object' || options === null) return [];
  const used = formulaTerms(tree.body.expression).filter(
    (term) => term.kind === 'variable' && !ownWords.has(term.text),
  );
  const variables = items(field(options, 'variables'));
  if (variables.length === 0) return used.slice(0, 1).map((term) => none(term, type));
  const names = variables.map((variable) => toWord(field(variable, 'name')) || undefined);
  const seen = new Set<string>();
  return used.flatMap((term) => {
    const name = (term as Extract<FormulaTerm, { kind: 'variable' }>).text;
    if (seen.has(name)) return [];
    seen.add(name);
    const variable = variables[names.indexOf(name)];
    return variable === undefined ? [unknown(term, name, names)] : variableDiagnostics(variable, term);
  });
}

function none(place: QuerySpan, type: string): Diagnostic {
  const say = type === 'cost alert' ? wrong : doubtful;
  return say(place, 'the options have no variables', 'options.variables says what each name stands for');
}

function unknown(place: QuerySpan, name: string, names: readonly (string | undefined)[]): Diagnostic {
  const known = names.filter((name) => name !== undefined);
  if (known.length < names.length)
    return doubtful(place, `there is no variable ${name}, but some in the options have no name`);
  return wrong(place, `there is no variable ${name}`, `options.variables has ${known.slice(0, 5).join(', ')}`);
}

/** Sources of the variants that the specification does not show. */
const otherSources = [
  'data_quality_metrics',
  'aggregate_filtered_query',
  'aggregate_augmented_query',
  'reference_table',
];

/** Diagnostics on the members that every variable needs, whatever its source. */
export function variableShape(variable: unknown, place: QuerySpan, others: readonly unknown[]): Diagnostic[] {
  if (!isObject(variable)) return [wrong(place, 'a variable is an object', '{"name": "query1", "data_source": …}')];
  const name = toWord(variable.name);
  const source = toWord(variable.data_source);
  const sources = [...eventSources, ...costSources];
  // Some variants have no source (docs/contract/monitor-queries.md#formula).
  const isKnown = source !== '' || 'job_type' in variable || 'jobs_query' in variable;
  return [
    ...(name === '' ? [wrong(place, 'a variable has no name', '"name": "query1"')] : []),
    ...(name !== '' && others.some((other) => field(other, 'name') === name)
      ? [wrong(place, `two variables are called ${name}`, 'give one another name')]
      : []),
    ...(isKnown
      ? []
      : [wrong(place, `variable ${name || '(no name)'} has no data_source`, '"data_source": "metrics"')]),
    ...(source === '' || [...sources, ...otherSources].includes(source)
      ? []
      : [doubtful(place, `variable ${name}: ${source} is not a known data_source`, orList(sources))]),
  ];
}

/** All that is said of one variable by itself, and of its name among others. */
export const variableFaults = (variable: unknown, place: QuerySpan, others: readonly unknown[]): Diagnostic[] => [
  ...variableShape(variable, place, others),
  ...variableDiagnostics(variable, place),
];

/** Diagnostics of one variable; none for variants that the specification does not show. */
function variableDiagnostics(variable: unknown, place: QuerySpan): Diagnostic[] {
  const name = toWord(field(variable, 'name')) || '(no name)';
  const source = toWord(field(variable, 'data_source'));
  return [
    ...(eventSources.includes(source) ? eventFaults(name, variable, place) : []),
    ...(costSources.includes(source) ? costFaults(name, variable, place) : []),
  ];
}

function eventFaults(name: string, variable: unknown, place: QuerySpan): Diagnostic[] {
  const compute = field(variable, 'compute');
  const search = field(field(variable, 'search'), 'query');
  // Some services have a list of computations, and groups that are texts instead of objects.
  const computations = items(compute).length > 0 ? items(compute) : [compute];
  return [
    ...computations.flatMap((computation) => computeFaults(name, computation, place)),
    ...(typeof search === 'string'
      ? []
      : [doubtful(place, `variable ${name} has no search.query`, 'write "*" for all')]),
    ...(items(field(variable, 'group_by')).every(
      (group) => toWord(group) !== '' || toWord(field(group, 'facet')) !== '',
    )
      ? []
      : [doubtful(place, `variable ${name} has a group_by without a facet`, 'add the facet to group by')]),
  ];
}

function computeFaults(name: string, compute: unknown, place: QuerySpan): Diagnostic[] {
  const aggregation = toWord(field(compute, 'aggregation'));
  if (aggregation === '')
    return [wrong(place, `variable ${name} has no compute.aggregation`, 'such as count, or avg with a metric')];
  if (!aggregations.includes(aggregation))
    return [doubtful(place, `variable ${name}: ${aggregation} is not a known aggregation`, orList(aggregations))];
  return aggregation === 'count' || toWord(field(compute, 'metric')) !== ''
    ? []
    : [wrong(place, `variable ${name}: ${aggregation} needs compute.metric`, 'name the measure or the facet')];
}

function costFaults(name: string, variable: unknown, place: QuerySpan): Diagnostic[] {
  const query = toWord(field(variable, 'query'));
  const aggregator = toWord(field(variable, 'aggregator'));
  return [
    ...(query.trim() === '' ? [wrong(place, `variable ${name} has no query`)] : []),
    ...(aggregator === '' || aggregators.includes(aggregator)
      ? []
      : [doubtful(place, `variable ${name}: ${aggregator} is not a known aggregator`, orList(aggregators))]),
  ];
}
