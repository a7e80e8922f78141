import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import { rawCall } from '../../src/api/endpoint.ts';
import { createSecretFile } from '../../src/cli/actions/keep-secret.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { writeErrorText } from '../../src/lib/private-file.ts';
import { systemClock } from '../../src/lib/time.ts';
import { openConfigFile } from '../../src/profiles/config-file.ts';
import { createKeyring } from '../../src/profiles/keyring.ts';
import { createProfileFile } from '../../src/profiles/profile-file.ts';
import { createProfiles } from '../../src/profiles/profiles.ts';
import { openVocabularyFile } from '../../src/profiles/vocabulary-file.ts';
import { savedSessionSchema, snapshotSchema } from '../../src/session/outside/saved-session.ts';
import { leftovers, newNote, noteAt } from '../../src/upload/upload-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** One kind of file on the disk. Reading and writing answer with a sentence, or undefined where they succeeded. */
interface Kind {
  readonly name: string;
  /** Below the directory. */
  readonly file: string;
  /** Whether other accounts may be able to read it. */
  readonly isPublic?: boolean;
  /** A whole file as this version writes it. */
  readonly text: string;
  read(directory: string): Promise<string | undefined>;
  write?(directory: string): Promise<string | undefined>;
}

const origin = 'https://api.acme.test';
const said = (result: { readonly ok: boolean; readonly text?: string }) => (result.ok ? undefined : result.text);
const uploadName = 'upload-00000000-0000-4000-8000-000000000000.json';

const kept = (
  what: Parameters<typeof createProfileFile>[0]['what'],
  schema: v.GenericSchema<unknown, unknown>,
  value: unknown,
): Kind => {
  const open = (directory: string) =>
    createProfileFile({ directory, what, profile: 'acme', origin, schema, depth: 1, redact: (text) => text });
  return {
    name: `the ${what} of a profile`,
    file: `${what}-acme.json`,
    text: JSON.stringify({ version: 1, profile: 'acme', origin, value }),
    read: async (directory) => said(await open(directory).read()),
    write: (directory) => open(directory).change(() => value, 1),
  };
};

const journalOf = (directory: string) =>
  createJournal({ directory, clock: systemClock, origin, profile: 'acme', actor: () => 'kim' });
const kinds: readonly Kind[] = [
  kept('state', savedSessionSchema, {}),
  kept('snapshot', snapshotSchema, []),
  {
    name: 'the journal',
    file: 'journal.jsonl',
    text: '',
    async read(directory) {
      const entries = await journalOf(directory).entries();
      return entries.ok ? undefined : entries.problem.text;
    },
    async write(directory) {
      const call = rawCall({ id: 'things.mute', path: '/x/{thing_id}' } as never, { thing_id: '1' });
      const result = await journalOf(directory).intent(call, {
        action: 'things.mute',
        target: { id: '1', name: 'web-1' },
      });
      return result.ok ? undefined : result.problem.text;
    },
  },
  {
    name: 'the profiles',
    file: 'profiles.json',
    text: JSON.stringify({ version: 1, profiles: [] }),
    read: async (directory) => said(await createProfiles({ directory, clock: systemClock }).list()),
    async write(directory) {
      const keys = { apiKey: { env: 'ACME' }, appKey: { env: 'ACME_APP' } };
      return said(await createProfiles({ directory, clock: systemClock }).add({ name: 'acme', baseUrl: origin, keys }));
    },
  },
  {
    name: 'the note of an upload',
    file: uploadName,
    text: '',
    read: async (directory) => (await leftovers(directory, 0)).trouble,
    async write(directory) {
      const made = await newNote(directory);
      if (!made.ok) return made.text;
      return noteAt(join(directory, uploadName))
        .write({} as never)
        .then(
          () => undefined,
          (error) => writeErrorText(error, directory),
        );
    },
  },
  {
    name: 'the configuration',
    file: 'config.json',
    isPublic: true,
    text: '{"version":1}',
    async read(directory) {
      const { mistakes, path } = await openConfigFile(directory);
      return mistakes[0] && `${path}: ${mistakes[0].text}`;
    },
  },
  {
    name: 'the file of a key',
    file: 'key',
    text: 'a-key-of-this-file',
    async read(directory) {
      const source = { file: join(directory, 'key') };
      const request = { owner: 'acme', sources: { apiKey: source, appKey: source } };
      return said(await createKeyring({ env: {} }).read(request));
    },
  },
  {
    name: 'a vocabulary',
    file: 'vocabulary.json',
    isPublic: true,
    text: '{"version":1}',
    read: async (directory) => said(await openVocabularyFile(join(directory, 'vocabulary.json'))),
  },
  {
    name: 'the file of a secret',
    file: 'secret',
    text: '',
    read: async () => undefined,
    async write(directory) {
      const made = await createSecretFile(join(directory, 'secret'));
      return made.ok ? made.value.keep(['a secret']) : made.text;
    },
  },
];

/** A condition of the disk where the file should stand; `refuses`: reading must answer with a sentence. */
interface Condition {
  readonly name: string;
  make(path: string, kind: Kind): void;
  readonly refuses?: (kind: Kind) => boolean;
}
const isSecret = ({ isPublic }: Kind) => !isPublic;
const always = () => true;
/** Bytes over the limit of every kind that is read as a whole. */
const tooLarge = 70 * 1024 * 1024;
const conditions: readonly Condition[] = [
  {
    name: 'a symbolic link to another file',
    refuses: isSecret,
    make(path, { text }) {
      writeFileSync(`${path}.victim`, text, { mode: 0o600 });
      symlinkSync(`${path}.victim`, path);
    },
  },
  { name: 'a dangling link', make: (path) => symlinkSync(`${path}.nowhere`, path) },
  { name: 'a FIFO', refuses: always, make: (path) => execFileSync('mkfifo', ['-m', '600', path]) },
  { name: 'a directory', refuses: always, make: (path) => mkdirSync(path) },
  {
    name: 'a file of another account',
    refuses: isSecret,
    make(path, { text }) {
      writeFileSync(path, text, { mode: 0o600 });
      chownSync(path, 65534, 65534);
    },
  },
  { name: 'a file that others can read', refuses: isSecret, make: (path, { text }) => writeFileSync(path, text) },
  { name: 'an empty file', make: (path) => writeFileSync(path, '', { mode: 0o600 }) },
  { name: 'bytes that are no text', make: (path) => writeFileSync(path, Buffer.alloc(5000, 0xfe), { mode: 0o600 }) },
  { name: 'half of a file', make: (path) => writeFileSync(path, '{"version":1,"profi', { mode: 0o600 }) },
  {
    name: '70 MB of zeros',
    // The journal is rotated instead.
    refuses: ({ name }) => name !== 'the journal',
    make(path) {
      writeFileSync(path, '', { mode: 0o600 });
      truncateSync(path, tooLarge);
    },
  },
  {
    name: 'a file of a newer version',
    make: (path) => writeFileSync(path, '{"version":99,"profile":"acme","new":true}\n', { mode: 0o600 }),
  },
];

let directory = '';
beforeEach(() => {
  directory = temporaryFolder();
});

const isRoot = process.geteuid?.() === 0;
/** A short sentence for a person: it names the file, and is no message of the system. */
const isSentence = (text: string) => /^\S.{15,500}$/s.test(text) && !/^Error|EISDIR|ENO|undefined|\bat \//.test(text);

describe.each(kinds.filter((kind) => kind.name !== 'the file of a secret'))('reading $name', (kind) => {
  test.each(conditions)('where there is $name', async ({ make, refuses, name }) => {
    if (name === 'a file of another account' && !isRoot) return;
    const path = join(directory, kind.file);
    make(path, kind);
    const text = await kind.read(directory);
    if (text !== undefined) {
      expect(text).toSatisfy(isSentence);
      expect(text).toContain(directory);
    } else expect(refuses?.(kind) ?? false).toBe(false);
  });
});

describe.each(kinds.filter((kind) => kind.write))('writing $name', (kind) => {
  test.each(conditions)('where there is $name', async ({ make, name }) => {
    if (name === 'a file of another account' && !isRoot) return;
    const path = join(directory, kind.file);
    make(path, kind);
    const victim = `${path}.victim`;
    const before = existsSync(victim) ? readFileSync(victim, 'utf8') : undefined;
    const newer = name === 'a file of a newer version' ? readFileSync(path, 'utf8') : undefined;
    const text = await kind.write?.(directory);
    // What a link names is neither written nor made, and nothing half-written is left.
    expect(existsSync(victim) ? readFileSync(victim, 'utf8') : undefined).toBe(before);
    expect(existsSync(`${path}.nowhere`)).toBe(false);
    expect(readdirSync(directory).filter((name) => /\.new$|\.tmp|\.lock$/.test(name))).toEqual([]);
    if (text !== undefined) {
      expect(text).toSatisfy(isSentence);
      return;
    }
    const { mode, uid } = lstatSync(path);
    expect([lstatSync(path).isFile(), mode & 0o077, uid]).toEqual([true, 0, process.geteuid?.()]);
    if (newer !== undefined && kind.file.endsWith('.json') && kind.file !== uploadName)
      throw new Error(`a file of a newer version was rewritten: ${newer}`);
  });

  test('where the directory may not be written', async () => {
    if (isRoot) return;
    chmodSync(directory, 0o500);
    expect(await kind.write?.(directory)).toSatisfy(isSentence);
    chmodSync(directory, 0o700);
  });
});
