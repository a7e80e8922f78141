import { once } from './function-results.ts';
import { maxDepth } from './json.ts';

/** A JSON text that was read with the places of its parts, or where it stops being JSON and what is missing there. */
type JsonLines =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The line, from 1, of a member's name or of an element; for a path that is not there, of what is around it. */
      lineOf(path: readonly (string | number)[]): number;
      /** Where the value at a path is; of a text only the part from `start` to `end`, in UTF-16 units of the value. */
      placeOf(path: readonly (string | number)[], start?: number, end?: number): JsonPlace;
      /** Paths of members that an object has twice; the value is that of the last. */
      readonly duplicates: readonly (readonly (string | number)[])[];
    }
  | {
      readonly ok: false;
      /** In UTF-16 units of the text. */
      readonly index: number;
      readonly line: number;
      /** In characters, from 1. */
      readonly column: number;
      /** What is missing, and before what of the text. */
      readonly text: string;
      /** `text` without anything quoted from the file. */
      readonly missing: string;
    };

/** A part of one line; columns in characters, from 1, `endColumn` behind the part. */
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

/** Where a text stops being JSON, as an index. */
class Stop extends Error {
  readonly index: number;
  readonly missing: string;
  constructor(index: number, missing: string, where = '') {
    super(`${missing}${where}`);
    this.index = index;
    this.missing = missing;
  }
}

/** Reads JSON that a person has written, and keeps where its parts are, so that diagnostics can say it. */
export function readJsonLines(text: string): JsonLines {
  /** Indexes in the text by path: of the name of a member or of an element, and of each value. */
  const itemStarts = new Map<string, number>();
  const valueStarts = new Map<string, number>();
  const duplicates: (readonly (string | number)[])[] = [];
  let position = 0;
  const lineStarts = once(() => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]);
  const lineAt = (index: number): number => {
    const next = lineStarts().findIndex((start) => start > index);
    return next < 0 ? lineStarts().length : next;
  };
  const columnAt = (index: number): number => [...text.slice(lineStarts()[lineAt(index) - 1], index)].length + 1;

  const take = (token: RegExp): string | undefined => {
    token.lastIndex = position;
    const found = token.exec(text)?.[0];
    if (found !== undefined) position += found.length;
    return found;
  };
  /** The next character that is no space; empty at the end. */
  const next = (): string => {
    take(tokens.space);
    return text[position] ?? '';
  };
  const stop = (missing: string): never => {
    const here = text.slice(position).split('\n')[0]?.trim().slice(0, 20) ?? '';
    throw new Stop(position, `${missing} is missing`, here === '' ? ' here' : ` before ${here}`);
  };
  const takeSign = (sign: string): boolean => {
    if (next() !== sign) return false;
    position += 1;
    return true;
  };
  const needSign = (sign: string, missing: string) => {
    if (!takeSign(sign)) stop(missing);
  };

  const value = (path: readonly (string | number)[]): void => {
    if (path.length > maxDepth) throw new Stop(position, `nested deeper than ${maxDepth}`);
    const first = next();
    valueStarts.set(JSON.stringify(path), position);
    if (first === '{') members(path);
    else if (first === '[') elements(path);
    else if (first === '"') take(tokens.string) ?? stop('the end of the text in double quotes');
    else take(tokens.number) ?? take(tokens.word) ?? stop('a value');
  };
  const members = (path: readonly (string | number)[]): void => {
    position += 1;
    if (takeSign('}')) return;
    do {
      next();
      const start = position;
      const name = take(tokens.string) ?? stop('a name in double quotes');
      const member = [...path, JSON.parse(name) as string];
      if (itemStarts.has(JSON.stringify(member))) duplicates.push(member);
      itemStarts.set(JSON.stringify(member), start);
      needSign(':', 'a colon');
      value(member);
    } while (takeSign(','));
    needSign('}', 'a comma or }');
  };
  const elements = (path: readonly (string | number)[]): void => {
    position += 1;
    if (takeSign(']')) return;
    let count = 0;
    do {
      next();
      itemStarts.set(JSON.stringify([...path, count]), position);
      value([...path, count]);
      count += 1;
    } while (takeSign(','));
    needSign(']', 'a comma or ]');
  };

  try {
    value([]);
    if (next() !== '') stop('the end of the text');
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const { index, message, missing } = error;
    return { ok: false, index, line: lineAt(index), column: columnAt(index), text: message, missing };
  }
  return {
    ok: true,
    value: JSON.parse(text) as unknown,
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const itemStart = itemStarts.get(JSON.stringify(path.slice(0, length)));
        if (itemStart !== undefined) return lineAt(itemStart);
      }
      return lineAt(text.length - text.trimStart().length);
    },
    placeOf(path, start = 0, end = start) {
      const index = valueStarts.get(JSON.stringify(path)) ?? 0;
      const columnOf = (units: number) =>
        columnAt(index + (text[index] === '"' ? writtenLength(text, index, units) : 0));
      const column = columnOf(start);
      return { line: lineAt(index), column, endColumn: Math.max(columnOf(end), column + 1) };
    },
    duplicates,
  };
}

/** The length, as written, of the quote at `start` and the first `units` of the string that it begins; an escape is one unit. */
function writtenLength(text: string, start: number, units: number): number {
  let length = 1;
  for (let unit = 0; unit < units && text[start + length] !== '"'; unit += 1)
    length += text[start + length] !== '\\' ? 1 : text[start + length + 1] === 'u' ? 6 : 2;
  return length;
}
