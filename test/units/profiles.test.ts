import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ParseResult } from '../../src/lib/function-results.ts';
import { currentRun } from '../../src/lib/private-file.ts';
import { systemClock } from '../../src/lib/time.ts';
import { commandWords } from '../../src/profiles/keyring.ts';
import { lastFour, readKey } from '../../src/profiles/profile.ts';
import { createProfiles, type Profiles } from '../../src/profiles/profiles.ts';
import { bundled } from '../support/bundled.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const profilesModule = resolve(await bundled('src/profiles/profiles.ts'));

let room = '';
let profiles: Profiles;
const clock = { ...systemClock, now: () => Date.UTC(2026, 4, 6, 7, 8, 9) };

beforeEach(() => {
  room = temporaryFolder();
  profiles = createProfiles({ directory: join(room, 'config'), clock });
});

const value = <V>(reading: ParseResult<V>): V => {
  if (!reading.ok) throw new Error(`refused: ${reading.text}`);
  return reading.value;
};
const refusal = (reading: ParseResult<unknown>): string => {
  if (reading.ok) throw new Error(`not refused: ${JSON.stringify(reading.value)}`);
  return reading.text;
};
const acme = { name: 'acme', baseUrl: 'https://api.acme.test' };
const secret = 'f00df00df00df00df00df00df00d1234';

describe('the profile file', () => {
  test('reading creates no file', async () => {
    expect(value(await profiles.list())).toEqual({ profiles: [], broken: [], variables: [] });
    expect(existsSync(profiles.directory)).toBe(false);
  });

  test('the first profile is the default; update, use and remove are saved', async () => {
    expect(value(await profiles.add(acme)).says).toBe('profile acme added');
    const more = { environment: 'prod', production: true, pollSeconds: 30 };
    value(await profiles.add({ name: 'beta', baseUrl: 'https://beta.test/', ...more }));
    const listing = value(await profiles.list());
    expect(listing.current).toBe('acme');
    expect(listing.profiles[0]).toEqual({
      ...acme,
      environment: '',
      production: false,
      readOnly: false,
      pollSeconds: 15,
      snapshot: 'on',
      keys: { apiKey: { typed: true }, appKey: { typed: true } },
    });
    value(await profiles.use('beta'));
    const changes = { readOnly: true, handle: 'kim@acme.test', webUrl: 'https://web.acme.test' };
    value(await profiles.update('beta', changes));
    expect(value(await profiles.get('beta'))).toMatchObject({ ...changes, production: true });
    value(await profiles.update('beta', { handle: '', webUrl: '' }));
    expect(value(await profiles.get('beta')).handle).toBeUndefined();
    expect(value(await profiles.get('beta')).webUrl).toBeUndefined();
    expect(value(await profiles.list()).current).toBe('beta');
    value(await profiles.remove('beta'));
    expect(value(await profiles.list()).current).toBeUndefined();
    expect(refusal(await profiles.get('beta'))).toBe('no profile is called "beta": there are acme');
  });

  test('directory 0700 and file 0600, even with an umask of 0', () => {
    const script = `
      process.umask(0);
      const { createProfiles } = await import(${JSON.stringify(profilesModule)});
      const done = await createProfiles({ directory: ${JSON.stringify(join(room, 'a', 'b'))}, clock: { now: Date.now } })
        .add({ name: 'acme', baseUrl: 'https://api.acme.test' });
      if (!done.ok) throw new Error(done.text);`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(statSync(join(room, 'a', 'b')).mode & 0o777).toBe(0o700);
    expect(statSync(join(room, 'a', 'b', 'profiles.json')).mode & 0o777).toBe(0o600);
  });

  test('a file at 0644 is refused with the command that corrects it, and not changed', async () => {
    value(await profiles.add({ ...acme, keys: { apiKey: { stored: secret }, appKey: { typed: true } } }));
    const before = readFileSync(profiles.path, 'utf8');
    chmodSync(profiles.path, 0o644);
    for (const attempt of [
      profiles.list(),
      profiles.add({ name: 'b', baseUrl: 'https://b.test' }),
      profiles.remove('acme'),
    ]) {
      const text = refusal(await attempt);
      expect(text).toContain('can be opened by others (mode 0644)');
      expect(text).toContain(`chmod 600 ${profiles.path}`);
      expect(text).not.toContain(secret);
    }
    expect(readFileSync(profiles.path, 'utf8')).toBe(before);
    chmodSync(profiles.path, 0o600);
    expect(value(await profiles.list()).profiles).toHaveLength(1);
  });

  test('a symbolic link, a FIFO, a directory and a file of another user are refused at once', async () => {
    mkdirSync(profiles.directory, { mode: 0o700 });
    writeFileSync(join(room, 'elsewhere'), '{"version":1,"profiles":[]}', { mode: 0o600 });
    symlinkSync(join(room, 'elsewhere'), profiles.path);
    expect(refusal(await profiles.list())).toContain('is a symbolic link');
    expect(refusal(await profiles.add(acme))).toContain('is a symbolic link');
    expect(readFileSync(join(room, 'elsewhere'), 'utf8')).toBe('{"version":1,"profiles":[]}');

    rmSync(profiles.path);
    execFileSync('mkfifo', ['-m', '600', profiles.path]);
    expect(refusal(await profiles.list())).toContain('is not a plain file');
    expect(refusal(await profiles.add(acme))).toContain('is not a plain file');

    rmSync(profiles.path);
    mkdirSync(profiles.path);
    expect(refusal(await profiles.list())).toContain('is not a plain file');
    rmSync(profiles.path, { recursive: true });

    if (process.geteuid?.() === 0) {
      writeFileSync(profiles.path, '{}', { mode: 0o600 });
      chownSync(profiles.path, 12345, 12345);
      expect(refusal(await profiles.list())).toContain('belongs to uid 12345, not to you');
    }
  });

  test('a directory that others can write to, or a path through a file, is refused', async () => {
    mkdirSync(profiles.directory);
    chmodSync(profiles.directory, 0o777);
    expect(refusal(await profiles.list())).toContain('chmod go-w');
    expect(refusal(await profiles.add(acme))).toContain('chmod 700');
    writeFileSync(join(room, 'file'), '');
    const through = createProfiles({ directory: join(room, 'file', 'config'), clock });
    expect(refusal(await through.add(acme))).toContain('a part of its path is a file');
  });

  test.each(['{"profiles":[{"name":"ac', '[]', '{"profiles":{}}', '', '\0\0\0\0'])(
    'a corrupt file (%j) is renamed and kept whole',
    async (text) => {
      mkdirSync(profiles.directory, { mode: 0o700 });
      writeFileSync(profiles.path, text, { mode: 0o600 });
      const said = refusal(await profiles.list());
      expect(said).toContain(`kept as ${profiles.path}.bad-20260506T070809Z`);
      expect(readFileSync(`${profiles.path}.bad-20260506T070809Z`, 'utf8')).toBe(text);
      expect(value(await profiles.add(acme)).says).toBe('profile acme added');
    },
  );

  test('adding to a corrupt file keeps a copy of it and says so', async () => {
    mkdirSync(profiles.directory, { mode: 0o700 });
    writeFileSync(profiles.path, 'nonsense', { mode: 0o600 });
    expect(value(await profiles.add(acme)).says).toMatch(
      /^profile acme added; the profile file could not be read and is kept as /,
    );
    expect(readdirSync(profiles.directory).sort()).toEqual(['profiles.json', 'profiles.json.bad-20260506T070809Z']);
  });

  test('a byte order mark, as some editors write it, does no harm', async () => {
    value(await profiles.add(acme));
    writeFileSync(profiles.path, `\ufeff${readFileSync(profiles.path, 'utf8')}`);
    expect(value(await profiles.list()).current).toBe('acme');
    expect(value(await profiles.update('acme', { readOnly: true })).says).toBe('profile acme saved');
    expect(value(await profiles.get('acme')).readOnly).toBe(true);
  });

  test.each(['null', '7', '"gone"'])('a profile in use that is no name, or of none (%s), is none', async (current) => {
    mkdirSync(profiles.directory, { mode: 0o700 });
    const text = `{"version":1,"current":${current},"profiles":[${JSON.stringify(acme)}]}`;
    writeFileSync(profiles.path, text, { mode: 0o600 });
    const listing = value(await profiles.list());
    expect([listing.profiles.length, listing.current]).toEqual([1, undefined]);
    expect(value(await profiles.use('acme')).listing.current).toBe('acme');
  });

  test('unusable entries and unknown fields stay in the file', async () => {
    mkdirSync(profiles.directory, { mode: 0o700 });
    const entries = [
      { ...acme, color: 'red' },
      { name: 'old', baseUrl: 'http://api.old.test', keys: { apiKey: { env: 'OLD_KEY' }, appKey: 'no source' } },
    ];
    writeFileSync(profiles.path, JSON.stringify({ version: 1, later: 7, current: 'old', profiles: entries }), {
      mode: 0o600,
    });
    const listing = value(await profiles.list());
    expect(listing.profiles.map((profile) => profile.name)).toEqual(['acme']);
    expect(listing.broken[0]?.text).toContain('plain http');
    expect(listing.variables).toEqual(['OLD_KEY']);
    expect(refusal(await profiles.use('old'))).toContain('plain http');
    value(await profiles.update('acme', { readOnly: true }));
    const file = JSON.parse(readFileSync(profiles.path, 'utf8'));
    expect(file).toMatchObject({ later: 7, profiles: [{ color: 'red', readOnly: true }, entries[1]] });
    value(await profiles.remove('old'));
  });

  test('two profiles of one name are used by neither: one may guard what the other does not', async () => {
    mkdirSync(profiles.directory, { mode: 0o700 });
    const entries = [{ ...acme, production: true }, { ...acme }, { name: 'beta', baseUrl: 'https://beta.test' }];
    writeFileSync(profiles.path, JSON.stringify({ version: 1, current: 'acme', profiles: entries }), { mode: 0o600 });
    const { profiles: good, broken, current } = value(await profiles.list());
    expect([good.map(({ name }) => name), current]).toEqual([['beta'], 'acme']);
    const text = 'the file has 2 profiles of this name: give each its own';
    expect(broken).toEqual([
      { name: 'acme', text, guard: { name: 'acme', baseUrl: acme.baseUrl, production: true, readOnly: false } },
      { name: 'acme', text },
    ]);
    expect(refusal(await profiles.use('acme'))).toContain('give each its own');
  });

  test('the lock of a process that was killed holds nobody up', async () => {
    await profiles.add(acme);
    const run = { ...currentRun(), pid: 2 ** 30 };
    writeFileSync(`${profiles.path}.lock`, JSON.stringify({ run, at: clock.now() }), { mode: 0o600 });
    expect(value(await profiles.use('acme')).says).toBe('now using profile acme');
    expect(existsSync(`${profiles.path}.lock`)).toBe(false);
  });

  test('eight writers at once keep twenty writes each', async () => {
    // Without the one write the next is refused; the file stays small.
    const script = `
      const { createProfiles } = await import(${JSON.stringify(profilesModule)});
      const profiles = createProfiles({ directory: ${JSON.stringify(profiles.directory)}, clock: { now: Date.now } });
      const did = (done) => { if (!done.ok) throw new Error(done.text); };
      for (let n = 0; n < 10; n++) {
        did(await profiles.add({ name: process.argv[1], baseUrl: 'https://api.acme.test' }));
        did(await profiles.remove(process.argv[1]));
      }`;
    const writers = Array.from({ length: 8 }, (_, n) =>
      spawn(process.execPath, ['--input-type=module', '-e', script, `w${n}`], { stdio: 'inherit' }),
    );
    const codes = await Promise.all(writers.map((child) => new Promise((done) => child.on('close', done))));
    expect(codes).toEqual(Array(8).fill(0));
    expect(value(await profiles.list()).profiles).toEqual([]);
    expect(readdirSync(profiles.directory)).toEqual(['profiles.json']);
  }, 60_000);
});

describe('a profile', () => {
  test('a new base URL drops the stored keys and nothing else', async () => {
    value(await profiles.add({ ...acme, keys: { apiKey: { stored: secret }, appKey: { env: 'ACME_APP' } } }));
    value(await profiles.update('acme', { baseUrl: 'https://API.acme.test/' }));
    expect(value(await profiles.get('acme')).keys.apiKey).toEqual({ stored: secret });
    expect(value(await profiles.update('acme', { baseUrl: 'https://other.test' })).says).toContain(
      'the stored keys were removed',
    );
    expect(value(await profiles.get('acme')).keys).toEqual({ apiKey: { typed: true }, appKey: { env: 'ACME_APP' } });
    expect(readFileSync(profiles.path, 'utf8')).not.toContain(secret);
  });

  test.each([
    [{ name: '' }, 'a profile name is'],
    [{ name: '../x' }, 'a profile name is'],
    [{ name: '__proto__' }, 'a profile name is'],
    [{ name: 'demo' }, 'built-in'],
    [{ baseUrl: 'api.acme.test' }, 'https://'],
    [{ environment: 'pro duction' }, 'one short word'],
    [{ pollSeconds: 9 }, '10 to 300'],
    [{ pollSeconds: Number.NaN }, '10 to 300'],
    [{ theme: 'neon' as 'mono' }, 'the theme is one of'],
    [{ notify: 'gong' as 'bell' }, 'notify is one of off, bell, osc9, osc777'],
    [{ snapshot: 'no' as 'off' }, 'snapshot is one of on, off'],
    [{ mouse: 'yes' as unknown as boolean }, 'mouse is true or false'],
    [{ webUrl: 'acme.test' }, 'the web address'],
    [{ handle: 'a\nb' }, 'one line'],
    [
      { keys: { apiKey: { env: secret.replaceAll('0', '-') }, appKey: { typed: true as const } } },
      'name of an environment variable',
    ],
    [
      { keys: { apiKey: { stored: `${secret}\nx` }, appKey: { typed: true as const } } },
      'contains a space, a line break',
    ],
    [{ keys: { apiKey: { command: [] }, appKey: { typed: true as const } } }, 'a list of words'],
  ])('%j is refused with a message without a key', async (given, words) => {
    const text = refusal(await profiles.add({ ...acme, ...given }));
    expect(text).toContain(words);
    expect(text).not.toContain('f00d');
    expect(existsSync(profiles.path)).toBe(false);
  });

  test('a name in use is refused', async () => {
    value(await profiles.add(acme));
    expect(refusal(await profiles.add(acme))).toContain('already');
    expect(value(await profiles.add({ name: 'constructor', baseUrl: 'https://c.test' })).listing.profiles).toHaveLength(
      2,
    );
  });
});

test.each([
  [' ', 'a command is required'],
  ['[]', 'a JSON list'],
  ['["pass", 1]', 'a JSON list'],
  [`pass "${secret}`, 'not closed'],
])('%j is no command, and the message quotes nothing of it', (typed, words) => {
  expect(refusal(commandWords(typed))).toContain(words);
  expect(refusal(commandWords(typed))).not.toContain(secret);
});

test('a key has at most 1024 characters; only of one with 16 or more the last four are shown', () => {
  expect(readKey('f'.repeat(1024), 'apiKey')).toMatchObject({ ok: true });
  expect(refusal(readKey('f'.repeat(1025), 'apiKey'))).toContain('over 1024');
  expect([lastFour('fake-a1b2c31234'), lastFour('fake-a1b2c3d1234')]).toEqual(['hidden', 'ends in 1234']);
});
