import { expect } from 'vitest';
import { journey, type User } from '../support/journey.tsx';
import { appKey, me, onlyOurs } from '../support/keys.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const ids = { nele: 'aaaaaaaa-0000-4000-8000-000000000001', robot: 'aaaaaaaa-0000-4000-8000-000000000002' } as const;
const setting = {
  monitors: 0,
  issues: 0,
  columns: 100,
  rows: 24,
  before(service: Simulator) {
    onlyOurs(service);
    service.has('users', { id: ids.nele, name: 'Nele Storm', email: 'nele.storm@example.test', title: 'SRE' });
    service.has('users', {
      id: ids.robot,
      name: 'Nele robot',
      email: 'nele.robot@example.test',
      service_account: true,
    });
    service.has('application_keys', { name: 'robot key', owned_by: ids.robot, scopes: ['monitors_read'] });
    service.has('application_keys', { name: 'nele key', owned_by: ids.nele });
  },
} as const;
const story = stories(journey, setting);

async function finds(user: User, name: string): Promise<void> {
  await user.opens('keys');
  await user.presses(']', ']', ']', ']');
  await user.sees(/● live.*Users \[?\d/s);
  await user.presses('/', name, 'return');
  await user.sees(new RegExp(`> .*${name}`, 'i'));
}

story('a service account gets a key; one of its keys is changed and deleted in its detail', async (user, service) => {
  await finds(user, 'nele robot');
  await user.presses('a', 'second', 'tab', 'return', 'slos_read');
  await user.sees(/> \[ \] slos_read/);
  await user.presses('space', 'return', 'ctrl+s', 'return');
  await user.sees('Secret of second');
  expect(appKey(service, 'second')).toMatchObject({ owner: ids.robot, scopes: ['slos_read'] });
  await user.presses('y', 'esc', 'd');
  await user.sees('select a key in the detail first');
  await user.presses('return', ']');
  await user.sees(/> .*robot key/);
  await user.presses('e');
  await user.sees('Name');
  await user.presses('s', 'ctrl+s');
  await user.sees('+ robot keys');
  await user.presses('return');
  await user.sees('Saved robot keys (was robot key)');
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  expect(appKey(service, 'robot key')).toBeDefined();
  await user.presses('d');
  await user.sees('Delete application key robot key');
  await user.presses('robot key', 'return');
  await user.sees('Deleted application key robot key');
  expect(appKey(service, 'robot key')).toBeUndefined();
});

story('disabling asks for the e-mail and deletes the keys; enabling does not restore them', async (user, service) => {
  await finds(user, 'nele storm');
  await user.presses('t');
  await user.sees('deletes their application keys for good');
  await user.presses('nele.storm@example.test', 'return');
  await user.sees('Disabled Nele Storm');
  expect(appKey(service, 'nele key')).toBeUndefined();
  await user.presses('q', 's', 'tab', 'tab', 'right', 'right', 'right', 'ctrl+s');
  await user.sees('disabled');
  await user.presses('/', 'nele', 'return', 't');
  await user.sees('Enabled Nele Storm, now active');
  expect(service.org.users.get(ids.nele)?.disabled).toBe(false);
});

story('disabling the owner of the key in use shows a warning', async (user, service) => {
  const name = service.org.users.get(me(service))?.name ?? '';
  await finds(user, name);
  await user.presses('t');
  await user.sees('owns the key of this session');
  await user.presses('esc');
  expect(service.received('DELETE')).toEqual([]);
});
