import type { Plan } from '../../../src/api/endpoint.ts';
import { type Result, toResult } from '../../../src/api/problem.ts';
import type { Rows, Source } from '../../../src/describe/context.ts';
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
import type { Pick } from '../../../src/describe/picks.ts';
import { unreadable } from '../../../src/lib/function-results.ts';
import { at } from '../../../src/lib/values.ts';
import { monitorKindWord } from '../columns.ts';
import { arrayOrEmpty, type MonitorRow, severity, toNumber, toText } from '../row.ts';
import { messageLanguage, queryLanguage, variablesField } from './language.ts';
import {
  amountSetting,
  countSetting,
  type Definition,
  type Members,
  type MonitorKind,
  members,
  membersIn,
  options,
  settingAt,
} from './setting.ts';

/** Members of a composite at most (docs/contract/monitor-queries.md#composite). */
const mostMembers = 10;

/** Picks that are known without a request. */
export function knownPicks(key: string, rows: () => Rows<Pick>): Source<Pick> {
  return {
    key,
    of: [],
    whole: true,
    // biome-ignore lint/correctness/useYield: nothing is asked
    *plan(): Plan<Result<Rows<Pick>>> {
      return toResult(rows());
    },
  };
}

/** A monitor as one to choose: its state and its kind beside its name. */
const pickOf = (row: MonitorRow): Pick => ({
  id: row.id,
  label: row.name,
  hint: `${row.state} · ${monitorKindWord(row.type)} · ${row.id}`,
});

/** Monitors as picks, the worst state first. */
function choices(monitors: readonly MonitorRow[]): Rows<Pick> {
  const may = monitors.filter((row) => row.type !== 'composite');
  return { rows: may.toSorted((one, other) => severity(other.state) - severity(one.state)).map(pickOf) };
}

function membersField(label: string, now: Members, monitors: readonly MonitorRow[]): Field<unknown> {
  const named = new Map(monitors.map((row) => [row.id, row]));
  const opened = now.ids.map((id) => {
    const row = named.get(id);
    return row ? pickOf(row) : { id, label: `monitor ${id}` };
  });
  const states = monitors.map((row) => `${row.id}${row.state}`).join();
  const field = checksField(label, opened, () => knownPicks(`members ${states}`, () => choices(monitors)), {
    free: true,
    hint: `Enter opens the list; at most ${mostMembers}`,
  });
  return readAs(field, (ids) => {
    const strange = ids.find((id) => !/^\d+$/.test(id));
    if (strange !== undefined) return unreadable(`${strange} is not a monitor ID`);
    const inner = ids.find((id) => named.get(id)?.type === 'composite');
    if (inner !== undefined)
      return unreadable(`${named.get(inner)?.name} is a composite monitor: composites cannot be nested`);
    if (ids.length > mostMembers)
      return unreadable(`${ids.length} monitors: a composite can have at most ${mostMembers}`);
    return { ok: true, value: ids };
  });
}

const inQuery = (now: Definition): Members | undefined => membersIn(toText(now.query) ?? '');

/** What both fields have in common: they write the query, so they stand at no place of the definition. */
const ofPlainList = {
  takes: (kind: MonitorKind, now: Definition) => kind.family === 'composite' && inQuery(now) !== undefined,
  isThere: () => false,
};

/** The fields that write the query of a composite: they are kept nowhere but in it. */
const compositeSettings = {
  members: settingAt(undefined, {
    ...ofPlainList,
    label: 'monitors',
    field: (label, _, { rows }, now) =>
      membersField(label, inQuery(now) ?? { ids: [], join: 'all', expression: () => '' }, rows),
  }),
  join: settingAt(undefined, {
    ...ofPlainList,
    label: 'alerts when',
    field: (label, _, __, now) =>
      choiceField(label, inQuery(now)?.join ?? 'all', [
        { value: 'all', label: 'all of them alert (&&)' },
        { value: 'any', label: 'any of them alerts (||)' },
      ]),
  }),
};

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
