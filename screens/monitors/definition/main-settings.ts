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

/** Monitors in a composite, at most (docs/contract/monitor-queries.md#composite). */
const maxMembers = 10;

/** Picks that are known without a request. `key` changes with them. */
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

/** A monitor to choose, with its state, kind and id beside its name. */
const pickOf = (row: MonitorRow): Pick => ({
  id: row.id,
  label: row.name,
  hint: `${row.state} · ${monitorKindWord(row.type)} · ${row.id}`,
});

/** The monitors that a composite may have, the worst state first. */
function memberPicks(monitors: readonly MonitorRow[]): Rows<Pick> {
  const simple = monitors.filter((row) => row.type !== 'composite');
  return { rows: simple.toSorted((one, other) => severity(other.state) - severity(one.state)).map(pickOf) };
}

function membersField(label: string, { ids: memberIds }: Members, monitors: readonly MonitorRow[]): Field<unknown> {
  const byId = new Map(monitors.map((row) => [row.id, row]));
  const opened = memberIds.map((id) => {
    const row = byId.get(id);
    return row ? pickOf(row) : { id, label: `monitor ${id}` };
  });
  const states = monitors.map((row) => `${row.id}${row.state}`).join();
  const field = checksField(label, opened, () => knownPicks(`members ${states}`, () => memberPicks(monitors)), {
    free: true,
    hint: `Enter opens the list; at most ${maxMembers}`,
  });
  return readAs(field, (ids) => {
    const wrong = ids.find((id) => !/^\d+$/.test(id));
    if (wrong !== undefined) return unreadable(`${wrong} is not a monitor ID`);
    const composite = ids.map((id) => byId.get(id)).find((row) => row?.type === 'composite');
    if (composite) return unreadable(`${composite.name} is a composite monitor: composites cannot be nested`);
    if (ids.length > maxMembers)
      return unreadable(`${ids.length} monitors: a composite can have at most ${maxMembers}`);
    return { ok: true, value: ids };
  });
}

const takesMembers = (kind: MonitorKind, { query }: Definition) =>
  kind.family === 'composite' && membersIn(toText(query) ?? '') !== undefined;
const noMembers: Members = { ids: [], join: 'all', expression: () => '' };

/** The fields that write the query of a composite, which follows them: they stand at no place of the definition. */
const compositeSettings = {
  members: settingAt(undefined, {
    takes: takesMembers,
    isThere: () => false,
    label: 'monitors',
    field: (label, _, { rows, members = noMembers }) => membersField(label, members, rows),
  }),
  join: settingAt(undefined, {
    takes: takesMembers,
    isThere: () => false,
    label: 'alerts when',
    field: (label, _, { members = noMembers }) =>
      choiceField(label, members.join, [
        { value: 'all', label: 'all of them alert (&&)' },
        { value: 'any', label: 'any of them alerts (||)' },
      ]),
  }),
};

/** A text of several lines that may be empty, with completions. */
const proseField = (label: string, value: unknown, hint: string, words: () => readonly string[]): Field<unknown> =>
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

/** A choice of the tags that the organization's monitors have, and any other word. */
const tagsField = (label: string, value: unknown, known: () => readonly string[]): Field<unknown> => {
  const tags = arrayOrEmpty(value).flatMap((tag) => toText(tag) ?? []);
  const pick = (tag: string): Pick => ({ id: tag, label: tag });
  return checksField(label, tags.map(pick), () => knownPicks('tags in use', () => ({ rows: known().map(pick) })), {
    free: true,
    hint: 'Enter opens the tags in use; type others there',
  });
};

/** After how many results in a row a check has the state `name`. */
const resultCount = (name: string) =>
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
  ok_count: resultCount('ok'),
  warning_count: resultCount('warning'),
  critical_count: resultCount('critical'),
  unknown_count: resultCount('unknown'),
  warning: settingAt(
    'options.thresholds.warning',
    amountSetting('warning', 'less severe than the threshold in the query; optional', {
      takes: (kind) => !['check', 'composite', 'synthetic'].includes(kind.family) && kind.id !== 'outlier',
      isThere: (now) =>
        now.type !== 'service check' && now.type !== 'composite' && at(now, 'options.thresholds.warning') != null,
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
      proseField(label, value, 'what to do; @ names who is notified', () => about.known().handles),
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
