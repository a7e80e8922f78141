import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { keptNamesSchema } from '../../src/cli/session-files.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { systemClock } from '../../src/lib/time.ts';
import { createProfileFile } from '../../src/profiles/profile-file.ts';
import { createProfiles } from '../../src/profiles/profiles.ts';
import { savedSessionSchema, snapshotSchema } from '../../src/session/outside/saved-session.ts';
import { leftovers } from '../../src/upload/upload-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let room = '';
beforeEach(() => {
  room = temporaryFolder();
});

/** Puts a file of an earlier program into the directory, under the name that it has there. */
function stored(file: string, name: string): string {
  const path = join(room, name);
  writeFileSync(path, readFileSync(join('test/support/stored', file)), { mode: 0o600 });
  return path;
}

describe('the profile file', () => {
  const store = () => createProfiles({ directory: room, clock: systemClock });

  test('is read, and written as the present version', async () => {
    const path = stored('profiles-v1.json', 'profiles.json');
    const before = await store().list();
    expect(before).toMatchObject({
      ok: true,
      value: {
        current: 'acme',
        profiles: [{ name: 'acme', production: true, keys: { apiKey: { env: 'ACME_API' } } }],
      },
    });
    expect(await store().update('acme', { pollSeconds: 60 })).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: 1, profiles: [{ pollSeconds: 60 }] });
  });

  test('of a newer version is read, and never written', async () => {
    const path = stored('profiles-v1.json', 'profiles.json');
    const newer = readFileSync(path, 'utf8').replace('"version": 1', '"version": 2, "later": {"a": 1}');
    writeFileSync(path, newer);
    expect(await store().list()).toMatchObject({ ok: true, value: { current: 'acme' } });
    const text = expect.stringContaining('of version 2, which a newer orgdeck');
    const other = { name: 'other', baseUrl: 'https://other.test' };
    for (const changed of [
      await store().update('acme', { pollSeconds: 60 }),
      await store().remove('acme'),
      await store().add(other),
    ])
      expect(changed).toMatchObject({ ok: false, text });
    expect(await store().whyNotAdded(other)).toEqual(text);
    expect(readFileSync(path, 'utf8')).toBe(newer);
  });
});

describe('what a profile keeps between runs', () => {
  const schemas = { state: savedSessionSchema, snapshot: snapshotSchema, names: keptNamesSchema };
  const names = Object.keys(schemas) as (keyof typeof schemas)[];
  const file = (what: keyof typeof schemas, profile = 'acme') =>
    createProfileFile<unknown>({
      directory: room,
      what,
      profile,
      origin: 'https://api.acme.test',
      schema: schemas[what],
      depth: 2,
      redact: (text) => text,
    });
  const inFile = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

  test.each(names)('the %s is read, and written as the present version', async (what) => {
    const path = stored(`${what}-v1.json`, `${what}-acme.json`);
    const { value } = inFile(path);
    const read = await file(what).read();
    expect(read).toEqual({ ok: true, value });
    expect(await file(what).write(read.ok && read.value)).toBeUndefined();
    expect(inFile(path)).toEqual({ version: 1, profile: 'acme', origin: 'https://api.acme.test', value });
  });

  test.each(names)('the %s of a newer version is read where it fits, and never written', async (what) => {
    const path = stored(`${what}-v1.json`, `${what}-acme.json`);
    const newer = readFileSync(path, 'utf8').replace(/"version":\s*1/, '"version":7');
    writeFileSync(path, newer);
    const read = await file(what).read();
    expect(read).toEqual({ ok: true, value: inFile(path).value, note: expect.stringContaining('of version 7') });
    expect(await file(what).write(read.ok && read.value)).toContain('of version 7');
    expect(readFileSync(path, 'utf8')).toBe(newer);
  });

  test('a profile takes all of it to its new name, also what a newer program wrote', async () => {
    const store = createProfiles({ directory: room, clock: systemClock });
    await store.add({ name: 'acme', baseUrl: 'https://api.acme.test' });
    await store.add({ name: 'other', baseUrl: 'https://other.test' });
    for (const what of names) stored(`${what}-v1.json`, `${what}-acme.json`);
    const newer = stored('state-v1.json', 'state-acme.json');
    writeFileSync(newer, readFileSync(newer, 'utf8').replace(/"version":\s*1/, '"version":7'));
    stored('names-v1.json', 'names-other.json');
    expect(await store.update('acme', { name: 'other' })).toMatchObject({ ok: false });
    expect(await file('state').read()).toMatchObject({ ok: true, value: { place: { screen: 'monitors' } } });
    expect(await store.update('acme', { name: 'acme-2' })).toMatchObject({ ok: true });
    for (const what of names) {
      const read = await file(what, 'acme-2').read();
      expect(read).toMatchObject({ ok: true, value: inFile(join('test/support/stored', `${what}-v1.json`)).value });
      expect(await file(what).read()).toEqual({ ok: true, value: undefined });
    }
    expect(await file('state', 'acme-2').read()).toMatchObject({ note: expect.stringContaining('of version 7') });
    const left = readdirSync(room).filter((name) => name.endsWith('.json'));
    expect(left.toSorted()).toEqual(
      [...names.map((what) => `${what}-acme-2.json`), 'names-other.json', 'profiles.json'].toSorted(),
    );
  });

  test('where the profile file cannot be written, the old name keeps all of it', async () => {
    const store = createProfiles({ directory: room, clock: systemClock });
    await store.add({ name: 'acme', baseUrl: 'https://api.acme.test' });
    const state = join(room, 'state');
    mkdirSync(state, { mode: 0o700 });
    writeFileSync(join(state, 'state-acme.json'), readFileSync('test/support/stored/state-v1.json'), {
      mode: 0o600,
    });
    mkdirSync(join(state, 'snapshot-new.json', 'in the way'), { recursive: true });
    const apart = createProfiles({ directory: room, state, clock: systemClock });
    expect(await apart.update('acme', { name: 'new' })).toMatchObject({ ok: false });
    expect(await store.list()).toMatchObject({ ok: true, value: { current: 'acme' } });
    expect(inFile(join(state, 'state-acme.json'))).toMatchObject({ profile: 'acme' });
  });
});

test('the journal is read, and each new line has its version', async () => {
  const path = stored('journal-v1.jsonl', 'journal.jsonl');
  const journal = createJournal({
    directory: room,
    clock: systemClock,
    origin: 'https://api.acme.test',
    profile: 'acme',
  });
  const entries = await journal.entries();
  expect(entries).toMatchObject({ ok: true, value: [{ action: 'monitors.mute', outcome: { state: 'applied' } }] });
  await journal.forget('00000000-0000-4000-8000-000000000001');
  expect(JSON.parse(readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '')).toMatchObject({ version: 1 });
});

test('the note of an upload: one that does not fit is kept aside and named, a newer one is left to the program that wrote it', async () => {
  const note = {
    version: 1,
    run: { host: 'other', pid: 4, began: '' },
    origin: 'https://api.example.test',
    table: { name: 'routes', key: 'service' },
    file: { path: '/data/routes.csv', size: 11, modified: '1', inode: '1:2' },
    upload: 'u-1',
    parts: [true],
    phase: 'sending',
    expires: -600_000,
  };
  const path = (digit: number) => join(room, `upload-00000000-0000-4000-8000-00000000000${digit}.json`);
  for (const [digit, more] of [{}, { version: 2, parts: 'all' }, { expires: 1e300 }].entries())
    writeFileSync(path(digit), JSON.stringify({ ...note, ...more }), { mode: 0o600 });
  writeFileSync(path(3), JSON.stringify(note), { mode: 0o644 });
  const left = await leftovers(room, 0);
  expect(left.found).toMatchObject([{ record: { upload: 'u-1' } }]);
  expect(left.trouble).toContain(`${path(2)} cannot be read; it is kept as a file that ends in .unread`);
  expect(left.trouble).toContain(`${path(3)} can be opened by others (mode 0644)`);
  expect([path(1), `${path(2)}.unread`].map((file) => existsSync(file))).toEqual([true, true]);
  expect((await leftovers(room, 0)).trouble).not.toContain(path(2));
});
