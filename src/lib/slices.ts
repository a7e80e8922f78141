import { maxDepth, parseExact } from './json.ts';

/** Work that can pause at each yield, so that long work does not block keys, frames and timers. */
export type Sliced<T> = Generator<void, T, void>;

/** Runs sliced work to its end without pausing; for small inputs and tests. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Number of values in a parsed JSON value, including itself; stops counting above `most`. */
export function countValues(value: unknown, most = Number.POSITIVE_INFINITY): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const each of Object.values(value)) {
    if (count > most) break;
    count += countValues(each, most - count);
  }
  return count;
}

/** Runs sliced work, yielding to the event loop at each pause. */
export async function runInSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Resolves when the event loop has done everything that this turn of it set off. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** JSON of any length as UTF-8 bytes, read in slices: pieces of a large list or object are decoded and parsed one after the other. */

/** `tooMuch`: more values than asked for, or one token longer than we take. `broken`: not JSON, or nested too deep. */
export type Parsed =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'tooMuch' }
  | { readonly kind: 'broken' };

export interface JsonLimits {
  /** Most values: members of lists and objects, however deep. */
  readonly values: number;
  /** Longest token (a string, a number, white space), in bytes. */
  readonly token: number;
  /** Containers up to this length are parsed as a whole, in bytes. */
  readonly piece: number;
}

/** A piece takes 3 ms at most, also with the slow reviver of exact numbers (measured: 8 MB of long ids, 110 ms). */
export const jsonLimits: JsonLimits = { values: 1_000_000, token: 1_000_000, piece: 64 * 1024 };

/** So many bytes are looked over between two pauses: 1 ms, and 4 ms before the code is optimized. */
const look = 128 * 1024;

/** JSON of so many bytes is parsed as a whole; the longest answer of the demo is such. */
export const longJson = 10 * jsonLimits.piece;

const space = 32;
const quote = 34;
const comma = 44;
const backslash = 92;
const [list, listEnd, objectEnd] = [91, 93, 125];

/** Reads JSON as `parseExact` does, with pauses. Counts before it builds anything: what is refused costs no memory. */
export function* parseInSlices(json: Buffer, limits: JsonLimits = jsonLimits, ends?: EndOfList): Sliced<Parsed> {
  const large = yield* survey(json, limits, ends);
  if (typeof large === 'string') return { kind: large };
  const start = json.findIndex((code) => code > space);
  try {
    const close = large.get(start);
    if (close === undefined) return { kind: 'json', value: parseExact(json.toString()) };
    if (json.toString('utf8', close + 1).trim() !== '') return { kind: 'broken' };
    return { kind: 'json', value: yield* container(json, start, large, limits.piece) };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'broken' };
    throw error;
  }
}

/** Is given how many members a list has, and the last one as text, before the others are parsed. */
export type EndOfList = (count: number, last: string) => unknown;

/** Most answers are short: looking for pieces would take longer than the parsing. */
export function parseAtOnce(text: string): Parsed {
  try {
    return { kind: 'json', value: parseExact(text) };
  } catch {
    return { kind: 'broken' };
  }
}

/** From the bracket that opens a container longer than a piece to the one that closes it. */
type Large = ReadonlyMap<number, number>;

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one step for each byte of a large text; a call for each would cost time
function* survey(
  json: Buffer,
  { values, token, piece }: JsonLimits,
  ends?: EndOfList,
): Sliced<Large | 'tooMuch' | 'broken'> {
  const large = new Map<number, number>();
  const open: number[] = [];
  let count = 1;
  let inText = false;
  let last = 0;
  const member = { count: 1, from: 0 };
  let pauseAt = look;
  for (let index = 0; index < json.length; index++) {
    if (index >= pauseAt) {
      if (index - last > token) return 'tooMuch';
      pauseAt = index + look;
      yield;
    }
    const code = json[index] as number;
    if (inText && code === backslash) index++;
    else if (code === quote) {
      inText = !inText;
      if (index - last > token) return 'tooMuch';
      last = index;
    } else if (!inText && isStructure(code)) {
      if (index - last > token) return 'tooMuch';
      last = index;
      if (code === comma) {
        count++;
        if (open.length === 1) {
          member.count++;
          member.from = index + 1;
        }
      } else if (isOpening(code)) {
        count++;
        if (open.push(index) > maxDepth) return 'broken';
      } else if (isClosing(code)) {
        const start = open.pop();
        if (start === undefined) return 'broken';
        if (index - start > piece) large.set(start, index);
      }
      if (count > values) return 'tooMuch';
    }
  }
  if (json.length - last > token) return 'tooMuch';
  if (open.length > 0 || inText) return 'broken';
  if (member.count > 1 && last - member.from < piece) ends?.(member.count, json.toString('utf8', member.from, last));
  return large;
}

/** A list or an object longer than a piece: its members by pieces, those that are themselves so long by this again. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one step for each byte of a large text; a call for each would cost time
function* container(json: Buffer, start: number, large: Large, piece: number): Sliced<unknown> {
  const close = large.get(start) as number;
  const isList = json[start] === list;
  if (json[close] !== (isList ? listEnd : objectEnd)) throw new SyntaxError('brackets do not match');
  const [before, after] = isList ? ['[', ']'] : ['{', '}'];
  const items: unknown[] = [];
  const members: Record<string, unknown> = {};
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: four cases, of list or object and of a piece or a value read by itself
  const add = (from: number, to: number, value?: { readonly big: unknown }) => {
    const text = json.toString('utf8', from, to);
    if (value && isList) {
      if (text.trim() !== '') throw new SyntaxError('not JSON');
      items.push(value.big);
      return;
    }
    if (text.trim() === '') throw new SyntaxError('not JSON');
    const read = parseExact(`${before}${text}${value ? '0' : ''}${after}`);
    if (Array.isArray(read)) for (const item of read) items.push(item);
    else if (value) for (const name of Object.keys(read as object)) members[name] = value.big;
    else Object.assign(members, read);
  };

  let from = start + 1;
  let separator = start;
  let depth = 0;
  let inText = false;
  for (let index = from; index < close; index++) {
    const code = json[index] as number;
    if (inText && code === backslash) index++;
    else if (code === quote) inText = !inText;
    else if (inText) continue;
    else if (depth === 0 && code === comma) {
      if (index - from > piece) {
        add(from, index);
        from = index + 1;
        yield;
      }
      separator = index;
    } else if (depth === 0 && large.has(index)) {
      if (separator >= from) add(from, separator);
      const big = yield* container(json, index, large, piece);
      add(Math.max(from, separator + 1), index, { big });
      index = (large.get(index) as number) + 1;
      while (index < close && (json[index] as number) <= space) index++;
      if (index === close) return isList ? items : members;
      if (json[index] !== comma) throw new SyntaxError('not JSON');
      from = index + 1;
      separator = index;
    } else if (isOpening(code)) depth++;
    else if (isClosing(code)) depth--;
  }
  const isEmpty = from === start + 1 && json.toString('utf8', from, close).trim() === '';
  if (!isEmpty) add(from, close);
  return isList ? items : members;
}

const isOpening = (code: number): boolean => code === 91 || code === 123;
const isClosing = (code: number): boolean => code === 93 || code === 125;
const isStructure = (code: number): boolean => code === comma || code === 58 || isOpening(code) || isClosing(code);
