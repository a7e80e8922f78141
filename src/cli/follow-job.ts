import type { JobRequest, Progress } from '../describe/job.ts';
import { type Exit, exits, type Io } from './io.ts';
import { runJob } from './jobs.ts';
import { complain, tell } from './say.ts';
import type { Connection } from './start.ts';

/** Milliseconds between two lines about how far it is. */
const everyMs = 5000;

/** Runs long work to its end: how far it is goes to stderr, the last line to stdout. Ctrl-C calls it off. */
export async function followJob(io: Io, connection: Connection, job: JobRequest): Promise<Exit> {
  const stop = new AbortController();
  const told = { at: Number.NEGATIVE_INFINITY, step: '' };
  const progress = ({ step, notes, part }: Progress): void => {
    const now = io.clock.now();
    if (step === told.step && now - told.at < everyMs) return;
    Object.assign(told, { at: now, step });
    const share = part === undefined ? '' : ` ${Math.floor(part * 100)} %`;
    complain(io, [`${step}${share}`, ...notes].join('; '));
  };
  const callOff = () => stop.abort();
  process.once('SIGINT', callOff);
  try {
    const { clock, random, env } = io;
    const ended = await runJob(job, { connection, clock, random, env, signal: stop.signal, progress });
    if (ended.ok) tell(io, [ended.text]);
    else complain(io, ended.text);
    return ended.ok || connection.settings.dryRun ? exits.done : exits.failed;
  } finally {
    process.off('SIGINT', callOff);
  }
}
