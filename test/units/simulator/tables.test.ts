import { request } from 'undici';
import { expect, test } from 'vitest';
import { sha256, tableOf, tables, uploads } from '../../support/csv.ts';
import { simulated } from '../../support/simulated.ts';

/** Sends one part to its URL with only its length. */
const putPart = async (url: string, body: string | Buffer, headers: Record<string, string> = {}) => {
  const answer = await request(url, { method: 'PUT', body, headers });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
};

test('parts: another address that takes no keys, checks signature, age and length, and keeps the bytes', () =>
  simulated(async ({ ask, at, service }) => {
    const attributes = { table_name: 'routes', headers: ['service', 'team'], part_count: 2, part_size: 5_000_000 };
    const made = await ask('POST', uploads, { data: { type: 'upload', attributes } });
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

test('an organization has at most 100 tables, and a user so many keys', () =>
  simulated(
    async ({ ask, service }) => {
      for (let at = 0; at < 100; at += 1) service.has('reference_table', {});
      const provider_c_detail = { provider_c_account_id: '0', provider_c_bucket_name: 'b', file_path: 'a.csv' };
      const more = { source: 'PROVIDER_C', file_metadata: { access_details: { provider_c_detail } } };
      const { body } = await ask('POST', tables, tableOf('more', ['id'], more));
      expect(body.errors[0].detail).toContain('100 tables');
      service.org.allowed.applicationKeys = 1;
      const key = { data: { type: 'application_keys', attributes: { name: 'd' } } };
      const made = await ask('POST', '/api/v2/current_user/application_keys', key);
      expect([made.status, made.body.errors]).toEqual([400, [expect.stringContaining('1')]]);
    },
    { furnished: false },
  ));
