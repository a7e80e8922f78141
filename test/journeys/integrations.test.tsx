import { expect, test } from 'vitest';
import { journey } from '../support/journey.tsx';
import { here } from '../support/run-vocabulary.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const base = '/api/v1/integration/provider_a';

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
const bodies = (service: Simulator, method: string) => service.received(method, base).map((call) => call.body);

/** Tab keys from the first field of the form to a later one. */
const tabs = (count: number): string[] => Array(count).fill('tab');

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

story(
  'a secret that the service later finds wrong is reported by the next poll, and by a receipt; an older service keeps its defaults',
  {
    before(service) {
      hasAccounts(service);
      service.switches.olderIntegrations = true;
    },
  },
  async (user, service) => {
    await user.opens('integrations');
    const limits = (hosts: string) => user.presses('e', ...tabs(4), 'ctrl+u', hosts, 'ctrl+s', 'return');
    await user.presses('j');
    await limits('env:dev');
    await user.sees(/✓ Saved/);
    await user.neverSees('The client secret is not valid');
    service.switches.accountErrors = true;
    await user.polls();
    await user.sees('│ The client secret is not valid');
    await limits('env:prod');
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
