import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith, start } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const path = '/api/v2/apm/config/retention-filters';
const orderPath = '/api/v2/apm/config/retention-filters-execution-order';
const said = ({ status, body }: { status: number; body: unknown }) => [status, body];
const good = {
  name: 'checkout errors',
  enabled: true,
  filter: { query: 'service:checkout status:error' },
  filter_type: 'spans-sampling-processor',
  rate: 0.5,
};
const filter = (attributes: object, id?: string) => ({
  data: { type: 'apm_retention_filter', ...(id === undefined ? {} : { id }), attributes },
});
const orderOf = (ids: readonly string[]) => ({ data: ids.map((id) => ({ type: 'apm_retention_filter', id })) });
const ids = async ({ get }: Simulated) => (await get(path)).body.data.map((entry: { id: string }) => entry.id);
const builtIn = (service: Simulated['service']) =>
  service.has('apm_retention_filter', {
    name: 'Error Default',
    filter: { query: 'status:error' },
    filter_type: 'spans-errors-sampling-processor',
    created_at: 0,
    modified_at: 0,
    created_by: '',
  });

test('a filter is made at the end; only the list says its place', () =>
  simulated(async (client) => {
    const first = client.service.has('apm_retention_filter', { name: 'first' });
    const made = await client.ask('POST', path, filter(good));
    expect(made.status).toBe(200);
    const { id, attributes } = made.body.data;
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(attributes).toEqual({
      ...good,
      trace_rate: 0,
      editable: true,
      created_at: start / 1000,
      created_by: 'robin.vale@example.test',
      modified_at: start / 1000,
      modified_by: 'robin.vale@example.test',
    });
    expect((await client.get(`${path}/${id}`)).body.data.attributes).toEqual(attributes);
    const { body } = await client.get(path);
    expect(Object.keys(body)).toEqual(['data']);
    expect(
      body.data.map((one: { id: string; attributes: { execution_order: number } }) => [
        one.id,
        one.attributes.execution_order,
      ]),
    ).toEqual([
      [first, 1],
      [id, 2],
    ]);
  }));

test('rates may be 0 and 1', () =>
  simulated(async ({ ask }) => {
    const edges = await ask('POST', path, filter({ ...good, rate: 0, trace_rate: 1, filter: { query: '*' } }));
    expect([edges.body.data.attributes.rate, edges.body.data.attributes.trace_rate]).toEqual([0, 1]);
  }));

test('an edit replaces the settings', () =>
  simulated(async ({ service, as, at }) => {
    const [, , , , , second = ''] = service.org.users.keys();
    const other = service.keys.make({ user: second });
    const id = service.has('apm_retention_filter', { name: 'a', trace_rate: 0.5, created_at: 1_700_000_000 });
    service.passes(60_000);
    const changed = await as({ apiKey: at.apiKey, appKey: other.appKey }).ask(
      'PUT',
      `${path}/${id}`,
      filter({ ...good, enabled: false }, id),
    );
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      id,
      attributes: {
        name: 'checkout errors',
        enabled: false,
        trace_rate: 0,
        created_at: 1_700_000_000,
        modified_at: start / 1000 + 60,
        modified_by: service.org.users.get(second)?.email,
      },
    });
    expect(changed.body.data.attributes).not.toHaveProperty('execution_order');
  }));

test('the order: named ones first, the rest behind; a delete closes the gap', () =>
  simulated(async (client) => {
    const [a = '', b = '', c = '', d = ''] = ['a', 'b', 'c', 'd'].map((name) =>
      client.service.has('apm_retention_filter', { name }),
    );
    const send = (body: unknown) => client.ask('PUT', orderPath, body);
    expect(said(await send(orderOf([d, c, b, a])))).toEqual([200, {}]);
    expect(await ids(client)).toEqual([d, c, b, a]);
    expect((await send(orderOf([a, c]))).status).toBe(200);
    expect(await ids(client)).toEqual([a, c, d, b]);
    const gone = await client.ask('DELETE', `${path}/${c}`);
    expect(said(gone)).toEqual([200, {}]);
    const places = (await client.get(path)).body.data.map(
      (one: { attributes: { execution_order: number } }) => one.attributes.execution_order,
    );
    expect(places).toEqual([1, 2, 3]);
  }));

test('a built-in filter is turned on and off, and reordered', () =>
  simulated(async (client) => {
    const id = builtIn(client.service);
    const other = client.service.has('apm_retention_filter', { name: 'b' });
    const put = (more: object) =>
      client.ask(
        'PUT',
        `${path}/${id}`,
        filter(
          {
            ...good,
            name: 'Error Default',
            filter: { query: 'status:error' },
            filter_type: 'spans-errors-sampling-processor',
            ...more,
          },
          id,
        ),
      );
    const off = await put({ enabled: false, rate: 0.1 });
    expect(off.body.data.attributes).toMatchObject({ enabled: false, rate: 0.1, created_at: 0, created_by: '' });
    await client.ask('PUT', orderPath, orderOf([other, id]));
    expect(await ids(client)).toEqual([other, id]);
  }));

test('reading needs an administrator, beside the permission', () =>
  simulated(async ({ service, at, as }) => {
    const id = service.has('apm_retention_filter', { name: 'a' });
    const reader = as({ apiKey: at.apiKey, appKey: at.readOnlyAppKey });
    const permitted = as(service.keys.make({ permissions: ['apm_retention_filter_read'] }));
    for (const where of [path, `${path}/${id}`]) {
      expect(said(await reader.get(where))).toEqual([403, { errors: ['Forbidden'] }]);
      expect((await permitted.get(where)).status).toBe(200);
    }
  }));

test('a furnished organisation has built-in filters first', () =>
  simulatedWith(async (client) => {
    const { data } = (await client.get(path)).body;
    expect(data.length).toBeGreaterThanOrEqual(14);
    expect(data.slice(0, 2).map((one: { attributes: object }) => one.attributes)).toEqual([
      expect.objectContaining({ filter_type: 'spans-errors-sampling-processor', created_at: 0, created_by: '' }),
      expect.objectContaining({ filter_type: 'spans-appsec-sampling-processor', modified_at: 0 }),
    ]);
    expect(data.some((one: { attributes: { editable: boolean } }) => !one.attributes.editable)).toBe(true);
  }));
