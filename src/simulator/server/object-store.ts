import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Upload } from '../kinds/table-store.ts';
import { leastPart } from '../kinds/uploads.ts';
import { hash } from './random.ts';

/**
 * A fault of one part. `drops`: reset after half of it. `stalls`: half is read, then nothing more. `busy`: 503.
 * `cuts`: the store reports a wrong length. `loses`: stored, then reset before the response. `refuses`: 403 while the
 * URL is valid. `moves`: a redirect.
 */
type PartFault = 'drops' | 'stalls' | 'busy' | 'cuts' | 'loses' | 'refuses' | 'moves';

/** A recorded request, for tests. */
interface PartReceived {
  readonly upload: string;
  readonly part: number;
  /** 0 when the connection ended before a response. */
  readonly status: number;
  /** Bytes that arrived. */
  readonly size: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The object store that receives the parts of uploads: another origin, without our keys. */
export interface ObjectStore {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The pre-signed URL of a part. */
  urlOf(upload: Upload, part: number): string;
  received(): readonly PartReceived[];
  /** Makes the next requests fail, for one part (counted from 0) or for any. */
  fails(fault: PartFault, times?: number, part?: number): void;
  /** Limits the bytes per second of all connections together, in real time; 0 = unlimited. */
  slows(bytesPerSecond: number): void;
  /** Sets the lifetime of URLs in milliseconds; default 5 minutes. */
  lives(ms: number): void;
  /** Resets faults, speed and the lifetime of URLs. */
  recovers(): void;
}

const fiveMinutes = 300_000;

/** The object store's dependencies. */
export interface ObjectStoreParts {
  readonly seed: number;
  readonly uploads: ReadonlyMap<string, Upload>;
  now(): number;
}

/** Listens on 127.0.0.1 only after `start` (docs/contract/reference-tables.md#choices). */
export function createObjectStore(parts: ObjectStoreParts): ObjectStore {
  const received: PartReceived[] = [];
  const state = { url: '', lives: fiveMinutes, rate: 0, free: 0 };
  let faults: { fault: PartFault; left: number; part: number | undefined }[] = [];

  const takeFault = (part: number): PartFault | undefined => {
    const found = faults.find((fault) => fault.part === undefined || fault.part === part);
    if (!found) return undefined;
    found.left -= 1;
    faults = faults.filter((fault) => fault.left > 0);
    return found.fault;
  };
  const sign = (upload: string, part: number, until: number): string =>
    [0, 1, 2, 3].map((at) => hash(parts.seed, upload, part, until, at).toString(16).padStart(8, '0')).join('');

  /** Waits as long as `bytes` take at the limited rate of all connections. */
  const throttle = async (bytes: number): Promise<void> => {
    if (state.rate === 0) return;
    const now = performance.now();
    state.free = Math.max(now, state.free) + (bytes / state.rate) * 1000;
    if (state.free - now > 1) await new Promise((done) => setTimeout(done, state.free - now));
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', state.url);
    const [, , id = '', number = ''] = url.pathname.split('/');
    const part = Number(number);
    const upload = parts.uploads.get(id);
    const signedAt = url.searchParams.get('expires') ?? '';
    const { socket } = request;
    const chunks: Buffer[] = [];
    let size = 0;
    const note = (status: number): void => {
      received.push({ upload: id, part, status, size, headers: { ...request.headers } });
      if (received.length > 1000) received.splice(0, 100);
    };
    const refuse = (status: number, code: string, text: string): void => {
      note(status);
      sendError(response, status, code, text);
    };
    request.on('error', () => {});
    if (request.method !== 'PUT') return refuse(405, 'MethodNotAllowed', 'The specified method is not allowed');
    if (Object.keys(request.headers).some((name) => /-(api|application)-key$/.test(name)))
      return refuse(400, 'InvalidArgument', 'A key header was sent to the object store');
    if (
      !upload ||
      upload.parts.length <= part ||
      url.searchParams.get('signature') !== sign(id, part, Number(signedAt))
    )
      return refuse(403, 'SignatureDoesNotMatch', 'The request signature does not match the signature of the URL');
    if (parts.now() >= Number(signedAt) + state.lives) return refuse(403, 'AccessDenied', 'Request has expired');
    const length = request.headers['content-length'];
    if (length === undefined)
      return refuse(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header');
    const wrong = sizeFault(upload, part, Number(length));
    if (wrong) return refuse(400, wrong[0], wrong[1]);
    const fault = takeFault(part);
    if (fault === 'refuses') return refuse(403, 'AccessDenied', 'Access denied');
    if (fault === 'moves') {
      response.setHeader('Location', 'http://127.0.0.1:9/elsewhere');
      return refuse(307, 'TemporaryRedirect', 'Please re-send this request to the specified temporary endpoint');
    }
    const most = fault === 'drops' || fault === 'stalls' ? Number(length) / 2 : Number.POSITIVE_INFINITY;
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        chunks.push(chunk);
        if (size >= most) break;
        await throttle(chunk.length);
      }
    } catch {
      // The client disconnected: the incomplete part is dropped.
      return note(0);
    }
    if (fault === 'stalls') return note(0);
    if (fault === 'drops') {
      note(0);
      socket.resetAndDestroy();
      return;
    }
    if (fault === 'busy') return refuse(503, 'SlowDown', 'Please reduce your request rate');
    if (fault === 'cuts' || size !== Number(length))
      return refuse(400, 'IncompleteBody', 'The number of bytes is not that of the Content-Length HTTP header');
    const bytes = Buffer.concat(chunks);
    const md5 = createHash('md5').update(bytes).digest('hex');
    // A part that is sent again replaces the first; after the table is created it changes nothing.
    if (upload.sha256 === null)
      upload.parts[part] = { size, md5, sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
    if (fault === 'loses') {
      note(0);
      socket.resetAndDestroy();
      return;
    }
    note(200);
    response.writeHead(200, { ETag: `"${md5}"`, 'Content-Length': 0 });
    response.end();
  };

  const server = createServer((request, response) => void serve(request, response));
  server.requestTimeout = 0;
  return {
    start: async () => {
      await new Promise<void>((done, fail) => {
        server.once('error', fail);
        server.listen(0, '127.0.0.1', () => {
          server.off('error', fail);
          done();
        });
      });
      state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
    urlOf: (upload, part) =>
      `${state.url}/parts/${upload.id}/${part}?expires=${upload.created}&signature=${sign(upload.id, part, upload.created)}`,
    received: () => received,
    fails: (fault, times = 1, part) => {
      faults.push({ fault, left: times, part });
    },
    slows: (rate) => {
      state.rate = rate;
    },
    lives: (ms) => {
      state.lives = ms;
    },
    recovers: () => {
      faults = [];
      Object.assign(state, { rate: 0, lives: fiveMinutes });
    },
  };
}

/** The refusal of a wrong part size: all but the last must have the announced size and the minimum size. */
function sizeFault(upload: Upload, part: number, length: number): readonly [code: string, text: string] | undefined {
  const isLast = part === upload.parts.length - 1;
  if (!isLast && length < leastPart) return ['EntityTooSmall', 'Your proposed upload is smaller than the minimum'];
  if (!isLast && length !== upload.partSize)
    return ['InvalidPart', `This part must have ${upload.partSize} bytes, not ${length}`];
  if (length > upload.partSize) return ['EntityTooLarge', 'Your proposed upload is larger than the part size'];
  return length === 0 ? ['InvalidPart', 'This part is empty'] : undefined;
}

/** An object store's error response. Closes the connection without reading the rest of the request. */
function sendError(response: ServerResponse, status: number, code: string, text: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>`;
  response.writeHead(status, {
    'Content-Type': 'application/xml',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}
