import { request } from 'undici';
import { expect, test } from 'vitest';
import { sha256, tableOf, tables, uploads } from '../../support/csv.ts';
import { type Came, type Simulated, simulated as simulatedWith } from '../../support/simulated.ts';

const simulated = (run: (client: Simulated) => Promise<void>) => simulatedWith(run, { furnished: false });

const detail = ({ body }: Came): string => body.errors[0].detail;
const begin = (attributes: object) => ({ data: { type: 'upload', attributes } });
const good = { table_name: 'routes', headers: ['service', 'team'], part_count: 1, part_size: 20 };
const row = (id: string, values: object) => ({ id, type: 'row', attributes: { values } });

/** Sends one part to its URL with only its length. */
const putPart = async (url: string, body: string | Buffer, headers: Record<string, string> = {}) => {
  const answer = await request(url, { method: 'PUT', body, headers });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
};

/** Uploads a text as one part; returns the id of the upload. */
async function uploadText({ ask }: Pick<Simulated, 'ask'>, table_name: string, csv: string): Promise<string> {
  const headers = (csv.split(/\r?\n/)[0] ?? '').split(',');
  const attributes = { table_name, headers, part_count: 1, part_size: Buffer.byteLength(csv) };
  const created = await ask('POST', uploads, { data: { type: 'upload', attributes } });
  const { id, attributes: got } = created.body.data;
  const { status } = await putPart(got.part_urls[0], csv);
  if (status !== 200) throw new Error(`the part was refused: ${status}`);
  return id;
}

/** A table from CSV, ready. */
async function ready(client: Simulated, name: string, csv: string, more: object = {}): Promise<string> {
  const upload_id = await uploadText(client, name, csv);
  const columns = (csv.split(/\r?\n/)[0] ?? '').split(',');
  const made = await client.ask('POST', tables, tableOf(name, columns, { file_metadata: { upload_id }, ...more }));
  expect([made.status, made.text]).toEqual([201, '']);
  client.service.passes(5000);
  const { body } = await client.get(`${tables}?filter[table_name][exact]=${name}`);
  return body.data[0].id;
}

test('parts: another address that takes no keys, checks signature, age and length, and keeps the bytes', () =>
  simulated(async ({ ask, at, service }) => {
    const made = await ask('POST', uploads, begin({ ...good, part_count: 2, part_size: 5_000_000 }));
    const [first = '', last = ''] = made.body.data.attributes.part_urls as string[];
    expect(new URL(first).origin).not.toBe(new URL(at.url).origin);
    const big = Buffer.alloc(5_000_000, 'a');
    for (const [answer, status, code] of [
      [await putPart(last, 'x', { 'SERVICE-API-KEY': at.apiKey }), 400, 'InvalidArgument'],
      [await putPart(last, 'x', { 'Service-Application-Key': 'any' }), 400, 'InvalidArgument'],
      [
        await putPart(
          first.replace(/.$/, (text) => (text === '0' ? '1' : '0')),
          big,
        ),
        403,
        'SignatureDoesNotMatch',
      ],
      [await putPart(first.replace('expires=', 'expires=9'), big), 403, 'SignatureDoesNotMatch'],
      [await putPart(first, big.subarray(1)), 400, 'InvalidPart'],
      [await putPart(last, ''), 400, 'InvalidPart'],
    ] as const) {
      expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/xml']);
      expect(answer.text).toContain(`<Code>${code}</Code>`);
    }
    const stored = await putPart(first, big);
    expect(stored).toMatchObject({
      status: 200,
      text: '',
      headers: { etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) },
    });
    await putPart(last, 'old');
    await putPart(last, 'the end');
    const parts = service.org.tableStore.uploads.get(made.body.data.id)?.parts ?? [];
    expect(parts.map((part) => part?.sha256)).toEqual([sha256(big), sha256('the end')]);
    service.passes(300_000);
    const late = await putPart(last, 'x');
    expect([late.status, late.text]).toEqual([403, expect.stringContaining('Request has expired')]);
  }));

test('a table from a local file: 201 with nothing, then three states, then its rows', () =>
  simulated(async (client) => {
    const { ask, get, service } = client;
    const csv = 'service,team,tier\r\npay,"core, ""old""",1\r\nmail,"two\nlines",2\r\n\r\ncafé,日本,3';
    const upload_id = await uploadText(client, 'routes', csv);
    const fields = [
      { name: 'service', type: 'STRING' },
      { name: 'team', type: 'STRING' },
      { name: 'tier', type: 'INT32' },
    ];
    const schema = { fields, primary_keys: ['service'] };
    const made = await ask('POST', tables, tableOf('routes', ['service'], { schema, file_metadata: { upload_id } }));
    expect([made.status, made.text, made.headers['content-type']]).toEqual([201, '', 'application/vnd.api+json']);
    const find = async () => (await get(`${tables}?filter[table_name][exact]=routes`)).body;
    const { data, meta } = await find();
    expect(data).toHaveLength(1);
    expect(meta.page).toMatchObject({ type: 'offset_limit', total: null, next_offset: 15, prev_offset: null });
    const path = `${tables}/${data[0].id}`;
    expect(data[0].attributes).toMatchObject({ status: 'INITIALIZED', row_count: 0, description: '', tags: null });
    expect((await get(`${path}/rows?row_id=pay`)).status).toBe(404);
    service.passes(1000);
    expect((await get(path)).body.data.attributes.status).toBe('PROCESSING');
    service.passes(4000);
    const done = (await get(path)).body.data.attributes;
    expect(done).toMatchObject({ status: 'DONE', row_count: 3, schema, source: 'LOCAL_FILE' });
    expect(done).not.toHaveProperty('file_metadata');
    expect(done.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const rows = await get(`${path}/rows?row_id=pay&row_id=caf%C3%A9&row_id=none`);
    expect(rows.body).toEqual({
      data: [
        row('pay', { service: 'pay', team: 'core, "old"', tier: 1 }),
        row('café', { service: 'café', team: '日本', tier: 3 }),
      ],
      meta: { requested_count: 3, found_count: 2, not_found: ['none'] },
    });
    expect((await get(`${path}/rows?row_id=mail`)).text).toContain('two\\nlines');
  }));

test('what is wrong inside a file is told when it has been read', () =>
  simulated(async (client) => {
    const fields = [
      { name: 'id', type: 'STRING' },
      { name: 'size', type: 'INT32' },
    ];
    const more = { schema: { fields, primary_keys: ['id'] } };
    const id = await ready(client, 'odd', 'id,size\na,1\nb,x\nc\nd,2147483648\n,5\ne,-2147483648', more);
    const { attributes } = (await client.get(`${tables}/${id}`)).body.data;
    expect(attributes).toMatchObject({ status: 'DONE_WITH_ERRORS', row_count: 2 });
    expect(attributes.file_metadata).toEqual({ error_message: '', error_row_count: 4 });
    const other = await ready(client, 'other', 'id,length\na,1', more);
    expect((await client.get(`${tables}/${other}`)).body.data.attributes).toMatchObject({
      status: 'ERROR',
      row_count: 0,
      file_metadata: { error_type: 'TABLE_SCHEMA_ERROR' },
    });
  }));

test('a table is refused for an incomplete or used upload, a name that is taken, and over the limit', () =>
  simulated(async (client) => {
    const { ask, service } = client;
    const columns = ['id', 'name'];
    const make = (more: object, name = 'fine') => ask('POST', tables, tableOf(name, columns, more));
    const upload = () => uploadText(client, 'fine', 'id,name\n1,2');
    const upload_id = await upload();
    const file_metadata = { upload_id };
    const missing = await make({});
    const absent = "upload_id is required for tables with 'LOCAL_FILE' source";
    expect(missing.body).toEqual({ errors: [{ status: '400', title: 'Bad Request', detail: absent }] });
    const half = await ask('POST', uploads, begin({ ...good, part_count: 2, part_size: 5_000_000 }));
    const incomplete = await make({ file_metadata: { upload_id: half.body.data.id } });
    expect(detail(incomplete)).toContain('0 of 2 parts');
    expect((await make({ file_metadata })).status).toBe(201);
    expect(service.org.tableStore.uploads.get(upload_id)?.sha256).toBe(sha256('id,name\n1,2'));
    expect(detail(await make({ file_metadata: { upload_id: await upload() } }))).toContain('already exists');
    expect(detail(await make({ file_metadata }, 'again'))).toContain('used before');
    for (let at = 1; at < 100; at += 1) service.has('reference_table', {});
    expect(detail(await make({ file_metadata: { upload_id: await upload() } }, 'more'))).toContain('100 tables');
  }));

test('a table from the cloud: nothing to see until it is done', () =>
  simulated(async ({ ask, get, service }) => {
    const provider_c_detail = { provider_c_account_id: '0', provider_c_bucket_name: 'b', file_path: 'a.csv' };
    const file_metadata = { access_details: { provider_c_detail }, sync_enabled: false };
    const more = { source: 'PROVIDER_C', file_metadata };
    expect(await ask('POST', tables, tableOf('far', ['id', 'name'], more))).toMatchObject({ status: 201, text: '' });
    const [{ id }] = (await get(`${tables}?filter[table_name][contains]=fa`)).body.data;
    const seen = async () => (await get(`${tables}/${id}`)).body.data.attributes;
    service.passes(7999);
    expect(await seen()).toMatchObject({ status: 'INITIALIZED', row_count: 0 });
    service.passes(1);
    const { file_metadata: shown, ...rest } = await seen();
    expect(rest).toMatchObject({ status: 'DONE', row_count: 12 });
    expect(shown).toEqual({ access_details: { provider_c_detail }, error_message: '', error_row_count: 0 });
  }));

test('an edit: empty answer, fixed parts, and new data that prunes', () =>
  simulated(async (client) => {
    const { ask, get, service } = client;
    const id = await ready(client, 'things', 'id,name\n1,one\n2,two');
    const patch = (attributes: object) =>
      ask('PATCH', `${tables}/${id}`, { data: { type: 'reference_table', attributes } });
    service.passes(10_000);
    expect(await patch({ description: 'All things', tags: ['a:b'] })).toMatchObject({ status: 200, text: '' });
    const before = (await get(`${tables}/${id}`)).body.data.attributes;
    expect(before).toMatchObject({ description: 'All things', tags: ['a:b'], row_count: 2, status: 'DONE' });
    const fields = [...before.schema.fields, { name: 'size', type: 'INT32' }];
    const schema = { fields, primary_keys: ['id'] };
    const metadata = async (csv: string) => ({ upload_id: await uploadText(client, 'things', csv) });
    const renamed = { fields: [fields[0], { name: 'title', type: 'STRING' }], primary_keys: ['id'] };
    expect((await patch({ schema: renamed, file_metadata: await metadata('id,title\n1,one') })).status).toBe(400);
    const rekeyed = { fields, primary_keys: ['name'] };
    expect((await patch({ schema: rekeyed, file_metadata: await metadata('id,name,size\n1,one,1') })).status).toBe(400);
    const file_metadata = await metadata('id,name,size\n2,TWO,22\n3,three,33');
    expect((await patch({ schema, file_metadata })).status).toBe(200);
    const rows = async () => (await get(`${tables}/${id}/rows/list`)).body.data.map((row: { id: string }) => row.id);
    expect((await get(`${tables}/${id}`)).body.data.attributes.status).toBe('INITIALIZED');
    expect(await rows()).toEqual(['1', '2']);
    service.passes(5000);
    expect(await rows()).toEqual(['2', '3']);
    expect((await get(`${tables}/${id}/rows?row_id=2`)).body.data[0].attributes.values).toEqual({
      id: '2',
      name: 'TWO',
      size: 22,
    });
    expect(await ask('DELETE', `${tables}/${id}`)).toMatchObject({ status: 200, text: '' });
    expect((await get(`${tables}/${id}`)).status).toBe(404);
  }));

test('rows: none found is 404 with data; lists go on from one snapshot', () =>
  simulated(async (client) => {
    const { ask, get } = client;
    const csv = `id,n\n${Array.from({ length: 250 }, (_, at) => `${at},x`).join('\n')}`;
    const id = await ready(client, 'many', csv);
    const path = `${tables}/${id}`;
    expect(await get(`${path}/rows?row_id=a&row_id=b`)).toMatchObject({
      status: 404,
      body: { data: [], meta: { requested_count: 2, found_count: 0, not_found: ['a', 'b'] } },
    });
    const first = await get(`${path}/rows/list?page[limit]=200`);
    expect(first.body.data).toHaveLength(200);
    await ask('DELETE', `${path}/rows`, {
      data: [
        { id: '249', type: 'row' },
        { id: 'unknown', type: 'row' },
      ],
    });
    const rest = await get(first.body.links.next);
    expect(rest.body.data).toHaveLength(50);
    expect(rest.body.links).not.toHaveProperty('next');
    expect((await get(path)).body.data.attributes.row_count).toBe(249);
  }));

test('the list: pages, order, filters; a table of others is shown and refused', () =>
  simulatedWith(async ({ get, as, at, service }) => {
    const all = (await get(`${tables}?page[limit]=100`)).body.data;
    expect(all.length).toBeGreaterThanOrEqual(14);
    const of = (field: string) =>
      new Set(all.map((entry: { attributes: Record<string, unknown> }) => entry.attributes[field]));
    for (const source of ['LOCAL_FILE', 'PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C', 'API'])
      expect(of('source')).toContain(source);
    for (const status of ['INITIALIZED', 'PROCESSING', 'DONE', 'DONE_WITH_ERRORS', 'ERROR'])
      expect(of('status')).toContain(status);
    expect((await get(tables)).body.data).toEqual(all.slice(0, 15));
    expect((await get(`${tables}?page[limit]=5&page[offset]=5`)).body.data).toEqual(all.slice(5, 10));
    const names = (await get(`${tables}?sort=table_name&page[limit]=100`)).body.data.map(
      (entry: { attributes: { table_name: string } }) => entry.attributes.table_name,
    );
    expect(names).toEqual([...names].sort());
    expect((await get(`${tables}?filter[status]=ERROR`)).body.data).toHaveLength(1);
    const restricted = (await get(`${tables}?filter[table_name][exact]=payroll_groups`)).body.data[0].id;
    expect((await get(`${tables}/${restricted}/rows?row_id=1`)).body.errors[0]).toMatchObject({ title: 'Forbidden' });
    const reader = as({ apiKey: at.apiKey, appKey: at.readOnlyAppKey });
    expect((await reader.get(tables)).status).toBe(200);
    expect((await reader.ask('POST', uploads, begin(good))).body.errors[0]).toMatchObject({ detail: 'Forbidden' });
    expect((await as({}).get(tables)).body).toMatchObject({ status: 'error', code: 403, errors: ['Forbidden'] });
    service.withdraws(['tables.list']);
    expect((await get(tables)).headers['content-type']).toContain('text/html');
  }));
