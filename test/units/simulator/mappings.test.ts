import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const path = '/api/v2/authn_mappings';
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const values = (answer: any): string[] => answer.body.data.map((value: any) => value.attributes.attribute_value);

type Target = { readonly role?: string; readonly team?: string };
const mapping = (key: string | null, value: string | null, { role, team }: Target = {}, id?: string) => ({
  data: {
    type: 'authn_mappings',
    ...(id === undefined ? {} : { id }),
    attributes: {
      ...(key === null ? {} : { attribute_key: key }),
      ...(value === null ? {} : { attribute_value: value }),
    },
    relationships: {
      ...(role === undefined ? {} : { role: { data: { type: 'roles', id: role } } }),
      ...(team === undefined ? {} : { team: { data: { type: 'team', id: team } } }),
    },
  },
});

const targets = ({ service }: Simulated) => {
  const [role = '', other = ''] = [...service.org.roles.values()]
    .filter((role) => !role.managed)
    .map((role) => role.id);
  const [team = ''] = service.org.teams.keys();
  return { role, other, team };
};

test('a mapping to a role and one to a team: made, read, with what they lead to', () =>
  simulated(async (client) => {
    const { role, team } = targets(client);
    const made = await client.ask('POST', path, mapping('groups', 'sre', { role }));
    expect(made.status).toBe(200);
    expect(made.body.data.attributes).toEqual({
      attribute_key: 'groups',
      attribute_value: 'sre',
      created_at: '2026-11-21T10:00:00.000000+00:00',
      modified_at: '2026-11-21T10:00:00.000000+00:00',
    });
    expect(made.body.data.relationships).toEqual({ role: { data: { type: 'roles', id: role } } });
    expect(made.body.included).toEqual([expect.objectContaining({ type: 'roles', id: role })]);
    expect(made.body.included[0].attributes).not.toHaveProperty('user_count');
    expect(made.body.included[0].relationships.permissions.data.length).toBeGreaterThan(0);
    expect(made.text.indexOf('"included"')).toBeLessThan(made.text.indexOf('"data"'));
    const crew = await client.ask('POST', path, mapping('squad', 'core', { team }));
    expect(crew.body.data.relationships).toEqual({ team: { data: { type: 'team', id: team } } });
    expect(crew.body.included[0].attributes).toMatchObject({
      handle: expect.any(String),
      link_count: expect.any(Number),
      is_open_membership: expect.any(Boolean),
    });
    expect((await client.get(`${path}/${made.body.data.id}`)).body).toEqual(made.body);
    expect(values(await client.get(path))).toEqual(['sre']);
    expect(values(await client.get(`${path}?resource_type=team`))).toEqual(['core']);
  }));

test('the same attribute may lead to several targets', () =>
  simulated(async (client) => {
    const { role, other } = targets(client);
    const send = (body: unknown) => client.ask('POST', path, body);
    expect((await send(mapping('groups', 'sre', { role }))).status).toBe(200);
    expect((await send(mapping('groups', 'sre', { role: other }))).status).toBe(200);
  }));

test('an edit changes what it says, and answers the new target', () =>
  simulated(async (client) => {
    const { role, other, team } = targets(client);
    const id = client.service.has('authn_mappings', { attribute_key: 'groups', attribute_value: 'sre', role });
    client.service.has('authn_mappings', { attribute_key: 'groups', attribute_value: 'web', role });
    const patch = (body: unknown) => client.ask('PATCH', `${path}/${id}`, body);
    const before = (await client.get(`${path}/${id}`)).body.data.attributes;
    client.service.passes(60_000);
    const valued = await patch(mapping(null, 'ops', {}, id));
    expect(valued.body.data).toMatchObject({
      attributes: {
        attribute_key: 'groups',
        attribute_value: 'ops',
        created_at: before.created_at,
        modified_at: '2026-11-21T10:01:00.000000+00:00',
      },
      relationships: { role: { data: { id: role } } },
    });
    const led = await patch(mapping(null, null, { role: other }, id));
    expect(led.body.included.map((one: { id: string }) => one.id)).toEqual([other]);
    expect((await patch(mapping(null, 'ops', {}, id))).status).toBe(200);
    const crew = await patch(mapping(null, null, { team }, id));
    expect(crew.body.data.relationships).toEqual({ team: { data: { type: 'team', id: team } } });
    expect((await client.ask('DELETE', `${path}/${id}`)).status).toBe(204);
    expect(client.service.org.mappings.has(id)).toBe(false);
  }));

test('lists: oldest first, sorted, filtered by target, each target once', () =>
  simulated(async (client) => {
    const { service, get } = client;
    const { role, other } = targets(client);
    const put = (attribute_key: string, attribute_value: string, to: string, day: number) =>
      service.has('authn_mappings', {
        attribute_key,
        attribute_value,
        role: to,
        created_at: `2026-02-0${day}T00:00:00Z`,
      });
    put('groups', 'b', role, 2);
    put('office', 'c', other, 1);
    put('groups', 'a', role, 3);
    expect(values(await get(path))).toEqual(['c', 'b', 'a']);
    expect((await get(path)).body.included).toHaveLength(2);
    expect(values(await get(`${path}?sort=-created_at`))).toEqual(['a', 'b', 'c']);
    expect(values(await get(`${path}?sort=saml_assertion_attribute.attribute_value`))).toEqual(['a', 'b', 'c']);
    expect(values(await get(`${path}?sort=-saml_assertion_attribute.attribute_key&page[size]=1`))).toEqual(['c']);
    const name = (id: string) => encodeURIComponent(service.org.roles.get(id)?.name.toUpperCase() ?? '');
    const found = await get(`${path}?filter=${name(other)}`);
    expect(values(found)).toEqual(['c']);
    expect(found.body.meta.page).toEqual({ total_count: 3, total_filtered_count: 1 });
  }));

test('a furnished organisation needs two pages, and has teams without an avatar', () =>
  simulatedWith(async ({ get }) => {
    const first = (await get(path)).body;
    expect([first.data.length, first.meta.page.total_count >= 13]).toEqual([10, true]);
    const teams = (await get(`${path}?resource_type=team`)).body;
    expect(teams.data.length).toBeGreaterThanOrEqual(3);
    const avatars = teams.included.map((entry: { attributes: { avatar: string | null } }) => entry.attributes.avatar);
    expect(avatars).toContain(null);
  }));
