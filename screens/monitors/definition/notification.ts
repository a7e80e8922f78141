import { type Field, manyField, queryField, textField } from '../../../src/describe/field.ts';
import { commaWords } from '../../../src/lib/text.ts';
import { optionRules } from '../../../src/query/option-rules.ts';
import { arrayOrEmpty, toText } from '../row.ts';
import { messageLanguage } from './message.ts';
import { inFamilies, options } from './setting.ts';
import { countSetting, flagSetting, orNone, wordSetting } from './values.ts';

const renotifies = (texts: Readonly<Record<string, string>>): boolean => Number(texts.renotify_interval) > 0;

/** Several words on one line, separated by commas. */
function wordsField(label: string, value: unknown, hint: string): Field<unknown> {
  const field = orNone(textField(label, arrayOrEmpty(value).join(', '), { hint }));
  return {
    ...field,
    read: (text) => (text.trim() === '' ? { ok: true, value: null } : { ok: true, value: commaWords(text) }),
  };
}

/** Whom it tells, how often and what, each with the kinds that take it (docs/contract/monitor-queries.md#options). */
export const notificationSettings = options({
  renotify_interval: countSetting('renotify', 'minutes; empty = never', { called: 'renotify interval', usual: 0 }),
  renotify_occurrences: countSetting('renotify at most', 'times; empty = until it recovers', {
    called: 'count of renotifications',
    shown: renotifies,
  }),
  renotify_statuses: {
    label: 'renotify while',
    called: 'list of states that notify again',
    shown: renotifies,
    field(label, value) {
      const known: readonly string[] = optionRules.renotify_statuses.words;
      const now = arrayOrEmpty(value).map(String);
      return manyField(label, now, [...known, ...now.filter((name) => !known.includes(name))], 'none selected = alert');
    },
    place: (value) => (arrayOrEmpty(value).length === 0 ? undefined : value),
  },
  escalation_message: {
    label: 'renotify message',
    called: 'escalation message',
    shown: renotifies,
    field: (label, value, about) =>
      orNone(
        queryField(label, toText(value), async () => messageLanguage(() => about.known().handles), {
          hint: 'Empty = the message',
          isProse: true,
        }),
      ),
  },
  notify_by: {
    label: 'notify by',
    called: 'grouping of notifications',
    takes: inFamilies('metric', 'event', 'check', 'process', 'cost', 'unknown'),
    rare: true,
    field: (label, value) => wordsField(label, value, 'keys that the query groups by; * = one notification for all'),
  },
  enable_logs_sample: flagSetting('sample of logs', 'yes: notifications show some of them', {
    rare: true,
    usual: false,
  }),
  enable_samples: flagSetting('samples', 'yes: notifications show some of what was found', {
    rare: true,
    usual: false,
  }),
  include_tags: flagSetting('tags in title', 'puts the tags that alert into the title', {
    called: 'setting of tags in the title',
    rare: true,
    usual: true,
  }),
  notify_audit: flagSetting('notify of changes', 'yes: also notifies of edits to the monitor', {
    called: 'notice of changes',
    rare: true,
    usual: false,
  }),
  notification_preset_name: wordSetting(
    'notifications',
    optionRules.notification_preset_name.words,
    'what a notification contains',
    {
      rare: true,
      usual: 'show_all',
    },
  ),
});
