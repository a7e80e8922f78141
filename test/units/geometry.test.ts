import { expect, test } from 'vitest';
import { monitorList } from '../../screens/monitors.ts';
import { geometry, isTooSmall, nextPlace, type PreviewWish } from '../../src/session/rows/geometry.ts';
import type { View } from '../../src/session/state/view.ts';
import { contentWidths } from '../../src/shell/list-block.ts';
import { contextOf } from '../support/plans.ts';
import { storedAs, sweep } from '../support/sweeps.ts';

/** What is beside or below the list, in its place and size, and where its key would put it next. */
function previewOf(columns: number, rows: number, wish: Partial<PreviewWish>): string {
  const { listWidth, previewWidth, previewRows, listRows } = geometry({ columns, rows }, { lines: 4, ...wish });
  expect(listWidth + previewWidth).toBe(columns);
  const size =
    previewWidth > 0 ? `right, ${previewWidth} cells` : previewRows > 0 ? `below, ${previewRows} rows` : 'off';
  return `${size}, ${listRows} of the list; then ${nextPlace({ columns, rows }, { lines: 4, ...wish })}`;
}

test('the preview has its place and size as was reviewed', async () => {
  const wishes: readonly Partial<PreviewWish>[] = [
    ...([
      {},
      { place: 'below' },
      { place: 'right' },
      { place: 'off' },
      { lines: 0 },
      { lines: 30 },
      { lines: 3, above: 1 },
    ] as const),
    ...[3, 8, 9, 10, 18, 19, 27, 28, 29].flatMap((rows) => [{ rows }, { rows, place: 'right' as const }]),
    { cells: 50 },
  ];
  const sweeps = wishes.flatMap((wish) => [
    ...[20, 29, 30, 40].map((rows) =>
      sweep(`${JSON.stringify(wish)}, ${rows} rows`, [79, 80, 120, 159, 160, 169, 170, 184, 185, 200], (columns) =>
        previewOf(columns, rows, wish),
      ),
    ),
  ]);
  await storedAs('geometry', sweeps);
});

test('under 60x16 there is only room for a sentence', () => {
  expect([isTooSmall({ columns: 59, rows: 40 }), isTooSmall({ columns: 60, rows: 15 })]).toEqual([true, true]);
  expect(isTooSmall({ columns: 60, rows: 16 })).toBe(false);
});

test('the column of states is as wide with NO DATA as without it', () => {
  const widths = (...states: string[]) => {
    const rows = new Map(states.map((state, at) => [String(at), { state, tags: [], groups: [], mutes: [], type: '' }]));
    const view = { list: monitorList, order: { key: '', ids: [...rows.keys()] }, rows } as unknown as View;
    return contentWidths(view, contextOf())[0];
  };
  expect(widths('Alert')).toBe('NO DATA'.length);
  expect(widths('Alert', 'No Data')).toBe('NO DATA'.length);
});
