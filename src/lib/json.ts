import { once } from './function-results.ts';

/**
 * JSON without loss of digits: integers beyond 2^53 are bigints, in both directions. `JSON.rawJSON` and the `source`
 * of a reviver are missing in the compiler's library, hence the two small types.
 */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
}
const exactly = JSON as unknown as ExactJson;

/** Deeper than this is refused: no answer of the contract needs a tenth of it (docs/design/reliability.md#sizes). */
export const maxDepth = 64;

/** Integers with more digits stay numbers: BigInt parsing takes time quadratic in the length. */
const mostDigits = 400;

/**
 * Reads JSON. Whole numbers beyond 2^53 become bigints; a member named `__proto__` is dropped, so that no copy of
 * the value can change an object's prototype. Throws SyntaxError for what is not JSON or is nested deeper than 64;
 * the message never repeats the text.
 */
export function parseExact(text: string): unknown {
  const value = parsed(text);
  if (isDeeper(value, maxDepth)) throw new SyntaxError(`nested deeper than ${maxDepth}`);
  return value;
}

/** Parses JSON exactly; undefined where the text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    // A reviver is ten times slower than none, so only the texts that need one pay for it.
    return mayNamePrototype(text) || hasLongNumber(text) ? exactly.parse(text, revive) : JSON.parse(text);
  } catch {
    throw new SyntaxError('not JSON');
  }
}

/** Whether containers are nested in it more than `most` deep. */
function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (isDeeper(value[at], most - 1)) return true;
    return false;
  }
  for (const name in value) if (isDeeper((value as Readonly<Record<string, unknown>>)[name], most - 1)) return true;
  return false;
}

/** Writes JSON; bigints as the digits that they are. `undefined` gives the empty text. */
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
      : [...Array(letter.length).keys()]
          .map((at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}

function revive(key: string, value: unknown, { source }: { source?: string }): unknown {
  if (key === '__proto__') return undefined;
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return source.length <= mostDigits && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

// `_` may hide behind an escape, so any escaped underscore counts as well.
const mayNamePrototype = (text: string): boolean => text.includes('__proto__') || /\\u005f/i.test(text);

const quote = 34;
const backslash = 92;

/** Whether a number outside strings has 16 digits or more. */
function hasLongNumber(text: string): boolean {
  if (!hasManyDigits(text)) return false;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      if (++digits >= 16) return true;
      continue;
    }
    digits = 0;
    if (code === quote) index = endOfString(text, index);
  }
  return false;
}

/** Whether 16 digits stand together: then one of them stands at a 16th place, so that the others need no look. */
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

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** A JSON text that was read with the lines of its parts, or where it stops being JSON and what is missing there. */
type JsonLines =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The line, from 1, of a member's name or of an element; that of what is around it where there is none. */
      lineOf(path: readonly (string | number)[]): number;
      /** Where the value at this path stands; of a text only the part from `start` to `end`, counted in its UTF-16 units. */
      placeOf(path: readonly (string | number)[], start?: number, end?: number): JsonPlace;
      /** Members that stand twice in one object: the second takes the place of the first. */
      readonly twice: readonly (readonly (string | number)[])[];
    }
  | {
      readonly ok: false;
      readonly line: number;
      /** In characters, from 1. */
      readonly column: number;
      readonly text: string;
      /** `text` without anything quoted from the file. */
      readonly missing: string;
    };

/** A part of one line; columns in characters, from 1, the last one behind the part. */
interface JsonPlace {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

const tokens = {
  space: /[ \t\r\n]*/y,
  string: /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
  word: /true|false|null/y,
} as const;

/** Where a text stops being JSON. */
class Stop extends Error {
  readonly at: number;
  readonly missing: string;
  constructor(at: number, missing: string, where = '') {
    super(`${missing}${where}`);
    this.at = at;
    this.missing = missing;
  }
}

/** Reads JSON that a person has written, and keeps the line of each member and element for what is said of it. */
export function readJsonLines(text: string): JsonLines {
  const places = new Map<string, number>();
  const values = new Map<string, number>();
  const twice: (readonly (string | number)[])[] = [];
  const position = { at: 0 };
  const starts = once(() => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]);
  const lineAt = (at: number): number => {
    const behind = starts().findIndex((start) => start > at);
    return behind < 0 ? starts().length : behind;
  };
  const columnAt = (at: number): number => [...text.slice(starts()[lineAt(at) - 1], at)].length + 1;

  const take = (token: RegExp): string | undefined => {
    token.lastIndex = position.at;
    const found = token.exec(text)?.[0];
    if (found !== undefined) position.at += found.length;
    return found;
  };
  const next = (): string => {
    take(tokens.space);
    return text[position.at] ?? '';
  };
  const stop = (missing: string): never => {
    const here = text.slice(position.at).split('\n')[0]?.trim().slice(0, 20) ?? '';
    throw new Stop(position.at, `${missing} is missing`, here === '' ? ' here' : ` before ${here}`);
  };
  const isNext = (char: string): boolean => {
    if (next() !== char) return false;
    position.at += 1;
    return true;
  };
  const eat = (char: string, missing: string) => {
    if (!isNext(char)) stop(missing);
  };

  const value = (path: readonly (string | number)[]): void => {
    if (path.length > maxDepth) throw new Stop(position.at, `nested deeper than ${maxDepth}`);
    const char = next();
    values.set(JSON.stringify(path), position.at);
    if (char === '{') members(path);
    else if (char === '[') elements(path);
    else if (char === '"') take(tokens.string) ?? stop('the end of the text in double quotes');
    else take(tokens.number) ?? take(tokens.word) ?? stop('a value');
  };
  const members = (path: readonly (string | number)[]): void => {
    position.at += 1;
    if (isNext('}')) return;
    do {
      next();
      const at = position.at;
      const name = take(tokens.string) ?? stop('a name in double quotes');
      const member = [...path, JSON.parse(name) as string];
      if (places.has(JSON.stringify(member))) twice.push(member);
      places.set(JSON.stringify(member), at);
      eat(':', 'a colon');
      value(member);
    } while (isNext(','));
    eat('}', 'a comma or }');
  };
  const elements = (path: readonly (string | number)[]): void => {
    position.at += 1;
    if (isNext(']')) return;
    let count = 0;
    do {
      next();
      places.set(JSON.stringify([...path, count]), position.at);
      value([...path, count]);
      count += 1;
    } while (isNext(','));
    eat(']', 'a comma or ]');
  };

  try {
    value([]);
    if (next() !== '') stop('the end of the text');
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const { at: position, message, missing } = error;
    return { ok: false, line: lineAt(position), column: columnAt(position), text: message, missing };
  }
  return {
    ok: true,
    value: JSON.parse(text) as unknown,
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const at = places.get(JSON.stringify(path.slice(0, length)));
        if (at !== undefined) return lineAt(at);
      }
      return lineAt(text.length - text.trimStart().length);
    },
    placeOf(path, start = 0, end = start) {
      const at = values.get(JSON.stringify(path)) ?? 0;
      const columnOf = (units: number) => columnAt(at + (text[at] === '"' ? writtenLength(text, at, units) : 0));
      const column = columnOf(start);
      return { line: lineAt(at), column, endColumn: Math.max(columnOf(end), column + 1) };
    },
    twice,
  };
}

/** How much of the file the quote and the first units of the text at this place take, escapes as they are written. */
function writtenLength(text: string, at: number, units: number): number {
  let length = 1;
  for (let unit = 0; unit < units && text[at + length] !== '"'; unit += 1)
    length += text[at + length] !== '\\' ? 1 : text[at + length + 1] === 'u' ? 6 : 2;
  return length;
}
