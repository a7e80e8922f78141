import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const a = '/api/v1/integration/provider_a';
const bV1 = '/api/v1/integration/provider_b';
const b = '/api/v2/integration/provider_b/accounts';
const sts = '/api/v2/integration/provider_b/sts_delegate';
const account = { tenant_name: 't1', client_id: 'c1', client_secret: 'aaaabbbbccccdddd' };
const keyFile = {
  type: 'service_account',
  project_id: 'p1',
  client_email: 'one@example.test',
  private_key: 'made up, opens nothing',
};
const federated = (attributes: object, id?: string) => ({
  data: { type: 'provider_b_service_account', attributes, ...(id ? { id } : {}) },
});
const posture = { errors: ['Resource Collection must be enabled for CSM to be enabled'] };

test('provider_a: not installed is 400 before the first account and after the last', () =>
  simulated(async ({ get, ask }) => {
    const empty = await get(a);
    expect(empty.status).toBe(400);
    expect(empty.body.errors[0]).toMatch(
      /Integration not yet installed\. Please install before performing this action\.$/,
    );
    expect(await ask('POST', a, account)).toMatchObject({ status: 200, body: {} });
    const [value] = (await get(a)).body;
    expect(value).toEqual({
      tenant_name: 't1',
      client_id: 'c1',
      host_filters: '',
      app_service_plan_filters: '',
      container_app_filters: '',
      automute: false,
      cspm_enabled: false,
      custom_metrics_enabled: false,
      resource_collection_enabled: true,
      metrics_enabled: true,
      metrics_enabled_default: true,
      usage_metrics_enabled: true,
      resource_provider_configs: [],
      secretless_auth_enabled: false,
      errors: [],
      warnings: [],
    });
    expect(await ask('DELETE', a, { tenant_name: 't1', client_id: 'c1', more: 1 })).toMatchObject({ status: 200 });
    expect(await ask('DELETE', a, { tenant_name: 't1', client_id: 'c1' })).toMatchObject({ status: 200, body: {} });
    expect((await get(a)).status).toBe(400);
  }));

test('provider_a: an edit keeps what was not sent; an account may be renamed', () =>
  simulated(async ({ get, ask, service }) => {
    const { client_secret: _, ...secretless } = account;
    expect((await ask('POST', a, { ...secretless, secretless_auth_enabled: true })).status).toBe(200);
    expect((await ask('POST', a, { ...account, automute: true, errors: ['mine'] })).status).toBe(200);
    expect((await get(a)).body).toMatchObject([{ automute: true, secretless_auth_enabled: true, errors: [] }]);
    expect((await ask('PUT', a, { tenant_name: 't1', client_id: 'c1', host_filters: 'env:prod' })).status).toBe(200);
    expect((await get(a)).body).toMatchObject([{ automute: true, host_filters: 'env:prod' }]);
    service.has('provider_a_account', { tenant_name: 't1', client_id: 'c2' });
    expect((await ask('PUT', a, { tenant_name: 't1', client_id: 'c1', new_client_id: 'c1' })).status).toBe(200);
    expect((await ask('PUT', a, { tenant_name: 't1', client_id: 'c1', new_client_id: 'c3' })).status).toBe(200);
    expect((await get(a)).body.map((entry: { client_id: string }) => entry.client_id).sort()).toEqual(['c2', 'c3']);
    const filter = { tenant_name: 't1', client_id: 'c3', host_filters: 'a:b,c:d' };
    expect((await ask('POST', `${a}/host_filters`, filter)).status).toBe(200);
    expect((await get(a)).text).toContain('a:b,c:d');
    expect((await get(a)).text).not.toContain(account.client_secret);
  }));

test('provider_b, deprecated: its own accounts and the federated ones without a project', () =>
  simulated(async ({ get, ask, service }) => {
    expect((await get(bV1)).body).toEqual([]);
    expect((await ask('POST', bV1, keyFile)).body).toEqual({});
    await ask('POST', b, federated({ client_email: 'two@example.test', host_filters: ['x:y', 'z:w'] }));
    const all = await get(bV1);
    expect(all.body).toMatchObject([
      { project_id: 'p1', client_email: 'one@example.test', host_filters: '', errors: [] },
      { project_id: '', client_email: 'two@example.test', host_filters: 'x:y,z:w' },
    ]);
    expect(all.text).not.toMatch(/private_key|made up/);
    const named = { project_id: 'p1', client_email: 'one@example.test' };
    expect((await ask('PUT', bV1, { ...named, automute: true })).status).toBe(200);
    expect((await ask('PUT', bV1, { ...named, host_filters: 'env:prod' })).status).toBe(200);
    expect((await get(bV1)).body[0]).toMatchObject({ automute: true, host_filters: 'env:prod' });
    expect(await ask('DELETE', bV1, named)).toMatchObject({ status: 200, body: {} });
    expect(await ask('DELETE', bV1, named)).toMatchObject({ status: 200, body: {} });
    expect((await get(bV1)).body).toHaveLength(1);
    const id = service.has('provider_b_account', { errors: ['revoked'], more: 'kept' });
    expect(id).toContain('project');
    expect((await get(bV1)).text).toContain('kept');
  }));

test('provider_b, federated: create, edit and delete', () =>
  simulated(async ({ get, ask }) => {
    expect((await get(b)).body).toEqual({ data: [] });
    const made = await ask('POST', b, federated({ client_email: 'one@example.test' }));
    expect(made.status).toBe(201);
    expect(made.body.data).not.toHaveProperty('meta');
    expect(made.body.data.attributes).toMatchObject({
      resource_collection_enabled: true,
      is_global_location_enabled: true,
      metric_namespace_configs: [{ id: 'prometheus', disabled: true, filters: [] }],
    });
    const { id } = made.body.data;
    expect((await get(b)).body.data[0].meta).toEqual({ accessible_projects: [] });
    expect((await ask('PATCH', `${b}/${id}`, federated({ is_cspm_enabled: true }))).status).toBe(201);
    const without = federated({ resource_collection_enabled: false });
    expect(await ask('PATCH', `${b}/${id}`, without)).toMatchObject({ status: 400, body: posture });
    expect(
      (await ask('PATCH', `${b}/${id}`, federated({ is_new_switch: true }, id))).body.data.attributes,
    ).toMatchObject({
      is_new_switch: true,
      is_cspm_enabled: true,
    });
    expect(await ask('DELETE', `${b}/${id}`)).toMatchObject({ status: 204, text: '' });
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

test('provider_b: the delegate is made once', () =>
  simulated(async ({ get, ask }) => {
    expect((await get(sts)).body).toEqual({ data: null });
    const { body } = await ask('POST', sts);
    expect(body.data).toEqual({
      type: 'provider_b_sts_delegate',
      id: body.data.attributes.delegate_account_email,
      attributes: { delegate_account_email: body.data.id },
    });
    expect((await ask('POST', sts, {})).body).toEqual(body);
    expect((await get(sts)).body).toEqual(body);
  }));

test('the permission to edit is enough for the delegate', () =>
  simulated(async ({ as, service }) => {
    const editor = as(service.keys.make({ permissions: ['provider_b_configuration_edit'] }));
    expect((await editor.ask('POST', sts)).status).toBe(200);
  }));

test('a furnished organisation has accounts of every form', () =>
  simulatedWith(async ({ get }) => {
    const [first, second] = [(await get(a)).body, (await get(bV1)).body];
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(second.some((entry: { project_id: string }) => entry.project_id !== '')).toBe(true);
    expect((await get(b)).body.data.length).toBeGreaterThanOrEqual(4);
  }));
