import * as v from 'valibot';
import { expect, test } from 'vitest';
import { endpoints, findEndpoint } from '../../src/api/all-endpoints.ts';
import { apiKeyEndpoints } from '../../src/api/api-keys.ts';
import { createOwnKey, getOwnKey, listOwnKeys, updateOwnKey } from '../../src/api/application-keys.ts';
import { createArchive, getArchive } from '../../src/api/archives.ts';
import { createMapping, listMappings } from '../../src/api/authn-mappings.ts';
import { call, type Endpoint } from '../../src/api/endpoint.ts';
import { createProviderA, filterProviderA, listProviderA } from '../../src/api/provider-a.ts';
import { updateProviderB } from '../../src/api/provider-b.ts';
import { createFilter, listFilters, updateFilter } from '../../src/api/retention-filters.ts';
import { addRoleUser, createRole, listPermissions, listRoleUsers, updateRole } from '../../src/api/roles.ts';
import { createTable, createUpload, getTable, listRows, readRows, upsertRows } from '../../src/api/tables.ts';

const answers = (endpoint: Endpoint, answer: unknown) => v.safeParse(endpoint.response, answer).success;
const sends = (endpoint: Endpoint, body: unknown) =>
  endpoint.body !== undefined && v.safeParse(endpoint.body, body).success;

test('responses seen in practice are read, oddities included', () => {
  const key = { type: 'application_keys', id: 'k1', attributes: { name: 'ops', last4: '9f3c', scopes: null } };
  expect(answers(getOwnKey, { data: { ...key, relationships: { leak_information: { data: null } } } })).toBe(true);
  expect(
    answers(listOwnKeys, { data: [key], meta: { page: { total_filtered_count: 1 }, max_allowed_per_user: 9 } }),
  ).toBe(true);
  const team = { type: 'team', id: 't1', attributes: { avatar: null, summary: null, handles: ['core'] } };
  const mapping = { id: 'm1', type: 'authn_mappings', relationships: { team: { data: { type: 'team', id: 't1' } } } };
  expect(answers(listMappings, { included: [team], data: [mapping] })).toBe(true);
  const table = { table_name: 't', tags: null, row_count: 4_000_001, status: 'NEW_STATUS', created_by: '' };
  expect(answers(getTable, { data: { id: 'x', type: 'reference_table', attributes: table } })).toBe(true);
  expect(answers(readRows, { data: [], meta: { found_count: 0, not_found: ['1'] } })).toBe(true);
  expect(answers(listRows, { data: [], links: { self: '/' } })).toBe(true);
  const filter = { id: '-aB_', type: 'apm_retention_filter', attributes: { created_at: 0, created_by: '', rate: 1 } };
  expect(answers(listFilters, { data: [filter] })).toBe(true);
  expect(answers(getArchive, { data: { type: 'archives', id: 'q', attributes: { destination: null } } })).toBe(true);
  expect(answers(listPermissions, { data: null })).toBe(true);
  expect(answers(listProviderA, [{ tenant_name: 't', client_id: 'c', warnings: [], new_field: { a: 1 } }])).toBe(true);
});

test('unknown fields and words are kept when reading', () => {
  const answer = { data: { id: 'x', type: 'reference_table', attributes: { status: 'NEW_STATUS', color: 'red' } } };
  expect(v.parse(getTable.response, answer).data?.attributes).toMatchObject({ status: 'NEW_STATUS', color: 'red' });
});

test('bodies that the service would refuse are refused before sending', () => {
  const filter = {
    name: 'checkout',
    enabled: true,
    filter: { query: '*' },
    filter_type: 'spans-sampling-processor',
    rate: 0.5,
  };
  const created = (more: object) => ({ data: { type: 'apm_retention_filter', attributes: { ...filter, ...more } } });
  expect(sends(createFilter, created({}))).toBe(true);
  expect(sends(createFilter, created({ rate: 1.1 }))).toBe(false);
  expect(sends(createFilter, created({ name: '  ' }))).toBe(false);
  expect(sends(createFilter, created({ filter_type: 'spans-errors-sampling-processor' }))).toBe(false);
  expect(sends(updateFilter, created({}))).toBe(false);
  expect(
    sends(updateFilter, { data: { id: 'f', ...created({ filter_type: 'spans-errors-sampling-processor' }).data } }),
  ).toBe(true);
  expect(sends(createOwnKey, { data: { type: 'application_keys', attributes: { name: 'a', scopes: null } } })).toBe(
    true,
  );
  expect(sends(createOwnKey, { data: { type: 'api_keys', attributes: { name: 'a' } } })).toBe(false);
  expect(sends(updateOwnKey, { data: { id: 'k', type: 'application_keys', attributes: { scopes: ['a'] } } })).toBe(
    true,
  );
  expect(sends(createRole, { data: { type: 'roles', attributes: {} } })).toBe(false);
  const role = { data: { type: 'roles', id: 'r' } };
  const pair = { attribute_key: 'groups', attribute_value: 'sre' };
  expect(sends(createMapping, { data: { type: 'authn_mappings', attributes: pair, relationships: { role } } })).toBe(
    true,
  );
  const upload = (part_count: number) => ({
    data: { type: 'upload', attributes: { table_name: 't', headers: ['a'], part_count, part_size: 6e6 } },
  });
  expect([1, 20, 0, 21, 1.5].map((count) => sends(createUpload, upload(count)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  const schema = { fields: [{ name: 'a', type: 'STRING' }], primary_keys: ['a', 'b'] };
  expect(
    sends(createTable, {
      data: { type: 'reference_table', attributes: { table_name: 't', source: 'LOCAL_FILE', schema } },
    }),
  ).toBe(false);
  expect(sends(upsertRows, { data: [] })).toBe(false);
  expect(sends(createProviderA, { tenant_name: 't' })).toBe(false);
  expect(sends(filterProviderA, {})).toBe(true);
  expect(sends(updateProviderB, { data: { type: 'provider_b_service_account', attributes: { automute: true } } })).toBe(
    true,
  );
});

test('an archive has the members that its destination needs', () => {
  const archive = (destination: object) => ({
    data: { type: 'archives', attributes: { name: 'web', query: '*', destination } },
  });
  const integration = { account_id: '000011112222', role_name: 'writer' };
  expect(sends(createArchive, archive({ type: 'provider_c', bucket: 'b', integration }))).toBe(true);
  expect(sends(createArchive, archive({ type: 'provider_c', bucket: 'b', integration: { access_key_id: 'k' } }))).toBe(
    true,
  );
  expect(sends(createArchive, archive({ type: 'provider_c', bucket: 'b', integration: {} }))).toBe(false);
  expect(sends(createArchive, archive({ type: 'provider_a', bucket: 'b', integration }))).toBe(false);
  expect(sends(createArchive, archive({ type: 'provider_d' }))).toBe(false);
});

test('a membership took effect if the list contains it, whatever the type of its id', () => {
  const sent = call(addRoleUser, { role_id: 'r1', body: { data: { type: 'users', id: 'u1' } } });
  expect(addRoleUser.readBack).toBe(listRoleUsers.id);
  expect(addRoleUser.isApplied?.(sent, { data: [{ id: 'u0' }, { id: 'u1' }] })).toBe(true);
  expect(addRoleUser.isApplied?.(sent, { data: [{ id: 'u0' }] })).toBe(false);
  expect(addRoleUser.isApplied?.(sent, null)).toBe(false);
});

test('scopes are compared as a set, and an empty one equals null', () => {
  const edit = (attributes: { name?: string; scopes?: string[] | null }) =>
    call(updateOwnKey, { app_key_id: 'k', body: { data: { id: 'k', type: 'application_keys', attributes } } });
  const read = { data: { attributes: { name: 'ops', scopes: ['b_read', 'a_read'] } } };
  expect(updateOwnKey.isApplied?.(edit({ scopes: ['a_read', 'b_read'] }), read)).toBe(true);
  expect(updateOwnKey.isApplied?.(edit({ name: 'ops' }), read)).toBe(true);
  expect(updateOwnKey.isApplied?.(edit({ name: 'other', scopes: ['a_read', 'b_read'] }), read)).toBe(false);
  expect(updateOwnKey.isApplied?.(edit({ scopes: null }), read)).toBe(false);
  expect(updateOwnKey.isApplied?.(edit({ scopes: [] }), { data: { attributes: { scopes: null } } })).toBe(true);
});

test('permissions of a role are compared as a set; an extra one is a difference', () => {
  const linked = (...ids: string[]) => ({
    permissions: { data: ids.map((id) => ({ type: 'permissions' as const, id })) },
  });
  const edit = (ids: string[]) =>
    call(updateRole, {
      role_id: 'r',
      body: { data: { id: 'r', type: 'roles', attributes: {}, relationships: linked(...ids) } },
    });
  const read = { data: { attributes: { name: 'on call' }, relationships: linked('p2', 'p1') } };
  expect(updateRole.isApplied?.(edit(['p1', 'p2']), read)).toBe(true);
  expect(updateRole.isApplied?.(edit(['p1']), read)).toBe(false);
  expect(updateRole.isApplied?.(edit(['p1', 'p2', 'p3']), read)).toBe(false);
});

test('a path with a secret is marked as such', () => {
  const paths = apiKeyEndpoints.filter((apiKeyEndpoint) => apiKeyEndpoint.path.includes('{key}'));
  expect(paths.map((path) => path.secrets?.includes('{key}'))).toEqual([true, true, true]);
});

test('every operation is found by its id', () => {
  for (const endpoint of endpoints) expect(findEndpoint(endpoint.id)).toBe(endpoint);
  expect(findEndpoint('keys.guess')).toBeUndefined();
});
