import * as v from 'valibot';

/** The version that this program writes into each of its files. */
export const fileVersion = 1;

/** Reads the version out of a file: ours, or that of a newer program. */
export const storedVersion = v.pipe(v.number(), v.safeInteger(), v.minValue(fileVersion));

/** The version of a file that a newer program wrote, undefined for any other: what fits is read, nothing is changed. */
export const newerVersion = (version: number): number | undefined => (version > fileVersion ? version : undefined);

/** Why a file of a newer version is not written. */
export const newerFile = (path: string, version: number): string =>
  `${path} is of version ${version}, which a newer orgdeck wrote: it is read, and not changed; use that orgdeck, or move the file away`;
