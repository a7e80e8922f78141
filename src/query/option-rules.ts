import { isNamedZone } from '../lib/time.ts';
import { readDuration } from '../lib/typed-time.ts';
import { at, items, toWord } from '../lib/values.ts';
import { type Diagnostic, ofOption, orList, type QuerySpan } from './language.ts';

/**
 * The rules for options of a monitor, in one table: forms, commands, `query check` and definitions in JSON read it
 * (docs/contract/monitor-queries.md#options). What depends on the query as well is in `option-diagnostics.ts`.
 */

/** What one option must be; what is not said is free. */
export interface OptionRule {
  /** Limits of a whole number. */
  readonly min?: number;
  readonly max?: number;
  readonly words?: readonly string[];
  /** Whether a text may be, and what follows `must`. */
  readonly fits?: (text: string) => boolean;
  readonly be?: string;
  /** Monitors that take it, and what these are called; the others ignore or refuse it. */
  readonly takes?: (type: string) => boolean;
  readonly takers?: string;
  /** Those of another type refuse it, for certain. */
  readonly isRefused?: true;
  /** The monitors to which the limits apply; to all when absent. */
  readonly limits?: (type: string) => boolean;
  /** Other values are unusual, but no refusal is known. */
  readonly isAdvice?: true;
}

/** What is said of an option: the rest of a sentence that begins with its name. */
export interface OptionFault {
  readonly verdict: Diagnostic['verdict'];
  readonly says: string;
  readonly hint?: string;
}

const isOf =
  (...types: readonly string[]) =>
  (type: string) =>
    types.includes(type);
const isCheck = isOf('service check');
const isTest = isOf('synthetics alert');
const isCi = isOf('ci-pipelines alert', 'ci-tests alert');
const withRetention = (type: string): boolean =>
  isCi(type) ||
  isOf(
    'trace-analytics alert',
    'audit alert',
    'error-tracking alert',
    'event-v2 alert',
    'event alert',
    'log alert',
    'rum alert',
  )(type);

const isRetention = (text: string): boolean => {
  const ms = readDuration(text) ?? 0;
  return /^\d+[mhd]$/.test(text) && ms >= 3_600_000 && ms <= 72 * 3_600_000;
};

/** A recurrence rule of RFC 5545: parts with a FREQ among them. */
const recurrenceRule =
  /^(RRULE:)?([A-Z-]+=[^;=\s]+;)*FREQ=(YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY|MINUTELY|SECONDLY)(;[A-Z-]+=[^;=\s]+)*;?$/i;

const window: OptionRule = { fits: (text) => /^last_\d+[mhdw]$/.test(text), be: 'look like last_15m or last_1h' };
const zone: OptionRule = { fits: isNamedZone, be: 'be a time zone such as Europe/Paris or UTC' };
const results: OptionRule = { min: 1, max: 100, limits: isCheck, isAdvice: true };
const evaluationWindow = 'scheduling_options.evaluation_window';
const recurrences = 'scheduling_options.custom_schedule.recurrences';

export const optionRules = {
  timeout_h: { min: 0, max: 24, takes: (type) => type !== 'slo alert', takers: 'every monitor but those of SLOs' },
  min_failure_duration: { min: 0, max: 7200, takes: isTest, takers: 'monitors of synthetic tests' },
  min_location_failed: { min: 1, takes: isTest, takers: 'monitors of synthetic tests' },
  evaluation_delay: { min: 0 },
  new_group_delay: { min: 0 },
  new_host_delay: { min: 0 },
  no_data_timeframe: { min: 1, isAdvice: true },
  renotify_interval: { min: 0 },
  renotify_occurrences: { min: 1, isAdvice: true },
  renotify_statuses: { words: ['alert', 'warn', 'no data'], isAdvice: true },
  group_retention_duration: {
    fits: isRetention,
    be: 'be 1h to 72h, such as 60m, 1h or 2d',
    takes: withRetention,
    takers: 'monitors of APM, audit, CI, errors, events, logs and RUM',
  },
  notification_preset_name: {
    words: [
      'show_all',
      'hide_query',
      'hide_handles',
      'hide_all',
      'hide_query_and_handles',
      'show_only_snapshot',
      'hide_handles_and_footer',
    ],
  },
  on_missing_data: {
    words: ['default', 'show_no_data', 'show_and_notify_no_data', 'resolve'],
    takes: (type) => !isOf('service check', 'composite', 'slo alert')(type),
    takers: 'every monitor but checks, composites and SLOs',
    isRefused: true,
  },
  enable_samples: { takes: isCi, takers: 'monitors of CI' },
  enable_logs_sample: { takes: isOf('log alert'), takers: 'monitors of logs' },
  'threshold_windows.trigger_window': window,
  'threshold_windows.recovery_window': window,
  'thresholds.ok': results,
  'thresholds.warning': results,
  'thresholds.critical': results,
  'thresholds.unknown': results,
  [`${evaluationWindow}.hour_starts`]: { min: 0, max: 59 },
  [`${evaluationWindow}.day_starts`]: {
    fits: (text) => /^([01]?\d|2[0-3]):[0-5]\d$/.test(text),
    be: 'be a time such as 04:00',
  },
  [`${evaluationWindow}.month_starts`]: { min: 1, max: 31 },
  [`${evaluationWindow}.timezone`]: zone,
  [`${recurrences}.rrule`]: { fits: (text) => recurrenceRule.test(text), be: 'look like FREQ=WEEKLY;BYDAY=MO,TU' },
  [`${recurrences}.start`]: {
    fits: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
    be: 'look like 2026-01-31T04:00:00',
  },
  [`${recurrences}.timezone`]: zone,
} satisfies Readonly<Record<string, OptionRule>>;

const ruleOf = (option: string): OptionRule | undefined =>
  Object.hasOwn(optionRules, option) ? (optionRules as Readonly<Record<string, OptionRule>>)[option] : undefined;

/** Whether monitors of a type take an option. */
export const takesOption = (type: string, option: string): boolean => ruleOf(option)?.takes?.(type) ?? true;

/** What is wrong with the value of an option, of a monitor of any type that takes it. */
export function valueFault(type: string, option: string, value: unknown): OptionFault | undefined {
  const rule = ruleOf(option);
  if (!rule || value === null || value === undefined || value === '' || rule.limits?.(type) === false) return undefined;
  const verdict = rule.isAdvice ? 'doubtful' : 'wrong';
  const { words, fits } = rule;
  if (words) {
    const isKnown = (Array.isArray(value) ? value : [value]).every((word) => words.includes(toWord(word)));
    return isKnown ? undefined : { verdict, says: `must be ${orList(words)}` };
  }
  if (fits) return typeof value === 'string' && fits(value) ? undefined : { verdict, says: `must ${rule.be}` };
  return rule.min === undefined ? undefined : numberFault(rule, verdict, value);
}

function numberFault(
  { min = 0, max = Number.POSITIVE_INFINITY }: OptionRule,
  verdict: OptionFault['verdict'],
  value: unknown,
): OptionFault | undefined {
  const number = typeof value === 'string' || typeof value === 'bigint' ? Number(value) : value;
  const range = Number.isFinite(max) ? `${min} to ${max}` : `at least ${min}`;
  if (typeof number !== 'number' || !Number.isInteger(number))
    return { verdict: 'wrong', says: `must be a whole number, ${range}` };
  return number < min || number > max ? { verdict, says: `must be ${range}` } : undefined;
}

/** Rules over several options: the option that is to be changed, and what is said of it. */
type Crossing = (options: object, type: string) => readonly [option: string, fault: OptionFault] | undefined;

const isThere = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);
const isSet = (options: object, option: string): boolean => (at(options, option) ?? null) !== null;

const crossings: readonly Crossing[] = [
  (options) => {
    const [hour, ...others] = ['hour_starts', 'day_starts', 'month_starts', 'timezone'].filter((name) =>
      isSet(options, `${evaluationWindow}.${name}`),
    );
    if (hour !== 'hour_starts' || others.length === 0) return undefined;
    const says = `cannot be in evaluation_window together with ${others.join(' and ')}`;
    return [`${evaluationWindow}.hour_starts`, { verdict: 'wrong', says, hint: `remove ${others.join(' and ')}` }];
  },
  (options) => {
    if (!isSet(options, `${evaluationWindow}.month_starts`) || isSet(options, `${evaluationWindow}.day_starts`))
      return undefined;
    const fault = { verdict: 'wrong', says: 'needs day_starts besides it', hint: 'such as day_starts 04:00' } as const;
    return [`${evaluationWindow}.month_starts`, fault];
  },
  (options) => {
    if ((toWord(at(options, 'on_missing_data')) || 'default') === 'default') return undefined;
    const older = [
      ...(at(options, 'notify_no_data') === true ? ['notify_no_data'] : []),
      ...(isSet(options, 'no_data_timeframe') ? ['no_data_timeframe'] : []),
    ];
    if (older.length === 0) return undefined;
    const [says, hint] = [`and ${older.join(' and ')} exclude each other`, `remove ${older.join(' and ')}`];
    return ['on_missing_data', { verdict: 'doubtful', says, hint }];
  },
  (options) =>
    isThere(at(options, 'escalation_message')) && !(Number(at(options, 'renotify_interval') ?? 0) > 0)
      ? [
          'escalation_message',
          { verdict: 'doubtful', says: 'is never sent without renotify_interval', hint: 'add renotify_interval' },
        ]
      : undefined,
  (options) =>
    items(at(options, recurrences)).length > 0 && !isSet(options, 'on_missing_data')
      ? [
          `${recurrences}.rrule`,
          { verdict: 'doubtful', says: 'needs on_missing_data besides a schedule', hint: 'add on_missing_data' },
        ]
      : undefined,
];

/** All values of an option: several where recurrences stand around it. */
function valuesAt(options: object, option: string): readonly unknown[] {
  if (!option.startsWith(recurrences)) return [at(options, option)];
  const schedule = at(options, 'scheduling_options.custom_schedule');
  // Some services have the recurrences without an object around them.
  const all = Array.isArray(schedule) ? schedule : items(at(options, recurrences));
  return all.map((one) => at(one, option.slice(recurrences.length + 1)));
}

/** What the table says of the options of a monitor; `place` is where the query stands, which may be right as it is. */
export function ruleDiagnostics(type: string, options: object, place: QuerySpan): Diagnostic[] {
  const remark = (option: string, { verdict, says, hint }: OptionFault): Diagnostic =>
    ofOption(option, {
      ...{ verdict, message: `${option.split('.').at(-1)} ${says}`, start: place.start, end: place.end },
      ...(hint === undefined ? {} : { hint }),
    });
  const each = Object.entries<OptionRule>(optionRules).flatMap(([option, rule]) =>
    valuesAt(options, option).flatMap((value) => {
      const fault = valueFault(type, option, value);
      const isTaken = takesOption(type, option) || !isThere(value) || value === 'default';
      return [
        ...(fault ? [remark(option, fault)] : []),
        ...(isTaken
          ? []
          : [
              remark(option, {
                verdict: rule.isRefused ? 'wrong' : 'doubtful',
                says: `is for ${rule.takers}`,
                hint: 'remove it',
              }),
            ]),
      ];
    }),
  );
  const crossed = crossings.flatMap((rule) => {
    const found = rule(options, type);
    return found ? [remark(...found)] : [];
  });
  return [...each, ...crossed];
}
