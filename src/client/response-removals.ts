import type * as v from 'valibot';
import { type AnySchema, schemaParts } from '../api/endpoint.ts';
import { countValues, type Sliced } from '../lib/slices.ts';

/** A value removed from a response, and its path. */

export type PathKey = string | number;
export type ValuePath = readonly PathKey[];
export interface Removal {
  readonly path: readonly PathKey[];
  readonly found: unknown;
}
export type SchemaIssue = v.BaseIssue<unknown>;

/** The smallest value to remove: the field itself, or its parent when the field is absent. */
export function removalFor(answer: unknown, issue: SchemaIssue): Removal {
  const path = (issue.path ?? []).map((item) => item.key as PathKey);
  while (path.length > 0 && !has(answer, path)) path.pop();
  return { path, found: at(answer, path) };
}

const at = (root: unknown, path: readonly PathKey[]): unknown =>
  path.reduce<unknown>((inside, key) => (isContainer(inside) ? inside[key] : undefined), root);

const has = (root: unknown, path: readonly PathKey[]): boolean => {
  const parent = at(root, path.slice(0, -1));
  return isContainer(parent) && Object.hasOwn(parent, path.at(-1) as PathKey);
};

export const isContainer = (value: unknown): value is Record<PathKey, unknown> =>
  typeof value === 'object' && value !== null;

/** Removes values from lists and objects, and keeps naming elements by their original index. */
export function createRemover() {
  const cameWith = new Map<unknown[], number[]>();
  return {
    name(root: unknown, path: readonly PathKey[]): string {
      const parts = path.map((key, depth) => {
        const list = at(root, path.slice(0, depth));
        if (!Array.isArray(list)) return `${depth > 0 ? '.' : ''}${String(key).slice(0, 80)}`;
        return `[${cameWith.get(list)?.[Number(key)] ?? key}]`;
      });
      return parts.join('');
    },
    remove(root: unknown, cuts: readonly Removal[]): void {
      const shortened = new Map<unknown[], Set<number>>();
      for (const { path } of cuts) {
        const parent = at(root, path.slice(0, -1));
        const last = path.at(-1);
        if (last === undefined) continue;
        if (Array.isArray(parent)) shortened.set(parent, (shortened.get(parent) ?? new Set()).add(Number(last)));
        else if (isContainer(parent)) delete parent[last];
      }
      for (const [list, gone] of shortened) {
        const indices = (cameWith.get(list) ?? list.map((_, index) => index)).filter((_, index) => !gone.has(index));
        cameWith.set(list, indices);
        const rest = list.filter((_, index) => !gone.has(index));
        // Not by spread: a list of an answer may be longer than a call may have arguments.
        list.length = 0;
        for (const item of rest) list.push(item);
      }
    },
  };
}

/** The top-level lists of a response, read row by row: a page may have 10,000 rows. */

/** Values read or translated between two pauses: less than 20 ms, even where none is valid. */
export const sliceValues = 5_000;

/** Placeholder for a row that `removeTooLarge` removed. */
export const tooLarge: unique symbol = Symbol('too large');

/** Most values of one row, and of a response without its rows: read without a pause. */
export const maxRowValues = 25_000;

/** The lists at the top of an answer. */
export const listsIn = (answer: unknown): readonly unknown[][] =>
  Array.isArray(answer) ? [answer] : isContainer(answer) ? Object.values(answer).filter(Array.isArray) : [];

/**
 * Replaces the rows that would block the event loop too long by `tooLarge`; false where the rest of the response is
 * too large as well. Modifies `answer`.
 */
export function* removeTooLarge(answer: unknown): Sliced<boolean> {
  let values = 0;
  for (const rows of listsIn(answer)) {
    for (const [index, row] of rows.entries()) {
      const count = countValues(row, maxRowValues);
      if (count > maxRowValues) rows[index] = tooLarge;
      values += count;
      if (values < maxRowValues) continue;
      values = 0;
      yield;
    }
  }
  if (Array.isArray(answer) || !isContainer(answer)) return true;
  const rest = Object.values(answer).filter((member) => !Array.isArray(member));
  return countValues(rest, maxRowValues) <= maxRowValues;
}

/** Values at the beginning of a list that are looked at before it is parsed. */
export const firstValues = 1_000;
const noObject = new RegExp(`^\\s*(?:\\{\\s*"[^"]*"\\s*:\\s*)?\\[(?:[^[{,]*,){${firstValues}}`);
/** Bytes of an answer that hold them, unless they are long texts. */
const headBytes = 64 * 1024;

/** Whether an answer is a list that begins with values of which none is an object. */
export const isListOfNoObjects = (json: string | Buffer): boolean =>
  noObject.test(typeof json === 'string' ? json : json.toString('latin1', 0, headBytes));

interface TopLevelList {
  /** Undefined where the answer itself is the list. */
  readonly name?: string;
  readonly item: AnySchema;
  readonly rows: readonly unknown[];
}

/** The lists of a response whose schema only describes a row. */
export function topLevelLists(schema: AnySchema, answer: unknown): readonly TopLevelList[] {
  if (Array.isArray(answer)) {
    const item = itemOf(schema);
    return item ? [{ item, rows: answer }] : [];
  }
  const entries = schemaParts(schema).entries;
  if (!isContainer(answer) || !entries) return [];
  return Object.entries(entries).flatMap(([name, entry]) => {
    const rows = Object.hasOwn(answer, name) ? answer[name] : undefined;
    const item = itemOf(entry);
    return item && Array.isArray(rows) ? [{ name, item, rows }] : [];
  });
}

/** The item schema of a plain list, also where it is nullable or optional; undefined for any other schema. */
function itemOf(schema: AnySchema): AnySchema | undefined {
  const { type, item, wrapped } = schemaParts(schema);
  if ('pipe' in schema) return undefined;
  if (wrapped) return itemOf(wrapped);
  return type === 'array' ? item : undefined;
}

/** Translates a response in slices of its lists; each slice keeps its path, on which the translation depends. */
export function* translateInSlices(answer: unknown, translate: (part: unknown) => unknown): Sliced<unknown> {
  if (Array.isArray(answer)) {
    const list: unknown[] = [];
    for (const slice of slicesOf(answer)) {
      for (const row of translate(slice) as unknown[]) list.push(row);
      yield;
    }
    return list;
  }
  if (!isContainer(answer)) return translate(answer);
  const lists = Object.entries(answer).filter((member): member is [string, unknown[]] => Array.isArray(member[1]));
  const envelope = translate({ ...answer, ...Object.fromEntries(lists.map(([name]) => [name, []])) });
  for (const [name, rows] of lists)
    for (const slice of slicesOf(rows)) {
      for (const [own, part] of Object.entries(translate({ [name]: slice }) as Record<string, unknown[]>))
        for (const row of part) ((envelope as Record<string, unknown[]>)[own] as unknown[]).push(row);
      yield;
    }
  return envelope;
}

function* slicesOf(rows: readonly unknown[]): Generator<readonly unknown[]> {
  let from = 0;
  let values = 0;
  for (const [index, row] of rows.entries()) {
    values += countValues(row, sliceValues);
    if (values < sliceValues) continue;
    yield rows.slice(from, index + 1);
    from = index + 1;
    values = 0;
  }
  if (from < rows.length) yield rows.slice(from);
}
