import { expect, test } from 'vitest';
import { journey } from '../support/journey.tsx';
import { endClock, hasDisk, hasMute, hasSimple, silences } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

/** Polls are rare, because hours pass. */
const mine = { columns: 100, rows: 24, monitors: 0, pollMs: 300_000 } as const;
const minute = 60_000;
const withDisk = { ...mine, before: (service: Simulator) => void hasDisk(service, { id: 77 }) };
const story = stories(journey, withDisk);

story('when a mute ends, the row alerts again without a key', async (user, service, clock) => {
  await user.opens('monitors');
  await user.presses('m', 't', '9m', 'return');
  await user.sees(`✓ ${receiptOf.mute('Disk')}`);
  const end = endClock(service, '77');
  expect(await user.line(/^│.>/)).toContain('9m left');
  await user.presses('return');
  await user.sees(`Will notify again at ${end} UTC if still alerting`);
  await user.presses('q');
  await clock.passes(10 * minute);
  await user.sees(/^│.> ALERT +– +Disk +(metric +)?2\/3/m);
  expect(silences(service, '77')).toEqual([]);
  await user.presses('M');
  await user.sees('! Unmute: not muted');
});

story('the bell rings once, ten minutes before a mute ends; + extends that mute', async (user, service, clock) => {
  await user.opens('monitors');
  await user.presses('m', 't', '13m', 'return');
  await user.sees(`✓ ${receiptOf.mute('Disk')}`);
  const end = endClock(service, '77');
  await clock.passes(2 * minute);
  expect(user.rung).toEqual([]);
  await clock.passes(2 * minute);
  expect(user.rung).toEqual(['test: 1 expiring mute']);
  // The notice stays until it is handled.
  await clock.passes(minute);
  await user.sees(`! Mute on Disk ends in 8 min (${end} UTC) · + extend it`);
  expect(user.rung).toHaveLength(1);
  await user.presses('+', 't', '5m', 'return');
  await user.sees(/✓ Muted until .* UTC: Disk/);
  await clock.passes(2 * minute);
  expect(user.rung).toHaveLength(1);
  await clock.passes(2 * minute);
  expect(user.rung).toHaveLength(2);
});

story('the bell rings on every screen', async (user, _, clock) => {
  await user.opens('monitors');
  await user.presses('m', 't', '12m', 'return');
  await user.sees(`✓ ${receiptOf.mute('Disk')}`);
  await user.presses('1');
  await user.sees('[1 iss');
  await clock.passes(3 * minute);
  expect(user.rung).toEqual(['test: 1 expiring mute']);
  await user.sees(/! Mute on Disk ends in \d+ min .* · \+ extend it/);
});

test(
  'no bell rings for a mute about to end when first read, one without end, one of many monitors, or one of somebody else',
  journey(
    async (user, _, clock) => {
      await user.opens('monitors');
      await user.sees(/Monitors 4\b/);
      await clock.passes(8 * minute);
      await user.sees(/! Mute on Other ends in \d min/);
      expect(user.rung).toEqual([]);
    },
    {
      ...mine,
      before: (service) => {
        hasMute(service, hasDisk(service), '*', 5 * minute);
        hasMute(service, hasSimple(service, 'Load'), '*', null);
        hasSimple(service, 'Tagged', { tags: ['team:search'] });
        const end = Math.floor(service.now() / 1000) + 15 * 60;
        service.has('downtime', { monitor_tags: ['team:search'], scope: ['*'], end });
        hasMute(service, hasSimple(service, 'Other'), '*', 15 * minute);
      },
    },
  ),
);

story('the first key after ten minutes without one reads the list again', async (user, service, clock) => {
  await user.opens('monitors');
  await clock.passes(9 * minute);
  await user.presses('down');
  const reads = () => service.received('GET', '/api/v1/monitor').length;
  const before = reads();
  await user.presses('up');
  expect(reads()).toBe(before);
  await clock.passes(11 * minute);
  const idle = reads();
  await user.presses('down');
  expect(reads()).toBeGreaterThan(idle);
  await user.sees('● live 5m');
});
