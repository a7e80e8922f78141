import fc from 'fast-check';

/** One mutation: of which response, at which path, and how. */
export interface Mutation {
  readonly answer: number;
  readonly place: number;
  readonly how: How;
}

type How = { readonly put: unknown } | { readonly do: 'delete' | 'twice' | 'wrap' | 'unwrap' | 'text' | 'shuffle' };

/** Text with escape sequences that act on a terminal when unpainted. */
const hostile = '\u001B]52;c;ZXZpbA==\u0007\u001B[2J\u009B31m\u202Eevil\u0000\u200B\r\nend';

const put = (value: unknown): How => ({ put: value });

const hows: readonly How[] = [
  ...[null, '', ' ', 'text', hostile, '5', '2.0', '-1', 'true', 'NaN', '__proto__', 'constructor'].map(put),
  ...[0, -1, 5, 2.5, 1e308, -0, true, false, 1_760_000_000, 1_760_000_000_000, 1_760_000_000_000_000].map(put),
  ...[[], {}, [null], [[]], [{}], ['x'], [1, 'a', null], { id: 1 }, { data: null }, { data: [] }].map(put),
  put(9_007_199_254_740_993n),
  put(-9_223_372_036_854_775_808n),
  put({ id: null, type: null, attributes: null, relationships: null }),
  put('2026-02-31T25:61:00Z'),
  put('0001-01-01T00:00:00Z'),
  put('x'.repeat(5_000)),
  ...(['delete', 'twice', 'wrap', 'unwrap', 'text', 'shuffle'] as const).map((value) => ({ do: value })),
];

/** Up to twelve mutations, mostly of the first responses. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({ answer: fc.integer({ min: 0, max: 4 }), place: fc.nat({ max: 9_999 }), how: fc.constantFrom(...hows) }),
  { minLength: 1, maxLength: 12 },
);

/** A copy of a value with the mutations of the nth response. */
export function mutated(value: unknown, changes: readonly Mutation[], nth: number): unknown {
  const holder = { root: structuredClone(value) as unknown };
  for (const change of changes) if (change.answer === nth) apply(holder, change);
  return holder.root;
}

interface Place {
  readonly box: Record<string, unknown> | unknown[];
  readonly key: string;
}

function apply(holder: { root: unknown }, { place, how }: Mutation): void {
  const all: Place[] = [{ box: holder, key: 'root' }, ...places(holder.root)];
  const { box, key } = all[place % all.length] as Place;
  const at = box as Record<string, unknown>;
  const old = at[key];
  if ('put' in how) at[key] = structuredClone(how.put);
  else if (how.do === 'wrap') at[key] = [old];
  else if (how.do === 'unwrap') at[key] = Array.isArray(old) ? old[0] : isBox(old) ? Object.values(old)[0] : old;
  else if (how.do === 'text') at[key] = isBox(old) ? Object.keys(old).join(' ') : String(old);
  else if (how.do === 'shuffle') at[key] = Array.isArray(old) ? old.toReversed() : old;
  else if (Array.isArray(box)) box.splice(Number(key), 1, ...(how.do === 'twice' ? [old, structuredClone(old)] : []));
  else if (how.do === 'delete') delete at[key];
  else at[`${key} `] = structuredClone(old);
}

function places(value: unknown): Place[] {
  if (!isBox(value)) return [];
  return Object.entries(value).flatMap(([key, inside]) => [{ box: value, key }, ...places(inside)]);
}

const isBox = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' && value !== null;
