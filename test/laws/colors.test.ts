import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { Column } from '../../src/describe/column.ts';
import { clientAt } from '../support/client-at.ts';
import { createTestClock } from '../support/clock.ts';
import { contextOf } from '../support/plans.ts';
import { createSimulator } from '../support/simulator.ts';
import { colorFaults } from './colors.ts';

test('no column of a list is colored in most of its rows', async () => {
  const clock = createTestClock();
  const service = createSimulator({ seed: 5, monitors: 60, issues: 60, clock, lively: false });
  const client = clientAt(await service.start(), { readOnly: true, clock, random: () => 0.5 });
  const context = contextOf({ now: clock.now() });
  const faults: string[] = [];
  let judged = 0;
  try {
    for (const list of screens.flatMap((screen) => screen.lists)) {
      const asked = { search: list.search?.initial ?? {}, range: list.ranges?.initial ?? '' };
      const result = await client.run(list.load(asked, context).plan(context));
      const rows = (result.ok ? result.value.rows : []) as readonly never[];
      judged += rows.length >= 6 ? 1 : 0;
      faults.push(...colorFaults(list, rows, context));
    }
  } finally {
    await client.close();
    await service.stop();
  }
  expect(faults).toEqual([]);
  expect(judged).toBeGreaterThan(10);
});

test('the law reports a color of most rows, not one of few', () => {
  const column: Column<never> = {
    id: 'source',
    title: 'SOURCE',
    min: 8,
    priority: 1,
    text: (row) => row,
    tone: (row) => (row === 'api' ? 'info' : 'plain'),
  };
  const faultsOf = (...rows: string[]) =>
    colorFaults({ id: 'planted', columns: [column] }, rows as never[], contextOf());
  expect(faultsOf('api', 'api', 'api', 'api', 'file', 'file')).toEqual(['planted: source is colored in 4 of 6 rows']);
  expect(faultsOf('api', 'api', 'api', 'file', 'file', 'file')).toEqual([]);
});
