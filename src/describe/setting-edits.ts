import { ask, type Call, type Endpoint, type Plan } from '../api/endpoint.ts';
import { missingMembers, wronglyNull } from '../api/envelope.ts';
import { type Problem, problemResult, type Result, toResult } from '../api/problem.ts';
import { stringifyExact } from '../lib/json.ts';
import { shortened } from '../lib/text.ts';
import {
  at,
  canonicalJson,
  isObject,
  isSameJson,
  type JsonObject,
  merge,
  put,
  sortedList,
  without,
} from '../lib/values.ts';
import type { Action, Head, ShellCommand } from './action.ts';
import { type Context, memberName, type Single, type VocabularyContext, valueInWords } from './context.ts';
import type { Fields } from './field.ts';
import { namePart, type Receipt, receipt, warning } from './receipt.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';
import {
  changesOnly,
  differenceText,
  rowAfter,
  type SettingTable,
  type SettingValues,
  settingFields,
  settingValue,
  withValues,
} from './setting.ts';
import { type Making, making } from './standard-actions.ts';

/** Longest text of the value that somebody else has set, in characters. */
const longest = 200;

/** Paths of lists whose order means nothing. */
const setsIn = <R>(settings: SettingTable<R>): ReadonlySet<string> =>
  new Set(Object.values(settings).flatMap(({ path, isSet }) => (isSet && path !== undefined ? [path] : [])));

/**
 * What becomes of every edit that meets another one: a three-way merge. What somebody else has changed since the row was
 * read stays; where both changed the same setting to something else, nothing is sent.
 */
export function mergeEdit<R extends Resource>(
  { kind, settings }: { readonly kind: ResourceKind<R>; readonly settings: SettingTable<R> },
  before: R,
  wanted: JsonObject,
  now: R,
  context: VocabularyContext,
): Result<JsonObject> {
  const { value, conflicts } = merge(
    before.attributes as JsonObject,
    wanted,
    now.attributes as JsonObject,
    setsIn(settings),
  );
  const [path] = conflicts;
  if (path === undefined) return toResult(value);
  const setting = Object.values(settings).find((one) => one.path !== undefined && overlaps(one.path, path));
  const names = path.split('.').map((name) => memberName(name, context));
  const label = setting?.label ?? names.join(' ').replaceAll('_', ' ');
  const spoken = kind.inWords(now, context).attributes;
  const theirValue = valueInWords(now.attributes, spoken, setting?.path ?? path) ?? null;
  const theirs = shortened(stringifyExact(theirValue), longest);
  const text = `not sent: someone else changed the ${label} of ${kind.nameOf(now)} to ${theirs}`;
  return problemResult('conflict', text, { fields: [path] });
}

const overlaps = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** The refusal of an edit that would lose what could not be read: all of it in a replacement but for the service's `own`, else the members sent. */
export function unreadRefusal<R extends Resource>(
  kind: ResourceKind<R>,
  { unread }: R,
  members: readonly string[] | 'all',
  own: readonly string[] = [],
): Result<never> | undefined {
  const parts = unread.filter((place) =>
    members === 'all' ? !own.includes(memberOf(place)) : members.includes(memberOf(place)),
  );
  if (parts.length === 0) return undefined;
  const what = members === 'all' ? `the whole ${kind.short}` : `the whole of ${memberOf(parts[0] ?? '')}`;
  const text = `not sent: an edit replaces ${what}, and parts of it could not be read: ${parts.slice(0, 2).join('; ')}`;
  return problemResult('unreadable', text, { fields: parts });
}

/** Reads a row to create it again later: what could not be read of it would be lost. `own`: members that the service maintains. */
export function* readToRestore<R extends Resource>(
  kind: ResourceKind<R>,
  row: R,
  own: readonly string[] = [],
): Plan<Result<R>> {
  const now = yield* kind.fresh(row);
  const lost = now.ok ? now.value.unread.filter((place) => !own.includes(memberOf(place))) : [];
  return lost.length === 0 ? now : problemResult('unreadable', lost.slice(0, 2).join('; '));
}

/** `options` of `data.attributes.options.thresholds: expected a number`. */
const memberOf = (place: string): string =>
  /^(?:(?:data|(?:data)?\[\d+\])\.)?(?:attributes\.|relationships\.)?([^.:[\s]+)/.exec(place)?.[1] ?? place;

/**
 * Edits made from a table of settings. From the table come the form, the difference, the row until the service answers, the
 * request, the conflict policy, the receipt, undo and the command.
 *
 * ```ts
 * const setting = defineSettings(filters);
 * const settings = {
 *   name: setting('name', 'name', (now) => textField('name', now, { required: true })),
 *   rate: setting('span rate', 'rate', (now) => rateField(now)),
 * };
 * const edits = editing({
 *   kind: filters, settings, uses: [updateFilter],
 *   replace: (id, attributes: Sent) => call(updateFilter, { filter_id: id, body: { data: { id, type, attributes } } }),
 * });
 * export const editAction = edits.edit({ id: 'retention.edit', help: 'name and rate; the difference is shown first' });
 * export const toggleAction = edits.to((row) => ({ enabled: !row.attributes.enabled }), { id: 'retention.toggle', key: 't', … });
 * export const newAction = edits.make({ id: 'retention.create', help: 'a new filter', uses: [createFilter], create: (attributes: New) => call(…) });
 * ```
 *
 * Every option of an action may be given beside `id` and `help` and takes the place of the derived one: `done`, `send`,
 * `confirm`, `needs`.
 */
interface SettingEdits<R extends Resource, S extends SettingTable<R>, Sent> {
  readonly kind: ResourceKind<R>;
  readonly settings: S;
  /** Operations of `replace` or `patch`. */
  readonly uses: readonly Endpoint[];
  /** The call that replaces all attributes; or `patch`. What the body must have and lacks is refused before it is sent. */
  replace?(id: string, attributes: Sent, row: R): Call;
  /**
   * The call that sends the members of the attributes that differ, each as a whole; null takes one away. `row` is as it is
   * just before. Undefined: nothing of it can be sent, such as the way back from something that stays.
   */
  patch?(id: string, changes: Sent, row: R): Call | undefined;
  /** Sends the call; override to retry while another write is in progress. Sent once when absent. */
  sends?(sent: Call): Plan<Result<unknown>>;
  /** Members that the service maintains: read, never sent. */
  readonly own?: readonly string[];
  /** Members that can be sent and are no settings, each with its reason. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** What settings make of each other, after their values were laid over the attributes; `before` is undefined for a new one. */
  tidy?(attributes: R['attributes'], values: SettingValues<S>, before: R['attributes'] | undefined): R['attributes'];
  /**
   * Asked before it is sent, about the row as it would be and the row as it is: a refusal ends the edit. Undefined: nothing
   * speaks against it.
   */
  asks?(asked: R, context: Context, before: R): Plan<Result<unknown> | undefined>;
  /** Read before the form opens: the form is about that row, and what others change later is told from what it shows. */
  whole?(row: R): Single<R>;
  /** What an edit ends or loses besides, in sentences: with one, its question is asked before it is sent. */
  warns?(row: R, values: SettingValues<S>): readonly string[];
  /** Why a row cannot be edited. */
  enabled?(row: R, context: Context): true | string;
  /** What follows in the receipt of an edit: `; it is UNKNOWN until the next write`. */
  says?(row: R): string;
  /** The answers of its edits and creates do not tell the row, so it is read again. */
  readonly rereads?: boolean;
}

/** The answer of an edit. */
export interface EditedRow<R> {
  /** The row just before it was sent. */
  readonly before: R;
  /** The row as it was asked for. */
  readonly asked: R;
  /** The row as the service tells it; undefined where it does not. */
  readonly now: R | undefined;
}

interface Edits<R extends Resource, S extends SettingTable<R>> {
  /** `e`: a form of the settings whose difference is shown before it is sent. */
  edit(head: Head<R, SettingValues<S>, EditedRow<R>>): Action<R, SettingValues<S>, EditedRow<R>>;
  /** An edit to values that follow from the row, without a form: on or off. */
  to(
    values: (row: R) => SettingValues<S>,
    head: Head<R, Record<string, never>, EditedRow<R>> & Pick<Action<R>, 'key' | 'title'>,
  ): Action<R, Record<string, never>, EditedRow<R>>;
  /** `n`: a form of the same settings that creates one. */
  make: Making<R, S>;
  /** What undo compares to see whether a row has changed since: each setting in one spelling. */
  comparable(row: R): Readonly<Record<string, string>>;
}

/** Declares the edits of a kind. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its parts share the types of row, table and body, which each would declare anew
export function editing<R extends Resource, const S extends SettingTable<R>, Sent>(
  spec: SettingEdits<R, S, Sent>,
): Edits<R, S> {
  const { kind, settings } = spec;
  type V = SettingValues<S>;
  const named = Object.entries(settings).filter(([, setting]) => setting.path !== undefined && !setting.writeOnly);

  const tidied = (attributes: JsonObject, values: V, before: object | undefined): JsonObject =>
    (spec.tidy ? spec.tidy(attributes, values, before) : attributes) as JsonObject;
  const wanted = (row: R, values: V): JsonObject =>
    tidied(withValues(settings, row.attributes, values), values, row.attributes);
  const unchanged = (attributes: JsonObject): JsonObject => tidied(attributes, {}, attributes);
  const asking = (row: R, attributes: JsonObject): R => ({ ...row, attributes });
  /** The row under the id that the service will know it by. */
  const identified = (row: R): R => ({ ...row, id: kind.identity?.(row.attributes) || row.id });

  // `Sent` is what the schema of the body takes: `missingMembers` has looked, or the service refuses the rest by itself.
  const replacement = (row: R, attributes: JsonObject): Call | undefined =>
    spec.replace?.(row.id, without(attributes, spec.own ?? []) as Sent, row);
  const patching = (row: R, changes: JsonObject): Call | undefined => spec.patch?.(row.id, changes as Sent, row);
  /** The row as its form showed it; as it is listed where there was none, or the form was another row's. */
  const seenBy = (row: R, { known }: Context): R => {
    const seen = spec.whole ? (known as R | undefined) : undefined;
    return seen?.id === row.id ? seen : row;
  };
  const isDifference = (name: string): boolean => settings[name]?.put !== undefined;
  const differences = (values: V) => Object.fromEntries(Object.entries(values).filter(([name]) => isDifference(name)));
  const others = (values: V): V => without(values, Object.keys(values).filter(isDifference)) as V;
  const secretsOf = (values: V): JsonObject => withValues(settings, {}, values, { writeOnly: true });

  /** The members that differ, each as a whole. */
  const changed = (before: JsonObject, after: JsonObject): JsonObject => {
    const names = Object.keys({ ...before, ...after }).filter((name) => !spec.own?.includes(name));
    const other = names.filter((name) => !isSameJson(before[name], after[name]));
    return Object.fromEntries(other.map((name) => [name, after[name] ?? null]));
  };

  const notSent = (row: R, problem: Problem): Result<never> => {
    if (problem.kind !== 'notFound') return { ok: false, problem };
    const text = `not sent: ${kind.nameOf(row)} no longer exists (${problem.text})`;
    return { ok: false, problem: { ...problem, text } };
  };

  function* sending(row: R, values: V, context: Context): Plan<Result<EditedRow<R>>> {
    const read = yield* kind.fresh(row);
    if (!read.ok) return notSent(row, read.problem);
    const before = read.value;
    const seen = seenBy(row, context);
    const carried = mergeEdit(spec, seen, wanted(seen, others(values)), before, context);
    if (!carried.ok) return carried;
    const merged = withValues(settings, carried.value, differences(values));
    const requested = identified(asking(before, tidied(merged, values, before.attributes)));
    const changes = {
      ...changed(before.attributes as JsonObject, requested.attributes as JsonObject),
      ...secretsOf(values),
    };
    if (!spec.replace && Object.keys(changes).length === 0)
      return problemResult('conflict', 'not sent: nothing would change');
    const sent =
      replacement(before, { ...(requested.attributes as JsonObject), ...secretsOf(values) }) ??
      patching(before, changes);
    if (!sent) return problemResult('invalid', `no operation edits ${kind.noun}s`);
    const lost = refuseLoss(spec, before, sent, Object.keys(changes));
    if (lost) return lost;
    const refused = spec.asks ? yield* spec.asks(requested, context, before) : undefined;
    if (refused?.ok === false) return refused;
    const answer = yield* (spec.sends ?? ask)({ ...sent, before });
    if (!answer.ok) return answer;
    const now = yield* rowAfter(spec, answer.value, requested);
    return { ...answer, value: { before, asked: requested, now } };
  }

  /** Whether the edit changes a setting whose previous value is unknown. */
  const setsUnknown = (before: R, after: object): boolean =>
    named.some(([, { path = '', unknownUntold }]) => {
      const was = at(before.attributes, path);
      return unknownUntold === true && was === undefined && !isSameJson(was, at(after, path));
    });

  /** Everything back that the edit changed; what the service tells besides stays. */
  const undoCalls = ({ before, asked, now = asked }: EditedRow<R>): readonly Call[] => {
    const from = asked.attributes as JsonObject;
    if (setsUnknown(before, from)) return [];
    const ours = untoldFilled(named, before.attributes as JsonObject, from);
    if (isSameJson(from, ours)) return [];
    const merged = unchanged(merge(from, ours, now.attributes as JsonObject, setsIn(settings)).value);
    const call = replacement(now, merged) ?? patching(now, changed(now.attributes as JsonObject, merged));
    if (!call || missingMembers(call).length > 0) return [];
    // What cannot be taken away again is not taken back.
    return spec.patch && wronglyNull(call).length > 0 ? [] : [call];
  };

  const saved = ({ before, asked, now }: EditedRow<R>, context: Context): Receipt => {
    const difference = differenceText(spec, before, asked, now, context);
    const after = now ?? asked;
    const old = kind.nameOf(before);
    const was = old === kind.nameOf(after) ? '' : receipt` (was ${namePart(old)})`;
    const said = receipt`Saved ${namePart(kind.nameOf(after))}${was}${difference}${spec.says?.(after) ?? ''}`;
    return difference === '' ? said : warning(said);
  };

  const shared = {
    uses: [...(kind.get ? [kind.get('').endpoint] : []), ...spec.uses],
    ...(spec.enabled && { enabled: spec.enabled }),
    truth: (row: R, { asked, now = asked }: EditedRow<R>): R => ({ ...row, ...now, place: row.place }),
    done: (_: R, __: unknown, answer: EditedRow<R>, context: Context) => saved(answer, context),
    undo: (_: R, __: unknown, answer: EditedRow<R>) => undoCalls(answer),
  };
  const commandOf = (row: R, values: V, context?: Context): ShellCommand => {
    const now = context ? seenBy(row, context) : row;
    const next = { ...wanted(now, values), ...secretsOf(values) };
    const call = replacement(now, next) ?? patching(now, changed(now.attributes as JsonObject, next));
    return call ?? '';
  };

  return {
    edit: (head) => ({
      key: 'e',
      title: 'edit',
      ...(head.title === undefined && { noun: kind.noun }),
      main: true,
      bulk: false,
      reviews: true,
      settings,
      ...(spec.fixed && { fixed: spec.fixed }),
      ...shared,
      ...(spec.whole && { needs: spec.whole }),
      form: (row, context, now: R = row): Fields => changesOnly(settingFields(settings, now.attributes, now, context)),
      confirm([row], values) {
        const details = row ? (spec.warns?.(row, values) ?? []) : [];
        const secret = Object.entries(settings).find(([name, one]) => one.writeOnly && values[name as keyof V] != null);
        if (secret) {
          const question = `Save? The old ${secret[1].label} cannot be restored: the service never shows it.`;
          return { question, details };
        }
        const call = row && replacement(row, unchanged(row.attributes as JsonObject));
        const isLacking = call !== undefined && missingMembers(call).length > 0;
        if (row && (isLacking || setsUnknown(row, wanted(row, values)))) {
          const question = `Save? The service did not send all of ${kind.nameOf(row)}, so this cannot be undone.`;
          return { question, details };
        }
        return row && details.length > 0 ? { question: `Save ${kind.nameOf(row)}? u undoes it.`, details } : undefined;
      },
      ...(kind.identity && {
        made: ({ before, asked, now }: EditedRow<R>) =>
          now && asked.id !== before.id ? { id: now.id, name: kind.nameOf(now) } : undefined,
      }),
      send: sending,
      show: (row, values) => asking(row, wanted(row, values)),
      command: commandOf,
      ...head,
    }),
    to: (values, head) => ({
      main: true,
      ...shared,
      send: (row, _, context) => sending(row, values(row), context),
      show: (row) => asking(row, wanted(row, values(row))),
      command: (row) => commandOf(row, values(row)),
      ...head,
    }),
    make: making({ kind, settings, tidied, ...(spec.rereads && { rereads: true }) }),
    comparable: (row) => Object.fromEntries(named.map(([name, setting]) => [name, spelledAs(setting, row.attributes)])),
  };
}

/** Refuses an edit that would send members that could not be read, or lack some that it must repeat. */
function refuseLoss<R extends Resource>(
  spec: Pick<SettingEdits<R, SettingTable<R>, never>, 'kind' | 'replace' | 'own'>,
  before: R,
  sent: Call,
  changed: readonly string[],
): Result<never> | undefined {
  const members = spec.replace ? 'all' : [...changed, ...membersOf(sent)];
  const lost = unreadRefusal(spec.kind, before, members, spec.own);
  const missing = missingMembers(sent);
  if (lost || missing.length === 0) return lost;
  const text = `not sent: an edit must repeat members that the service did not send: ${missing.slice(0, 2).join(', ')}`;
  return problemResult('unreadable', text, { fields: missing });
}

/** Names of the attributes that a call sends. */
function membersOf({ body }: Call): readonly string[] {
  const attributes = at(body, 'data.attributes') ?? body;
  return isObject(attributes) ? Object.keys(attributes) : [];
}

/** One spelling of what a setting is: of a list whose order means nothing, the same in any order. */
function spelledAs<R>(setting: SettingTable<R>[string], attributes: object): string {
  const value = settingValue(setting, attributes);
  return canonicalJson(setting.isSet ? sortedList(value) : value);
}

/** The previous attributes, with `untold` values for changed settings that were absent. */
function untoldFilled<R>(
  named: readonly (readonly [string, SettingTable<R>[string]])[],
  before: JsonObject,
  after: JsonObject,
): JsonObject {
  return named.reduce((filled, [, { path = '', untold, omit }]) => {
    const isTold = at(before, path) != null || isSameJson(at(before, path), at(after, path));
    return isTold || untold == null || omit === 'always' ? filled : put(filled, path, untold);
  }, before);
}
