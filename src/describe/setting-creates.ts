import { ask, type Call, type Plan } from '../api/endpoint.ts';
import type { Result } from '../api/problem.ts';
import type { JsonObject } from '../lib/object-paths.ts';
import { present } from '../lib/present-members.ts';
import type { Action, Head } from './action.ts';
import type { Context } from './context.ts';
import { differenceText, rowAfter } from './edit-receipt.ts';
import type { Fields } from './field.ts';
import { namePart, receipt, warning } from './receipt.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';
import { type SettingTable, type SettingValues, settingFields, withValues } from './setting.ts';

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
  says?(row: R, values: SettingValues<S>): string;
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
