import { type ParseResult, unreadable } from '../lib/parse-result.ts';
import { byteText } from './units.ts';

/** Part sizes of a file: every part but the last has `partSize` bytes. */
export interface PartLayout {
  readonly partSize: number;
  readonly partCount: number;
}

/** Least size of each part but the last, and most parts (docs/contract/reference-tables.md#upload). */
export const minPartBytes = 5_000_000;
export const maxParts = 20;

/** Largest file that the service takes (docs/contract/reference-tables.md#upload). */
const maxBytes = 200_000_000;

/**
 * The smallest parts that the service allows: small ones are sent side by side, and little is lost when one has to be
 * sent again.
 */
export function layoutParts(size: number): ParseResult<PartLayout> {
  if (size <= 0) return unreadable('the file is empty');
  if (size > maxBytes)
    return unreadable(
      `the file has ${byteText(size)}, the service takes ${byteText(maxBytes)} at most: split it, or put it into cloud storage and create the table from there`,
    );
  const partSize = Math.max(minPartBytes, Math.ceil(size / maxParts));
  const partCount = Math.ceil(size / partSize);
  return { ok: true, value: partCount === 1 ? { partSize: size, partCount } : { partSize, partCount } };
}

/** First byte of a part and the byte after its last one, from the beginning of what is sent. */
export function partRange(
  { partSize }: PartLayout,
  size: number,
  part: number,
): { readonly begin: number; readonly end: number } {
  return { begin: part * partSize, end: Math.min(size, (part + 1) * partSize) };
}
