import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseExact, stringifyExact } from '../lib/json.ts';
import { makePrivateDirectory, readPrivateFile, replacePrivateFile, writeErrorText } from '../lib/private-file.ts';
import { type Reading, unreadable } from '../lib/reading.ts';

/** What one profile keeps between runs: one value in a 0600 file of the state directory. */
export interface ProfileFile<T> {
  readonly path: string;
  /** The value; undefined where there is none for this address. A file that is not ours or not whole is a sentence. */
  read(): Promise<Reading<T | undefined>>;
  /** Replaces the value; writes run one after the other. Answers with the problem, as a sentence. Never rejects. */
  write(value: T): Promise<string | undefined>;
  /** Removes the file, if there is one. Never rejects. */
  remove(): Promise<void>;
}

/** Largest file, in bytes, that is read or written. */
const largest = 8 * 1024 * 1024;

/**
 * The file `<what>-<profile>.json`. It holds the address of the deployment: another deployment under the same name starts
 * empty. Every text in it passes `redact`.
 */
export function createProfileFile<T>(with_: {
  readonly directory: string;
  /** What is kept, as the first word of the file's name. */
  readonly what: string;
  readonly profile: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly schema: v.GenericSchema<unknown, T>;
  /** Removes known secrets from a text. */
  readonly redact: (text: string) => string;
}): ProfileFile<T> {
  const { directory, what, profile, origin, redact } = with_;
  const path = join(directory, `${what}-${encodeURIComponent(profile)}.json`);
  const envelope = v.object({ version: v.literal(1), profile: v.string(), origin: v.string(), value: v.unknown() });
  const held = { last: Promise.resolve() as Promise<unknown> };

  const replace = async (value: T): Promise<string | undefined> => {
    const made = await makePrivateDirectory(directory);
    if (!made.ok) return made.text;
    const text = `${redact(stringifyExact({ version: 1, profile, origin, value }))}\n`;
    if (Buffer.byteLength(text) > largest) return `${path} is not written: it would be over ${largest} bytes`;
    try {
      await replacePrivateFile(path, text);
      return undefined;
    } catch (error) {
      return writeErrorText(error, path);
    }
  };

  return {
    path,
    async read() {
      const text = await readPrivateFile(path, 'the file', largest);
      if (!text.ok) return text;
      if (text.value === undefined) return { ok: true, value: undefined };
      const bad = unreadable(`the file ${path} is not as this version writes it, so it is not used`);
      const whole = v.safeParse(envelope, parsed(text.value));
      if (!whole.success) return bad;
      // Names of files may be alike where the system ignores case; an address may have changed.
      if (whole.output.profile !== profile || whole.output.origin !== origin) return { ok: true, value: undefined };
      const value = v.safeParse(with_.schema, whole.output.value);
      return value.success ? { ok: true, value: value.output } : bad;
    },
    remove: () => rm(path, { force: true }).catch(() => undefined),
    write(value) {
      const next = held.last.then(() => replace(value));
      held.last = next;
      return next;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
