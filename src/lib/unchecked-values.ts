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

/** The field of an object; undefined for anything that is not an object. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The items of an array; empty for anything else. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a text has the shape of a UUID. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The id that a reference (`{id, type}`), or a relationship around one, names; undefined when it names none. */
export function idIn(value: unknown): string | undefined {
  const id = toWord(field(value, 'id')).trim();
  if (id !== '') return id;
  const inner = field(value, 'data');
  return inner === undefined ? undefined : toWord(field(inner, 'id')).trim() || undefined;
}
