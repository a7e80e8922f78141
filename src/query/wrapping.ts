import { type Comparison, type Diagnostic, doubtful, orList, toMinutes, wrong } from './language.ts';
import {
  everyPart,
  findWindow,
  groupingKeys,
  type Metric,
  type MetricArgument,
  type QueryWindow,
  readWindow,
  type Wrapping,
} from './metric-tree.ts';

/** Words that an argument may be, or an example where it is free. */
type Setting = readonly string[] | { readonly such: string };

interface Form {
  readonly algorithms: readonly string[];
  /** Algorithms of which nothing is documented any more. */
  readonly former?: readonly string[];
  /** The name of the number behind the algorithm. */
  readonly measure: string;
  /** Arguments with a name. */
  readonly named: Readonly<Record<string, Setting>>;
}

const seasons = ['hourly', 'daily', 'weekly'] as const;

/** What may stand in each function (docs/contract/monitor-queries.md#anomaly, #outlier). */
export const wrappingForms: Readonly<Record<Wrapping['kind'], Form>> = {
  anomalies: {
    algorithms: ['basic', 'agile', 'robust'],
    former: ['adaptive'],
    measure: 'bounds',
    named: {
      direction: ['both', 'above', 'below'],
      alert_window: { such: "'last_15m'" },
      interval: { such: '60' },
      count_default_zero: ['true', 'false'],
      seasonality: seasons,
      timezone: { such: "'UTC'" },
    },
  },
  outliers: {
    algorithms: ['DBSCAN', 'scaledDBSCAN', 'MAD', 'scaledMAD'],
    measure: 'tolerance',
    named: {},
  },
  forecast: {
    algorithms: ['linear', 'seasonal'],
    measure: 'deviations',
    named: {
      interval: { such: "'60m'" },
      history: { such: "'1w'" },
      model: ['default', 'simple', 'reactive'],
      seasonality: seasons,
      timeshift: { such: '-3600' },
    },
  },
};

/**
 * Allowed values of a named argument; own properties only, since the name comes from the query and may be
 * `constructor`.
 */
export const wrappingSetting = ({ named }: Form, name: string): Setting | undefined =>
  Object.hasOwn(named, name) ? named[name] : undefined;

/** Diagnostics of `anomalies(…)`, `outliers(…)` and `forecast(…)`. */
export function* wrappingDiagnostics(tree: Metric, wrapping: Wrapping): Iterable<Diagnostic> {
  const { kind, call } = wrapping;
  if (tree.change) yield doubtful(tree.change, `a change of ${kind} is not documented`);
  if (!wrapping.isWhole) yield doubtful(call.name, `${kind} is documented around the whole query only`);
  yield* algorithmDiagnostics(wrapping);
  yield* namedDiagnostics(wrapping);
  yield* { anomalies: anomalyDiagnostics, outliers: outlierDiagnostics, forecast: forecastDiagnostics }[kind](
    tree,
    wrapping,
  );
}

function* algorithmDiagnostics({ call, kind, plain }: Wrapping): Iterable<Diagnostic> {
  const { algorithms, former, measure } = wrappingForms[kind];
  const names = `write ${orList(algorithms.map((algorithm) => `'${algorithm}'`))}`;
  const [, algorithm, amount] = plain;
  if (!algorithm) {
    yield doubtful(call.name, `${kind} has no algorithm`, names);
    return;
  }
  const text = textOf(algorithm);
  const isNamed = (name: string) => name.toLowerCase() === text?.toLowerCase();
  if (text === undefined) yield doubtful(algorithm, 'the algorithm is in quotes', names);
  else if (former?.some(isNamed)) yield doubtful(algorithm, `${text} is not among the documented algorithms`, names);
  else if (!algorithms.some(isNamed)) yield wrong(algorithm, `${text} is no algorithm of ${kind}`, names);
  if (!amount) yield doubtful(algorithm, `${kind} has no ${measure}`, `write a number after it, such as 2`);
  else if (!isNumber(amount)) yield doubtful(amount, `the ${measure} of ${kind} is usually a number`, 'such as 2');
}

const isNumber = (argument: MetricArgument): boolean =>
  argument.kind === 'amount' || (argument.kind === 'minus' && isNumber(argument.body));

function* namedDiagnostics({ call, kind }: Wrapping): Iterable<Diagnostic> {
  const names = Object.keys(wrappingForms[kind].named);
  const hint = `known are ${names.slice(0, 4).join(', ')}${names.length > 4 ? ' …' : ''}`;
  for (const arg of call.args) {
    if (arg.kind !== 'named') continue;
    const words = wrappingSetting(wrappingForms[kind], arg.name.text);
    const text = textOf(arg.value);
    if (words === undefined)
      yield doubtful(arg.name, `unknown argument ${arg.name.text}`, names.length > 0 ? hint : undefined);
    else if (!('such' in words) && text !== undefined && !words.includes(text)) {
      const say = words.includes(text.toLowerCase()) ? doubtful : wrong;
      yield say(arg.value, `${text} is no ${arg.name.text.replaceAll('_', ' ')} of ${kind}`, `write ${orList(words)}`);
    }
  }
}

/** The threshold is the share of points that are anomalous; the interval is at most a fifth of the alert window. */
function* anomalyDiagnostics(tree: Metric, { named, isWhole }: Wrapping): Iterable<Diagnostic> {
  const { comparison } = tree;
  const threshold = comparison?.threshold;
  const alert = named.get('alert_window');
  const interval = named.get('interval');
  const window = alert && readWindow({ ...alert, text: textOf(alert) ?? '' });
  const windowMinutes = findWindow(tree).minutes;
  const seconds = interval && secondsOf(interval);
  if (isWhole && threshold && (threshold.value > 1 || threshold.value < 0))
    yield wrong(
      threshold,
      `the threshold ${threshold.text} is no share of points, from 0 to 1`,
      'write >= 1 for all of the points, >= 0.5 for half of them',
    );
  if (isWhole && comparison && ['<', '<=', '==', '!='].includes(comparison.operator.text))
    yield doubtful(comparison.operator, `anomalies are documented with >= only`, 'write >=');
  if (window && (window.tense !== 'last' || window.minutes === undefined))
    yield doubtful(window, `${window.text || 'this'} is not an alert window`, "such as 'last_15m'");
  if (!window || window.minutes === undefined) return;
  if (windowMinutes !== undefined && window.minutes > windowMinutes)
    yield doubtful(window, `the alert window is longer than ${tree.window.text}`, 'make it shorter');
  const most = window.minutes * 12;
  if (interval && seconds !== undefined && seconds > most)
    yield doubtful(
      interval,
      `the interval of ${seconds}s is over a fifth of the alert window`,
      `write ${Math.floor(most)} or less`,
    );
}

function* outlierDiagnostics(tree: Metric, { call, plain, isWhole }: Wrapping): Iterable<Diagnostic> {
  const { comparison } = tree;
  const algorithm = plain[1] && textOf(plain[1]);
  if (groupingKeys(tree).length === 0)
    yield wrong(plain[0] ?? call.name, 'outliers need groups, and there is no by', 'such as by {host}');
  if (/^(?:scaled)?MAD$/i.test(algorithm ?? '') && plain.length === 3)
    yield doubtful(call.name, `${algorithm} has no percentage`, 'write it after the tolerance, such as 3, 20');
  if (isWhole && comparison) yield* outlierEndDiagnostics(comparison);
}

function outlierEndDiagnostics({ operator, threshold }: Comparison): Diagnostic[] {
  if (operator.text !== '>') return [doubtful(operator, 'outliers are documented with > only', 'write > 0')];
  return threshold.value === 0 || Number.isNaN(threshold.value)
    ? []
    : [wrong(threshold, `the threshold ${threshold.text} does not fit outliers`, 'write > 0')];
}

/** `max` looks for a rise above, `min` for a fall below. */
function* forecastDiagnostics(tree: Metric, { isWhole }: Wrapping): Iterable<Diagnostic> {
  const { aggregator, comparison } = tree;
  const window = findWindow(tree);
  const operator = comparison?.operator.text ?? '';
  const isMax = aggregator.text === 'max';
  const against = isMax ? /^<=?$/ : /^>=?$/;
  if (!isMax && aggregator.text !== 'min') {
    // Over a window of the past some deployments take others, too.
    const say = window.tense === 'next' ? wrong : doubtful;
    yield say(aggregator, `${aggregator.text} does not fit a forecast`, 'write max with >=, or min with <=');
    return;
  }
  if (window.tense === 'next' || window.minutes === undefined) yield* horizonDiagnostics(window);
  else
    yield doubtful(
      window,
      `a forecast looks ahead, not at ${window.text}`,
      'write next_ and a length, such as next_1w',
    );
  if (!isWhole || !comparison) return;
  if (against.test(operator))
    yield wrong(
      comparison.operator,
      `${operator} does not fit the forecast of a ${isMax ? 'maximum' : 'minimum'}`,
      isMax ? 'write >= or >, or begin with min' : 'write <= or <, or begin with max',
    );
  if (/^[!=]=$/.test(operator))
    yield doubtful(
      comparison.operator,
      `${operator} is not documented for a forecast`,
      isMax ? 'write >=' : 'write <=',
    );
}

function horizonDiagnostics(window: QueryWindow): Diagnostic[] {
  const { minutes } = window;
  if (minutes === undefined) return [];
  const most = toMinutes('3mo') as number;
  return minutes < 60 || minutes > most
    ? [doubtful(window, `${window.text} is an unusual forecast horizon`, 'usually next_1d to next_3mo')]
    : [];
}

/** Text in quotes; undefined for anything else. */
const textOf = (argument: MetricArgument): string | undefined => (argument.kind === 'text' ? argument.text : undefined);

/** `60`, or `'60m'` in quotes. */
function secondsOf(argument: MetricArgument): number | undefined {
  for (const part of everyPart(argument)) {
    if (part.kind === 'amount') return part.value;
    if (part.kind === 'text') {
      const minutes = toMinutes(part.text);
      return minutes === undefined ? undefined : minutes * 60;
    }
  }
  return undefined;
}
