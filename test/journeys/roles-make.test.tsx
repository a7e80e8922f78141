import { expect, test } from 'vitest';
import { listRoleTemplates } from '../../src/api/roles.ts';
import { journey } from '../support/journey.tsx';
import { hasOnCall, membersOf } from '../support/roles.ts';
import { here } from '../support/run-vocabulary.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 80, rows: 24, monitors: 0, issues: 0, before: hasOnCall } as const;
const story = stories(journey, mine);

story('built-in roles say why they cannot be changed; their users can be', async (user, service) => {
  await user.opens('roles');
  await user.presses('/', 'read only', 'return');
  await user.presses('e');
  await user.sees('! Edit: built-in role; a copy of it can be edited');
  await user.presses('d');
  await user.sees('! Delete: built-in role');
  await user.presses('a', '/', 'cleo');
  await user.sees('> Cleo Stone');
  await user.presses('return');
  const role = here.role('Service Read Only Role');
  await user.sees(`✓ Added Cleo Stone to ${role}`);
  expect(membersOf(service, role)).toContain('Cleo Stone');
});

test.each([404, 403] as const)('a deployment without templates (%i) says so, and what to do instead', (status) =>
  journey(
    async (user) => {
      await user.opens('roles');
      await user.presses(']', ']');
      await user.sees('Not loaded: this deployment has no role templates (a preview feature):');
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
