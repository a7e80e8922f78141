import { expect, test } from 'vitest';
import { openCache } from '../../../src/cache/cache.ts';
import { createSteppedClock, settled } from '../../support/steppedclock.ts';

test('a read begins after everything that the key itself has set off', async () => {
  const order: string[] = [];
  const run = async () => {
    order.push('read');
    return { ok: true, value: [], status: 200, unread: [] } as never;
  };
  const client = { run, holdBack: () => 0, slowdown: () => 1 };
  const cache = openCache(client, { clock: createSteppedClock(), random: () => 0.5 });
  cache.watch({ key: 'things', of: [], *plan() {} } as never, { everyMs: 15_000 }, () => {});
  expect(cache.known('things').asking).toBe(true);
  // A frame is drawn and written in steps of the same turn.
  for (let step = 0; step < 100; step += 1) await undefined;
  order.push('frame');
  await settled();
  expect(order).toEqual(['frame', 'read']);
  cache.close();
});
