import { describe, expect, test } from 'vitest';
import { monitorList } from '../../screens/monitors.ts';
import {
  geometry,
  isTooSmall,
  nextPlace,
  type PreviewPlace,
  type PreviewWish,
} from '../../src/session/rows/geometry.ts';
import type { View } from '../../src/session/state/view.ts';
import { contentWidths } from '../../src/shell/list-block.ts';
import { contextOf } from '../support/plans.ts';

describe('the preview', () => {
  const at = (columns: number, rows: number, wish: Partial<PreviewWish> = {}) => {
    const { listWidth, previewWidth, previewRows } = geometry({ columns, rows }, { lines: 4, ...wish });
    expect(listWidth + previewWidth).toBe(columns);
    return previewWidth > 0 ? 'right' : previewRows > 0 ? 'below' : 'off';
  };

  test('lies below from 80 columns and 30 rows, and on the right from 160 columns', () => {
    expect([at(79, 50), at(80, 29), at(159, 29)]).toEqual(['off', 'off', 'off']);
    expect([at(80, 30), at(159, 50)]).toEqual(['below', 'below']);
    expect([at(160, 16), at(240, 50)]).toEqual(['right', 'right']);
  });

  test('is where its person put it, as far as there is room, and nowhere for a list without one', () => {
    expect([at(160, 30, { place: 'below' }), at(160, 29, { place: 'below' })]).toEqual(['below', 'right']);
    expect([at(120, 40, { place: 'right' }), at(200, 50, { place: 'off' })]).toEqual(['below', 'off']);
    expect(at(200, 50, { lines: 0 })).toBe('off');
  });

  test('goes from below to the right to nowhere, past the places without room', () => {
    const next = (columns: number, rows: number, place?: PreviewPlace) =>
      nextPlace({ columns, rows }, { place, lines: 4 });
    expect([next(200, 50, 'below'), next(200, 50, 'right'), next(200, 50, 'off')]).toEqual(['right', 'off', 'below']);
    expect([next(120, 40), next(120, 40, 'off')]).toEqual(['off', 'below']);
    expect([next(160, 24), next(160, 24, 'off')]).toEqual(['off', 'right']);
    expect([next(80, 24), next(80, 24, 'off')]).toEqual(['off', 'off']);
  });

  test('is as high as it needs, and a third of the body at most', () => {
    expect(geometry({ columns: 120, rows: 40 }, { lines: 3 })).toMatchObject({ previewRows: 5, listRows: 29 });
    expect(geometry({ columns: 120, rows: 40 }, { lines: 3, above: 1 })).toMatchObject({
      previewRows: 5,
      listRows: 28,
    });
    expect(geometry({ columns: 120, rows: 40 }, { lines: 30 }).previewRows).toBe(12);
  });

  test('has the lines that a short list does not need, and no fewer than without it', () => {
    const room = (rows: number) => geometry({ columns: 120, rows: 40 }, { lines: 4, rows });
    expect(room(3)).toMatchObject({ listRows: 3, previewRows: 31 });
    expect(room(27)).toMatchObject({ listRows: 27, previewRows: 7 });
    expect(room(28)).toMatchObject({ listRows: 28, previewRows: 6 });
    expect(room(29)).toMatchObject({ listRows: 28, previewRows: 6 });
  });

  test('has the lines that a short list leaves on a low terminal, too, from five on', () => {
    const room = (rows: number | undefined, columns = 100) => geometry({ columns, rows: 20 }, { lines: 4, rows });
    expect(room(3)).toMatchObject({ listRows: 3, previewRows: 11 });
    expect(room(9)).toMatchObject({ listRows: 9, previewRows: 5 });
    expect(room(10)).toMatchObject({ listRows: 14, previewRows: 0 });
    expect([room(3, 79).previewRows, room(undefined).previewRows]).toEqual([0, 0]);
    const next = (place: PreviewPlace) => nextPlace({ columns: 100, rows: 20 }, { place, lines: 4, rows: 3 });
    expect([next('below'), next('off')]).toEqual(['off', 'below']);
  });

  test('beside the list leaves it 120 columns', () => {
    const widths = (columns: number) => geometry({ columns, rows: 50 }, { lines: 4 }).previewWidth;
    expect([widths(160), widths(184), widths(185), widths(200)]).toEqual([40, 64, 64, 70]);
    const issues = (columns: number) => geometry({ columns, rows: 50 }, { lines: 4, cells: 50 }).previewWidth;
    expect([issues(160), issues(170), issues(200)]).toEqual([40, 50, 50]);
  });

  test('lies below a short list where it would have under 50 cells beside it', () => {
    const short = (columns: number, rows: number) => at(columns, 30, { rows });
    expect([short(160, 18), short(160, 19)]).toEqual(['below', 'right']);
    expect([short(169, 18), short(170, 18)]).toEqual(['below', 'right']);
    expect(at(160, 30, { rows: 3, place: 'right' })).toBe('right');
    expect(at(160, 20, { rows: 8 })).toBe('below');
  });
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
