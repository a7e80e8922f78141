import { minutesOf, type Query } from './chain.ts';

/** Terms such as `avg:disk.used{env:prod} by {host}`; the aggregator may be missing (contract/monitors.md 5.3). */
const term =
  /(?:\b(?:avg|sum|min|max):)?\b[A-Za-z][\w.]*\{[^{}]+\}(?:\s+by\s+\{[^{}]+\})?(?:\.as_(?:count|rate)\(\)|\.rollup\([^()]*\))*/g;

/** The metric family: metric, change, anomaly, outlier and forecast queries (contract/monitors.md 5.3 to 5.6). */
export function readMetric(body: string, operator: string, threshold: number): Partial<Query> | undefined {
  const change = /^(?:change|pct_change)\((?:avg|sum|min|max)\(last_(\w+)\),\s*(\w+)\):([\s\S]+)$/.exec(body);
  if (change) {
    const [, window = '', shift = '', rest = ''] = change;
    if (!(minutesOf(window, 'mhd') <= 2880 && minutesOf(window, 'mhd') >= 1) || !shiftFits(shift)) return undefined;
    return readTermsOf(rest, 'metric');
  }
  const head = /^(avg|sum|min|max)\((last|next|current)_(\w+)\):([\s\S]+)$/.exec(body);
  if (!head) return undefined;
  const [, aggregator = '', tense = '', window = '', rest = ''] = head;
  const wrapped = /^(anomalies|outliers|forecast)\(([\s\S]+)\)$/.exec(rest);
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

/** #m 1 to 10080, #h 1 to 168, 1d, 1w (spec: Limits). */
const lastFits = (window: string): boolean =>
  window === '1d' || window === '1w' || (minutesOf(window, 'mh') >= 1 && minutesOf(window, 'mh') <= 10_080);

const shiftFits = (shift: string): boolean =>
  /^((5|10|15|30)m|[124]h|1d)_ago$/.test(shift) || /^last_((5|10|15|30)m|[124]h|1d)$/.test(shift);

/** The arguments of a wrapping function: first the metric query, whose braces may hold commas. */
function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ('{('.includes(text[at] as string)) depth += 1;
    else if ('})'.includes(text[at] as string)) depth -= 1;
    else if (text[at] === ',' && depth === 0) {
      parts.push(text.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  parts.push(text.slice(begin).trim());
  return parts;
}

const bare = (text: string | undefined): string => (/^'(.*)'$/.exec(text ?? '')?.[1] ?? '').toLowerCase();
const isNumber = (text: string | undefined): boolean => /^\d+(\.\d+)?$/.test(text ?? '');

function readAnomalies(inside: string, threshold: number): Partial<Query> | undefined {
  const [metric = '', algorithm, bounds, ...more] = split(inside);
  if (!['basic', 'agile', 'robust'].includes(bare(algorithm)) || !isNumber(bounds)) return undefined;
  if (threshold < 0 || threshold > 1) return undefined;
  const named = new Map(
    more.map((part) => [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]),
  );
  const direction = named.get('direction');
  if (direction && !['both', 'above', 'below'].includes(bare(direction))) return undefined;
  const read = readTermsOf(metric, 'anomaly');
  const window = bare(named.get('alert_window'));
  return read && (window ? { ...read, alertWindow: window } : read);
}

function readOutliers(inside: string, operator: string, threshold: number): Partial<Query> | undefined {
  const [metric = '', algorithm, tolerance] = split(inside);
  const read = readTermsOf(metric, 'outlier');
  const known = ['dbscan', 'scaleddbscan', 'mad', 'scaledmad'].includes(bare(algorithm));
  return known && isNumber(tolerance) && operator === '>' && threshold === 0 && read?.groups?.length ? read : undefined;
}

function readForecast(
  aggregator: string,
  window: string,
  inside: string,
  operator: string,
): Partial<Query> | undefined {
  const [metric = '', algorithm, deviations] = split(inside);
  const side = aggregator === 'max' ? '>' : aggregator === 'min' ? '<' : 'never';
  if (!operator.startsWith(side) || !(minutesOf(window, 'hdw') > 0 || /^\d+mo$/.test(window))) return undefined;
  return ['linear', 'seasonal'].includes(bare(algorithm)) && isNumber(deviations)
    ? readTermsOf(metric, 'forecast')
    : undefined;
}

/** Terms joined by arithmetic: what is left when they are taken out must be arithmetic alone. */
function readTermsOf(text: string, classification: string): Partial<Query> | undefined {
  const terms = text.match(term) ?? [];
  const rest = text.replaceAll(term, '1');
  if (terms.length === 0 || !/^[\s\d.+\-*/(),]*(?:[a-z_]+\()?[\s\d.+\-*/(),a-z_']*$/.test(rest) || /1\s*1/.test(rest))
    return undefined;
  if (/[{}:=]/.test(rest)) return undefined;
  const list = (inside: string | undefined): string[] =>
    (inside ?? '')
      .split(',')
      .map((it) => it.trim())
      .filter((it) => it && it !== '*');
  return {
    classification,
    metrics: [...new Set(terms.map((it) => /([A-Za-z][\w.]*)\{/.exec(it)?.[1] ?? ''))],
    scope: list(/\{([^{}]+)\}/.exec(terms[0] as string)?.[1]),
    groups: list(/by\s+\{([^{}]+)\}/.exec(terms[0] as string)?.[1]),
  };
}
