import * as v from 'valibot';

/** A moment in a file, in milliseconds since the Unix epoch: one that a date can hold. */
export const storedTime = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));

/** A whole number from 0 on in a file. */
export const storedCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A value of a file as far as it fits its schema. */
export interface Fitting<T> {
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
    rest = without(rest, places);
  }
  return undefined;
}

/** A copy of the value without what is at these places. */
function without(value: unknown, places: readonly (readonly string[])[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inside = places.filter(([first]) => first === name);
    if (inside.some(({ length }) => length === 1)) return [];
    return [
      [
        name,
        without(
          member,
          inside.map((place) => place.slice(1)),
        ),
      ] as const,
    ];
  });
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
