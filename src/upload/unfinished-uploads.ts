import { basename, join } from 'node:path';
import { plural } from '../lib/text.ts';
import type { UploadRequest } from './upload-job.ts';
import { leftovers, noteAt } from './upload-record.ts';

/** An upload that an earlier run has begun and not ended. */
export interface UnfinishedUpload {
  /** One sentence: what it was, and how far it came. */
  readonly says: string;
  /** The request that repeats it: continues where only the table is missing, else starts again. */
  readonly asked: UploadRequest;
  /** Names it for `abandon`. */
  readonly note: string;
}

/**
 * What earlier runs have left in the state directory for a deployment, newest first; `trouble` names what cannot be read, as a
 * sentence.
 */
export async function readUnfinishedUploads(
  directory: string,
  origin: string,
): Promise<{ readonly uploads: readonly UnfinishedUpload[]; readonly trouble?: string }> {
  const { found, ...trouble } = await leftovers(directory);
  const ours = found
    .filter(({ record }) => record.origin === origin)
    .sort((a, b) => b.record.expires - a.record.expires);
  const uploads = ours.map(({ record, note }) => {
    const { name, ...table } = record.table;
    const done = record.parts.filter(Boolean).length;
    const far =
      record.phase === 'creating'
        ? 'all parts arrived, the table was asked for'
        : `${done} of ${plural(record.parts.length, 'part')} arrived`;
    return {
      says: `${basename(record.file.path)} into ${name}: ${far}`,
      asked: { file: record.file.path, table: name, ...table },
      note: basename(note.path),
    };
  });
  return { uploads, ...trouble };
}

/** Removes the record of an earlier run; the service drops unused parts on its own. */
export async function abandon(directory: string, note: string): Promise<void> {
  await noteAt(join(directory, basename(note))).remove();
}
