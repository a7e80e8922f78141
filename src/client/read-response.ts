import * as v from 'valibot';
import type { AnySchema, SchemaParts } from '../api/endpoint.ts';
import { isWholeItem } from '../api/paging.ts';
import { countValues, runAtOnce, type Sliced } from '../lib/slices.ts';
import { isObject } from '../lib/values.ts';
import {
  createRemover,
  isContainer,
  listsIn,
  maxRowValues,
  type PathKey,
  type Removal,
  removalFor,
  type SchemaIssue,
  sliceValues,
  tooLarge,
  topLevelLists,
  type ValuePath,
} from './response-removals.ts';

/** Types of JSON that a schema only names. A value of another type is none of theirs, whatever follows in a union. */
const plain: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  bigint: (value) => typeof value === 'bigint',
  boolean: (value) => typeof value === 'boolean',
};

/**
 * Whether a value of JSON already is what reading it by the schema would give, but for the order of its members: then nothing
 * has to be copied, which is the usual case. False is no verdict: the value may not fit, be read as another one, or have a part
 * that only valibot reads. Every value of a response passes here before any code is optimized, so nothing is allocated.
 */
export function fitsSchema(schema: AnySchema, value: unknown): boolean {
  const described = schema as unknown as SchemaParts;
  if (described.pipe) return fitsPipe(described.pipe, value);
  const isPlain = plain[described.type];
  if (isPlain) return isPlain(value);
  switch (described.type) {
    case 'unknown':
      return true;
    case 'nullish':
    case 'nullable':
      if (value === null) return described.default === undefined;
      return fitsSchema(described.wrapped as AnySchema, value);
    case 'union':
      return fitsUnion(described.options as readonly AnySchema[], value);
    case 'array':
      return Array.isArray(value) && fitsAll(described.item as AnySchema, value);
    case 'loose_object':
      return isObject(value) && fitsEntries(described.entries ?? {}, value);
    case 'record':
      return isObject(value) && hasPlainNames(value) && fitsAll(described.value as AnySchema, Object.values(value));
    case 'lazy':
      return described.getter !== undefined && fitsSchema(described.getter(value), value);
    default:
      return false;
  }
}

/** Names that valibot leaves out. */
const isPlainName = (name: string): boolean => name !== 'constructor' && name !== 'prototype' && name !== '__proto__';

function hasPlainNames(value: Readonly<Record<string, unknown>>): boolean {
  for (const name in value) if (!isPlainName(name)) return false;
  return true;
}

function fitsAll(schema: AnySchema, values: readonly unknown[]): boolean {
  for (let at = 0; at < values.length; at++) if (!fitsSchema(schema, values[at])) return false;
  return true;
}

function fitsPipe(pipe: NonNullable<SchemaParts['pipe']>, value: unknown): boolean {
  for (let at = 1; at < pipe.length; at++) if ((pipe[at] as { kind: string }).kind !== 'metadata') return false;
  return fitsSchema(pipe[0], value);
}

/** The first variant that accepts the value reads it: one that may read it as another value has to be asked before a later one. */
function fitsUnion(options: readonly AnySchema[], value: unknown): boolean {
  for (let at = 0; at < options.length; at++) {
    const option = options[at] as AnySchema;
    if (fitsSchema(option, value)) return true;
    const { type, pipe } = option as unknown as SchemaParts;
    if (!(type in plain) || pipe !== undefined) return false;
  }
  return false;
}

function fitsEntries(entries: Readonly<Record<string, AnySchema>>, value: Readonly<Record<string, unknown>>): boolean {
  for (const name in entries) {
    const entry = entries[name] as AnySchema;
    if (Object.hasOwn(value, name)) {
      if (!fitsSchema(entry, value[name])) return false;
      continue;
    }
    const { type, default: given } = entry as unknown as SchemaParts;
    if (!(type === 'nullish' || type === 'optional') || given !== undefined) return false;
  }
  return hasPlainNames(value);
}

/** The value of a response without its `unread` paths, or the paths that make it unusable. */
type ResponseReading =
  | { readonly ok: true; readonly value: unknown; readonly unread: readonly string[] }
  | { readonly ok: false; readonly fields: readonly string[] };

/** Most paths named, of fields and of whole rows, which a walk over pages counts; the others are counted here. */
const mostNamed = { fields: 100, rows: 1_000 } as const;

/** Most issues of one value; with more, the whole value is removed without naming them. */
const mostIssues = 1_000;

/** Issues at which validation stops; a union counts one for each variant that does not match. */
const mostTried = 10_000;

/**
 * Validates a response and keeps what is valid: removes and names an invalid field
 * (`data[3].attributes.total_count: expected a number`), or its parent where the field is required, up to the element
 * of a list. The whole is unreadable only where the top is invalid: `data`, or for a `list` any top-level list but
 * `included`, because an empty list would be wrong. Never throws. Modifies `answer`: the caller must own it.
 */
export const read = (schema: AnySchema, answer: unknown, list: boolean): ResponseReading =>
  runAtOnce(readInSlices(schema, answer, list));

/** Reads a response with pauses: the rows of its top-level lists one by one. */
export function* readInSlices(schema: AnySchema, answer: unknown, list: boolean): Sliced<ResponseReading> {
  const lists = topLevelLists(schema, answer);
  const root = lists.find((list) => list.name === undefined);
  const unread = createUnread();
  let output = answer;
  if (!root) {
    // The rows are read on their own below; the schema sees the rest with empty lists.
    for (const { name } of lists) (answer as Record<string, unknown>)[name as string] = [];
    const envelope = readOne(schema, answer, '', (path, issue) => isEssential(path, issue, list));
    if (!envelope.ok) return envelope;
    output = envelope.value;
    unread.add(...envelope.unread);
  }
  dropTooLarge(output, unread.add);
  for (const { name, item, rows } of lists) {
    const readable = yield* readRows(name ?? '', item, rows, unread.add);
    if (name === undefined) output = readable;
    else (output as Record<string, unknown>)[name] = readable;
  }
  return { ok: true, value: output, unread: unread.named() };
}

/** Reads the rows of the list `name`, with pauses: those that are readable; says what is not. */
function* readRows(
  name: string,
  item: AnySchema,
  rows: readonly unknown[],
  say: (...places: readonly string[]) => void,
): Sliced<unknown[]> {
  const readable: unknown[] = [];
  let values = 0;
  for (const [index, row] of rows.entries()) {
    const place = `${name}[${index}]`;
    // Counted first: reading removes what does not fit.
    const size = row === tooLarge ? 1 : countValues(row, sliceValues);
    if (values > 0 && values + size > sliceValues) {
      values = 0;
      yield;
    }
    values += size;
    if (row === tooLarge) say(`${place}: more than ${maxRowValues} values`);
    else {
      const reading = readOne(item, row, place, (path) => path.length === 0);
      if (reading.ok) readable.push(reading.value);
      say(...(reading.ok ? reading.unread : reading.fields));
    }
  }
  return readable;
}

/** Removes too large rows from lists that no schema describes. */
function dropTooLarge(output: unknown, say: (place: string) => void): void {
  for (const list of listsIn(output))
    while (list.includes(tooLarge)) {
      list.splice(list.indexOf(tooLarge), 1);
      say(`a list: a row of more than ${maxRowValues} values`);
    }
}

/** Name of a value's JSON type, for messages. */
export function jsonTypeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const kinds: Record<string, string> = { string: 'text', object: 'an object', boolean: 'true or false' };
  return kinds[typeof value] ?? 'a number';
}

/** Collects paths up to a number, and counts the rest. */
function createUnread() {
  const places: string[] = [];
  let more = 0;
  return {
    add(...found: readonly string[]): void {
      for (const place of found) {
        if (places.length < mostNamed[isWholeItem(place) ? 'rows' : 'fields']) places.push(place);
        else more += Number(/^and (\d+) places more$/.exec(place)?.[1] ?? 1);
      }
    },
    named: (): string[] => (more === 0 ? places : [...places, `and ${more} places more`]),
  };
}

/** Reads one value without a pause; `place` is its path, `isVital` tells the paths that it requires. */
function readOne(
  schema: AnySchema,
  answer: unknown,
  place: string,
  isVital: (path: ValuePath, issue: SchemaIssue) => boolean,
): ResponseReading {
  if (fitsSchema(schema, answer)) return { ok: true, value: answer, unread: [] };
  const first = parse(schema, answer);
  if (first?.success && listsForObjects(answer, first.output).length === 0)
    return { ok: true, value: first.output, unread: [] };
  const unread = createUnread();
  const lost = createRemover();
  const named = (path: ValuePath) => {
    const name = lost.name(answer, path);
    return place === '' || name === '' || name.startsWith('[') ? place + name || 'the answer' : `${place}.${name}`;
  };
  /** Notes the lists to remove that stand in place of objects; returns the fault where nothing is left without one. */
  const cutLists = (output: unknown, cuts: Map<string, Removal>): string | undefined => {
    for (const path of listsForObjects(answer, output)) {
      const name = named(path);
      const fault = `${name}: expected an object, got a list`;
      if (path.length === 0 || (place === '' && path.length === 1 && path[0] === 'data')) return fault;
      cuts.set(name, { path, found: [] });
      unread.add(fault);
    }
    return undefined;
  };
  /** Notes the values to remove that do not fit; returns the fault where one is vital. */
  const cutMisfits = (issues: readonly SchemaIssue[], cuts: Map<string, Removal>): string | undefined => {
    for (const issue of issues) {
      const cut = removalFor(answer, issue);
      const name = named(cut.path);
      const fault = `${name}: ${expectation(issue)}`;
      if (isVital(cut.path, issue)) return place === '' ? `${fault}, got ${jsonTypeName(cut.found)}` : fault;
      if (cuts.has(name)) continue;
      cuts.set(name, cut);
      unread.add(fault);
    }
    return undefined;
  };
  // Each round removes a value, so the loop ends; the limit is for a response made to be slow.
  for (let round = 0; round < 20; round++) {
    const parsed = round === 0 ? first : parse(schema, answer);
    if (parsed === undefined || (!parsed.success && parsed.issues.length > mostIssues)) break;
    const cuts = new Map<string, Removal>();
    const fatal = parsed.success ? cutLists(parsed.output, cuts) : cutMisfits(parsed.issues, cuts);
    if (fatal !== undefined) return { ok: false, fields: [fatal] };
    if (parsed.success && cuts.size === 0) return { ok: true, value: parsed.output, unread: unread.named() };
    lost.remove(answer, [...cuts.values()]);
  }
  return { ok: false, fields: [...unread.named(), `${place || 'the answer'}: too many fields do not fit`] };
}

/**
 * Paths where valibot accepted a list as an object with the keys 0, 1, 2…. Values without a schema are passed on as
 * the same object, so only the described part is checked.
 */
function listsForObjects(answer: unknown, output: unknown): ValuePath[] {
  const found: ValuePath[] = [];
  const here: PathKey[] = [];
  const search = (left: unknown, right: unknown): void => {
    if (left === right || !isContainer(left) || !isContainer(right)) return;
    if (Array.isArray(left) && !Array.isArray(right)) {
      found.push([...here]);
      return;
    }
    for (const key of Object.keys(right)) {
      const inside = left[key];
      if (typeof inside !== 'object' || inside === right[key]) continue;
      here.push(key);
      search(inside, right[key]);
      here.pop();
    }
  };
  search(answer, output);
  return found;
}

function parse(schema: AnySchema, answer: unknown): v.SafeParseResult<AnySchema> | undefined {
  let found = 0;
  const stopAtMost = (): string => {
    if (++found > mostTried) throw new RangeError('too many issues');
    return 'does not fit';
  };
  try {
    return v.safeParse(schema, answer, { message: stopAtMost });
  } catch {
    // A transformation of a schema that throws is a fault of the schema, not a reason to end the program.
    return undefined;
  }
}

function isEssential(path: readonly PathKey[], issue: SchemaIssue, list: boolean): boolean {
  if (path.length === 0 || (path.length === 1 && path[0] === 'data')) return true;
  return list && path.length === 1 && issue.expected === 'Array' && path[0] !== 'included';
}

function expectation(issue: SchemaIssue): string {
  const expected = issue.expected ?? '';
  if (/\bnumber\b|\bbigint\b/.test(expected) || /not a number/.test(issue.message)) return 'expected a number';
  const words: Record<string, string> = {
    Array: 'a list',
    Object: 'an object',
    string: 'text',
    boolean: 'true or false',
    '(Array | Object)': 'a list or an object',
  };
  if (words[expected]) return `expected ${words[expected]}`;
  return /^"[\w.]+"$/.test(expected) && issue.received === 'undefined' ? `${expected} is missing` : 'does not fit';
}
