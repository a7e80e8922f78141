import { open, readFile, rename, rm } from 'node:fs/promises';
import { errorCode } from '../lib/private-file.ts';
import type { ProcessRun } from './journal-entry.ts';
import { isRunning } from './process-run.ts';

/** Who holds the lock, since when. */
interface Holder {
  readonly run: ProcessRun;
  readonly at: number;
}

/**
 * Does `work` while no other process has the lock of the same file. When another one has it, nothing is done, and the answer is
 * false. The lock of a process that was killed is taken away.
 */
export async function underLock(path: string, holder: Holder, work: () => Promise<void>): Promise<boolean> {
  const lock = `${path}.lock`;
  if (!(await take(lock, holder))) {
    if (!(await isLeft(lock, holder.at))) return false;
    const away = `${lock}.${holder.run.pid}`;
    await rename(lock, away);
    await rm(away, { force: true });
    if (!(await take(lock, holder))) return false;
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
  return true;
}

async function take(lock: string, holder: Holder): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600);
    await file.writeFile(JSON.stringify(holder)).finally(() => file.close());
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether its process has ended. A lock that names nobody is being written at this moment, or its writer was killed then. */
async function isLeft(lock: string, now: number): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  try {
    const { run, at } = JSON.parse(text) as Holder;
    return !isRunning(run, at, now);
  } catch {
    await new Promise((go) => setTimeout(go, writingMs));
    return (await readFile(lock, 'utf8').catch(() => undefined)) === text;
  }
}

/** Far longer than the few bytes of a lock take. */
const writingMs = 500;
