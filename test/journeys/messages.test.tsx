import { expect, test } from 'vitest';
import { hasIssues } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { endClock, hasDisk, hasMute, hasSimple, silences } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import { untilSent } from '../support/sent.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const minute = 60_000;
const bare = { monitors: 0, issues: 0, columns: 80, rows: 24, pollMs: 300_000 } as const;
const issues = { ...bare, before: (service: Simulator) => hasIssues(service, 3) };
const story = stories(journey, issues);

story(
  'a message stays while the cursor moves and while time passes, until a key does something else',
  async (user, _, clock) => {
    await user.presses('A');
    await user.sees(new RegExp(`✓ ${receiptOf.acknowledge('E01')}`, 'i'));
    await clock.passes(minute);
    await user.presses('j', 'k', 'G', 'space');
    await user.sees(new RegExp(`✓ ${receiptOf.acknowledge('E01')}`, 'i'));
    await user.presses('2');
    await user.sees(/┌ Monitors/);
    await user.loses(receiptOf.acknowledge('E01'));
  },
);

story('the log has every message of the run, the newest first, with its problem in full', async (user, service) => {
  await user.presses('A');
  await user.sees(receiptOf.acknowledge('E01'));
  service.refuses(403, { body: { errors: ['Forbidden'] }, match: 'issues.set-state' });
  await user.presses('j', 'r');
  await user.sees('✗ Resolve failed: ');
  await user.presses('j', 'O');
  await user.sees('Reopen: ');
  await user.presses('!');
  await user.sees('[messages]');
  const lines = (await user.screen()).split('\n').filter((line) => /\d\d:\d\d /.test(line));
  expect(lines.map((line) => /reopen|resolve|acknowledged/i.exec(line)?.[0]?.toLowerCase())).toEqual([
    'reopen',
    'resolve',
    'acknowledged',
  ]);
  await user.presses('j', 'return');
  await user.sees(/Status +403/);
  await user.sees(/Server +Forbidden/);
  await user.sees(/Requires +error_tracking_read, error_tracking_write/);
  await user.presses('q');
  await user.sees('[messages]');
  await user.presses('q');
  await user.sees(/> OPN .*E03/);
});

story(
  'an edit whose connection is refused names itself, and the header no longer says live',
  async (user, service, clock) => {
    await user.sees('live');
    await service.stop();
    await user.presses('r');
    await untilSent(user, clock, '4s');
    await user.sees('✗ Resolve failed: ');
    expect(await user.line(/^ test /)).toContain('✗ offline: connection refused');
  },
);

const twoMuted = {
  ...bare,
  columns: 100,
  before(service: Simulator) {
    hasMute(service, hasDisk(service, { id: 77 }), '*', 13 * minute);
    hasSimple(service, 'Load', { id: 78 });
  },
} as const;

test(
  'the key of a notice acts on what the notice names, from any row and any screen, and the notice stays until then',
  journey(async (user, service, clock) => {
    await user.opens('monitors');
    const end = endClock(service, '77');
    await clock.passes(4 * minute);
    await user.sees(`! Mute on Disk ends in 9 min (${end} UTC) · + extend it`);
    await user.presses('/', 'load', 'return');
    await user.sees(/> .*Load/);
    await user.presses('?', 'q', '1');
    await user.sees(/┌ Issues/);
    await user.sees('! Mute on Disk ends in 9 min');
    await user.presses('+');
    await user.sees('Extend Disk');
    await user.presses('1');
    await user.sees('✓');
    await user.loses('! Mute on Disk ends in 9 min');
    expect(endClock(service, '77')).not.toBe(end);
    expect(silences(service, '78')).toEqual([]);
    await user.presses('!');
    await user.sees(/Mute on Disk ends in 10 min/);
  }, twoMuted),
);

test(
  'a notice that is dismissed in the log is gone, and its key with it',
  journey(async (user, _, clock) => {
    await user.opens('monitors');
    await clock.passes(4 * minute);
    await user.presses('!');
    await user.sees(/waiting +Mute on Disk/);
    await user.presses('d', 'q');
    await user.loses('! Mute on Disk');
    await user.presses('+');
    await user.loses('! Mute on Disk');
  }, twoMuted),
);

test(
  'a notice is gone when its mute has ended',
  journey(async (user, _, clock) => {
    await user.opens('monitors');
    await clock.passes(4 * minute);
    await user.presses('1');
    await user.sees('! Mute on Disk');
    await clock.passes(10 * minute);
    await user.loses('! Mute on Disk');
  }, twoMuted),
);
