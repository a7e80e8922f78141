import { describe, expect, test } from 'vitest';
import { section, textLine } from '../../src/describe/column.ts';
import { createTabs } from '../../src/session/rows/detail-view.ts';
import type { View } from '../../src/session/state/view.ts';
import { tableColumns } from '../../src/shell/list-block.ts';
import { contextOf } from '../support/plans.ts';

const edition = {};

test('a detail says its tabs once in an edition, and anew of another row, with what was read and in another edition', () => {
  let said = 0;
  const sections = () => {
    said += 1;
    return [section('a', '', [textLine('one')])];
  };
  const detail = { sections };
  const [row, other] = [{ id: 'a' }, { id: 'b' }];
  const tabs = createTabs();
  const context = contextOf();
  const first = tabs(detail, row, undefined, context, edition);
  expect(tabs(detail, row, undefined, contextOf(), edition)).toBe(first);
  const others = [
    tabs(detail, other, undefined, context, edition),
    tabs(detail, row, 'read', context, edition),
    tabs(detail, row, 'read', context, {}),
    tabs(detail, row, 'read', { ...context, subRowId: 'c' }, {}),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
  expect(said).toBe(5);
});

describe('a list', () => {
  const shown = [
    { id: 'name', title: 'NAME', min: 4, priority: 1, flex: true, text: ({ id }: { id: string }) => id },
    { id: 'age', title: 'AGE', min: 3, priority: 1, text: () => '3m' },
  ];
  const list = { columns: shown, shown };
  const rows = new Map([['one', { id: 'one' }]]);
  const view = { list, listState: {}, order: { key: '', ids: ['one'] }, rows } as unknown as View;
  const sorted = (by: string) => ({ ...view, listState: { sort: { by, down: true } } }) as View;

  test('has its arrow at the column that it is sorted by', () => {
    expect(tableColumns(sorted('age'), contextOf()).map((column) => column.sorted)).toEqual([undefined, 'down']);
    expect(tableColumns(sorted('name'), contextOf()).map((column) => column.sorted)).toEqual(['down', undefined]);
  });
});
