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
function* scopeDiagnostics(scope: Scope): Iterable<Diagnostic> {
  const { parts } = scope;
  if (parts.length === 0) yield doubtful(scope, 'the scope is empty', 'write {*} for everything');
  for (const [at, part] of parts.entries()) yield* scopePartDiagnostics(part, parts[at - 1], parts[at + 1]);
  yield* bracketDiagnostics(parts);
}

function* scopePartDiagnostics(part: Word, before: Word | undefined, after: Word | undefined): Iterable<Diagnostic> {
  const such = 'write a tag, such as env:prod';
  if (part.text === '(' || part.text === ')') return;
  if (part.text === ',' || /^(?:AND|OR)$/i.test(part.text)) {
    if (!endsTag(before)) yield doubtful(part, `there is nothing before ${part.text}`, such);
    if (!beginsTag(after)) yield doubtful(part, `there is nothing after ${part.text}`, such);
  } else if (/^IN$/i.test(part.text)) {
    if (after?.text !== '(') yield doubtful(part, 'IN needs values in parentheses', 'such as region IN (a,b)');
  } else if (/^NOT$/i.test(part.text)) {
    if (!beginsTag(after) && !isIn(after))
      yield doubtful(part, 'there is nothing after NOT', 'write a tag, such as NOT env:dev');
  } else yield* tagDiagnostics(part, before);
}

function* tagDiagnostics(tag: Word, before: Word | undefined): Iterable<Diagnostic> {
  // A blank behind the colon is taken: `env: prod`.
  if (before && isTag(before) && !before.text.endsWith(':'))
    yield doubtful(tag, `nothing joins ${before.text} and ${tag.text}`, 'write a comma or AND between them');
  if (/^[<>=]/.test(tag.text)) yield doubtful(tag, `${tag.text} is not a tag`, 'write a tag, such as env:prod');
  if (/^[^:=]+=[^:=]+$/.test(tag.text))
    yield doubtful(tag, `${tag.text} is one word, not a key and a value`, `write ${tag.text.replace('=', ':')}`);
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
export function* metricRules(tree: Metric): Iterable<Diagnostic> {
  const wrapping = findWrapping(tree);
  yield* headDiagnostics(tree);
  yield* aggregatorDiagnostics(tree.aggregator);
  yield* windowDiagnostics(tree);
  const queries = metricQueries(tree);
  for (const { series } of queries) yield* seriesDiagnostics(series);
  for (const part of everyPart(tree.body)) yield* partDiagnostics(part);
  if (queries.length === 0)
    yield wrong(tree.body, 'the query measures nothing', 'write a metric, such as avg:system.load{*}');
  if (wrapping) yield* wrappingDiagnostics(tree, wrapping);
  yield* endDiagnostics(tree);
}

function* headDiagnostics({ change, aggregator, shift }: Metric): Iterable<Diagnostic> {
  if (change) {
    const { kind } = change;
    if (!changes.includes(kind.text))
      yield wrong(kind, `${kind.text} cannot be applied to a time aggregator`, `write ${orList(changes)}`);
    if (change.shift) yield* shiftDiagnostics(change.shift);
    else yield wrong(kind, `${kind.text} needs a timeshift`, `write ${kind.text}(${aggregator.text}(…),1h_ago)`);
  }
  if (changes.includes(aggregator.text))
    yield wrong(
      aggregator,
      `${aggregator.text} needs a time aggregator and a timeshift`,
      `write ${aggregator.text}(avg(last_5m),1h_ago)`,
    );
  else if (shift) yield wrong(shift, `${aggregator.text} takes no timeshift`, 'only change and pct_change do');
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

function* windowDiagnostics(tree: Metric): Iterable<Diagnostic> {
  const window = findWindow(tree);
  const { text, tense, length, minutes } = window;
  const [limit, named, most] = tree.change ? [2 * day, 'change', '2d'] : [week, 'metric', '1w'];
  const kind = `for ${named} monitors`;
  if (minutes === undefined)
    yield wrong(window, `${text} is not a window`, 'write last_ and a length, such as last_5m, last_4h, last_1d');
  else if (tense === '') yield wrong(window, `${text} is not a window`, `write last_${text}`);
  else if (tense === 'next') {
    if (findWrapping(tree)?.kind !== 'forecast')
      yield wrong(window, `${text} looks ahead, which only a forecast does`, `write last_${length}`);
  } else if (tense === 'current') {
    if (!['1h', '1d', '1mo'].includes(length))
      yield doubtful(window, `${text} is not a documented period`, 'write current_1h, current_1d or current_1mo');
  } else if (minutes < 1) yield wrong(window, `window ${text} is under the 1m limit ${kind}`, 'write last_1m or more');
  else if (minutes > limit) {
    const say = isLongTaken(tree, length) ? doubtful : wrong;
    yield say(window, `window ${text} is over the ${most} limit ${kind}`, `write last_${most} or less`);
  } else if (!/[mh]$/.test(length) && !['1d', tree.change ? '2d' : '1w'].includes(length))
    // Days and weeks are taken in more lengths than are documented.
    yield doubtful(
      window,
      `${text} is not among the documented windows`,
      `write last_${minutes % hour === 0 ? `${minutes / hour}h` : `${Math.ceil(minutes)}m`}`,
    );
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

function* seriesDiagnostics({ aggregator, name, scope }: Series): Iterable<Diagnostic> {
  const hint = `write ${orList(aggregators)}`;
  if (aggregator && !aggregators.includes(aggregator.text))
    yield doubtful(aggregator, `${aggregator.text} is outside the documented space aggregators`, hint);
  if (scope) yield* scopeDiagnostics(scope);
  else yield doubtful(name, `${name.text} has no scope`, `write ${name.text}{*}`);
}

function partDiagnostics(part: MetricArgument): Diagnostic[] {
  if (part.kind === 'call' && !functions.test(part.name.text))
    return [doubtful(part.name, `unknown function ${part.name.text}`)];
  if (part.kind === 'keys') return part.keys.flatMap(keyDiagnostics);
  return part.kind === 'stepped' ? part.steps.flatMap((step) => [...stepDiagnostics(step)]) : [];
}

function* stepDiagnostics(step: MetricStep): Iterable<Diagnostic> {
  if (step.kind === 'by') {
    if (step.keys.length === 0) yield doubtful(step, 'the grouping is empty', 'write by {host}, or leave it out');
    yield* step.keys.flatMap(keyDiagnostics);
    return;
  }
  const { name, args } = step;
  const all = methods.map((method) => `.${method}()`).join(', ');
  if (!methods.includes(name.text)) yield doubtful(name, `unknown method .${name.text}()`, `known are ${all}`);
  const words = name.text === 'rollup' ? metricRollups : name.text === 'fill' ? fills : undefined;
  const first = args[0] && wordOf(args[0]);
  if (words && first && !words.includes(first.text))
    yield doubtful(
      first,
      `${first.text} is not among the documented words of .${name.text}()`,
      `write ${orList(words)}`,
    );
}

const keyDiagnostics = (key: Word): Diagnostic[] =>
  /\s/.test(key.text) ? [doubtful(key, `${key.text} is not a key`, 'write a comma between keys')] : [];

/** The `sum` of `.rollup(sum, 60)`, in quotes or not. */
function wordOf(argument: MetricArgument): Word | undefined {
  if (argument.kind === 'text') return argument;
  return argument.kind === 'metric' && !argument.scope ? argument.name : undefined;
}

function* endDiagnostics({ comparison, body }: Metric): Iterable<Diagnostic> {
  const end = { start: Math.max(body.start, body.end - 1), end: body.end };
  if (!comparison) yield noComparison(end, 'write them at the end, such as > 90');
  else if (!comparison.threshold.text.startsWith('(')) yield* comparisonDiagnostics(comparison);
  else {
    yield* comparisonDiagnostics({ ...comparison, threshold: { ...comparison.threshold, text: '0', value: 0 } });
    yield doubtful(comparison.threshold, 'the threshold is a formula', 'write it as a number');
  }
}
