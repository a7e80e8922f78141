import { replaceEqualDeep } from '@tanstack/query-core';
import type { Sliced } from '../lib/slices.ts';

/** Values compared between two pauses: a few milliseconds. */
const sliceValues = 20_000;
/** Of more rows, what comes before the comparison and what follows it (decoding, ordering, drawing) take turns of their own. */
const manyRows = 1000;

type Plain = Readonly<Record<string, unknown>>;

/**
 * The value with the parts of `before` that it equals, and `before` itself where nothing has changed. Pauses between the
 * rows of the lists at its top; a row keeps its identity wherever it stands, as long as it has an `id`.
 */
export function* shareUnchanged(before: unknown, value: unknown): Sliced<unknown> {
  const seen = { values: 0 };
  if (Array.isArray(before) && Array.isArray(value)) return yield* shareRows(before, value, seen);
  if (!isPlain(before) || !isPlain(value)) return value;
  const shared: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const old = before[name];
    shared[name] =
      Array.isArray(old) && Array.isArray(part) ? yield* shareRows(old, part, seen) : replaceEqualDeep(old, part);
  }
  const names = Object.keys(shared);
  const isSame = names.length === Object.keys(before).length && names.every((name) => shared[name] === before[name]);
  return isSame ? before : shared;
}

function* shareRows(
  before: readonly unknown[],
  rows: readonly unknown[],
  seen: { values: number },
): Sliced<readonly unknown[]> {
  /** Where rows have moved: made when the first one has, because a list that has only grown needs none. */
  let byId: Map<unknown, unknown> | undefined;
  if (rows.length > manyRows) yield;
  // A list that has only grown is not copied: its rows are those of before already.
  let shared: unknown[] | undefined;
  let isSame = before.length === rows.length;
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (seen.values > sliceValues) {
      seen.values = 0;
      yield;
    }
    const id = idOf(row);
    if (!byId && index < before.length && id !== idOf(before[index])) byId = yield* indexById(before);
    const old = id === undefined || !byId ? before[index] : byId.get(id);
    // Compared first: most rows are unchanged, and sharing would copy each.
    const isOld = isEqual(old, row, seen);
    const one = isOld ? old : replaceEqualDeep(old, row);
    if (one !== row) shared ??= rows.slice(0, index);
    shared?.push(one);
    isSame &&= one === before[index];
  }
  if (rows.length > manyRows) yield;
  return isSame ? before : (shared ?? rows);
}

function* indexById(rows: readonly unknown[]): Sliced<Map<unknown, unknown>> {
  const byId = new Map<unknown, unknown>();
  for (const row of rows) {
    byId.set(idOf(row), row);
    if (byId.size % sliceValues === 0) yield;
  }
  return byId;
}

const idOf = (row: unknown): unknown => (isPlain(row) ? row.id : undefined);

function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether two JSON values are equal, names in any order. Counts the values that it has seen. */
function isEqual(left: unknown, right: unknown, seen: { values: number }): boolean {
  seen.values += 1;
  if (left === right) return true;
  if (Array.isArray(left))
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, at) => isEqual(item, right[at], seen))
    );
  if (!isPlain(left) || !isPlain(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name], seen))
  );
}
