import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Migrations, newerFile, upToDate } from '../lib/file-version.ts';
import { parsedJson, stringifyExact } from '../lib/json.ts';
import { isObject } from '../lib/object-paths.ts';
import { percentEncoded } from '../lib/percent.ts';
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
export const keptFiles = ['session', 'views', 'drafts', 'snapshot', 'names'] as const;

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

/** The advice for a file that may not be opened. Whoever follows it meets the first save, which has moved the file. */
const mending = /: run {2}(chmod 600|chown \$\(id -u\)) .*$/s;
const movedAway =
  '; it will be kept as a file that ends in .unread. To use it: quit, run  $1 on that file, and give it its old name';

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
export const largest = 8 * 1024 * 1024;

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
  const held = { last: Promise.resolve() as Promise<unknown>, isUnread: false };
  // A person typed it: what cannot be read, or is of another address, is moved away before another is written. A session of
  // another address is written anew: each change of address would leave a file.
  const isTyped = what === 'drafts' || what === 'views';
  const isMoved = isTyped || what === 'session';

  const taken = async (): Promise<Kept<T> & { readonly isLeft?: boolean }> => {
    const text = await readPrivateFile(path, 'the file', largest);
    if (!text.ok) return isMoved ? unreadable(text.text.replace(mending, movedAway)) : text;
    if (text.value === undefined) return { ok: true, value: undefined };
    const moved = isMoved ? '; it will be kept as a file that ends in .unread' : '';
    const bad = unreadable(`the file ${path} is not as this version writes it, so it is not used${moved}`);
    const file = parsedJson(text.value);
    const now = isObject(file) ? upToDate(file, migrations) : undefined;
    const whole = v.safeParse(envelope, now?.file);
    if (!whole.success) return bad;
    // Names of files may be alike where the system ignores case; an address may have changed.
    const of = whole.output;
    if (of.profile !== profile) return { ok: true, value: undefined };
    if (of.origin !== origin) return { ok: true, value: undefined, isLeft: Object.keys(Object(of.value)).length > 0 };
    const value = v.safeParse(with_.schema, of.value);
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
      if (held.isUnread) await (await import('./move-away.ts')).moveAway(path);
      held.isUnread = false;
      await replacePrivateFile(path, text);
      return undefined;
    } catch (error) {
      return writeErrorText(error, path);
    }
  };

  return {
    path,
    async read() {
      const { isLeft = false, ...found } = await taken();
      held.isUnread = found.ok ? isTyped && isLeft : isMoved;
      return found;
    },
    remove: () => rm(path, { force: true }).catch(() => undefined),
    write(value) {
      const next = held.last.then(() => replace(value));
      held.last = next;
      return next;
    },
  };
}

/** Where a profile keeps it. */
export const pathOf = (directory: string, what: string, profile: string): string =>
  join(directory, `${what}-${percentEncoded(profile)}.json`);
