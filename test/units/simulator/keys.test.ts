import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith, start } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const own = '/api/v2/current_user/application_keys';
const org = '/api/v2/application_keys';
const v2 = '/api/v2/api_keys';
const v1 = '/api/v1/api_key';
const turnedAway = { status: 'error', code: 403, errors: ['Forbidden'] };

const key = (attributes: object, id?: string, type = 'application_keys') => ({
  data: { type, ...(id === undefined ? {} : { id }), attributes },
});
const apiKey = (attributes: object, id?: string) => key(attributes, id, 'api_keys');
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const names = (answer: any): string[] => answer.body.data.map((value: any) => value.attributes.name);
const said = ({ status, body }: { status: number; body: unknown }) => [status, body];

test('a key is created: the response has its secret, which is valid at once with the scopes it was given', () =>
  simulated(async ({ at, as, ask, get }) => {
    const made = await ask('POST', own, key({ name: ' ops laptop ', scopes: ['user_access_read'] }));
    expect(made.status).toBe(201);
    const { id, attributes, relationships } = made.body.data;
    expect(attributes).toEqual({
      name: 'ops laptop',
      created_at: '2026-11-21T10:00:00.000000+00:00',
      key: expect.stringMatching(/^fake-new-[0-9a-f]{31}$/),
      last4: attributes.key.slice(-4),
      scopes: ['user_access_read'],
    });
    const me = (await get('/api/v2/current_user')).body.data.id;
    expect(relationships).toEqual({
      owned_by: { data: { type: 'users', id: me } },
      leak_information: { data: null },
    });
    const other = as({ apiKey: at.apiKey, appKey: attributes.key });
    expect((await other.get('/api/v2/users')).status).toBe(200);
    expect((await other.get('/api/v1/monitor')).status).toBe(403);
    expect((await other.get(own)).body).toMatchObject(turnedAway);
    const wide = await ask('PATCH', `${own}/${id}`, key({ scopes: null }, id));
    expect([wide.status, wide.body.data.attributes.scopes, wide.body.data.attributes.name]).toEqual([
      200,
      null,
      'ops laptop',
    ]);
    expect((await other.get(own)).status).toBe(200);
    expect((await ask('DELETE', `${own}/${id}`)).status).toBe(204);
    expect((await other.get('/api/v2/users')).body).toMatchObject(turnedAway);
  }));

test('where the secret is told, and who is said to own it', () =>
  simulated(async ({ at, get, ask }) => {
    const [mine] = (await get(own)).body.data;
    expect(mine.attributes).not.toHaveProperty('key');
    expect(mine.attributes.last_used_at).toBe('2026-11-21T10:00:00.000000+00:00');
    expect(mine.relationships).not.toHaveProperty('owned_by');
    const one = (await get(`${own}/${mine.id}`)).body;
    expect(one.data.attributes.key).toBe(at.appKey);
    const kinds = new Set(one.included.map((entry: { type: string }) => entry.type));
    expect(kinds).toEqual(new Set(['users', 'roles']));
    const edited = (await ask('PATCH', `${own}/${mine.id}`, key({ name: 'mine' }, mine.id))).body;
    expect(edited.data.attributes.key).toBe(at.appKey);
    expect(edited.data.attributes).not.toHaveProperty('last_used_at');
    expect(edited).not.toHaveProperty('included');
    const theirs = (await get(`${org}/${mine.id}`)).body;
    expect(theirs.data.attributes).not.toHaveProperty('key');
    expect(theirs).not.toHaveProperty('included');
    expect(theirs.data.relationships).toHaveProperty('owned_by');
    const owned = (await get(`${org}/${mine.id}?include=owned_by`)).body.included[0];
    expect([owned.type, owned.relationships]).toEqual(['users', expect.not.objectContaining({ org: {} })]);
    const list = (await get(`${org}?include=owned_by`)).body;
    expect(list.data.every((entry: { relationships: object }) => 'owned_by' in entry.relationships)).toBe(true);
    expect(list.included.length).toBeGreaterThan(0);
  }));

test('a key of somebody else is known to the organisation alone', () =>
  simulated(async ({ service, at, as, ask, get }) => {
    const [, , , reader = ''] = service.org.users.keys();
    const { appKey } = service.keys.make({ user: reader, name: 'theirs' });
    const id = [...service.org.applicationKeys.values()].find((key) => key.name === 'theirs')?.id ?? '';
    expect(said(await get(`${own}/${id}`))).toEqual([404, { errors: ['Application key not found'] }]);
    expect((await get(`${org}/${id}`)).status).toBe(200);
    expect(names(await get(`${org}?filter[owned_by]=${reader}`))).toContain('theirs');
    expect(names(await get(own))).not.toContain('theirs');
    expect((await ask('PATCH', `${org}/${id}`, key({ name: 'renamed' }, id))).body.data.attributes.name).toBe(
      'renamed',
    );
    const them = as({ apiKey: at.apiKey, appKey });
    expect(names(await them.get(own))).toContain('renamed');
    expect((await them.get(org)).status).toBe(403);
    expect((await ask('DELETE', `${org}/${id}`)).status).toBe(204);
    expect((await them.get(own)).body).toMatchObject(turnedAway);
  }));

test('lists: sorted by plain names, filtered, paged, within dates; odd requests refused', () =>
  simulated(async ({ service, get }) => {
    for (const [at, name] of ['beta', '[Alpha]', '"gamma"', 'Delta'].entries())
      service.has('application_keys', { name, key: `${at}`.repeat(40), created_at: `2026-01-0${at + 1}T00:00:00Z` });
    const listed = names(await get(own));
    expect(listed.filter((name) => name !== 'this dashboard')).toEqual(['[Alpha]', 'beta', 'Delta', '"gamma"']);
    expect(names(await get(`${own}?sort=-created_at`)).slice(1)).toEqual(['Delta', '"gamma"', '[Alpha]', 'beta']);
    expect(names(await get(`${own}?sort=last4&page[size]=3`))).toEqual(['beta', '[Alpha]', '"gamma"']);
    const page = await get(`${own}?page%5Bsize%5D=2&page%5Bnumber%5D=1&filter=A`);
    expect(names(page)).toEqual(['Delta', '"gamma"']);
    expect(page.body.meta).toEqual({ page: { total_filtered_count: 5 }, max_allowed_per_user: 1000 });
    const dates = 'filter[created_at][start]=2026-01-02T00:00:00Z&filter[created_at][end]=2026-01-03T00:00:00Z';
    expect(names(await get(`${own}?${dates}`))).toEqual(['[Alpha]', '"gamma"']);
    expect((await get(`${own}?page[number]=9`)).body.data).toEqual([]);
  }));

test('no scopes are all permissions; a key may keep its name; users have a limit of keys', () =>
  simulated(async ({ service, ask }) => {
    const made = (await ask('POST', own, key({ name: 'a', scopes: [] }))).body.data;
    expect(made.attributes.scopes).toBeNull();
    expect((await ask('PATCH', `${own}/${made.id}`, key({ name: 'a' }, made.id))).status).toBe(200);
    service.org.allowed.applicationKeys = 2;
    expect((await ask('POST', own, key({ name: 'd' }))).status).toBe(400);
  }));

test('service accounts and their keys', () =>
  simulated(async ({ at, as, ask, get }) => {
    const [role] = (await get('/api/v2/roles?filter=read%20only')).body.data;
    const made = await ask('POST', '/api/v2/service_accounts', {
      data: {
        type: 'users',
        attributes: { email: 'Robot@Example.test', service_account: true, name: 'robot' },
        relationships: { roles: { data: [{ type: 'roles', id: role.id }] } },
      },
    });
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      email: 'robot@example.test',
      status: 'Active',
      verified: true,
      service_account: true,
      handle: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(made.body.included[0]).toMatchObject({ type: 'roles', id: role.id });
    const keys = `/api/v2/service_accounts/${made.body.data.id}/application_keys`;
    const created = await ask('POST', keys, key({ name: 'robot key' }));
    expect(created.status).toBe(201);
    const { id, attributes } = created.body.data;
    expect((await as({ apiKey: at.apiKey, appKey: attributes.key }).get('/api/v1/monitor')).status).toBe(200);
    const one = (await get(`${keys}/${id}`)).body.data;
    expect([one.attributes.key, one.relationships.owned_by]).toEqual([undefined, undefined]);
    expect(names(await get(keys))).toEqual(['robot key']);
    expect((await ask('PATCH', `${keys}/${id}`, key({ name: 'renamed' }, id))).body.data.attributes.name).toBe(
      'renamed',
    );
    expect((await ask('DELETE', `${keys}/${id}`)).status).toBe(204);
    expect(said(await get(`${keys}/${id}`))).toEqual([404, { errors: ['Application key not found'] }]);
  }));

test('API keys: made, read, renamed, deleted; the list keeps the secret', () =>
  simulated(async ({ service, as, ask, get }) => {
    const made = await ask('POST', v2, apiKey({ name: 'agents', remote_config_read_enabled: false }));
    expect(made.status).toBe(201);
    const { id, attributes } = made.body.data;
    expect(attributes).toMatchObject({
      key: expect.stringMatching(/^fake-new-[0-9a-f]{23}$/),
      last4: attributes.key.slice(-4),
      category: 'default',
      remote_config_read_enabled: false,
    });
    expect(attributes).not.toHaveProperty('date_last_used');
    expect((await as({ apiKey: attributes.key }).get('/api/v1/validate')).status).toBe(200);
    const listed = await get(`${v2}?include=created_by,modified_by&filter=AGENT`);
    expect(listed.body.data[0].attributes).toMatchObject({ used_in_last_24_hours: true });
    expect(listed.body.data[0].attributes).not.toHaveProperty('key');
    expect(listed.body.included).toHaveLength(1);
    expect(listed.body.meta).toEqual({ page: { total_filtered_count: 1 }, max_allowed: 50 });
    expect((await get(`${v2}?filter[remote_config_read_enabled]=false`)).body.data).toHaveLength(1);
    expect((await get(`${v2}?filter[category]=other`)).body.data).toEqual([]);
    service.passes(60_000);
    const same = await ask('PATCH', `${v2}/${id}`, apiKey({ name: 'agents' }, id));
    expect(same.body.data.attributes.modified_at).toBe(attributes.modified_at);
    const renamed = await ask('PATCH', `${v2}/${id}`, apiKey({ name: 'agents 2' }, id));
    expect(renamed.body.data.attributes.modified_at).toBe('2026-11-21T10:01:00.000000+00:00');
    expect((await get(`${v2}/${id}`)).body.data.attributes.key).toBe(attributes.key);
    service.org.allowed.apiKeys = service.org.apiKeys.size;
    expect((await ask('POST', v2, apiKey({ name: 'one more' }))).status).toBe(400);
    expect((await ask('DELETE', `${v2}/${id}`)).status).toBe(204);
    expect((await as({ apiKey: attributes.key }).get('/api/v1/validate')).status).toBe(403);
  }));

test('one key must remain, and the key in use may go', () =>
  simulated(async ({ service, ask, get }) => {
    const first = [...service.org.apiKeys.values()].find((key) => key.name !== 'this dashboard');
    expect((await ask('DELETE', `${v2}/${first?.id}`)).status).toBe(204);
    const [last] = (await get(v2)).body.data;
    const kept = await ask('DELETE', `${v2}/${last.id}`);
    expect([kept.status, kept.body.errors[0]]).toEqual([400, 'The last API key of the organization cannot be deleted']);
    await ask('POST', v2, apiKey({ name: 'another' }));
    expect((await ask('DELETE', `${v2}/${last.id}`)).status).toBe(204);
    expect((await get(v2)).body).toMatchObject(turnedAway);
  }));

test('the v1 door: the secret is the name, what is sent is checked first, a delete answers the key', () =>
  simulated(async ({ service, ask, get }) => {
    const made = await ask('POST', v1, { name: 'legacy', key: 'ignored', created_by: 'nobody' });
    expect(made.status).toBe(200);
    const secret = made.body.api_key.key;
    expect(made.body.api_key).toEqual({
      created: '2026-11-21 10:00:00',
      created_by: 'robin.vale@example.test',
      key: expect.stringMatching(/^fake-new-[0-9a-f]{23}$/),
      name: 'legacy',
    });
    expect((await get(`${v1}/${secret}`)).body).toEqual(made.body);
    expect((await get(v1)).body.api_keys).toContainEqual(made.body.api_key);
    expect(names(await get(v2))).toContain('legacy');
    const renamed = await ask('PUT', `${v1}/${secret}`, { name: 'renamed', created: 'never' });
    expect(renamed.body.api_key).toEqual({ ...made.body.api_key, name: 'renamed' });
    const gone = await ask('DELETE', `${v1}/${secret}`);
    expect(said(gone)).toEqual([200, renamed.body]);
    expect((await get(`${v1}/${secret}`)).status).toBe(404);
    service.withdraws(['api-keys.list-v1']);
    expect((await get(v1)).status).toBe(404);
  }));

test('a leak is told', () =>
  simulated(async ({ service, get }) => {
    const id = service.has('application_keys', { name: 'lost', leak_information: true });
    const one = (await get(`${own}/${id}`)).body;
    expect(one.data.relationships.leak_information.data).toEqual({ type: 'leaked_keys', id: 'leak-1' });
    expect(one.included.find((entry: { type: string }) => entry.type === 'leaked_keys').attributes).toEqual({
      date: '2026-11-21T10:00:00.000000+00:00',
      leak_source: 'a public repository',
    });
  }));

test('disabling a person deletes their application keys, and what they made for others stays', () =>
  simulated(async ({ service, at, as, ask, get }) => {
    const [, person = ''] = service.org.users.keys();
    const pair = service.keys.make({ user: person, name: 'theirs' });
    expect((await ask('DELETE', `/api/v2/users/${person}`)).status).toBe(204);
    expect(names(await get(`${org}?page[size]=100`))).not.toContain('theirs');
    expect(names(await get(`${v2}?page[size]=100`))).toContain('theirs');
    expect((await as({ apiKey: pair.apiKey, appKey: at.appKey }).get('/api/v1/monitor')).status).toBe(200);
  }));

test('a furnished organisation has keys of every sort, one of each leaked', () =>
  simulatedWith(async ({ service, get }) => {
    expect(service.now()).toBe(start);
    const keys = (await get(`${org}?page[size]=100`)).body;
    expect(keys.data.length).toBeGreaterThanOrEqual(30);
    const attributes = keys.data.map((entry: { attributes: object }) => entry.attributes);
    expect(attributes).toContainEqual(expect.objectContaining({ scopes: null }));
    expect(attributes).toContainEqual(expect.objectContaining({ scopes: ['dashboards_read'] }));
    expect(attributes).toContainEqual(expect.objectContaining({ last_used_at: null }));
    const known = new Set(service.org.permissions.keys()).add('user_access_read');
    expect(
      attributes
        .flatMap((attribute: { scopes: string[] | null }) => attribute.scopes ?? [])
        .every((one: string) => known.has(one)),
    ).toBe(true);
    const leaked = (list: { relationships: { leak_information: { data: unknown } } }[]) =>
      list.filter((entry) => entry.relationships.leak_information.data !== null);
    expect(leaked(keys.data)).toHaveLength(1);
    const api = (await get(`${v2}?page[size]=100`)).body.data;
    expect(api.length).toBeGreaterThanOrEqual(12);
    expect(leaked(api)).toHaveLength(1);
    expect(
      new Set(
        api.map((entry: { relationships: { modified_by: unknown } }) => entry.relationships.modified_by === null),
      ),
    ).toEqual(new Set([true, false]));
  }));
