import {
  checksField,
  type Field,
  type FieldDiagnostic,
  type FieldLanguage,
  manyField,
  queryField,
  readAs,
  textField,
} from '../../../src/describe/field.ts';
import { rolePicks } from '../../../src/describe/picks.ts';
import { commaWords } from '../../../src/lib/text.ts';
import { optionRules } from '../../../src/query/option-rules.ts';
import { arrayOrEmpty, toId, toObject, toText } from '../row.ts';
import { messageLanguage } from './language.ts';
import { countSetting, flagSetting, inFamilies, members, options, orNone, wordSetting } from './setting.ts';

const renotifies = (texts: Readonly<Record<string, string>>): boolean => Number(texts.renotify_interval) > 0;

/** Several words on one line, separated by commas. */
function wordsField(label: string, value: unknown, hint: string): Field<unknown> {
  const field = textField(label, arrayOrEmpty(value).join(', '), { hint });
  return orNone(readAs(field, (text) => ({ ok: true, value: commaWords(text) })));
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

/** Settings of access and of drafts. */
export const accessSettings = members({
  restricted_roles: {
    label: 'only these roles',
    called: 'list of roles',
    rare: true,
    isSet: true,
    field: (label, value) =>
      checksField(
        label,
        arrayOrEmpty(value).flatMap((entry) => {
          const id = toId(entry);
          return id === undefined ? [] : [{ id, label: `role ${id}` }];
        }),
        rolePicks,
        { hint: 'Roles that may edit, mute and delete it; none = anyone with permission' },
      ),
    place: (value) => (arrayOrEmpty(value).length === 0 ? null : value),
  },
  draft_status: wordSetting('draft status', ['published', 'draft'], 'preview: not every organization has drafts', {
    rare: true,
    usual: 'published',
    untold: 'published',
  }),
});

/** A runbook as a line of text: name, then address. */
const lineOf = (runbook: unknown): string =>
  `${toText(toObject(runbook).name) ?? ''} ${toText(toObject(runbook).url) ?? ''}`.trim();

const written = /^\s*(\S.*?)\s+(\S+)\s*$/;

/** An absolute URL, or a path within the service (docs/contract/monitors.md#monitor). */
const address = /^(\/|[a-z][a-z\d+.-]*:\/\/[^/])/i;

const incomplete = 'a runbook is a name followed by its URL';

const runbookLines: FieldLanguage = {
  check(text) {
    const found: FieldDiagnostic[] = [];
    let start = 0;
    for (const line of text.split('\n')) {
      if (line.trim() !== '' && !written.test(line))
        found.push({
          verdict: 'wrong',
          message: incomplete,
          hint: 'Disk full https://wiki.example.test/disk',
          start,
          end: start + line.length,
        });
      const url = written.exec(line)?.[2];
      if (url !== undefined && !address.test(url))
        found.push({
          verdict: 'doubtful',
          message: `${url} may not be a URL`,
          hint: 'https://… or, within the service, /…',
          start: start + line.lastIndexOf(url),
          end: start + line.lastIndexOf(url) + url.length,
        });
      start += line.length + 1;
    }
    return found;
  },
  complete: () => undefined,
};

/** Runbooks by name and address; their other members are kept (docs/contract/monitors.md#monitor). */
function runbooksField(label: string, value: unknown): Field<unknown> {
  const stored = arrayOrEmpty(value);
  const field = queryField(label, stored.map(lineOf).join('\n'), async () => runbookLines, {
    hint: 'One per line: name, then URL',
    isProse: true,
  });
  return {
    ...field,
    read(text) {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      if (!lines.every((line) => written.test(line))) return { ok: false, text: incomplete };
      return {
        ok: true,
        value: lines.map((line) => {
          const [, name = '', url = ''] = written.exec(line) ?? [];
          const same = stored.find(
            (runbook) => toText(toObject(runbook).url) === url || toText(toObject(runbook).name) === name,
          );
          return { category: 'runbook', ...toObject(same), name, url };
        }),
      };
    },
  };
}

export const assetsSettings = members({ assets: { label: 'runbooks', rare: true, untold: [], field: runbooksField } });
