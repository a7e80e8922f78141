import { at, type JsonObject, put } from '../lib/object-paths.ts';
import type { Context } from './context.ts';
import type { Field, Fields } from './field.ts';
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
  /** Whether the form of this row has it; `new`: only the form of a create. Default: always. */
  readonly has?: 'new' | ((row: Row | undefined) => boolean);
}

/** The settings of a kind by the names of their fields, in the order of the form. */
export type SettingTable<Row> = Readonly<Record<string, Setting<Row>>>;

/** What a form of the settings gives: fields that were not changed, or are not there, are undefined. */
export type SettingValues<S> = {
  readonly [N in keyof S]?: S[N] extends Setting<infer _Row, infer V> ? V | undefined : never;
};

type Member<A, N extends string> = N extends keyof NonNullable<A> ? NonNullable<A>[N] | undefined : unknown;

/** The type of what stands at a path; `unknown` where the schema does not name it. */
export type At<A, P extends string> = P extends `${infer First}.${infer Rest}`
  ? At<Member<A, First>, Rest>
  : Member<A, P>;

/** What else a setting may say; `Now` is the type of what stands at its path. */
type More<Row, V, Now> = Omit<Setting<Row, V>, 'label' | 'path' | 'field' | 'put' | 'place'> & {
  put?(value: V, now: Now): unknown;
  place?(value: V, now: Now): unknown;
};

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
    const isLeftOut = isUntold(value, untold) && (omit === 'always' || (omit === 'new' && how.isNew === true));
    const stand = setting.put ?? setting.place;
    const stands = stand ? stand(value, at(next, path)) : value;
    next = put(next, path, isLeftOut ? undefined : stands);
  }
  return next;
}

const isUntold = (value: unknown, untold: unknown): boolean =>
  untold !== undefined && (value === untold || (Array.isArray(value) && Array.isArray(untold) && value.length === 0));

/** Whether the form of a row has a setting; of undefined: the form of a create. */
export const hasSetting = <R>({ has }: Setting<R>, row: R | undefined): boolean =>
  has === 'new' ? row === undefined : (has?.(row) ?? true);

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
