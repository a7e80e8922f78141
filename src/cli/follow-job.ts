import type { JobRequest } from '../describe/job.ts';
import { complain, tell } from './command-messages.ts';
import { type Exit, exits, type Io } from './io.ts';
import { runJob } from './jobs.ts';
import { createProgress } from './output/progress.ts';
import type { OpenConnection } from './start.ts';
import { stopOnSignals } from './stop-signals.ts';

/** Runs long work to its end: how far it is goes to stderr, the last line to stdout. Ctrl-C and other signals call it off. */
export async function followJob(io: Io, connection: OpenConnection, job: JobRequest): Promise<Exit> {
  const stopping = stopOnSignals();
  const progress = createProgress(io);
  try {
    const { clock, random, env } = io;
    const { signal } = stopping;
    // A command has no job that starts programs.
    const programEnvironment = async () => ({});
    const means = { connection, clock, random, env, programEnvironment, signal, progress: progress.tell };
    const ended = await runJob(job, means);
    progress.end();
    const { dryRun } = connection.settings;
    if (ended.ok) tell(io, [ended.text]);
    else complain(io, dryRun ? `${ended.text}; what follows depends on the answer` : ended.text);
    if (ended.ok || dryRun) return exits.done;
    return stopping.exit() ?? exits.failed;
  } finally {
    progress.end();
    stopping.end();
  }
}
