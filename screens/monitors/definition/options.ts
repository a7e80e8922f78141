import { checksField, choiceField, type Field, manyField, queryField, textField } from '../../../src/describe/field.ts';
import { rolePicks } from '../../../src/describe/picks.ts';
import { readDuration } from '../../../src/lib/duration.ts';
import { idOf, listOf, objectOf, textOf } from '../row.ts';
import { at, type Definition, optionsOf, put } from './definition.ts';
import type { Kind } from './kinds.ts';
import { messageLanguage } from './message.ts';
import { oneOf, optionalCount, optionalNumber, optionalText, orNone, type Part, placed, toggle } from './part.ts';

const inFamilies =
  (...families: readonly Kind['family'][]) =>
  (kind: Kind): boolean =>
    families.includes(kind.family);

const option = (name: string, it: Parameters<typeof placed>[2]): Part => placed(name, ['options', name], it);

/** What happens without data: one of two older options, or one newer; never both (contract/monitors.md section 6). */
const older = 'notify_no_data';

function missingNow(now: Definition): string {
  const { on_missing_data, notify_no_data } = optionsOf(now);
  return textOf(on_missing_data) ?? (notify_no_data === true ? older : 'default');
}

const missing: Part = {
  name: 'on_missing_data',
  takes: inFamilies('metric', 'event', 'check', 'unknown'),
  isSet: (now) => missingNow(now) !== 'default',
  field(now, { kind }) {
    const newer = ['show_no_data', 'show_and_notify_no_data', 'resolve'];
    return choiceField<string>(
      'without data',
      missingNow(now),
      ['default', ...(kind.family === 'check' ? [] : newer), ...(kind.family === 'event' ? [] : [older])],
      kind.family === 'check' ? 'whether somebody is told' : 'what becomes of the state, and whether somebody is told',
    );
  },
  put(value, into) {
    const without = ['on_missing_data', 'notify_no_data', 'no_data_timeframe'].reduce(
      (it, name) => (value === older && name === 'no_data_timeframe' ? it : put(it, ['options', name], undefined)),
      into,
    );
    if (value === 'default') return without;
    return value === older
      ? put(without, ['options', older], true)
      : put(without, ['options', 'on_missing_data'], value);
  },
};

/** A word such as 60m, 1h or 2d. */
const retention = (value: unknown): Field<unknown> =>
  optionalText('keep groups for', value, {
    hint: '1h to 72h, such as 60m, 1h or 2d',
    check(text) {
      const ms = readDuration(text) ?? 0;
      const isWithin = ms >= 3_600_000 && ms <= 72 * 3_600_000 && /^\d+[mhd]$/.test(text);
      return isWithin || 'keep groups for must be 1h to 72h, such as 60m, 1h or 2d';
    },
  });

const renotifies = (texts: Readonly<Record<string, string>>): boolean => Number(texts.renotify_interval) > 0;
const words = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);

/** Several words on one line, joined by commas. */
function wordsField(label: string, value: unknown, hint: string): Field<unknown> {
  const field = orNone(textField(label, listOf(value).join(', '), { hint }));
  return {
    ...field,
    read: (text) => (text.trim() === '' ? { ok: true, value: null } : { ok: true, value: words(text) }),
  };
}

const window = (label: string) => (value: unknown) =>
  optionalText(label, value, {
    hint: 'such as last_15m; the same as alert_window in the query',
    check: (text) => /^last_\d+[mhdw]$/.test(text) || `${label} must be such as last_15m or last_1h`,
  });

const calendar = (texts: Readonly<Record<string, string>>): boolean => /\bcurrent_\w+/.test(texts.query ?? '');
const evaluation = (name: string, field: Parameters<typeof placed>[2]['field']): Part =>
  placed(name, ['options', 'scheduling_options', 'evaluation_window', name], {
    takes: inFamilies('metric'),
    shown: calendar,
    field,
  });

const recurrences = ['options', 'scheduling_options', 'custom_schedule', 'recurrences'];
const onlyOne = (now: Definition): boolean => listOf(at(now, recurrences)).length <= 1;

/** One of the three words of a schedule's only recurrence; a schedule of several stays as it is. */
const recurrence = (name: string, label: string, hint: string): Part => ({
  name: `schedule_${name}`,
  takes: inFamilies('metric'),
  rare: true,
  isSet: (now) => listOf(at(now, recurrences)).length > 0 && onlyOne(now),
  field: (now) => optionalText(label, objectOf(listOf(at(now, recurrences))[0])[name], { hint }),
  put(value, into) {
    if (!onlyOne(into)) return into;
    const { [name]: _, ...others } = objectOf(listOf(at(into, recurrences))[0]);
    const after = value === null ? others : { ...others, [name]: value };
    return put(into, recurrences, Object.keys(after).length === 0 ? undefined : [after]);
  },
});

/** Where it is well again: further on the healthy side than where it began (contract/monitors.md section 6). */
const recovery = (name: string, label: string, shown: NonNullable<Part['shown']>): Part =>
  placed(name, ['options', 'thresholds', name], {
    takes: (kind) => kind.family === 'metric' && kind.id !== 'outlier',
    rare: true,
    shown,
    field: (value) => optionalNumber(label, value, { hint: 'well again beyond this number, on the healthy side' }),
  });

/** Options in the order of how often they are wanted, each with the kinds that take it (contract/monitors.md 6). */
export const optionParts: readonly Part[] = [
  missing,
  option('no_data_timeframe', {
    takes: inFamilies('metric', 'check'),
    shown: (texts) => texts.on_missing_data === older,
    field: (value) => optionalCount('no data for', value, 'minutes until it is told; twice the window or more', 1),
  }),
  placed('trigger_window', ['options', 'threshold_windows', 'trigger_window'], {
    takes: (kind) => kind.id === 'anomaly',
    field: window('trigger window'),
  }),
  placed('recovery_window', ['options', 'threshold_windows', 'recovery_window'], {
    takes: (kind) => kind.id === 'anomaly',
    field: window('recovery window'),
  }),
  evaluation('hour_starts', (value) =>
    optionalCount('hour starts at', value, 'minute 0 to 59; with current_1h', 0, 59),
  ),
  evaluation('day_starts', (value) =>
    optionalText('day starts at', value, {
      hint: 'such as 04:00; with current_1d and current_1mo',
      check: (text) => /^([01]?\d|2[0-3]):[0-5]\d$/.test(text) || 'day starts at a time such as 04:00',
    }),
  ),
  evaluation('month_starts', (value) =>
    optionalCount('month starts on', value, 'day 1 to 31; with current_1mo', 1, 31),
  ),
  evaluation('timezone', (value) => optionalText('timezone', value, { hint: 'such as Europe/Paris' })),
  option('renotify_interval', {
    usual: 0,
    field: (value) => optionalCount('notify again every', value, 'minutes; empty = never'),
  }),
  option('renotify_occurrences', {
    shown: renotifies,
    field: (value) => optionalCount('again at most', value, 'times; empty = until it is well', 1),
  }),
  option('renotify_statuses', {
    shown: renotifies,
    field(value) {
      const known = ['alert', 'warn', 'no data'];
      const now = listOf(value).map(String);
      return manyField(
        'again while',
        now,
        [...known, ...now.filter((it) => !known.includes(it))],
        'none taken = alert',
      );
    },
    put: (value, into) => put(into, ['options', 'renotify_statuses'], listOf(value).length === 0 ? undefined : value),
  }),
  option('escalation_message', {
    shown: renotifies,
    field: (value, about) =>
      orNone(
        queryField('message again', textOf(value), async () => messageLanguage(() => about.known().handles), {
          hint: 'empty = the message',
        }),
      ),
  }),
  option('notify_by', {
    takes: inFamilies('metric', 'event', 'check', 'process', 'cost', 'unknown'),
    rare: true,
    field: (value) => wordsField('notify by', value, 'some of what the query groups by; * = one for all groups'),
  }),
  recovery('critical_recovery', 'critical recovery', () => true),
  recovery('warning_recovery', 'warning recovery', (texts) => texts.warning !== ''),
  option('timeout_h', {
    takes: (kind) => kind.family !== 'slo',
    rare: true,
    field: (value) => optionalCount('resolves after', value, '0 to 24 hours without data; empty = never', 0, 24),
  }),
  option('require_full_window', {
    takes: inFamilies('metric'),
    rare: true,
    usual: false,
    field: (value) => toggle('full window', value, 'yes: not evaluated until data covers the whole window'),
  }),
  option('evaluation_delay', {
    takes: (kind) => ['metric', 'check'].includes(kind.family) || kind.type === 'log alert',
    rare: true,
    field: (value) => optionalCount('evaluation delay', value, 'seconds, 0 or more: for data that comes late'),
  }),
  option('new_group_delay', {
    takes: (kind) => ['metric', 'check'].includes(kind.family) || kind.type === 'log alert',
    rare: true,
    field: (value) => optionalCount('new group delay', value, 'seconds, 0 or more, until a new group may alert'),
  }),
  option('group_retention_duration', {
    takes: (kind) => kind.family === 'event' && !/^(database|network)/.test(kind.type),
    rare: true,
    field: retention,
  }),
  option('min_failure_duration', {
    takes: inFamilies('synthetic'),
    field: (value) => optionalCount('failing for', value, 'seconds, 0 to 7200', 0, 7200),
  }),
  option('min_location_failed', {
    takes: inFamilies('synthetic'),
    field: (value) => optionalCount('failing locations', value, 'at least 1', 1),
  }),
  option('enable_logs_sample', {
    takes: (kind) => kind.type === 'log alert',
    rare: true,
    usual: false,
    field: (value) => toggle('sample of logs', value, 'yes: notifications show some of them'),
  }),
  option('enable_samples', {
    takes: (kind) => kind.type.startsWith('ci-'),
    rare: true,
    usual: false,
    field: (value) => toggle('samples', value, 'yes: notifications show some of what was found'),
  }),
  option('include_tags', {
    rare: true,
    usual: true,
    field: (value) => toggle('tags in title', value, 'the tags that alert are put into the title', true),
  }),
  option('notify_audit', {
    rare: true,
    usual: false,
    field: (value) => toggle('tell of changes', value, 'yes: who is notified hears of changes to the monitor'),
  }),
  option('notification_preset_name', {
    rare: true,
    usual: 'show_all',
    field: (value) => oneOf('notifications', value, presets, 'what of the monitor stands in them'),
  }),
  recurrence('rrule', 'schedule', 'private beta: FREQ=DAILY;INTERVAL=1; needs a choice at without data'),
  recurrence('start', 'schedule from', 'such as 2026-01-31T04:00:00'),
  recurrence('timezone', 'schedule zone', 'such as Europe/Paris'),
];

const presets: readonly string[] = [
  'show_all',
  'hide_query',
  'hide_handles',
  'hide_all',
  'hide_query_and_handles',
  'show_only_snapshot',
  'hide_handles_and_footer',
];

/** Who may change it, and whether it speaks. */
export const otherParts: readonly Part[] = [
  placed('restricted_roles', ['restricted_roles'], {
    rare: true,
    field: (value) =>
      checksField(
        'only these roles',
        listOf(value).flatMap((it) => {
          const id = idOf(it);
          return id === undefined ? [] : [{ id, label: `role ${id}` }];
        }),
        rolePicks,
        { hint: 'who may edit, mute and delete it; none = anyone with the permission' },
      ),
    put: (value, into) => put(into, ['restricted_roles'], listOf(value).length === 0 ? null : value),
  }),
  placed('draft_status', ['draft_status'], {
    rare: true,
    usual: 'published',
    field: (value) =>
      oneOf('state of writing', value, ['published', 'draft'], 'preview: not every organisation has drafts'),
  }),
];
