import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../src/lib/private-file.ts';
import { commandWords, createKeyring, filePath, readCommand } from '../../src/profiles/keyring.ts';
import { type KeySource, keySourceText } from '../../src/profiles/profile.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let room = '';
beforeEach(() => {
  room = temporaryFolder();
});

const api = 'aaaaaaaabbbbbbbbccccccccdddd1111';
const app = 'eeeeeeeeffffffff0000000011112222';
const node = process.execPath;
const wanted = (apiKey: KeySource, appKey: KeySource = { stored: app }) => ({
  owner: 'acme at https://api.acme.test',
  sources: { apiKey, appKey },
});
const prints = (script: string): KeySource => ({ command: [node, '-e', script] });

describe('keys', () => {
  test('are read from a command, a variable, a file, the profile, or a prompt', async () => {
    const env: NodeJS.ProcessEnv = { ...process.env, ACME_KEY: ` ${api}\n` };
    const keyring = createKeyring({ env });
    const file = join(room, 'key');
    writeFileSync(file, `${api}\n`, { mode: 0o600 });
    for (const source of [prints(`console.log('${api}')`), { env: 'ACME_KEY' }, { file }, { stored: api }])
      expect(await keyring.read(wanted(source))).toEqual({ ok: true, value: { apiKey: api, appKey: app } });
    const asked: string[] = [];
    const ask = async (key: string, whose: string) => {
      asked.push(`${key} of ${whose}`);
      return api;
    };
    expect(keyring.willAsk(wanted({ typed: true }))).toBe(true);
    expect((await keyring.read(wanted({ typed: true }), ask)).ok).toBe(true);
    expect((await keyring.read(wanted({ typed: true }), ask)).ok).toBe(true);
    expect(keyring.willAsk(wanted({ typed: true }))).toBe(false);
    expect(asked).toEqual(['apiKey of acme at https://api.acme.test']);
    keyring.forget('acme at https://api.acme.test');
    expect(keyring.willAsk(wanted({ typed: true }))).toBe(true);
    // The first is a secret, too, where the other cannot be read.
    const half = createKeyring({ env: {} });
    expect(await half.read(wanted({ stored: api }, { env: 'NOWHERE' }))).toMatchObject({ ok: false });
    expect(half.secrets()).toEqual([api]);
    expect((await half.read(wanted({ stored: api }))).ok).toBe(true);
    expect(half.secrets()).toEqual([api, app]);
  });

  test('are removed from the environment when read, and remembered; a command does not inherit them', async () => {
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, ORGDECK_API_KEY: api, ACME_APP: app };
    const keyring = createKeyring({ env });
    expect(env.ORGDECK_API_KEY).toBeUndefined();
    expect(keyring.hasVariable('ORGDECK_API_KEY')).toBe(true);
    const shows = prints(`console.log(Object.values(process.env).includes('${app}') ? 'leaked' : 'clean')`);
    const read = await keyring.read(wanted(shows, { env: 'ACME_APP' }));
    expect(read).toEqual({ ok: true, value: { apiKey: 'clean', appKey: app } });
    expect(env.ACME_APP).toBeUndefined();
    expect(await keyring.read(wanted({ env: 'ORGDECK_API_KEY' }, { env: 'ACME_APP' }))).toEqual({
      ok: true,
      value: { apiKey: api, appKey: app },
    });
  });

  test('without a terminal for a prompt, the message says what to set; a prompt that was left is no such place', async () => {
    const left = await createKeyring({ env: {} }).read(wanted({ typed: true }), async () => undefined);
    expect(left).toEqual({ ok: false, text: 'the API key was not typed' });
    const read = await createKeyring({ env: {} }).read(wanted({ typed: true }));
    expect(read).toEqual({
      ok: false,
      text: 'the API key is typed at each start: start in a terminal, or set ORGDECK_API_KEY',
    });
  });

  const fileOf = (name: string, text: string, mode = 0o600): KeySource => {
    writeFileSync(join(room, name), text, { mode });
    return { file: join(room, name) };
  };
  test.each<[string, () => KeySource, string]>([
    ['a missing variable', () => ({ env: 'NOT_SET' }), 'expected in NOT_SET, which is not set'],
    ['a missing file', () => ({ file: join(room, 'none') }), 'does not exist'],
    ['an open file', () => fileOf('open', api, 0o644), 'chmod 600'],
    [
      'a directory that others may write in',
      () => {
        mkdirSync(join(room, 'shared'));
        chmodSync(join(room, 'shared'), 0o777);
        return fileOf('shared/key', api);
      },
      'others can write to the directory',
    ],
    ['two lines', () => fileOf('two', `${api}\n${app}`), 'a line break'],
    ['a large file', () => fileOf('big', api.repeat(4000)), 'over 65536 bytes'],
    [
      'a link',
      () => {
        fileOf('real', api);
        symlinkSync(join(room, 'real'), join(room, 'link'));
        return { file: join(room, 'link') };
      },
      'symbolic link',
    ],
    [
      'a FIFO',
      () => {
        execFileSync('mkfifo', ['-m', '600', join(room, 'fifo')]);
        return { file: join(room, 'fifo') };
      },
      'not a plain file',
    ],
    ['a failing command', () => prints(`console.error('${api}'); process.exit(3)`), 'ended with exit code 3'],
    ['a missing command', () => ({ command: ['/nowhere/prints-a-key', api] }), 'was not found'],
    ['a silent command', () => prints(''), 'is empty'],
    ['a chatty command', () => prints(`for (;;) process.stdout.write('${api}'.repeat(100))`), 'over 64 KB'],
    ['a command that prints a sentence', () => prints(`console.log('key: ${api}')`), 'did not print a key'],
  ])('%s gives one message without the key', async (_, source, words) => {
    const read = await createKeyring({ env: { PATH: process.env.PATH } }).read(wanted(source()));
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.text).toContain(words);
    expect(read.text).not.toMatch(/aaaaaaaa|1111/);
  });

  test.each([
    ['while it waits, too', 'sleep 50', 'took over 0.5s'],
    ['and has left one behind that holds its pipe', 'exit 0', 'took over 0.5s'],
    ['or prints too much', 'yes', 'over 0.09765625 KB'],
  ])('a command that takes too long is ended with all that it has started, %s', async (_, goesOn, why) => {
    const script = `sleep 50 & echo $! > '${join(room, 'pid')}'; ${goesOn}`;
    const before = process.listenerCount('SIGINT');
    const read = await readCommand(['sh', '-c', script], 'apiKey', process.env, { bytes: 100, ms: 500 });
    expect(read).toMatchObject({ ok: false, text: expect.stringContaining(why) });
    const started = Number(readFileSync(join(room, 'pid'), 'utf8'));
    await expect.poll(() => isAlive(started), { timeout: 5000 }).toBe(false);
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  test('a command is run without a shell', async () => {
    expect(await readCommand([node, '-p', 'process.argv[1]', '$HOME|*'], 'apiKey', process.env)).toEqual({
      ok: true,
      value: '$HOME|*',
    });
  });
});

describe('a typed command', () => {
  test.each([
    ['pass show orgdeck', ['pass', 'show', 'orgdeck']],
    [`op read 'op://my vault/x' "a b"c`, ['op', 'read', 'op://my vault/x', 'a bc']],
    ['["op", "read", "a b"]', ['op', 'read', 'a b']],
    ['echo $HOME *', ['echo', '$HOME', '*']],
    [`x ''`, ['x', '']],
    [`"/opt/my tools/x" a\\ b`, ['/opt/my tools/x', 'a b']],
  ])('%s', (typed, words) => {
    expect(commandWords(typed)).toEqual({ ok: true, value: words });
  });
});

test('the description of a source shows neither the key nor the arguments of a command', () => {
  expect(keySourceText({ command: ['op', api] })).toBe('command op');
  expect(keySourceText({ stored: api })).toBe('kept in the profile file (ends in 1111)');
  expect(filePath('~/k', '/home/kim')).toBe('/home/kim/k');
});
