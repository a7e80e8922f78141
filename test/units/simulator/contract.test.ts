import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asking, restingSimulator } from '../../support/simulated.ts';

/** What the contract refuses: a request, and the status and errors that answer it. None of them changes anything. */
type Row = readonly [section: string, request: string, status: number, error: string | RegExp, body?: unknown];

const nowhere = '00000000-0000-4000-8000-000000000000';
const own = '/api/v2/current_user/application_keys';
const filters = '/api/v2/apm/config/retention-filters';
const archives = '/api/v2/logs/config/archives';
const mappings = '/api/v2/authn_mappings';
const nameMissing = "Required parameter 'name' is missing";
const badInput = 'Invalid input ';

const data = (type: string, attributes: object, id?: string, relationships?: object) => ({
  data: { type, ...(id === undefined ? {} : { id }), attributes, ...(relationships ? { relationships } : {}) },
});
const related = (type: string, id: string) => ({ data: { type, id } });
const permissions = (...ids: readonly string[]) => ({
  permissions: { data: ids.map((id) => ({ type: 'permissions', id })) },
});
const mapping = (key: string, value: string, targets: object) =>
  data('authn_mappings', { attribute_key: key, attribute_value: value }, undefined, targets);
const toRole = (id: string) => ({ role: related('roles', id) });
const toTeam = (id: string) => ({ team: related('team', id) });
const remapping = (attributes: object, targets: object = {}, id = 'mapping-1') =>
  data('authn_mappings', attributes, id, targets);

/** Lists that come in pages of 1 to 100 (contract/keys.md 0.4 A). */
const paged = [own, '/api/v2/application_keys', '/api/v2/api_keys', '/api/v2/roles', '/api/v2/users', mappings];
const pages: readonly Row[] = [...paged, '/api/v2/team', '/api/v2/roles/role-1/users'].flatMap((path): Row[] =>
  [0, 101].map((size) => [
    'keys.md 0.4',
    `GET ${path}?page[size]=${size}`,
    400,
    'Invalid page[size]: must be between 1 and 100',
  ]),
);
const orders: readonly Row[] = paged
  .filter((path) => path !== '/api/v2/users')
  .map((path) => ['keys.md 0.4', `GET ${path}?sort=colour`, 400, 'Invalid sort: colour']);

const rename = (type: string): unknown => data(type, { name: 'x' }, nowhere);

/** What is said of an id that nobody has, by the path of a collection and the methods that it takes. */
const unknown: readonly (readonly [
  section: string,
  path: string,
  methods: string,
  status: number,
  error: string,
  body?: unknown,
])[] = [
  ['keys.md 2', own, 'GET PATCH DELETE', 404, 'Application key not found', rename('application_keys')],
  ['keys.md 3', '/api/v2/application_keys', 'GET PATCH DELETE', 404, 'Application key not found'],
  ['keys.md 5.1', '/api/v2/api_keys', 'GET PATCH DELETE', 404, 'API key not found', rename('api_keys')],
  ['keys.md 5.2', '/api/v1/api_key', 'GET PUT DELETE', 404, 'API key not found', { name: 'x' }],
  ['roles.md 4', '/api/v2/roles', 'GET PATCH DELETE', 404, `${nowhere} not found`, rename('roles')],
  ['users.md 3', '/api/v2/users', 'GET', 404, 'user not found'],
  ['users.md 3', '/api/v2/users', 'PATCH DELETE', 404, `${nowhere} not found`, rename('users')],
  ['authn-mappings.md 5', mappings, 'GET PATCH DELETE', 404, `Mapping with id ${nowhere} not found`],
  ['retention-filters.md 4', filters, 'GET PUT DELETE', 404, `retention filter with id: '${nowhere}' not found`],
  ['logs-archives.md 5', archives, 'GET PUT DELETE', 404, `Archive ${nowhere} not found`],
  ['integrations.md 3', '/api/v2/integration/provider_b/accounts', 'PATCH', 404, 'Account not found'],
  ['integrations.md 3', '/api/v2/integration/provider_b/accounts', 'DELETE', 400, 'Account not found'],
  ['monitors.md 2.11', '/api/v2/downtime', 'GET PATCH', 404, 'Downtime not found'],
  ['monitors.md 2.11', '/api/v2/downtime', 'DELETE', 404, `Downtime ${nowhere} not found`],
  ['monitors.md 7', '/api/v1/monitor', 'GET PUT DELETE', 400, 'Invalid monitor ID.'],
];
const missing: readonly Row[] = unknown.flatMap(([section, path, methods, status, error, body]) =>
  methods.split(' ').map((method): Row => [section, `${method} ${path}/${nowhere}`, status, error, body ?? {}]),
);

const newer: readonly Row[] = [
  ['keys.md 2', `POST ${own}`, 400, nameMissing, data('application_keys', { name: '  ' })],
  ['keys.md 2', `POST ${own}`, 400, 'Invalid data.type: must be application_keys', data('api_keys', { name: 'a' })],
  ['keys.md 2', `POST ${own}`, 400, 'Invalid scope: nothing_read', key({ scopes: ['nothing_read'] })],
  ['keys.md 2', `POST ${own}`, 400, 'Invalid scope: 7', key({ scopes: [7] })],
  ['keys.md 2', `POST ${own}`, 409, 'Application key with name this dashboard already exists', key({})],
  ['keys.md 0.4', `GET ${own}?filter[created_at][start]=soon`, 400, /^Invalid filter\[created_at\]/],
  ['keys.md 3', 'POST /api/v2/application_keys', 404, 'Not found', key({})],
  [
    'keys.md 5.1',
    'POST /api/v2/api_keys',
    400,
    'API key with name this dashboard already exists',
    data('api_keys', { name: 'this dashboard' }),
  ],
  ['keys.md 5.2', 'POST /api/v1/api_key', 400, nameMissing, {}],
  ['keys.md 5.2', `PUT /api/v1/api_key/${nowhere}`, 400, nameMissing, {}],
  ['roles.md 2', 'POST /api/v2/roles', 400, 'Role names cannot be only whitespace', data('roles', { name: ' ' })],
  ['roles.md 2', 'POST /api/v2/roles', 400, '400 BAD REQUEST', data('roles', {})],
  ['roles.md 2', 'POST /api/v2/roles', 400, '400 BAD REQUEST', data('users', { name: 'x' })],
  ['roles.md 4', 'POST /api/v2/roles', 400, badInput, data('roles', { name: 'x' }, undefined, permissions('nobody'))],
  [
    'roles.md 4',
    'POST /api/v2/roles',
    409,
    'A role with the same name already exists',
    data('roles', { name: 'Night watch' }),
  ],
  [
    'roles.md 4',
    'PATCH /api/v2/roles/role-1',
    422,
    'The id attribute in the request body does not match the role_id in the URL',
    data('roles', { name: 'x' }, 'other', permissions('nobody')),
  ],
  ['roles.md 4', 'PATCH /api/v2/roles/role-1', 400, badInput, data('roles', {}, 'role-1', permissions('nobody'))],
  [
    'roles.md 4',
    'PATCH /api/v2/roles/role-1',
    409,
    'A role with the same name already exists',
    data('roles', { name: 'On call' }, 'role-1'),
  ],
  ['roles.md 4', 'PATCH /api/v2/roles/role-1', 400, '400 BAD REQUEST', { data: { id: 'role-1', attributes: {} } }],
  ['roles.md 4', 'DELETE /api/v2/roles/role-1/permissions', 400, '400 BAD REQUEST', related('roles', 'x')],
  ['roles.md 4', 'POST /api/v2/roles/role-1/permissions', 404, 'nothing not found', related('permissions', 'nothing')],
  ['roles.md 4', 'DELETE /api/v2/roles/ghost/permissions', 404, 'ghost not found', related('permissions', 'x')],
  ['roles.md 4', 'POST /api/v2/roles/role-1/users', 404, 'nobody not found', related('users', 'nobody')],
  ['roles.md 4', 'POST /api/v2/roles/role-1/users', 400, '400 BAD REQUEST', related('roles', 'nobody')],
  ['authn-mappings.md 2', `GET ${mappings}?resource_type=user`, 400, 'Invalid resource_type: user'],
  ['authn-mappings.md 5', `POST ${mappings}`, 400, badInput, mapping(' ', 'sre', toRole('role-1'))],
  ['authn-mappings.md 5', `POST ${mappings}`, 400, badInput, mapping('groups', '', toRole('role-1'))],
  [
    'authn-mappings.md 5',
    `POST ${mappings}`,
    400,
    badInput,
    data('authn_mappings', { attribute_key: 'groups' }, undefined, toRole('role-1')),
  ],
  ['authn-mappings.md 5', `POST ${mappings}`, 400, badInput, mapping('groups', 'sre', {})],
  [
    'authn-mappings.md 5',
    `POST ${mappings}`,
    400,
    badInput,
    mapping('groups', 'sre', { ...toRole('role-1'), ...toTeam('team-1') }),
  ],
  ['authn-mappings.md 5', `POST ${mappings}`, 400, badInput, data('roles', { attribute_key: 'groups' })],
  ['authn-mappings.md 5', `POST ${mappings}`, 404, 'nobody not found', mapping('groups', 'sre', toRole('nobody'))],
  ['authn-mappings.md 5', `POST ${mappings}`, 404, 'role-1 not found', mapping('groups', 'sre', toTeam('role-1'))],
  [
    'authn-mappings.md 5',
    `POST ${mappings}`,
    409,
    'A mapping with the same attribute and target already exists',
    mapping('groups', 'web', toRole('role-1')),
  ],
  ['authn-mappings.md 5', `PATCH ${mappings}/mapping-1`, 409, /same attribute/, remapping({ attribute_value: 'web' })],
  [
    'authn-mappings.md 5',
    `PATCH ${mappings}/mapping-1`,
    422,
    'The id attribute in the request body does not match the authn_mapping_id in the URL',
    remapping({ attribute_value: 'x' }, {}, 'other'),
  ],
  ['authn-mappings.md 5', `PATCH ${mappings}/mapping-1`, 400, badInput, remapping({ attribute_key: '' })],
  [
    'authn-mappings.md 5',
    `PATCH ${mappings}/mapping-1`,
    400,
    badInput,
    remapping({}, { ...toRole('role-1'), ...toTeam('team-1') }),
  ],
  ['authn-mappings.md 5', `PATCH ${mappings}/mapping-1`, 404, 'nobody not found', remapping({}, toRole('nobody'))],
  ['monitors.md 2.10', 'POST /api/v1/downtime', 400, 'Invalid scope parameter', {}],
  ['monitors.md 2.10', 'POST /api/v1/downtime', 400, 'Invalid scope parameter', { scope: [] }],
  [
    'monitors.md 2.10',
    'POST /api/v1/downtime',
    400,
    'Invalid recurrence type',
    { scope: '*', recurrence: { type: 'weeks' } },
  ],
  ['monitors.md 2.10', 'GET /api/v1/downtime/1', 404, 'Downtime not found'],
  ['monitors.md 2.10', 'DELETE /api/v1/downtime/501', 404, 'Downtime 501 not found'],
  ['monitors.md 2.10', 'POST /api/v1/downtime/cancel/by_scope', 400, 'Expected scope', {}],
  ['monitors.md 2.10', 'POST /api/v1/downtime/cancel/by_scope', 404, 'No downtimes found', { scope: 'x:y' }],
  ['monitors.md 2.11', 'GET /api/v2/downtime/7', 400, 'Invalid URL param: downtime_id must be an uuid'],
  ['monitors.md 2.11', 'POST /api/v2/downtime', 400, 'All values must have a key', downtime({ scope: '' })],
  ['monitors.md 2.11', 'POST /api/v2/downtime', 400, 'All values must have a key', downtime({ scope: 'prod' })],
  [
    'monitors.md 2.11',
    'POST /api/v2/downtime',
    400,
    "Additional properties are not allowed ('x' was unexpected)",
    downtime({ scope: '*', x: 1 }),
  ],
  ['monitors.md 2.11', 'GET /api/v2/monitor/0/downtime_matches', 404, 'Monitor with id 0 not found'],
];

function key(attributes: object): unknown {
  return data('application_keys', { name: 'this dashboard', ...attributes });
}

function downtime(attributes: object): unknown {
  return data('downtime', { monitor_identifier: { monitor_id: 77 }, ...attributes });
}

const service = restingSimulator({ furnished: false });
let ask: Asking;

beforeAll(async () => {
  const at = await service.start();
  ask = asking(at.url, at);
  service.has('monitor', { id: 77 });
  service.has('roles', { id: 'role-1', name: 'Night watch' });
  service.has('team', { id: 'team-1', handle: 'crew', name: 'Crew' });
  for (const [id, attribute_value] of [
    ['mapping-1', 'sre'],
    ['mapping-2', 'web'],
  ])
    service.has('authn_mappings', { id, attribute_key: 'groups', attribute_value, role: 'role-1' });
});
afterAll(() => service.stop());

/** How many rows there are of each kind. */
const sizes = () =>
  Object.entries(service.org).flatMap(([name, rows]) => (rows instanceof Map ? [[name, rows.size]] : []));

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['pages', pages],
  ['orders', orders],
  ['unknown rows', missing],
  ['requests', newer],
];

describe.each(groups)('refused %s', (_: string, rows: readonly Row[]) => {
  for (const [section, request, status, error, body] of rows) {
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
    test(`contract/${section}: ${request}${sent} is ${status}`, async () => {
      const before = sizes();
      const [method = '', path = ''] = request.split(' ');
      const answer = await ask(method, path, method === 'GET' ? undefined : body);
      const text = typeof error === 'string' ? error : expect.stringMatching(error);
      expect([answer.status, answer.body.errors[0]]).toEqual([status, text]);
      expect(sizes()).toEqual(before);
    });
  }
});
