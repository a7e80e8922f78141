import { describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { issueList } from '../../screens/issues.ts';
import { monitorList } from '../../screens/monitors.ts';
import type { Column } from '../../src/describe/column.ts';
import { flexFaults, flexWidths, narrowerFaults } from './columns.ts';

const lists = screens.flatMap((screen) => screen.lists);

describe.each(lists.map((list) => [list.id, list] as const))('%s', (_, list) => {
  test('has no column that is narrower on a wider terminal', () => {
    expect(narrowerFaults(list)).toEqual([]);
  });

  test('has one flex column, and shows its columns of priority 1 on the smallest terminal', () => {
    expect(flexFaults(list)).toEqual([]);
  });
});

test('the flex columns of issues and monitors have 44 cells at 100 and 120 columns', () => {
  for (const list of [issueList, monitorList]) expect(Math.min(...flexWidths(list))).toBeGreaterThanOrEqual(44);
});

test('the laws report a list that needs too much', () => {
  const column = (id: string, more: Partial<Column<never>>): Column<never> => ({
    id,
    title: id,
    min: 8,
    priority: 1,
    text: () => '',
    ...more,
  });
  const many = Array.from({ length: 12 }, (_, at) => column(`c${at}`, { min: 40, max: 40 }));
  expect(flexFaults({ id: 'planted', columns: many }).join()).toMatch(/0 flex columns.*c11 has no room/);
  const wide = [column('name', { flex: true }), column('tags', { priority: 2, min: 60, max: 60 })];
  expect(Math.min(...flexWidths({ columns: wide }))).toBeLessThan(44);
});
