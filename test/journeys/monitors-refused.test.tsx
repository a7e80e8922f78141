import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasSimple, silences } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import { here } from '../support/run-vocabulary.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 100, rows: 24, monitors: 0 } as const;
const story = stories(journey, mine);
const withDisk = { ...mine, before: (service: Simulator) => void hasDisk(service, { id: 77 }) };

/** The id of a user who is no administrator. */
function operator(service: Simulator): string {
  const roles = [...service.org.roles.values()]
    .filter((role) => role.name === here.role('Service Standard Role'))
    .map((role) => role.id);
  const id = [...service.org.users.values()].find(
    (account) => !account.disabled && account.roles.every((role) => roles.includes(role)),
  )?.id;
  if (id === undefined) throw new Error('everybody is an administrator');
  return id;
}

story('delete asks for the typed name and does nothing until then', withDisk, async (user, service) => {
  await user.opens('monitors');
  await user.presses('d');
  await user.sees(/Delete monitor Disk \(\d+\)\?/);
  await user.sees('Undo creates it again with a new ID, unmuted, in No Data; lost: its history');
  await user.presses('return');
  await user.sees('! Type Disk to confirm, or Esc');
  await user.pastes('Disk');
  await user.sends('\r\r');
  expect(service.received('DELETE')).toEqual([]);
  await user.presses('return');
  await user.sees('✓ Deleted Disk');
  await user.sees(/Monitors 0\b/);
  await user.sees('No monitors');
  expect(service.received('GET', 'can_delete')).toHaveLength(1);
  expect(service.received('DELETE').map((call) => call.path)).toEqual(['/api/v1/monitor/77']);
  await user.presses('u');
  await user.sees('Creates it again with a new ID, unmuted, in No Data, in 1 request');
  expect(service.org.monitors.size).toBe(0);
  await user.presses('y');
  await user.sees(receiptOf.undo('deleted Disk'));
  expect([...service.org.monitors.values()].map(({ id, name }) => [id === '77', name])).toEqual([[false, 'Disk']]);
});

story(
  'delete says which downtimes of the monitor stay, and ends them where that is chosen',
  {
    before: (service) => {
      hasDisk(service, { id: 77 });
      hasSimple(service, 'Other', { id: 78 });
      for (const [id, monitor] of [
        [812, 77],
        [813, 78],
      ] as const)
        service.has('downtime', {
          id,
          monitor_id: monitor,
          scope: ['*'],
          end: Math.floor(service.now() / 1000) + 7200,
        });
      service.has('downtime', { id: 814, monitor_tags: ['*'], scope: ['*'] });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('/', 'Disk', 'return', 'd');
    await user.sees(/Delete Disk: downtime 812 until .* stays/);
    await user.presses('k');
    await user.sees(/Stays: all groups until .* by downtime 812/);
    await user.pastes('Disk');
    await user.presses('return');
    await user.sees(/Deleted Disk; downtime 812 stays until .* \(mutes end 812\)/);
    await user.presses('esc', 'd', 'e');
    await user.sees(/Ends: all groups until .* by downtime 813/);
    await user.pastes('Other');
    await user.presses('return');
    await user.sees('✓ Deleted Other');
    expect(service.received('DELETE').map(({ path }) => path)).toEqual([
      '/api/v1/monitor/77',
      '/api/v1/monitor/78',
      '/api/v1/downtime/813',
    ]);
  },
);

story(
  'delete names what refers to a monitor and stops; force deletes it anyway, after its name is typed',
  {
    before: (service) => {
      hasDisk(service, { id: 77 });
      service.has('monitor', { id: 78, name: 'Both', type: 'composite', query: '77 && 77' });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('/', 'metric', 'return', 'd', 'Disk', 'return');
    await user.sees('✗ Delete failed: ');
    await user.presses('!', 'return');
    await user.sees(/Server +.*78/);
    await user.sees(/To\s+delete\s+it\s+anyway,\s+delete\s+by\s+force/);
    expect(service.received('DELETE')).toEqual([]);
    await user.presses('q', 'q', ':', 'delete by force', 'return');
    await user.sees('References from SLOs and composite monitors will break');
    await user.presses('Disk', 'return');
    await user.sees('✓ Deleted Disk');
    expect(service.received('DELETE')[0]?.query).toEqual({ force: 'true' });
    expect(service.org.monitors.has('77')).toBe(false);
  },
);

story(
  'a refusal shows the words of the service, and the row shows no mute',
  {
    keys: (service) => ({ user: operator(service) }),
    before: (service) => {
      const other = [...service.org.users.keys()].find((id) => id !== operator(service)) ?? '';
      hasDisk(service, { id: 77, creator: other, options: { locked: true } });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('m', '1');
    await user.sees('✗ Mute failed: You do not have permissions to update this locked monitor.');
    await user.presses('!', 'return');
    await user.sees(/Status +401/);
    await user.presses('q', 'q');
    expect(await user.line(/^│.>/)).not.toMatch(/\d\d:\d\d/);
    expect(silences(service, '77')).toEqual([]);
    await user.sees('● live');
  },
);

story(
  'a monitor restricted to some roles is refused with the required role',
  {
    keys: (service) => ({ user: operator(service) }),
    before: (service) => {
      const admin = [...service.org.roles.values()].find((role) => /admin/i.test(role.name))?.id;
      hasDisk(service, { id: 77, restricted_roles: [admin] });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('return', 'G');
    await user.sees(/Editable by +roles/);
    await user.presses('q', 'm', '1');
    await user.sees('✗ Mute failed: only 1 role may edit this monitor: Failed permission authorization checks');
    await user.presses('!', 'return');
    await user.sees(/Kind +forbidden/);
    await user.sees('Failed permission authorization checks');
    await user.sees(/Requires +monitors_/);
    expect(silences(service, '77')).toEqual([]);
  },
);

story('Y copies the command that mutes the monitor in the same way', withDisk, async (user) => {
  await user.opens('monitors');
  await user.presses('m', 's', '4');
  await user.sees(`✓ ${receiptOf.mute('host:web-1 of Disk')}`);
  await user.presses('Y', 'v');
  await user.sees('orgdeck monitors mute 77 --for 4h --scope host:web-1');
  await user.presses('m');
  await user.sees('✓ Copied mute as a command');
  await user.presses('Y', 'v', 'M');
  await user.sees('✓ Copied unmute as a command');
  expect(user.copied).toEqual([
    'orgdeck monitors mute 77 --for 4h --scope host:web-1',
    'orgdeck monitors unmute 77 --scope host:web-1',
  ]);
});
