import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** Largest answer, as it comes over the wire and once inflated, in bytes (design: sizes). */
export const maxWireBytes = 8 * 1024 * 1024;
export const maxInflatedBytes = 32 * 1024 * 1024;

/** So many bytes are unpacked between two pauses. */
const chunkSize = 256 * 1024;

/** Why a body is not whole: longer than we take, cut short, or packed in a way we did not offer. */
export type BodyFault = 'tooBig' | 'cut' | 'packed';

/** Collects what comes over the wire; gives up, and with it closes the connection, beyond the limit. */
export async function collectBody(chunks: AsyncIterable<Buffer>): Promise<Buffer | 'tooBig'> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxWireBytes) return 'tooBig';
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
} as const;

/** Undoes `content-encoding` piece by piece, with other work in between; stops once the text would be longer than we take. */
export async function decompress(bytes: Buffer, encoding: string): Promise<{ readonly text: string } | BodyFault> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (bytes.length === 0 || names.length === 0) return { text: new TextDecoder().decode(bytes) };
  const unpacker = names.length === 1 ? unpackerOf(names[0] as string, bytes) : undefined;
  if (!unpacker) return 'packed';
  // A byte order mark goes, bytes that are no UTF-8 become U+FFFD.
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
    return ((bytes[0] ?? 0) & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
  return Object.hasOwn(unpackers, name) ? unpackers[name as keyof typeof unpackers]({ chunkSize }) : undefined;
}
