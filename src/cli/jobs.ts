import { homedir } from 'node:os';
import * as v from 'valibot';
import { type JobEnd, type JobRequest, type Progress, programsKind } from '../describe/job.ts';
import type { Clock } from '../lib/time.ts';
import type { ChildEnvironment } from '../terminal/editor.ts';
import { runPrograms } from './run-programs.ts';
import type { OpenConnection } from './start.ts';
import { uploadKinds } from './upload-kinds.ts';

/** What a job may use: the organization, the machine, the way to be stopped, and where it tells how far it is. */
export interface JobMeans {
  readonly connection: Pick<OpenConnection, 'client' | 'directory'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly env: NodeJS.ProcessEnv;
  /** That of the programs that the job starts. */
  readonly programEnvironment: () => Promise<ChildEnvironment>;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

type Job = (values: unknown, means: JobMeans) => Promise<JobEnd>;

/** A CSV file of this machine on its way into a table (docs/contract/reference-tables.md#upload). */
const upload = async (): Promise<Job> => {
  const { runUpload } = await import('../upload/upload-job.ts');
  return (values, { connection: { client, directory }, clock, random, env, signal, progress }) =>
    runUpload(values, { client, directory, clock, random, environment: env, home: homedir(), signal, progress });
};

const abandonValues = v.object({ note: v.string() });

/** Forgets what an earlier run has left of an upload. */
const abandonUpload = async (): Promise<Job> => {
  const { abandon } = await import('../upload/upload-record.ts');
  return async (values, { connection }) => {
    const read = v.safeParse(abandonValues, values);
    if (!read.success) return { ok: false, text: 'nothing left to discard' };
    await abandon(connection.directory, read.output.note);
    return { ok: true, text: 'Discarded; the service drops the parts by itself' };
  };
};

/** Every kind of job by its name; the code of an upload is loaded when one is first asked for. */
const jobs: Readonly<Record<string, () => Promise<Job>>> = {
  [uploadKinds.upload]: upload,
  [uploadKinds.abandon]: abandonUpload,
  [programsKind]: async () => runPrograms,
};

/** Runs one job to its end. Never throws for what a disk, a network or a service can do. */
export async function runJob(asked: JobRequest, means: JobMeans): Promise<JobEnd> {
  const load = jobs[asked.kind];
  if (!load) return { ok: false, text: `${asked.title}: this program does not know the work ${asked.kind}` };
  const job = await load();
  return job(asked.values, means);
}
