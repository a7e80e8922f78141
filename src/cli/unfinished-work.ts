import type { Unfinished } from '../describe/job.ts';
import type { OpenConnection } from './start.ts';
import { uploadKinds } from './upload-kinds.ts';

/** Work of earlier runs that was never ended, as the dashboard offers it. */
export interface Left {
  /** As it was when it was last looked for. */
  now(): readonly Unfinished[];
  /** Looks on the disk again; answers with what of it cannot be read, as a sentence. */
  look(): Promise<string | undefined>;
}

/** Looks for uploads to this organization; empty until it has looked. */
export function createLeft({ directory, client }: Pick<OpenConnection, 'directory' | 'client'>): Left {
  const held: { found: readonly Unfinished[] } = { found: [] };
  return {
    now: () => held.found,
    async look() {
      const { readUnfinishedUploads: unfinished } = await import('../upload/upload-record.ts');
      const { uploads, trouble } = await unfinished(directory, client.origin);
      held.found = uploads.map(({ says, goesOn, asked, note }) => ({
        says,
        goesOn,
        resume: { kind: uploadKinds.upload, title: `upload ${asked.file} as ${asked.table}`, values: asked },
        abandon: { kind: uploadKinds.abandon, title: `discard the upload into ${asked.table}`, values: { note } },
      }));
      return trouble;
    },
  };
}
