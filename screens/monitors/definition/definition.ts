import { objectOf } from '../row.ts';

/** What a monitor is, as the service reads and sends it (spec: Monitor). Members that nobody here knows are in it too. */
export type Definition = Readonly<Record<string, unknown>>;

/** A place in a definition: `['options', 'thresholds', 'warning']`. */
export type Path = readonly string[];

/** What stands at a place; undefined where nothing does, null included. */
export function at(it: Definition, path: Path): unknown {
  return path.reduce<unknown>((inside, name) => objectOf(inside)[name], it) ?? undefined;
}

/**
 * The definition with a value at a place; undefined takes away what stands there, and what held nothing else. The one
 * that is given stays as it is.
 */
export function put(it: Definition, path: Path, value: unknown): Definition {
  const [name, ...rest] = path;
  if (name === undefined) return it;
  const inside = rest.length === 0 ? value : put(objectOf(it[name]), rest, value);
  const isEmptied = rest.length > 0 && value === undefined && Object.keys(objectOf(inside)).length === 0;
  if (inside !== undefined && !isEmptied) return { ...it, [name]: inside };
  const { [name]: _, ...others } = it;
  return others;
}

/** The options of a definition. */
export const optionsOf = (it: Definition): Definition => objectOf(it.options);

/** Options as they are sent: what is muted is left out, because the service keeps it then (contract/monitors.md 2.4). */
export function sentOptions(it: Definition): Definition {
  const { silenced: _, ...rest } = optionsOf(it);
  return rest;
}

/** Whether two values of a definition mean the same, members in any order. Whole numbers may be of either kind. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one === 'bigint' || typeof other === 'bigint')
    return typeof one !== 'object' && typeof other !== 'object' && String(one) === String(other);
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [Object.entries(one), Object.entries(other)];
  return (
    left.length === right.length &&
    left.every(([name, it]) => name in other && isSame(it, (other as Readonly<Record<string, unknown>>)[name]))
  );
}
