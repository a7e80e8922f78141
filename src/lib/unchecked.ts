/** Reading of values that no schema has checked: objects of an `included` array may hold anything. */

/** Text; a number or a truth value as text; anything else as empty text. */
export function word(it: unknown): string {
  if (typeof it === 'string') return it;
  return typeof it === 'number' || typeof it === 'bigint' || typeof it === 'boolean' ? String(it) : '';
}

/** A count, zero or more; undefined when there is none. Integers may arrive beyond 2^53. */
export function amount(it: unknown): number | undefined {
  if (it == null || it === '' || typeof it === 'boolean' || typeof it === 'object') return undefined;
  const number = Number(it);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** The field of an object; undefined for anything that is not an object. */
export function field(it: unknown, name: string): unknown {
  return typeof it === 'object' && it !== null ? (it as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The items of an array; empty for anything else. */
export function items(it: unknown): readonly unknown[] {
  return Array.isArray(it) ? it : [];
}

/** The id that a reference (`{id, type}`), or a relationship around one, names; undefined when it names none. */
export function idIn(it: unknown): string | undefined {
  const id = word(field(it, 'id')).trim();
  if (id !== '') return id;
  const inner = field(it, 'data');
  return inner === undefined ? undefined : word(field(inner, 'id')).trim() || undefined;
}
