import { createHash } from 'node:crypto';
import type { createUpload } from '../../api/tables.ts';
import { type ApiResponse, type Handler, refused, type ServiceWorld } from '../server/handler.ts';
import { readSentBody } from '../server/sent-body.ts';
import type { Upload } from './table-store.ts';

/** The minimum size of a part that is not the last, bytes (docs/contract/reference-tables.md#upload). */
const leastPart = 5_000_000;

/** Begins an upload; returns one pre-signed URL for each part. */
const begin: Handler = (request, world) => {
  const {
    table_name,
    headers,
    part_count: count,
    part_size: size,
  } = readSentBody<typeof createUpload>(request).data.attributes;
  if (count > 1 && size < leastPart)
    return refused(400, `part_size must be at least ${leastPart} bytes when there is more than one part`);
  const upload: Upload = {
    id: world.random.uuid(),
    table: table_name,
    headers,
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

/**
 * Takes the bytes of a complete, unused upload for the table created from it; afterward only
 * sizes and hashes remain. Or returns the refusal.
 */
export function takeUpload(
  world: ServiceWorld,
  id: string,
): { readonly upload: Upload; readonly text: string } | ApiResponse {
  const upload = world.org.tableStore.uploads.get(id);
  if (!upload) return refused(400, `upload_id ${id} does not exist`);
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
