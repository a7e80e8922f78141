import { stringifyExact } from './json.ts';
import { isObject, type JsonObject } from './object-paths.ts';

/** Canonical JSON of a value: members sorted by name, null members left out. */
export const canonicalJson = (value: unknown): string => stringifyExact(inOrder(value ?? null));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, inner]) => inner != null);
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, inner]) => [name, inOrder(inner)]));
}

/** Whether two values are deeply equal; null and absent members count as equal. */
export const isSameJson = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** Whether two lists are equal apart from their order. */
export const sameSet = (one: unknown, other: unknown): boolean => isSameJson(sortedList(one), sortedList(other));

/** A list sorted by canonical JSON; any other value unchanged. */
export const sortedList = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(canonicalJson).toSorted() : value;

/** The merged value, and the paths that both sides changed differently; ours is kept there. */
export interface Merged {
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
    if (sets.has(path)) return items(was, mine, their);
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
function items(was: unknown, mine: unknown, their: unknown): readonly unknown[] {
  const [before, ours, theirs] = [listOf(was), listOf(mine), listOf(their)];
  const has = (list: readonly unknown[], item: unknown) => list.some((one) => isSameJson(one, item));
  const kept = theirs.filter((item) => !has(before, item) || has(ours, item));
  return [...kept, ...ours.filter((item) => !has(before, item) && !has(kept, item))];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
