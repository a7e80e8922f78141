import * as v from 'valibot';
import { expect, test } from 'vitest';
import { findEndpoint } from '../../../src/api/all-endpoints.ts';
import { simulated, start } from '../../support/simulated.ts';
import type { Simulator } from '../../support/simulator.ts';

/** Operation, method, path, body: one good call of every read and of the edits that answer with something. */
test('what the simulator answers is what the contract’s schemas read', () =>
  simulated(
    async ({ service, ask }) => {
      const [monitor = ''] = service.org.monitors.keys();
      const [issue = ''] = service.org.issues.keys();
      const [user = ''] = service.org.users.keys();
      const v1 = [...service.org.silences.values()].find((one) => one.made === 'v1');
      const v2 = [...service.org.silences.values()].find((one) => one.made === 'v2');
      const { type, query } = service.org.monitors.get(monitor) ?? {};
      const attributes = { query: '*', from: start - 86_400_000, to: start, persona: 'ALL' };
      const include = 'include=issue,issue.assignee,issue.case,issue.team_owners';
      const issues = '/api/v2/error-tracking/issues';
      const calls: readonly (readonly [id: string, method: string, path: string, body?: unknown])[] = [
        ['monitors.list', 'GET', '/api/v1/monitor?group_states=all&with_downtimes=true'],
        ['monitors.get', 'GET', `/api/v1/monitor/${monitor}?group_states=all&with_assets=true`],
        ['monitors.update', 'PUT', `/api/v1/monitor/${monitor}`, { name: 'New name' }],
        ['monitors.create', 'POST', '/api/v1/monitor', { type, query, name: 'Copy' }],
        ['monitors.can-delete', 'GET', `/api/v1/monitor/can_delete?monitor_ids=${monitor}`],
        ['monitors.search', 'GET', '/api/v1/monitor/search?per_page=1000'],
        ['monitors.search-groups', 'GET', '/api/v1/monitor/groups/search?per_page=1000'],
        ['monitors.mute', 'POST', `/api/v1/monitor/${monitor}/mute`, {}],
        ['monitors.unmute', 'POST', `/api/v1/monitor/${monitor}/unmute`],
        ['monitors.mute-all', 'POST', '/api/v1/monitor/mute_all', {}],
        ['monitors.downtimes', 'GET', `/api/v1/monitor/${monitor}/downtimes`],
        ['monitors.downtime-matches', 'GET', `/api/v2/monitor/${monitor}/downtime_matches`],
        ['downtimes-v1.list', 'GET', '/api/v1/downtime?with_creator=true'],
        ['downtimes-v1.get', 'GET', `/api/v1/downtime/${v1?.id}`],
        ['downtimes.list', 'GET', '/api/v2/downtime?include=created_by,monitor&page[limit]=100'],
        ['downtimes.get', 'GET', `/api/v2/downtime/${v2?.uuid}`],
        ['issues.search', 'POST', `${issues}/search?${include}`, { data: { type: 'search_request', attributes } }],
        ['issues.get', 'GET', `${issues}/${issue}?include=assignee,case,team_owners`],
        ['issues.assign', 'PUT', `${issues}/${issue}/assignee`, { data: { id: user, type: 'assignee' } }],
        ['users.list', 'GET', '/api/v2/users?page[size]=100'],
        ['users.get', 'GET', `/api/v2/users/${user}`],
        ['users.permissions', 'GET', `/api/v2/users/${user}/permissions`],
        ['current-user.get', 'GET', '/api/v2/current_user'],
        ...accessCalls(service.org),
        ...furnitureCalls(service.org),
      ];
      for (const [id, method, path, body] of calls) {
        const endpoint = findEndpoint(id);
        const answer = await ask(method, path, body);
        expect([id, answer.status]).toEqual([id, 200]);
        if (endpoint?.body && body !== undefined) expect([id, wrong(endpoint.body, body)]).toEqual([id, []]);
        expect([id, endpoint && wrong(endpoint.response, answer.body)]).toEqual([id, []]);
        expect(service.received().at(-1)?.operation).toBe(id);
      }
    },
    { monitors: 200, issues: 150, lively: true },
  ));

const relation = (type: string, id: string | undefined) => ({ data: { type, id } });

/** Calls about keys, roles, mappings, retention filters and archives that answer 200. */
function accessCalls(org: Simulator['org']): readonly (readonly [string, string, string, unknown?])[] {
  const [key] = [...org.applicationKeys.values()].filter((key) => key.name === 'this dashboard');
  const [api] = org.apiKeys.values();
  const role = [...org.roles.values()].find((role) => !role.managed);
  const [mapping, filter, archive] = [org.mappings, org.filters, org.archives].map((map) => [...map.keys()][2] ?? '');
  const [team = ''] = org.teams.keys();
  const permission = org.permissions.get('cases_read')?.id;
  const own = '/api/v2/current_user/application_keys';
  const filters = '/api/v2/apm/config/retention-filters';
  const archives = '/api/v2/logs/config/archives';
  const edit = (type: string, id: string | undefined, attributes: object) => ({ data: { type, id, attributes } });
  const settings = {
    name: 'renamed',
    enabled: true,
    filter: { query: '*' },
    filter_type: 'spans-sampling-processor',
    rate: 0.5,
  };
  const destination = { type: 'provider_c', bucket: 'logs', integration: { access_key_id: 'k' } };
  // biome-ignore format: one row a line
  return [
    ['keys.list-own', 'GET', `${own}?include=owned_by`],
    ['keys.get-own', 'GET', `${own}/${key?.id}`],
    ['keys.update-own', 'PATCH', `${own}/${key?.id}`, edit('application_keys', key?.id, { name: 'mine' })],
    ['keys.list-org', 'GET', '/api/v2/application_keys?page[size]=100&include=owned_by'],
    ['keys.get-org', 'GET', `/api/v2/application_keys/${key?.id}`],
    ['keys.update-org', 'PATCH', `/api/v2/application_keys/${key?.id}`, edit('application_keys', key?.id, { name: 'a' })],
    ['api-keys.list', 'GET', '/api/v2/api_keys?page[size]=100&include=created_by,modified_by'],
    ['api-keys.get', 'GET', `/api/v2/api_keys/${api?.id}`],
    ['api-keys.update', 'PATCH', `/api/v2/api_keys/${api?.id}`, edit('api_keys', api?.id, { name: 'b' })],
    ['api-keys.list-v1', 'GET', '/api/v1/api_key'],
    ['api-keys.create-v1', 'POST', '/api/v1/api_key', { name: 'c' }],
    ['api-keys.get-v1', 'GET', `/api/v1/api_key/${api?.secret}`],
    ['api-keys.update-v1', 'PUT', `/api/v1/api_key/${api?.secret}`, { name: 'd' }],
    ['roles.permissions', 'GET', '/api/v2/permissions'],
    ['roles.list', 'GET', '/api/v2/roles?page[size]=100'],
    ['roles.create', 'POST', '/api/v2/roles', { data: { type: 'roles', attributes: { name: 'e' } } }],
    ['roles.get', 'GET', `/api/v2/roles/${role?.id}`],
    ['roles.update', 'PATCH', `/api/v2/roles/${role?.id}`, edit('roles', role?.id, { name: 'f' })],
    ['roles.clone', 'POST', `/api/v2/roles/${role?.id}/clone`, { data: { type: 'roles', attributes: { name: 'g' } } }],
    ['roles.granted', 'GET', `/api/v2/roles/${role?.id}/permissions`],
    ['roles.grant', 'POST', `/api/v2/roles/${role?.id}/permissions`, relation('permissions', permission)],
    ['roles.revoke', 'DELETE', `/api/v2/roles/${role?.id}/permissions`, relation('permissions', permission)],
    ['roles.users', 'GET', `/api/v2/roles/${role?.id}/users`],
    ['roles.add-user', 'POST', `/api/v2/roles/${role?.id}/users`, relation('users', key?.owner)],
    ['roles.remove-user', 'DELETE', `/api/v2/roles/${role?.id}/users`, relation('users', key?.owner)],
    ['roles.templates', 'GET', '/api/v2/roles/templates'],
    ['teams.list', 'GET', '/api/v2/team?page[size]=100'],
    ['mappings.list', 'GET', '/api/v2/authn_mappings?page[size]=100'],
    ['mappings.list', 'GET', '/api/v2/authn_mappings?resource_type=team'],
    ['mappings.get', 'GET', `/api/v2/authn_mappings/${mapping}`],
    ['mappings.create', 'POST', '/api/v2/authn_mappings', { data: { type: 'authn_mappings', attributes: { attribute_key: 'a', attribute_value: 'b' }, relationships: { team: relation('team', team) } } }],
    ['mappings.update', 'PATCH', `/api/v2/authn_mappings/${mapping}`, edit('authn_mappings', mapping, { attribute_value: 'c' })],
    ['retention.list', 'GET', filters],
    ['retention.get', 'GET', `${filters}/${filter}`],
    ['retention.create', 'POST', filters, { data: { type: 'apm_retention_filter', attributes: settings } }],
    ['retention.update', 'PUT', `${filters}/${filter}`, edit('apm_retention_filter', filter, settings)],
    ['retention.order', 'PUT', `${filters}-execution-order`, { data: [{ type: 'apm_retention_filter', id: filter }] }],
    ['retention.delete', 'DELETE', `${filters}/${filter}`],
    ['archives.list', 'GET', archives],
    ['archives.get', 'GET', `${archives}/${archive}`],
    ['archives.replace', 'PUT', `${archives}/${archive}`, { data: { type: 'archives', attributes: { name: 'h', query: '*', destination } } }],
    ['archives.readers', 'GET', `${archives}/${archive}/readers`],
    ['archives.order', 'GET', '/api/v2/logs/config/archive-order'],
    ['archives.set-order', 'PUT', '/api/v2/logs/config/archive-order', { data: { type: 'archive_order', attributes: { archive_ids: [...org.archives.keys()].reverse() } } }],
  ];
}

const wrong = (schema: Parameters<typeof v.safeParse>[0], value: unknown): string[] =>
  (v.safeParse(schema, value).issues ?? []).map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);

/** Calls about integrations and reference tables that answer 200. */
function furnitureCalls(org: Simulator['org']): readonly (readonly [string, string, string, unknown?])[] {
  const a = '/api/v1/integration/provider_a';
  const bV1 = '/api/v1/integration/provider_b';
  const b = '/api/v2/integration/provider_b';
  const tables = '/api/v2/reference-tables/tables';
  const account = { tenant_name: 't', client_id: 'c', client_secret: 'made up' };
  const old = { project_id: 'p', client_email: 'one@example.test' };
  const table = [...org.tableStore.tables.values()].find((table) => table.status === 'DONE' && table.rows.size > 0);
  const [key = ''] = table?.rows.keys() ?? [];
  const path = `${tables}/${table?.id}`;
  const row = { id: key, type: 'row', attributes: { values: { [table?.key ?? '']: key } } };
  const named = { table_id: table?.id, row_ids: [key] };
  // biome-ignore format: one row a line
  return [
    ['integrations.list-a', 'GET', a],
    ['integrations.create-a', 'POST', a, account],
    ['integrations.filter-a', 'POST', `${a}/host_filters`, { ...account, host_filters: 'a:b' }],
    ['integrations.update-a', 'PUT', a, account],
    ['integrations.delete-a', 'DELETE', a, account],
    ['integrations.list-b-v1', 'GET', bV1],
    ['integrations.create-b-v1', 'POST', bV1, { ...old, type: 'key', private_key: 'made up' }],
    ['integrations.update-b-v1', 'PUT', bV1, old],
    ['integrations.delete-b-v1', 'DELETE', bV1, old],
    ['integrations.list-b', 'GET', `${b}/accounts`],
    ['integrations.make-delegate-b', 'POST', `${b}/sts_delegate`],
    ['integrations.delegate-b', 'GET', `${b}/sts_delegate`],
    ['tables.list', 'GET', `${tables}?page[limit]=100`],
    ['tables.get', 'GET', path],
    ['tables.rows', 'GET', `${path}/rows?row_id=${encodeURIComponent(key)}`],
    ['tables.list-rows', 'GET', `${path}/rows/list`],
    ['tables.query-rows', 'POST', '/api/v2/reference-tables/queries/batch-rows', { data: { type: 'reference-tables-batch-rows-query', attributes: named } }],
    ['tables.upsert-rows', 'POST', `${path}/rows`, { data: [row] }],
    ['tables.delete-rows', 'DELETE', `${path}/rows`, { data: [{ id: key, type: 'row' }] }],
    ['tables.update', 'PATCH', path, { data: { type: 'reference_table', attributes: { description: 'x' } } }],
    ['tables.delete', 'DELETE', path],
  ];
}
