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
  await user.sees('Renamed robot key to robot keys');
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  expect(appKey(service, 'robot key')).toBeDefined();
  await user.presses('d');
  await user.sees('Delete application key robot key');
  await user.presses('robot key', 'return');
  await user.sees('Deleted application key robot key');
  expect(appKey(service, 'robot key')).toBeUndefined();
});

story("a person's keys are edited as the organization's; nobody can create one for a person", async (user, service) => {
  await finds(user, 'nele storm');
  await user.presses('a');
  await user.sees('users create their own keys');
  await user.presses('return', ']');
  await user.sees(/> .*nele key +….* No limit/);
  await user.presses('d');
  await user.sees('Delete application key nele key');
  await user.presses('nele key', 'return');
  await user.sees('Deleted application key nele key');
  expect(service.received('DELETE')[0]?.path).toMatch(/^\/api\/v2\/application_keys\//);
  await user.presses('[', 'G');
  await user.sees(/Permissions ─+ ?│\n│ ?None/);
});

story('name and title change as one edit, and u restores both', async (user, service) => {
  await finds(user, 'nele storm');
  await user.presses('e', 'y', 'tab', 'tab', '2', 'ctrl+s');
  await user.sees('+ Nele Stormy');
  await user.sees('+ SRE2');
  await user.presses('return');
  await user.sees(receiptOf.save('Nele Stormy'));
  expect(service.received('PATCH')[0]?.body).toEqual({
    data: { id: ids.nele, type: 'users', attributes: { name: 'Nele Stormy', title: 'SRE2' } },
  });
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  expect(service.org.users.get(ids.nele)).toMatchObject({ name: 'Nele Storm', title: 'SRE' });
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

story('a person and a service account are created, each after a question', async (user, service) => {
  await finds(user, 'nele');
  await user.presses('n');
  await user.sees('new service account');
  await user.presses('1', 'no address', 'ctrl+s');
  await user.sees('Email needs an @');
  for (let at = 0; at < 10; at += 1) await user.presses('backspace');
  await user.presses('nele.two@example.test', 'tab', 'Nele Two', 'ctrl+s', 'return');
  await user.sees('Create user nele.two@example.test?');
  await user.presses('y');
  await user.sees('Created user Nele Two, pending');
  await user.presses('n');
  await user.sees('new service account');
  await user.presses('2', 'nele.bot@example.test', 'tab', 'Nele bot', 'ctrl+s', 'return');
  await user.sees('its keys have no permissions');
  await user.presses('y');
  await user.sees('Created service account Nele bot, active');
  expect([...service.org.users.values()].filter(({ name }) => /^Nele (Two|bot)$/.test(name ?? ''))).toHaveLength(2);
  await user.presses('n');
  await user.sees('new service account');
  await user.presses('1', 'nele.two@example.test', 'ctrl+s', 'return', 'y');
  await user.sees('User nele.two@example.test already exists');
});
