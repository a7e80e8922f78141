import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants, readFileSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { chmod, copyFile, link, lstat, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { once, type ParseResult, unreadable } from './function-results.ts';
import { parsedJson } from './json.ts';
import { storedTime } from './values.ts';

/**
 * Opens a private file for reading: regular, owned by this user, no symbolic link, no access for group or others, at
 * most `limit` bytes. Undefined when the file does not exist.
 */
export async function openPrivateFile(
  path: string,
  noun: string,
  limit?: number,
): Promise<ParseResult<FileHandle | undefined>> {
  // O_NONBLOCK: opening a FIFO must not wait for a writer. O_NOFOLLOW: a link is refused by the kernel, without a race.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: FileHandle;
  try {
    file = await open(path, flags);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { ok: true, value: undefined };
    return unreadable(refusedToOpen(error, path, noun));
  }
  // Checked on what was opened, so that nothing can be exchanged between the check and the reading.
  const refused = fileRefusal(await file.stat(), path, noun, limit);
  if (refused === undefined) return { ok: true, value: file };
  await file.close();
  return unreadable(refused);
}

/** Reads a whole private file (see `openPrivateFile`). */
export async function readPrivateFile(
  path: string,
  noun: string,
  limit = 1024 * 1024,
): Promise<ParseResult<string | undefined>> {
  const opened = await openPrivateFile(path, noun, limit);
  if (!opened.ok || opened.value === undefined) return opened as ParseResult<undefined>;
  const file = opened.value;
  try {
    return { ok: true, value: await file.readFile('utf8') };
  } catch (error) {
    return unreadable(`${noun} ${path} cannot be read (${errorCode(error)}): check the disk`);
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** Bytes of a small file: a few hundred lines. */
const smallFile = 64 * 1024;

/**
 * The text of a file that is `noun`, a small one, without a byte order mark. It is no secret, so others may read it too;
 * what is no plain file is refused, and what `refusal` has a reason for.
 */
export async function readOpenFile(
  path: string,
  noun: string,
  most = smallFile,
  refusal: (stat: Stats) => string | undefined = () => undefined,
): Promise<ParseResult<string>> {
  let file: FileHandle;
  try {
    // Opening a FIFO must not wait for a writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const why: Record<string, string> = { ENOENT: 'does not exist', EACCES: 'may not be read by you' };
    const code = errorCode(error);
    return unreadable(`${noun} ${path} ${why[code] ?? `cannot be opened (${code})`}`);
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return unreadable(`${noun} ${path} is not a plain file`);
    if (stat.size > most) return unreadable(`${noun} ${path} is over ${most} bytes, too large for such a file`);
    const refused = refusal(stat);
    return refused === undefined
      ? { ok: true, value: (await file.readFile('utf8')).replace(/^\ufeff/, '') }
      : unreadable(refused);
  } catch (error) {
    return unreadable(`${noun} ${path} cannot be read (${errorCode(error)})`);
  } finally {
    await file.close().catch(() => undefined);
  }
}

/**
 * Replaces a private file (0600) as a whole: a reader sees the old text or the new one, never a part. The directory must
 * exist. Throws what the system throws.
 */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  // Two runs may write at the same time.
  const half = `${path}.${process.pid}.new`;
  const file = await open(half, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(text).finally(() => file.close());
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Why what lies in the directory of this file may not be used: others may put another file in its place. Undefined = it may, as where
 * root owns it, and where each account may remove its own files alone.
 */
export async function directoryRefusal(path: string): Promise<string | undefined> {
  const directory = dirname(path);
  // Of a directory that is not there the file's own error tells.
  const found = await stat(directory).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.uid !== 0 && !isMine(found.uid))
    return `the directory ${directory} belongs to uid ${found.uid}, who could exchange what is in it, so ${path} is not used`;
  const [othersWrite, isSticky] = [(found.mode & 0o022) !== 0, (found.mode & 0o1000) !== 0];
  return othersWrite && !isSticky
    ? `others can write to the directory of ${path}, so it is not used: run  chmod go-w ${quotePath(directory)}`
    : undefined;
}

/** Makes a directory for us alone (0700) where there is none; one that others may write in is refused. */
export async function makePrivateDirectory(path: string): Promise<ParseResult<string>> {
  try {
    // The umask may have removed our own permission bits.
    if (await makeDirectories(path)) await chmod(path, 0o700);
    const found = await stat(path);
    const another = 'give one of your own in ORGDECK_CONFIG_DIR';
    if (!found.isDirectory()) return unreadable(`${path} is not a directory: ${another}`);
    if (!isMine(found.uid))
      return unreadable(`the directory ${path} belongs to uid ${found.uid}, not to you: ${another}`);
    if ((found.mode & 0o022) !== 0)
      return unreadable(
        `others can write to the directory ${path}: run  chmod 700 ${quotePath(path)}  or give another one in ORGDECK_CONFIG_DIR`,
      );
    return { ok: true, value: path };
  } catch (error) {
    return unreadable(writeErrorText(error, path));
  }
}

/**
 * Makes a directory and those above it; false where it is there. One by one: Node's own recursive way tries for ever where
 * a directory that exists may have none in it, as `/proc` does.
 */
async function makeDirectories(path: string): Promise<boolean> {
  const found = await stat(path).catch((error) =>
    errorCode(error) === 'ENOENT' ? undefined : Promise.reject<undefined>(error),
  );
  if (found?.isDirectory()) return false;
  if (dirname(path) !== path) await makeDirectories(dirname(path));
  try {
    await mkdir(path, 0o700);
    return true;
  } catch (error) {
    // Another run may have made it in between.
    const isMade = errorCode(error) === 'EEXIST' && (await stat(path).catch(() => undefined))?.isDirectory();
    if (isMade) return false;
    throw error;
  }
}

/** The sentence for a failed write, by its cause. */
export function writeErrorText(error: unknown, path: string): string {
  const code = errorCode(error);
  const why: Record<string, string> = {
    ENOSPC: 'the disk is full: make room',
    EDQUOT: 'your disk quota is used up: make room',
    EFBIG: 'a file size limit was reached: raise it',
    EROFS: 'the disk is read-only: give another directory in ORGDECK_CONFIG_DIR',
    EACCES: 'you may not write there: check who owns it, or give another directory in ORGDECK_CONFIG_DIR',
    EPERM: 'you may not write there: check who owns it, or give another directory in ORGDECK_CONFIG_DIR',
    ENOTDIR: 'a part of its path is a file: give another directory in ORGDECK_CONFIG_DIR',
    EEXIST: 'a file has that name: give another directory in ORGDECK_CONFIG_DIR',
    EISDIR: 'a directory is in its place: remove it',
    ENOENT: 'its directory does not exist and cannot be created: give another one in ORGDECK_CONFIG_DIR',
    ELOOP: 'it is a symbolic link, which is not followed: put a file there',
  };
  return `${path} cannot be written (${why[code] ?? code})`;
}

/** Why an opened file may not be used, with the command that puts it right; undefined = it may. */
export function fileRefusal(
  stat: { mode: number; uid: number; isFile(): boolean; size: number },
  path: string,
  noun: string,
  limit = Number.POSITIVE_INFINITY,
): string | undefined {
  if (!stat.isFile()) return `${noun} ${path} is not a plain file, so it is not read: put a plain file there`;
  if (!isMine(stat.uid))
    return `${noun} ${path} belongs to uid ${stat.uid}, not to you: run  chown $(id -u) ${quotePath(path)}`;
  if ((stat.mode & 0o077) !== 0) {
    const mode = (stat.mode & 0o777).toString(8).padStart(4, '0');
    return `${noun} ${path} can be opened by others (mode ${mode}), so it is not used: run  chmod 600 ${quotePath(path)}`;
  }
  if (stat.size > limit) return `${noun} ${path} is over ${limit} bytes, too large for such a file`;
  return undefined;
}

/** The code of a failed system call, or a word for what has none. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown';
}

function refusedToOpen(error: unknown, path: string, noun: string): string {
  const code = errorCode(error);
  // FreeBSD says EMLINK where others say ELOOP.
  if (code === 'ELOOP' || code === 'EMLINK')
    return `${noun} ${path} is a symbolic link, which is not followed: put the file itself there`;
  if (code === 'ENXIO') return `${noun} ${path} is not a plain file, so it is not read: put a plain file there`;
  if (code === 'EACCES') return `${noun} ${path} cannot be opened: run  chmod 600 ${quotePath(path)}`;
  return `${noun} ${path} cannot be opened (${code})`;
}

const isMine = (uid: number): boolean => uid === process.geteuid?.();

/** A path as a shell takes it. */
export const quotePath = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

/** Why a file that a person named cannot be read. */
export function readErrorText(error: unknown, path: string): string {
  const code = errorCode(error);
  if (code === 'ENOENT') return `there is no file ${path}`;
  if (code === 'EACCES') return `${path} cannot be read by you`;
  return `${path} cannot be opened (${code})`;
}

/** A process, as lines and locks that it has written name it. */
export const processRun = v.object({
  host: v.string(),
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** When the process began, as the system reports it; pids are reused. */
  began: v.string(),
});
export type ProcessRun = Readonly<v.InferOutput<typeof processRun>>;

/** The run of this process. */
export const currentRun = once(
  (): ProcessRun => ({ host: hostname(), pid: process.pid, began: beganAt(process.pid) ?? '' }),
);

export const isSameRun = (one: ProcessRun, other: ProcessRun): boolean =>
  one.host === other.host && one.pid === other.pid && one.began === other.began;

/** After this time a process of another host, which cannot be asked, counts as ended. */
const farAway = 10 * 60_000;

/** Whether the process that wrote something still runs. */
export function isRunning(run: ProcessRun, writtenAt: number, now: number): boolean {
  if (run.host !== hostname()) return now - writtenAt < farAway;
  if (!isAlive(run.pid)) return false;
  const began = beganAt(run.pid);
  return began === undefined || run.began === '' || began === run.began;
}

/** Whether a process of this machine has this id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Sends a signal to all processes of the group that a detached child leads, or led. */
export function endGroup({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals, kill = process.kill): void {
  try {
    if (pid !== undefined) kill.call(process, -pid, signal);
  } catch {
    // None is left.
  }
}

/** Start time of a process: boot id and clock ticks on Linux, `ps` elsewhere; undefined where unknown. */
function beganAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name may contain brackets and spaces: field 22 is counted from the last bracket.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
  } catch {
    if (process.platform === 'linux') return undefined;
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined;
  }
}

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
  const draft = `${lock}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    await file.writeFile(JSON.stringify({ run: currentRun(), at: now })).finally(() => file.close());
    for (let attempt = 1, left = waitMs; !(await take(lock, draft)); attempt += 1) {
      // Whoever waits looks now and then: one that is being written is looked at for long.
      if (waitMs === 0 || attempt % looksEvery === looksEvery / 2) {
        const abandoned = await abandonedFile(lock, now);
        if (abandoned !== undefined) await takeAway(lock, abandoned);
        if (abandoned !== undefined && (await take(lock, draft))) break;
      }
      if (left <= 0) return false;
      const pauseMs = apartMs + (process.pid % 7);
      left -= pauseMs;
      await new Promise((again) => setTimeout(again, pauseMs));
    }
  } finally {
    await rm(draft, { force: true });
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
  return true;
}

/**
 * Makes the lock, unless there is one: with all of its text at once, so that none whose writer waits for a processor looks abandoned. A file
 * system without links copies it.
 */
async function take(lock: string, draft: string): Promise<boolean> {
  try {
    await link(draft, lock).catch((error: unknown) => {
      if (errorCode(error) === 'EEXIST') throw error;
      return copyFile(draft, lock, constants.COPYFILE_EXCL);
    });
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
  if (taken?.ino !== abandoned) await link(away, lock).catch(() => undefined);
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

const found = (path: string) => lstat(path).catch(() => undefined);

/** Gives a file a name beside it that no other has and that ends in `.unread`; what is no file stays. Throws what the system throws. */
export async function moveAway(path: string): Promise<void> {
  if (!(await found(path))?.isFile()) return;
  let to = `${path}.unread`;
  for (let at = 2; await found(to); at += 1) to = `${path}.${at}.unread`;
  await rename(path, to);
}
