import { notificationPresets } from '../../../src/api/monitor.ts';
import { type Field, manyField, queryField, textField } from '../../../src/describe/field.ts';
import { listOf, textOf } from '../row.ts';
import { put } from './definition.ts';
import { messageLanguage } from './message.ts';
import { inFamilies, oneOf, option, optionalCount, orNone, type Part, toggle } from './part.ts';

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

/** Whom it tells, how often and what, each with the kinds that take it (contract/monitors.md section 6). */
export const notificationParts: readonly Part[] = [
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
    field: (value) => wordsField('notify by', value, 'some of what the query groups by; * = one for all'),
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
    field: (value) => oneOf('notifications', value, notificationPresets, 'what of the monitor stands in them'),
  }),
];
