import { expect, test } from 'vitest';
import { journey, type User } from '../support/journey.tsx';
import { appKey, me, onlyOurs } from '../support/keys.ts';
import type { Simulator } from '../support/simulator.ts';

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

async function finds(user: User, name: string): Promise<void> {
  await user.opens('keys');
  await user.presses(']', ']', ']', ']');
  await user.sees(/● live.*People \[?\d/s);
  await user.presses('/', name, 'return');
  await user.sees(new RegExp(`> .*${name}`, 'i'));
}

test(
  'a service account gets a key; one of its keys is changed and deleted in its detail',
  journey(async (user, service) => {
    await finds(user, 'nele robot');
    await user.presses('a', 'second', 'tab', 'return', 'slos_read');
    await user.sees(/> \[ \] slos_read/);
    await user.presses('space', 'return', 'ctrl+s');
    await user.sees('the secret of second');
    expect(appKey(service, 'second')).toMatchObject({ owner: ids.robot, scopes: ['slos_read'] });
    await user.presses('y', 'esc', 'r');
    await user.sees('open it with Enter');
    await user.presses('return', ']');
    await user.sees(/> .*robot key/);
    await user.presses('r');
    await user.sees('name');
    await user.presses('s', 'ctrl+s');
    await user.sees('+ robot keys');
    await user.presses('return');
    await user.sees('renamed robot key to robot keys');
    await user.presses('u');
    await user.sees('undone');
    expect(appKey(service, 'robot key')).toBeDefined();
    await user.presses('D');
    await user.sees('delete application key robot key');
    await user.presses('robot key', 'return');
    await user.sees('deleted application key robot key');
    expect(appKey(service, 'robot key')).toBeUndefined();
  }, setting),
);

test(
  "a person's keys are edited as the organisation's; nobody can create one for a person",
  journey(async (user, service) => {
    await finds(user, 'nele storm');
    await user.presses('a');
    await user.sees('people make their own keys');
    await user.presses('return', ']');
    await user.sees(/> .*nele key +….* all that its owner may/);
    await user.presses('D');
    await user.sees('delete application key nele key');
    await user.presses('nele key', 'return');
    await user.sees('deleted application key nele key');
    expect(service.received('DELETE')[0]?.path).toMatch(/^\/api\/v2\/application_keys\//);
    await user.presses(']');
    await user.sees('none');
  }, setting),
);

test(
  'name and title change as one edit, and u restores both',
  journey(async (user, service) => {
    await finds(user, 'nele storm');
    await user.presses('e', 'y', 'tab', 'tab', '2', 'ctrl+s');
    await user.sees('+ Nele Stormy');
    await user.sees('+ SRE2');
    await user.presses('return');
    await user.sees('saved Nele Stormy');
    expect(service.received('PATCH')[0]?.body).toEqual({
      data: { id: ids.nele, type: 'users', attributes: { name: 'Nele Stormy', title: 'SRE2' } },
    });
    await user.presses('u');
    await user.sees('undone');
    expect(service.org.users.get(ids.nele)).toMatchObject({ name: 'Nele Storm', title: 'SRE' });
  }, setting),
);

test(
  'disabling asks for the e-mail and deletes the keys; enabling does not restore them',
  journey(async (user, service) => {
    await finds(user, 'nele storm');
    await user.presses('d');
    await user.sees('their application keys are deleted for good');
    await user.presses('nele.storm@example.test', 'return');
    await user.sees('disabled Nele Storm');
    expect(appKey(service, 'nele key')).toBeUndefined();
    await user.presses('q', 's', 'tab', 'tab', 'right', 'right', 'right', 'ctrl+s');
    await user.sees('disabled');
    await user.presses('/', 'nele', 'return', 'E');
    await user.sees('enabled Nele Storm, now active');
    expect(service.org.users.get(ids.nele)?.disabled).toBe(false);
  }, setting),
);

test(
  'disabling the owner of the key in use shows a warning',
  journey(async (user, service) => {
    const name = service.org.users.get(me(service))?.name ?? '';
    await finds(user, name);
    await user.presses('d');
    await user.sees('owns the key that this dashboard uses');
    await user.presses('esc');
    expect(service.received('DELETE')).toEqual([]);
  }, setting),
);

test(
  'a person and a service account are created, each after a question',
  journey(async (user, service) => {
    await finds(user, 'nele');
    await user.presses('n', 'no address', 'ctrl+s');
    await user.sees('an e-mail address has an @ in it');
    for (let at = 0; at < 10; at += 1) await user.presses('backspace');
    await user.presses('nele.two@example.test', 'tab', 'Nele Two', 'ctrl+s');
    await user.sees('let nele.two@example.test into this organisation?');
    await user.presses('y');
    await user.sees('created person Nele Two, pending');
    await user.presses('N', 'nele.bot@example.test', 'tab', 'Nele bot', 'ctrl+s');
    await user.sees('its keys may do nothing');
    await user.presses('y');
    await user.sees('created service account Nele bot, active');
    expect([...service.org.users.values()].filter(({ name }) => /^Nele (Two|bot)$/.test(name ?? ''))).toHaveLength(2);
    await user.presses('n', 'nele.two@example.test', 'ctrl+s', 'y');
    await user.sees('User nele.two@example.test already exists');
  }, setting),
);
