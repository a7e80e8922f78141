import { expect, test } from 'vitest';
import { fleetTime } from '../support/fleet.ts';

/** Design: performance, the fleet: hundreds of dashboards live on one rate limit, and every edit arrives. */
async function holds(dashboards: number, minutes: number) {
  const hour = await fleetTime(dashboards, minutes);
  expect(hour.failed).toBe(0);
  expect(hour.edits).toBeGreaterThan(dashboards / 8);
  expect(hour.editP99).toBeLessThanOrEqual(60);
  expect(hour.refusedShare).toBeLessThanOrEqual(0.05);
  // Spread evenly, the seconds of the minute would have one sixtieth each.
  expect(hour.busiestSecond).toBeLessThanOrEqual(0.06);
  return hour;
}

test('10 dashboards share one limit for 20 minutes', async () => {
  await holds(10, 20);
});

test('50 dashboards share one limit for 20 minutes', { tags: ['long'] }, async () => {
  await holds(50, 20);
});

test.each([100, 500])('%i dashboards share one limit for an hour', { tags: ['long', 'faults'] }, async (dashboards) => {
  const { calls } = await holds(dashboards, 60);
  // They slow down for each other, and no more than they must.
  expect(calls).toBeGreaterThan(60 * 100);
});
