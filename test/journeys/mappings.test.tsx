import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import type { User } from '../support/person.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const roles = { one: 'bbbbbbbb-0000-4000-8000-000000000001', two: 'bbbbbbbb-0000-4000-8000-000000000002' } as const;
const setting = {
  monitors: 0,
  issues: 0,
  columns: 90,
  rows: 24,
  before(service: Simulator) {
    service.org.mappings.clear();
    service.has('roles', { id: roles.one, name: 'Zephyr operators' });
    service.has('roles', { id: roles.two, name: 'Zephyr readers' });
    service.has('team', { id: 'team-z', name: 'Zephyr', handle: 'zephyr' });
    service.has('authn_mappings', { attribute_key: 'groups', attribute_value: 'sre', role: roles.one });
    service.has('authn_mappings', { attribute_key: 'squad', attribute_value: 'zephyr', team: 'team-z' });
  },
} as const;
const story = stories(journey, setting);

const stored = (service: Simulator) =>
  [...service.org.mappings.values()]
    .map(({ key, value, target }) => `${key}=${value} ${target.type} ${target.id}`)
    .sort();

story('one list shows mappings to roles and to teams; the service searches', async (user, service) => {
  await user.opens('mappings');
  await user.sees(/groups +sre +role +Zephyr operators/);
  await user.sees(/squad +zephyr +team +Zephyr/);
  expect(service.received('GET', 'authn_mappings').map(({ query }) => query.resource_type)).toEqual(['role', 'team']);
  await user.presses('s', 'tab', 'right', 'right', 'ctrl+s');
  await user.sees(/Mappings 1\b.* teams/);
  await user.loses('Zephyr operators');
  await user.presses('return');
  await user.sees('Users with this attribute join the team');
  await user.sees('zephyr');
});

story('a mapping to a role is created with a picker, and u deletes it', async (user, service, clock) => {
  await user.opens('mappings');
  await user.presses('n', 'groups', 'tab', 'audit', 'tab', 'tab', 'return');
  await user.presses('zephyr r');
  await clock.passes(260);
  await user.sees(/> Zephyr readers/);
  await user.presses('return', 'ctrl+s', 'return');
  await user.sees('Created mapping groups = audit grants role Zephyr readers');
  expect(stored(service)).toContain(`groups=audit roles ${roles.two}`);
  await user.sees(/>.?\s*groups +audit/);
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  expect(stored(service)).toHaveLength(2);
});

const replacesSre = async (user: User) => {
  await user.opens('mappings');
  await user.presses('/', 'sre', 'return', 'e', 'tab', 'tab', 'right', 'tab', 'return');
  await user.sees(/Zephyr +zephyr/);
  await user.presses('/', 'zephyr');
  await user.presses('return');
  await user.presses('ctrl+s');
  await user.sees('Review changes');
  await user.presses('return');
  await user.sees('Replace groups = sre with a mapping to a team?');
  await user.presses('y');
  await user.sees('Replaced mapping groups = sre grants team');
};

story(
  'from a role to a team: the new mapping is created before the old one is deleted, and u reverses both',
  async (user, service) => {
    await replacesSre(user);
    const edits = service.received().filter(({ path, method }) => path.includes('authn_mappings') && method !== 'GET');
    expect(edits.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(stored(service).join()).not.toContain(`groups=sre roles`);
    await user.presses('u');
    await user.sees(receiptOf.undo(''));
    expect(stored(service)).toContain(`groups=sre roles ${roles.one}`);
    expect(stored(service)).toHaveLength(2);
  },
);

story('what an undo has created again is undone further under its new id', async (user, service) => {
  await user.opens('mappings');
  await user.presses('/', 'sre', 'return', 'e', 'tab', '-weekend', 'ctrl+s');
  await user.sees('+ sre-weekend');
  await user.presses('return');
  await user.sees('Saved mapping groups = sre-weekend');
  await user.presses('d', 'sre-weekend', 'return');
  await user.sees('Deleted mapping groups = sre-weekend');
  await user.presses('u', 'y');
  await user.sees(receiptOf.undo('deleted mapping groups = sre-weekend'));
  await user.presses('u');
  await user.sees(/Undo what a dashboard did at .* on Mappings\?/);
  await user.presses('y');
  await user.sees(receiptOf.undo('edited groups = sre'));
  expect(stored(service)).toContain(`groups=sre roles ${roles.one}`);
});
