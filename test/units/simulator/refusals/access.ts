import { data, forbidden, nowhere, type Refusal, refusals, related } from './row.ts';

const own = '/api/v2/current_user/application_keys';
const org = '/api/v2/application_keys';
const apiKeys = '/api/v2/api_keys';
const mappings = '/api/v2/authn_mappings';
const badInput = 'Invalid input ';
const otherId = 'The id in the request body does not match the id in the URL';

const key = (attributes: object, id?: string) => data('application_keys', attributes, id);
const user = (attributes: object) => data('users', attributes);
const role = (attributes: object, id?: string, ...permissions: readonly string[]) =>
  data('roles', attributes, id, { permissions: { data: permissions.map((id) => ({ type: 'permissions', id })) } });
const mapping = (attribute_key: string, attribute_value: string, targets: object) =>
  data('authn_mappings', { attribute_key, attribute_value }, undefined, targets);
const remapping = (attributes: object, targets: object = {}, id = 'mapping-1') =>
  data('authn_mappings', attributes, id, targets);
const toRole = (id: string) => ({ role: related('roles', id) });
const toTeam = (id: string) => ({ team: related('team', id) });
const both = { ...toRole('role-1'), ...toTeam('team-1') };
const sameMapping = 'A mapping with the same attribute and target already exists';
const sameRole = 'A role with the same name already exists';

const keys: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['keys.md 2', `POST ${own}`, 400, 'Invalid scope: nothing_read', key({ name: 'a', scopes: ['nothing_read'] })],
    ['keys.md 2', `POST ${own}`, 400, /^Invalid scope: [\w-]{36}$/, key({ name: 'a', scopes: ['{permission}'] })],
    ['keys.md 2', `POST ${own}`, 409, 'Application key with name this dashboard already exists', key({ name: 'this dashboard' })],
    ['keys.md 2', `PATCH ${own}/key-1`, 409, 'Application key with name key 2 already exists', key({ name: 'key 2' }, 'key-1')],
    ['keys.md 0.4', `GET ${own}?filter[created_at][start]=soon`, 400, /^Invalid filter\[created_at\]/],
    ['keys.md 3', `POST ${org}`, 404, 'Not found', key({ name: 'x' })],
    ['keys.md 4', 'GET /api/v2/service_accounts/{me}/application_keys', 404, 'Service account not found'],
    ['keys.md 6', [`PATCH ${own}/key-1`, `PATCH ${org}/key-1`], 400, otherId, key({ name: 'x' }, 'key-2')],
    ['keys.md 6', `PATCH ${apiKeys}/api-1`, 400, otherId, data('api_keys', { name: 'x' }, 'api-2')],
    ['keys.md 6', `PUT /api/v1/api_key/${nowhere}`, 400, "Required parameter 'name' is missing", {}],
    ['keys.md 5.1', `POST ${apiKeys}`, 400, 'API key with name this dashboard already exists', data('api_keys', { name: 'this dashboard' })],
  ]),
  ...forbidden('keys.md 6', 'org_app_keys_read', [`GET ${own}`]),
  ...forbidden('keys.md 6', 'user_app_keys', [`GET ${org}`, 'GET /api/v2/service_accounts/x/application_keys']),
  ...forbidden('keys.md 6', 'api_keys_read', [`POST ${apiKeys}`]),
  ...forbidden('keys.md 6', 'api_keys_write', [`DELETE ${apiKeys}/x`]),
];

const users: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['users.md 3', 'POST /api/v2/users', 409, 'User robin.vale@example.test already exists', user({ email: 'Robin.Vale@example.test' })],
    ['users.md 3', 'PATCH /api/v2/users/{me}', 422, "UUID's in the URL and request body do not match", data('users', {}, nowhere)],
  ]),
  ...forbidden('users.md 2', 'service_account_write', ['DELETE /api/v2/users/{me}']),
];

const roles: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['roles.md 4', 'POST /api/v2/roles', 400, badInput, role({ name: 'x' }, undefined, 'nobody')],
    ['roles.md 4', 'POST /api/v2/roles', 400, badInput, data('roles', { name: 'x', receives_permissions_from: ['On call'] })],
    ['roles.md 4', 'POST /api/v2/roles', 400, badInput, data('roles', { name: 'x', receives_permissions_from: ['Service Admin Role', 'Service Standard Role'] })],
    ['roles.md 4', 'POST /api/v2/roles/role-1/clone', 400, 'Role names cannot be only whitespace', data('roles', { name: ' ' })],
    ['roles.md 4', 'POST /api/v2/roles', 409, sameRole, data('roles', { name: 'Night watch' })],
    ['roles.md 4', 'POST /api/v2/roles/role-1/clone', 409, sameRole, data('roles', { name: 'Night watch' })],
    ['roles.md 4', 'PATCH /api/v2/roles/role-1', 422, 'The id attribute in the request body does not match the role_id in the URL', role({}, 'role-2', 'nobody')],
    ['roles.md 5', ['PATCH /api/v2/roles/ghost', 'POST /api/v2/roles/ghost/users'], 404, 'ghost not found', role({}, 'role-1'), {}],
    ['roles.md 4', 'PATCH /api/v2/roles/role-1', 400, badInput, role({}, 'role-1', 'nobody')],
    ['roles.md 4', 'PATCH /api/v2/roles/role-1', 409, sameRole, data('roles', { name: 'On call' }, 'role-1')],
    ['roles.md 4', 'PATCH /api/v2/roles/{managed}', 403, 'Forbidden', data('roles', { name: 'x' }, '{managed}')],
    ['roles.md 4', 'DELETE /api/v2/roles/{managed}', 403, 'Forbidden'],
    ['roles.md 4', [`POST /api/v2/roles/{managed}/permissions`, `DELETE /api/v2/roles/{managed}/permissions`], 403, 'Forbidden', related('permissions', '{permission}')],
    ['roles.md 4', 'POST /api/v2/roles/role-1/permissions', 404, 'nothing not found', related('permissions', 'nothing')],
    ['roles.md 4', 'DELETE /api/v2/roles/ghost/permissions', 404, 'ghost not found', related('permissions', 'x')],
    ['roles.md 4', 'POST /api/v2/roles/role-1/users', 404, 'nobody not found', related('users', 'nobody')],
  ]),
  ...forbidden('roles.md 4', 'user_access_read', ['POST /api/v2/roles'], 'Forbidden'),
];

const authn: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['authn-mappings.md 2', `GET ${mappings}?resource_type=user`, 400, 'Invalid resource_type: user'],
    ['authn-mappings.md 5', `POST ${mappings}`, 400, badInput, mapping('groups', 'sre', {}), mapping('groups', 'sre', both)],
    ['authn-mappings.md 5', `POST ${mappings}`, 404, 'nobody not found', mapping('groups', 'sre', toRole('nobody'))],
    ['authn-mappings.md 5', `POST ${mappings}`, 404, 'role-1 not found', mapping('groups', 'sre', toTeam('role-1'))],
    ['authn-mappings.md 5', `POST ${mappings}`, 409, sameMapping, mapping('groups', 'web', toRole('role-1'))],
    ['authn-mappings.md 5', `PATCH ${mappings}/mapping-1`, 422, otherId, remapping({}, {}, 'mapping-2')],
    ['authn-mappings.md 5', `PATCH ${mappings}/mapping-1`, 409, sameMapping, remapping({ attribute_value: 'web' })],
    ['authn-mappings.md 5', `PATCH ${mappings}/mapping-1`, 400, badInput, remapping({}, both)],
    ['authn-mappings.md 5', `PATCH ${mappings}/mapping-1`, 404, 'nobody not found', remapping({}, toRole('nobody'))],
  ]),
  ...forbidden('authn-mappings.md 5', 'user_access_read', [`POST ${mappings}`, `DELETE ${mappings}/x`]),
];

/** Keys, users, roles and AuthN mappings. */
export const access: readonly Refusal[] = [...keys, ...users, ...roles, ...authn];
