import { createHash } from 'node:crypto';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { systemClock } from '../lib/clock.ts';
import { streamPieces } from '../lib/whole-stream.ts';

/** Largest response body, on the wire and decompressed, in bytes (design: sizes). */
const maxWireBytes = 8 * 1024 * 1024;
const maxInflatedBytes = 32 * 1024 * 1024;

/** Bytes decompressed between two pauses. */
const chunkSize = 256 * 1024;

/** Why a body is incomplete: over the limit, truncated, or in an encoding that we did not accept. */
export type BodyFault = 'tooBig' | 'cut' | 'packed';

/** A body as it came from the wire, and a digest of it and its encoding. */
interface WireBody {
  digest(): string;
  bytes(): Buffer;
}

/** Milliseconds after which a body is hashed and let go. */
const hashedAfterMs = 1000;

/** The body as it comes from the wire; one over the limit is not read to its end. */
export async function collectBody(stream: AsyncIterable<Buffer>, encoding: string): Promise<WireBody | 'tooBig'> {
  const pieces = await streamPieces(stream, maxWireBytes);
  return pieces ? { digest: digestLater(encoding, pieces), bytes: () => Buffer.concat(pieces) } : 'tooBig';
}

/** Hashes when asked for, or a little later: only the next answer is compared, and Node's hashes take the 7 ms of a start to load. */
function digestLater(encoding: string, pieces: readonly Uint8Array[]): () => string {
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

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
} as const;

/** Decodes `content-encoding` chunk by chunk, yielding in between; stops once the text is over the limit. */
export async function decompress(bytes: Buffer, encoding: string): Promise<{ readonly text: string } | BodyFault> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (bytes.length === 0 || names.length === 0) return { text: new TextDecoder().decode(bytes) };
  const unpacker = names.length === 1 ? unpackerOf(names[0] as string, bytes) : undefined;
  if (!unpacker) return 'packed';
  // Drops a byte order mark; invalid UTF-8 becomes U+FFFD.
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  try {
    unpacker.end(bytes);
    for await (const piece of unpacker as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxInflatedBytes) return 'tooBig';
      pieces.push(decoder.decode(piece, { stream: true }));
    }
  } catch (error) {
    return (error as { code?: string }).code === 'Z_BUF_ERROR' ? 'cut' : 'packed';
  }
  return { text: pieces.join('') + decoder.decode() };
}

function unpackerOf(name: string, bytes: Buffer): Transform | undefined {
  if (name === 'deflate')
    return (bytes.readUInt8() & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
  return Object.hasOwn(unpackers, name) ? unpackers[name as keyof typeof unpackers]({ chunkSize }) : undefined;
}
