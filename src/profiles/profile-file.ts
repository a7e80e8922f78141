import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { unreadable } from '../lib/function-results.ts';
import { parsedJson, stringifyExact } from '../lib/json.ts';
import { percentEncoded } from '../lib/paint.ts';
import {
  makePrivateDirectory,
  mostOfASecondMs,
  moveAway,
  openPrivateFile,
  readPrivateFile,
  replacePrivateFile,
  underLock,
  writeErrorText,
} from '../lib/private-file.ts';
import { plural } from '../lib/text.ts';
import { fileVersion, isObject, newerFile, newerVersion, readFitting, storedVersion } from '../lib/values.ts';

/** What was read; `note` says what of it is left out, or that it will not be written, because a newer program wrote it. */
type Kept<T> =
  | { readonly ok: true; readonly value: T | undefined; readonly note?: string }
  | { readonly ok: false; readonly text: string };

/** Everything that a profile keeps, as the first word of the file's name. */
const keptFiles = ['state', 'snapshot', 'names'] as const;

const envelope = v.object({ version: storedVersion, profile: v.string(), origin: v.string(), value: v.unknown() });

/** The advice for a file that may not be opened. Whoever follows it meets the first save, which has moved the file. */
const mending = /: run {2}(chmod 600|chown \$\(id -u\)) .*$/s;
const willMove = 'it will be kept as a file that ends in .unread';
const movedAway = `; ${willMove}. To use it: quit, run  $1 on that file, and give it its old name`;

/** Bytes at the beginning of a file that say its version, which is written first. */
const headBytes = 64;

/** The version of the file, where a newer program wrote it. */
async function newerWriter(path: string): Promise<number | undefined> {
  const opened = await openPrivateFile(path, 'the file');
  if (!opened.ok || opened.value === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await opened.value.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    return newerVersion(Number(/^\s*\{\s*"version"\s*:\s*(\d+)/.exec(head)?.[1]));
  } finally {
    await opened.value.close();
  }
}

/** Largest file, in bytes, that is read or written. */
const largest = 8 * 1024 * 1024;

/**
 * The value that one profile keeps between runs, in a 0600 file of the state directory: `<what>-<profile>.json`. It holds the
 * address of the deployment: another deployment under the same name starts empty. Every text in it passes `redact`.
 */
export function createProfileFile<T>(with_: {
  readonly directory: string;
  readonly what: (typeof keptFiles)[number];
  readonly profile: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly schema: v.GenericSchema<unknown, T>;
  /** How deep in the value the entries are that are left out where they do not fit. */
  readonly depth: number;
  /**
   * Whether a person typed something of a value. What cannot be read of such a file, and what was typed for another address, is
   * moved away before another one is written; where this is absent, the file can be read anew.
   */
  readonly isTyped?: (value: unknown) => boolean;
  /** Removes known secrets from a text. */
  readonly redact: (text: string) => string;
}) {
  const { directory, what, profile, origin, redact, isTyped } = with_;
  const path = profilePath(directory, what, profile);
  const held = { last: Promise.resolve() as Promise<unknown>, isUnread: false };
  const moved = isTyped ? `; ${willMove}` : '';

  const leftOutText = (left: number): string =>
    `${plural(left, 'entry')} of ${path} cannot be read and ${left === 1 ? 'is' : 'are'} left out${moved}`;

  const taken = async (): Promise<Kept<T> & { readonly isUnread?: boolean | undefined }> => {
    const text = await readPrivateFile(path, 'the file', largest);
    if (!text.ok) return isTyped ? unreadable(text.text.replace(mending, movedAway)) : text;
    if (text.value === undefined) return { ok: true, value: undefined };
    const whole = v.safeParse(envelope, parsedJson(text.value));
    const bad = unreadable(`the file ${path} has another format than this version writes, so it is not used${moved}`);
    if (!whole.success) return bad;
    const { version, value, ...owner } = whole.output;
    // Names of files may be alike where the system ignores case; an address may have changed.
    if (owner.profile !== profile) return { ok: true, value: undefined };
    if (owner.origin !== origin) return { ok: true, value: undefined, isUnread: isTyped?.(value) };
    const read = readFitting(with_.schema, value, with_.depth);
    if (!read) return bad;
    const newer = newerVersion(version);
    const { left } = read;
    const notes = [
      ...(newer === undefined ? [] : [newerFile(path, newer)]),
      ...(left === 0 ? [] : [leftOutText(left)]),
    ];
    return { ok: true, value: read.value, isUnread: left > 0, ...(notes.length > 0 && { note: notes.join('; ') }) };
  };

  const read = async (): Promise<Kept<T>> => {
    const { isUnread = false, ...found } = await taken();
    held.isUnread = isTyped !== undefined && (isUnread || !found.ok);
    return found;
  };

  const replace = async (value: T): Promise<string | undefined> => {
    const made = await makePrivateDirectory(directory);
    if (!made.ok) return made.text;
    const newer = await newerWriter(path);
    if (newer !== undefined) return newerFile(path, newer);
    const text = `${redact(stringifyExact({ version: fileVersion, profile, origin, value }))}\n`;
    if (Buffer.byteLength(text) > largest) return `${path} is not written: it would be over ${largest} bytes`;
    try {
      if (held.isUnread) await moveAway(path);
      held.isUnread = false;
      await replacePrivateFile(path, text);
      return undefined;
    } catch (error) {
      return writeErrorText(error, path);
    }
  };

  const changed = async (make: (there: T | undefined) => T, now: number): Promise<string | undefined> => {
    const ended: { problem?: string | undefined; isOver: boolean } = { isOver: false };
    const work = async () => {
      const there = await read();
      ended.problem = await replace(make(there.ok ? there.value : undefined));
      ended.isOver = true;
    };
    // The lock lies beside the file.
    await makePrivateDirectory(directory);
    await underLock(path, now, work, mostOfASecondMs).catch(() => false);
    if (!ended.isOver) await work();
    return ended.problem;
  };

  const inTurn = (work: () => Promise<string | undefined>): Promise<string | undefined> => {
    const next = held.last.then(work);
    held.last = next;
    return next;
  };

  return {
    path,
    /** The value; undefined where there is none for this address. A file that is not ours or not whole is a sentence. */
    read,
    /** Replaces the value; writes run one after the other. Answers with the problem, as a sentence. Never rejects. */
    write: (value: T) => inTurn(() => replace(value)),
    /**
     * Replaces the value by the one that `make` makes of it, under the lock of the file. Where that cannot be had in time
     * (its holder is stopped, the disk is full) it is written without: typed text must not wait.
     */
    change: (make: (there: T | undefined) => T, now: number) => inTurn(() => changed(make, now)),
    /** Removes the file, if there is one. Never rejects. */
    remove: (): Promise<void> => rm(path, { force: true }).catch(() => undefined),
  };
}

/** Where a profile keeps it. */
const profilePath = (directory: string, what: string, profile: string): string =>
  join(directory, `${what}-${percentEncoded(profile)}.json`);

/**
 * Gives what a profile keeps to its new name, whatever version wrote it; the files of the old name stay until `removeOld`.
 * What another profile of the new name has left is removed. Throws what the system throws.
 */
export async function renameKept(directory: string, from: string, to: string): Promise<{ removeOld(): Promise<void> }> {
  const nameIn = async (path: string) => {
    const text = await readPrivateFile(path, 'the file', largest);
    const file = text.ok && text.value !== undefined ? parsedJson(text.value) : undefined;
    return isObject(file) ? file : undefined;
  };
  for (const noun of keptFiles) {
    const file = await nameIn(profilePath(directory, noun, from));
    const path = profilePath(directory, noun, to);
    if (file?.profile === from) await replacePrivateFile(path, `${stringifyExact({ ...file, profile: to })}\n`);
    else await rm(path, { force: true });
  }
  return {
    async removeOld() {
      for (const what of keptFiles) {
        const path = profilePath(directory, what, from);
        // Where the system ignores case, the new file may be this one.
        if ((await nameIn(path))?.profile === from) await rm(path, { force: true });
      }
    },
  };
}
