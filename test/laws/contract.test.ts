import { expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { endpointFaults, type Listed, specFaults } from './contract.ts';

/**
 * Every operation of the specification with the permissions of its Authentication table; null where the table
 * has none. Two permissions of provider_a are in the neutral vocabulary (docs/contract/integrations.md).
 */
const spec: Listed = {
  'GET /api/v2/authn_mappings/{authn_mapping_id}': ['user_access_read'],
  'PATCH /api/v2/authn_mappings/{authn_mapping_id}': ['user_access_manage'],
  'POST /api/v2/authn_mappings': null,
  'POST /api/v2/reference-tables/uploads': null,
  'GET /api/v2/reference-tables/tables/{id}': null,
  'GET /api/v2/reference-tables/tables/{id}/rows': null,
  'DELETE /api/v2/current_user/application_keys/{app_key_id}': ['user_app_keys'],
  'PATCH /api/v2/current_user/application_keys/{app_key_id}': null,
  'GET /api/v1/api_key': ['api_keys_read'],
  'GET /api/v1/api_key/{key}': ['api_keys_read'],
  'PUT /api/v1/api_key/{key}': ['api_keys_write'],
  'GET /api/v2/permissions': null,
  'GET /api/v2/roles': null,
  'POST /api/v2/roles': null,
  'GET /api/v2/roles/{role_id}': null,
  'PATCH /api/v2/roles/{role_id}': null,
  'DELETE /api/v2/roles/{role_id}': null,
  'GET /api/v2/roles/{role_id}/permissions': null,
  'POST /api/v2/roles/{role_id}/permissions': null,
  'DELETE /api/v2/roles/{role_id}/permissions': null,
  'GET /api/v2/roles/{role_id}/users': null,
  'POST /api/v2/roles/{role_id}/users': null,
  'DELETE /api/v2/roles/{role_id}/users': null,
  'POST /api/v2/roles/{role_id}/clone': null,
  'GET /api/v2/roles/templates': null,
  'GET /api/v2/logs/config/archives': null,
  'POST /api/v2/logs/config/archives': null,
  'GET /api/v2/logs/config/archives/{archive_id}': null,
  'PUT /api/v2/logs/config/archives/{archive_id}': null,
  'DELETE /api/v2/logs/config/archives/{archive_id}': null,
  'GET /api/v2/logs/config/archives/{archive_id}/readers': null,
  'POST /api/v2/logs/config/archives/{archive_id}/readers': null,
  'DELETE /api/v2/logs/config/archives/{archive_id}/readers': null,
  'GET /api/v2/logs/config/archive-order': null,
  'PUT /api/v2/logs/config/archive-order': null,
  'GET /api/v1/integration/provider_a': ['provider_a_configuration_read'],
  'POST /api/v1/integration/provider_a': ['provider_a_configurations_manage'],
  'POST /api/v1/integration/provider_a/host_filters': null,
  'GET /api/v1/integration/provider_b': null,
  'DELETE /api/v1/integration/provider_b': null,
  'GET /api/v2/integration/provider_b/accounts': null,
  'PATCH /api/v2/integration/provider_b/accounts/{account_id}': null,
  'GET /api/v2/apm/config/retention-filters': ['apm_retention_filter_read'],
  'POST /api/v2/apm/config/retention-filters': ['apm_retention_filter_write'],
  'POST /api/v1/monitor': ['monitors_write'],
  'POST /api/v1/monitor/{monitor_id}/unmute': ['monitors_write'],
  'POST /api/v2/error-tracking/issues/search': ['error_tracking_read'],
  'PUT /api/v2/error-tracking/issues/{issue_id}/assignee': [
    'error_tracking_read',
    'error_tracking_write',
    'cases_read',
    'cases_write',
  ],
};

/** Operations that the specification describes without method or path; those are the contract's. */
const pathless: Listed = {
  'POST /api/v2/reference-tables/tables': null,
  'POST /api/v2/current_user/application_keys': null,
  'PUT /api/v1/integration/provider_a': null,
  'POST /api/v2/integration/provider_b/accounts': null,
  'PUT /api/v2/apm/config/retention-filters/{filter_id}': null,
  'PUT /api/v2/error-tracking/issues/{issue_id}/state': null,
};

test('every operation is well formed and has a read-back if its outcome can be unknown', () => {
  expect(endpointFaults(endpoints)).toEqual([]);
});

test('every operation of the specification exists with its path and permissions', () => {
  expect(specFaults(endpoints, spec, pathless)).toEqual([]);
});

test('the laws report each planted violation', () => {
  const [get, update] = ['retention.get', 'retention.update'].map((id) =>
    endpoints.find((endpoint) => endpoint.id === id),
  );
  if (!get || !update) throw new Error('two operations to plant faults in');
  expect(endpointFaults([get, update])).toEqual([]);
  const { readBack: _, ...unread } = update;
  for (const [planted, fault] of [
    [{ ...update, id: 'retention.get' }, 'another operation has this id'],
    [{ ...update, method: 'GET' }, 'another operation has this method and path'],
    [{ ...update, id: 'Retention.Update' }, 'domain.verb'],
    [unread, 'names no operation'],
    [{ ...update, readBack: 'retention.see' }, 'is no operation'],
    [{ ...update, path: '/api/v2/apm/config/retention-filters' }, 'asks for a parameter'],
    [{ ...update, repeat: 'read' }, 'cannot be repeated as read'],
    [{ ...update, touches: ['spans'] }, 'a kind that nothing reads'],
    [{ ...update, secrets: ['{key}'] }, 'no parameter of its path'],
  ] as const)
    expect(endpointFaults([get, planted]).join('\n'), fault).toContain(fault);
  const path = '/api/v2/apm/config/retention-filters/{filter_id}';
  expect(specFaults([update], { [`PUT ${path}`]: ['apm_retention_filter_write'] })).toEqual([]);
  expect(specFaults([], { [`PUT ${path}`]: null })).toEqual([`PUT ${path} is missing`]);
  expect(specFaults([update], {})).toEqual(['retention.update: its origin is not spec']);
  expect(specFaults([update], { [`PUT ${path}`]: ['admin'] })).toEqual([
    'retention.update: the specification asks for admin',
  ]);
  expect(specFaults([update], { 'PUT /api/v2/apm/config/retention-filters/{id}': null })).toEqual([
    'retention.update: the specification calls its parameters id',
  ]);
});
