import type { Call } from '../api/endpoint.ts';

/** How a fresh read stands to an edit in doubt: it shows ours, still what was before, something else, or cannot tell. */
export type Standing = 'ours' | 'before' | 'other' | 'unclear';

/**
 * Compares the fields that were sent with a fresh read and with the row before. Fields are those of
 * `data.attributes` and `data.relationships`, or of a plain body. They are looked up at the same place in the read,
 * and in the row as an envelope, a resource or bare attributes. `became` of the endpoint, where it has one, decides
 * about "ours" alone, and `untouched` about "before".
 */
export function standing(call: Call, read: unknown, before: unknown): Standing {
  const sent = fieldsOf(call.body);
  const { became } = call.endpoint;
  if (
    became
      ? asked(became, call, read)
      : sent.length > 0 && sent.every(([path, value]) => isSame(value, find(read, path)))
  )
    return 'ours';
  const { untouched } = call.endpoint;
  // A row keeps what the service told of it in `raw`.
  const told = isObject(before) && 'raw' in before ? before.raw : before;
  if (untouched && asked((it, seen) => untouched(it, seen, told), call, read)) return 'before';
  if (sent.length === 0 || before === undefined || before === null) return 'unclear';
  const then = sent.map(([path]) => find(before, path));
  // A read without any of the fields shows nothing, least of all that somebody changed them.
  const now = sent.map(([path]) => find(read, path));
  if (then.includes(absent) || now.every((it) => it === absent)) return 'unclear';
  return sent.every((_, index) => isSame(then[index], now[index])) ? 'before' : 'other';
}

type Path = readonly string[];
const absent = Symbol('absent');

function asked(became: NonNullable<Call['endpoint']['became']>, call: Call, read: unknown): boolean {
  try {
    return became(call, read);
  } catch {
    // It looked for something that this deployment does not send; that shows nothing.
    return false;
  }
}

/** The fields of a body with their places; what only names the thing (`id`, `type`) is none of them. */
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

/** Equal as far as it was sent: of an object only the members that were sent count, `null` is as good as missing, and 5 is "5". */
function isSame(sent: unknown, seen: unknown): boolean {
  if (isObject(sent)) return isObject(seen) && Object.entries(sent).every(([name, it]) => isSame(it, seen[name]));
  if (Array.isArray(sent))
    return Array.isArray(seen) && sent.length === seen.length && sent.every((it, index) => isSame(it, seen[index]));
  const isNothing = (it: unknown) => it === null || it === undefined || it === absent;
  if (isNothing(sent) || isNothing(seen)) return isNothing(sent) && isNothing(seen);
  return sent === seen || (typeof sent !== 'boolean' && typeof seen !== 'object' && String(sent) === String(seen));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
