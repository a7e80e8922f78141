import {
  checksField,
  choiceField,
  type Field,
  following,
  type Option,
  queryField,
  readAs,
  textField,
} from '../../../src/describe/field.ts';
import type { Pick } from '../../../src/describe/pick.ts';
import { at } from '../../../src/lib/object-paths.ts';
import { arrayOrEmpty, toNumber, toText } from '../row.ts';
import { compositeSettings, knownPicks } from './composite.ts';
import { queryLanguage } from './language.ts';
import { messageLanguage } from './message.ts';
import { members, options, settingAt } from './setting.ts';
import { amountSetting, countSetting } from './values.ts';
import { variablesField } from './variables.ts';

/** Text on several lines that may be emptied. */
const prose = (label: string, value: unknown, hint: string, words: () => readonly string[]): Field<unknown> =>
  queryField(label, toText(value), async () => messageLanguage(words), { hint, isProse: true });

const priorities: readonly Option[] = [
  { value: '', label: 'none' },
  ...[1, 2, 3, 4, 5].map((priority) => ({ value: String(priority), label: `P${priority}` })),
];

/**
 * None, or 1 to 5 (docs/contract/monitor-queries.md#options). A text that is a number is read as one
 * (docs/contract/monitors.md#oddities).
 */
const priorityField = (label: string, value: unknown): Field<unknown> => {
  const number = toNumber(value);
  const field = choiceField<string>(label, number === undefined ? '' : String(number), priorities);
  return readAs(field, (chosen) => ({ ok: true, value: chosen === '' ? null : Number(chosen) }));
};

/** Tags that the organization's monitors have, and any other word. */
const tagsField = (label: string, value: unknown, known: () => readonly string[]): Field<unknown> => {
  const now = arrayOrEmpty(value).flatMap((tag) => toText(tag) ?? []);
  const pick = (tag: string): Pick => ({ id: tag, label: tag });
  return checksField(label, now.map(pick), () => knownPicks('tags in use', () => ({ rows: known().map(pick) })), {
    free: true,
    hint: 'Enter opens the tags in use; type others there',
  });
};

const isThreshold = (type: unknown): boolean => type !== 'service check' && type !== 'composite';

/** After how many results in a row a check has a state. */
const results = (name: string) =>
  settingAt(
    `options.thresholds.${name}`,
    countSetting(`${name} after`, 'results in a row; at most the number in last() of the query', {
      called: `count of ${name} results`,
      takes: (kind) => kind.family === 'check',
      isThere: () => false,
    }),
  );

/** Name and query, and the numbers that go with the query. */
export const querySettings = {
  ...members({
    name: {
      label: 'name',
      isThere: () => true,
      untold: '',
      // What has a name keeps one; a new monitor without is named by the service (docs/contract/monitors.md#create).
      field: (label, value) =>
        toText(value) === undefined
          ? textField(label, '', { hint: 'Leave empty to let the service name it' })
          : textField(label, toText(value), { required: true }),
    },
  }),
  ...compositeSettings,
  ...members({
    query: {
      label: 'query',
      takes: (kind) => kind.family !== 'synthetic',
      isThere: () => false,
      field(label, value, about, now) {
        // A monitor that was stored without a query may be edited all the same (docs/contract/monitors.md#oddities).
        const required = now.id === undefined || toText(value) !== undefined;
        const field = queryField(label, toText(value), queryLanguage(about), { required, hint: about.kind.watches });
        return about.members ? following(about.members.expression, field) : field;
      },
    },
  }),
  ...options({
    variables: { label: 'variables', takes: (kind) => kind.formula === true, field: variablesField },
  }),
  ok_count: results('ok'),
  warning_count: results('warning'),
  critical_count: results('critical'),
  unknown_count: results('unknown'),
  warning: settingAt(
    'options.thresholds.warning',
    amountSetting('warning', 'less severe than the threshold in the query; optional', {
      takes: (kind) => !['check', 'composite', 'synthetic'].includes(kind.family) && kind.id !== 'outlier',
      isThere: (now) => isThreshold(now.type) && at(now, 'options.thresholds.warning') != null,
    }),
  ),
};

/** What is told, and to whom. */
export const messageSettings = members({
  message: {
    label: 'message',
    isThere: () => true,
    untold: '',
    field: (label, value, about) =>
      prose(label, value, 'what to do; @ names who is notified', () => about.known().handles),
    place: (value) => value ?? '',
  },
  tags: {
    label: 'tags',
    isThere: () => true,
    isSet: true,
    untold: [],
    field: (label, value, about) => tagsField(label, value, () => about.known().own),
    place: (value) => value ?? [],
  },
  priority: { label: 'priority', isThere: () => true, field: priorityField },
});
