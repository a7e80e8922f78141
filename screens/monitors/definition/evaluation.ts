import { choiceField, textField } from '../../../src/describe/field.ts';
import { stringifyExact } from '../../../src/lib/json.ts';
import { at, put } from '../../../src/lib/values.ts';
import { optionRules, takesOption } from '../../../src/query/option-rules.ts';
import { arrayOrEmpty, toObject, toText } from '../row.ts';
import {
  amountSetting,
  countSetting,
  type Definition,
  flagSetting,
  inFamilies,
  lineSetting,
  type MonitorKind,
  type MonitorSetting,
  members,
  options,
  orNone,
  readOnlyField,
  readOptions,
  settingAt,
} from './setting.ts';

const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const ending = new RegExp(String.raw`(?:<=|>=|==|!=|<|>)\s*(${number})\s*$`);

/**
 * The number that a query ends in, behind its operator; undefined where it ends otherwise
 * (docs/contract/monitor-queries.md#common-rules). The
 * grammars know it as well, but what is sent must not wait for them.
 */
export function readThreshold(query: string): number | undefined {
  const found = ending.exec(query)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** What happens without data: one of two older options, or one newer; never both (docs/contract/monitor-queries.md#options). */
const older = 'notify_no_data';

/** The words of the service as a person says them. */
const missingWords: Readonly<Record<string, string>> = {
  show_no_data: 'show NO DATA',
  show_and_notify_no_data: 'show NO DATA and notify',
  resolve: 'show OK',
  [older]: 'notify',
};
const missingOption = (value: string) => ({ value, label: missingWords[value] ?? value });

function missingNow(now: Definition): string {
  const { on_missing_data, notify_no_data } = readOptions(now);
  return toText(on_missing_data) ?? (notify_no_data === true ? older : 'default');
}

const missing = settingAt(undefined, {
  label: 'no data',
  called: 'behavior without data',
  takes: inFamilies('metric', 'event', 'check', 'unknown'),
  isThere: (now) => missingNow(now) !== 'default',
  field(label, _, { kind }, now) {
    const current = missingNow(now);
    const newer = takesOption(kind.type, 'on_missing_data') ? optionRules.on_missing_data.words.slice(1) : [];
    // A monitor that has what its kind no longer takes may keep it.
    const has = [older].filter((option) => kind.family !== 'event' || option === current);
    const hint = kind.family === 'check' ? 'Notify or not' : 'State without data, and whether it notifies';
    return choiceField<string>(label, current, ['default', ...newer, ...has].map(missingOption), hint);
  },
});

/** The definition with what was chosen for the time without data: the older options and the newer never stand together. */
export function setMissingData(into: Definition, chosen: unknown): Definition {
  const gone = ['on_missing_data', 'notify_no_data', ...(chosen === older ? [] : ['no_data_timeframe'])];
  const rest = gone.reduce((rest_, name) => put(rest_, `options.${name}`, undefined), into);
  if (chosen === 'default') return rest;
  return chosen === older ? put(rest, `options.${older}`, true) : put(rest, 'options.on_missing_data', chosen);
}

const window = (label: string) =>
  lineSetting(label, {
    takes: (kind) => kind.id === 'anomaly',
    hint: 'Such as last_15m, the alert_window of the query',
  });

/** Where it is well again: further on the healthy side than where it began (docs/contract/monitor-queries.md#options). */
const recovery = (label: string, shown: (texts: Readonly<Record<string, string>>) => boolean) =>
  amountSetting(label, 'recovers once the value is better than this; optional', {
    takes: (kind) => kind.family === 'metric' && kind.id !== 'outlier',
    rare: true,
    shown,
  });

const mayBeLate = (kind: MonitorKind): boolean =>
  ['metric', 'check'].includes(kind.family) || kind.type === 'log alert';

/** How it is evaluated, each with the kinds that take it (docs/contract/monitor-queries.md#options). */
export const evaluationSettings = {
  on_missing_data: missing,
  ...options({
    no_data_timeframe: countSetting(
      'no data for',
      'minutes without data before it notifies; at least twice the window',
      {
        called: 'time without data',
        takes: inFamilies('metric', 'check'),
        shown: (texts) => texts.on_missing_data === older,
      },
    ),
  }),
  ...members(
    { trigger_window: window('trigger window'), recovery_window: window('recovery window') },
    'options.threshold_windows.',
  ),
  ...members(
    {
      critical_recovery: recovery('critical recovery', () => true),
      warning_recovery: recovery('warning recovery', (texts) => texts.warning !== ''),
    },
    'options.thresholds.',
  ),
  ...options({
    timeout_h: countSetting('resolves after', '0 to 24 hours without data; empty = never', {
      called: 'time to resolve',
      rare: true,
    }),
    require_full_window: flagSetting('full window', 'yes: not evaluated until data covers the whole window', {
      takes: inFamilies('metric'),
      rare: true,
      usual: false,
    }),
    evaluation_delay: countSetting('evaluation delay', 'seconds, 0 or more: for data that comes late', {
      takes: mayBeLate,
      rare: true,
    }),
    new_group_delay: countSetting('new group delay', 'seconds, 0 or more, until a new group may alert', {
      takes: mayBeLate,
      rare: true,
    }),
    group_retention_duration: lineSetting('keep groups for', {
      called: 'group retention',
      rare: true,
      hint: '1h to 72h, such as 60m, 1h or 2d',
    }),
    min_failure_duration: countSetting('failing for', 'seconds, 0 to 7200', { called: 'failure duration' }),
    min_location_failed: countSetting('failing locations', 'at least 1'),
  }),
};

const windowStarts = 'options.scheduling_options.evaluation_window.';

/** A setting of when a calendar window such as `current_1mo` starts: shown for its windows, and where it is set. */
const start = (name: string, windows: readonly string[]) => ({
  takes: inFamilies('metric'),
  shown(texts: Readonly<Record<string, string>>) {
    const window = /\bcurrent_(\w+)/.exec(texts.query ?? '')?.[1];
    return (texts[name] ?? '') !== '' || (window !== undefined && windows.includes(window));
  },
});

const schedule = 'options.scheduling_options.custom_schedule';
const recurrences = `${schedule}.recurrences`;

/** The recurrences of a schedule, which some services have without an object around them (docs/contract/monitor-queries.md#options). */
function recurrencesOf(now: Definition): readonly unknown[] {
  const value = at(now, schedule);
  return Array.isArray(value) ? value : arrayOrEmpty(at(now, recurrences));
}

/** Whether the form can edit the schedule: none, or an object with one recurrence. */
function isOurs(now: Definition): boolean {
  const value = at(now, schedule);
  return value == null || (toObject(value) === value && arrayOrEmpty(toObject(value).recurrences).length <= 1);
}

/** A setting of the schedule's only recurrence; any other schedule is read-only here. */
const recurrence = (name: string, label: string, hint: string): MonitorSetting =>
  settingAt(recurrences, {
    label,
    rule: `${recurrences.replace('options.', '')}.${name}`,
    takes: inFamilies('metric'),
    rare: true,
    isThere: (now) => recurrencesOf(now).length > 0,
    field(title, _, __, now) {
      const value = toObject(recurrencesOf(now)[0])[name];
      return isOurs(now)
        ? orNone(textField(title, toText(value), { hint }))
        : readOnlyField(title, toText(value) ?? '', 'a schedule in another format, kept as it is');
    },
    place(value, now) {
      const { [name]: _, ...others } = toObject(arrayOrEmpty(now)[0]);
      const after = value === null ? others : { ...others, [name]: value };
      return Object.keys(after).length === 0 ? undefined : [after];
    },
  });

/** Start of calendar windows, and the custom schedule (docs/contract/monitor-queries.md#options). */
export const calendarSettings = {
  ...members(
    {
      hour_starts: countSetting('hour starts at', 'minute 0 to 59; with current_1h', {
        ...start('hour_starts', ['1h']),
        called: 'start of the hour',
      }),
      day_starts: lineSetting('day starts at', {
        ...start('day_starts', ['1d', '1mo']),
        called: 'start of the day',
        hint: 'Such as 04:00; with current_1d and current_1mo',
      }),
      month_starts: countSetting('month starts on', 'day 1 to 31; together with the start of the day', {
        ...start('month_starts', ['1d', '1mo']),
        called: 'start of the month',
      }),
      timezone: lineSetting('timezone', {
        ...start('timezone', ['1d', '1mo']),
        hint: 'Such as Europe/Paris',
      }),
    },
    windowStarts,
  ),
  schedule_rrule: recurrence('rrule', 'schedule', 'such as FREQ=DAILY;INTERVAL=1; set No data, too; beta'),
  schedule_start: recurrence('start', 'schedule from', 'such as 2026-01-31T04:00:00'),
  schedule_timezone: recurrence('timezone', 'schedule zone', 'such as Europe/Paris'),
};

/** A deprecated option: read-only, shown where a monitor has it, sent back unchanged. */
const olderOption = (label: string, instead: string) => ({
  label: `old: ${label}`,
  takes: () => false,
  field: (title: string, value: unknown) =>
    readOnlyField(title, typeof value === 'string' ? value : stringifyExact(value), `deprecated, ${instead}`),
});

/** Deprecated options with what replaces them; shown only where a monitor has them (docs/contract/monitor-queries.md#options). */
export const deprecatedSettings = options({
  silenced: {
    ...olderOption('mutes', 'm and M mute and unmute'),
    isThere: (now) => Object.keys(toObject(readOptions(now).silenced)).length > 0,
  },
  device_ids: olderOption('devices', 'name devices in the query'),
  synthetics_check_id: { ...olderOption('test', 'the test keeps its monitor'), usual: '' },
  groupby_simple_monitor: { ...olderOption('one for all', 'use notify by: *'), usual: false },
  locked: flagSetting('old: locked', 'deprecated, use only these roles', { takes: () => false, usual: false }),
  // The service sets it on every monitor (docs/contract/monitors.md#monitor).
  new_host_delay: countSetting('old: new host delay', 'seconds; deprecated, use new group delay', {
    takes: () => false,
    usual: 300,
  }),
});
