import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Upload } from '../kinds/table-store.ts';
import { hash } from './random.ts';

/** Listens on 127.0.0.1 and returns the address; port 0 = any free one. Rejects when the port is taken. */
export async function listen(server: Server, port: number): Promise<string> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends every connection and stops listening. */
export const close = (server: Server): Promise<void> =>
  new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });

/** What the store answers about one part. An error has a code and a sentence. */
export interface PartReply {
  readonly status: number;
  readonly code?: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Middleware around the receiving of each part; `next` receives it, of another body where one is given. Without a reply the
 * connection stays as it is.
 */
export type AroundPart = (
  request: IncomingMessage,
  part: { readonly upload: string; readonly part: number },
  next: (body?: AsyncIterable<Buffer>) => Promise<PartReply | undefined>,
) => Promise<PartReply | undefined>;

/** How long a URL can be used, milliseconds. */
const lifetime = 300_000;

/** The object store's dependencies. */
interface ObjectStoreParts {
  readonly seed: number;
  readonly uploads: ReadonlyMap<string, Upload>;
  now(): number;
  readonly around?: AroundPart | undefined;
}

const refusal = (status: number, code: string, text: string): PartReply => ({ status, code, text });

/**
 * The object store that receives the parts of uploads: another origin, without our keys. Listens on 127.0.0.1 only after `start`
 * (docs/contract/reference-tables.md#choices).
 */
export function createObjectStore(parts: ObjectStoreParts) {
  const place = { url: '' };
  const sign = (upload: string, part: number, until: number): string =>
    [0, 1, 2, 3].map((at) => hash(parts.seed, upload, part, until, at).toString(16).padStart(8, '0')).join('');

  /** Checks and stores a part; undefined where the client has ended the connection. */
  const receive = async (
    { headers }: IncomingMessage,
    url: URL,
    { upload: id, part }: Parameters<AroundPart>[1],
    body: AsyncIterable<Buffer>,
  ): Promise<PartReply | undefined> => {
    const upload = parts.uploads.get(id);
    const signedAt = Number(url.searchParams.get('expires') ?? '');
    if (Object.keys(headers).some((name) => /-(api|application)-key$/.test(name)))
      return refusal(400, 'InvalidArgument', 'A key header was sent to the object store');
    if (!upload || upload.parts.length <= part || url.searchParams.get('signature') !== sign(id, part, signedAt))
      return refusal(403, 'SignatureDoesNotMatch', 'The request signature does not match the signature of the URL');
    if (parts.now() >= signedAt + lifetime) return refusal(403, 'AccessDenied', 'Request has expired');
    const length = Number(headers['content-length']);
    const isLast = part === upload.parts.length - 1;
    if (!(isLast ? length > 0 && length <= upload.partSize : length === upload.partSize))
      return refusal(400, 'InvalidPart', `This part must have ${upload.partSize} bytes, not ${length}`);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of body) chunks.push(chunk);
    } catch {
      // The incomplete part is dropped.
      return undefined;
    }
    const bytes = Buffer.concat(chunks);
    const md5 = createHash('md5').update(bytes).digest('hex');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    // A part that is sent again replaces the first; after the table is created it changes nothing.
    if (upload.sha256 === null) upload.parts[part] = { size: bytes.length, sha256, bytes };
    return { status: 200, headers: { ETag: `"${md5}"` } };
  };

  const server = createServer(async (request, response) => {
    request.on('error', () => {});
    const url = new URL(request.url ?? '/', place.url);
    const [, , upload = '', number = ''] = url.pathname.split('/');
    const part = { upload, part: Number(number) };
    const next = (body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) =>
      receive(request, url, part, body);
    const reply = await (parts.around ? parts.around(request, part, next) : next());
    if (!reply) return;
    const { status, code, text, headers } = reply;
    const error = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>`;
    const body = code === undefined ? '' : error;
    // An error ends the connection: the rest of the request is not read.
    const ends = code === undefined ? {} : { 'Content-Type': 'application/xml', Connection: 'close' };
    response.writeHead(status, { ...headers, ...ends, 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
  });
  server.requestTimeout = 0;

  return {
    start: async () => {
      place.url = await listen(server, 0);
    },
    stop: () => close(server),
    /** The pre-signed URL of a part. */
    urlOf: (upload: Upload, part: number) =>
      `${place.url}/parts/${upload.id}/${part}?expires=${upload.created}&signature=${sign(upload.id, part, upload.created)}`,
  };
}
