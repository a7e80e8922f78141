import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { namesDomain } from '../../src/cli/domains.ts';
import type { Start } from '../../src/cli/start.ts';
import { splitCommandLine } from '../../src/lib/setting-values.ts';
import { systemClock } from '../../src/lib/time.ts';
import { servedCommands } from '../support/served-commands.ts';
import { createSimulator } from '../support/simulator.ts';

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 40, issues: 30 });
const edits = () => simulator.received().filter((request) => request.method !== 'GET');

test('a line names a list where it asks for one, not where it says what the dashboard begins with', () => {
  expect(namesDomain(['--demo', 'monitors', 'list'])).toBe(true);
  expect(namesDomain(['--demo', '--screen', 'monitors'])).toBe(false);
  expect(namesDomain(['man', 'monitors'])).toBe(false);
});

test('every resource has the same verbs; other words for them work and are not listed', async () => {
  const page = (await machine.orgdeck(['man'])).out.replaceAll('\\-', '-');
  const commands = page
    .split('\n')
    .flatMap((line) => /^\.SS orgdeck ([a-z0-9 -]+?)(?: [<[].*)?$/.exec(line)?.[1] ?? []);
  const words = {
    new: 'create',
    add: 'create',
    show: 'get',
    update: 'edit',
    rm: 'delete',
    remove: 'delete',
    order: 'set-order',
  };
  for (const [word, verb] of Object.entries(words)) {
    const domains = commands
      .filter((command) => command.endsWith(` ${verb}`) && !command.startsWith('profiles'))
      .map((command) => command.slice(0, -verb.length - 1));
    expect(domains.length).toBeGreaterThan(1);
    for (const domain of domains) {
      expect(commands).not.toContain(`${domain} ${word}`);
      const { out } = await machine.orgdeck([...domain.split(' '), word, '--help']);
      expect(out).toMatch(new RegExp(`^Usage: orgdeck ${domain} ${verb} `));
      expect((await machine.orgdeck([...domain.split(' '), '--help'])).out).not.toMatch(new RegExp(`\\b${verb}\\|`));
    }
  }
});

test('all JSON has one envelope, and the fields that docs/json.md names', async () => {
  await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url]);
  await orgdeck(['monitors', 'mute', [...simulator.org.monitors.keys()][0] ?? '', '--for', '1h']);
  const page = readFileSync('docs/json.md', 'utf8');
  for (const [, line = '', about = ''] of page.matchAll(/^\| `([a-z -]+ --json)` \| (.+) \|$/gm)) {
    const { version, items, partial, ...beside } = JSON.parse((await orgdeck(line.split(' '))).out);
    expect([version, partial], line).toEqual([1, null]);
    const named = [...about.matchAll(/`([a-z_0-9]+)`/g)].map(([, name]) => name);
    expect(items.length).toBeGreaterThan(0);
    const fields = [...new Set([...items.flatMap((item: object) => Object.keys(item)), ...Object.keys(beside)])];
    expect(named, line).toEqual(expect.arrayContaining(fields));
    expect(fields.filter((name) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name))).toEqual([]);
  }
  expect(page.match(/^\| `[a-z -]+ --json` \|/gm)).toHaveLength(5);
});

describe('orgdeck profiles and info', () => {
  test('a profile is added, listed, tested, used and removed', async () => {
    const none = 'no profiles yet: orgdeck profiles add NAME --base-url URL\n';
    expect(await machine.orgdeck(['profiles', 'list'])).toEqual({ exit: 0, out: none, err: '' });
    writeFileSync(join(machine.directory, 'key'), there.apiKey, { mode: 0o600 });
    const command = JSON.stringify([process.execPath, '-p', `'${there.appKey}'`]);
    const add = `profiles add acme --base-url ${there.url} --environment prod --production`.split(' ');
    const sources = ['--api-key-file', join(machine.directory, 'key'), '--app-key-command', command];
    const added = await machine.orgdeck([...add, ...sources]);
    expect(added).toMatchObject({ exit: 0, err: '', out: expect.stringContaining('profile acme added') });
    expect(added.out).not.toContain(there.appKey);
    await machine.orgdeck(['profiles', 'add', 'beta', '--base-url', 'https://beta.test']);
    expect((await machine.orgdeck(['profiles', 'list'])).out).toMatch(
      /^\* acme {2}http\S+ {2}prod PRODUCTION\n {2}beta {2}https:\/\/beta.test\n$/,
    );
    const tested = await machine.orgdeck(['profiles', 'test', 'acme']);
    expect(tested.exit).toBe(0);
    expect(tested.out).toMatch(/API key +accepted\n/);
    expect(tested.out).toMatch(/application key +accepted, of /);
    expect(edits().every((edit) => edit.path.endsWith('/search'))).toBe(true);
    expect((await machine.orgdeck(['profiles', 'use', 'beta'])).exit).toBe(0);
    expect((await machine.orgdeck(['info'])).out).toContain('https://beta.test');
    expect((await machine.orgdeck(['profiles', 'remove', 'beta', '--yes'])).exit).toBe(0);
    expect((await machine.orgdeck(['profiles', 'use', 'beta'])).err).toContain('there are acme');
    const path = join(machine.directory, 'profiles.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"production": true', '"production": "yes"'));
    const broken = expect.stringMatching(/^the profile acme cannot be used: /);
    expect(await machine.orgdeck(['profiles', 'list'])).toMatchObject({ exit: 3, err: broken });
    const { out, exit } = await machine.orgdeck(['profiles', 'list', '--json']);
    expect([JSON.parse(out), exit]).toEqual([{ version: 1, items: [], partial: [broken] }, 3]);
  });

  test('a command that prints a key does not get the variables of other profiles, broken ones too', async () => {
    const script = `['BETA', 'OLD'].some((name) => name in process.env) ? 'leaked' : '${there.appKey}'`;
    const command = JSON.stringify([process.execPath, '-p', script]);
    const add = (name: string, url: string, ...more: string[]) =>
      machine.orgdeck(['profiles', 'add', name, '--base-url', url, ...more]);
    await add('acme', there.url, '--app-key-command', command);
    await add('beta', 'https://beta.test', '--api-key-env', 'BETA');
    await add('old', 'https://old.test', '--api-key-env', 'OLD');
    const path = join(machine.directory, 'profiles.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('https://old', 'http://old'));
    const env = { ORGDECK_API_KEY: there.apiKey, BETA: 'fake-beta', OLD: 'fake-old' };
    expect(await machine.orgdeck(['profiles', 'test', 'acme'], { env })).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/application key +accepted/),
    });
  });

  test('lines of the journal that cannot be read are counted once, with the file', async () => {
    const path = join(machine.directory, 'journal.jsonl');
    writeFileSync(path, 'not JSON\n', { mode: 0o600 });
    const journal = (...form: string[]) =>
      machine.orgdeck(['journal', '--base-url', there.url, ...form], {
        env: { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey },
      });
    const told = `Left out, because they cannot be read as edits: 1 line of ${path}`;
    for (const form of [[], ['--markdown'], ['--quiet']]) {
      const ran = await journal(...form);
      expect([ran.exit, ran.err.split(told).length]).toEqual([3, 2]);
    }
    expect(JSON.parse((await journal('--json')).out)).toEqual({ version: 1, items: [], partial: [told] });
  });

  test('a profile is edited: what is given changes, an empty text clears, the keys stay', async () => {
    const add = ['profiles', 'add', 'acme', '--base-url', there.url, '--store-keys', '--theme', 'light'];
    await machine.orgdeck([...add, '--web-url', 'https://web.test'], { types: [there.apiKey, there.appKey] });
    const stored = () => JSON.parse(readFileSync(join(machine.directory, 'profiles.json'), 'utf8'));
    const { keys } = stored().profiles[0];
    const edit = ['profiles', 'edit', 'acme', '--name', 'beta', '--poll', '60', '--read-only', '--production'];
    const edited = await machine.orgdeck([...edit, '--web-url', 'https://pages.test/', '--theme', '']);
    expect(edited).toEqual({ exit: 0, err: '', out: 'profile beta saved; it was acme\n' });
    expect(stored()).toMatchObject({ current: 'beta', profiles: [{ name: 'beta', production: true, readOnly: true }] });
    expect(stored().profiles[0]).toMatchObject({
      pollSeconds: 60,
      webUrl: expect.stringContaining('pages.test'),
      keys,
    });
    expect(stored().profiles[0]).not.toHaveProperty('theme');
    await machine.orgdeck([
      'profiles',
      'edit',
      'beta',
      '--no-production',
      '--no-read-only',
      '--web-url',
      '',
      '--mouse',
      'on',
    ]);
    expect(stored().profiles[0]).toMatchObject({ production: false, readOnly: false, mouse: true, keys });
    expect(stored().profiles[0]).not.toHaveProperty('webUrl');
  });

  test('the test names the permissions that fail, and exits with 4 for a refused key', async () => {
    const { exit, out } = await orgdeck(['profiles', 'test'], { env: { ORGDECK_APP_KEY: there.readOnlyAppKey } });
    expect(exit).toBe(0);
    expect(out).toMatch(/your roles lack .*monitors_write/);
    simulator.withdraws(['mappings.list']);
    simulator.refuses(403, { match: 'roles.list', body: { errors: ['Forbidden'] } });
    const some = await orgdeck(['profiles', 'test']);
    expect(some.out).toMatch(/Mappings +mappings: not offered by this deployment/);
    expect(some.out).toMatch(/Roles +roles: refused although your roles hold user_access_read: Forbidden/);
    simulator.refuses(403, {
      match: 'tables.list',
      body: { errors: ['Forbidden', 'Your address is not on the list'] },
    });
    const all = await orgdeck(['profiles', 'test']);
    // Another cause is told as it is; what was read is not called missing.
    expect(all.out).toMatch(/Tables +tables: refused: Forbidden Your address is not on the list\n/);
    expect(all.out).toMatch(/Keys +read and edit\n/);
    expect(all.out).toMatch(/permissions +your roles have every permission/);
    const bad = await orgdeck(['profiles', 'test'], { env: { ORGDECK_API_KEY: 'y'.repeat(32) } });
    expect(bad.exit).toBe(4);
    expect(bad.out).toMatch(/API key +refused/);
  });

  test('keys are stored on request, typed masked; info shows at most four characters', async () => {
    const typed = { types: [there.apiKey, there.appKey] };
    const added = await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--store-keys'], typed);
    expect(added.exit).toBe(0);
    expect(readFileSync(join(machine.directory, 'profiles.json'), 'utf8')).toContain(there.apiKey);
    expect((await machine.orgdeck(['call', 'monitors.list', '--page_size', '1'])).exit).toBe(0);
    for (const line of [['info'], ['info', '--json'], ['profiles', 'list'], ['profiles', 'list', '--json']]) {
      const { out, err } = await machine.orgdeck(line);
      expect(out + err).not.toContain(there.apiKey.slice(-8));
    }
    expect((await machine.orgdeck(['info'])).out).toContain(`ends in ${there.apiKey.slice(-4)}`);
  });

  test('a terminal prompts for an address that was not given', async () => {
    const typed = { types: [there.url, there.apiKey, there.appKey] };
    const added = await machine.orgdeck(['profiles', 'add', 'acme', '--store-keys'], typed);
    expect([added.exit, (await machine.orgdeck(['profiles', 'test', 'acme'])).exit]).toEqual([0, 0]);
    const left = await machine.orgdeck(['profiles', 'add', 'beta'], { types: [] });
    expect(left).toMatchObject({ exit: 2, out: '', err: 'nothing was added\n' });
  });

  test('a terminal prompts for keys to be typed; without a terminal they are reported as missing', async () => {
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url]);
    expect((await machine.orgdeck(['call', 'monitors.list'], { types: [there.apiKey, there.appKey] })).exit).toBe(0);
    expect(await machine.orgdeck(['call', 'monitors.list'])).toMatchObject({
      exit: 4,
      err: expect.stringContaining('set ORGDECK_API_KEY'),
    });
  });

  test('info names the journal of a profile, and none for the demo, which leaves none behind', async () => {
    const info = async (...line: string[]) => (await machine.orgdeck(['info', ...line])).out;
    const path = join(machine.directory, 'journal.jsonl');
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url]);
    expect(await info()).toContain(`\njournal          ${path}\n`);
    expect(await info('--demo')).toContain('\njournal          that of the demo is removed when it ends\n');
    expect([JSON.parse(await info('--json')).journal, JSON.parse(await info('--demo', '--json')).journal]).toEqual([
      path,
      null,
    ]);
  });

  test('--tz names the zone of what is typed and shown, and info says which holds', async () => {
    const id = simulator.has('monitor', { name: 'web' });
    const muted = await orgdeck(['monitors', 'mute', id, '--for', 'until 23:30', '--tz', 'Asia/Kolkata']);
    expect(muted.out).toMatch(/until (tomorrow )?23:30 UTC\+5:30/);
    const info = async (line: readonly string[], env = {}) =>
      (await machine.orgdeck(['info', '--demo', ...line], { env })).out;
    expect(await info([])).toMatch(/time zone +UTC +\(default: this machine\)/);
    expect(await info([], { TZ: 'UTC' })).toMatch(/time zone +UTC +\(environment: TZ\)/);
    expect(await info(['--tz', 'Asia/Kolkata'])).toMatch(/time zone +Asia\/Kolkata +\(flag: --tz\)/);
    expect(await info(['--tz', 'UTC', '--json'])).toContain('"time zone"');
    const long = await machine.orgdeck(['info', '--tz', 'x'.repeat(61)]);
    expect(long).toMatchObject({ exit: 2, err: expect.stringContaining(`"${'x'.repeat(60)}" is not a time zone`) });
    const odd = { io: { zoneTrouble: 'TZ is odd', pages: () => '/docs' } };
    const told = async (...line: string[]) => (await machine.orgdeck(['info', '--demo', ...line], odd)).out;
    expect(await told()).toMatch(/\ndocumentation {4}\/docs\nnote: TZ is odd\n$/);
    expect(await told('--tz', 'Europe/Berlin')).not.toContain('TZ is odd');
  });

  test('a profile file at 0644 stops everything but the demo, with the command that corrects it', async () => {
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url]);
    chmodSync(join(machine.directory, 'profiles.json'), 0o644);
    expect(await machine.orgdeck(['info'])).toMatchObject({ exit: 2, err: expect.stringContaining('chmod 600') });
    const refused = { exit: 1, out: '', err: expect.stringContaining('chmod 600') };
    expect(await machine.orgdeck(['profiles', 'list'])).toEqual(refused);
    expect((await machine.orgdeck(['info', '--demo'])).exit).toBe(0);
  });
});

describe('orgdeck', () => {
  test('refuses to start while certificate validation is off', async () => {
    const { exit, err } = await machine.orgdeck(['info'], { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(exit).toBe(78);
    expect(err).toContain('NODE_EXTRA_CA_CERTS');
  });

  test.each(['fetch', 'undici', 'http', 'https', 'http2', 'net', 'tls'])(
    'names %s among what NODE_DEBUG must not hold',
    async (name) => {
      const { exit, err } = await machine.orgdeck(['info'], { env: { NODE_DEBUG: name } });
      expect(exit).toBe(78);
      expect(err).toMatch(new RegExp(`remove .*\\b${name}\\b.* from it`));
    },
  );

  test.each(['tls,UNDICI', 'und*', '*'])('refuses to start with NODE_DEBUG=%s', async (value) => {
    const { exit, err } = await machine.orgdeck(['info'], { env: { NODE_DEBUG: value } });
    expect(exit).toBe(78);
    expect(err).toContain('NODE_DEBUG');
    expect((await machine.orgdeck(['info'], { env: { NODE_DEBUG: 'timer,fs' } })).exit).toBe(0);
  });

  test.each([
    '--inspect',
    '--max-old-space-size=100 --inspect-brk=0',
    '--tls-keylog=/tmp/keys',
    '"--heapsnapshot-signal=SIGUSR2"',
    '--heap-prof',
    '--trace_tls',
  ])('refuses to start with NODE_OPTIONS=%s', async (value) => {
    const { exit, err } = await machine.orgdeck(['info'], { env: { NODE_OPTIONS: value } });
    expect(exit).toBe(78);
    expect(err).toMatch(/^NODE_OPTIONS has --(inspect|tls-keylog|heap|trace_tls)\S*, which could expose/);
    expect((await machine.orgdeck(['info'], { env: { NODE_OPTIONS: '--max-old-space-size=100' } })).exit).toBe(0);
  });

  test('help and version; without a terminal the help is on stderr with exit 2', async () => {
    expect(await machine.orgdeck(['--version'])).toMatchObject({ exit: 0, out: '1.2.3\n' });
    expect(await machine.orgdeck(['--help'])).toMatchObject({
      exit: 0,
      err: '',
      out: expect.stringContaining('orgdeck profiles add'),
    });
    expect(await machine.orgdeck([])).toMatchObject({
      exit: 2,
      out: '',
      err: expect.stringContaining('Usage: orgdeck'),
    });
    expect(await machine.orgdeck(['monitors'])).toMatchObject({ exit: 2, out: '' });
  });

  test('a help shows what is special to its command first, then what many commands take', async () => {
    const flagsIn = (help: string) =>
      [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+|\w+:)|^\w+ options:$/gm)].map(([all]) => all.trim());
    const { out } = await machine.orgdeck(['monitors', 'mute', '--help']);
    const flags = flagsIn(out);
    expect(flags.indexOf('--for')).toBeLessThan(flags.indexOf('Common options:'));
    expect(flags.indexOf('-h, --help')).toBeLessThan(flags.indexOf('Common options:'));
    expect(flags.indexOf('--profile')).toBeGreaterThan(flags.indexOf('Common options:'));
    const all = (await machine.orgdeck(['--help'])).out;
    expect(all).not.toContain('Common options');
    // A profile keeps a theme, but not how a terminal draws, nor which profile is used.
    const settings = flagsIn((await machine.orgdeck(['profiles', 'add', '--help'])).out);
    expect(['--theme', '--ascii', '--profile'].map((flag) => settings.includes(flag))).toEqual([true, false, false]);
    for (const help of [all, (await machine.orgdeck(['monitors', '--help'])).out])
      expect(help.match(/^ {2}help \[command.* {2,}(.*)$/m)?.[1]).toBe('print the help of a command');
  });

  test('a list that a command read whole is completed from then on, unless the profile keeps no lists', async () => {
    const id = simulator.has('monitor', { name: 'web is slow' });
    const offered = async () =>
      (await orgdeck(['__complete', `orgdeck --base-url ${there.url} monitors mute ${id}`])).out;
    expect(await offered()).toBe(`${id}\n`);
    await orgdeck(['monitors', 'list', '--query', 'slow']);
    expect(await offered()).toBe(`${id}\n`);
    expect((await orgdeck(['monitors', 'list'])).exit).toBe(0);
    simulator.forgets();
    expect(await offered()).toBe(`${id}\n${id}\tweb is slow\n`);
    expect(simulator.received()).toEqual([]);
    expect((await orgdeck(['issues', 'list', '--limit', '1'])).exit).toBe(0);
    expect((await orgdeck(['__complete', `orgdeck --base-url ${there.url} issues get `])).out).toBe('\n');
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--snapshot', 'off']);
    const env = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey };
    writeFileSync(join(machine.directory, 'names-acme.json'), '{}', { mode: 0o600 });
    expect((await machine.orgdeck(['--profile', 'acme', 'monitors', 'list'], { env })).exit).toBe(0);
    expect(existsSync(join(machine.directory, 'names-acme.json'))).toBe(false);
  });

  test('every command that a sentence of the documents names exists, with its flags', async () => {
    const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...readdirSync('docs')];
    const lines = documents
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => [
        ...readFileSync(existsSync(name) ? name : join('docs', name), 'utf8').matchAll(/`orgdeck ([^`]+)`/g),
      ])
      .map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(20);
    for (const line of new Set(lines)) {
      const words = line.split(' ').filter((word) => !/^[A-Z]+$/.test(word));
      const flags = words.filter((word) => word.startsWith('-'));
      const end = words.findIndex((word) => word.startsWith('-'));
      const ran = await machine.orgdeck(['help', ...(end < 0 ? words : words.slice(0, end))]);
      expect({ line, ...ran }).toMatchObject({ line, exit: 0, err: '' });
      for (const flag of flags) expect([line, flag, ran.out.includes(`${flag} `)]).toEqual([line, flag, true]);
    }
  });

  test('every example of a help works on the demo as it stands', async () => {
    const page = (await machine.orgdeck(['man', '--all'])).out.replaceAll('\\-', '-').replaceAll('\\e', '\\');
    // In the locale C troff warns of it at each look.
    expect(page).not.toContain('…');
    const lines = [...page.matchAll(/^ {2}(orgdeck .*)$|[:(] ?(orgdeck [^|)\n]+)/gm)].map(
      ([, line, said]) => (line ?? said ?? '').split(/ \| | {3}/)[0] ?? '',
    );
    expect(lines.length).toBeGreaterThan(40);
    const demo = createSimulator({ seed: 2026, lively: false });
    const { url, apiKey, appKey } = await demo.start();
    const opened: string[] = [];
    const elsewhere = { dashboard: async ({ settings }: Start) => opened.push(settings.name) - 1 };
    const env = { ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey, ORGDECK_BASE_URL: url };
    try {
      for (const line of new Set(lines)) {
        const { words, current } = splitCommandLine(line);
        const [, ...argv] = [...words, current].filter(Boolean);
        const ran = await machine.orgdeck(argv, {
          env,
          elsewhere,
          io: { clock: systemClock },
          terminal: line === 'orgdeck --demo',
        });
        expect({ line, ...ran }).toMatchObject({ line, exit: 0 });
      }
      expect(opened).toEqual(['demo']);
    } finally {
      await demo.stop();
    }
  });

  test('opens the dashboard with the effective settings; switching drops address and keys of the environment', async () => {
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', 'https://api.acme.test']);
    const starts: Start[] = [];
    const elsewhere = {
      dashboard: async (start: Start) => {
        starts.push(start);
        return 130;
      },
    };
    expect((await orgdeck([], { terminal: true, elsewhere })).exit).toBe(130);
    const [start] = starts;
    expect(start?.settings).toMatchObject({ baseUrl: there.url, demo: false });
    expect(start?.env.ORGDECK_API_KEY).toBeUndefined();
    const first = await start?.connect(start.settings);
    expect(first).toMatchObject({ ok: true, value: { client: { origin: there.url } } });
    if (first?.ok) {
      expect((await start?.check(first.value))?.length).toBeGreaterThan(10);
      await first.value.close();
    }
    const other = await start?.resolve('acme');
    expect(other).toMatchObject({
      ok: true,
      value: { baseUrl: 'https://api.acme.test', keyRequest: { sources: { apiKey: { typed: true } } } },
    });
    expect(await start?.resolve(start.settings.name)).toMatchObject({ ok: true, value: { baseUrl: there.url } });
    expect(await start?.resolve('demo')).toMatchObject({ ok: true, value: { demo: true } });
  });

  test('asks for typed keys before it opens the screen', async () => {
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url]);
    const elsewhere = { dashboard: async () => 0 };
    expect((await machine.orgdeck([], { terminal: true, elsewhere, types: [there.apiKey, there.appKey] })).exit).toBe(
      0,
    );
    expect(await machine.orgdeck([], { terminal: true, elsewhere, types: [] })).toMatchObject({ exit: 4 });
    expect((await machine.orgdeck(['--demo'], { terminal: true, elsewhere })).exit).toBe(0);
  });

  test('a line of complete options of the dashboard makes no command; one that names a command or lacks a value does, and so does the help', async () => {
    const made = vi.spyOn(Command.prototype, 'command');
    const count = async (line: string, terminal = true) => {
      made.mockClear();
      const ran = await machine.orgdeck(line.split(' '), { terminal, elsewhere: { dashboard: async () => 0 } });
      return [ran.exit, made.mock.calls.length > 0];
    };
    expect(await count('--demo --screen monitors --poll 30')).toEqual([0, false]);
    expect(await count('--demo --view monitors')).toEqual([0, true]);
    expect(await count('--demo version')).toEqual([0, true]);
    expect(await count('--demo --screen')).toEqual([2, true]);
    expect(await count('--demo', false)).toEqual([2, true]);
    made.mockRestore();
  });

  test('an internal error is one line without keys, and exit code 1', async () => {
    const elsewhere = { dashboard: () => Promise.reject(new Error(`broke with ${there.appKey}`)) };
    const { exit, err } = await orgdeck([], { terminal: true, elsewhere });
    expect(exit).toBe(1);
    expect(err).toBe('orgdeck stopped because of an internal error: broke with [redacted]\n');
  });
});
