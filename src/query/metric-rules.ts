import {
  comparisonDiagnostics,
  type Diagnostic,
  day,
  doubtful,
  hour,
  noComparison,
  orList,
  type Word,
  week,
  wrong,
} from './language.ts';
import {
  everyPart,
  findWindow,
  findWrapping,
  isJoint,
  isMark,
  type Metric,
  type MetricArgument,
  type MetricStep,
  metricQueries,
  readWindow,
  type Scope,
  type Series,
} from './metric-tree.ts';
import { wrappingDiagnostics } from './wrapping.ts';

/**
 * Diagnostics of the tags of a metric query (docs/contract/monitor-queries.md#metric). At most doubtful: filters go beyond the
 * documentation.
 */
function scopeDiagnostics(scope: Scope): Diagnostic[] {
  const { parts } = scope;
  if (parts.length === 0) return [doubtful(scope, 'the scope is empty', 'write {*} for everything')];
  return [
    ...parts.flatMap((part, at) => scopePartDiagnostics(part, parts[at - 1], parts[at + 1])),
    ...bracketDiagnostics(parts),
  ];
}

function scopePartDiagnostics(part: Word, before: Word | undefined, after: Word | undefined): Diagnostic[] {
  if (part.text === '(' || part.text === ')') return [];
  if (part.text === ',' || /^(?:AND|OR)$/i.test(part.text))
    return [
      ...(endsTag(before)
        ? []
        : [doubtful(part, `there is nothing before ${part.text}`, 'write a tag, such as env:prod')]),
      ...(beginsTag(after)
        ? []
        : [doubtful(part, `there is nothing after ${part.text}`, 'write a tag, such as env:prod')]),
    ];
  if (/^IN$/i.test(part.text))
    return after?.text === '(' ? [] : [doubtful(part, 'IN needs values in parentheses', 'such as region IN (a,b)')];
  if (/^NOT$/i.test(part.text))
    return beginsTag(after) || isIn(after)
      ? []
      : [doubtful(part, 'there is nothing after NOT', 'write a tag, such as NOT env:dev')];
  return [
    // A blank behind the colon is taken: `env: prod`.
    ...(before && isTag(before) && !before.text.endsWith(':')
      ? [doubtful(part, `nothing joins ${before.text} and ${part.text}`, 'write a comma or AND between them')]
      : []),
    ...(/^[<>=]/.test(part.text) ? [doubtful(part, `${part.text} is not a tag`, 'write a tag, such as env:prod')] : []),
    ...(/^[^:=]+=[^:=]+$/.test(part.text)
      ? [doubtful(part, `${part.text} is one word, not a key and a value`, `write ${part.text.replace('=', ':')}`)]
      : []),
  ];
}

const isTag = (part: Word): boolean => !isMark(part) && !isJoint(part);
const isIn = (part: Word | undefined): boolean => part !== undefined && /^IN$/i.test(part.text);
const endsTag = (part: Word | undefined): boolean => part !== undefined && (isTag(part) || part.text === ')');
const beginsTag = (part: Word | undefined): boolean =>
  part !== undefined && (isTag(part) || part.text === '(' || /^NOT$/i.test(part.text));

function bracketDiagnostics(parts: readonly Word[]): Diagnostic[] {
  const open: Word[] = [];
  for (const part of parts) {
    if (part.text === '(') open.push(part);
    else if (part.text === ')' && !open.pop()) return [doubtful(part, 'this parenthesis was never opened')];
  }
  return open.map((bracket) => doubtful(bracket, 'this parenthesis is never closed', 'add ) where it ends'));
}

/** The documented aggregators over time, and over space (docs/contract/monitor-queries.md#metric). */
const aggregators: readonly string[] = ['avg', 'sum', 'min', 'max'];

/** Aggregators that compare with an earlier window (docs/contract/monitor-queries.md#change). */
const changes: readonly string[] = ['change', 'pct_change'];

/** How far back a change may look (docs/contract/monitor-queries.md#change). */
export const timeshifts: readonly string[] = ['5m', '10m', '15m', '30m', '1h', '2h', '4h', '1d'];

/** Documented functions; the list is incomplete. */
const functions =
  /^(?:abs|log2|log10|cumsum|integral|(?:monotonic_)?diff|derivative|dt|per_(?:second|minute|hour)|(?:hour|day|week|month)_before|timeshift|calendar_shift|default_zero|default|exclude_null|fill|count_(?:nonzero|not_null)|(?:clamp|cutoff)_(?:min|max)|(?:top|bottom)(?:\d+)?(?:_\w+)?|ewma_\d+|median_\d+|autosmooth|moving_rollup|rollup|(?:robust_)?trend(?:_line)?|piecewise_constant|anomalies|outliers|forecast|throughput|rate|avg|sum|min|max|count)$/;

const methods: readonly string[] = ['as_count', 'as_rate', 'rollup', 'fill', 'weighted'];

/** Rollup methods. */
export const metricRollups: readonly string[] = ['avg', 'sum', 'min', 'max', 'count'];

/** Fill methods for missing points. */
export const fills: readonly string[] = ['null', 'zero', 'last', 'linear'];

/** Diagnostics of a query of the metric family (docs/contract/monitor-queries.md#metric, #change). */
export function metricRules(tree: Metric): Diagnostic[] {
  const wrapping = findWrapping(tree);
  return [
    ...headDiagnostics(tree),
    ...aggregatorDiagnostics(tree.aggregator),
    ...windowDiagnostics(tree),
    ...metricQueries(tree).flatMap((query) => seriesDiagnostics(query.series)),
    ...everyPart(tree.body).flatMap(partDiagnostics),
    ...(metricQueries(tree).length === 0
      ? [wrong(tree.body, 'the query measures nothing', 'write a metric, such as avg:system.load{*}')]
      : []),
    ...(wrapping ? wrappingDiagnostics(tree, wrapping) : []),
    ...endDiagnostics(tree),
  ];
}

function headDiagnostics({ change, aggregator, shift }: Metric): Diagnostic[] {
  if (!change) {
    if (changes.includes(aggregator.text))
      return [
        wrong(
          aggregator,
          `${aggregator.text} needs a time aggregator and a timeshift`,
          `write ${aggregator.text}(avg(last_5m),1h_ago)`,
        ),
      ];
    return shift ? [wrong(shift, `${aggregator.text} takes no timeshift`, 'only change and pct_change do')] : [];
  }
  const { kind } = change;
  return [
    ...(changes.includes(kind.text)
      ? []
      : [wrong(kind, `${kind.text} cannot be applied to a time aggregator`, `write ${orList(changes)}`)]),
    ...(change.shift
      ? shiftDiagnostics(change.shift)
      : [wrong(kind, `${kind.text} needs a timeshift`, `write ${kind.text}(${aggregator.text}(…),1h_ago)`)]),
  ];
}

/** Diagnostics of a timeshift: `5m_ago` is documented, `last_5m` is accepted too (docs/contract/monitor-queries.md#change). */
function shiftDiagnostics(shift: Word): Diagnostic[] {
  const [, before, length = ''] = /^(last_)?(.+?)(?:_ago)?$/.exec(shift.text) ?? [];
  const hint = `write ${orList(timeshifts)}, and _ago after it`;
  const { minutes } = readWindow({ ...shift, text: length });
  const isShift = before === undefined ? shift.text.endsWith('_ago') : !shift.text.endsWith('_ago');
  if (!isShift || minutes === undefined) return [wrong(shift, `${shift.text} is not a timeshift`, hint)];
  if (timeshifts.includes(length)) return [];
  const isSameLength = timeshifts.some((timeshift) => readWindow({ ...shift, text: timeshift }).minutes === minutes);
  // Undocumented, but accepted by the service: other units, and `last_` in front.
  return before === undefined && /[smh]$/.test(length) && !isSameLength
    ? [wrong(shift, `${shift.text} is not a timeshift of a change`, hint)]
    : [doubtful(shift, `${shift.text} is not among the documented timeshifts`, hint)];
}

function aggregatorDiagnostics(word: Word): Diagnostic[] {
  if ([...aggregators, ...changes].includes(word.text)) return [];
  if (/^(?:percentile|p\d+)$/.test(word.text))
    return [doubtful(word, `${word.text} is outside the documented time aggregators`, `write ${orList(aggregators)}`)];
  return aggregators.includes(word.text.toLowerCase())
    ? [doubtful(word, 'aggregators are written in small letters', `write ${word.text.toLowerCase()}`)]
    : [wrong(word, `${word.text} is not a time aggregator`, `write ${orList(aggregators)}`)];
}

function windowDiagnostics(tree: Metric): Diagnostic[] {
  const window = findWindow(tree);
  const { text, tense, length, minutes } = window;
  const isForecast = findWrapping(tree)?.kind === 'forecast';
  if (minutes === undefined || tense === '')
    return [
      wrong(
        window,
        `${text} is not a window`,
        minutes === undefined ? 'write last_ and a length, such as last_5m, last_4h, last_1d' : `write last_${text}`,
      ),
    ];
  if (tense === 'next')
    return isForecast ? [] : [wrong(window, `${text} looks ahead, which only a forecast does`, `write last_${length}`)];
  if (tense === 'current')
    return ['1h', '1d', '1mo'].includes(length)
      ? []
      : [doubtful(window, `${text} is not a documented period`, 'write current_1h, current_1d or current_1mo')];
  const [limit, named, most] = tree.change ? [2 * day, 'change', '2d'] : [week, 'metric', '1w'];
  const kind = `for ${named} monitors`;
  if (minutes < 1) return [wrong(window, `window ${text} is under the 1m limit ${kind}`, 'write last_1m or more')];
  if (minutes > limit) {
    const message = `window ${text} is over the ${most} limit ${kind}`;
    const hint = `write last_${most} or less`;
    return isLongTaken(tree, length) ? [doubtful(window, message, hint)] : [wrong(window, message, hint)];
  }
  // Days and weeks are taken in more lengths than are documented.
  const isDocumented = /[mh]$/.test(length) || ['1d', tree.change ? '2d' : '1w'].includes(length);
  return isDocumented
    ? []
    : [
        doubtful(
          window,
          `${text} is not among the documented windows`,
          `write last_${minutes % hour === 0 ? `${minutes / hour}h` : `${Math.ceil(minutes)}m`}`,
        ),
      ];
}

/**
 * Whether some deployments take a window over the limit: whole weeks and months do occur, and functions that learn from
 * the past look back further.
 */
function isLongTaken(tree: Metric, length: string): boolean {
  const [, count, unit] = /^(\d+)(\w+)$/.exec(length) ?? [];
  const days = unit === 'd' ? Number(count) : 0;
  const isWhole = unit === 'w' || unit === 'mo' || (days > 0 && (days % 7 === 0 || days % 30 === 0));
  return isWhole || findWrapping(tree) !== undefined;
}

function seriesDiagnostics({ aggregator, name, scope }: Series): Diagnostic[] {
  const hint = `write ${orList(aggregators)}`;
  return [
    ...(aggregator && !aggregators.includes(aggregator.text)
      ? [doubtful(aggregator, `${aggregator.text} is outside the documented space aggregators`, hint)]
      : []),
    ...(scope ? scopeDiagnostics(scope) : [doubtful(name, `${name.text} has no scope`, `write ${name.text}{*}`)]),
  ];
}

function partDiagnostics(part: MetricArgument): Diagnostic[] {
  if (part.kind === 'call' && !functions.test(part.name.text))
    return [doubtful(part.name, `unknown function ${part.name.text}`)];
  if (part.kind === 'keys') return part.keys.flatMap(keyDiagnostics);
  return part.kind === 'stepped' ? part.steps.flatMap(stepDiagnostics) : [];
}

function stepDiagnostics(step: MetricStep): Diagnostic[] {
  if (step.kind === 'by')
    return step.keys.length > 0
      ? step.keys.flatMap(keyDiagnostics)
      : [doubtful(step, 'the grouping is empty', 'write by {host}, or leave it out')];
  const { name, args } = step;
  if (!methods.includes(name.text))
    return [
      doubtful(
        name,
        `unknown method .${name.text}()`,
        `known are ${methods.map((method) => `.${method}()`).join(', ')}`,
      ),
    ];
  const known = name.text === 'rollup' ? metricRollups : name.text === 'fill' ? fills : undefined;
  const first = args[0] && wordOf(args[0]);
  return known && first && !known.includes(first.text)
    ? [doubtful(first, `${first.text} is not among the documented words of .${name.text}()`, `write ${orList(known)}`)]
    : [];
}

const keyDiagnostics = (key: Word): Diagnostic[] =>
  /\s/.test(key.text) ? [doubtful(key, `${key.text} is not a key`, 'write a comma between keys')] : [];

/** The `sum` of `.rollup(sum, 60)`, in quotes or not. */
function wordOf(argument: MetricArgument): Word | undefined {
  if (argument.kind === 'text') return argument;
  return argument.kind === 'metric' && !argument.scope ? argument.name : undefined;
}

function endDiagnostics({ comparison, body }: Metric): Diagnostic[] {
  if (!comparison)
    return [
      noComparison({ start: Math.max(body.start, body.end - 1), end: body.end }, 'write them at the end, such as > 90'),
    ];
  if (!comparison.threshold.text.startsWith('(')) return comparisonDiagnostics(comparison);
  return [
    ...comparisonDiagnostics({ ...comparison, threshold: { ...comparison.threshold, text: '0', value: 0 } }),
    doubtful(comparison.threshold, 'the threshold is a formula', 'write it as a number'),
  ];
}
