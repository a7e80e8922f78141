import type { Pick } from '../../../src/describe/action.ts';
import {
  checksField,
  choiceField,
  type Field,
  following,
  type Option,
  queryField,
  textField,
} from '../../../src/describe/field.ts';
import { listOf, numberOf, textOf } from '../row.ts';
import { picksOf } from './composite.ts';
import { at, put } from './definition.ts';
import { queryLanguage } from './language.ts';
import { messageLanguage } from './message.ts';
import { optionalCount, optionalNumber, type Part, placed } from './part.ts';
import { variablesField } from './variables.ts';

/** Text on several lines that may be emptied. */
const prose = (label: string, value: unknown, hint: string, words: () => readonly string[]): Field<unknown> =>
  queryField(label, textOf(value), async () => messageLanguage(words), { hint });

const priorities: readonly Option[] = [
  { value: '', label: 'none' },
  ...[1, 2, 3, 4, 5].map((it) => ({ value: String(it), label: `P${it}` })),
];

/** None, or 1 to 5 (spec: Monitor). A text that is a number is read as one (contract/monitors.md 9). */
const priorityField = (value: unknown): Field<unknown> => {
  const number = numberOf(value);
  const field = choiceField<string>('priority', number === undefined ? '' : String(number), priorities);
  return {
    ...field,
    read(text) {
      const read = field.read(text);
      return read.ok ? { ok: true, value: text === '' ? null : Number(text) } : read;
    },
  };
};

/** Tags that the organisation's monitors have, and any other word. */
const tagsField = (value: unknown, known: () => readonly string[]): Field<unknown> => {
  const now = listOf(value).flatMap((it) => textOf(it) ?? []);
  const pick = (tag: string): Pick => ({ id: tag, label: tag });
  return checksField('tags', now.map(pick), () => picksOf('tags in use', () => ({ rows: known().map(pick) })), {
    free: true,
    hint: 'Enter opens those in use; others may be typed there',
  });
};

/** Name and query, and the numbers that go with the query. */
export const queryParts: readonly Part[] = [
  placed('name', ['name'], {
    isSet: () => true,
    // What has a name keeps one; a new monitor without is named by the service (contract/monitors.md 2.4).
    field: (value) =>
      textOf(value) === undefined
        ? textField('name', '', { hint: 'empty: the service makes one from the query' })
        : textField('name', textOf(value), { required: true }),
  }),
  placed('query', ['query'], {
    takes: (kind) => kind.family !== 'synthetic',
    isSet: () => false,
    field(value, about, now) {
      // One that was stored without a query may be edited all the same (contract/monitors.md 9).
      const required = now.id === undefined || textOf(value) !== undefined;
      const field = queryField('query', textOf(value), queryLanguage(about), { required, hint: about.kind.watches });
      return about.members ? following(about.members.expression, field) : field;
    },
  }),
  placed('variables', ['options', 'variables'], {
    takes: (kind) => kind.formula === true,
    field: (value) => variablesField(value),
  }),
  ...(['ok', 'warning', 'critical', 'unknown'] as const).map((name) =>
    placed(`${name}_count`, ['options', 'thresholds', name], {
      takes: (kind) => kind.family === 'check',
      isSet: () => false,
      field: (value) =>
        optionalCount(`${name} after`, value, `results in a row; the query looks at as many or more`, 1, 100),
    }),
  ),
  placed('warning', ['options', 'thresholds', 'warning'], {
    takes: (kind) => !['check', 'composite', 'synthetic'].includes(kind.family) && kind.id !== 'outlier',
    isSet: (now) => isThreshold(now.type) && at(now, ['options', 'thresholds', 'warning']) !== undefined,
    field: (value) =>
      optionalNumber('warning', value, { hint: 'on the healthy side of the one in the query; or empty' }),
  }),
];

const isThreshold = (type: unknown): boolean => type !== 'service check' && type !== 'composite';

/** What is told, and to whom. */
export const messageParts: readonly Part[] = [
  placed('message', ['message'], {
    isSet: () => true,
    field: (value, about) =>
      prose('message', value, 'what to do; @ names who is notified', () => about.known().handles),
    put: (value, into) => put(into, ['message'], value ?? ''),
  }),
  placed('tags', ['tags'], {
    isSet: () => true,
    field: (value, about) => tagsField(value, () => about.known().own),
    put: (value, into) => put(into, ['tags'], value ?? []),
  }),
  placed('priority', ['priority'], { isSet: () => true, field: priorityField }),
];
