import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProfileAccess } from '../../src/cli/profile-access.ts';
import type { Start } from '../../src/cli/start.ts';
import { systemClock } from '../../src/lib/time.ts';
import { createProfiles } from '../../src/profiles/profiles.ts';
import { runSimulator } from '../../src/simulator/command.ts';
import { machineOfEach } from '../support/commands.ts';
import { invented, inventedWords } from '../support/invented.ts';
import { served } from '../support/served.ts';

const machine = machineOfEach();

/** A file on this test's machine. */
const file = (name: string, text: string): string => {
  const path = join(machine.directory, name);
  writeFileSync(path, text);
  return path;
};

describe('an unusable vocabulary file gives one message, and nothing is sent', () => {
  const cases: [string, () => string, string][] = [
    ['missing', () => join(machine.directory, 'none.json'), 'does not exist'],
    ['a directory', () => mkdirSync(join(machine.directory, 'dir'), { recursive: true }) ?? '', 'is not a plain file'],
    ['no JSON', () => file('a.json', '{"words":'), 'a vocabulary is JSON, and this is not'],
    ['endless', () => file('b.json', ' '.repeat(70_000)), 'is over 65536 bytes'],
    ['wrong twice', () => file('c.json', '{"words":{"x":"y"},"z":1}'), 'cannot be used: words: "x" is not a word'],
    [
      'words that meet',
      () => file('d.json', '{"values":{"tables.source":{"PROVIDER_A":"LOCAL_FILE"}}}'),
      'would both be LOCAL_FILE',
    ],
  ];
  const address = ['--base-url', 'http://127.0.0.1:9'];

  test.each(cases)('%s', async (_, path, sentence) => {
    const ran = await machine.orgdeck(['info', ...address, '--vocabulary', path()]);
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain(sentence);
    expect(ran.err.trim().split('\n')).toHaveLength(1);
    expect(ran.out).toBe('');
  });

  test('a pipe without a writer is refused without waiting', async () => {
    const path = join(machine.directory, 'pipe');
    execFileSync('mkfifo', [path]);
    const ran = await machine.orgdeck(['vocabulary', 'check', path]);
    expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('is not a plain file') });
    expect((await machine.orgdeck(['vocabulary', 'check', `${path}s`])).exit).toBe(2);
  });

  test('a profile with an unusable vocabulary says so, and can be listed and removed', async () => {
    const path = file('e.json', `\ufeff${JSON.stringify(invented)}`);
    expect(await machine.orgdeck(['profiles', 'add', 'acme', ...address, '--vocabulary', path])).toMatchObject({
      exit: 0,
    });
    writeFileSync(path, '{}x');
    expect(await machine.orgdeck(['info'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('a vocabulary is JSON'),
    });
    expect(await machine.orgdeck(['profiles', 'list'])).toMatchObject({ exit: 0 });
    expect(await machine.orgdeck(['info', '--demo'])).toMatchObject({ exit: 0 });
    expect(await machine.orgdeck(['profiles', 'remove', 'acme', '--yes'])).toMatchObject({ exit: 0 });
  });

  test('a profile with an unusable vocabulary is not added', async () => {
    const ran = await machine.orgdeck(['profiles', 'add', 'acme', ...address, '--vocabulary', file('f.json', '[]')]);
    expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('a vocabulary is an object') });
    expect((await machine.orgdeck(['profiles', 'list'])).out).not.toContain('acme');
  });
});

test('the form of a new profile refuses an unusable vocabulary', async () => {
  const profiles = createProfiles({ directory: machine.directory, clock: systemClock });
  const start = { profiles } as unknown as Start;
  const port = createProfileAccess({ start, keysRefused: () => false, current: 'demo', turn: () => {} });
  const given = { name: 'acme', baseUrl: 'http://127.0.0.1:9', source: 'env', apiKey: 'A', appKey: 'B' };
  const wrong = file('g.json', '{"words":{"provider_a":""}}');
  expect(await port.addProfile({ ...given, vocabulary: wrong })).toMatch(/: words: provider_a: it is empty$/);
  const right = file('h.json', JSON.stringify(invented));
  expect(await port.addProfile({ ...given, vocabulary: right })).toBeUndefined();
  expect(await profiles.get('acme')).toMatchObject({ ok: true, value: { vocabulary: right } });
  // Removing the vocabulary also removes it from the file.
  await profiles.update('acme', { vocabulary: '' });
  const { value } = (await profiles.get('acme')) as { value: object };
  expect(value).not.toHaveProperty('vocabulary');
});

describe('which vocabulary is used', () => {
  const line = (out: string) =>
    out
      .split('\n')
      .find((text) => text.startsWith('vocabulary'))
      ?.replace(/\s+/g, ' ');
  const address = ['--base-url', 'http://127.0.0.1:9'];

  test('none, that of the variable, that of the flag', async () => {
    const one = file('one.json', '{}');
    const two = file('two.json', '{}');
    expect(line((await machine.orgdeck(['info', ...address])).out)).toBe('vocabulary none (default)');
    const env = { ORGDECK_VOCABULARY: one };
    expect(line((await machine.orgdeck(['info', ...address], { env })).out)).toBe(
      `vocabulary ${one} (environment: ORGDECK_VOCABULARY)`,
    );
    const both = await machine.orgdeck(['info', ...address, '--vocabulary', two], { env });
    expect(line(both.out)).toBe(`vocabulary ${two} (flag: --vocabulary)`);
  });

  test('the profile’s, at its own host only', async () => {
    const path = file('own.json', '{}');
    await machine.orgdeck(['profiles', 'add', 'acme', ...address, '--vocabulary', path]);
    expect(line((await machine.orgdeck(['info'])).out)).toBe(`vocabulary ${path} (profile acme)`);
    const elsewhere = await machine.orgdeck(['info', '--profile', 'acme', '--base-url', 'http://127.0.0.1:10']);
    expect(line(elsewhere.out)).toBe('vocabulary none (default)');
  });

  test('an empty flag means no vocabulary', async () => {
    expect(await machine.orgdeck(['info', ...address, '--vocabulary', ''])).toMatchObject({
      exit: 2,
      err: '--vocabulary: the vocabulary is the path of a file\n',
    });
  });
});

describe('a deployment with a vocabulary', () => {
  const reading = async (vocabulary: boolean, argv: readonly string[]) => {
    const { service, env } = await served({ seed: 3, monitors: 1, issues: 1, vocabulary: inventedWords() });
    const words = vocabulary ? ['--vocabulary', file('words.json', JSON.stringify(invented))] : [];
    return { ...(await machine.orgdeck([...argv, ...words], { env })), received: service.received() };
  };

  test('is printed in its own words, and input in them is sent unchanged', async () => {
    const roles = await reading(true, ['call', 'roles.list', '--filter', 'zephyrine admin']);
    expect(roles.exit).toBe(0);
    expect(JSON.parse(roles.out).data).toMatchObject([{ attributes: { name: 'Zephyrine Admin Role' } }]);
    const catalog = await reading(true, ['call', 'roles.permissions']);
    expect(catalog.out).toContain('"nimbalor_configuration_read"');

    const archive = {
      name: 'provider_b',
      query: '*',
      destination: { type: 'cumulex_storage', bucket: 'b', integration: { client_email: 'e@x.test' } },
    };
    const body = JSON.stringify({ data: { type: 'archives', attributes: archive } });
    const created = await reading(true, ['call', 'archives.create', '--body', body]);
    expect(created).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(created.out).data.attributes).toMatchObject(archive);
    expect(created.received.find((request) => request.operation === 'archives.create')?.body).toMatchObject({
      data: { attributes: { name: 'provider_b', destination: { type: 'provider_b' } } },
    });
  });

  test('lists print its words, with and without --json', async () => {
    const { items } = JSON.parse((await reading(true, ['tables', 'list', '--json'])).out) as {
      items: { source: string }[];
    };
    const sources = new Set(items.map((row) => row.source));
    expect(sources).toContain('STRATOVAR_BUCKET');
    expect([...sources].filter((text) => text.startsWith('PROVIDER_'))).toEqual([]);
    for (const line of [['integrations', 'a'], ['integrations', 'b'], ['archives'], ['retention']]) {
      const { exit, out } = await reading(true, [...line, 'list', '-o', 'jsonl']);
      expect([line, exit, out === '']).toEqual([line, 0, false]);
      expect(out).not.toMatch(/"(?!(?:name|query)")\w*":"?provider_|"provider_/);
    }
    const lines = (await reading(true, ['tables', 'list'])).out;
    expect(lines).toContain('stratovar_bucket');
    expect(lines).not.toContain('provider_c');
  });

  test('operations are listed under our ids, with its paths and permissions', async () => {
    const { out } = await reading(true, ['call', '--list']);
    const line = out.split('\n').find((text) => text.startsWith('integrations.list-a '));
    expect(line).toMatch(
      / nimbalor_configuration_read +\/api\/v1\/integration\/nimbalor +List accounts of Nimbalor Cloud$/,
    );
    expect(out).not.toMatch(/provider_a/);
    const help = await reading(true, ['call', 'integrations.list-a', '--help']);
    expect(help.out).toContain('GET /api/v1/integration/nimbalor');
  });

  test('a check of the keys compares permissions in the deployment’s words', async () => {
    const { out } = await reading(true, ['profiles', 'test']);
    expect(out).toContain('your roles have every permission that orgdeck uses\n');
    expect(out).toMatch(/^✓ Integrations +read and edit$/m);
  });

  test('refuses the keys without the vocabulary, because its key headers have other names', async () => {
    const ran = await reading(false, ['call', 'roles.list']);
    expect(ran.exit).toBe(4);
  });
});

test('the demo uses the vocabulary in the client and the service', async () => {
  const words = file('words.json', JSON.stringify(invented));
  const ran = await machine.orgdeck(['call', 'integrations.list-a', '--demo', '--vocabulary', words]);
  expect(ran.exit).toBe(0);
  expect(JSON.parse(ran.out)[0]).toHaveProperty('tenant_name');
});

test('the simulator prints its connection settings with the vocabulary', async () => {
  const printed: string[] = [];
  const options = { vocabulary: inventedWords(), vocabularyFile: '/tmp/my words.json', monitors: 0, issues: 0 };
  const exit = await runSimulator(options, (line) => printed.push(line), Promise.resolve());
  expect(exit).toBe(0);
  expect(printed.at(-1)).toMatch(/--base-url http:\S+ --vocabulary '\/tmp\/my words\.json'$/);
});

test('the simulator accepts a vocabulary and refuses to start with a wrong one', async () => {
  const started: unknown[] = [];
  const elsewhere = {
    simulator: async (flags: unknown) => {
      started.push(flags);
      return 0;
    },
  };
  const good = file('good.json', JSON.stringify(invented));
  expect((await machine.orgdeck(['simulator', '--vocabulary', good], { elsewhere })).exit).toBe(0);
  expect(started).toMatchObject([{ vocabularyFile: good, vocabulary: { headers: { apiKey: 'ZEPHYRINE-API-KEY' } } }]);
  const ran = await machine.orgdeck(['simulator', '--vocabulary', file('bad.json', '{"service":""}')], { elsewhere });
  expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('service: it is empty') });
  expect(started).toHaveLength(1);
});
