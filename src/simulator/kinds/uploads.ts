import { createHash } from 'node:crypto';
import { normalName } from '../../api/tables.ts';
import { at } from '../../lib/object-paths.ts';
import { type ApiResponse, type Handler, refused, type World } from '../server/handler.ts';
import { asList, asNumber, asText, sentAttributes } from '../server/wire-values.ts';
import type { Upload } from './table-store.ts';

/** The minimum size of a part that is not the last, bytes (docs/contract/reference-tables.md#upload). */
export const leastPart = 5_000_000;
const mostParts = 20;
const mostHeaders = 200;

/** Begins an upload; returns one pre-signed URL for each part. */
const begin: Handler = (request, world) => {
  if (at(request.body, 'data.type') !== 'upload') return refused(400, 'data.type must be upload');
  const sent = sentAttributes(request.body);
  const headers = asList(sent.headers);
  const count = asNumber(sent.part_count);
  const size = asNumber(sent.part_size);
  const wrong =
    (sent.table_name === undefined && 'table_name is required') ||
    (normalName(asText(sent.table_name) ?? '') === undefined && 'table_name is invalid') ||
    (!headers && 'headers is required') ||
    faultOfHeaders(headers ?? []) ||
    (!(Number.isInteger(count) && count >= 1 && count <= mostParts) &&
      `part_count must be between 1 and ${mostParts}`) ||
    (!(Number.isInteger(size) && size >= 1) && 'part_size must be at least 1') ||
    (count > 1 && size < leastPart && `part_size must be at least ${leastPart} bytes when there is more than one part`);
  if (wrong) return refused(400, wrong);
  const upload: Upload = {
    id: world.random.uuid(),
    table: asText(sent.table_name) ?? '',
    headers: (headers ?? []).map(String),
    partSize: size,
    parts: Array.from({ length: count }, () => undefined),
    created: request.now,
    sha256: null,
  };
  world.org.tableStore.uploads.set(upload.id, upload);
  const part_urls = upload.parts.map((_, part) => world.partUrl(upload, part));
  const attributes = { table_name: upload.table, part_urls };
  return { status: 201, body: { data: { id: upload.id, type: 'upload', attributes } } };
};

function faultOfHeaders(headers: readonly unknown[]): string | false {
  const names = headers.map((name) => normalName(asText(name) ?? ''));
  if (headers.length === 0) return 'headers must not be empty';
  if (headers.length > mostHeaders) return `headers must have at most ${mostHeaders} items`;
  if (names.includes(undefined)) return 'headers holds an invalid name';
  return new Set(names).size < names.length && 'headers holds a name twice';
}

/**
 * Takes the bytes of a complete, unused upload for the table created from it; afterwards only
 * sizes and hashes remain. Or returns the refusal.
 */
export function takeUpload(
  world: World,
  id: unknown,
): { readonly upload: Upload; readonly text: string } | ApiResponse {
  const upload = world.org.tableStore.uploads.get(asText(id) ?? '');
  if (!upload) return refused(400, `upload_id ${asText(id) ?? ''} does not exist`);
  if (upload.sha256 !== null) return refused(400, 'upload_id has been used before');
  const there = upload.parts.filter((part) => part !== undefined);
  if (there.length < upload.parts.length)
    return refused(400, `the upload is not complete: ${there.length} of ${upload.parts.length} parts were received`);
  const bytes = Buffer.concat(there.map((part) => part.bytes));
  upload.sha256 = createHash('sha256').update(bytes).digest('hex');
  for (const part of there) part.bytes = Buffer.alloc(0);
  return { upload, text: bytes.toString('utf8') };
}

/** The handler of uploads, by endpoint id. */
export const uploadHandlers: Readonly<Record<string, Handler>> = { 'tables.upload': begin };
