import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const a = '/api/v1/integration/provider_a';
const b = '/api/v2/integration/provider_b/accounts';
const sts = '/api/v2/integration/provider_b/sts_delegate';
const federated = (attributes: object, id?: string) => ({
  data: { type: 'provider_b_service_account', attributes, ...(id ? { id } : {}) },
});

test('provider_a: not installed is 400 before the first account and after the last', () =>
  simulated(async ({ get, ask }) => {
    const account = { tenant_name: 't1', client_id: 'c1', client_secret: 'made up' };
    const status = async () => (await get(a)).status;
    const before = await status();
    await ask('POST', a, account);
    const between = await status();
    await ask('DELETE', a, account);
    expect([before, between, await status()]).toEqual([400, 200, 400]);
  }));

test('provider_a: an account that is given another identity is there once', () =>
  simulated(async ({ get, ask }) => {
    await ask('POST', a, { tenant_name: 't1', client_id: 'c1', client_secret: 'made up' });
    const moved = { new_tenant_name: 't2', new_client_id: 'c2' };
    expect((await ask('PUT', a, { tenant_name: 't1', client_id: 'c1', ...moved })).status).toBe(200);
    expect((await get(a)).body.map((one: { tenant_name: string }) => one.tenant_name)).toEqual(['t2']);
  }));

test('provider_b, federated: old and new lists mirror each other', () =>
  simulated(async ({ ask }) => {
    const made = await ask('POST', b, federated({ client_email: 'm@example.test', host_filters: ['env:prod'] }));
    const { id, attributes } = made.body.data;
    expect(attributes.monitored_resource_configs).toEqual([{ type: 'vm_instance', filters: ['env:prod'] }]);
    const edit = async (sent: object) => (await ask('PATCH', `${b}/${id}`, federated(sent))).body.data.attributes;
    const run = { type: 'cloud_run_revision', filters: ['a:b'] };
    expect(await edit({ monitored_resource_configs: [run] })).toMatchObject({
      host_filters: [],
      cloud_run_revision_filters: ['a:b'],
    });
    expect(await edit({ host_filters: ['c:d'], monitored_resource_configs: [] })).toMatchObject({
      host_filters: ['c:d'],
      cloud_run_revision_filters: ['a:b'],
      monitored_resource_configs: [run, { type: 'vm_instance', filters: ['c:d'] }],
    });
    expect(await edit({ account_tags: ['x:y'] })).toMatchObject({ host_filters: ['c:d'], account_tags: ['x:y'] });
    expect(await edit({ monitored_resource_configs: [] })).toMatchObject({
      host_filters: [],
      cloud_run_revision_filters: [],
    });
  }));

test('the permission to edit is enough for the delegate', () =>
  simulated(async ({ as, service }) => {
    const editor = as(service.keys.make({ permissions: ['provider_b_configuration_edit'] }));
    expect((await editor.ask('POST', sts)).status).toBe(200);
  }));
