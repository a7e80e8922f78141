import { at } from '../../lib/values.ts';
import { findStep, groupingStepKeys, type SearchChain } from '../../query/chain.ts';
import { check } from '../../query/check-query.ts';
import { type Formula, formulaStep } from '../../query/formula-tree.ts';
import type { QuerySpan, Tree, Word } from '../../query/language.ts';
import { findWrapping, type Metric, metricQueries } from '../../query/metric-tree.ts';
import { findAspects } from '../../query/option-diagnostics.ts';
import { eventShapes } from '../../query/query-shapes.ts';
import { type Composite, compositeMembers, type Objective, type ServiceCheck } from '../../query/state-queries.ts';
import { asList } from '../server/handler.ts';
import type { QueryParts } from '../server/monitoring.ts';
import { readTerms } from './search-terms.ts';

/** The parts of a monitor's query on which responses depend. */
export interface Query extends Omit<QueryParts, 'multi'> {
  readonly operator: string | null;
  readonly threshold: number | null;
  /** Keys of `by`; empty for a simple alert. */
  readonly groups: readonly string[];
  /** `last(count)` of a service check. */
  readonly count?: number;
  /** The calendar window (`current_1d`), or `burn` for a burn rate. */
  readonly current?: string;
  readonly alertWindow?: string;
  /** The id of the objective of an error budget or burn rate. */
  readonly objective?: string;
}

/** The parsed query, or the service's error text. */
export type ReadQuery = { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly text: string };

/** Every `type` that create takes. */
export const types: readonly string[] = [
  'query alert',
  'metric alert',
  'composite',
  'service check',
  'process alert',
  'slo alert',
  'cost alert',
  'data-quality alert',
  'data-jobs alert',
  'error-tracking alert',
  ...Object.keys(eventShapes),
];

const invalid = "The value provided for parameter 'query' is invalid";
const refusal = (text: string): ReadQuery => ({ ok: false, text });

/**
 * Parses a query (docs/contract/monitor-queries.md#common-rules); refuses what `src/query` calls wrong.
 * Of the options, only the variables of a formula belong to the query.
 */
export function readQuery(type: string, text: string, options: unknown): ReadQuery {
  const { verdict, tree } = check(type, text, { variables: asList(at(options, 'variables')) ?? [] });
  const isSearch = tree ? tree.kind === 'events' : type in eventShapes;
  if (!tree && isSearch && !comparison.test(text)) return refusal(`${invalid}: invalid operator specified: `);
  if (!tree || verdict === 'wrong') return refusal(invalid);
  if (isSearch && !readTerms(searchOf(tree)).ok)
    return refusal(`${invalid}: Invalid query: Check for invalid tags or facets in your query.`);
  const query = {
    ...noParts,
    classification: kindOf(type),
    ...sharedParts(type, tree),
    ...partsOfLanguage(tree, text),
  };
  return query.classification === 'custom' && query.groups.length === 0 && !isGrouped(tree)
    ? refusal('A grouping must be specified for custom checks')
    : { ok: true, query: query };
}

const comparison = /(<=|>=|==|!=|<|>)\s*-?[\d.]+(?:[eE][+-]?\d+)?\s*$/;
const noParts = { operator: null, threshold: null, groups: [], scope: [], metrics: [], members: [] };

/** The classification of a type: `apm` for `trace-analytics alert`, `metric` for `query alert`, else the type without ` alert`. */
const kindOf = (type: string): string =>
  type === 'trace-analytics alert' ? 'apm' : type === 'query alert' ? 'metric' : type.replace(/ alert$/, '');

const textsOf = (words: readonly Word[]): string[] => words.map(({ text }) => text).filter((text) => text !== '*');
const searchOf = (tree: Tree): string => (tree as SearchChain).search?.text.replaceAll(/\\(["'])/g, '$1') ?? '';

/** Parts that several query languages share. */
function sharedParts(type: string, tree: Tree): Partial<Query> {
  const { groups, window, alertWindow } = findAspects(type, tree);
  return {
    ...(tree.comparison && {
      operator: tree.comparison.operator.text,
      threshold: tree.comparison.threshold.value,
    }),
    ...(groups && { groups: textsOf(groups) }),
    ...(window?.period && { current: `current_${window.period}` }),
    ...(alertWindow && { alertWindow: alertWindow.text }),
  };
}

/** The comma-separated tags of a scope, as written. */
const tagsIn = (scope: QuerySpan | undefined, text: string): string[] =>
  (scope ? text.slice(scope.start, scope.end).replace(/^\s*\{|\}\s*$/g, '') : '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && tag !== '*');

const wrapped = { anomalies: 'anomaly', outliers: 'outlier', forecast: 'forecast' } as const;

/** Parts of one query language. */
function partsOfLanguage(tree: Tree, text: string): Partial<Query> {
  switch (tree.kind) {
    case 'metric': {
      const queries = metricQueries(tree as Metric);
      const wrapping = findWrapping(tree as Metric);
      return {
        ...(wrapping && { classification: wrapped[wrapping.kind] }),
        groups: [...new Set(textsOf(queries.flatMap(({ groups }) => groups)))],
        scope: tagsIn(queries[0]?.series.scope, text),
        metrics: [...new Set(queries.map(({ series }) => series.name.text))],
      };
    }
    case 'composite':
      return { members: [...new Set(compositeMembers((tree as Composite).body).map(({ text }) => text))] };
    case 'service check':
      return partsOfCheck(tree as ServiceCheck);
    case 'formula':
      return { groups: groupsOfFormula(tree as Formula) };
    case 'processes':
      return {
        classification: 'process',
        scope: (findStep(tree as SearchChain, 'over')?.list ?? []).map((tag) => tag.text),
      };
    case 'objective': {
      const { source, objective } = tree as Objective;
      const isBurnRate = source.text === 'burn_rate';
      return { objective: objective?.text ?? '', ...(isBurnRate && { current: 'burn' }) };
    }
    default:
      return { scope: plainTags(searchOf(tree)) };
  }
}

/** Checks with a built-in grouping; all others are custom checks. */
const builtIn = /^(host\.up|ntp\.in_sync|process\.up|\w+\.can_connect)$/;

function partsOfCheck({ check: { text }, steps, count }: ServiceCheck): Partial<Query> {
  const classification = builtIn.test(text) ? (text.split('.')[0] ?? '') : 'custom';
  return {
    classification,
    scope: textsOf(findStep({ steps }, 'over')?.list ?? []),
    metrics: [text],
    count: count?.value ?? 0,
  };
}

const isGrouped = (tree: Tree): boolean => groupingStepKeys(findStep(tree as ServiceCheck, 'by')).length > 0;

const groupsOfFormula = (tree: Formula): string[] =>
  (formulaStep(tree, 'by')?.args ?? [])
    .flatMap(({ value }) => value.text.split(','))
    .map((key) => key.trim())
    .filter((key) => key !== '*');

/** `service:api env:prod` as tags: only plain terms. */
const plainTags = (search: string): string[] =>
  [...search.matchAll(/(?:^|\s)([a-z][\w.]*:[\w./-]+)/g)].map((match) => match[1] as string);
