import { basename, join } from 'node:path';
import { plural } from '../lib/text.ts';
import { leftovers, noteAt } from './upload-record.ts';
import type { UploadRequest } from './upload-table.ts';

/** An upload that an earlier run has begun and not ended. */
export interface UnfinishedUpload {
  /** One sentence: what it was, and how far it came. */
  readonly says: string;
  /** Whether only the table is missing. Addresses of parts are on no disk: nobody can send the others to an upload of another run. */
  readonly goesOn: boolean;
  /** The request that repeats it: it goes on, or starts again. */
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
    const goesOn = record.phase === 'creating';
    const far = goesOn
      ? 'all parts arrived, the table was asked for'
      : `${done} of ${plural(record.parts.length, 'part')} arrived, it has to start again`;
    return {
      says: `${basename(record.file.path)} into ${name}: ${far}`,
      goesOn,
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
