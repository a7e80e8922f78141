import { type AnswerOf, type Call, call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { createFilter, deleteFilter, getFilter, listFilters, updateFilter } from '../../src/api/retention.ts';
import { action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import {
  changedOnly,
  type Field,
  type Fields,
  numberField,
  shownWhen,
  textField,
  toggleField,
} from '../../src/describe/field.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { type FilterRow, isBuiltIn, mayChange, nameOf, ordinary, percent, type Settings, settingsOf } from './row.ts';
import { changesOf, changing, replacement } from './write.ts';

type Answer = AnswerOf<typeof updateFilter>;

/** An emptied rate is none. */
const orNone = (field: Field<number | undefined>): Field<number> => ({
  ...field,
  read(text) {
    const read = field.read(text);
    return read.ok ? { ok: true, value: read.value ?? 0 } : read;
  },
});

/** The fields of a filter. The name and the query of a built-in one are the service's. */
function fieldsOf(it: Partial<Settings>, builtIn: boolean) {
  const ours = () => !builtIn;
  return {
    name: shownWhen(ours, textField('name', it.name, { required: true })),
    query: shownWhen(
      ours,
      textField('query', it.query, { required: true, placeholder: 'service:checkout', hint: 'which spans; * is all' }),
    ),
    rate: numberField('span rate', it.rate, {
      min: 0,
      max: 1,
      required: true,
      hint: '0 to 1: the share of matching spans that is kept; 1 keeps all',
    }),
    traceRate: orNone(
      numberField('trace rate', it.traceRate, {
        min: 0,
        max: 1,
        hint: '0 to 1: the share of whole traces with a matching span that is kept',
      }),
    ),
    enabled: toggleField('on', it.enabled ?? true, 'one that is off keeps nothing'),
  } satisfies Fields;
}

/** The same of a filter that is there: what was not changed is not among the values, so that `.` changes no more. */
function changesIn(row: FilterRow) {
  const it = fieldsOf(settingsOf(row), isBuiltIn(row));
  return {
    name: changedOnly(it.name),
    query: changedOnly(it.query),
    rate: changedOnly(it.rate),
    traceRate: changedOnly(it.traceRate),
    enabled: changedOnly(it.enabled),
  };
}

/** The row with settings laid over it. */
function withSettings(row: FilterRow, it: Partial<Settings>): FilterRow {
  const { query, traceRate, ...rest } = it;
  return {
    ...row,
    attributes: {
      ...row.attributes,
      ...rest,
      ...(query === undefined ? {} : { filter: { ...row.attributes.filter, query } }),
      ...(traceRate === undefined ? {} : { trace_rate: traceRate }),
    },
  };
}

/** The row that an answer tells; the place in the order is only told by the list. */
function told(row: FilterRow, answer: unknown): FilterRow {
  const attributes = (answer as Answer | undefined)?.data?.attributes;
  return attributes ? { ...row, attributes: { ...row.attributes, ...attributes } } : row;
}

/** Back to the settings that were, with everything else as the answer tells it. */
function wayBack(before: FilterRow, changes: Partial<Settings>, answer: unknown): readonly Call[] {
  const was = settingsOf(before);
  const names = Object.keys(changes) as (keyof Settings)[];
  // A rate that was not told before is as good as 0.
  const back = Object.fromEntries(names.map((name) => [name, was[name] ?? (name === 'traceRate' ? 0 : undefined)]));
  const sent = replacement(before.id, told(before, answer).attributes, back);
  return sent ? [sent] : [];
}

/** What the answer says of the settings that were asked for: true, or what is otherwise. */
function otherwise(answer: unknown, changes: Partial<Settings>): string {
  const attributes = (answer as Answer | undefined)?.data?.attributes;
  if (!attributes) return '; the service did not say what it is now';
  const now = settingsOf({ attributes });
  const names = (Object.keys(changes) as (keyof Settings)[]).filter((it) => it in now && now[it] !== changes[it]);
  return names.map((it) => `; the service says ${it} ${stringifyExact(now[it])}`).join('');
}

/** `e`: name, query, rates, on or off; of a built-in filter only what may be changed. */
export const editAction = action({
  id: 'retention.edit',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'name, query, span rate and trace rate, as one replacement; the difference is shown before it is sent',
  uses: [getFilter, updateFilter],
  bulk: false,
  reviews: true,
  enabled: mayChange,
  form: (row: FilterRow) => changesIn(row),
  send: (row, values) => changing(row, changesOf(row, values)),
  show: (row, values) => withSettings(row, changesOf(row, values)),
  truth: (row, answer) => told(row, answer),
  done(row, values, answer) {
    const changes = changesOf(row, values);
    return `saved ${nameOf(told(row, answer))}${otherwise(answer, changes)}`;
  },
  undo: (before, values, answer) => wayBack(before, changesOf(before, values), answer),
  command: (row, values) => commandOf(row, changesOf(row, values)),
});

function commandOf(row: FilterRow, changes: Partial<Settings>): string {
  const sent = replacement(row.id, row.attributes, changes);
  return callCommand(sent ?? call(getFilter, { filter_id: row.id }));
}

/** `t`: on or off. Spans that only a filter that is off would keep are lost, so the receipt says which it is now. */
export const toggleAction = action<FilterRow>({
  id: 'retention.toggle',
  key: 't',
  main: true,
  title: 'on or off',
  help: 'turn the filter on or off; one that is off keeps nothing',
  uses: [getFilter, updateFilter],
  enabled(row) {
    const may = mayChange(row);
    if (may !== true) return may;
    return row.attributes.enabled != null || 'whether it is on was not told: e says';
  },
  send: (row) => changing(row, { enabled: !row.attributes.enabled }),
  show: (row) => withSettings(row, { enabled: !row.attributes.enabled }),
  truth: (row, answer) => told(withSettings(row, { enabled: !row.attributes.enabled }), answer),
  done(row, _, answer) {
    const asked = !row.attributes.enabled;
    const now = (answer as Answer | undefined)?.data?.attributes?.enabled ?? asked;
    const word = now ? 'on' : 'off';
    return now === asked ? `${nameOf(row)} is ${word}` : `asked otherwise, but ${nameOf(row)} is still ${word}`;
  },
  undo: (before, _, answer) => wayBack(before, { enabled: !before.attributes.enabled }, answer),
  command: (row) => commandOf(row, { enabled: !row.attributes.enabled }),
});

/** `n`: a filter of the only type that can be created; it comes last. */
export const newAction = action({
  id: 'retention.new',
  key: 'n',
  on: 'list',
  title: 'new',
  help: 'a new filter; it comes last in the order, J and K move it',
  uses: [createFilter, listFilters, deleteFilter],
  form: (_: FilterRow | undefined) => fieldsOf({ rate: 1, traceRate: 0 }, false),
  send: (_, values) => creating(values),
  made: (answer) => idIn(answer),
  done(_, values, answer) {
    const it = (answer as Answer | undefined)?.data?.attributes;
    const kept = it?.enabled === false ? 'off' : `keeps ${percent(Number(it?.rate ?? values.rate))} of its spans`;
    return `created ${it?.name ?? values.name}, last in the order; it ${it?.enabled === false ? 'is ' : ''}${kept}`;
  },
  undo(_, __, answer) {
    const id = idIn(answer);
    return id === undefined ? [] : [call(deleteFilter, { filter_id: id })];
  },
  command: (_, values) => callCommand(createCall(values)),
});

function idIn(answer: unknown): string | undefined {
  const id = (answer as Answer | undefined)?.data?.id;
  return id == null ? undefined : String(id);
}

function createCall(it: Partial<Settings>) {
  const { name = '', query = '*', enabled = true, rate = 1, traceRate } = it;
  return call(createFilter, {
    body: {
      data: {
        type: 'apm_retention_filter',
        attributes: {
          name,
          enabled,
          filter: { query },
          filter_type: ordinary,
          rate,
          ...(traceRate === undefined ? {} : { trace_rate: traceRate }),
        },
      },
    },
  });
}

/** Another change at the same time refuses a new filter: it is tried once more after a look (contract, 4). */
function* creating(values: Partial<Settings>): Plan<Result<unknown>> {
  const first = yield* ask(createCall(values));
  if (first.ok || first.problem.kind !== 'conflict') return first;
  const look = yield* ask(call(listFilters));
  if (!look.ok) return first;
  return yield* ask(createCall(values));
}

/** `d`: gone for good, so the name is typed. */
export const deleteAction = action<FilterRow>({
  id: 'retention.delete',
  key: 'd',
  title: 'delete',
  help: 'delete the filter; spans that only it kept are no longer kept',
  uses: [deleteFilter],
  enabled(row) {
    if (isBuiltIn(row)) return 'built in: it cannot be deleted, t turns it off';
    return mayChange(row);
  },
  confirm(rows) {
    const [row] = rows;
    const single = rows.length === 1 && row;
    return {
      question: single ? `delete retention filter ${nameOf(row)}?` : `delete ${rows.length} retention filters?`,
      details: [
        ...(single
          ? [`${row.attributes.filter?.query ?? ''} · ${percent(settingsOf(row).rate)} of its spans are kept now`]
          : []),
        'spans that nothing else keeps are lost from then on',
        'it cannot be brought back: a new one comes last in the order',
      ],
      destructive: true,
      typed: single ? typedName(row) : String(rows.length),
    };
  },
  send: (row) => call(deleteFilter, { filter_id: row.id }),
  removes: true,
  done: (row) => `deleted ${nameOf(row)}`,
  command: (row) => callCommand(call(deleteFilter, { filter_id: row.id })),
});

/** What has to be typed: the name where a keyboard has it, else the id. */
function typedName(row: FilterRow): string {
  const name = row.attributes.name ?? '';
  return name.trim() === name && /^[\x20-\x7e]{1,60}$/.test(name) ? name : row.id;
}
