import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const path = '/api/v2/logs/config/archives';
const orderPath = '/api/v2/logs/config/archive-order';
const said = ({ status, body }: { status: number; body: unknown }) => [status, body];

const role = { account_id: '000011112222', role_name: 'archive-writer' };
const bucket = { type: 'provider_c', bucket: 'logs', integration: role };
const container = {
  type: 'provider_a',
  container: 'c',
  storage_account: 's',
  integration: { client_id: 'i', tenant_id: 't' },
};
const web = { name: 'web', query: 'service:web', destination: container };
const archive = (attributes: object) => ({ data: { type: 'archives', attributes } });
const order = (ids: readonly string[]) => ({ data: { type: 'archive_order', attributes: { archive_ids: ids } } });
const ids = async ({ get }: Simulated) => (await get(path)).body.data.map((entry: { id: string }) => entry.id);

test('an archive is made with its defaults, at the end of the order', () =>
  simulated(async (client) => {
    const first = client.service.has('archives', { name: 'first' });
    const made = await client.ask('POST', path, archive({ ...web, state: 'FAILING', unknown: 1 }));
    expect(made.status).toBe(200);
    expect(made.body.data).toEqual({
      type: 'archives',
      id: expect.stringMatching(/^[\w-]{22}$/),
      attributes: {
        ...web,
        state: 'UNKNOWN',
        include_tags: false,
        rehydration_tags: [],
        rehydration_max_scan_size_in_gb: null,
        compression_method: 'GZIP',
        partitioning_attributes: [],
        lookup_attributes: [],
      },
    });
    const { id } = made.body.data;
    expect(await ids(client)).toEqual([first, id]);
    expect((await client.get(orderPath)).body).toEqual(order([first, id]));
    expect((await client.get(`${path}/${id}`)).body).toEqual(made.body);
    expect(Object.keys((await client.get(path)).body)).toEqual(['data']);
  }));

test('each kind of destination is accepted', () =>
  simulated(async ({ ask }) => {
    const status = async (destination: object, more: object = {}) =>
      (await ask('POST', path, archive({ ...web, destination, ...more }))).status;
    const b = { type: 'provider_b', bucket: 'b', integration: { client_email: 'a@example.test' } };
    for (const good of [
      container,
      { ...container, path: '/web', region: 'eu' },
      b,
      { ...b, integration: { client_email: 'a@example.test', project_id: 'p' } },
      bucket,
      { ...bucket, integration: { access_key_id: 'k' } },
      { ...bucket, encryption: { type: 'NO_OVERRIDE' }, storage_class: 'GLACIER_IR' },
      { ...bucket, encryption: { type: 'SSE_KMS', key: 'k' } },
    ])
      expect([good, await status(good)]).toEqual([good, 200]);
    expect(await status(bucket, { rehydration_max_scan_size_in_gb: 1, rehydration_tags: ['a:b'] })).toBe(200);
  }));

test('a replacement resets what it does not say; id, place and readers stay', () =>
  simulated(async (client) => {
    const [reader = ''] = client.service.org.roles.keys();
    const id = client.service.has('archives', {
      name: 'a',
      include_tags: true,
      compression_method: 'ZSTD',
      state: 'WORKING',
      readers: [reader],
    });
    const behind = client.service.has('archives', { name: 'b' });
    expect((await client.get(`${path}/${id}`)).body.data.attributes).toMatchObject({
      state: 'WORKING',
      include_tags: true,
    });
    const replaced = await client.ask('PUT', `${path}/${id}`, archive(web));
    expect(replaced.body.data).toMatchObject({
      id,
      attributes: { name: 'web', include_tags: false, compression_method: 'GZIP', state: 'UNKNOWN' },
    });
    expect(await ids(client)).toEqual([id, behind]);
    expect((await client.get(`${path}/${id}/readers`)).body.data.map((one: { id: string }) => one.id)).toEqual([
      reader,
    ]);
    for (const type of ['SSE_PROVIDER_C', 'NO_OVERRIDE'])
      expect(
        (
          await client.ask(
            'PUT',
            `${path}/${id}`,
            archive({ ...web, destination: { ...bucket, encryption: { type } } }),
          )
        ).body.data.attributes.destination.encryption,
      ).toEqual({ type });
  }));

test('an archive works after a while, unless it cannot', () =>
  simulated(async ({ service, ask, get }) => {
    const make = async (destination: object) =>
      (await ask('POST', path, archive({ ...web, destination }))).body.data.id;
    const [good, bad, worse] = [
      await make(bucket),
      await make({ ...bucket, bucket: 'fail-logs' }),
      await make({ ...container, container: 'will-fail' }),
    ];
    service.passes(120_000);
    const state = async (id: string) => (await get(`${path}/${id}`)).body.data.attributes.state;
    expect([await state(good), await state(bad), await state(worse)]).toEqual(['WORKING', 'FAILING', 'FAILING']);
  }));

test('the order is set; a deleted archive leaves it', () =>
  simulated(async (client) => {
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((name) => client.service.has('archives', { name }));
    const send = (body: unknown) => client.ask('PUT', orderPath, body);
    expect(said(await send(order([c, a, b])))).toEqual([200, order([c, a, b])]);
    expect(await ids(client)).toEqual([c, a, b]);
    const gone = await client.ask('DELETE', `${path}/${a}`);
    expect([gone.status, gone.text, gone.headers['content-type']]).toEqual([204, '', undefined]);
    expect((await client.get(orderPath)).body).toEqual(order([c, b]));
  }));

test('readers are added and removed, each twice', () =>
  simulated(async ({ service, ask, get }) => {
    const [reader = '', other = ''] = service.org.roles.keys();
    const id = service.has('archives', { name: 'a' });
    const readers = `${path}/${id}/readers`;
    const send = (method: string, id: string) => ask(method, readers, { data: { type: 'roles', id } });
    expect((await get(readers)).body.data).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      const added = await send('POST', reader);
      expect([added.status, added.text, added.headers['content-type']]).toEqual([204, '', undefined]);
    }
    expect((await get(readers)).body).toMatchObject({
      data: [{ type: 'roles', id: reader, attributes: { name: 'Service Admin Role' } }],
      meta: { page: { total_count: 1 } },
    });
    expect((await send('DELETE', other)).status).toBe(204);
    expect((await send('DELETE', reader)).status).toBe(204);
    expect((await get(readers)).body.data).toEqual([]);
  }));

test('a furnished organisation has archives of every destination and state', () =>
  simulatedWith(async ({ get }) => {
    const all = (await get(path)).body.data;
    expect(all.length).toBeGreaterThanOrEqual(9);
    const types = new Set(
      all.map((entry: { attributes: { destination: { type: string } } }) => entry.attributes.destination.type),
    );
    expect(types).toEqual(new Set(['provider_a', 'provider_b', 'provider_c']));
    const states = new Set(all.map((entry: { attributes: { state: string } }) => entry.attributes.state));
    expect(states).toEqual(new Set(['WORKING', 'FAILING', 'WORKING_AUTH_LEGACY']));
  }));
