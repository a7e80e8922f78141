import type { JobRequest } from '../describe/job.ts';
import { type Exit, exits, type Io } from './io.ts';
import { runJob } from './jobs.ts';
import { createProgress } from './output/progress.ts';
import { complain, tell } from './say.ts';
import type { Connection } from './start.ts';

/** Runs long work to its end: how far it is goes to stderr, the last line to stdout. Ctrl-C calls it off. */
export async function followJob(io: Io, connection: Connection, job: JobRequest): Promise<Exit> {
  const stop = new AbortController();
  const progress = createProgress(io);
  const callOff = () => stop.abort();
  process.once('SIGINT', callOff);
  try {
    const { clock, random, env } = io;
    const ended = await runJob(job, { connection, clock, random, env, signal: stop.signal, progress: progress.tell });
    progress.end();
    if (ended.ok) tell(io, [ended.text]);
    else complain(io, ended.text);
    return ended.ok || connection.settings.dryRun ? exits.done : exits.failed;
  } finally {
    progress.end();
    process.off('SIGINT', callOff);
  }
}
