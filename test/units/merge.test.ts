import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  at,
  canonicalJson,
  field,
  idIn,
  isSameJson,
  items,
  type JsonObject,
  merge,
  put,
  toAmount,
  toWord,
} from '../../src/lib/values.ts';

const leaf = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b'), fc.boolean());
const flat = fc.dictionary(fc.constantFrom('x', 'y', 'z'), leaf);
const document = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(leaf, flat, fc.array(leaf, { maxLength: 3 })));

test('reading and writing a path do not modify the original', () => {
  const before: JsonObject = { filter: { query: 'a', kept: 1 } };
  expect(at(before, 'filter.query')).toBe('a');
  expect(at(before, 'filter.query.more')).toBeUndefined();
  // A column of a table may be called like this.
  expect([at(before, 'filter.constructor'), field(before, 'constructor')]).toEqual([undefined, undefined]);
  expect(put(before, 'filter.query', 'b')).toEqual({ filter: { query: 'b', kept: 1 } });
  expect(put(before, 'filter.query', undefined)).toEqual({ filter: { kept: 1 } });
  expect(put(before, 'other.inner', undefined)).toBe(before);
  expect(put({ to: null }, 'to.path', '/')).toEqual({ to: { path: '/' } });
  expect(before).toEqual({ filter: { query: 'a', kept: 1 } });
});

test('what no schema has checked is read as a word, an amount or an id, or as none', () => {
  const told = (value: unknown) => [toWord(value), toAmount(value), idIn(value), items(value).length].join();
  expect(['', ' x ', '5', -1, 0, 5n, true, null, undefined, Infinity].map(told).join('; ')).toBe(
    ',,,0;  x ,,,0; 5,5,,0; -1,,,0; 0,0,,0; 5,5,,0; true,,,0; ,,,0; ,,,0; Infinity,,,0',
  );
  expect([[], [1], { id: ' a ' }, { data: { id: 7 } }, { data: 1 }].map(told).join('; ')).toBe(
    ',,,0; ,,,1; ,,a,0; ,,7,0; ,,,0',
  );
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: undefined, aa: 2 })).toBe('{"aa":2,"b":[{"d":1}]}');
});

describe('a merge', () => {
  test('of one change is that change, whoever made it', async () => {
    await fc.assert(
      fc.property(document, document, (base, changed) => {
        expect(merge(base, changed, base)).toEqual({ value: changed, conflicts: [] });
        expect(merge(base, base, changed)).toEqual({ value: changed, conflicts: [] });
        expect(merge(base, changed, changed)).toEqual({ value: changed, conflicts: [] });
      }),
    );
  });

  test('keeps both changes where they do not meet, at any depth', () => {
    const base = { name: 'a', to: { path: '/', bucket: 'b' }, gone: 1 };
    const ours = { name: 'a', to: { path: '/ours', bucket: 'b' } };
    const theirs = { name: 'theirs', to: { path: '/', bucket: 'b', lock: true }, gone: 1 };
    expect(merge(base, ours, theirs)).toEqual({
      value: { name: 'theirs', to: { path: '/ours', bucket: 'b', lock: true } },
      conflicts: [],
    });
  });

  test('names the path that both changed, also where one removed it', () => {
    expect(merge({ a: { b: 1 } }, { a: { b: 2 } }, { a: { b: 3 } }).conflicts).toEqual(['a.b']);
    expect(merge({ a: { b: 1 } }, { a: { b: 2 } }, { a: {} }).conflicts).toEqual(['a.b']);
    expect(merge({ a: 1 }, {}, { a: 2 }).conflicts).toEqual(['a']);
    expect(merge({ a: 1 }, { a: { b: 1 } }, { a: { b: 2 } }).conflicts).toEqual(['a']);
    expect(merge({ a: { b: 1 } }, { a: 2 }, { a: { b: 2 } }).conflicts).toEqual(['a']);
    expect(merge({}, { a: { b: 1 } }, { a: { b: 2 } }).conflicts).toEqual(['a.b']);
    expect(merge({ a: [1] }, { a: [1, 2] }, { a: [1, 3] }).conflicts).toEqual(['a']);
  });

  test('of sets adds and removes item by item', () => {
    const sets = new Set(['tags']);
    expect(merge({ tags: ['a', 'b'] }, { tags: ['b', 'c'] }, { tags: ['d', 'b', 'a'] }, sets)).toEqual({
      value: { tags: ['d', 'b', 'c'] },
      conflicts: [],
    });
  });

  test('ignores differences of spelling: member order, null for none, integers beyond 2^53', () => {
    expect(isSameJson({ a: 1, b: null }, { b: undefined, a: 1n })).toBe(true);
    expect(isSameJson([1, 2], [2, 1])).toBe(false);
    expect(merge({ a: { x: 1, y: 2 } }, { a: 'ours' }, { a: { y: 2, x: 1 } })).toEqual({
      value: { a: 'ours' },
      conflicts: [],
    });
  });
});
