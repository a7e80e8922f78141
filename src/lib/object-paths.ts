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
  return path.split('.').reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
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
