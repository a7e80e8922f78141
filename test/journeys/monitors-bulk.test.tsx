import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasSimple, silences, silentUntil } from '../support/monitors.ts';
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

story(
  'unmuting several monitors, each of which has one mute, asks nothing, and u mutes them again',
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('*', 'm', '1');
    await user.sees('✓ Muted 5 monitors until');
    await user.presses('*', 'M');
    await user.sees(offering('✓ Unmuted 5 monitors'));
    expect(muted(service)).toEqual([]);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('unmuted 5 monitors')}`);
    expect(muted(service)).toEqual(ids);
  },
);
