import fc from 'fast-check';
import { expect, test } from 'vitest';
import { geometry, windowTop } from '../../src/session/list/geometry.ts';

test('the cursor is always inside the window, and the window inside the list', () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.nat(500),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 500 }),
      (top, place, height, count) => {
        const at = place % count;
        const first = windowTop(top, at, height, count);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(first).toBeLessThanOrEqual(Math.max(0, count - height));
        expect(at).toBeGreaterThanOrEqual(first);
        expect(at).toBeLessThan(first + height);
      },
    ),
  );
});

test('the window stays while the cursor is inside it, else moves by half its height', () => {
  expect(windowTop(0, 9, 10, 100)).toBe(0);
  expect(windowTop(0, 10, 10, 100)).toBe(5);
  expect(windowTop(20, 19, 10, 100)).toBe(15);
});

test('panes that fit are shown: preview at 100, rail at 120, a split below on tall terminals', () => {
  expect(geometry({ columns: 59, rows: 40 }, true).kind).toBe('tooSmall');
  expect(geometry({ columns: 80, rows: 24 }, true)).toMatchObject({
    kind: 'list',
    rail: 0,
    previewWidth: 0,
    previewRows: 0,
  });
  expect(geometry({ columns: 80, rows: 40 }, true).previewRows).toBeGreaterThan(5);
  expect(geometry({ columns: 100, rows: 30 }, true).previewWidth).toBe(40);
  const wide = geometry({ columns: 200, rows: 50 }, true);
  expect(wide.rail + wide.listWidth + wide.previewWidth).toBe(200);
});
