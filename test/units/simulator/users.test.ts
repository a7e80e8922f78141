import { expect, test } from 'vitest';
import { type Simulated, simulated } from '../../support/simulated.ts';

const list = async ({ get }: Simulated, query = '') => (await get(`/api/v2/users${query}`)).body;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const names = (body: any): unknown[] => body.data.map((user: any) => user.attributes.name);

test('at least 35 people of every sort, administrators first of all', () =>
  simulated(async (client) => {
    const { data, meta } = await list(client, '?page[size]=100');
    expect(data.length).toBeGreaterThanOrEqual(35);
    expect(meta.page).toEqual({ total_count: data.length, total_filtered_count: data.length });
    const attributes = data.map((user: { attributes: object }) => user.attributes);
    for (const status of ['Active', 'Pending', 'Disabled'])
      expect(attributes).toContainEqual(expect.objectContaining({ status }));
    expect(attributes.filter((one: { service_account: boolean }) => one.service_account)).toHaveLength(2);
    expect(attributes).toContainEqual(expect.objectContaining({ name: null }));
    expect(attributes).toContainEqual(expect.objectContaining({ name: '' }));
    expect(attributes).toContainEqual(expect.objectContaining({ name: '山田 花子' }));
    expect(attributes.every((one: { email: string }) => one.email.endsWith('example.test'))).toBe(true);
    expect(
      names({ data })
        .slice(-2)
        .every((name) => !name),
    ).toBe(true);
  }));

test('pages, filter, states, sorting', () =>
  simulated(async (client) => {
    expect((await list(client)).data).toHaveLength(10);
    const all = names(await list(client, '?page[size]=100'));
    expect(names(await list(client, '?page%5Bsize%5D=7&page%5Bnumber%5D=1'))).toEqual(all.slice(7, 14));
    const named = all.filter(Boolean);
    expect(names(await list(client, '?page[size]=100&sort=-name'))).toEqual([...named.reverse(), null, '']);
    expect(names(await list(client, '?filter=MIRA'))).toEqual(['Mira Stone']);
    const pending = await list(client, '?filter[status]=Pending,Disabled&page[size]=100');
    expect(new Set(pending.data.map((user: { attributes: { status: string } }) => user.attributes.status))).toEqual(
      new Set(['Pending', 'Disabled']),
    );
    expect(pending.meta.page.total_filtered_count).toBe(pending.data.length);
  }));

test('included: roles of the page and their permissions, each once; none without roles', () =>
  simulated(async (client) => {
    const { included } = await list(client, '?page[size]=5');
    const keys = included.map((item: { type: string; id: string }) => `${item.type} ${item.id}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.some((key: string) => key.startsWith('permissions '))).toBe(true);
    client.service.has('users', {
      id: 'a0000000-0000-4000-8000-000000000001',
      email: 'Lonely@example.test',
      name: 'Lonely',
    });
    expect(await list(client, '?filter=lonely')).not.toHaveProperty('included');
  }));

test('who am I, one person, their permissions, both key checks', () =>
  simulated(async (client) => {
    const me = (await client.get('/api/v2/current_user')).body.data;
    expect(me.attributes).toMatchObject({ name: 'Robin Vale', handle: 'robin.vale@example.test', status: 'Active' });
    expect((await client.get(`/api/v2/users/${me.id}`)).body.data).toEqual(me);
    const granted = (await client.get(`/api/v2/users/${me.id}/permissions`)).body.data;
    expect(granted.map((one: { attributes: { name: string } }) => one.attributes.name)).toContain('monitors_write');
    expect((await client.get('/api/v1/validate')).body).toEqual({ valid: true });
    expect((await client.get('/api/v2/validate_keys')).body).toEqual({ status: 'ok' });
  }));
