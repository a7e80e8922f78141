import * as v from 'valibot';
import { stringifyExact } from './json.ts';

/**
 * Members of what was read as JSON, by their path: `filter.query` is the member `query` of the member `filter`.
 * Nothing is changed in place. Names of members hold no dot.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object with members: no array, not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path; undefined where a part of the way is missing. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner, name) => (isObject(inner) ? field(inner, name) : undefined), value);
}

/** A copy of an object with a value at a path; undefined removes the member. Missing objects on the way are created. */
export function put(into: JsonObject | null | undefined, path: string, value: unknown): JsonObject {
  const [name = '', ...rest] = path.split('.');
  const before = into ?? {};
  const { [name]: inner, ...others } = before;
  if (rest.length === 0) return value === undefined ? others : { ...before, [name]: value };
  if (value === undefined && !isObject(inner)) return before;
  return { ...before, [name]: put(isObject(inner) ? inner : undefined, rest.join('.'), value) };
}

/** A copy of an object without some of its members. */
export const without = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** A copy of an object with only some of its members. */
export const only = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));

/** The named members that are told, neither absent nor null, in the order of their names. */
export const toldMembers = (value: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, field(value, name)]).filter(([, member]) => member != null));

/** Reading of values that no schema has checked: objects of an `included` array may hold anything. */

/** Strings as they are; numbers and booleans as text; anything else as the empty string. */
export function toWord(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}

/** A count, zero or more; undefined when there is none. Integers may arrive beyond 2^53. */
export function toAmount(value: unknown): number | undefined {
  if (value == null || value === '' || typeof value === 'boolean' || typeof value === 'object') return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** The own field of an object; undefined for anything that is not an object. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The items of an array; empty for anything else. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Each id once, with the first that has it. */
export const eachOnce = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
  [...Map.groupBy(all, ({ id }) => id).values()].flatMap(([first]) => first ?? []);

/** Whether a text has the shape of a UUID. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The id that a reference (`{id, type}`), or a relationship around one, names; undefined when it names none. */
export function idIn(value: unknown): string | undefined {
  const id = toWord(field(value, 'id')).trim();
  if (id !== '') return id;
  const inner = field(value, 'data');
  return inner === undefined ? undefined : toWord(field(inner, 'id')).trim() || undefined;
}

/** The members of T, those that may be undefined as optional ones. */
type Present<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy without the members whose value is undefined: optional members are left out, never set to undefined. */
export function present<const T extends object>(members: T): Present<T> {
  const there: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = members[name as keyof T];
    if (value !== undefined) there[name] = value;
  }
  return there as Present<T>;
}

/** Canonical JSON of a value. */
export const canonicalJson = (value: unknown): string => stringifyExact(sortedMembers(value ?? null));

/** The value with the members of each object sorted by name, without those that are null. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => value[name] != null);
  return Object.fromEntries(names.toSorted().map((name) => [name, sortedMembers(value[name])]));
}

/** Whether two values are deeply equal; null and absent members count as equal. */
export const isSameJson = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** Whether two lists are equal apart from their order. */
export const sameSet = (one: unknown, other: unknown): boolean => isSameJson(sortedList(one), sortedList(other));

/** A list sorted by canonical JSON; any other value unchanged. */
export const sortedList = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(canonicalJson).toSorted() : value;

/** The merged value, and the paths that both sides changed differently; ours is kept there. */
interface Merged {
  readonly value: JsonObject;
  readonly conflicts: readonly string[];
}

/**
 * Three-way merge: our change from `base` to `ours` carried over to `theirs`, which others have made of `base` meanwhile.
 * Objects are merged member by member, anything else as a whole; lists at a path of `sets` item by item.
 */
export function merge(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  sets: ReadonlySet<string> = new Set(),
): Merged {
  const conflicts: string[] = [];
  const both = (was: unknown, mine: unknown, their: unknown, path: string): unknown => {
    if (isSameJson(was, mine)) return their;
    if (isSameJson(was, their) || isSameJson(mine, their)) return mine;
    if (isObject(mine) && isObject(their) && (was == null || isObject(was)))
      return members(was ?? {}, mine, their, path);
    if (sets.has(path)) return mergedItems(was, mine, their);
    conflicts.push(path);
    return mine;
  };
  const members = (was: JsonObject, mine: JsonObject, their: JsonObject, path: string): JsonObject => {
    const names = Object.keys({ ...their, ...mine });
    const values = names.map((name) => {
      const inner = path === '' ? name : `${path}.${name}`;
      return [name, both(was[name], mine[name], their[name], inner)] as const;
    });
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  };
  return { value: members(base, ours, theirs, ''), conflicts };
}

/** The list of the other side without the items that we removed, and with those that we added. */
function mergedItems(was: unknown, mine: unknown, their: unknown): readonly unknown[] {
  const [before, ours, theirs] = [items(was), items(mine), items(their)];
  const has = (list: readonly unknown[], item: unknown) => list.some((one) => isSameJson(one, item));
  const kept = theirs.filter((item) => !has(before, item) || has(ours, item));
  return [...kept, ...ours.filter((item) => !has(before, item) && !has(kept, item))];
}

/**
 * Passes every string inside a value, member names included, through `redact`, but for those at the places of `except`, each a list of
 * names; lists are passed through.
 */
export function redactTexts(
  value: unknown,
  redact: (text: string) => string,
  except: readonly (readonly string[])[] = [],
): unknown {
  if (typeof value === 'string') return except.some((place) => place.length === 0) ? value : redact(value);
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact, except));
  if (typeof value !== 'object' || value === null) return value;
  const under = (name: string) => except.filter(([first]) => first === name).map((place) => place.slice(1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), redactTexts(item, redact, under(name))]),
  );
}

/** A moment in a file, in milliseconds since the Unix epoch: one that a date can hold. */
export const storedTime = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));

/** A whole number from 0 on in a file. */
export const storedCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A value of a file as far as it fits its schema. */
interface Fitting<T> {
  readonly value: T;
  /** How many entries do not fit, and are left out. */
  readonly left: number;
}

/**
 * Reads a value by its schema. What does not fit is left out: the entry at this depth that it is in, else the one around it.
 * Undefined where the value is of another shape as a whole.
 */
export function readFitting<T>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  depth: number,
): Fitting<T> | undefined {
  const left = new Set<string>();
  let rest = value;
  for (let most = depth; most >= 0; most -= 1) {
    const read = v.safeParse(schema, rest);
    if (read.success) return { value: read.output, left: left.size };
    const places = read.issues.map(({ path = [] }) => path.slice(0, most).map(({ key }) => String(key)));
    for (const place of places) {
      const inside = `${place.join('\0')}\0`;
      for (const other of left) if (other.startsWith(inside)) left.delete(other);
      left.add(inside);
    }
    rest = withoutPlaces(rest, places);
  }
  return undefined;
}

/** A copy of the value without what is at these places. */
function withoutPlaces(value: unknown, places: readonly (readonly string[])[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inside = places.filter(([first]) => first === name);
    if (inside.some(({ length }) => length === 1)) return [];
    return [
      [
        name,
        withoutPlaces(
          member,
          inside.map((place) => place.slice(1)),
        ),
      ] as const,
    ];
  });
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** The version that this program writes into each of its files. */
export const fileVersion = 1;

/** Reads the version out of a file: ours, or that of a newer program. */
export const storedVersion = v.pipe(v.number(), v.safeInteger(), v.minValue(fileVersion));

/** The version of a file that a newer program wrote, undefined for any other: what fits is read, nothing is changed. */
export const newerVersion = (version: number): number | undefined => (version > fileVersion ? version : undefined);

/** Why a file of a newer version is not written. */
export const newerFile = (path: string, version: number): string =>
  `${path} is of version ${version}, which a newer orgdeck wrote: it is read, and not changed; use that orgdeck, or move the file away`;
