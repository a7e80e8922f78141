import { notificationPresets } from '../../../src/api/monitor.ts';
import { type Field, manyField, queryField, textField } from '../../../src/describe/field.ts';
import { listOf, textOf } from '../row.ts';
import { messageLanguage } from './message.ts';
import { inFamilies, oneOf, optionalCount, options, orNone, toggle } from './setting.ts';

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
export const notificationSettings = options({
  renotify_interval: {
    label: 'notify again every',
    called: 'renotify interval',
    usual: 0,
    field: (label, value) => optionalCount(label, value, 'minutes; empty = never'),
  },
  renotify_occurrences: {
    label: 'again at most',
    called: 'count of renotifications',
    shown: renotifies,
    field: (label, value) => optionalCount(label, value, 'times; empty = until it is well', 1),
  },
  renotify_statuses: {
    label: 'again while',
    called: 'list of states that notify again',
    shown: renotifies,
    field(label, value) {
      const known = ['alert', 'warn', 'no data'];
      const now = listOf(value).map(String);
      return manyField(label, now, [...known, ...now.filter((it) => !known.includes(it))], 'none taken = alert');
    },
    put: (value) => (listOf(value).length === 0 ? undefined : value),
  },
  escalation_message: {
    label: 'message again',
    called: 'escalation message',
    shown: renotifies,
    field: (label, value, about) =>
      orNone(
        queryField(label, textOf(value), async () => messageLanguage(() => about.known().handles), {
          hint: 'empty = the message',
        }),
      ),
  },
  notify_by: {
    label: 'notify by',
    called: 'grouping of notifications',
    takes: inFamilies('metric', 'event', 'check', 'process', 'cost', 'unknown'),
    rare: true,
    field: (label, value) => wordsField(label, value, 'some of what the query groups by; * = one for all'),
  },
  enable_logs_sample: {
    label: 'sample of logs',
    takes: (kind) => kind.type === 'log alert',
    rare: true,
    usual: false,
    field: (label, value) => toggle(label, value, 'yes: notifications show some of them'),
  },
  enable_samples: {
    label: 'samples',
    takes: (kind) => kind.type.startsWith('ci-'),
    rare: true,
    usual: false,
    field: (label, value) => toggle(label, value, 'yes: notifications show some of what was found'),
  },
  include_tags: {
    label: 'tags in title',
    called: 'setting of tags in the title',
    rare: true,
    usual: true,
    field: (label, value) => toggle(label, value, 'the tags that alert are put into the title', true),
  },
  notify_audit: {
    label: 'tell of changes',
    called: 'notice of changes',
    rare: true,
    usual: false,
    field: (label, value) => toggle(label, value, 'yes: who is notified hears of changes to the monitor'),
  },
  notification_preset_name: {
    label: 'notifications',
    rare: true,
    usual: 'show_all',
    field: (label, value) => oneOf(label, value, notificationPresets, 'what of the monitor stands in them'),
  },
});
