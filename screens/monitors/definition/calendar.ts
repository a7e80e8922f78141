import { listOf, objectOf, textOf } from '../row.ts';
import { at, type Definition, put } from './definition.ts';
import { inFamilies, kept, optionalCount, optionalText, type Part, placed } from './part.ts';

/** One of the words that say when a window such as `current_1mo` begins: those that go with it, and those that are set. */
const start = (name: string, windows: readonly string[], field: Parameters<typeof placed>[2]['field']): Part =>
  placed(name, ['options', 'scheduling_options', 'evaluation_window', name], {
    takes: inFamilies('metric'),
    shown(texts) {
      const window = /\bcurrent_(\w+)/.exec(texts.query ?? '')?.[1];
      return (texts[name] ?? '') !== '' || (window !== undefined && windows.includes(window));
    },
    field,
  });

const recurrences = ['options', 'scheduling_options', 'custom_schedule', 'recurrences'];
const onlyOne = (now: Definition): boolean => listOf(at(now, recurrences)).length <= 1;

/** One of the three words of a schedule's only recurrence; a schedule of several stays as it is. */
const recurrence = (name: string, label: string, hint: string): Part => ({
  name: `schedule_${name}`,
  takes: inFamilies('metric'),
  rare: true,
  isSet: (now) => listOf(at(now, recurrences)).length > 0,
  field(now) {
    const value = objectOf(listOf(at(now, recurrences))[0])[name];
    return onlyOne(now)
      ? optionalText(label, value, { hint })
      : kept(label, textOf(value) ?? '', 'the first of several, which stay as they are');
  },
  put(value, into) {
    if (!onlyOne(into)) return into;
    const { [name]: _, ...others } = objectOf(listOf(at(into, recurrences))[0]);
    const after = value === null ? others : { ...others, [name]: value };
    return put(into, recurrences, Object.keys(after).length === 0 ? undefined : [after]);
  },
});

/** When its windows begin, and a schedule of its own (spec: Monitor options, scheduling_options). */
export const calendarParts: readonly Part[] = [
  start('hour_starts', ['1h'], (value) =>
    optionalCount('hour starts at', value, 'minute 0 to 59; with current_1h', 0, 59),
  ),
  start('day_starts', ['1d', '1mo'], (value) =>
    optionalText('day starts at', value, {
      hint: 'such as 04:00; with current_1d and current_1mo',
      check: (text) => /^([01]?\d|2[0-3]):[0-5]\d$/.test(text) || 'day starts at a time such as 04:00',
    }),
  ),
  start('month_starts', ['1mo'], (value) =>
    optionalCount('month starts on', value, 'day 1 to 31; with current_1mo', 1, 31),
  ),
  start('timezone', ['1d', '1mo'], (value) => optionalText('timezone', value, { hint: 'such as Europe/Paris' })),
  recurrence('rrule', 'schedule', 'beta: FREQ=DAILY;INTERVAL=1; needs `without data` too'),
  recurrence('start', 'schedule from', 'such as 2026-01-31T04:00:00'),
  recurrence('timezone', 'schedule zone', 'such as Europe/Paris'),
];
