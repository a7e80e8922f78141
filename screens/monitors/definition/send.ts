import { type Call, call } from '../../../src/api/endpoint.ts';
import type { MonitorEdit } from '../../../src/api/monitor.ts';
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  updateMonitor,
  validateExistingMonitor,
  validateMonitor,
} from '../../../src/api/monitors.ts';
import { ask, type Plan } from '../../../src/api/plan.ts';
import { type Problem, type Result, refusal } from '../../../src/api/problem.ts';
import type { Context } from '../../../src/describe/context.ts';
import type { Single } from '../../../src/describe/screen.ts';
import { stringifyExact } from '../../../src/lib/json.ts';
import { idOf, keptFor, type MonitorRow, objectOf } from '../row.ts';
import { type Definition, isSame, optionsOf, sentOptions } from './definition.ts';
import { defined, type Opened, type Values } from './form.ts';
import { storedKind } from './kinds.ts';

/** Members that a person decides on: the service keeps the others itself. */
const written = [
  'type',
  'name',
  'query',
  'message',
  'tags',
  'priority',
  'options',
  'restricted_roles',
  'draft_status',
  'assets',
] as const;

/** Members that the service keeps by itself: a copy has its own. */
const kept = [
  'id',
  'org_id',
  'multi',
  'overall_state',
  'overall_state_modified',
  'state',
  'matching_downtimes',
  'creator',
  'created',
  'created_at',
  'modified',
  'deleted',
];

/** Members of a definition that a copy does not carry: `restriction_policy`, and what nobody here knows. */
export const uncopied = (it: Definition): readonly string[] =>
  Object.keys(it).filter((name) => it[name] != null && !kept.includes(name) && !written.some((one) => one === name));

/** The places of those that could not be read which a body with these members would lose. */
export const lostIn = (unread: readonly string[], names: readonly string[] = written): readonly string[] =>
  unread.filter((place) => names.includes(/^[^.[:]*/.exec(place)?.[0] ?? ''));

/** What a create sends: what is written and not null. */
export function newBody(it: Definition): MonitorEdit {
  const sent = written.flatMap((name) => (it[name] == null ? [] : [[name, it[name]] as const]));
  const options = sentOptions(it);
  const body = Object.fromEntries(sent.filter(([name]) => name !== 'options'));
  return Object.keys(options).length === 0 ? body : { ...body, options };
}

/** What a form's create sends: a definition in JSON as it was typed, else what is written of it. */
export function createdBody(opened: Opened, values: Values): MonitorEdit {
  const it = defined(opened, values);
  return opened.kind.whole ? it : newBody(it);
}

/** What an update sends: the members that differ. Options go as a whole, because they are replaced as a whole. */
export function changedBody(before: Definition, wanted: Definition): MonitorEdit {
  const names = written.filter((name) => name !== 'options' && !isSame(before[name] ?? null, wanted[name] ?? null));
  const body = Object.fromEntries(names.map((name) => [name, wanted[name] ?? null]));
  return isSame(optionsOf(before), optionsOf(wanted)) ? body : { ...body, options: sentOptions(wanted) };
}

/** The refusal of a definition before anything is stored; undefined: the create or the update itself will tell. */
function* validated(asked: Call, context: Context): Plan<Result<unknown> | undefined> {
  if (!context.offered(asked.endpoint.id)) return undefined;
  const verdict = yield* ask(asked);
  if (verdict.ok) return undefined;
  // Not offered, not allowed, or gone: none of it says anything about the definition.
  return ['notOffered', 'forbidden', 'notFound', 'unreadable'].includes(verdict.problem.kind) ? undefined : verdict;
}

/** A log monitor that a scoped key may not write says so: its permission alone does not explain it (spec: Monitor). */
function toldClearly(problem: Problem, type: unknown): Problem {
  if (problem.kind !== 'forbidden' || type !== 'log alert' || !problem.said.some((it) => /scoped/i.test(it)))
    return problem;
  return { ...problem, text: `log monitors need an application key without scopes: ${problem.said.join(', ')}` };
}

/** Asks whether it may be so, then makes it. */
export function* creating(opened: Opened, values: Values, context: Context): Plan<Result<unknown>> {
  const body = createdBody(opened, values);
  const refused = yield* validated(call(validateMonitor, { body }), context);
  const made = refused ?? (yield* ask(call(createMonitor, { body })));
  return made.ok ? made : { ok: false, problem: toldClearly(made.problem, body.type) };
}

/** The way back of a create: it is ours and new. */
export function unmade(answer: unknown): readonly Call[] {
  const id = idOf(objectOf(answer).id);
  return id === undefined ? [] : [call(deleteMonitor, { monitor_id: id })];
}

/** A definition as it was read, and whether all of it could be. */
export interface Stored {
  readonly definition: Definition;
  /** Places that could not be read: a replacement would lose them. */
  readonly unread: readonly string[];
}

/** The whole definition of a monitor, as it is now. */
export function* readStored(id: string): Plan<Result<Stored>> {
  const got = yield* ask(call(getMonitor, { monitor_id: id, query: { with_assets: true } }));
  if (!got.ok) return got;
  const definition = objectOf(got.value);
  if (idOf(definition.id) === undefined)
    return refusal('unreadable', `the service answered something else than monitor ${id}`);
  return { ...got, value: { definition, unread: got.unread } };
}

/** The same, for a form that needs it: `context.known` is a `Stored`. */
export const stored = (row: MonitorRow): Single<Stored> => ({
  key: `definition ${row.id}`,
  of: ['monitor'],
  plan: () => readStored(row.id),
});

/** The definition of a monitor, refused where a part of it could not be read: `copied` or `checked`, it would be another. */
export function* readWhole(id: string, done: 'copied' | 'checked'): Plan<Result<Stored>> {
  const got = yield* readStored(id);
  if (!got.ok) return got;
  const lost = lostIn(got.value.unread);
  return lost.length === 0
    ? got
    : refusal('unreadable', `not ${done}: ${lost.slice(0, 2).join('; ')}`, { fields: lost });
}

/** What a stored monitor's form is made of. */
export const openedOf = ({ definition }: Stored, rows: readonly MonitorRow[]): Opened => ({
  kind: storedKind(String(definition.type ?? ''), String(definition.query ?? '')),
  base: definition,
  rows,
});

/** What both have changed meanwhile, differently: a member, or one of the options. */
function clash(opened: Definition, wanted: Definition, now: Definition): string | undefined {
  const between = (before: Definition, mine: Definition, theirs: Definition, names: readonly string[]) =>
    names.find(
      (name) =>
        !isSame(before[name] ?? null, mine[name] ?? null) &&
        !isSame(before[name] ?? null, theirs[name] ?? null) &&
        !isSame(mine[name] ?? null, theirs[name] ?? null),
    );
  const [before, mine, theirs] = [optionsOf(opened), optionsOf(wanted), optionsOf(now)];
  return (
    between(
      opened,
      wanted,
      now,
      written.filter((it) => it !== 'options'),
    ) ?? between(before, mine, theirs, Object.keys({ ...before, ...mine }))
  );
}

/** What is no more when it is read again was there when its form opened. */
const gone = (row: MonitorRow, problem: Problem): Problem =>
  problem.kind === 'notFound'
    ? { ...problem, text: `not sent: monitor ${row.id} is gone, somebody has deleted it meanwhile` }
    : problem;

/**
 * Reads the monitor as it is now, carries the changes over to it, asks whether it may be so, and sends them. What somebody
 * else has changed meanwhile stays; where both changed the same, nothing is sent.
 */
export function* changing(row: MonitorRow, opened: Opened, values: Values, context: Context): Plan<Result<unknown>> {
  const got = yield* readStored(row.id);
  if (!got.ok) return { ok: false, problem: gone(row, got.problem) };
  const now = got.value.definition;
  const other = clash(opened.base, defined(opened, values), now);
  if (other !== undefined) {
    const theirs = stringifyExact(now[other] ?? optionsOf(now)[other] ?? null).slice(0, 200);
    const text = `not sent: ${other.replaceAll('_', ' ')} was changed meanwhile, it is now ${theirs}; Esc, then e reads it again`;
    return refusal('conflict', text, { fields: [other] });
  }
  const wanted = defined(opened, values, now);
  const body = changedBody(now, wanted);
  if (Object.keys(body).length === 0) return refusal('conflict', 'not sent: it is so already');
  const { unread } = got.value;
  const lost = lostIn(unread, Object.keys(body));
  if (lost.length > 0)
    return refusal('unreadable', `not sent: this is replaced as a whole, and a part could not be read: ${lost[0]}`, {
      fields: lost,
    });
  // Without the parts that could not be read, it is not what would be stored.
  const refused =
    lostIn(unread).length > 0
      ? undefined
      : yield* validated(call(validateExistingMonitor, { monitor_id: row.id, body: newBody(wanted) }), context);
  const sent = refused ?? (yield* ask(call(updateMonitor, { monitor_id: row.id, body })));
  return sent.ok ? sent : { ok: false, problem: keptFor(row, toldClearly(sent.problem, now.type)) };
}

/**
 * Back to what was there before: the members that were changed, and of the options as the answer tells them those that
 * were changed.
 */
export function wayBack(id: string, opened: Opened, values: Values, answer: unknown): readonly Call[] {
  const wanted = defined(opened, values);
  const { options, ...members } = changedBody(opened.base, wanted);
  const back = Object.fromEntries(
    Object.keys(members).map((name) => [name, opened.base[name] ?? nothing[name] ?? null]),
  );
  const body = options === undefined ? back : { ...back, options: optionsBack(id, opened.base, wanted, answer) };
  return Object.keys(body).length === 0 ? [] : [call(updateMonitor, { monitor_id: id, body })];
}

/** What stands for a member that was not there: these cannot be null. */
const nothing: Definition = { name: '', message: '', tags: [], assets: [], draft_status: 'published' };

function optionsBack(id: string, base: Definition, wanted: Definition, answer: unknown): Definition {
  const [before, mine] = [optionsOf(base), optionsOf(wanted)];
  const it = objectOf(answer);
  // An answer about something else tells nothing of this one.
  const told = 'options' in it && idOf(it.id) === id ? sentOptions(it) : sentOptions(wanted);
  const changed = Object.keys({ ...before, ...mine }).filter((name) => !isSame(before[name], mine[name]));
  const kept = Object.entries(told).filter(([name]) => !changed.includes(name));
  const put = changed.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]] as const]));
  return Object.fromEntries([...kept, ...put]);
}
