import { ask, type Call, call, type Plan } from '../../../src/api/endpoint.ts';
import type { Monitor, MonitorEdit } from '../../../src/api/monitor-schema.ts';
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  validateExistingMonitor,
  validateMonitor,
} from '../../../src/api/monitors.ts';
import { type Problem, problemResult, type Result } from '../../../src/api/problem.ts';
import { unappliedMembers } from '../../../src/api/read-back.ts';
import { listRoles } from '../../../src/api/roles.ts';
import { action } from '../../../src/describe/action.ts';
import type { Context, Single } from '../../../src/describe/context.ts';
import { namePart, receipt } from '../../../src/describe/receipt.ts';
import { noResult } from '../../../src/describe/setting.ts';
import { firstThree } from '../../../src/lib/text.ts';
import { at, idIn, isSameJson, isUuid, present, toldMembers, without } from '../../../src/lib/values.ts';
import { arrayOrEmpty, isReadable, type MonitorRow, otherMonitor, toId, toObject } from '../row.ts';
import { type DefinitionValues, defined, type Opened } from './form.ts';
import { type Definition, readOptions, type Stored, sentOptions, storedKind } from './setting.ts';
import { unknownObjective } from './templates.ts';

/** Members of a definition that an edit may send. */
const sentMembers = [
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

/** Members that the service sets: never sent, and not copied. */
export const serviceMembers = [
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

/** Members that a copy loses: `restriction_policy`, and unknown ones. */
export const uncopied = (definition: Definition): readonly string[] =>
  Object.keys(definition).filter(
    (name) => definition[name] != null && !serviceMembers.includes(name) && !sentMembers.some((one) => one === name),
  );

/** The places that could not be read and that a body would lack. */
export const lostPlaces = (unread: readonly string[]): readonly string[] =>
  unread.filter((place) => sentMembers.some((name) => name === /^[^.[:]*/.exec(place)?.[0]));

/** The body of a create: the sendable members that are not null. */
export function newBody(definition: Definition): MonitorEdit {
  const { options: _, ...body } = toldMembers(definition, sentMembers);
  const options = sentOptions(definition);
  return Object.keys(options).length === 0 ? body : { ...body, options };
}

/** A stored definition with these members in place of its own, but for those that only the service sets, and its mutes. */
export const replacedDefinition = (stored: Definition, wanted: Definition): Definition => ({
  ...without(stored, sentMembers),
  ...wanted,
  options: { ...readOptions(wanted), ...present({ silenced: readOptions(stored).silenced }) },
});

/** The body that a form creates; a definition typed as JSON is sent as typed. */
export function createdBody(opened: Opened, values: DefinitionValues): MonitorEdit {
  const wanted = defined(opened, values);
  return opened.kind.whole ? wanted : newBody(wanted);
}

/** The body of an update: the members that differ, null for those that are gone; options as a whole, which the service replaces. */
export function changedBody(before: Definition, wanted: Definition): MonitorEdit {
  const names = sentMembers.filter((name) => name !== 'options' && !isSameJson(before[name], wanted[name]));
  const body = Object.fromEntries(names.map((name) => [name, wanted[name] ?? null]));
  return isSameJson(readOptions(before), readOptions(wanted)) ? body : { ...body, options: sentOptions(wanted) };
}

/** Why the service would not accept a definition; undefined: it does, or it does not say. */
export function* validationProblem(validation: Call, context: Context): Plan<Result<never> | undefined> {
  if (!context.offered(validation.endpoint.id)) return undefined;
  const verdict = yield* ask(validation);
  if (verdict.ok) return undefined;
  // These problems say nothing about the definition.
  return ['notOffered', 'forbidden', 'notFound', 'unreadable'].includes(verdict.problem.kind) ? undefined : verdict;
}

/**
 * A 403 for a log monitor with a scoped key, explained: such keys may not write log monitors
 * (docs/contract/conventions.md#authentication).
 */
export function explainScopedKey(problem: Problem, type: unknown): Problem {
  if (problem.kind !== 'forbidden' || type !== 'log alert' || !problem.messages.some((text) => /scoped/i.test(text)))
    return problem;
  return { ...problem, text: `log monitors need an application key without scopes: ${problem.messages.join(', ')}` };
}

/** The first role that the organization does not have, as a problem: the service may take an id of any shape, and then nobody may edit. */
export function* unknownRoleProblem(roles: unknown): Plan<Result<never> | undefined> {
  for (const entry of arrayOrEmpty(roles)) {
    const role = toId(entry) ?? '';
    const query = { [isUuid(role) ? 'filter[id]' : 'filter']: role };
    const found = yield* ask(call(listRoles, { query }));
    // Keys that may not read roles know nothing of them.
    if (!found.ok || arrayOrEmpty(found.value?.data).some((one) => idIn(one) === role)) continue;
    return problemResult('invalid', `only these roles: no role has the ID ${role}`, { fields: ['restricted_roles'] });
  }
  return undefined;
}

/** Creates a monitor, after its roles and its definition were checked. */
export function* createChecked(opened: Opened, values: DefinitionValues, context: Context): Plan<Result<Monitor>> {
  const body = createdBody(opened, values);
  if (body.query?.includes(unknownObjective))
    return problemResult('invalid', `Query: put the ID of your SLO in place of ${unknownObjective}: ${body.query}`, {
      fields: ['query'],
    });
  const refused =
    (yield* unknownRoleProblem(body.restricted_roles)) ??
    (yield* validationProblem(call(validateMonitor, { body }), context));
  const made = refused ?? (yield* ask(call(createMonitor, { body })));
  return made.ok ? made : { ok: false, problem: explainScopedKey(made.problem, body.type) };
}

/** The undo of a create: the monitor is deleted. */
export function undoCreate(monitor: Monitor): readonly Call[] {
  const id = toId(monitor.id);
  return id === undefined ? [] : [call(deleteMonitor, { monitor_id: id })];
}

/** The whole definition of a monitor, as it is now. */
function* readStored(id: string): Plan<Result<Stored>> {
  const got = yield* ask(call(getMonitor, { monitor_id: id, query: { with_assets: true } }));
  if (!got.ok) return got;
  const attributes = toObject(got.value);
  if (toId(attributes.id) !== id) return otherMonitor(id);
  return { ...got, value: { id, place: 0, attributes, unread: got.unread } };
}

/** What a form reads before it opens: the whole definition, which is in `context.known` then. */
export const storedDefinition = (row: MonitorRow): Single<Stored> => ({
  key: `definition ${row.id}`,
  of: ['monitor'],
  plan: () => readStored(row.id),
});

/** The definition of a monitor; a problem where a part of it could not be read, because without that it would be another one. */
export function* readDefinition(id: string, done: 'copied' | 'checked' | 'kept'): Plan<Result<Stored>> {
  const got = yield* readStored(id);
  if (!got.ok) return got;
  const lost = lostPlaces(got.value.unread);
  return lost.length === 0
    ? got
    : problemResult('unreadable', `not ${done}: ${lost.slice(0, 2).join('; ')}`, { fields: lost });
}

/** What the form of a stored monitor opens with. */
export const openDefinition = ({ attributes }: Stored, rows: readonly MonitorRow[]): Opened => ({
  kind: storedKind(String(attributes.type ?? ''), String(attributes.query ?? '')),
  base: attributes,
  rows,
});

/** Validates the stored definition; nothing is changed (docs/contract/monitors.md#validate). */
function* checking(row: MonitorRow): Plan<Result<unknown>> {
  const got = yield* readDefinition(row.id, 'checked');
  if (!got.ok) return got;
  return yield* ask(call(validateExistingMonitor, { monitor_id: row.id, body: newBody(got.value.attributes) }));
}

/** Asks whether the service still accepts the stored definition, which may be older than its rules. */
export const checkAction = action<MonitorRow>({
  id: 'monitors.check',
  title: 'check',
  help: 'Ask whether the stored monitor is valid; edits nothing',
  uses: [getMonitor, validateExistingMonitor],
  enabled: isReadable,
  send: checking,
  done: (row) => receipt`Valid: the service accepts ${namePart(row.name)} as it is`,
});

/**
 * Error messages of the service and the form field of each (docs/contract/monitors.md#edit,
 * docs/contract/monitor-queries.md, docs/contract/monitors.md#errors).
 */
const errorFields: readonly (readonly [RegExp, string])[] = [
  [/warning recovery/i, 'warning_recovery'],
  [/alert recovery|critical_recovery/i, 'critical_recovery'],
  [/alert and warning|warning threshold/i, 'warning'],
  [/last field should be larger/i, 'query'],
  [/a grouping must be specified/i, 'query'],
  [/evaluation_window/i, 'query'],
  [/alert window query arg/i, 'trigger_window'],
  [/some monitor ids are invalid/i, 'query'],
  [/invalid monitor option: (\w+)/i, '$1'],
  [/parameter 'options\.(\w+)/i, '$1'],
  [/parameter '(\w+)'/i, '$1'],
  [/alert threshold|non-numeric threshold|alert status is required/i, 'query'],
  [/duplicate of an existing monitor/i, 'name'],
  [/\bquery\b/i, 'query'],
];

/** The name of the form field that a problem is about; undefined where it names none. */
export function problemField(problem: Problem): string | undefined {
  if (problem.kind !== 'invalid' && problem.kind !== 'conflict') return undefined;
  const [path] = problem.fields ?? [];
  // Of a problem of ours: the path of a setting ends in the name of its field.
  if (path !== undefined) return path.split('.').at(-1);
  const texts = problem.messages.length > 0 ? problem.messages : [problem.text];
  for (const text of texts)
    for (const [pattern, field] of errorFields) {
      const found = pattern.exec(text);
      if (found) return field === '$1' ? found[1] : field;
    }
  return undefined;
}

/**
 * What a receipt adds about members that the answer has with another value than was sent, such as `; not as sent: name`;
 * empty where there are none. An option that is in `base` as it was sent was not changed by this edit, so another one did:
 * `; not as it was: timeout h`.
 */
export function unappliedText(sent: Definition, answer: Definition | undefined, base: Definition = {}): string {
  if (!answer || toId(answer.id) === undefined) return noResult;
  // Of a member that the answer leaves out nothing is known.
  const names = unappliedMembers(sent, answer).filter((name) => (name.split('.')[0] ?? '') in answer);
  const isUnchanged = (name: string) => name.includes('.') && isSameJson(at(sent, name), at(base, name));
  return (
    listed(
      'not as sent',
      names.filter((name) => !isUnchanged(name)),
    ) + listed('not as it was', names.filter(isUnchanged))
  );
}

function listed(title: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  return `; ${title}: ${firstThree(names.map((name) => name.replace('options.', '').replaceAll('_', ' ')))}`;
}
