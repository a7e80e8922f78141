import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/api/all-endpoints.ts';
import { type Endpoint, pathNames } from '../../../src/api/endpoint.ts';
import { type Asking, asking, restingSimulator } from '../../support/simulated.ts';
import type { Simulator } from '../../support/simulator.ts';
import { access } from './refusals/access.ts';
import { integrations } from './refusals/integrations.ts';
import { logs } from './refusals/logs.ts';
import { monitoring } from './refusals/monitors.ts';
import { data, nowhere, type Refusal, refusals } from './refusals/row.ts';
import { referenceTables } from './refusals/tables.ts';

const own = '/api/v2/current_user/application_keys';
const mappings = '/api/v2/authn_mappings';
const filters = '/api/v2/apm/config/retention-filters';

/** Lists that come in pages of 1 to 100 (docs/contract/conventions.md#paging). */
const paged = [own, '/api/v2/application_keys', '/api/v2/api_keys', '/api/v2/roles', '/api/v2/users', mappings];
const pages = refusals(
  [...paged, '/api/v2/team', '/api/v2/roles/role-1/users'].map((path) => [
    'keys.md 0.4',
    [`GET ${path}?page[size]=0`, `GET ${path}?page[size]=101`],
    400,
    'Invalid page[size]: must be between 1 and 100',
  ]),
);
const orders = refusals(
  paged
    .filter((path) => path !== '/api/v2/users')
    .map((path) => ['keys.md 0.4', `GET ${path}?sort=color`, 400, 'Invalid sort: color']),
);

const idOf = (path: string, ...methods: readonly string[]) => methods.map((method) => `${method} ${path}/${nowhere}`);
const rename = (type: string): unknown => data(type, { name: 'x' }, nowhere);
const sampling = {
  ...{ name: 'x', enabled: true, rate: 1 },
  ...{ filter: { query: '*' }, filter_type: 'spans-sampling-processor' },
};
const bucket = { type: 'provider_c', bucket: 'logs', integration: { access_key_id: 'k' } };

// biome-ignore format: one row a line
const unknown = refusals([
  ['keys.md 2', idOf(own, 'GET', 'PATCH', 'DELETE'), 404, 'Application key not found', rename('application_keys')],
  ['keys.md 3', idOf('/api/v2/application_keys', 'GET', 'PATCH', 'DELETE'), 404, 'Application key not found', rename('application_keys')],
  ['keys.md 5.1', idOf('/api/v2/api_keys', 'GET', 'PATCH', 'DELETE'), 404, 'API key not found', rename('api_keys')],
  ['keys.md 5.2', idOf('/api/v1/api_key', 'GET', 'PUT', 'DELETE'), 404, 'API key not found', { name: 'x' }],
  ['roles.md 4', idOf('/api/v2/roles', 'GET', 'PATCH', 'DELETE'), 404, `${nowhere} not found`, rename('roles')],
  ['users.md 3', idOf('/api/v2/users', 'GET'), 404, 'user not found'],
  ['users.md 3', idOf('/api/v2/users', 'PATCH', 'DELETE'), 404, `${nowhere} not found`, rename('users')],
  ['authn-mappings.md 5', idOf(mappings, 'GET', 'PATCH', 'DELETE'), 404, `Mapping with id ${nowhere} not found`, rename('authn_mappings')],
  ['retention-filters.md 4', idOf(filters, 'GET', 'PUT', 'DELETE'), 404, `retention filter with id: '${nowhere}' not found`, data('apm_retention_filter', sampling, nowhere)],
  ['logs-archives.md 5', idOf('/api/v2/logs/config/archives', 'GET', 'PUT', 'DELETE'), 404, `Archive ${nowhere} not found`, data('archives', { name: 'x', query: '*', destination: bucket }, nowhere)],
  ['integrations.md 3', idOf('/api/v2/integration/provider_b/accounts', 'PATCH'), 404, 'Account not found', rename('provider_b_service_account')],
  ['integrations.md 3', idOf('/api/v2/integration/provider_b/accounts', 'DELETE'), 400, 'Account not found'],
  ['monitors.md 2.11', idOf('/api/v2/downtime', 'GET', 'PATCH'), 404, 'Downtime not found', {}],
  ['monitors.md 2.11', idOf('/api/v2/downtime', 'DELETE'), 404, `Downtime ${nowhere} not found`],
  ['monitors.md 7', idOf('/api/v1/monitor', 'GET', 'PUT', 'DELETE'), 400, 'Invalid monitor ID.', {}],
]);

let service: Simulator;
/** Requests with the keys of a caller who holds these permissions; absent = an administrator. */
let as: (permissions?: readonly string[]) => Asking;
/** Ids of fixtures, by their placeholder. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = restingSimulator({ furnished: false });
  const at = await service.start();
  as = (permissions) => asking(at.url, permissions ? service.keys.make({ permissions }) : at);
  const { org } = service;
  service.has('monitor', { id: 77, name: 'Monitor 77' });
  service.has('roles', { id: 'role-1', name: 'Night watch' });
  service.has('team', { id: 'team-1', handle: 'crew', name: 'Crew' });
  for (const [id, attribute_value] of [
    ['mapping-1', 'sre'],
    ['mapping-2', 'web'],
  ])
    service.has('authn_mappings', { id, attribute_key: 'groups', attribute_value, role: 'role-1' });
  for (const number of [1, 2]) {
    service.has('application_keys', { id: `key-${number}`, name: `key ${number}` });
    service.has('archives', { id: `archive-${number}` });
  }
  service.has('api_keys', { id: 'api-1', name: 'agents' });
  service.has('apm_retention_filter', { id: 'filter-1' });
  service.has('apm_retention_filter', { id: 'fixed', editable: false });
  service.has('apm_retention_filter', {
    id: 'built-in',
    name: 'Error Default',
    filter: { query: 'status:error' },
    filter_type: 'spans-errors-sampling-processor',
    created_at: 0,
  });
  for (const client_id of ['c1', 'c2']) service.has('provider_a_account', { tenant_name: 't1', client_id });
  service.has('provider_b_account', { project_id: 'p1', client_email: 'one@example.test' });
  service.has('provider_b_service_account', { client_email: 'two@example.test' });
  Object.assign(ids, {
    me: [...org.users.keys()][0],
    managed: [...org.roles.values()].find((role) => role.managed)?.id,
    permission: org.permissions.get('cases_read')?.id,
    issue: service.has('issue', {}),
    table: service.has('reference_table', { rows: [{ id: 'a', name: 'one', size: 1 }] }),
    busy: service.has('reference_table', { status: 'PROCESSING' }),
    huge: service.has('reference_table', { row_count: 10_000_001 }),
  });
});
afterAll(() => service.stop());

const withIds = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (found, name: string) => ids[name] ?? found);

/** How many rows there are of each kind; keys are made for callers. */
const sizes = () =>
  Object.entries({ ...service.org, ...service.org.accounts, ...service.org.tableStore }).flatMap(([name, rows]) =>
    rows instanceof Map ? [[name, rows.size]] : [],
  );

/** Error tracking and reference tables have objects as errors. */
const texts = (errors: readonly (string | { readonly detail: string })[]): string =>
  errors.map((error) => (typeof error === 'string' ? error : error.detail)).join(' | ');

const groups: readonly (readonly [string, readonly Refusal[]])[] = [
  ['pages', pages],
  ['orders', orders],
  ['unknown ids', unknown],
  ['access', access],
  ['monitoring', monitoring],
  ['logs', logs],
  ['integrations', integrations],
  ['reference tables', referenceTables],
];

describe.each(groups)('refusals: %s', (_: string, rows: readonly Refusal[]) => {
  for (const { section, request, status, error, body, permissions } of rows) {
    const sent = body === undefined ? '' : JSON.stringify(body);
    const caller = permissions ? ` for ${permissions.join(', ')}` : '';
    test(`contract/${section}: ${request.slice(0, 120)} ${sent.slice(0, 200)} is ${status}${caller}`, async () => {
      const ask = as(permissions);
      const before = sizes();
      const [method = '', path = ''] = withIds(request).split(' ');
      const answer = await ask(method, path, method === 'GET' || sent === '' ? undefined : JSON.parse(withIds(sent)));
      const text = typeof error === 'string' ? error : expect.stringMatching(error);
      expect([answer.status, texts(answer.body.errors)]).toEqual([status, text]);
      expect(sizes()).toEqual(before);
    });
  }
});

/** By the name of a path parameter an object that is there; of v1 API keys the body is read first. */
const known: Readonly<Record<string, string>> = {
  ...{ monitor_id: '77', role_id: 'role-1', authn_mapping_id: 'mapping-1', app_key_id: 'key-1', api_key_id: 'api-1' },
  ...{
    filter_id: 'filter-1',
    archive_id: 'archive-1',
    key: nowhere,
    user_id: '{me}',
    issue_id: '{issue}',
    id: '{table}',
  },
};

describe('bodies', () => {
  const withBody = endpoints.filter(({ body }) => body !== undefined);
  const answersTo = async ({ method, path }: Endpoint, to: (name: string) => string) => {
    const { status, body } = await as()(method, withIds(path.replaceAll(/\{(\w+)\}/g, (_, name) => to(name))), 7);
    return [status, texts(body.errors)];
  };

  test.each(withBody.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s refuses a body that its schema does not read, once its object is found',
    async (_, endpoint) => {
      const names = pathNames(endpoint.path);
      const isRead = names.every((name) => name in known);
      const wrong = [400, expect.stringMatching(/^Invalid body: /)];
      const missing = [expect.toBeOneOf([400, 404]), expect.not.stringMatching(/^Invalid body/)];
      expect(await answersTo(endpoint, (name) => known[name] ?? nowhere)).toEqual(isRead ? wrong : missing);
      const isLooked = names.length > 0 && !names.includes('key');
      expect(await answersTo(endpoint, () => nowhere)).toEqual(isLooked ? missing : wrong);
    },
  );

  test('of retention filters the path decides, whatever the body names', async () => {
    const path = await as()('PUT', `${filters}/filter-1`, data('apm_retention_filter', sampling, 'fixed'));
    expect(path.body.data).toMatchObject({ id: 'filter-1', attributes: { name: 'x' } });
  });
});
