import { expect, test } from 'vitest';
import { journey } from '../support/journey.tsx';
import { clockIn, endClock, hasDisk, hasSimple, hour, silences, silentUntil } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 80, rows: 24, monitors: 0 } as const;
const withDisk = { ...mine, before: (service: Simulator) => void hasDisk(service, { id: 77 }) };
const story = stories(journey, withDisk);
const minute = 60_000;

/** Checks that the end is `ms` ahead, within the duration of a test. */
function endsIn(service: Simulator, ms: number) {
  const end = silentUntil(service, '77');
  expect(Math.abs((end ?? 0) - service.now() - ms)).toBeLessThan(15_000);
}

story(
  'm1 mutes the monitor under the cursor for an hour; the receipt shows the end, u unmutes',
  async (user, service, clock) => {
    await user.opens('monitors');
    service.forgets();
    await user.presses('m', '1');
    await user.sees(offering(new RegExp(`✓ ${receiptOf.mute('Disk')} .*`)));
    endsIn(service, hour);
    const end = endClock(service, '77');
    await user.sees(offering(`✓ ${receiptOf.mute('Disk')} ${end} UTC`));
    const sent = () => service.received().map(({ method, path }) => `${method} ${path}`);
    // The answer tells the row: the list is not read again for it.
    expect(sent()).toEqual(['POST /api/v1/monitor/77/mute']);
    expect(await user.line(/^│.>/)).toContain('1h left');
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo(receiptOf.mute('Disk'))}`);
    expect(silences(service, '77')).toEqual([]);
    expect(await user.line(/^│.>/)).not.toContain('left');
    expect(sent().slice(1)).toEqual(['POST /api/v1/monitor/77/unmute']);
    await clock.passes(25_000);
    expect(await user.line(/^│.>/)).not.toContain('left');
    expect(sent().slice(2)).toEqual(['GET /api/v1/monitor']);
  },
);

story(
  'u on another screen names the edit and its screen and asks, and so does Ctrl-Y until something else is done',
  async (user, service, clock) => {
    await user.opens('monitors');
    await user.presses('m', '1');
    await user.sees(`✓ ${receiptOf.mute('Disk')}`);
    await clock.passes(1000);
    await user.opens('retention');
    await user.presses('u');
    await user.sees('Undo the last edit on Monitors?');
    await user.sees(new RegExp(`${receiptOf.mute('Disk')}`));
    await user.presses('return');
    await user.loses('Undo the last edit');
    expect(silences(service, '77')).toEqual(['* mute']);
    await user.presses('u', 'y');
    await user.sees(offering(new RegExp(`✓ ${receiptOf.undo(receiptOf.mute('Disk'))} .*`), 'redo'));
    expect(silences(service, '77')).toEqual([]);
    await user.presses('ctrl+y');
    await user.sees('Redo the last edit on Monitors?');
    expect(silences(service, '77')).toEqual([]);
    await user.presses('y');
    await user.sees(`✓ ${receiptOf.mute('Disk')}`);
    expect(silences(service, '77')).toEqual(['* mute']);
    await user.presses('ctrl+y');
    await user.sees('nothing to redo');
    await user.opens('monitors');
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo(receiptOf.mute('Disk'))}`);
    await user.presses('m', '4');
    await user.sees(`✓ ${receiptOf.mute('Disk')}`);
    await user.presses('ctrl+y');
    await user.sees('nothing to redo');
  },
);

story('the mute bar accepts a duration, a time, a day and forever', async (user, service) => {
  await user.opens('monitors');
  await user.presses('m', 't', '45m', 'return');
  await user.sees(`✓ ${receiptOf.mute('Disk')}`);
  await user.sees(`✓ ${receiptOf.mute('Disk')} ${endClock(service, '77')}`);
  endsIn(service, 45 * minute);
  const soon = clockIn(service, 3 * hour);
  await user.presses('m', 't', `until ${soon}`, 'return');
  await user.sees(new RegExp(`✓ ${receiptOf.mute('Disk')} (tomorrow )?${soon}`));
  expect(new Date(silentUntil(service, '77') ?? 0).toISOString().slice(11, 16)).toBe(soon);
  await user.presses('m', 't', 'tomorrow 09:00', 'return');
  await user.sees(`✓ ${receiptOf.mute('Disk')} tomorrow 09:00`);
  const tomorrow = new Date(service.now() + 24 * hour).toISOString().slice(0, 10);
  expect(new Date(silentUntil(service, '77') ?? 0).toISOString()).toBe(`${tomorrow}T09:00:00.000Z`);
  await user.presses('m', 't', 'forever', 'return');
  await user.sees(`✓ ${receiptOf.mute('Disk', null)}`);
  expect(silentUntil(service, '77')).toBe(null);
  await user.sees(/> ALERT .*Disk .*forever/);
});

story('m1 on a group mutes only that group', async (user, service) => {
  await user.opens('monitors');
  await user.presses('return', ']', 'j', 'm', '1');
  await user.sees(`✓ ${receiptOf.mute('host:web-2 of Disk')}`);
  const end = endClock(service, '77');
  await user.sees(offering(`✓ ${receiptOf.mute('host:web-2 of Disk')} ${end} UTC`));
  expect(silences(service, '77')).toEqual(['host:web-2 mute']);
  expect(await user.line('> WARN')).toContain(`${end} UTC`);
  expect(await user.line('host:web-1')).not.toContain('UTC');
  await user.presses('q');
  // A group still alerts, so the row keeps its color and says that a part is muted.
  expect(await user.line(/^│.>/)).toMatch(/ALERT .*Disk .*2\/3 +1\/3 1h/);
});

test(
  's cycles through the scopes',
  journey(
    async (user, service) => {
      await user.opens('monitors');
      await user.presses('m');
      await user.sees('Mute Disk · scope all groups');
      await user.presses('s');
      await user.sees('scope host:web-1');
      await user.presses('s');
      await user.sees('scope host:web-2');
      await user.presses('1');
      await user.sees(`✓ ${receiptOf.mute('host:web-2 of Disk')}`);
      await user.presses('j', 'return', ']', 'm');
      await user.sees('Mute Pair · scope env:prod,host:db-1');
      await user.presses('s');
      await user.sees(/scope env:prod$/m);
      await user.presses('s');
      await user.sees(/scope host:db-1$/m);
      await user.presses('s');
      await user.sees('scope all groups');
      await user.presses('s', 's', '1');
      await user.sees(`✓ ${receiptOf.mute('env:prod of Pair')}`);
      expect(silences(service, '78')).toEqual(['env:prod mute']);
    },
    {
      ...mine,
      before: (service) => {
        hasDisk(service, { id: 77 });
        hasSimple(service, 'Pair', {
          id: 78,
          query: 'avg(last_5m):avg:disk.used{*} by {env,host} > 90',
          groups: { 'env:prod,host:db-1': 'Warn', 'env:dev,host:db-2': 'OK' },
        });
      },
    },
  ),
);

story(
  'windows ahead are said back with the next three, planned as a downtime, and taken back by u',
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('m', 't', 'every Tue 22:00');
    await user.sees('Duration, end time or windows');
    await user.neverSees('next Tue 22:00');
    await user.presses(' for 2h');
    await user.sees(/every Tue 22:00 for 2h; next Tue 22:00, \d+ [A-Z][a-z]+ 22:00/);
    await user.presses('return');
    await user.sees(/✓ Planned the mute of Disk: every Tue 22:00 for 2h/);
    const [planned] = [...service.org.silences.values()];
    expect(planned).toMatchObject({ made: 'v2', monitor: '77', canceled: null });
    expect(planned?.rule?.recurrences).toMatchObject([{ duration: '2h', rrule: 'FREQ=WEEKLY;BYDAY=TU' }]);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('Planned the mute of Disk')}`);
    expect(planned?.canceled).not.toBeNull();
    await user.presses('m', 't', 'every Tue', 'return');
    await user.sees('when, and how long? type 22:00-23:30');
  },
);

story('a mute with a reason is a downtime; the detail shows reason, creator and end', async (user, service) => {
  await user.opens('monitors');
  await user.presses('m', 'r', 'patching 配送', 'return');
  await user.sees('Mute Disk · scope all groups · reason patching 配送');
  await user.presses('4');
  await user.sees(new RegExp(`✓ ${receiptOf.mute('Disk')} (tomorrow )?\\d\\d:\\d\\d`));
  expect(service.received('POST', '/downtime').at(-1)?.body).toMatchObject({
    data: { attributes: { message: 'patching 配送', monitor_identifier: { monitor_id: 77 } } },
  });
  expect(silences(service, '77')).toEqual(['* v2']);
  await user.presses('return');
  await user.sees(/Muted +all groups until .* by downtime \d+ .*reason/);
  await user.sees('Will notify again at');
  await user.presses('[', '[');
  await user.sees('[Mutes 1]');
  await user.sees(/all groups.* patching/);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo(receiptOf.mute('Disk'))}`);
  await user.sees('No mutes');
  expect(silences(service, '77')).toEqual([]);
});

story('Esc closes the typed line first, then the bar; nothing is sent', async (user, service) => {
  await user.opens('monitors');
  service.forgets();
  await user.presses('m', 'r', 'oops', 'esc');
  await user.sees('Mute Disk · scope all groups');
  await user.neverSees('oops');
  await user.presses('esc');
  await user.sees('Enter open');
  expect(service.received('POST')).toEqual([]);
});

test.each([
  [404, ['monitors.mute'], 'v2'],
  [405, ['monitors.mute'], 'v2'],
  [404, ['monitors.mute', 'downtimes.create'], 'v1'],
] as const)('where the deployment answers %i to %j, m1 takes the next way and remembers it', (status, missing, way) =>
  journey(async (user, service) => {
    service.withdraws(missing, status);
    await user.opens('monitors');
    await user.presses('m', '1');
    await user.sees(offering(`✓ ${receiptOf.mute('Disk')} ${clockIn(service, hour)} UTC`));
    expect(silences(service, '77')).toEqual([`* ${way}`]);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('')}`);
    expect(silences(service, '77')).toEqual([]);
    service.forgets();
    await user.presses('m', '1');
    await user.sees(`✓ ${receiptOf.mute('Disk')}`);
    expect(service.received('POST', '/mute')).toEqual([]);
  }, withDisk)(),
);

story('where the deployment offers no way to mute, m says so at once', async (user, service) => {
  service.withdraws(['monitors.mute', 'downtimes-v1.create', 'downtimes.create']);
  await user.opens('monitors');
  await user.presses('m', '1');
  await user.sees('✗ Mute failed: this deployment offers no way to mute; nothing was changed');
  await user.presses('m');
  await user.sees('! Mute: this deployment offers neither mutes nor downtimes');
  await user.neverSees('1 1h');
});

story('the receipt says when the service ignored the end', async (user, service) => {
  await user.opens('monitors');
  service.refuses(200, {
    match: 'monitors.mute',
    body: { id: 77, name: 'Disk', type: 'query alert', options: { silenced: { '*': null } } },
  });
  await user.presses('m', '1');
  await user.sees('! Muted Disk forever: the service ignored the end, mute it again');
});

story(
  'a monitor from the search is read before its mute is replaced, so that undo restores it',
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('m', '4');
    await user.sees(`✓ ${receiptOf.mute('Disk')}`);
    const before = silentUntil(service, '77');
    await user.presses('s', 'title:Disk', 'return', 'return');
    await user.sees('1 match');
    await user.presses('m', '1');
    await user.sees(/! Muted Disk until \d\d:\d\d UTC, SHORTENED from \d\d:\d\d UTC/);
    endsIn(service, hour);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('')}`);
    expect(silentUntil(service, '77')).toBe(before);
  },
);

story('the receipt says when the scope matches no group any more', { columns: 120 }, async (user, service) => {
  await user.opens('monitors');
  // The row knows no groups, so the edit looks them up.
  service.refuses(403, { match: 'monitors.list', times: 99 });
  await user.presses('s', 'title:Disk', 'return', 'return');
  await user.sees(/ALERT +– +Disk .* \? +\?/);
  await user.sees('1 match');
  await user.presses('return', ']');
  await user.sees('> ALERT');
  await user.presses('j', 'j');
  await user.sees('> OK');
  service.org.monitors.get('77')?.groups.delete('host:web-3');
  await user.presses('m', '1');
  await user.sees(offering('no group of the monitor matches host:web-3: check the scope'));
});
