import { createHash } from 'node:crypto';
import { request } from 'undici';
import type { Simulated } from './simulated.ts';

export const tables = '/api/v2/reference-tables/tables';
export const uploads = '/api/v2/reference-tables/uploads';

/** Attributes of a table of text columns whose first is the key. */
export const tableOf = (table_name: string, columns: readonly string[], more: object = {}) => ({
  data: {
    type: 'reference_table',
    attributes: {
      table_name,
      schema: { fields: columns.map((name) => ({ name, type: 'STRING' })), primary_keys: columns.slice(0, 1) },
      source: 'LOCAL_FILE',
      ...more,
    },
  },
});

/** Sends one part to its URL with only its length. */
export const putPart = async (url: string, body: string | Buffer, headers: Record<string, string> = {}) => {
  const answer = await request(url, { method: 'PUT', body, headers });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
};

/** Uploads a text as one part; returns the id of the upload. */
export async function uploadText({ ask }: Pick<Simulated, 'ask'>, table_name: string, csv: string): Promise<string> {
  const headers = (csv.split(/\r?\n/)[0] ?? '').split(',');
  const attributes = { table_name, headers, part_count: 1, part_size: Buffer.byteLength(csv) };
  const created = await ask('POST', uploads, { data: { type: 'upload', attributes } });
  const { id, attributes: got } = created.body.data;
  const { status } = await putPart(got.part_urls[0], csv);
  if (status !== 200) throw new Error(`the part was refused: ${status}`);
  return id;
}

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
