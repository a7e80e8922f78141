/**
 * JSON without loss of digits: integers beyond 2^53 are bigints, in both directions. `JSON.rawJSON` and the `source`
 * of a reviver are missing in the compiler's library, hence the two small types.
 */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
}
const exactly = JSON as unknown as ExactJson;

/** JSON with more levels is refused: no response of the contract needs a tenth of them (docs/design/reliability.md#sizes). */
export const maxDepth = 64;

/** Integers with more digits stay numbers, because BigInt takes time quadratic in their number. */
const maxDigits = 400;

/**
 * Reads JSON. Whole numbers beyond 2^53 become bigints; a member named `__proto__` is dropped, so that no copy of
 * the value can change an object's prototype. Throws SyntaxError for what is not JSON or is nested deeper than 64;
 * the message never repeats the text.
 */
export function parseExact(text: string): unknown {
  const value = parse(text);
  if (isDeeper(value, maxDepth)) throw new SyntaxError(`nested deeper than ${maxDepth}`);
  return value;
}

/** What `parseExact` reads; undefined where it would throw. */
export function parsedJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    // A reviver is ten times slower than none, so only the texts that need one pay for it.
    return mayNamePrototype(text) || hasLongNumber(text) ? exactly.parse(text, revive) : JSON.parse(text);
  } catch {
    throw new SyntaxError('not JSON');
  }
}

/** Whether arrays and objects are nested in a value more than `depth` deep. Loops, because callbacks take longer. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeper(item, depth - 1)) return true;
    return false;
  }
  for (const name in value) if (isDeeper((value as Readonly<Record<string, unknown>>)[name], depth - 1)) return true;
  return false;
}

/** Writes JSON, bigints as integers; the empty text for `undefined`. */
export function stringifyExact(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? '';
  } catch {
    // A replacer takes ten times as long, so only values with a bigint pay for it.
    const raw = (_: string, inner: unknown) => (typeof inner === 'bigint' ? exactly.rawJSON(String(inner)) : inner);
    return JSON.stringify(value, raw, indent) ?? '';
  }
}

/**
 * JSON with each character that a terminal may act on or hide (C1, DEL, bidi, zero-width, fillers, tags) as an escape of
 * JSON itself: the same value. Line breaks between members stay.
 */
export function escapeHidden(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu, (letter) =>
    letter === '\n'
      ? letter
      : letter
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}

function revive(key: string, value: unknown, { source }: { source?: string }): unknown {
  if (key === '__proto__') return undefined;
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return source.length <= maxDigits && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

// `_` may hide behind an escape, so any escaped underscore counts as well.
const mayNamePrototype = (text: string): boolean => text.includes('__proto__') || /\\u005f/i.test(text);

/** Whether 16 digits stand where a number may begin: not at the beginning of a string, as ids do. */
const hasLongNumber = (text: string): boolean => hasManyDigits(text) && /(?:^|[\s:,[-])\d{16}/.test(text);

/** Whether 16 digits stand together, also in a string. One of them is at a 16th place, so that only these are looked at. */
function hasManyDigits(text: string): boolean {
  for (let at = 15; at < text.length; at += 16) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let from = at;
    let to = at;
    while (isDigit(text.charCodeAt(from - 1))) from -= 1;
    while (isDigit(text.charCodeAt(to + 1))) to += 1;
    if (to - from >= 15) return true;
  }
  return false;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
