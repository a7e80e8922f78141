import { textField } from '../../../src/describe/field.ts';
import { at } from '../../../src/lib/object-paths.ts';
import { arrayOrEmpty, toObject, toText } from '../row.ts';
import type { Definition } from './definition.ts';
import { inFamilies, type MonitorSetting, members, settingAt } from './setting.ts';
import { countSetting, lineSetting, orNone, readOnlyField } from './values.ts';

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
      if (arrayOrEmpty(now).length > 1) return now;
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
