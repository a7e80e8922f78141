import type { Plan } from '../api/endpoint.ts';
import type { ParseResult } from '../lib/function-results.ts';
import { stringifyExact } from '../lib/json.ts';
import { commaWords } from '../lib/text.ts';
import { at, isSameJson, type JsonObject, put, sameSet } from '../lib/values.ts';
import { type Context, type Offers, type VocabularyContext, valueInWords } from './context.ts';
import { checksField, type Field, type Fields } from './field.ts';
import type { Pick } from './picks.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';

/**
 * One thing that a person can set, as a value: what sentences call it, its place in the attributes, and the field that asks
 * for it. Forms, differences, conflicts, receipts, undo and commands are all made from a table of these.
 */
export interface Setting<Row, V = unknown> {
  /** In sentences, lower case: `the span rate of checkout changed meanwhile`. */
  readonly label: string;
  /** Path in the attributes, such as `filter.query`; undefined: of the form alone, only `tidy` reads its value. */
  readonly path: string | undefined;
  /** The field, given the value as it is; `row` is undefined in the form of a new one. Its value is what stands at the path. */
  field(now: unknown, row: Row | undefined, context: Context): Field<V>;
  /** The value where the response lacks it. */
  readonly untold?: V | null;
  /** An absent value is unknown, not empty: an edit of it asks first, because it cannot be undone. */
  readonly unknownUntold?: boolean;
  /** Left out of what is sent while it is `untold`: by a create (`new`), or by every edit (`always`). */
  readonly omit?: 'new' | 'always';
  /** A list whose order means nothing: what others add or take away meanwhile stays theirs. */
  readonly isSet?: boolean;
  /** Sent and never returned, such as a secret: not shown, compared or undone. */
  readonly writeOnly?: boolean;
  /**
   * The value at the path where it is not the field's own value: a difference laid over the list that is there. Sent is the
   * difference over what is there just before, so it meets no other edit.
   */
  put?(value: V, now: unknown): unknown;
  /** What stands at the path for a value of the field, given what stands there now. Merged like any other value. */
  place?(value: V, now: unknown): unknown;
  /** Whether the form of this row has it; `new`: only the form of a create; `never`: no form, an action of its own sets it. Default: always. */
  readonly has?: 'new' | 'never' | ((row: Row | undefined) => boolean);
}

/** The settings of a kind by the names of their fields, in the order of the form. */
export type SettingTable<Row> = Readonly<Record<string, Setting<Row>>>;

/** What a form of the settings gives: fields that were not changed, or are not there, are undefined. */
export type SettingValues<S> = {
  readonly [N in keyof S]?: S[N] extends Setting<infer _Row, infer V> ? V | undefined : never;
};

type Member<A, N extends string> = N extends keyof NonNullable<A> ? NonNullable<A>[N] | undefined : unknown;

/** The type of what stands at a path; `unknown` where the schema does not name it. */
type At<A, P extends string> = P extends `${infer First}.${infer Rest}` ? At<Member<A, First>, Rest> : Member<A, P>;

/** What else a setting may say; `Now` is the type of what stands at its path. */
type More<Row, V, Now> = Omit<Setting<Row, V>, 'label' | 'path' | 'field' | 'put' | 'place' | 'omit'> & {
  put?(value: V, now: Now): unknown;
  place?(value: V, now: Now): unknown;
} & ({ readonly omit: 'new' | 'always'; readonly untold: V | null } | { readonly omit?: never });

/** Declares settings of a kind; the compiler knows the type of each path. */
export const defineSettings =
  <Row extends Resource>(_kind: ResourceKind<Row>) =>
  <const P extends string, V>(
    label: string,
    path: P,
    field: (now: At<Row['attributes'], P>, row: Row | undefined, context: Context) => Field<V>,
    more: More<Row, NoInfer<V>, At<Row['attributes'], P>> = {},
  ): Setting<Row, V> => ({ label, path, field: field as Setting<Row, V>['field'], ...more });

/** A field of the form that stands at no place of the attributes: only `tidy` reads its value. */
export const formOnly = <Row, V>(
  label: string,
  field: (row: Row | undefined, context: Context) => Field<V>,
): Setting<Row, V> => ({ label, path: undefined, field: (_, row, context) => field(row, context) });

/** The value of a setting; its `untold` value where the response lacks it. */
export const settingValue = (setting: Setting<never>, attributes: object): unknown =>
  setting.path === undefined ? undefined : (at(attributes, setting.path) ?? setting.untold);

/** The attributes with values laid over them; those that were not changed are undefined and stay as they are. */
export function withValues<Row>(
  settings: SettingTable<Row>,
  attributes: object,
  values: Readonly<Record<string, unknown>>,
  how: { readonly isNew?: boolean; readonly writeOnly?: boolean } = {},
): JsonObject {
  let next = attributes as JsonObject;
  for (const [name, setting] of Object.entries(settings)) {
    const value = values[name];
    const { path, untold, omit } = setting;
    if (path === undefined || value === undefined || (setting.writeOnly === true) !== (how.writeOnly === true))
      continue;
    const isLeftOut = isSameJson(value, untold) && (omit === 'always' || (omit === 'new' && how.isNew === true));
    const stand = setting.put ?? setting.place;
    const stands = stand ? stand(value, at(next, path)) : value;
    next = put(next, path, isLeftOut ? undefined : stands);
  }
  return next;
}

/** Whether the form of a row has a setting; of undefined: the form of a create. */
export const hasSetting = <R>({ has }: Setting<R>, row: R | undefined): boolean =>
  typeof has === 'string' ? has === 'new' && row === undefined : (has?.(row) ?? true);

/** The fields of the settings that a row has. */
export function settingFields<R>(
  settings: SettingTable<R>,
  attributes: object,
  row: R | undefined,
  context: Context,
): Fields {
  const there = Object.entries(settings).filter(([, setting]) => hasSetting(setting, row));
  const now = (path: string | undefined) => (path === undefined ? undefined : at(attributes, path));
  return Object.fromEntries(there.map(([name, setting]) => [name, setting.field(now(setting.path), row, context)]));
}

/** What a receipt adds where the answer does not hold what was edited. */
export const noResult = '; the response does not show the result';

/**
 * The settings on which the response differs from the request, as the end of a receipt; or that the response has no
 * row; or nothing.
 */
export function differenceText<R extends Resource>(
  { kind, settings }: { readonly kind: ResourceKind<R>; readonly settings: SettingTable<R> },
  before: R | undefined,
  requested: R,
  now: R | undefined,
  context: VocabularyContext,
): string {
  if (!now) return noResult;
  const { attributes: spoken } = kind.inWords(now, context);
  return Object.values(settings)
    .filter((setting) => !setting.writeOnly && setting.path !== undefined)
    .flatMap((setting) => {
      const [was, mine, theirs] = [before ?? requested, requested, now].map((row) =>
        settingValue(setting, row.attributes),
      );
      // Of a new one, what was left to the service is no difference.
      const isChanged =
        before === undefined ? at(requested.attributes, setting.path ?? '') != null : !isSameJson(was, mine);
      // A member that a deployment may omit from responses is no difference.
      const isSilent = setting.unknownUntold === true && at(now.attributes, setting.path ?? '') === undefined;
      const isSame = setting.isSet ? sameSet(mine, theirs) : isSameJson(mine, theirs);
      const stored = valueInWords(now.attributes, spoken, setting.path ?? '') ?? setting.untold ?? null;
      return isChanged && !isSame && !isSilent ? [`; the service reports ${setting.label} ${inText(stored)}`] : [];
    })
    .join('');
}

/** A list of texts as a field has it, everything else that is there as JSON. */
const inText = (value: unknown): string =>
  Array.isArray(value) && value.every((part) => typeof part === 'string')
    ? value.join(', ') || 'none'
    : value === null
      ? 'none'
      : stringifyExact(value);

/** The row after an edit, as the answer tells it, or read again where answers do not; undefined where neither tells. */
export function* rowAfter<R extends Resource>(
  { kind, rereads }: { readonly kind: ResourceKind<R>; readonly rereads?: boolean },
  answer: unknown,
  requested: R,
): Plan<R | undefined> {
  if (!rereads) return rowFromAnswer(kind, answer, requested);
  const again = yield* kind.fresh(requested);
  return again.ok ? again.value : undefined;
}

/** The requested row with the response's members; undefined where the response has no row, or another one. */
function rowFromAnswer<R extends Resource>(kind: ResourceKind<R>, answer: unknown, requested: R): R | undefined {
  const { data, included } = kind.resourceIn(answer);
  const stored = kind.row(data, { place: requested.place, included });
  if (!stored || (requested.id !== '' && stored.id !== requested.id)) return undefined;
  // A response without attributes says nothing about them.
  if (Object.keys(stored.attributes).length === 0) return undefined;
  const defined = Object.entries(stored).filter(([, value]) => value !== undefined);
  return {
    ...requested,
    ...Object.fromEntries(defined),
    attributes: { ...requested.attributes, ...stored.attributes },
  };
}

/** What was taken and what was left of several things, against those that the form opened with. */
export interface SetDifference {
  readonly taken: readonly string[];
  readonly left: readonly string[];
}

/** A field of several things that reads what was taken and left, so that what others do to the rest meanwhile stays. */
export function differenceField(
  label: string,
  initial: readonly Pick[],
  picks: Offers<Pick>,
  limits: { readonly hint?: string } = {},
): Field<SetDifference> {
  const field = checksField(label, initial, picks, limits);
  const before = initial.map((pick) => pick.id);
  return {
    ...field,
    read(text) {
      const now = commaWords(text);
      return {
        ok: true,
        value: { taken: now.filter((id) => !before.includes(id)), left: before.filter((id) => !now.includes(id)) },
      };
    },
  };
}

/** Makes the value of a field undefined while its text is as the form opened: only what was changed is sent. */
export function changedOnly<V>(field: Field<V>): Field<V | undefined> {
  return { ...field, read: (text) => (text === field.initial ? { ok: true, value: undefined } : field.read(text)) };
}

/** Fields by name whose values are undefined while they are as the form opened. */
type Changed<F extends Fields> = {
  readonly [N in keyof F]: F[N] extends Field<infer V> ? Field<V | undefined> : never;
};

/**
 * Every field of a form as with `changedOnly`, so that the same edit on another row changes no more than it did. One that
 * opened empty and is needed is still asked for; an unknown word that was read may stay.
 */
export function changesOnly<F extends Fields>(fields: F): Changed<F> {
  const one = (field: Field): Field => ({
    ...field,
    read: (text) => (text === '' ? unlessSame(field, text) : changedOnly(field).read(text)),
  });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, one(field)])) as unknown as Changed<F>;
}

function unlessSame(field: Field, text: string): ParseResult<unknown> {
  const read = field.read(text);
  return read.ok && text === field.initial ? { ok: true, value: undefined } : read;
}
