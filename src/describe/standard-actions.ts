import { ask, type Call, type Endpoint, inside, type Plan } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import { capitalized, plural } from '../lib/text.ts';
import { type JsonObject, present } from '../lib/values.ts';
import { type Action, commandLine, type Head, type RestoreWords } from './action.ts';
import { type Context, whyUnavailable } from './context.ts';
import type { Fields } from './field.ts';
import { namePart, type Receipt, receipt, warning } from './receipt.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';
import {
  differenceText,
  rowAfter,
  type SettingTable,
  type SettingValues,
  settingFields,
  withValues,
} from './setting.ts';

/** The answer of a create. */
export interface Made<R> {
  /** As it was asked for; it has no id yet, unless its attributes make one. */
  readonly asked: R;
  /** The row of the response; undefined where it has none. */
  readonly now: R | undefined;
  /** Whether the identity existed before could not be read: the row may be older than this create. */
  readonly mayBeOlder?: boolean;
}

/** Options of a create. `From` is the row under the cursor: what is copied, or a template. */
type Creation<R extends Resource, S, New, From> = Head<From, SettingValues<S>, Made<R>> & {
  /** The call, or several in order whose last result tells the new row. */
  create(attributes: New, values: SettingValues<S>, from: From): Call | Plan<Result<unknown>>;
  /** Attributes that its form begins with. */
  readonly starts?: Partial<R['attributes']> | ((from: From, context: Context) => Partial<R['attributes']>);
  /**
   * Asked before it is sent, about the row as it would be: a refusal ends it. Undefined: nothing speaks against it; `unseen`:
   * nobody may look whether something has its identity, so undo removes nothing.
   */
  asks?(asked: R, context: Context): Plan<Result<unknown> | 'unseen' | undefined>;
  /** What the receipt says was done; `created` when absent. */
  readonly verb?: string;
  /** What follows in the receipt: `, last in the order`. */
  says?(row: R, values: SettingValues<S>): string | Receipt;
};

/** Declares a create from a table of settings: form, request, receipt, the row that was made, undo, command. */
export type Making<R extends Resource, S extends SettingTable<R>> = <New, From = R>(
  creation: Creation<R, S, New, From>,
) => Action<From, SettingValues<S>, Made<R>>;

/** Creates of a table; `editing` has one of its own table, a copy that asks for less has another. */
export function making<R extends Resource, const S extends SettingTable<R>>(spec: {
  readonly kind: ResourceKind<R>;
  readonly settings: S;
  tidied?(attributes: JsonObject, values: SettingValues<S>, before: undefined): JsonObject;
  /** The answer does not tell the row, so it is read again. */
  readonly rereads?: boolean;
}): Making<R, S> {
  const { kind, settings, tidied = (attributes: JsonObject) => attributes } = spec;
  return <New, From>({
    create,
    starts = {},
    says: describe,
    asks,
    verb = 'Created',
    ...head
  }: Creation<R, S, New, From>): Action<From, SettingValues<S>, Made<R>> => {
    /** The row that was made: as the service tells it, else under the id that its attributes make. */
    const madeIn = ({ asked, now }: Made<R>): R | undefined => now ?? (kind.identity && asked.id ? asked : undefined);
    const attributesOf = (values: SettingValues<S>): JsonObject =>
      tidied(withValues(settings, {}, values, { isNew: true }), values, undefined);
    const rowOf = (attributes: JsonObject): R =>
      ({ id: kind.identity?.(attributes) ?? '', place: 0, attributes, unread: [] }) as unknown as R;
    const sent = (values: SettingValues<S>, from: From) => {
      const secrets = withValues(settings, {}, values, { isNew: true, writeOnly: true });
      return create({ ...attributesOf(values), ...secrets } as New, values, from);
    };
    return {
      key: 'n',
      title: 'new',
      ...(head.title === undefined && { noun: kind.noun }),
      on: 'list',
      reviews: 'all',
      settings,
      form: (from, context): Fields =>
        settingFields<R>(settings, typeof starts === 'function' ? starts(from, context) : starts, undefined, context),
      *send(from, values, context): Plan<Result<Made<R>>> {
        const attributes = attributesOf(values);
        const requested = rowOf(attributes);
        const seen = asks ? yield* asks(requested, context) : undefined;
        const mayBeOlder = seen === 'unseen';
        if (typeof seen === 'object' && !seen.ok) return seen;
        const work = sent(values, from);
        const answer = 'endpoint' in work ? yield* ask(work) : yield* work;
        if (!answer.ok) return answer;
        const now = yield* rowAfter(spec, answer.value, requested);
        return { ...answer, value: { asked: requested, now, mayBeOlder } };
      },
      nameOfSubject: (values) => kind.nameOf(rowOf(attributesOf(values))),
      made(answer) {
        const row = madeIn(answer);
        return row && { id: row.id, name: kind.nameOf(row), ...present({ row: answer.now }) };
      },
      done(_, values, { asked, now, mayBeOlder }, context) {
        const row = now ?? asked;
        const differences = differenceText({ kind, settings }, undefined, asked, now, context);
        const older = mayBeOlder ? '; it may have existed before, so undo keeps it' : '';
        const text = receipt`${verb} ${namePart(kind.nameOf(row))}${describe?.(row, values) ?? ''}${differences}${older}`;
        return differences === '' && older === '' ? text : warning(text);
      },
      undo(_, __, made) {
        const row = made.mayBeOlder ? undefined : madeIn(made);
        return row && kind.remove ? [kind.remove(row.id, row)] : [];
      },
      command(from, values) {
        const work = sent(values, from);
        const first = 'endpoint' in work ? work : work.next().value;
        return 'endpoint' in first ? first : '';
      },
      ...head,
      uses: [...(head.uses ?? []), ...(kind.remove ? [kind.remove('').endpoint] : [])],
    };
  };
}

type Delete<R> = Action<R, Record<string, never>, unknown>;

/** How what was deleted is created again, from what is read just before. */
interface Restoring<R, D> extends RestoreWords {
  read(row: R, context: Context): Plan<Result<D>>;
  /** Why a row cannot be created again. */
  refuses?(row: R): string | undefined;
  /** The requests in order: those behind the first name it by the id that it had. None: it cannot be created again. */
  calls(definition: D): readonly Call[];
  /** The operations of both. */
  readonly uses: readonly Endpoint[];
}

/** What a restore does: `creates it again with a new ID, unmuted`. */
const againText = ({ starts }: RestoreWords): string =>
  `creates it again with a new ID${starts === undefined ? '' : `, ${starts}`}`;

/** Why nothing can be created again here: one of these operations may not be sent. */
const whyNoRestore = (uses: readonly Endpoint[], context: Context): string | undefined =>
  uses.map((endpoint) => whyUnavailable(endpoint, context)).find((why) => why !== undefined);

/** What a question says of the way back. `refused`: why a row cannot be created again. */
export function backText(
  words: RestoreWords,
  uses: readonly Endpoint[],
  refused: string | undefined,
  context: Context,
): string {
  const why = refused ?? whyNoRestore(uses, context);
  if (why !== undefined) return `Cannot be undone: ${why}`;
  return `Undo ${againText(words)}${words.lost.length > 0 ? `; lost: ${words.lost.join(', ')}` : ''}`;
}

const untilLines = (until: RestoreWords['until'], operations: readonly string[]): string[] =>
  until?.operations.some((one) => operations.includes(one)) ? [`It is ${until.says}`] : [];

/** What is said before something is created again by these requests. */
export const restoreDetails = (words: RestoreWords, operations: readonly string[]): string[] => [
  `${capitalized(againText(words))}, in ${plural(operations.length, 'request')}${operations.length > 1 ? ', each sent once' : ''}`,
  ...(words.lost.length > 0 ? [`Lost: ${words.lost.join(', ')}`] : []),
  ...untilLines(words.until, operations),
];

/** The requests of an undo that are left where others were applied. */
export const operationsLeft = (operations: readonly string[], begun: readonly string[]): readonly string[] =>
  begun.reduce((left, one) => (left.includes(one) ? left.toSpliced(left.indexOf(one), 1) : left), operations);

/** The same where these requests have begun: how many are left. */
export function restOfRestore(
  { until }: RestoreWords,
  operations: readonly string[],
  begun: readonly string[],
): string[] {
  const left = operationsLeft(operations, begun);
  const are = left.length === 1 ? 'is' : 'are';
  return [`Goes on creating it again: ${plural(left.length, 'request')} ${are} left`, ...untilLines(until, left)];
}

/**
 * Why a read of what undo needs stops a delete whose question promised an undo. A thing that is gone is left to the delete
 * itself. Undefined where nothing stops it.
 */
export function stopsDelete(
  read: Result<unknown>,
  remove: Call,
  uses: readonly Endpoint[],
  context: Context,
): { readonly ok: false; readonly problem: Problem } | undefined {
  if (read.ok || read.problem.kind === 'notFound' || whyNoRestore(uses, context) !== undefined) return undefined;
  const why = `what its undo needs could not be read: ${read.problem.text}`;
  const text = `nothing was sent: ${why}; to delete it without an undo: ${commandLine(remove, context)}`;
  return { ok: false, problem: { ...read.problem, text } };
}

/** Reads what is needed to create something again, deletes it, and answers with what was read; undefined where it cannot be read. */
export function* deletedAfter<R, D>(
  row: R,
  context: Context,
  remove: Call,
  { read, uses }: Pick<Restoring<R, D>, 'read' | 'uses'>,
  sends: (remove: Call) => Plan<Result<unknown>> = ask,
): Plan<Result<D | undefined>> {
  const definition = yield* inside(read(row, context));
  const stopped = stopsDelete(definition, remove, uses, context);
  if (stopped) return stopped;
  const gone = yield* sends(remove);
  return gone.ok ? { ...gone, value: definition.ok ? definition.value : undefined } : gone;
}

/** The name of a row behind its noun. What has no name is called by its kind already: `filter 4f2a` becomes `4f2a`. */
export function nameBehindNoun<R extends Resource>({ short, nameOf }: ResourceKind<R>, row: R): string {
  const name = nameOf(row);
  const id = name.startsWith(`${short} `) ? name.slice(short.length + 1) : '';
  return id !== '' && row.id.startsWith(id) ? id : name;
}

/** `d`: deletes after a question that requires the name typed (see `Confirm.typed`), or the count of several. */
export function deleting<R extends Resource, D = unknown>(spec: {
  readonly id: string;
  readonly kind: ResourceKind<R>;
  readonly help: string;
  /** What is lost, in sentences; `row` is undefined where several are to go. */
  details(row: R | undefined, rows: readonly R[], context: Context): readonly string[];
  /** Instead of the kind's noun and the name in the question: `delete groups = sre, which leads to …?` */
  question?(row: R): string;
  /** What has to be typed where that is not the name. */
  typed?(row: R): string;
  /** The receipt; `deleted` and the name when absent. */
  done?: Delete<R>['done'];
  enabled?: Delete<R>['enabled'];
  /** The way back; without it the delete cannot be undone, which `details` says. */
  readonly restore?: Restoring<R, D>;
}): Delete<R> {
  const { kind, restore } = spec;
  const remove = kind.remove;
  if (!remove) throw new Error(`${kind.noun}: its kind has no remove`);
  const wayBack = (words: Restoring<R, D>, rows: readonly R[], context: Context) =>
    backText(words, words.uses, rows.map((row) => words.refuses?.(row)).find(Boolean), context);
  const question = spec.question ?? ((row: R) => `Delete ${kind.noun} ${nameBehindNoun(kind, row)}?`);
  return {
    id: spec.id,
    key: 'd',
    title: 'delete',
    help: spec.help,
    uses: [remove('').endpoint, ...(restore?.uses ?? [])],
    removes: true,
    ...(spec.enabled && { enabled: spec.enabled }),
    confirm(rows, _, context) {
      const single = rows.length === 1 ? rows[0] : undefined;
      return {
        question: single ? question(single) : `Delete ${rows.length} ${kind.noun}s?`,
        details: [...spec.details(single, rows, context), ...(restore ? [wayBack(restore, rows, context)] : [])],
        destructive: true,
        typed: single ? (spec.typed?.(single) ?? nameBehindNoun(kind, single)) : String(rows.length),
      };
    },
    send: (row, _, context) =>
      restore ? deletedAfter(row, context, remove(row.id, row), restore) : remove(row.id, row),
    done: spec.done ?? ((row) => receipt`Deleted ${namePart(kind.nameOf(row))}`),
    ...(restore && {
      restore,
      undo: (_: R, __: unknown, definition: unknown) =>
        definition === undefined ? [] : restore.calls(definition as D),
    }),
    command: (row) => remove(row.id, row),
  };
}
