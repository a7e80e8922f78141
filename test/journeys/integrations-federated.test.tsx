import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { journey, type User } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const v1 = '/api/v1/integration/provider_b';
const material = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';

/** One account in the deprecated form, one federated. */
function hasAccounts(service: Simulator): void {
  const { accounts } = service.org;
  accounts.b.clear();
  accounts.bV1.clear();
  accounts.delegate = null;
  service.has('provider_b_account', {
    project_id: 'billing',
    client_email: 'old@billing.test',
    host_filters: 'env:prod',
    automute: true,
  });
  service.has('provider_b_service_account', {
    id: 'b-1',
    client_email: 'new@search.test',
    host_filters: ['env:prod'],
    monitored_resource_configs: [
      { type: 'vm_instance', filters: ['env:prod'] },
      { type: 'cloud_function', filters: ['team:web'] },
    ],
    is_cspm_enabled: true,
    is_later_enabled: true,
    meta: { accessible_projects: ['search-1', 'search-2'] },
  });
}

const mine = { columns: 100, rows: 30, monitors: 0, issues: 0, before: hasAccounts } as const;
const story = stories(journey, mine);
const b = (service: Simulator, id = 'b-1') => service.org.accounts.b.get(id)?.fields;
const tabs = (count: number): string[] => Array(count).fill('tab');

/** Opens the tab of that name. */
async function goes(user: User, to: 'v1' | 'v2'): Promise<void> {
  await user.opens('integrations');
  await user.presses(...(to === 'v1' ? [']'] : [']', ']']));
  await user.sees(to === 'v1' ? 'old@billing.test' : 'new@search.test');
}

/** Writes a key file and returns its path. */
function keyFile(user: User, more: object = {}): string {
  const path = join(user.journal.path, '..', 'key.json');
  const key = {
    type: 'service_account',
    project_id: 'fresh',
    client_email: 'sa@fresh.test',
    client_id: '1',
    private_key: material,
    private_key_id: `id-of-${material}`,
    token_uri: 'https://example.test/token',
  };
  writeFileSync(path, JSON.stringify({ ...key, ...more }));
  return path;
}

async function isNowhere(user: User): Promise<void> {
  await user.journal.written();
  for (const text of [...user.copied, readFileSync(user.journal.path, 'utf8'), await user.screen()])
    expect(text).not.toContain(material);
}

story('the detail lists the projects of an account and, once created, its delegate', async (user, service) => {
  await goes(user, 'v2');
  await user.presses('return');
  await user.sees('none yet. x: create it');
  await user.presses(':', 'create delegate', 'return');
  await user.sees('Create the delegate service account?');
  await user.presses('y');
  await user.sees('✓ Delegate service account: delegate-');
  await user.presses('esc', 'return', 'G');
  await user.sees('search-2');
  await user.presses('esc', ':', 'create delegate', 'return');
  await user.sees(`The delegate service account is ${service.org.accounts.delegate}`);
});

story(
  'ending resource collection warns that security posture ends too; the form shows a refusal',
  async (user, service) => {
    await goes(user, 'v2');
    await user.presses('e', ...tabs(5), 'right', 'ctrl+s', 'return');
    await user.sees('Security posture scanning stops too');
    service.refuses(400, { match: 'integrations.update-b', times: 1, body: { errors: ['Not today'] } });
    await user.presses('y');
    await user.sees('Not today');
    await user.presses('ctrl+s', 'y');
    await user.sees(`✓ ${receiptOf.save('new@search.test')}`);
    expect(b(service)).toMatchObject({ resource_collection_enabled: false, is_cspm_enabled: false });
  },
);

story(
  'an invalid key file can be corrected; the key is never shown; u deletes the new account',
  async (user, service) => {
    await goes(user, 'v1');
    await user.presses('n', keyFile(user, { private_key: '' }), 'ctrl+s');
    await user.sees('it lacks private_key');
    keyFile(user);
    await user.presses('ctrl+s');
    await user.sees('Review');
    expect(await user.screen()).not.toContain(material);
    await user.presses('return');
    await user.sees('✓ Added fresh as a deprecated account');
    expect(service.received('POST', v1)[0]?.body).toMatchObject({ private_key: material, project_id: 'fresh' });
    await user.presses('Y', 'v', 'n');
    await isNowhere(user);
    await user.presses('u');
    await user.sees(receiptOf.undo('added fresh'));
    expect(service.org.accounts.bV1.size).toBe(1);
  },
);

story(
  'only the members of a key file that the contract names are sent; the receipt names the others',
  async (user, service) => {
    await goes(user, 'v1');
    const strange = { universe_domain: 'example.test', auth_uri: 'https://example.test/auth', host_filters: 'a:b' };
    await user.presses('n', keyFile(user, strange), 'ctrl+s');
    await user.sees('Review');
    await user.presses('return');
    await user.sees('✓ Added fresh; ignored in the key file: universe_domain, host_filters');
    expect(service.received('POST', v1)[0]?.body).toEqual({
      type: 'service_account',
      project_id: 'fresh',
      client_email: 'sa@fresh.test',
      client_id: '1',
      private_key: material,
      private_key_id: `id-of-${material}`,
      token_uri: 'https://example.test/token',
      auth_uri: 'https://example.test/auth',
      host_filters: '',
      cloud_run_revision_filters: [],
      resource_collection_enabled: false,
      is_security_command_center_enabled: false,
      automute: false,
    });
  },
);
