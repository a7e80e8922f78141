import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasMute, hasSimple, hour, silences, silentUntil } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const ids = ['101', '102', '103', '104', '105'];
const five = {
  columns: 80,
  rows: 24,
  monitors: 0,
  before: (service: Simulator) => {
    for (const id of ids) hasSimple(service, `Load ${id}`, { id: Number(id) });
  },
} as const;
const story = stories(journey, five);
const muted = (service: Simulator): string[] => ids.filter((id) => silences(service, id).length > 0);

story('m1 mutes a marked range, and one u unmutes all of it', async (user, service) => {
  await user.opens('monitors');
  await user.presses('v', '2', 'j', 'm');
  await user.sees('Mute 3 monitors');
  await user.neverSees('s scope');
  await user.presses('1');
  await user.sees(offering(/✓ Muted 3 monitors until \d\d:\d\d UTC/));
  expect(muted(service)).toHaveLength(3);
  await user.neverSees('marked');
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('muted 3 monitors')}`);
  expect(muted(service)).toEqual([]);
});

story(
  'muting several monitors shortens no longer mute; the bar and the receipt say which end counts',
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('m');
    await user.sees(/ 1h: until \d\d:\d\d UTC, 1 group, 1 alerting; no other mute covers it; notifies\s+again/);
    await user.presses('h');
    await user.sees(new RegExp(`✓ ${receiptOf.mute('Load 10\\d')}`));
    const [first = ''] = muted(service);
    const long = silentUntil(service, first);
    await user.presses('m');
    await user.sees(/shortens the current mute, which\s+ends/);
    await user.presses('esc', '*', 'm');
    await user.sees(/until \d\d:\d\d UTC, 4 of 5 monitors, 4 groups, 4 alerting; 1 stays muted\s+longer\s+\(until/);
    await user.presses('1');
    await user.sees(/! Muted 4 monitors until \d\d:\d\d UTC; 1 stays muted\s+longer\s+\(until/);
    expect(silentUntil(service, first)).toBe(long);
    expect(muted(service)).toEqual(ids);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('')}`);
    expect(muted(service)).toEqual([first]);
  },
);

story('refused rows stay marked with the reason; r retries only those', async (user, service) => {
  await user.opens('monitors');
  service.refuses(403, { match: 'POST /api/v1/monitor/102/mute', body: { errors: ['Forbidden'] } });
  await user.presses('*', 'm', '4');
  await user.sees('Mute: 1 of 5 failed');
  expect(await user.line('Load 102')).toContain('✗');
  expect(await user.line('Load 103')).toContain('✓');
  expect(muted(service)).toEqual(['101', '103', '104', '105']);
  service.forgets();
  await user.presses('r');
  await user.sees(new RegExp(`✓ ${receiptOf.mute('Load 102')}`));
  expect(service.received('POST', '/mute').map((call) => call.path)).toEqual(['/api/v1/monitor/102/mute']);
  expect(muted(service)).toEqual(ids);
});

story('unmuting several monitors asks for the count only where one has several mutes', async (user, service) => {
  await user.opens('monitors');
  await user.presses('*', 'm', '1');
  await user.sees('✓ Muted 5 monitors until');
  await user.presses('*', 'M');
  await user.sees(offering('✓ Unmuted 5 monitors'));
  expect(muted(service)).toEqual([]);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('unmuted 5 monitors')}`);
  expect(muted(service)).toEqual(ids);
});

story(
  'an edit of more than ten monitors asks for the typed count; pasting it does not confirm',
  {
    before: (service) => {
      for (let at = 0; at < 12; at += 1) {
        const id = hasSimple(service, `Load ${at}`);
        if (at < 2) hasMute(service, id, '*', 9 * hour);
      }
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('*', 'm', '1');
    await user.sees('12');
    await user.sees(/Mute 12 monitors until \d\d:\d\d UTC \(1h\)\? 10 groups, 10 alerting; 2 stay muted\b/);
    await user.sees(/longer \(until \d\d:\d\d UTC\)/);
    await user.presses('1', '1', 'return');
    await user.sees('! Type 12 to confirm, or Esc');
    await user.presses('backspace', '2');
    await user.sends('\r\r');
    await user.sees('Typed too early: press it again to confirm');
    expect(service.received('POST', '/mute')).toEqual([]);
    await user.presses('return');
    await user.sees('Muted 10 monitors until');
    expect(service.received('POST', '/mute')).toHaveLength(10);
  },
);

story('j. repeats the last action on the next row', async (user, service) => {
  await user.opens('monitors');
  await user.presses('m', 'd');
  await user.sees(new RegExp(`✓ ${receiptOf.mute('Load 10\\d')}`));
  service.forgets();
  await user.presses('j', '.');
  await user.sees(new RegExp(`✓ ${receiptOf.mute('Load 10\\d')}`));
  expect(service.received('POST', '/mute')).toHaveLength(1);
  expect(muted(service)).toHaveLength(2);
  for (const id of muted(service)) expect((silentUntil(service, id) ?? 0) - service.now()).toBeGreaterThan(23 * hour);
});
