import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareUnchanged } from '../../../src/cache/cache.ts';
import { runAtOnce } from '../../../src/lib/slices.ts';
import { runs } from '../../support/runs.ts';

const share = <T>(before: unknown, value: T) => runAtOnce(shareUnchanged(before, value)) as T;

const row = (id: string, state = 'OK') => ({ id, state, groups: [{ name: `host:${id}`, state }] });
const answer = (...rows: readonly ReturnType<typeof row>[]) => ({ rows, notes: ['read'] });

describe('what an answer shares with the one before it', () => {
  test('the whole, where nothing has changed', () => {
    const before = answer(row('1'), row('2'));
    expect(share(before, answer(row('1'), row('2')))).toBe(before);
    expect(share(before.rows, [row('1'), row('2')])).toBe(before.rows);
  });

  test('every row but the changed one, and of that what it still is', () => {
    const before = answer(row('1'), row('2'));
    const after = share(before, answer(row('1'), { ...row('2'), state: 'Alert' }));
    expect(after).toStrictEqual(answer(row('1'), { ...row('2'), state: 'Alert' }));
    expect(after.rows[0]).toBe(before.rows[0]);
    expect(after.rows[1]).not.toBe(before.rows[1]);
    expect(after.rows[1]?.groups).toBe(before.rows[1]?.groups);
    expect(after.notes).toBe(before.notes);
  });

  test('rows that have moved, and no other list', () => {
    const before = answer(row('1'), row('2'), row('3'));
    const after = share(before, answer(row('new'), row('1'), row('3'), row('2')));
    expect(after.rows.map(({ id }) => id)).toStrictEqual(['new', '1', '3', '2']);
    expect(after.rows.slice(1)).toStrictEqual([before.rows[0], before.rows[2], before.rows[1]]);
    for (const [at, old] of [before.rows[0], before.rows[2], before.rows[1]].entries())
      expect(after.rows[at + 1]).toBe(old);
    const swapped = share(before, answer(row('2'), row('1'), row('3')));
    expect(swapped.rows.map(({ id }) => id)).toStrictEqual(['2', '1', '3']);
  });

  test('nothing where a name or a row is missing', () => {
    const before = answer(row('1'), row('2'));
    expect(share(before, answer(row('1')))).toStrictEqual(answer(row('1')));
    expect(share({ ...before, count: 2 }, answer(row('1'), row('2')))).toStrictEqual(before);
    expect(share(before, { ...before, count: 2 })).toStrictEqual({ ...before, count: 2 });
    expect(share([{ id: 'a', who: undefined }], [{ id: 'a', why: undefined }])).toStrictEqual([
      { id: 'a', why: undefined },
    ]);
  });

  test('never changes what an answer says', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, value) => {
        expect(share(before, structuredClone(value))).toEqual(value);
        expect(share({ rows: [before] }, { rows: [structuredClone(value)] })).toEqual({ rows: [value] });
      }),
      { numRuns: runs(200) },
    );
  });
});

test('many rows are compared with pauses, few without', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, id) => row(String(id)));
  const pauses = (count: number) => [...shareUnchanged({ rows: rows(count) }, { rows: rows(count) })].length;
  expect(pauses(1_000)).toBe(0);
  // Before and after: what brought them, and what they are drawn by, take turns of their own.
  expect(pauses(1_001)).toBe(2);
  // 210,000 values, of which 20,000 are compared between two pauses.
  expect(pauses(30_000)).toBe(12);
});

test('many rows that have moved are looked up with pauses, those of a list that has only grown not at all', () => {
  const rows = Array.from({ length: 60_000 }, (_, id) => ({ id: `${id}` }));
  const pauses = (before: readonly unknown[], after: readonly unknown[]) => [...shareUnchanged(before, after)].length;
  expect(pauses(rows.slice(0, 50_000), rows)).toBe(4);
  expect(pauses(rows, rows.toReversed())).toBe(7);
});

test('rows of a list that has only grown are not copied', () => {
  const [first, second] = [{ id: 1 }, { id: 2 }];
  const grown = [first, second];
  expect(share([first], grown)).toBe(grown);
});
