import * as v from 'valibot';

/** The version of each file that this program writes. */
export const fileVersion = 1;

/** The version that a file says: ours, or that of a newer program. */
export const storedVersion = v.pipe(v.number(), v.safeInteger(), v.minValue(fileVersion));

/** The version of a file where a newer program wrote it: it is read where it fits, and not changed. */
export const newerVersion = (version: number): number | undefined => (version > fileVersion ? version : undefined);

/** Why a file of a newer version is not written. */
export const newerFile = (path: string, version: number): string =>
  `${path} is of version ${version}, which a newer orgdeck wrote: it is read, and not changed; use that orgdeck, or move the file away`;
