import { type Reading, unreadable } from '../lib/reading.ts';
import { amount } from './amount.ts';

/** How a file is cut: every part but the last has `partSize` bytes. */
export interface Cut {
  readonly partSize: number;
  readonly partCount: number;
}

/** Least size of each part but the last, and most parts (spec: limits; contract/reference-tables.md, 2). */
export const leastPart = 5_000_000;
export const mostParts = 20;

/** Largest file that the service takes (contract/reference-tables.md, 2). */
export const mostBytes = 200_000_000;

/**
 * The smallest parts that the service allows: small ones are sent side by side, and little is lost when one has to be
 * sent again.
 */
export function cutFile(size: number): Reading<Cut> {
  if (size <= 0) return unreadable('the file is empty');
  if (size > mostBytes)
    return unreadable(
      `the file has ${amount(size)}, the service takes ${amount(mostBytes)} at most: split it, or put it into cloud storage and create the table from there`,
    );
  const partSize = Math.max(leastPart, Math.ceil(size / mostParts));
  const partCount = Math.ceil(size / partSize);
  return { ok: true, value: partCount === 1 ? { partSize: size, partCount } : { partSize, partCount } };
}

/** First byte of a part and the byte after its last one, from the beginning of what is sent. */
export function rangeOf(
  { partSize }: Cut,
  size: number,
  part: number,
): { readonly begin: number; readonly end: number } {
  return { begin: part * partSize, end: Math.min(size, (part + 1) * partSize) };
}
