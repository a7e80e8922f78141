import { expect, test } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasSimple } from '../support/monitors.ts';

const mine = { columns: 100, rows: 32, monitors: 0, issues: 0 } as const;

test(
  'an empty list shows the rows of a poll at once',
  journey(async (user, service) => {
    await user.presses('2');
    await user.sees(/Monitors 0\b/);
    // No box about no row, and no key that needs one.
    await user.neverSees('No row');
    expect(await user.line(/ help/)).toBe(' s search  n new  : palette  ? help  q quit');
    await user.polls();
    hasSimple(service, 'Disk is full', { overall_state: 'Alert' });
    await user.polls();
    await user.sees(/>.*Disk is full/);
    await user.neverSees(/new alerts? ▲/);
    // The list has rows now, so new ones wait while it is used.
    await user.presses('j');
    hasSimple(service, 'Another one', { overall_state: 'Alert' });
    await user.polls();
    await user.sees(/2 new alerts ▲/);
    await user.neverSees('Another one');
  }, mine),
);

test(
  'a list that a filter has emptied shows the rows of a poll at once',
  journey(
    async (user, service) => {
      await user.presses('2');
      await user.sees(/Monitors 1\b/);
      await user.presses('/', 'disk', 'return');
      await user.sees('No match for "disk" in 1 monitor');
      hasSimple(service, 'Disk is full', { overall_state: 'Alert' });
      await user.polls();
      await user.sees(/>.*Disk is full/);
      await user.sees(/Monitors <\/disk> 1 of 2\b/);
    },
    { ...mine, before: (service) => void hasSimple(service, 'Load', { overall_state: 'OK' }) },
  ),
);

test(
  'a search that finds nothing is named, with the key that changes it',
  journey(async (user, service) => {
    await user.presses('2');
    await user.sees('No monitors. n: new monitor, s: search');
    hasSimple(service, 'Load');
    await user.presses('s', 'disk', 'ctrl+s');
    await user.sees(/No match for .*disk.*\. s: change the search/);
    await user.neverSees('No monitors');
    await user.presses('1', 's', 'kiosk', 'ctrl+s');
    await user.sees(/No match for .*kiosk.* in 24h\. s: change the search, T: time range/);
  }, mine),
);
