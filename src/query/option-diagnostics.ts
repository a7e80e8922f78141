import { shortened } from '../lib/text.ts';
import { field, isObject, items, toWord } from '../lib/values.ts';
import { findStep, type SearchChain } from './chain.ts';
import { type Formula, unnamedArgument, windowStep } from './formula-tree.ts';
import {
  type Comparison,
  type Diagnostic,
  doubtful,
  type Numeral,
  notNumber,
  ofOption,
  type QuerySpan,
  type Quoted,
  type Tree,
  type Word,
  wrong,
} from './language.ts';
import { findAlertWindow, findWindow, findWrapping, groupingKeys, type Metric } from './metric-tree.ts';
import type { ServiceCheck } from './state-queries.ts';

/** A window as the query has it: `last_5m`, `.current("1h")`. */
interface CalendarWindow extends Word {
  /** The hour, day or month of the calendar that it follows: `1h`, `1d`, `1mo`. */
  readonly period?: string;
}

/** The parts of a query that options refer to, where the language has them. */
interface Aspects {
  /** Keys that it groups by; undefined where the query alone does not say. */
  readonly groups?: readonly Word[];
  /** How many results in a row a service check looks at. */
  readonly count?: Numeral;
  readonly window?: CalendarWindow | undefined;
  readonly isAnomaly?: boolean;
  readonly alertWindow?: Word | undefined;
}

/**
 * The parts of a tree that options refer to. Groups of formulas and SLOs are left out: their variables and objectives
 * group as well.
 */
export function findAspects(type: string, tree: Tree): Aspects {
  switch (tree.kind) {
    case 'metric':
      return metricAspects(tree as Metric);
    case 'events':
    case 'error tracking':
      return eventAspects(tree as SearchChain);
    case 'processes':
      return { groups: (tree as SearchChain).groups };
    case 'formula':
      // Cost windows are whole days.
      return type === 'cost alert' ? {} : formulaAspects(tree as Formula);
    case 'service check':
      return checkAspects(tree as ServiceCheck);
    case 'composite':
      return { groups: [] };
    default:
      return {};
  }
}

const metricAspects = (tree: Metric): Aspects => ({
  groups: groupingKeys(tree),
  window: { ...tree.window, ...(findWindow(tree).tense === 'current' && { period: findWindow(tree).length }) },
  isAnomaly: findWrapping(tree)?.kind === 'anomalies',
  alertWindow: findAlertWindow(tree),
});

function eventAspects(tree: SearchChain): Aspects {
  const step = findStep(tree, 'last', 'current');
  return { groups: tree.groups, window: step && calendarWindow(step.name.text, step.list[0]) };
}

function formulaAspects(tree: Formula): Aspects {
  const step = windowStep(tree);
  return { window: step && calendarWindow(step.name.text, unnamedArgument(step)) };
}

const calendarWindow = (step: string, window: Quoted | undefined): CalendarWindow | undefined =>
  window && {
    start: window.start,
    end: window.end,
    text: `.${step}("${window.text}")`,
    ...(step === 'current' && { period: window.text }),
  };

/** Cluster shares (`pct_by_status`) are not counted in results. */
const checkAspects = ({ groups, count, isShare }: ServiceCheck): Aspects => ({
  groups,
  ...(count && !isShare && { count }),
});

/** A threshold of the options: a number, or what cannot be one. Absent, null and empty are none at all. */
interface Limit {
  readonly name: string;
  readonly value: number;
  readonly written: string;
}

/** `options.thresholds` as numbers; formulas of dynamic thresholds are left out (docs/contract/monitor-queries.md#options). */
function readLimits(options: unknown): Limit[] {
  const given = field(options, 'thresholds');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  return Object.entries(given)
    .filter(([name, value]) => value !== null && value !== undefined && value !== '' && !name.endsWith('_query'))
    .map(([name, value]) => ({ name, value: numberOf(value), written: shown(value) }));
}

function numberOf(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

const shown = (value: unknown): string => (typeof value === 'object' ? 'an object' : shortened(String(value)));

/** Thresholds that are no numbers, and thresholds without the one that alerts. */
function* limitDiagnostics(limits: readonly Limit[], place: QuerySpan): Iterable<Diagnostic> {
  for (const { name, value, written } of limits)
    if (Number.isNaN(value)) yield notNumber(place, `thresholds.${name} is ${written}, which`);
  if (limits.length > 0 && !limits.some((limit) => limit.name === 'critical'))
    yield doubtful(
      place,
      'the options have thresholds, but no thresholds.critical',
      'add thresholds.critical, the value that alerts',
    );
}

/** The thresholds of the options against the comparison of the query (docs/contract/monitor-queries.md#common-rules). */
function thresholdDiagnostics(limits: readonly Limit[], comparison: Comparison, isDynamic: boolean): Diagnostic[] {
  const { threshold } = comparison;
  const critical = limits.find((limit) => limit.name === 'critical');
  if (critical && critical.value !== threshold.value && !Number.isNaN(critical.value + threshold.value)) {
    const say = isDynamic ? doubtful : wrong;
    const message = `the query says ${threshold.text}, thresholds.critical says ${critical.written}`;
    return [say(threshold, message, 'make them the same number')];
  }
  return sideDiagnostics(limits, comparison);
}

/** Pairs of which the first must be nearer to health than the second. */
const pairs = [
  ['warning', 'critical'],
  ['critical_recovery', 'critical'],
  ['warning_recovery', 'warning'],
] as const;

/**
 * Warning and recovery on the wrong side. Where they are equal, deployments differ: with `>` a value cannot alert and
 * recover at once.
 */
function sideDiagnostics(limits: readonly Limit[], comparison: Comparison): Diagnostic[] {
  const { operator } = comparison;
  if (!/^[<>]=?$/.test(operator.text)) return [];
  const isUp = operator.text.startsWith('>');
  return pairs.flatMap(([name, counterpart]) => {
    const namedLimit = limits.find((limit) => limit.name === name);
    const limit = limits.find((limit) => limit.name === counterpart);
    if (!namedLimit || !limit || Number.isNaN(namedLimit.value + limit.value)) return [];
    if (isUp ? namedLimit.value < limit.value : namedLimit.value > limit.value) return [];
    const say = namedLimit.value === limit.value ? doubtful : wrong;
    const side = isUp ? 'below' : 'above';
    const message = `${name} ${namedLimit.written} is not ${side} ${counterpart} ${limit.written}`;
    return [ofOption(`thresholds.${name}`, say(comparison, message, `write one ${side} ${limit.written}`))];
  });
}

/**
 * Checks the options of a monitor against its query, for every language (docs/contract/monitor-queries.md#common-rules, #anomaly,
 * #options). Locations
 * are the parts of the query that an option refers to. Options may be sparse, null or texts; absent ones are no error.
 * Rules of one language, such as variables, are checked there; those of options alone are the table in `option-rules.ts`.
 */
export function optionDiagnostics(type: string, tree: Tree, options: unknown): Diagnostic[] {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return [];
  const aspects = findAspects(type, tree);
  return [
    ...thresholds(type, tree, aspects, options),
    ...triggerWindow(tree, aspects, options),
    ...notifyBy(tree, aspects, options),
  ];
}

const wholeOf = ({ start, end }: Tree): QuerySpan => ({ start, end });

function* thresholds(type: string, tree: Tree, { count }: Aspects, options: object): Iterable<Diagnostic> {
  const limits = readLimits(options);
  const place = (type === 'service check' ? count : tree.comparison) ?? wholeOf(tree);
  const said = [...limitDiagnostics(limits, place)];
  yield* type === 'composite' ? said.filter((diagnostic) => diagnostic.verdict === 'wrong') : said;
  if (type === 'composite') return;
  if (type === 'service check') {
    const [most] = limits
      .filter(({ value }) => count && value > count.value)
      .toSorted((one, other) => other.value - one.value);
    if (count && most)
      yield wrong(
        count,
        `last(${count.text}) is less than thresholds.${most.name}, ${most.written}`,
        `write last(${Math.ceil(most.value)}) or more`,
      );
    return;
  }
  const isDynamic = toWord(field(field(options, 'thresholds'), 'critical_query')) !== '';
  const recoveries = limits.filter((limit) => limit.name.endsWith('_recovery')).map((limit) => limit.name);
  if (type === 'event-v2 alert' && recoveries.length > 0)
    yield doubtful(
      place,
      `an event monitor may not support ${recoveries.join(' or ')}`,
      'remove the recovery threshold',
    );
  if (tree.comparison) yield* thresholdDiagnostics(limits, tree.comparison, isDynamic);
}

/** The window that anomalies alert on, in the query and in the options (docs/contract/monitor-queries.md#anomaly). */
function triggerWindow(tree: Tree, { alertWindow, isAnomaly }: Aspects, options: object): Diagnostic[] {
  if (!isAnomaly) return [];
  const trigger = toWord(field(field(options, 'threshold_windows'), 'trigger_window'));
  if (trigger === '')
    return [
      doubtful(alertWindow ?? wholeOf(tree), 'the options have no threshold_windows.trigger_window for anomalies'),
    ];
  if (!alertWindow || alertWindow.text === trigger) return [];
  const message = `alert_window is ${alertWindow.text}, but trigger_window is ${trigger}`;
  return [
    ofOption(
      'threshold_windows.trigger_window',
      wrong(alertWindow, message, 'make it the same as threshold_windows.trigger_window'),
    ),
  ];
}

/** Which member of `evaluation_window` goes with which window of the calendar (docs/contract/monitor-queries.md#metric). */
const starts = { '1h': 'hour_starts', '1d': 'day_starts', '1mo': 'month_starts' } as const;

/** Windows of the calendar are documented for metric queries; of the others, no refusal is known. */
export function windowDiagnostics(type: string, tree: Tree, options: unknown): Diagnostic[] {
  const { window } = findAspects(type, tree);
  if (!window || !isObject(options)) return [];
  const given = field(field(options, 'scheduling_options'), 'evaluation_window');
  const named = Object.values(starts).filter((name) => (field(given, name) ?? null) !== null);
  const { text, period } = window;
  const say = tree.kind === 'metric' ? wrong : doubtful;
  if (period === undefined) {
    const such = tree.kind === 'metric' ? 'current_1h, current_1d or current_1mo' : '.current("1h")';
    return named.length === 0 ? [] : [say(window, `evaluation_window does not go with ${text}`, `such as ${such}`)];
  }
  const wanted = Object.hasOwn(starts, period) ? starts[period as keyof typeof starts] : undefined;
  // A month says when its days start, too, and a day may say more than it needs.
  if (wanted === undefined || named.includes(wanted)) return [];
  return named.length === 0
    ? [doubtful(window, `${text} needs scheduling_options.evaluation_window`, `say when it starts: ${wanted}`)]
    : [say(window, `${text} goes with ${wanted}, not with ${named.join(' and ')}`, `give evaluation_window.${wanted}`)];
}

/** `notify_by` is a part of the grouping, or `*` (docs/contract/monitor-queries.md#options). */
function notifyBy(tree: Tree, { groups }: Aspects, options: object): Diagnostic[] {
  if (!groups) return [];
  const groupNames = groups.map((group) => group.text);
  const strange = items(field(options, 'notify_by'))
    .map(toWord)
    .filter((key) => key !== '' && key !== '*' && !groupNames.includes(key));
  if (strange.length === 0 || groupNames.includes('*')) return [];
  const first = groups[0];
  const place = first ? { start: first.start, end: groups.at(-1)?.end ?? first.end } : wholeOf(tree);
  const hint = first ? `the query groups by ${groupNames.join(', ')}` : 'the query has no groups';
  const message = `notify_by has ${strange.join(', ')}, which the query does not group by`;
  return [ofOption('notify_by', doubtful(place, message, hint))];
}
