import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { endClock, hasDisk, hasMute, hour, silences, silentUntil } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const story = stories(journey, {});

const mine = { columns: 100, rows: 24, monitors: 0 } as const;
const muted = (...scopes: readonly string[]) => ({
  ...mine,
  before: (service: Simulator) => {
    hasDisk(service, { id: 77 });
    for (const scope of scopes) hasMute(service, '77', scope, 2 * hour);
  },
});

story('M ends a single mute at once, and u restores it with its end', muted('*'), async (user, service) => {
  await user.opens('monitors');
  const end = silentUntil(service, '77');
  const shown = endClock(service, '77');
  service.forgets();
  await user.presses('M');
  await user.sees(offering(`✓ ${receiptOf.unmute('Disk')}`));
  expect(silences(service, '77')).toEqual([]);
  expect(await user.line(/^│.>/)).not.toContain(shown);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo(receiptOf.unmute('Disk'))}`);
  expect(silentUntil(service, '77')).toBe(end);
  await user.sees(/> ALERT +– +Disk.* 2\/3 +\d+[hm] left/);
});

for (const [what, made, ms] of [
  ['that ends before', 'v1', hour],
  ['that ends with', 'v2', 2 * hour],
] as const)
  story(
    `M also ends a mute ${what} the downtime that hides it, and says so; u restores both`,
    muted('*'),
    async (user, service) => {
      const [hidden] = service.org.silences.values();
      const end = silentUntil(service, '77') ?? 0;
      const downtime = { monitor_id: 77, end: end / 1000, scope: ['*'] };
      Object.assign(hidden ?? {}, { end: end - 2 * hour + ms });
      if (made === 'v1') service.has('downtime', downtime);
      else
        service.has('downtime', {
          monitor_identifier: { monitor_id: 77 },
          schedule: { end: new Date(end).toISOString() },
        });
      await user.opens('monitors');
      await user.polls();
      expect(silences(service, '77')).toEqual([`* ${made}`, '* mute'].sort());
      await user.presses('M');
      await user.sees(offering(/✓ Unmuted Disk; also ended a mute until .* UTC that downtime \S+ hid/));
      expect(silences(service, '77')).toEqual([]);
      await user.presses('u');
      await user.sees('✓ Undone: unmuted Disk');
      expect(silences(service, '77')).toHaveLength(2);
    },
  );

story(
  'several mutes are a menu; Enter ends the chosen one, and the receipt names what is left',
  muted('host:web-1', 'host:web-2'),
  async (user, service) => {
    await user.opens('monitors');
    expect(await user.line(/^│.>/)).toContain('2/3 2h left');
    service.forgets();
    // Who expects M to end the one mute has not seen that there are two.
    await user.sends('M1\r');
    await user.sees('Enter was pressed before the row was drawn: press it again');
    await user.presses('esc');
    await user.presses('M');
    await user.sees('1  host:web-1 until');
    await user.sees('2  host:web-2 until');
    await user.sees('a  all mutes of this monitor alone');
    expect(service.received('POST')).toEqual([]);
    await user.presses('j', 'return');
    await user.sees(
      offering(new RegExp(`✓ ${receiptOf.unmute('host:web-2 of Disk')}; on host:web-1 until .* \\(another mute\\)`)),
    );
    expect(silences(service, '77')).toEqual(['host:web-1 mute']);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('')}`);
    expect(silences(service, '77')).toEqual(['host:web-1 mute', 'host:web-2 mute']);
  },
);

story(
  'a ends all mutes after the count is typed; one u restores them',
  muted('host:web-1', 'host:web-2'),
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('M', 'a');
    await user.sees('End 2 mutes of Disk?');
    await user.presses('return');
    await user.sees('! Type 2 to confirm, or Esc');
    expect(silences(service, '77')).toHaveLength(2);
    await user.presses('2', 'return');
    await user.sees(`✓ ${receiptOf.unmute('host:web-1, host:web-2 of Disk')}`);
    expect(silences(service, '77')).toEqual([]);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('')}`);
    expect(silences(service, '77')).toEqual(['host:web-1 mute', 'host:web-2 mute']);
  },
);

story(
  'in the detail, M ends the mute of the group or the mute under the cursor',
  muted('host:web-1', 'host:web-2'),
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('return', ']', 'M');
    await user.sees(`✓ ${receiptOf.unmute('host:web-1 of Disk')}`);
    expect(silences(service, '77')).toEqual(['host:web-2 mute']);
    await user.presses('j', 'j', 'M');
    await user.sees(/1 {2}host:web-2 .* by a mute/);
  },
);

story(
  'in the detail, M on a group under a mute of all groups asks which of several to end',
  muted('*', 'host:web-2'),
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('return', ']');
    service.forgets();
    await user.presses('M');
    await user.sees(/1 {2}all groups .* by a mute/);
    expect(service.received('POST')).toEqual([]);
    await user.presses('2');
    await user.sees('STILL MUTED');
    expect(silences(service, '77')).toEqual(['* mute']);
  },
);

story(
  'M ends the downtime that mutes the monitor; u recreates it with its reason',
  {
    ...mine,
    before: (service) => {
      hasDisk(service, { id: 77 });
      const end = Math.floor(service.now() / 1000) + 7200;
      service.has('downtime', { id: 812, monitor_id: 77, scope: ['*'], end, message: 'failover' });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('M');
    await user.sees(offering(`✓ ${receiptOf.unmute('Disk')}`));
    expect(service.received('DELETE').map((call) => call.path)).toEqual(['/api/v1/downtime/812']);
    expect(silences(service, '77')).toEqual([]);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('')}`);
    expect(silences(service, '77')).toEqual(['* v1']);
    expect(service.received('POST', '/downtime').at(-1)?.body).toMatchObject({ message: 'failover', monitor_id: 77 });
  },
);

story(
  'a downtime of the second version is canceled by its own id',
  {
    ...mine,
    before: (service) => {
      hasDisk(service, { id: 77 });
      service.has('downtime', {
        id: '00000000-0000-4000-8000-000000000812',
        monitor_identifier: { monitor_id: 77 },
        scope: '*',
        message: 'vendor work',
        schedule: { start: null, end: new Date(service.now() + 2 * hour).toISOString() },
      });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('return', '[', '[');
    await user.sees('vendor work');
    await user.presses('M');
    await user.sees(`✓ ${receiptOf.unmute('Disk')}`);
    expect(silences(service, '77')).toEqual([]);
    await user.sees('No mutes');
  },
);

const byTag = (service: Simulator) => {
  hasDisk(service, { id: 77 });
  const end = Math.floor(service.now() / 1000) + 5 * 3600;
  service.has('downtime', {
    id: 813,
    monitor_tags: ['team:core'],
    scope: ['*'],
    end,
    message: 'move of the core team',
  });
};

story(
  'the receipt names a downtime by tag that still mutes; ending that one asks first',
  { ...mine, columns: 140, before: byTag },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('m', '1');
    await user.sees(/! Muted Disk .* by downtime 813; yours ends \d\d:\d\d UTC/);
    await user.presses('return', '[', '[');
    await user.sees(/downtime 813 .*every monitor ta/);
    await user.presses('M');
    await user.sees(/STILL MUTED until .* \(downtime 813/);
    expect(silences(service, '77')).toEqual([]);
    await user.presses('M');
    await user.sees('End downtime 813?');
    await user.sees('Everything that it mutes may notify again');
    await user.presses('return');
    await user.sees(/> .*downtime 813/);
    expect(service.received('DELETE')).toEqual([]);
    await user.presses('M', 'y');
    await user.sees(`✓ ${receiptOf.unmute('Disk')}`);
    expect(service.received('DELETE').map((call) => call.path)).toEqual(['/api/v1/downtime/813']);
    await user.sees('No mutes');
  },
);

story(
  'unmuting several monitors says how many stay muted, and by what',
  {
    ...mine,
    columns: 140,
    before(service) {
      byTag(service);
      hasDisk(service, { id: 78, name: 'Disk of logs' });
      hasDisk(service, { id: 79, name: 'Disk of another', tags: ['team:edge'] });
      for (const id of ['77', '78', '79']) hasMute(service, id, '*', 2 * hour);
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('*', 'M');
    await user.sees(/! Unmuted 3 monitors; 2 not as asked: .*STILL MUTED until .* \(downtime 813/);
    for (const id of ['77', '78', '79']) expect(silences(service, id)).toEqual([]);
  },
);

story('+ extends a mute, and u restores its end', muted('*'), async (user, service) => {
  await user.opens('monitors');
  const end = silentUntil(service, '77') ?? 0;
  await user.presses('+');
  await user.sees('Extend Disk');
  await user.sees('1 +1h  4 +4h  h +12h  d +1 day  w +1 week  t other…  Esc back');
  await user.presses('1');
  await user.sees(offering(`✓ Muted until ${new Date(end + hour).toISOString().slice(11, 16)} UTC: Disk`));
  expect(silentUntil(service, '77')).toBe(end + hour);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('')}`);
  expect(silentUntil(service, '77')).toBe(end);
  await user.presses('+', 't', '30m', 'return');
  await user.sees(/✓ Muted until .* UTC: Disk/);
  expect(silentUntil(service, '77')).toBe(end + hour / 2);
});

story('s selects which of several mutes to extend', muted('host:web-1', 'host:web-2'), async (user, service) => {
  await user.opens('monitors');
  await user.presses('+');
  await user.sees(/which host:web-1 .* by a mute/);
  await user.presses('s');
  await user.sees(/which host:web-2 .* by a mute/);
  await user.presses('4');
  await user.sees(/✓ Muted until .* UTC: host:web-2 of Disk/);
  const ends = [...service.org.silences.values()].map((silence) => [
    silence.scope.join(),
    (silence.end ?? 0) - service.now() > 3 * hour,
  ]);
  expect(Object.fromEntries(ends)).toEqual({ 'host:web-1': false, 'host:web-2': true });
});
