import { expect, test } from 'vitest';
import { type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const path = '/api/v2/logs/config/archives';

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
const ids = async ({ get }: Simulated) => (await get(path)).body.data.map((entry: { id: string }) => entry.id);

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
