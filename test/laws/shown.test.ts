import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { clientAt } from '../support/client-at.ts';
import { createTestClock } from '../support/clock.ts';
import { contextOf } from '../support/plans.ts';
import { createSimulator } from '../support/simulator.ts';
import { there } from '../support/there.ts';
import { hiddenFaults, hiddenFields } from './shown.ts';

/** Why no page says a field, by its path or by what the path begins with. */
const reasons: Readonly<Record<string, string>> = {
  downtimes: 'an addition: the mutes that it makes are shown, and its id leads to it by a command',
  'monitors.downtime-matches': 'an addition: the mutes that it makes are shown',
  'roles.users': 'a member of a role is a user, and the list of users has them whole',
  'archives.order': 'the order itself: each archive says its position',
  'integrations.list-a [].client_secret': 'a secret',
  'integrations.list-b-v1 [].private_key': 'a secret, and its id',
  'issues.search included[].attributes.custom_attributes.*.': 'says how its value is written; the value is shown',
  'issues.search included[].attributes.status_group': 'said by the status, which is more exact',
  'api-keys.list data[].attributes.last_used_date': 'the older form of date_last_used, which is shown',
  'mappings.list data[].relationships.saml_assertion_attribute': 'the id that the attributes have, too',
  'mappings.list included[].attributes.handles': 'an addition that nobody documents',
  'mappings.list included[].attributes.is_open_membership': 'an addition that nobody documents',
  'monitors.get assets[].': 'an asset is a runbook, and the address of a notebook has its key',
  'monitors.list [].assets[].': 'the same',
  'monitors.list [].created_at': 'the moment that is shown as created',
  'monitors.list [].creator.id': 'the creator is shown by name and handle',
  'monitors.list [].matching_downtimes[].': 'how far a mute reaches is told by its scope',
  'monitors.list [].org_id': 'the organization of the keys',
  'monitors.list [].state.groups.*.last_nodata_ts': 'shown of a group that has no data; the sample has none',
  'monitors.list [].state.groups.*.triggering_value.': 'the window of a value: an addition',
  'retention.list data[].attributes.execution_order': 'shown as the position, which it decides',
  'users.list data[].attributes.disabled': 'said by the status',
  'users.list data[].attributes.icon': 'the address of a picture, which a terminal does not show',
  'users.list data[].attributes.uuid': 'the id, which is shown',
  'users.list data[].relationships.org': 'the organization of the keys',
};

async function hidden(lists: readonly AnyList[]): Promise<readonly string[]> {
  const clock = createTestClock();
  const service = createSimulator({ seed: 5, monitors: 12, issues: 6, clock, lively: false });
  const client = clientAt(await service.start(), { readOnly: true, clock, random: () => 0.5 });
  try {
    const context = contextOf({ now: clock.now(), web: 'https://web.test' });
    return await hiddenFields(lists, context, (call) => client.send(call));
  } finally {
    await client.close();
    await service.stop();
  }
}

const lists = screens.flatMap((screen) => screen.lists);

test('every field of an answer is on a page of a detail, not only in its raw object', { tags: ['long'] }, async () => {
  expect(hiddenFaults(await hidden(lists), reasons)).toEqual([]);
});

test('the law reports a field that only the raw object has, and a reason that nothing needs', async () => {
  const permissions = there(lists.find(({ id }) => id === 'permissions'));
  const detail = there(permissions.detail);
  const without: AnyList = {
    ...permissions,
    detail: {
      ...detail,
      sections: (...about) =>
        detail.sections(...about).map((one) => ({
          ...one,
          lines: one.lines.filter((line) => line.kind !== 'pair' || line.label !== 'Former names'),
        })),
    },
  };
  const field = 'roles.permissions data[].attributes.name_aliases';
  expect(await hidden([permissions])).not.toContain(field);
  expect(await hidden([without])).toContain(field);
  expect(hiddenFaults([field], { nothing: 'no reason' })).toEqual([
    `${field} is on no page of a detail: give it a line in the sections`,
    'nothing needs no reason',
  ]);
  expect(hiddenFaults([field], { 'roles.permissions data[].attributes': 'a reason' })).toEqual([]);
});
