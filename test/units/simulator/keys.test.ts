import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const own = '/api/v2/current_user/application_keys';
const org = '/api/v2/application_keys';
const v2 = '/api/v2/api_keys';
const turnedAway = { status: 'error', code: 403, errors: ['Forbidden'] };

const key = (attributes: object, id?: string, type = 'application_keys') => ({
  data: { type, ...(id === undefined ? {} : { id }), attributes },
});
const apiKey = (attributes: object, id?: string) => key(attributes, id, 'api_keys');
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const names = (answer: any): string[] => answer.body.data.map((value: any) => value.attributes.name);
const said = ({ status, body }: { status: number; body: unknown }) => [status, body];

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

test('a key of somebody else is known to the organization alone', () =>
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

test('API keys are filtered by name, category and remote configuration', () =>
  simulated(async ({ ask, get }) => {
    await ask('POST', v2, apiKey({ name: 'agents', remote_config_read_enabled: false }));
    for (const [filter, count] of [
      ['filter=AGENT', 1],
      ['filter=nobody', 0],
      ['filter[remote_config_read_enabled]=false', 1],
      ['filter[category]=other', 0],
    ] as const)
      expect([filter, (await get(`${v2}?${filter}`)).body.data.length]).toEqual([filter, count]);
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
