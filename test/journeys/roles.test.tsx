import { expect } from 'vitest';
import { readPermissions } from '../../src/simulator/kinds/users.ts';
import { journey, type User } from '../support/journey.tsx';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import { hasOnCall, membersOf, roleNamed, userNamed } from '../support/roles.ts';
import { here } from '../support/run-vocabulary.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 80, rows: 24, monitors: 0, issues: 0, before: hasOnCall } as const;
const story = stories(journey, mine);

/** Names of the permissions that were granted to a role: neither defaults nor what it inherits. */
const grantedTo = (service: Simulator, name: string): string[] =>
  [...roleNamed(service, name).permissions].filter((text) => !service.org.permissions.get(text)?.restricted).sort();

/** Names of all permissions of a role. */
const heldBy = (service: Simulator, name: string): string[] => readPermissions(service.org, roleNamed(service, name));

const permissionId = (service: Simulator, name: string): string =>
  service.org.permissions.get(name)?.id ?? `no permission ${name}`;

/** Opens the pick list of permissions in the form of the role under the cursor. */
async function editsPermissions(user: User) {
  await user.presses('e');
  await user.sees('Inherits from');
  await user.presses('tab', 'tab', 'return');
  await user.sees('[x] monitors_write');
}

story(
  'e shows the permissions by group and changes them as one edit: the difference first, then one PATCH of the whole set',
  async (user, service) => {
    await user.opens('roles');
    await user.presses('e');
    await user.sees('Inherits from');
    await user.sees('monitors_downtime, monitors_write');
    await user.presses('tab', 'tab', 'return');
    await user.sees(/\[x\] monitors_downtime +Monitors · write/);
    await user.neverSees('monitors_read');
    await user.presses('monitors_write', 'space', 'ctrl+u', 'cases_', 'space', 'return');
    service.forgets();
    await user.presses('ctrl+s');
    await user.sees('Review changes');
    await user.sees('- monitors_write');
    await user.sees('+ cases_');
    expect(service.received('PATCH')).toEqual([]);
    await user.presses('return');
    await user.sees(offering('✓ Saved On call: granted 1, revoked 1'));
    expect(service.received('PATCH')).toHaveLength(1);
    expect(service.received('POST', '/permissions')).toEqual([]);
    const after = grantedTo(service, 'On call');
    expect(after).toContain('monitors_downtime');
    expect(after).not.toContain('monitors_write');
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('saved On call')}`);
    expect(grantedTo(service, 'On call')).toEqual(['monitors_downtime', 'monitors_write']);
    expect(heldBy(service, 'On call')).toContain('dashboards_read');
  },
);

story('the receipt names permissions that the service added', async (user, service) => {
  await user.opens('roles');
  await editsPermissions(user);
  await user.presses('General', 'space', 'return', 'ctrl+s', 'return');
  await user.sees('✓ Saved On call: granted 1; the service added');
  expect(grantedTo(service, 'On call')).toContain('standard');
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('')}`);
  expect(grantedTo(service, 'On call')).toEqual(['monitors_downtime', 'monitors_write']);
});

story('an edit of name and inheritance sends no permissions; u restores both', async (user, service) => {
  await user.opens('roles');
  await user.presses('e');
  await user.sees('Inherits from');
  await user.presses(' nights', 'tab', 'right', 'right', 'ctrl+s');
  await user.sees('+ On call nights');
  await user.sees(`+ ${here.role('Service Standard Role')}`);
  await user.presses('return');
  await user.sees(new RegExp(`✓ Saved On call nights \\(was On call.*${here.role('Service Standard Role')}`));
  expect(service.received('PATCH').map(({ body }) => body)).toEqual([
    {
      data: {
        id: roleNamed(service, 'On call nights').id,
        type: 'roles',
        attributes: { name: 'On call nights', receives_permissions_from: [here.role('Service Standard Role')] },
      },
    },
  ]);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('')}`);
  expect(roleNamed(service, 'On call')).toMatchObject({ inherits: null });
  expect(grantedTo(service, 'On call')).toEqual(['monitors_downtime', 'monitors_write']);
});

story(
  'one permission is granted; in the detail a grants and d revokes the one under the cursor; a default says why it cannot be revoked',
  async (user, service) => {
    await user.opens('roles');
    await user.presses(':', 'grant', 'return', 'teams_man');
    await user.sees('> teams_manage');
    await user.presses('return');
    await user.sees(offering('✓ Granted teams_manage to On call'));
    expect(service.received('POST', '/permissions')[0]?.body).toEqual({
      data: { type: 'permissions', id: permissionId(service, 'teams_manage') },
    });
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('granted teams_manage')}`);
    expect(grantedTo(service, 'On call')).toEqual(['monitors_downtime', 'monitors_write']);
    await user.presses('return', ']');
    await user.sees('dashboards_read');
    await user.presses('a');
    await user.sees('Grant to On call');
    await user.presses('esc', 'd');
    await user.sees(/! Revoke: \w+_read is a default permission: every role has it/);
    while (!/> .*monitors_downtime/.test(await user.screen())) await user.presses('j');
    await user.presses('d');
    await user.sees(offering('✓ Revoked monitors_downtime from On call'));
    await user.loses(/monitors_downtime +write/);
    expect(grantedTo(service, 'On call')).toEqual(['monitors_write']);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('revoked monitors_downtime')}`);
    expect(grantedTo(service, 'On call')).toEqual(['monitors_downtime', 'monitors_write']);
  },
);

story(
  'a gives the role to a person found by name; d takes it from the person under the cursor, remove user from one found by name',
  async (user, service) => {
    await user.opens('roles');
    await user.presses('a', '/', 'bela');
    await user.sees('> Bela Vale');
    await user.presses('return');
    await user.sees('✓ Bela Vale already had On call');
    // An undo takes back only what an edit has changed.
    await user.presses('u');
    await user.settles();
    expect(membersOf(service, 'On call')).toEqual(['Aiko Lake', 'Bela Vale']);
    await user.presses('a', '/', 'cleo');
    await user.sees('> Cleo Stone');
    await user.presses('return');
    await user.sees(offering('✓ Added Cleo Stone to On call; it has 3 users'));
    expect(membersOf(service, 'On call')).toEqual(['Aiko Lake', 'Bela Vale', 'Cleo Stone']);
    await user.sees(/> On call +3/);
    await user.presses('return', ']', ']');
    await user.sees('[Users 3]');
    await user.presses('j', 'd');
    await user.sees(offering('✓ Removed Bela Vale from On call; it has 2 users'));
    await user.loses('Bela Vale  ');
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('removed Bela Vale from On call')}`);
    await user.presses('q', ':', 'remove user', 'return', '/', 'aiko');
    await user.sees('> Aiko Lake');
    await user.presses('return');
    await user.sees('✓ Removed Aiko Lake from On call');
    expect(membersOf(service, 'On call')).toEqual(['Bela Vale', 'Cleo Stone']);
    expect(service.received('DELETE', '/users').map(({ body }) => body)).toEqual(
      ['Bela Vale', 'Aiko Lake'].map((name) => ({ data: { type: 'users', id: userNamed(service, name).id } })),
    );
  },
);

story('Esc while the role is read cancels its form for good', async (user, service) => {
  await user.opens('roles');
  service.delays(400, 'roles.get');
  await user.presses('e');
  await user.sees('Loading current values');
  await user.presses('esc');
  await user.loses('Loading current values');
  await user.settles();
  await user.neverSees('Edit role');
  await user.presses('e');
  await user.sees('Edit role');
});

story(
  '. repeats an edit on another role: the permission, not the name',
  {
    before(service) {
      hasOnCall(service);
      service.has('roles', { name: 'On call, weekend', permissions: ['monitors_downtime'] });
    },
  },
  async (user, service) => {
    await user.opens('roles');
    await editsPermissions(user);
    await user.presses('teams_manage', 'space', 'return', 'ctrl+s', 'return');
    await user.sees('✓ Saved On call: granted 1');
    await user.presses('j', '.');
    await user.sees('✓ Saved On call, weekend: granted 1');
    expect(grantedTo(service, 'On call, weekend')).toEqual(['monitors_downtime', 'teams_manage']);
  },
);

story(
  'in production the question names what is picked, also where the edit is repeated',
  { production: true },
  async (user, service) => {
    await user.opens('roles');
    await user.presses(':', 'grant', 'return', 'teams_man');
    await user.sees('> teams_manage');
    await user.presses('return');
    await user.sees('Grant teams_manage to On call in production (test)?');
    await user.presses('y');
    await user.sees('✓ Granted teams_manage to On call');
    service.forgets();
    await user.presses('.');
    await user.sees('Grant teams_manage to On call in production (test)?');
    await user.presses('n');
    expect(service.received('POST')).toEqual([]);
    await user.presses('return', ']', ']');
    await user.sees('[Users 2]');
    await user.presses('j', 'd');
    await user.sees('Remove user Bela Vale from On call in production (test)?');
  },
);
