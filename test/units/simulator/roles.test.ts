import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const roles = '/api/v2/roles';
const said = ({ status, body }: { status: number; body: unknown }) => [status, body];
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const names = (answer: any): string[] => answer.body.data.map((role: any) => role.attributes.name);
const reference = (type: string, id: string) => ({ data: { type, id } });

/** Body of a role; permissions are ids. */
const role = (attributes: object, { id, permissions }: { id?: string; permissions?: readonly string[] } = {}) => ({
  data: {
    type: 'roles',
    ...(id === undefined ? {} : { id }),
    attributes,
    ...(permissions
      ? { relationships: { permissions: { data: permissions.map((one) => ({ type: 'permissions', id: one })) } } }
      : {}),
  },
});

const defaults = [
  'dashboards_read',
  'monitors_read',
  'apm_read',
  'incident_read',
  'rum_apps_read',
  'notebooks_read',
  'slos_read',
  'ci_visibility_read',
  'cd_visibility_read',
  'vulnerability_management_read',
];

/** The catalog by name, and a role made for the test. */
const prepared = async ({ ask, get }: Simulated) => {
  const { data } = (await get('/api/v2/permissions')).body;
  const ids = new Map<string, string>();
  for (const role of data) ids.set(role.attributes.name, role.id);
  const idOf = (name: string) => ids.get(name) ?? name;
  const made = await ask('POST', roles, role({ name: 'night watch' }, { permissions: [idOf('teams_manage')] }));
  return { idOf, made, id: made.body.data.id as string, order: [...ids.keys()] };
};

test('the catalog: groups, kinds, ten defaults, nothing implicit', () =>
  simulated(async ({ get }) => {
    const { body } = await get('/api/v2/permissions');
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data.length).toBeGreaterThanOrEqual(150);
    const attributes = body.data.map((entry: { attributes: object }) => entry.attributes);
    const restricted = attributes.filter((attribute: { restricted: boolean }) => attribute.restricted);
    expect(restricted.map((entry: { name: string }) => entry.name)).toEqual(defaults);
    expect(attributes).toContainEqual(
      expect.objectContaining({ name: 'admin', display_type: 'other', group_name: 'General', display_name: 'Admin' }),
    );
    expect(attributes.map((attribute: { name: string }) => attribute.name)).not.toContain('user_access_read');
    expect(new Set(body.data.map((entry: { id: string }) => entry.id)).size).toBe(body.data.length);
  }));

test('the list: managed roles first of all, paged, sorted, filtered', () =>
  simulated(async ({ service, get }) => {
    const all = (await get(`${roles}?page[size]=100`)).body;
    const count = all.data.length;
    expect(count).toBeGreaterThanOrEqual(25);
    expect(all.meta.page).toEqual({ total_count: count, total_filtered_count: count });
    const managed = all.data.filter((entry: { attributes: { managed?: boolean } }) => entry.attributes.managed);
    expect(managed.map((entry: { attributes: { name: string } }) => entry.attributes.name).sort()).toEqual([
      'Service Admin Role',
      'Service Read Only Role',
      'Service Standard Role',
    ]);
    expect((await get(roles)).body.data).toHaveLength(10);
    expect(names(await get(`${roles}?filter=ON%20CALL`))).toEqual(['On call', 'On call, weekend']);
    const [one, , three] = all.data.map((entry: { id: string }) => entry.id);
    const chosen = await get(`${roles}?filter[id]=${one},${three}&filter=`);
    expect(chosen.body.data.map((entry: { id: string }) => entry.id).sort()).toEqual([one, three].sort());
    expect(chosen.body.meta.page).toEqual({ total_count: count, total_filtered_count: 2 });
    const counts = (await get(`${roles}?sort=-user_count&page[size]=100`)).body.data.map(
      (entry: { attributes: { user_count: number } }) => entry.attributes.user_count,
    );
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(counts[0]).toBeGreaterThan(20);
    expect((await get(`${roles}?page[number]=50`)).body.data).toEqual([]);
    expect(service.org.roles.size).toBe(count);
  }));

test('what is granted and revoked is what its users may do at once', () =>
  simulated(async (client) => {
    const { id, idOf } = await prepared(client);
    const made = await client.ask('POST', '/api/v2/users', {
      data: { type: 'users', attributes: { email: 'guard@example.test' } },
    });
    const user = made.body.data.id;
    const guard = client.as(client.service.keys.make({ user }));
    expect((await guard.get('/api/v2/team')).status).toBe(403);
    expect((await guard.get(roles)).status).toBe(200);
    await client.ask('POST', `${roles}/${id}/users`, reference('users', user));
    await client.ask('POST', `${roles}/${id}/permissions`, reference('permissions', idOf('teams_read')));
    expect((await guard.get('/api/v2/team')).status).toBe(200);
    expect(names(await client.get(`/api/v2/users/${user}/permissions`))).toContain('teams_read');
    await client.ask('DELETE', `${roles}/${id}/permissions`, reference('permissions', idOf('teams_read')));
    expect((await guard.get('/api/v2/team')).status).toBe(403);
  }));

test('inheritance copies nothing; what the managed role gains later comes too', () =>
  simulated(async (client) => {
    const { service, ask, get } = client;
    const sent = role({ name: 'heir', receives_permissions_from: ['Service Read Only Role'] });
    const heir = (await ask('POST', roles, sent)).body.data;
    expect(heir.attributes.receives_permissions_from).toEqual(['Service Read Only Role']);
    expect(heir.relationships.permissions.data).toHaveLength(10);
    const source = [...service.org.roles.values()].find((one) => one.name === 'Service Read Only Role');
    source?.permissions.add('teams_manage');
    expect(names(await get(`${roles}/${heir.id}/permissions`))).toContain('teams_manage');
    const cleared = await ask('PATCH', `${roles}/${heir.id}`, role({ receives_permissions_from: [] }, { id: heir.id }));
    expect(cleared.body.data.attributes).not.toHaveProperty('receives_permissions_from');
    expect(names(await get(`${roles}/${heir.id}/permissions`))).not.toContain('teams_manage');
  }));

test('a role that is deleted is taken from people, mappings and archives', () =>
  simulated(async (client) => {
    const { service, ask, get } = client;
    const { id } = await prepared(client);
    const [user = ''] = service.org.users.keys();
    await ask('POST', `${roles}/${id}/users`, reference('users', user));
    const mapping = service.has('authn_mappings', { attribute_value: 'guards', role: id });
    const archive = service.has('archives', { name: 'a', readers: [id] });
    expect((await get(`/api/v2/logs/config/archives/${archive}/readers`)).body.data).toHaveLength(1);
    expect((await ask('DELETE', `${roles}/${id}`)).status).toBe(204);
    expect((await get(`/api/v2/authn_mappings/${mapping}`)).status).toBe(404);
    expect((await get(`/api/v2/logs/config/archives/${archive}/readers`)).body.data).toEqual([]);
    expect((await get(`/api/v2/users/${user}`)).body.data.relationships.roles.data).not.toContainEqual({
      type: 'roles',
      id,
    });
    expect(said(await get(`${roles}/${id}`))).toEqual([404, { errors: [`${id} not found`] }]);
  }));

test('a service account may be changed with a permission of its own', () =>
  simulated(async ({ service, as }) => {
    const keeper = as(service.keys.make({ permissions: ['service_account_write'] }));
    const robot = [...service.org.users.values()].find((user) => user.service)?.id ?? '';
    const patch = (id: string) =>
      keeper.ask('PATCH', `/api/v2/users/${id}`, { data: { id, type: 'users', attributes: { title: 'x' } } });
    expect((await patch(robot)).status).toBe(200);
    expect((await keeper.ask('DELETE', `/api/v2/users/${robot}`)).status).toBe(204);
  }));
