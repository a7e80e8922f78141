import { access, lstat, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { type Migrations, newerFile, upToDate } from '../lib/file-version.ts';
import { parsedJson, stringifyExact } from '../lib/json.ts';
import { isObject } from '../lib/object-paths.ts';
import {
  makePrivateDirectory,
  openPrivateFile,
  readPrivateFile,
  replacePrivateFile,
  writeErrorText,
} from '../lib/private-file.ts';
import { unreadable } from '../lib/reading.ts';

/** What was read; `note` says that it will not be written, because a newer program wrote it. */
type Kept<T> =
  | { readonly ok: true; readonly value: T | undefined; readonly note?: string }
  | { readonly ok: false; readonly text: string };

/** Everything that a profile keeps, as the first word of the file's name. */
const keptFiles = ['session', 'views', 'drafts', 'snapshot', 'names'] as const;

/** Those that hold what a person typed: one that cannot be read is moved away before another is written. */
const typedFiles: readonly string[] = ['views', 'drafts'];

const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** A name beside the file that no other file has. */
async function freeName(path: string): Promise<string> {
  for (let at = 1; ; at += 1) {
    const free = `${path}.unread${at === 1 ? '' : at}`;
    if (
      await access(free).then(
        () => false,
        () => true,
      )
    )
      return free;
  }
}

/** What one profile keeps between runs: one value in a 0600 file of the state directory. */
export interface ProfileFile<T> {
  readonly path: string;
  /** The value; undefined where there is none for this address. A file that is not ours or not whole is a sentence. */
  read(): Promise<Kept<T>>;
  /** Replaces the value; writes run one after the other. Answers with the problem, as a sentence. Never rejects. */
  write(value: T): Promise<string | undefined>;
  /** Removes the file, if there is one. Never rejects. */
  remove(): Promise<void>;
}

/** Version 0 said no version, and was otherwise as version 1. */
const migrations: Migrations = [(older) => older];
const version = migrations.length;
const envelope = v.object({ version: v.number(), profile: v.string(), origin: v.string(), value: v.unknown() });

/** Bytes at the beginning of a file that say its version, which is written first. */
const headBytes = 64;

/** The version of the file, where a newer program wrote it. */
async function newerVersion(path: string): Promise<number | undefined> {
  const opened = await openPrivateFile(path, 'the file');
  if (!opened.ok || opened.value === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await opened.value.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const found = Number(/^\s*\{\s*"version"\s*:\s*(\d+)/.exec(buffer.toString('utf8', 0, bytesRead))?.[1]);
    return found > version ? found : undefined;
  } finally {
    await opened.value.close();
  }
}

/** Largest file, in bytes, that is read or written. */
const largest = 8 * 1024 * 1024;

/**
 * The file `<what>-<profile>.json`. It holds the address of the deployment: another deployment under the same name starts
 * empty. Every text in it passes `redact`.
 */
export function createProfileFile<T>(with_: {
  readonly directory: string;
  readonly what: (typeof keptFiles)[number];
  readonly profile: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly schema: v.GenericSchema<unknown, T>;
  /** Removes known secrets from a text. */
  readonly redact: (text: string) => string;
}): ProfileFile<T> {
  const { directory, what, profile, origin, redact } = with_;
  const path = pathOf(directory, what, profile);
  const held: { last: Promise<unknown>; unread?: string } = { last: Promise.resolve() };

  const taken = async (): Promise<Kept<T> & { readonly isForeign?: boolean }> => {
    const text = await readPrivateFile(path, 'the file', largest);
    if (!text.ok) return text;
    if (text.value === undefined) return { ok: true, value: undefined };
    const sentence = `the file ${path} is not as this version writes it, so it is not used`;
    const bad = { ...unreadable(sentence), isForeign: true };
    const file = parsedJson(text.value);
    const now = isObject(file) ? upToDate(file, migrations) : undefined;
    const whole = v.safeParse(envelope, now?.file);
    if (!whole.success) return bad;
    // Names of files may be alike where the system ignores case; an address may have changed.
    if (whole.output.profile !== profile || whole.output.origin !== origin) return { ok: true, value: undefined };
    const value = v.safeParse(with_.schema, whole.output.value);
    const note = now?.newer === undefined ? {} : { note: newerFile(path, now.newer) };
    return value.success ? { ok: true, value: value.output, ...note } : bad;
  };

  const replace = async (value: T): Promise<string | undefined> => {
    const made = await makePrivateDirectory(directory);
    if (!made.ok) return made.text;
    const newer = await newerVersion(path);
    if (newer !== undefined) return newerFile(path, newer);
    const text = `${redact(stringifyExact({ version, profile, origin, value }))}\n`;
    if (Buffer.byteLength(text) > largest) return `${path} is not written: it would be over ${largest} bytes`;
    try {
      if (held.unread !== undefined) await rename(path, held.unread);
      delete held.unread;
      await replacePrivateFile(path, text);
      return undefined;
    } catch (error) {
      return writeErrorText(error, path);
    }
  };

  return {
    path,
    async read() {
      delete held.unread;
      const found = await taken();
      if (found.ok || !typedFiles.includes(what) || !(await isFile(path))) return found;
      const free = await freeName(path);
      held.unread = free;
      return found.isForeign
        ? unreadable(`${found.text}; it is moved to ${basename(free)} before another is written`)
        : found;
    },
    remove: () => rm(path, { force: true }).catch(() => undefined),
    write(value) {
      const next = held.last.then(() => replace(value));
      held.last = next;
      return next;
    },
  };
}

const pathOf = (directory: string, what: string, profile: string): string =>
  join(directory, `${what}-${encodeURIComponent(profile)}.json`);

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
  for (const what of keptFiles) {
    const file = await nameIn(pathOf(directory, what, from));
    const path = pathOf(directory, what, to);
    if (file?.profile === from) await replacePrivateFile(path, `${stringifyExact({ ...file, profile: to })}\n`);
    else await rm(path, { force: true });
  }
  return {
    async removeOld() {
      for (const what of keptFiles) {
        const path = pathOf(directory, what, from);
        // Where the system ignores case, the new file may be this one.
        if ((await nameIn(path))?.profile === from) await rm(path, { force: true });
      }
    },
  };
}
