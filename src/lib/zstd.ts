import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Bytes of a dictionary that may be repeated. */
const window = 128 * 1024;
/** Tables of a size for that: the usual ones take 1 MB of memory each time. */
const params = {
  [constants.ZSTD_c_windowLog]: Math.log2(window),
  [constants.ZSTD_c_hashLog]: 14,
  [constants.ZSTD_c_chainLog]: 13,
};

const repeating = (dictionary: Buffer | undefined) => (dictionary ? { dictionary: dictionary.subarray(-window) } : {});

/** Packs bytes that are kept; what they repeat of the dictionary takes no room. */
export const zip = (bytes: Buffer, dictionary?: Buffer): Buffer =>
  zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length, ...repeating(dictionary) });

/** So many bytes from what `zip` made with the same dictionary, anew each time: who asks for them gives them back. */
export const unzip = (packed: Buffer, size: number, dictionary?: Buffer): Buffer =>
  // With a byte more than it takes, nothing is put together from chunks, which would wait for a collection.
  zstdDecompressSync(packed, { chunkSize: Math.max(constants.Z_MIN_CHUNK, size + 1), ...repeating(dictionary) });
