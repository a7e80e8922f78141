import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

/** Largest answer, as it comes over the wire and once inflated, in bytes (design: sizes). */
export const mostWireBytes = 8 * 1024 * 1024;
export const mostInflatedBytes = 32 * 1024 * 1024;

/** Why a body is not whole: longer than we take, cut short, or packed in a way we did not offer. */
export type BodyFault = 'tooBig' | 'cut' | 'packed';

/** Collects what comes over the wire; gives up, and with it closes the connection, beyond the limit. */
export async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer | 'tooBig'> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > mostWireBytes) return 'tooBig';
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: (bytes: Buffer, limit: { maxOutputLength: number }) =>
    promisify(((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(bytes, limit),
} as const;

/** Undoes `content-encoding` off the main thread; stops as soon as the text would be longer than we take. */
export async function unpack(bytes: Buffer, encoding: string): Promise<Buffer | BodyFault> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (bytes.length === 0 || names.length === 0) return bytes;
  const name = names[0] as keyof typeof unpackers;
  if (names.length > 1 || !Object.hasOwn(unpackers, name)) return 'packed';
  try {
    return await unpackers[name](bytes, { maxOutputLength: mostInflatedBytes });
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'tooBig';
    return code === 'Z_BUF_ERROR' ? 'cut' : 'packed';
  }
}

/** Bytes as text; a byte order mark goes, bytes that are no UTF-8 become U+FFFD. */
export function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes);
}
