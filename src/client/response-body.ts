import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { longJson } from '../lib/slices.ts';
import { giveBack, streamPieces } from '../lib/streams.ts';
import { systemClock } from '../lib/time.ts';

/** Largest response body, on the wire and decompressed, in bytes (docs/design/reliability.md#sizes). */
const maxWireBytes = 8 * 1024 * 1024;
const maxInflatedBytes = 32 * 1024 * 1024;

/** Bytes decompressed between two pauses. */
const chunkSize = 256 * 1024;

/** Why a body is incomplete: over the limit, truncated, or in an encoding that we did not accept. */
export type BodyFault = 'tooBig' | 'cut' | 'packed';

/** A body as it came from the wire, and a digest of it and its encoding. */
interface WireBody {
  digest(): string;
  readonly pieces: Pieces;
  /** Gives back what was received; its pieces are empty after that. */
  drop(): void;
}

type Pieces = readonly Uint8Array[];

/** Milliseconds after which a short body is hashed and let go. */
const hashedAfterMs = 1000;

/** Bytes of a body that is hashed and given back at once; more than a list of some hundred rows has, which a start reads before its rows. */
const longBody = 1024 * 1024;
/** The body as it comes from the wire; one over the limit is not read to its end. */
export async function collectBody(stream: AsyncIterable<Buffer>, encoding: string): Promise<WireBody | 'tooBig'> {
  const pieces = await streamPieces(stream, maxWireBytes);
  if (!pieces) return 'tooBig';
  const digest = digestLater(encoding, pieces);
  if (pieces.reduce((sum, piece) => sum + piece.length, 0) < longBody) return { digest, pieces, drop: () => {} };
  digest();
  // A poll of 100 pages receives 170 MB and makes little garbage besides: 20 MB of it would wait for a collection.
  return { digest, pieces, drop: () => pieces.forEach(giveBack) };
}

/** Hashes when asked for, or a little later: only the next answer is compared, and Node's hashes take the 7 ms of a start to load. */
function digestLater(encoding: string, pieces: Pieces): () => string {
  const state = { pieces, digest: '' };
  const digest = () => {
    if (state.digest !== '') return state.digest;
    calledOff();
    const hash = createHash('sha256').update(`${encoding}\n`);
    for (const piece of state.pieces) hash.update(piece);
    state.pieces = [];
    state.digest = hash.digest('base64');
    return state.digest;
  };
  const calledOff = systemClock.after(hashedAfterMs, digest);
  return digest;
}

/** Largest window of a `zstd` body, as RFC 9659 bounds it: 8 MB. A frame that wants more memory is not unpacked. */
const windowLog = { [constants.ZSTD_d_windowLogMax]: 23 };

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  zstd: (options: { readonly chunkSize: number }) => createZstdDecompress({ ...options, params: windowLog }),
} as const;

/** A body without its encodings and a byte order mark: as text, or as bytes where it is long. */
type Decoded = { readonly text: string } | { readonly bytes: Buffer };

/** Decodes `content-encoding` chunk by chunk, yielding in between; stops once there are more bytes than the limit. */
export async function decompress(pieces: Pieces, encoding: string): Promise<Decoded | BodyFault> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const [first] = pieces;
  if (!first || names.length === 0) return decoded(pieces);
  const unpacker = names.length === 1 ? unpackerOf(names[0] as string, first) : undefined;
  if (!unpacker) return 'packed';
  const unpacked: Buffer[] = [];
  let size = 0;
  try {
    unpacker.end(Buffer.concat(pieces));
    for await (const piece of unpacker as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxInflatedBytes) return 'tooBig';
      unpacked.push(piece);
    }
  } catch (error) {
    return (error as { code?: string }).code === 'Z_BUF_ERROR' ? 'cut' : 'packed';
  }
  const body = decoded(unpacked);
  for (const piece of unpacked) giveBack(piece);
  return body;
}

function decoded(pieces: Pieces): Decoded {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  // Not in pages of their own: V8 reads a buffer that can grow ten times as slowly.
  const bytes = Buffer.concat(pieces);
  // Invalid UTF-8 becomes U+FFFD.
  if (size <= longJson) return { text: withoutMark(bytes.toString()) };
  return { bytes: bytes.indexOf(mark) === 0 ? bytes.subarray(mark.length) : bytes };
}

const mark = Buffer.from('\uFEFF');

/** Without a byte order mark. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

function unpackerOf(name: string, bytes: Uint8Array): Transform | undefined {
  if (name === 'deflate')
    return ((bytes[0] ?? 0) & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
  return Object.hasOwn(unpackers, name) ? unpackers[name as keyof typeof unpackers]({ chunkSize }) : undefined;
}
