import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { journey } from '../support/journey.tsx';
import { appKey, hasKey, me, onlyOurs } from '../support/keys.ts';
import { receiptOf } from '../support/receipts.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const one = {
  ...bare,
  before(service: Parameters<typeof onlyOurs>[0]) {
    onlyOurs(service);
    hasKey(service, 'report bot');
  },
};
const story = stories(journey, one);

story(
  'a new key: scopes are picked; the secret is masked, can be copied, and is gone after leaving',
  async (user, service) => {
    await user.opens('keys');
    await user.presses('n', 'alert relay', 'return', 'return');
    await user.sees('Scopes 0 selected');
    await user.presses('monitors_r');
    await user.sees(/> \[ \] monitors_read/);
    await user.presses('space', 'return', 'ctrl+s', 'return');
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

story('80 columns show the scopes of a key also where one has a long name', async (user, service) => {
  hasKey(service, 'a second key, because the first one is on a machine that nobody finds');
  await user.opens('keys');
  await user.sees(/NAME +LAST 4 +SCOPES +USED/);
  await user.sees(/report bot +…\S{4} +dashboards_…/);
});

story('creating a key without scopes asks first', async (user, service) => {
  await user.opens('keys');
  await user.presses('n', 'everything', 'ctrl+s', 'return');
  await user.sees('Create everything without scopes?');
  await user.sees('It has all your permissions, now and later');
  expect(service.received('POST', 'application_keys')).toEqual([]);
  await user.presses('y');
  await user.sees('Secret of everything');
  expect(appKey(service, 'everything')?.scopes).toBeNull();
});

story('name and scopes change as one edit; the difference is shown first, and u undoes both', async (user, service) => {
  await user.opens('keys');
  await user.presses('/', 'report', 'return', 'e');
  await user.presses('2', 'tab', 'return');
  await user.presses('slos_read');
  await user.sees(/> \[ \] slos_read/);
  await user.presses('space', 'return', 'ctrl+s');
  await user.sees('Review changes');
  await user.sees('+ report bot2');
  await user.sees('+ slos_read');
  expect(service.received('PATCH')).toEqual([]);
  await user.presses('return');
  await user.sees(/Renamed report bot to report bot2.* scopes dashboards_read, slos_read/);
  expect(appKey(service, 'report bot2')?.scopes).toEqual(['dashboards_read', 'slos_read']);
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  expect(appKey(service, 'report bot')?.scopes).toEqual(['dashboards_read']);
  // Unchanged members are not sent.
  await user.presses('e', '3', 'ctrl+s');
  await user.sees('Review changes');
  await user.presses('return');
  await user.sees('Renamed report bot to report bot3');
  expect(service.received('PATCH').at(-1)?.body).toMatchObject({ data: { attributes: { name: 'report bot3' } } });
  expect(JSON.stringify(service.received('PATCH').at(-1)?.body)).not.toContain('scopes');
});

story('saving without a change sends nothing', async (user, service) => {
  await user.opens('keys');
  await user.presses('/', 'report', 'return', 'e', 'ctrl+s');
  await user.sees('No changes to save');
  await user.presses('return');
  await user.sees('Nothing was changed, nothing was sent');
  expect(service.received('PATCH')).toEqual([]);
});

story('scopes are cleared with null after a question, and u restores them', async (user, service) => {
  await user.opens('keys');
  await user.presses('/', 'report', 'return', ':', 'clear scopes', 'return');
  await user.sees('Clear the scopes of report bot?');
  await user.sees('Without scopes it has all your permissions, now and later');
  await user.presses('y');
  await user.sees('Saved report bot: no scopes (all your permissions)');
  expect(service.received('PATCH')[0]?.body).toMatchObject({ data: { attributes: { scopes: null } } });
  expect(appKey(service, 'report bot')?.scopes).toBeNull();
  await user.presses(':', 'clear scopes');
  await user.sees(/> clear scopes +no scopes to clear/);
  await user.presses('esc', 'u');
  await user.sees(receiptOf.undo(''));
  expect(appKey(service, 'report bot')?.scopes).toEqual(['dashboards_read']);
});

story('a key is deleted after its name is typed', async (user, service) => {
  await user.opens('keys');
  await user.presses('/', 'report', 'return', 'd');
  await user.sees('Delete application key report bot');
  await user.presses('return');
  await user.sees('Type report bot to confirm');
  expect(service.received('DELETE')).toEqual([]);
  await user.presses('report bot', 'return');
  await user.sees('Deleted application key report bot');
  expect(appKey(service, 'report bot')).toBeUndefined();
  await user.loses(/│.*report bot +…/);
});

story('the key in use is marked, and deleting it shows a warning', async (user, service) => {
  const { last4 } = { last4: appKey(service, 'this dashboard')?.secret.slice(-4) ?? '' };
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

test(
  'a leaked key is red and comes first; the detail says where it was found',
  journey(
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
    {
      ...bare,
      before(service) {
        onlyOurs(service);
        hasKey(service, 'aardvark');
        hasKey(service, 'zebra', { leak_information: true });
      },
    },
  ),
);

test(
  "a key of another owner shows the owner, and is edited and deleted through the organization's path",
  journey(
    async (user, service) => {
      await user.opens('keys');
      await user.presses(']');
      await user.sees(/robot key .*Nele Storm/);
      await user.presses('/', 'robot', 'return', 'e', 'x', 'ctrl+s');
      await user.sees('+ robot keyx');
      await user.presses('return');
      await user.sees('Renamed robot key to robot keyx');
      expect(service.received('PATCH')[0]?.path).toMatch(/^\/api\/v2\/application_keys\//);
      await user.presses('d', 'robot keyx', 'return');
      await user.sees('Deleted application key robot keyx');
      expect(appKey(service, 'robot keyx')).toBeUndefined();
    },
    {
      ...bare,
      before(service) {
        onlyOurs(service);
        const id = service.has('users', { name: 'Nele Storm', email: 'nele.storm@example.test' });
        service.has('application_keys', { name: 'robot key', owned_by: id, scopes: ['monitors_read'] });
      },
    },
  ),
);

test(
  'a refused name keeps the form open with the reason',
  journey(
    async (user, service) => {
      await user.opens('keys');
      await user.presses('/', 'report', 'return', 'e');
      for (let at = 0; at < 10; at += 1) await user.presses('backspace');
      await user.presses('other', 'ctrl+s', 'return');
      await user.sees('already exists');
      await user.sees('other');
      expect(appKey(service, 'report bot')).toBeDefined();
      await user.presses('esc', 'esc', 'esc');
      await user.presses('n', 'ctrl+s');
      await user.sees('Name is required');
      await user.presses('x', 'tab', 'return', 'no_such_word', 'space', 'return', 'ctrl+s', 'return');
      await user.sees('Invalid scope: no_such_word');
    },
    {
      ...bare,
      before(service) {
        onlyOurs(service);
        hasKey(service, 'report bot');
        hasKey(service, 'other');
      },
    },
  ),
);

test(
  'all pages of keys are read; the service searches by name',
  journey(
    async (user, service) => {
      await user.opens('keys');
      await user.sees(/keys 131\b/);
      await user.presses('s', 'key 07', 'return');
      await user.sees('"key 07"');
      await user.sees(/keys 10\b/);
      expect(service.received('GET', 'application_keys').at(-1)?.query.filter).toBe('key 07');
    },
    {
      ...bare,
      before(service) {
        onlyOurs(service);
        const others = [...service.org.applicationKeys.values()].filter((key) => key.owner === me(service)).length;
        for (let at = 0; at < 131 - others; at += 1) hasKey(service, `key ${String(at).padStart(3, '0')}`);
      },
    },
  ),
);
