import { isObject } from '../lib/object-paths.ts';
import { field, items, toWord } from '../lib/unchecked-values.ts';
import { type Diagnostic, doubtful, ofOption, wrong } from './language.ts';
import { type Aspects, findAspects } from './query-aspects.ts';
import type { QuerySpan, Tree } from './query-tree.ts';
import { limitDiagnostics, readLimits, thresholdDiagnostics } from './threshold-diagnostics.ts';

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

function thresholds(type: string, tree: Tree, { count }: Aspects, options: object): Diagnostic[] {
  const limits = readLimits(options);
  if (type === 'composite')
    return limitDiagnostics(limits, wholeOf(tree)).filter((diagnostic) => diagnostic.verdict === 'wrong');
  if (type === 'service check') {
    const most = limits.reduce((high, limit) => (limit.value > high.value ? limit : high), {
      name: '',
      value: 0,
      written: '',
    });
    return [
      ...limitDiagnostics(limits, count ?? wholeOf(tree)),
      ...(count && most.value > count.value
        ? [
            wrong(
              count,
              `last(${count.text}) is less than thresholds.${most.name}, ${most.written}`,
              `write last(${Math.ceil(most.value)}) or more`,
            ),
          ]
        : []),
    ];
  }
  const place = tree.comparison ?? wholeOf(tree);
  const isDynamic = toWord(field(field(options, 'thresholds'), 'critical_query')) !== '';
  const recoveries = limits.filter((limit) => limit.name.endsWith('_recovery')).map((limit) => limit.name);
  return [
    ...limitDiagnostics(limits, place),
    ...(type === 'event-v2 alert' && recoveries.length > 0
      ? [
          doubtful(
            place,
            `an event monitor may not support ${recoveries.join(' or ')}`,
            'remove the recovery threshold',
          ),
        ]
      : []),
    ...(tree.comparison ? thresholdDiagnostics(limits, tree.comparison, isDynamic) : []),
  ];
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
