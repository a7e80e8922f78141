import { expect, test } from 'vitest';
import { listRoleTemplates } from '../../src/api/roles.ts';
import { capitalized } from '../../src/lib/text.ts';
import { journey } from '../support/journey.tsx';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import { grantedTo, hasOnCall, heldBy, membersOf, permissionId, roleNamed } from '../support/roles.ts';
import { here } from '../support/run-vocabulary.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 80, rows: 24, monitors: 0, issues: 0, before: hasOnCall } as const;
const story = stories(journey, mine);

story('n creates a role as chosen, puts the cursor on it, and u deletes it', async (user, service) => {
  await user.opens('roles');
  await user.presses('n', 'Night watch', 'tab', 'right', 'tab', 'return');
  await user.sees('api_keys_read');
  await user.presses('api_keys_read', 'space', 'return', 'ctrl+s', 'return');
  await user.sees(offering('✓ Created Night watch with 11 permissions; no users yet'));
  await user.sees(new RegExp(`>.? *Night watch +0 +11 +${here.role('Service Admin Role').slice(0, 11)}`));
  expect(service.received('POST', '/api/v2/roles').map(({ body }) => body)).toEqual([
    {
      data: {
        type: 'roles',
        attributes: { name: 'Night watch', receives_permissions_from: [here.role('Service Admin Role')] },
        relationships: {
          permissions: { data: [{ type: 'permissions', id: permissionId(service, 'api_keys_read') }] },
        },
      },
    },
  ]);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('created Night watch')}`);
  await user.loses(/Night watch +0/);
  expect([...service.org.roles.values()].some(({ name }) => name === 'Night watch')).toBe(false);
});

story('a role without the defaults holds exactly the chosen permissions', async (user, service) => {
  await user.opens('roles');
  await user.presses('n', 'Empty', 'tab', 'tab', 'tab', 'right', 'ctrl+s', 'return');
  await user.sees('✓ Created Empty');
  expect(heldBy(service, 'Empty')).toEqual([]);
});

story('a name in use and a blank name keep the form open, with the text and the reason', async (user, service) => {
  await user.opens('roles');
  await user.presses('n', 'On call', 'ctrl+s', 'return');
  await user.sees('A role with the same name already exists');
  await user.presses('esc', ' two', 'ctrl+s', 'return');
  await user.sees('✓ Created On call two');
  await user.presses('n', '   ', 'ctrl+s');
  await user.sees('Name is required');
  await user.presses('esc', 'esc', 'e');
  await user.sees('Inherits from');
  await user.presses('ctrl+u', 'On call', 'ctrl+s', 'return');
  await user.sees('A role with the same name already exists');
  expect([...service.org.roles.values()].filter(({ name }) => name === 'On call')).toHaveLength(1);
});

story(
  'c copies the permissions and not the users; also of a built-in role, whose copy can be changed',
  async (user, service) => {
    await user.opens('roles');
    await user.presses('c', 'ctrl+s', 'return');
    await user.sees(offering('✓ Copied to On call copy with 12 permissions; no users yet'));
    await user.sees(/>.? *On call copy +0 +12/);
    expect(grantedTo(service, 'On call copy')).toEqual(['monitors_downtime', 'monitors_write']);
    expect(membersOf(service, 'On call copy')).toEqual([]);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('')}`);
    await user.loses(/On call copy +0/);
    await user.presses('/', 'read only', 'return', 'c', 'ctrl+u', 'Readers', 'ctrl+s', 'return');
    await user.sees('✓ Copied to Readers');
    expect(roleNamed(service, 'Readers').managed).toBe(false);
    expect(service.received('POST', '/clone').at(-1)?.body).toEqual({
      data: { type: 'roles', attributes: { name: 'Readers' } },
    });
  },
);

story('d says how many users lose the role and asks for the name', async (user, service) => {
  await user.opens('roles');
  await user.presses('d');
  await user.sees('Delete role On call?');
  await user.sees('2 users lose it');
  await user.sees('Mappings to it and its archive readers are deleted too');
  await user.presses('On call', 'return');
  await user.sees('✓ Deleted On call; 2 users had it');
  await user.sees(/Roles 3\b/);
  expect(service.received('DELETE').map(({ operation }) => operation)).toEqual(['roles.delete']);
  expect([...service.org.users.values()].every((user) => user.roles.every((id) => service.org.roles.has(id)))).toBe(
    true,
  );
});

story('built-in roles say why they cannot be changed; their users can be', async (user, service) => {
  await user.opens('roles');
  await user.presses('/', 'read only', 'return');
  for (const [key, verb] of [['e', 'edit']] as const) {
    await user.presses(key);
    await user.sees(`! ${capitalized(verb)}: built-in role; a copy of it can be edited`);
  }
  await user.presses('d');
  await user.sees('! Delete: built-in role');
  await user.presses('a', '/', 'cleo');
  await user.sees('> Cleo Stone');
  await user.presses('return');
  const role = here.role('Service Read Only Role');
  await user.sees(`✓ Added Cleo Stone to ${role}`);
  expect(membersOf(service, role)).toContain('Cleo Stone');
});

story('a template proposes the name of a new role and nothing else', async (user, service) => {
  await user.opens('roles');
  await user.presses(']', ']');
  await user.sees('On-call engineer');
  await user.sees('(no name)');
  await user.presses('n');
  await user.sees('New role On-call engineer');
  await user.presses('ctrl+s', 'return');
  await user.sees(/✓ Created On-call engineer with 10 [\s\S]*it is among the/);
  expect(heldBy(service, 'On-call engineer')).toHaveLength(10);
  await user.presses('u');
  await user.sees(`✓ ${receiptOf.undo('created On-call engineer')}`);
});

test.each([404, 403] as const)('a deployment without templates (%i) says so, and what to do instead', (status) =>
  journey(
    async (user) => {
      await user.opens('roles');
      await user.presses(']', ']');
      await user.sees('Not loaded: this deployment has no role templates (a preview feature). [:');
      await user.presses('[', '[');
      await user.sees(/> On call +2/);
    },
    {
      ...mine,
      before(service) {
        hasOnCall(service);
        if (status === 404) service.withdraws([listRoleTemplates.id]);
        else service.refuses(403, { match: listRoleTemplates.id, times: 9, body: { errors: ['Forbidden'] } });
      },
    },
  )(),
);

story('the catalog of permissions, and which roles hold one', async (user) => {
  await user.opens('roles');
  await user.presses(']');
  await user.sees(/Permissions \d+/);
  await user.presses('/', 'monitors_downtime', 'return', 'return');
  await user.sees('Roles 3');
  await user.sees(/Access +write/);
  await user.presses(']');
  await user.sees('> On call');
  await user.sees(here.role('Service Admin Role'));
});

story(
  'without the permission to manage access everything is read, and an edit names the permission',
  { keys: { permissions: ['user_access_read'] } },
  async (user, service) => {
    await user.opens('roles');
    await user.presses('a', '/', 'cleo');
    await user.sees('> Cleo Stone');
    await user.presses('return');
    await user.sees('✗ ');
    await user.presses('!', 'return');
    await user.sees(/Requires +user_access_manage/);
    await user.presses('q', 'q');
    expect(membersOf(service, 'On call')).toEqual(['Aiko Lake', 'Bela Vale']);
    expect(await user.line('> ')).toMatch(/On call +2/);
  },
);

story('an edit of a deleted role says so, whatever the shape of the refusal', async (user, service) => {
  await user.opens('roles');
  const { id } = roleNamed(service, 'On call');
  service.org.roles.delete(id);
  await user.presses('e');
  await user.sees(`failed: ${id} not found`);
  service.switches.newRoleErrors = true;
  await user.presses('e');
  await user.sees('could not find the uuid.');
  expect(service.received('PATCH')).toEqual([]);
});

story('an edit with an unclear answer is read back and found applied', async (user, service) => {
  await user.opens('roles');
  await user.presses('e');
  await user.sees('Inherits from');
  await user.presses(' nights', 'ctrl+s');
  await user.sees('+ On call nights');
  service.appliesThenFails(1, { match: 'roles.update', status: 0 });
  await user.presses('return');
  await user.sees('✓ Saved On call nights');
  expect(service.received('PATCH')).toHaveLength(1);
});
