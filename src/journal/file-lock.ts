import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { errorCode } from '../lib/private-file.ts';
import type { ProcessRun } from './journal-entry.ts';
import { isRunning } from './process-run.ts';

/** Who holds the lock, since when. */
interface Holder {
  readonly run: ProcessRun;
  readonly at: number;
}

/** How often a lock that somebody has is tried, so many milliseconds apart at least: a program that ends has a second. */
const tries = 60;
const apartMs = 10;

/**
 * Does `work` while no other process has the lock of the same file. When another one has it, nothing is done, and the answer is
 * false; `waits`: only after most of a second. The lock of a process that was killed is taken away.
 */
export async function underLock(
  path: string,
  holder: Holder,
  work: () => Promise<void>,
  waits = false,
): Promise<boolean> {
  const lock = `${path}.lock`;
  for (let left = waits ? tries : 1; !(await take(lock, holder)); left -= 1) {
    // Looking at a lock that is being written takes long: whoever waits looks now and then.
    if ((!waits || left % 10 === 5) && (await takenAway(lock, holder))) break;
    if (left <= 1) return false;
    await new Promise((again) => setTimeout(again, apartMs + (holder.run.pid % 7)));
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
  return true;
}

/** Takes over the lock of a process that has ended. */
async function takenAway(lock: string, holder: Holder): Promise<boolean> {
  if (!(await isLeft(lock, holder.at))) return false;
  const away = `${lock}.${holder.run.pid}`;
  await rename(lock, away);
  await rm(away, { force: true });
  return take(lock, holder);
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
    const before = await editionOf(lock);
    await new Promise((go) => setTimeout(go, writingMs));
    return before !== undefined && before === (await editionOf(lock));
  }
}

/** Tells a file from another one of the same name, and from itself once it was written. */
async function editionOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.ctimeNs}`;
}

/** Far longer than the few bytes of a lock take. */
const writingMs = 500;
