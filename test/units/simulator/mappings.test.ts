import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const path = '/api/v2/authn_mappings';
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const values = (answer: any): string[] => answer.body.data.map((value: any) => value.attributes.attribute_value);

test('mappings are listed oldest first, sorted on request, filtered by the name of a role; each role is included once', () =>
  simulated(async (client) => {
    const { service, get } = client;
    const [role = '', other = ''] = [...service.org.roles.values()]
      .filter(({ managed }) => !managed)
      .map(({ id }) => id);
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

test('a furnished organization needs two pages, and has teams without an avatar', () =>
  simulatedWith(async ({ get }) => {
    const first = (await get(path)).body;
    expect([first.data.length, first.meta.page.total_count >= 13]).toEqual([10, true]);
    const teams = (await get(`${path}?resource_type=team`)).body;
    expect(teams.data.length).toBeGreaterThanOrEqual(3);
    const avatars = teams.included.map((entry: { attributes: { avatar: string | null } }) => entry.attributes.avatar);
    expect(avatars).toContain(null);
  }));
