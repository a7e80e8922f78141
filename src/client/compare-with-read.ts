import type { Call } from '../api/endpoint.ts';
import { isObject } from '../lib/values.ts';

/**
 * What a fresh read shows after an edit without a clear response: `ours`, the edit; `before`, the values from before it;
 * `other`, values that somebody else set; `unclear`, none of these for certain.
 */
export type ReadComparison = 'ours' | 'before' | 'other' | 'unclear';

/**
 * Compares the fields that were sent with a fresh read and with the row before. Fields are those of
 * `data.attributes` and `data.relationships`, or of a plain body. They are looked up at the same place in the read,
 * and in the row as an envelope, a resource or bare attributes. Where the endpoint has `isApplied`, only that decides
 * between `ours` and the rest; where it has `isUnchanged`, `before` may follow from it.
 */
export function compareWithRead(call: Call, read: unknown, before: unknown): ReadComparison {
  const sent = fieldsOf(call.body);
  const { isApplied, isUnchanged } = call.endpoint;
  const ours =
    holdsSomething(read) &&
    (isApplied
      ? falseIfThrown(() => isApplied(call, read))
      : sent.length > 0 && sent.every(([path, value]) => isSame(value, find(read, path))));
  if (ours) return 'ours';
  // Rows keep the resource as it was read in `raw`.
  const resource = isObject(before) && 'raw' in before ? before.raw : before;
  if (isUnchanged && falseIfThrown(() => isUnchanged(call, read, resource))) return 'before';
  const then = sent.map(([path]) => {
    const own = find(resource, path);
    return own === absent ? find(before, path) : own;
  });
  // A read without any of the fields proves nothing, and nor does a row of which they are not known.
  const now = sent.map(([path]) => find(read, path));
  if (then.includes(absent) || now.every((value) => value === absent)) return 'unclear';
  return sent.every((_, index) => isSame(then[index], now[index])) ? 'before' : 'other';
}

/** The fields of a body, each with its value at the same place of what was read; undefined where there is none. */
export function sentFields(body: unknown, read: unknown): { name: string; sent: unknown; seen: unknown }[] {
  return fieldsOf(body).map(([path, sent]) => {
    const seen = find(read, path);
    return { name: path.at(-1) ?? '', sent, seen: seen === absent ? undefined : seen };
  });
}

type Path = readonly string[];
const absent = Symbol('absent');

/** Whether a read holds a thing at all. One that does not proves nothing: what it lacks looks like what was taken away. */
export function holdsSomething(read: unknown): boolean {
  if (!isObject(read)) return Array.isArray(read);
  const { data, ...others } = read;
  const isFilled = (value: unknown) => value != null && (!isObject(value) || Object.keys(value).length > 0);
  return isObject(data) || Array.isArray(data) ? isFilled(data) : Object.values(others).some(isFilled);
}

/** The endpoint's check; one that throws, because a deployment omits a member, proves nothing. */
function falseIfThrown(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** The fields of a body with their paths, without `id` and `type`, which only identify the object. */
function fieldsOf(body: unknown): [Path, unknown][] {
  if (!isObject(body)) return [];
  if (!isObject(body.data)) return Object.entries(body).map(([name, value]) => [[name], value]);
  return ['attributes', 'relationships'].flatMap((part) => {
    const inside = (body.data as Record<string, unknown>)[part];
    return isObject(inside)
      ? Object.entries(inside).map(([name, value]): [Path, unknown] => [[part, name], value])
      : [];
  });
}

function find(root: unknown, path: Path): unknown {
  const [part = '', name = ''] = path;
  const inner = isObject(root) ? root.data : undefined;
  const rest = path.length > 1 ? [[part, name], [name]] : [[part]];
  for (const box of [inner, root]) {
    for (const way of rest) {
      const value = way.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : absent), box);
      if (value !== absent) return value;
    }
  }
  return absent;
}

/** Equal as far as sent: compares only the sent members of objects; `null` equals absent, and 5 equals "5". */
function isSame(sent: unknown, seen: unknown): boolean {
  if (isObject(sent)) return isObject(seen) && Object.entries(sent).every(([name, inner]) => isSame(inner, seen[name]));
  if (Array.isArray(sent))
    return (
      Array.isArray(seen) && sent.length === seen.length && sent.every((element, index) => isSame(element, seen[index]))
    );
  const isNothing = (value: unknown) => value === null || value === undefined || value === absent;
  if (isNothing(sent) || isNothing(seen)) return isNothing(sent) && isNothing(seen);
  return sent === seen || (typeof sent !== 'boolean' && typeof seen !== 'object' && String(sent) === String(seen));
}
