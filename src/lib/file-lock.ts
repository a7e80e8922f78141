import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import * as v from 'valibot';
import { parsedJson } from './json.ts';
import { errorCode } from './private-file.ts';
import { currentRun, isRunning, processRun } from './process-run.ts';
import { storedTime } from './stored-values.ts';

/** Who holds a lock, since when. */
const lockHolder = v.object({ run: processRun, at: storedTime });

/** Milliseconds between two attempts at a lock that somebody holds. */
const apartMs = 10;

/** Attempts after which the holder is looked at again. */
const looksEvery = 10;

/** Far longer than the few bytes of a lock take. */
const writingMs = 500;

/** How long a write of what a person typed waits for a lock: a program that ends has a second. */
export const mostOfASecondMs = 800;

/**
 * Does `work` while no other process has the lock of the same file. When another one has it for `waitMs`, nothing is done, and
 * the answer is false. The lock of a process that has ended is taken away at once; one that is stopped keeps it.
 */
export async function underLock(path: string, now: number, work: () => Promise<void>, waitMs = 0): Promise<boolean> {
  const lock = `${path}.lock`;
  const text = JSON.stringify({ run: currentRun(), at: now });
  for (let attempt = 1, left = waitMs; !(await take(lock, text)); attempt += 1) {
    // Whoever waits looks now and then: one that is being written is looked at for long.
    if (waitMs === 0 || attempt % looksEvery === looksEvery / 2) {
      const abandoned = await abandonedFile(lock, now);
      if (abandoned !== undefined) await takeAway(lock, abandoned);
      if (abandoned !== undefined && (await take(lock, text))) break;
    }
    if (left <= 0) return false;
    const pauseMs = apartMs + (process.pid % 7);
    left -= pauseMs;
    await new Promise((again) => setTimeout(again, pauseMs));
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
  return true;
}

async function take(lock: string, text: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx', 0o600);
    await file.writeFile(text).finally(() => file.close());
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Takes an abandoned lock away. Another process that saw it too may have taken its place meanwhile: that one is put back. */
async function takeAway(lock: string, abandoned: bigint): Promise<void> {
  const away = `${lock}.${process.pid}`;
  await rename(lock, away).catch(() => undefined);
  const taken = await statOf(away);
  if (taken !== undefined && taken.ino !== abandoned) await link(away, lock).catch(() => undefined);
  await rm(away, { force: true });
}

/**
 * The number of the lock's file where its process has ended. A lock that names nobody is being written at this moment, or its
 * writer was killed then.
 */
async function abandonedFile(lock: string, now: number): Promise<bigint | undefined> {
  const found = await statOf(lock);
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (found === undefined || text === undefined) return undefined;
  const holder = v.safeParse(lockHolder, parsedJson(text));
  if (holder.success) return isRunning(holder.output.run, holder.output.at, now) ? undefined : found.ino;
  await new Promise((go) => setTimeout(go, writingMs));
  const later = await statOf(lock);
  return later?.ino === found.ino && later.ctimeNs === found.ctimeNs ? found.ino : undefined;
}

const statOf = (path: string) => stat(path, { bigint: true }).catch(() => undefined);
