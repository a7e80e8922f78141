import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { appKey, me, onlyOurs } from '../support/keys.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

/** An application key of mine that is limited to reading dashboards. */
function hasKey(service: Simulator, name: string, more: Readonly<Record<string, unknown>> = {}): string {
  return service.has('application_keys', { name, owned_by: me(service), scopes: ['dashboards_read'], ...more });
}

const story = stories(journey, {
  ...{ monitors: 0, issues: 0, columns: 80, rows: 24 },
  before(service) {
    onlyOurs(service);
    hasKey(service, 'report bot');
  },
});

story(
  'a new key: scopes are picked; the secret is masked, not lost by a key, can be copied, and is gone after leaving',
  async (user, service) => {
    await user.opens('keys');
    await user.presses('n', 'alert relay', 'return', 'return');
    await user.sees('Scopes 0 selected');
    await user.presses('monitors_r');
    await user.sees(/> \[ \] monitors_read/);
    service.delays(120, 'keys.create-own');
    await user.presses('space', 'return', 'ctrl+s', 'return', 'ctrl+c');
    await user.sees('the secret that it shows once');
    await user.sees('Secret of alert relay');
    await user.sees('Created application key alert relay …');
    const key = appKey(service, 'alert relay');
    expect(key?.scopes).toEqual(['monitors_read']);
    const secret = key?.secret ?? '';
    await user.neverSees(secret);
    await user.presses('y');
    await user.sees('Copied');
    expect(user.copied).toEqual([secret]);
    await user.neverSees(secret);
    await user.presses('r');
    await user.sees(secret);
    await user.presses('esc');
    await user.sees(new RegExp(`>.? .*alert relay +…${secret.slice(-4)}`));
    await user.loses(secret);
    await user.journal.written();
    expect(readFileSync(user.journal.path, 'utf8')).not.toContain(secret);
  },
);

story('saving without a change sends nothing', async (user, service) => {
  await user.opens('keys');
  await user.presses('/', 'report', 'return', 'e', 'ctrl+s');
  await user.sees('No changes to save');
  await user.presses('return');
  await user.sees('Nothing was changed, nothing was sent');
  expect(service.received('PATCH')).toEqual([]);
});

story('the key in use is marked, and deleting it shows a warning', async (user, service) => {
  const last4 = appKey(service, 'this dashboard')?.secret.slice(-4);
  await user.opens('keys');
  await user.sees(new RegExp(`this session +this dashboard +…${last4}`));
  await user.presses('/', 'this', 'return', 'd');
  await user.sees(`WARNING: this dashboard ends in ${last4}, like the key of this session`);
  await user.presses('esc', ':', 'clear scopes');
  await user.sees(/> clear scopes +no scopes to clear/);
  await user.presses('esc', 'e', 'tab', 'return', 'monitors_read');
  await user.sees(/> \[ \] monitors_read/);
  await user.presses('space', 'return', 'ctrl+s', 'return');
  await user.sees('Change the scopes of this dashboard?');
  await user.sees('you may be unable to undo this');
  await user.presses('esc');
  expect(service.received('PATCH')).toEqual([]);
});

story(
  'a leaked key is red and comes first; the detail says where it was found',
  {
    before(service) {
      onlyOurs(service);
      hasKey(service, 'aardvark');
      hasKey(service, 'zebra', { leak_information: true });
    },
  },
  async (user) => {
    await user.opens('keys');
    await user.sees(/> LEAKED +zebra/);
    await user.sees('1 LEAKED: replace and delete');
    await user.presses('return');
    await user.sees('LEAKED in a public repository');
    await user.sees('Raw');
    await user.presses(']');
    await user.sees('(hidden, ends in');
  },
);
