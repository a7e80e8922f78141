import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pairKey } from '../../src/simulator/kinds/integrations.ts';
import { journey, type User } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import { here } from '../support/run-vocabulary.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const base = '/api/v1/integration/provider_a';
const secret = 'correct-horse-battery-staple';

/** Two accounts of provider_a: one without and one with errors. */
function hasAccounts(service: Simulator): void {
  service.org.accounts.a.clear();
  service.has('provider_a_account', {
    tenant_name: 'shop',
    client_id: 'c-1',
    host_filters: 'env:prod',
    cspm_enabled: true,
    later: 'kept',
  });
  service.has('provider_a_account', { tenant_name: 'labs', client_id: 'c-2', errors: ['the secret has expired'] });
}

const mine = { columns: 100, rows: 30, monitors: 0, issues: 0, before: hasAccounts } as const;
const story = stories(journey, mine);
const stored = (service: Simulator, tenant: string, client: string) =>
  service.org.accounts.a.get(pairKey(tenant, client))?.fields;
const bodies = (service: Simulator, method: string) => service.received(method, base).map((call) => call.body);

/** Checks that neither screen, clipboard nor journal contains the secret. */
async function isNowhere(user: User): Promise<void> {
  await user.journal.written();
  for (const text of [...user.copied, readFileSync(user.journal.path, 'utf8'), await user.screen()])
    expect(text).not.toContain(secret);
}

/** Tab keys from the first field of the form to a later one. */
const tabs = (count: number): string[] => Array(count).fill('tab');

story('errors of an account show in its row, above the list and in the detail', async (user) => {
  await user.opens('integrations');
  await user.sees('1 account has errors');
  expect(await user.line('1 error')).toContain('labs');
  expect(await user.line('ok ')).toContain('shop');
  await user.presses('return');
  await user.sees('the secret has expired');
});

story(
  'a 400 for "not configured" shows an empty list; another 400 shows an error',
  {
    before(service) {
      service.org.accounts.a.clear();
      service.org.accounts.b.clear();
      service.org.accounts.bV1.clear();
      service.switches.emptyIsNotInstalled = true;
    },
  },
  async (user, service) => {
    await user.presses('6');
    await user.sees(here.says('No provider_a accounts. n: add one'));
    await user.presses(']');
    await user.sees('No deprecated accounts');
    await user.presses(']');
    await user.sees(here.says('no provider_b integration yet'));
    service.refuses(400, { match: 'integrations.list-a', times: 1, body: { errors: ['Bad tenant'] } });
    await user.presses('[', '[', 'ctrl+r');
    await user.sees('Bad tenant');
  },
);

story('the header says that more accounts may have errors until every tab is read', async (user) => {
  await user.presses('6');
  await user.sees(/\[6 int\w* 1\+!\]/);
  await user.presses(']');
  await user.presses(']');
  await user.sees(/\[6 int\w* 2!\]/);
});

story('an edit shows the difference and sends everything that was read; u restores it', async (user, service) => {
  await user.opens('integrations');
  await user.presses('j', 'e', ...tabs(4), 'ctrl+u', 'env:prod, role:web', 'ctrl+s');
  await user.sees('Review changes');
  await user.sees('+ env:prod, role:web');
  expect(bodies(service, 'PUT')).toEqual([]);
  // Another user's change of another field is kept.
  Object.assign(stored(service, 'shop', 'c-1') ?? {}, { automute: true });
  await user.presses('return');
  await user.sees(`✓ ${receiptOf.save('shop')}`);
  expect(bodies(service, 'PUT')[0]).toMatchObject({
    tenant_name: 'shop',
    host_filters: 'env:prod,role:web',
    automute: true,
    cspm_enabled: true,
    later: 'kept',
  });
  expect(bodies(service, 'PUT')[0]).not.toHaveProperty('errors');
  await user.presses('u');
  await user.sees(receiptOf.undo(receiptOf.save('shop')));
  expect(stored(service, 'shop', 'c-1')).toMatchObject({ host_filters: 'env:prod', automute: true });
});

story(
  'resource providers stand one by one, and each is switched in the form; u restores them',
  {
    before(service) {
      hasAccounts(service);
      const fields = stored(service, 'shop', 'c-1') ?? {};
      const compute = { namespace: 'example.compute', metrics_enabled: false, later: 'kept' };
      Object.assign(fields, {
        resource_provider_configs: [compute, { namespace: 'example.web', metrics_enabled: true }],
      });
    },
  },
  async (user, service) => {
    await user.opens('integrations');
    await user.presses('j', 'return');
    await user.sees(/example\.compute +metrics off/);
    await user.sees(/example\.web +metrics on/);
    await user.presses('e');
    await user.sees('Resource providers');
    await user.presses(...tabs(10), 'ctrl+u', 'example.compute on, example.store', 'ctrl+s');
    await user.sees('Review changes');
    await user.presses('return');
    await user.sees(`✓ ${receiptOf.save('shop')}`);
    expect(bodies(service, 'PUT')[0]).toMatchObject({
      resource_provider_configs: [
        { namespace: 'example.compute', metrics_enabled: true, later: 'kept' },
        { namespace: 'example.store', metrics_enabled: true },
      ],
    });
    await user.presses('u');
    await user.sees(receiptOf.undo(receiptOf.save('shop')));
    expect(stored(service, 'shop', 'c-1')).toMatchObject({
      resource_provider_configs: [
        { namespace: 'example.compute', metrics_enabled: false },
        { namespace: 'example.web', metrics_enabled: true },
      ],
    });
    await user.presses('e', ...tabs(10), 'ctrl+u', 'example.web maybe', 'ctrl+s');
    await user.sees('example.web maybe is no resource provider: write its namespace and on or off');
  },
);

story('a new identity moves the account, refuses one that is in use, and u moves it back', async (user, service) => {
  await user.opens('integrations');
  await user.presses('j', 'e', 'ctrl+u', 'labs', 'tab', 'ctrl+u', 'c-2', 'ctrl+s', 'return');
  await user.sees('already exists');
  expect(bodies(service, 'PUT')).toEqual([]);
  await user.presses('esc', 'ctrl+u', 'c-9', 'ctrl+s', 'return');
  await user.sees(`✓ ${receiptOf.save('labs')}`);
  expect(stored(service, 'shop', 'c-1')).toBeUndefined();
  expect(stored(service, 'labs', 'c-9')).toMatchObject({ host_filters: 'env:prod' });
  await user.presses('u');
  await user.sees(receiptOf.undo(receiptOf.save('labs')));
  expect(stored(service, 'shop', 'c-1')).toMatchObject({ host_filters: 'env:prod' });
  expect(stored(service, 'labs', 'c-9')).toBeUndefined();
});

story('a new secret is masked, confirmed, and never shown', async (user, service) => {
  await user.opens('integrations');
  await user.presses('e');
  await user.sees(/Client secret +\[ empty = unchanged +\] │\n│ +Hosts +\[ empty = all +\] │/);
  await user.presses(...tabs(3), secret, 'ctrl+s');
  await user.sees('Review changes');
  await user.neverSees(secret);
  await user.presses('return');
  await user.sees('The old client secret cannot be restored');
  await user.presses('y');
  await user.sees(`✓ ${receiptOf.save('labs')}`);
  expect(bodies(service, 'PUT')[0]).toMatchObject({ client_secret: secret });
  await user.presses('Y', 'r', 'Y', 'v', 'e');
  await isNowhere(user);
});

story('a new account needs a secret, does not overwrite an existing one, and u deletes it', async (user, service) => {
  await user.opens('integrations');
  await user.presses('n', 'shop', 'tab', 'c-1', 'ctrl+s');
  await user.sees('Client secret is required');
  await user.presses(secret, 'ctrl+s');
  await user.sees(/Client secret +│\n│ +\+ ••••/);
  await user.presses('return');
  await user.sees(/was not created: [\s\S]*already exists;[\s│]+edit[\s│]+it[\s│]+\(e\)/);
  expect(bodies(service, 'POST')).toEqual([]);
  await user.presses('esc', 'shift+tab', 'shift+tab', 'ctrl+u', 'c-3', 'ctrl+s', 'return');
  await user.sees('✓ Added shop');
  expect(bodies(service, 'POST')[0]).toMatchObject({ client_secret: secret, client_id: 'c-3' });
  await isNowhere(user);
  await user.presses('u');
  await user.sees(receiptOf.undo('added shop'));
  expect(stored(service, 'shop', 'c-3')).toBeUndefined();
  expect(stored(service, 'shop', 'c-1')).toBeDefined();
});

story('an account with secretless authentication sends no secret', async (user, service) => {
  await user.opens('integrations');
  await user.presses('n', 'free', 'tab', 'c-4', 'tab', 'right');
  await user.loses('Client secret');
  await user.presses('ctrl+s', 'return');
  await user.sees('✓ Added free');
  expect(bodies(service, 'POST')[0]).toMatchObject({ secretless_auth_enabled: true });
  expect(bodies(service, 'POST')[0]).not.toHaveProperty('client_secret');
});

story(
  'the host filters of an account have their own action, are checked, and u restores them',
  async (user, service) => {
    await user.opens('integrations');
    await user.presses('j', ':', 'filter hosts', 'return', 'ctrl+u', 'prod', 'ctrl+s');
    await user.sees('each filter is key:value');
    await user.presses('ctrl+u', 'ctrl+s');
    await user.sees('✓ Monitoring all hosts of shop');
    expect(service.received('POST', `${base}/host_filters`)).toHaveLength(1);
    await user.presses('u');
    await user.sees(receiptOf.undo('monitoring all hosts of shop'));
    expect(stored(service, 'shop', 'c-1')?.host_filters).toBe('env:prod');
  },
);

story('deleting asks for the name; an account that is already deleted is no error', async (user, service) => {
  await user.opens('integrations');
  await user.presses('j', 'd');
  await user.sees('You need the client secret to re-add it');
  service.org.accounts.a.delete(pairKey('shop', 'c-1'));
  await user.presses('shop', 'return');
  await user.sees('✓ Removed shop');
  await user.loses('env:prod');
  expect(service.received('DELETE', base)[0]?.body).toEqual({ tenant_name: 'shop', client_id: 'c-1' });
});

story(
  'a secret that the service later finds wrong is reported by the next poll; an older service keeps its defaults',
  {
    before(service) {
      hasAccounts(service);
      service.switches.olderIntegrations = true;
      service.switches.accountErrors = true;
    },
  },
  async (user, service) => {
    await user.opens('integrations');
    await user.presses('j', 'e', ...tabs(4), 'ctrl+u', 'env:dev', 'ctrl+s', 'return');
    await user.sees('the service reports: The client secret is not valid');
    expect(bodies(service, 'PUT')[0]).not.toHaveProperty('metrics_enabled');
  },
);

test(
  'at 200 columns the request is shown while a person types, without what a field hides',
  journey(
    async (user) => {
      await user.opens('integrations');
      await user.presses('n', 'tenant-1', 'tab', 'client-1', 'tab', 'tab', 'very-secret-text');
      await user.sees(/│ Request +│/);
      await user.sees(': "tenant-1",');
      await user.sees(': "(hidden)",');
      await user.neverSees('ends in');
    },
    { columns: 200, rows: 50, monitors: 0, issues: 0 },
  ),
);
