import type { Query } from '../../../src/simulator/query/monitor-query.ts';
import { minutesOf } from './chain.ts';
import { readExpression } from './expression.ts';

/** The metric family: metric, change, anomaly, outlier and forecast queries (docs/contract/monitor-queries.md#metric). */
export function readMetric(body: string, operator: string, threshold: number): Partial<Query> | undefined {
  const change =
    /^(?:change|pct_change)\s*\(\s*(?:avg|sum|min|max)\s*\(\s*last_(\w+)\s*\)\s*,\s*(\w+)\s*\)\s*:([\s\S]+)$/.exec(
      body,
    );
  if (change) {
    const [, window = '', shift = '', rest = ''] = change;
    if (!(minutesOf(window, 'mhd') <= 2880 && minutesOf(window, 'mhd') >= 1) || !shiftFits(shift)) return undefined;
    return readTermsOf(rest, 'metric');
  }
  const head = /^(avg|sum|min|max)\s*\(\s*(last|next|current)_(\w+)\s*\)\s*:\s*([\s\S]+)$/.exec(body);
  if (!head) return undefined;
  const [, aggregator = '', tense = '', window = '', rest = ''] = head;
  const wrapped = /^(anomalies|outliers|forecast)\s*\(([\s\S]+)\)$/.exec(rest);
  if (tense === 'next')
    return wrapped?.[1] === 'forecast' ? readForecast(aggregator, window, wrapped[2] as string, operator) : undefined;
  if (tense === 'current' && !['1h', '1d', '1mo'].includes(window)) return undefined;
  if (tense === 'last' && !lastFits(window)) return undefined;
  if (wrapped?.[1] === 'anomalies') return readAnomalies(wrapped[2] as string, threshold);
  if (wrapped?.[1] === 'outliers') return readOutliers(wrapped[2] as string, operator, threshold);
  if (wrapped) return undefined;
  const read = readTermsOf(rest, 'metric');
  return read && (tense === 'current' ? { ...read, current: `current_${window}` } : read);
}

/** #m 1 to 10080, #h 1 to 168, 1d, 1w (docs/contract/monitor-queries.md#metric). */
const lastFits = (window: string): boolean =>
  window === '1d' || window === '1w' || (minutesOf(window, 'mh') >= 1 && minutesOf(window, 'mh') <= 10_080);

const shiftFits = (shift: string): boolean =>
  /^((5|10|15|30)m|[124]h|1d)_ago$/.test(shift) || /^last_((5|10|15|30)m|[124]h|1d)$/.test(shift);

/** The arguments of a wrapping function: first the metric query, whose braces may hold commas and brackets. */
function split(text: string): string[] {
  const parts: string[] = [];
  let braces = 0;
  let quote = '';
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] as string;
    if (letter === '{') braces += 1;
    else if (letter === '}') braces -= 1;
    else if (braces > 0) continue;
    else if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  parts.push(text.slice(begin).trim());
  return parts;
}

const bare = (text: string | undefined): string => (/^'(.*)'$/.exec(text ?? '')?.[1] ?? '').toLowerCase();
const isNumber = (text: string | undefined): boolean => /^(\d+\.?\d*|\.\d+)$/.test(text ?? '');

/** Allowed values of settings that are enums. */
const settings: Readonly<Record<string, RegExp>> = {
  direction: /^(both|above|below)$/,
  count_default_zero: /^(true|false)$/,
  model: /^(default|simple|reactive)$/,
  seasonality: /^(hourly|daily|weekly)$/,
};

/** Further arguments: quoted words or numbers, most of them named. */
const areSettings = (more: readonly string[]): boolean =>
  more.every((text) => {
    const [, name = '', word] = /^(?:([A-Za-z_]\w*)\s*=\s*)?(?:'([^']*)'|-?(?:\w[\w.]*|\.\d+))$/.exec(text) ?? [
      '',
      'none',
      '',
    ];
    return name !== 'none' && (word === undefined || (settings[name]?.test(word.toLowerCase()) ?? true));
  });

function readAnomalies(inside: string, threshold: number): Partial<Query> | undefined {
  const [metric = '', algorithm, bounds, ...more] = split(inside);
  if (!['basic', 'agile', 'robust'].includes(bare(algorithm)) || !isNumber(bounds) || !areSettings(more))
    return undefined;
  if (threshold < 0 || threshold > 1) return undefined;
  const read = readTermsOf(metric, 'anomaly');
  const window = /^alert_window\s*=\s*'(.*)'$/.exec(more.find((text) => text.startsWith('alert_window')) ?? '')?.[1];
  return read && (window ? { ...read, alertWindow: window } : read);
}

function readOutliers(inside: string, operator: string, threshold: number): Partial<Query> | undefined {
  const [metric = '', algorithm, tolerance, ...more] = split(inside);
  const read = readTermsOf(metric, 'outlier');
  const known = ['dbscan', 'scaleddbscan', 'mad', 'scaledmad'].includes(bare(algorithm));
  return known &&
    isNumber(tolerance) &&
    areSettings(more) &&
    operator === '>' &&
    threshold === 0 &&
    read?.groups?.length
    ? read
    : undefined;
}

function readForecast(
  aggregator: string,
  window: string,
  inside: string,
  operator: string,
): Partial<Query> | undefined {
  const [metric = '', algorithm, deviations, ...more] = split(inside);
  const side = aggregator === 'max' ? '>' : aggregator === 'min' ? '<' : 'never';
  if (!operator.startsWith(side) || !(minutesOf(window, 'hdw') > 0 || /^\d+mo$/.test(window))) return undefined;
  return ['linear', 'seasonal'].includes(bare(algorithm)) && isNumber(deviations) && areSettings(more)
    ? readTermsOf(metric, 'forecast')
    : undefined;
}

/** Arithmetic and functions over metrics, one at least; the groups of all terms count. */
function readTermsOf(text: string, classification: string): Partial<Query> | undefined {
  const terms = readExpression(text, 'metric');
  const [first] = terms ?? [];
  if (!terms || !first) return undefined;
  return {
    classification,
    metrics: [...new Set(terms.map((term) => term.name))],
    scope: first.scope.filter((text) => text !== '*'),
    groups: [...new Set(terms.flatMap((term) => term.groups))].filter((text) => text !== '*'),
  };
}
