import { plural } from '../lib/text.ts';
import { findStep, type SearchChain } from './chain.ts';
import { meanings } from './comparison.ts';
import { findLanguage } from './language-of-type.ts';
import { findWindow, findWrapping, groupingKeys, type Metric, metricQueries } from './metric-tree.ts';
import type { Tree, Word } from './query-tree.ts';
import { splitLength } from './window-lengths.ts';

/**
 * What a query means, as one sentence; undefined where it cannot be read, or where a sentence would say less than the query:
 * forecasts, anomalies, formulas, composites. Never throws.
 */
export function describeQuery(type: string, query: string): string | undefined {
  try {
    const tree = findLanguage(type, query)?.parse(query);
    return tree && sentenceOf(tree);
  } catch {
    return undefined;
  }
}

function sentenceOf(tree: Tree): string | undefined {
  if (tree.kind === 'metric') return metricSentence(tree as Metric);
  return tree.kind === 'events' ? searchSentence(tree as SearchChain) : undefined;
}

function metricSentence(tree: Metric): string | undefined {
  const queries = metricQueries(tree);
  const { comparison } = tree;
  const window = findWindow(tree);
  const length = spanOf(window.length);
  if (!comparison || tree.change || findWrapping(tree) || queries.length === 0 || !length || window.tense === '')
    return undefined;
  const names = [...new Set(queries.map(({ series }) => series.name.text))];
  const tags = [...new Set(queries.flatMap((query) => query.tags.map(({ text }) => text)))].filter(
    (tag) => tag !== '*',
  );
  const [first] = queries;
  const isPlain = queries.length === 1 && (tree.body.kind === 'stepped' || tree.body.kind === 'metric');
  const own = isPlain ? first?.series.aggregator?.text : undefined;
  const inner = own === undefined || own === tree.aggregator.text ? '' : `${nameOf(own)} of `;
  const measured = isPlain ? `${inner}${names.join()}` : `a calculation with ${few(names, ' and ')}`;
  const scope = tags.length > 0 ? ` (${few(tags, ', ')})` : '';
  const value = `the ${nameOf(tree.aggregator.text)} over the ${window.tense} ${length} of ${measured}${scope}`;
  return alertsWhen(groupingKeys(tree), value, comparison);
}

/** Names that a sentence says at most: of more it says how many. */
const mostNamed = 5;

function few(names: readonly string[], between: string): string {
  const others = names.length - mostNamed;
  return others > 1 ? `${names.slice(0, mostNamed).join(between)} and ${others} more` : names.join(between);
}

function searchSentence(tree: SearchChain): string | undefined {
  const rollup = findStep(tree, 'rollup')?.list.map(({ text }) => text) ?? [];
  const step = findStep(tree, 'last');
  const length = spanOf(tree.window?.text ?? '');
  const [how, measure] = rollup;
  if (!step || !length || how === undefined) return undefined;
  const search = tree.search?.text.trim() ?? '';
  const source = `${tree.source.text}${search === '' || search === '*' ? '' : ` (${search})`}`;
  const value = measure === undefined ? `${nameOf(how)} of ${source}` : `${nameOf(how)} of ${measure} in ${source}`;
  return alertsWhen(tree.groups, `the ${value} over the last ${length}`, tree.comparison);
}

function alertsWhen(groups: readonly Word[], value: string, comparison: SearchChain['comparison']): string | undefined {
  const relation = (meanings as Readonly<Record<string, string>>)[comparison.operator.text];
  if (relation === undefined) return undefined;
  const each = groups.length > 0 ? `, for each ${groups.map(({ text }) => text).join(' and ')},` : '';
  return `Alerts when${each} ${value} is ${relation} ${comparison.threshold.text}`;
}

const aggregators: Readonly<Record<string, string>> = {
  avg: 'average',
  min: 'minimum',
  max: 'maximum',
  count: 'number',
  cardinality: 'number of different values',
};
const nameOf = (aggregator: string): string => aggregators[aggregator] ?? aggregator;

const units: Readonly<Record<string, string>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
};

/** `5 minutes` of `5m`, `2 days` of `2d`; undefined where it is no length. */
function spanOf(text: string): string | undefined {
  const parts = splitLength(text);
  const unit = parts && units[parts.unit];
  return parts && unit !== undefined ? plural(parts.count, unit) : undefined;
}
