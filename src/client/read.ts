import * as v from 'valibot';
import type { AnySchema } from '../api/endpoint.ts';

/** What was made of an answer: the value with `unread` places left out, or the places that made it useless. */
export type Reading =
  | { readonly ok: true; readonly value: unknown; readonly unread: readonly string[] }
  | { readonly ok: false; readonly fields: readonly string[] };

/** Places named at most; the rest is counted. */
const mostNamed = 100;

/**
 * Reads an answer with its schema and saves what can be saved: a field that does not fit is left out and named
 * (`data[3].attributes.total_count: expected a number`); where it cannot be spared, what holds it goes, up to the
 * element of a list. Only a wrong shape at the top makes the whole unreadable: `data`, or for a `list` any of the
 * lists at the top but `included`, because an empty list would be a lie. Never throws. `answer` is taken apart on the
 * way: it must belong to the caller alone.
 */
export function read(schema: AnySchema, answer: unknown, list: boolean): Reading {
  const unread: string[] = [];
  const lost = createLost();
  // Each round takes something away, so it ends; the limit is for an answer made to be slow.
  for (let round = 0; round < 20; round++) {
    const parsed = parse(schema, answer);
    if (parsed === undefined) break;
    const cuts = new Map<string, Cut>();
    if (parsed.success) {
      for (const path of listsForObjects(answer, parsed.output)) {
        const name = lost.name(answer, path);
        const place = `${name || 'the answer'}: expected an object, got a list`;
        if (path.length === 0 || (path.length === 1 && path[0] === 'data')) return { ok: false, fields: [place] };
        cuts.set(name, { path, found: [] });
        unread.push(place);
      }
      if (cuts.size === 0) return { ok: true, value: parsed.output, unread: named(unread) };
      lost.remove(answer, [...cuts.values()]);
      continue;
    }
    for (const issue of parsed.issues) {
      const cut = cutFor(answer, issue);
      const name = lost.name(answer, cut.path);
      const place = `${name || 'the answer'}: ${expectation(issue)}`;
      if (isEssential(cut.path, issue, list)) return { ok: false, fields: [`${place}, got ${kindOf(cut.found)}`] };
      if (!cuts.has(name)) {
        cuts.set(name, cut);
        unread.push(place);
      }
    }
    lost.remove(answer, [...cuts.values()]);
  }
  return { ok: false, fields: [...named(unread), 'the answer: too many fields do not fit'] };
}

/** In words, what a value is. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const kinds: Record<string, string> = { string: 'text', object: 'an object', boolean: 'true or false' };
  return kinds[typeof value] ?? 'a number';
}

/**
 * Places where valibot took a list for an object with the names 0, 1, 2…. What no schema describes is passed on as
 * the same object, so only the described part is gone through.
 */
function listsForObjects(answer: unknown, output: unknown): Path[] {
  const found: Path[] = [];
  const here: Key[] = [];
  const search = (one: unknown, other: unknown): void => {
    if (one === other || !isBox(one) || !isBox(other)) return;
    if (Array.isArray(one) && !Array.isArray(other)) {
      found.push([...here]);
      return;
    }
    for (const key in other) {
      const inside = one[key];
      if (typeof inside !== 'object') continue;
      here.push(key);
      search(inside, other[key]);
      here.pop();
    }
  };
  search(answer, output);
  return found;
}

type Key = string | number;
type Path = readonly Key[];
interface Cut {
  readonly path: readonly Key[];
  readonly found: unknown;
}
type Issue = v.BaseIssue<unknown>;

function parse(schema: AnySchema, answer: unknown): v.SafeParseResult<AnySchema> | undefined {
  try {
    return v.safeParse(schema, answer);
  } catch {
    // A transformation of a schema that throws is a fault of the schema, not a reason to end the program.
    return undefined;
  }
}

/** The smallest thing to leave out: the field itself, or what holds it when the field is not even there. */
function cutFor(answer: unknown, issue: Issue): Cut {
  const path = (issue.path ?? []).map((item) => item.key as Key);
  while (path.length > 0 && !has(answer, path)) path.pop();
  return { path, found: at(answer, path) };
}

const at = (root: unknown, path: readonly Key[]): unknown =>
  path.reduce<unknown>((inside, key) => (isBox(inside) ? inside[key] : undefined), root);

const has = (root: unknown, path: readonly Key[]): boolean => {
  const parent = at(root, path.slice(0, -1));
  const last = path.at(-1);
  return last !== undefined && isBox(parent) && Object.hasOwn(parent, last) && parent[last] !== undefined;
};

const isBox = (value: unknown): value is Record<Key, unknown> => typeof value === 'object' && value !== null;

function isEssential(path: readonly Key[], issue: Issue, list: boolean): boolean {
  if (path.length === 0 || (path.length === 1 && path[0] === 'data')) return true;
  return list && path.length === 1 && issue.expected === 'Array' && path[0] !== 'included';
}

/** Takes places out of lists and objects, and keeps telling elements by the index that they came with. */
function createLost() {
  const cameWith = new Map<unknown[], number[]>();
  return {
    name(root: unknown, path: readonly Key[]): string {
      const parts = path.map((key, depth) => {
        const list = at(root, path.slice(0, depth));
        if (!Array.isArray(list)) return `${depth > 0 ? '.' : ''}${String(key).slice(0, 80)}`;
        return `[${cameWith.get(list)?.[Number(key)] ?? key}]`;
      });
      return parts.join('');
    },
    remove(root: unknown, cuts: readonly Cut[]): void {
      const shortened = new Map<unknown[], Set<number>>();
      for (const { path } of cuts) {
        const parent = at(root, path.slice(0, -1));
        const last = path.at(-1);
        if (last === undefined) continue;
        if (Array.isArray(parent)) shortened.set(parent, (shortened.get(parent) ?? new Set()).add(Number(last)));
        else if (isBox(parent)) delete parent[last];
      }
      for (const [list, gone] of shortened) {
        const indices = (cameWith.get(list) ?? list.map((_, index) => index)).filter((_, index) => !gone.has(index));
        cameWith.set(list, indices);
        const kept = list.filter((_, index) => !gone.has(index));
        // Not by spread: a list of an answer may be longer than a call may have arguments.
        list.length = 0;
        for (const item of kept) list.push(item);
      }
    },
  };
}

function expectation(issue: Issue): string {
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

const named = (places: readonly string[]): string[] =>
  places.length <= mostNamed
    ? [...places]
    : [...places.slice(0, mostNamed), `and ${places.length - mostNamed} places more`];
