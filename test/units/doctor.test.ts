import { chmodSync, chownSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { clockFact, type DoctorFact } from '../../src/cli/access-facts.ts';
import { authorityFact, printFacts, proxyFact, terminalFacts, tmuxFacts } from '../../src/cli/doctor.ts';
import type { Io } from '../../src/cli/io.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { systemClock } from '../../src/lib/time.ts';
import { readTerminalReplies } from '../../src/terminal/terminal-capabilities.ts';
import { type More, machineOfEach } from '../support/commands.ts';
import { createSimulator, type Simulator, type Started } from '../support/simulator.ts';

const utf8 = { TERM: 'xterm-256color', LANG: 'C.UTF-8' };
const [large, narrow, tiny] = [
  { columns: 120, rows: 40 },
  { columns: 70, rows: 24 },
  { columns: 50, rows: 12 },
];
const aProxy = 'http://someone:s3cret@proxy.test:3128';

/** A fact by its id, as `state text / advice`. */
const said = (facts: readonly DoctorFact[], id: string): string => {
  const fact = facts.find((one) => one.id === id);
  return fact ? [`${fact.state} ${fact.text}`, ...(fact.advice ?? [])].join(' / ') : 'nothing';
};

const terminal =
  (env: object = {}, size: typeof large | 'none' = large, replies = '') =>
  () =>
    terminalFacts({ ...utf8, ...env }, size === 'none' ? undefined : size, readTerminalReplies(replies));
const tmux = (options: Parameters<typeof tmuxFacts>[0], notify: string) => () => tmuxFacts(options, notify);
const clock = (more: Parameters<typeof clockFact>[0]) => () => [clockFact(more)];
const proxy = (env: Readonly<Record<string, string>>, url?: string) => () => [proxyFact(env, url)];
const authority =
  (...[path]: readonly string[]) =>
  async () => [await authorityFact({ NODE_EXTRA_CA_CERTS: path })];
const fine = { 'set-clipboard': 'external', 'escape-time': '10', 'default-terminal': 'tmux-256color' };
const poor = { 'set-clipboard': 'off', 'allow-passthrough': 'off', 'escape-time': '500', 'default-terminal': 'screen' };
const allReplies = '\x1b]11;rgb:ffff/ffff/f0f0\x1b\\\x1b[?2026;2$y\x1b[?0u\x1b[?62;52c';

test.each<[id: string, facts: () => readonly DoctorFact[] | Promise<readonly DoctorFact[]>, says: RegExp]>([
  ['terminal', terminal(), /^ok xterm-256color$/],
  ['terminal', terminal({}, 'none'), /^ok none: .*ssh -t/],
  ['terminal', terminal({ TERM: 'dumb' }), /^bad TERM=dumb.* \/ set TERM/],
  ['terminal', terminal({ TERM: undefined }), /^bad TERM is not set \/ set TERM/],
  ['size', terminal(), /^ok 120x40$/],
  ['size', terminal({}, narrow), /^warn 70x24 hides .* \/ 80x24/],
  ['size', terminal({}, { columns: 80, rows: 24 }), /^ok 80x24$/],
  ['size', terminal({}, { columns: 79, rows: 24 }), /^warn 79x24 hides/],
  ['size', terminal({}, tiny), /^bad 50x12 is too small .* \/ make the terminal 60x16/],
  ['colors', terminal({ NO_COLOR: '1' }), /^ok none \(NO_COLOR\)/],
  ['colors', terminal({ COLORTERM: 'truecolor' }), /^ok 16 million/],
  ['characters', terminal(), /^ok UTF-8 \(LANG=C.UTF-8\)$/],
  ['characters', terminal({ LC_ALL: 'C' }), /^warn ASCII only \(LC_ALL=C\) \/ export LC_ALL/],
  ['replies', terminal(), /^ok none/],
  [
    'replies',
    terminal({}, large, allReplies),
    /background \(OSC 11\) light, whole frames \(2026\) yes, kitty keys yes/,
  ],
  ['replies', terminal({}, large, '\x1b[?2026;0$y\x1b[?1;2c'), /unknown, .* no, kitty keys no/],
  ['clipboard', terminal({}, large, '\x1b[?62;52c'), /^ok the terminal accepts copies/],
  ['clipboard', terminal(), /^ok copies are sent/],
  ['clipboard', terminal({ STY: '1.pts' }), /^warn none for programs \(screen\) \/ y shows/],
  ['clipboard', terminal({ TMUX: '/tmp/tmux' }), /^nothing$/],
  ['tmux', tmux(undefined, 'bell'), /^warn tmux does not answer/],
  ['tmux', tmux(fine, 'osc9'), /^ok copies, Esc and colors/],
  [
    'tmux',
    tmux(poor, 'osc9'),
    /^warn .*500 ms.* \/ add to tmux.conf: \/ +set -g set-clipboard on \/ +set -g allow-passthrough on \/ +set -sg escape-time 10 \/ +set -g default-terminal "tmux-256color"$/,
  ],
  ['tmux', tmux({ 'allow-passthrough': 'off', 'default-terminal': 'tmux-256color' }, 'bell'), /^ok/],
  ['tmux', tmux({ ...fine, 'escape-time': '50' }, 'bell'), /^ok/],
  ['tmux', tmux({ ...fine, 'escape-time': '51' }, 'bell'), /^warn .*51 ms/],
  ['clock', clock({ aheadMs: -4000 }), /^ok within a few seconds/],
  ['clock', clock({ aheadMs: 20_000 }), /^warn 20s ahead of .* \/ set the clock/],
  ['clock', clock({ aheadMs: -600_000 }), /^bad 10m behind/],
  ['clock', clock({}), /^ok the service does not report/],
  ['proxy', proxy({}, 'https://api.test'), /^ok none$/],
  [
    'proxy',
    proxy({ HTTPS_PROXY: aProxy, NO_PROXY: '.test' }, 'https://api.example'),
    /^ok http:\/\/proxy\.test:3128 \(HTTPS_PROXY\), but not to \.test/,
  ],
  ['proxy', proxy({ HTTPS_PROXY: aProxy }, 'http://127.0.0.1:8080'), /^ok not used: the service is on this machine/],
  [
    'proxy',
    proxy({ ALL_PROXY: 'ftp://u:s3cret@x' }),
    /^bad the proxy in ALL_PROXY is no address of http, https or socks5 \/ write it as http:\/\/host:port or .* in ALL_PROXY/,
  ],
  ['proxy', proxy({ ALL_PROXY: 'socks5://u:s3cret@x:1080' }), /^ok socks5:\/\/x:1080 \(ALL_PROXY\)/],
  ['authorities', authority(), /^ok those of Node$/],
  ['authorities', authority('/not/there.pem'), /^bad .*ENOENT.* \/ name a file/],
  ['authorities', authority('package.json'), /^bad package.json holds no certificate/],
])('%s: %#', async (id, find, says) => {
  const facts = await find();
  expect(said(facts, id)).toMatch(says);
  expect(JSON.stringify(facts)).not.toContain('s3cret');
});

test.each<[size: { readonly columns: number } | undefined, isTerminal: boolean, widest: number, lines: number]>([
  [{ columns: 100 }, true, 100, 4],
  [undefined, true, 80, 4],
  [{ columns: 20 }, true, 37, 8],
  [undefined, false, 207, 2],
])('facts on a terminal of %j (%j) are %i wide', (size, stdout, widest, count) => {
  let printed = '';
  const out = (text: string) => {
    printed += text;
  };
  const io = {
    env: { TERM: 'dumb' },
    isTerminal: { stdin: true, stdout },
    ...(size && { size: () => size }),
    out,
  } as unknown as Io;
  printFacts(io, [{ id: 'x', title: 'its', state: 'warn', text: 'a'.repeat(200), advice: ['b'] }], undefined);
  const lines = printed.trimEnd().split('\n');
  expect([Math.max(...lines.map((line) => line.length)), lines.length]).toEqual([widest, count]);
});

describe('orgdeck doctor', () => {
  let simulator: Simulator;
  let there: Started;
  const machine = machineOfEach();
  beforeAll(async () => {
    simulator = createSimulator({ seed: 5, monitors: 5, issues: 5, lively: false });
    there = await simulator.start();
  });
  afterAll(() => simulator.stop());
  beforeEach(() => {
    simulator.recovers();
    simulator.forgets();
  });

  /** On the simulator with its keys, by the real clock, unless told otherwise. */
  const doctor = async (line: readonly string[] = [], { env = {}, ...more }: More = {}) => {
    const keys = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey };
    return machine.orgdeck(['doctor', '--base-url', there.url, ...line], {
      io: { clock: systemClock },
      ...more,
      env: { ...keys, ...env },
    });
  };
  const facts = (out: string): readonly DoctorFact[] => JSON.parse(out).items;

  test('all is well: a line for each fact, exit 0, no key and no edit', async () => {
    const { exit, out, err } = await doctor();
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/^✓ versions +orgdeck 1\.2\.3, Node \d/);
    expect(out).toMatch(/^✓ link +http:\/\/127\S+ answers in \d+ ms, without TLS on this machine$/m);
    expect(out).toMatch(/^✓ application key +accepted, of /m);
    expect(out).toMatch(/^✓ Monitors +read and edit$/m);
    expect(out).not.toMatch(/^[!✗]/m);
    for (const key of [there.apiKey, there.appKey]) expect(out).not.toContain(key);
    const [probe] = simulator.received();
    expect(Object.keys(probe?.headers ?? {}).filter((name) => /key/i.test(name))).toEqual([]);
    expect(simulator.received().every(({ method, path }) => method === 'GET' || path.endsWith('/search'))).toBe(true);
    // Of each list one row is enough.
    const sizes = simulator
      .received()
      .map(({ query }) => query.page_size ?? query['page[size]'] ?? query['page[limit]']);
    expect(new Set(sizes)).toEqual(new Set([undefined, '1']));
    const asked = new Set(simulator.received().map(({ path }) => path));
    const isRead = (list: AnyList) => list.board || list.reads?.some(({ path }) => asked.has(path));
    const unread = screens.filter(({ lists }) => !lists.some(isRead)).map(({ id }) => id);
    expect(unread, 'each screen has a read in src/cli/access-facts.ts').toEqual([]);
  });

  test('names what the roles lack screen by screen, which is no failure', async () => {
    const { exit, out } = await doctor(['--json'], { env: { ORGDECK_APP_KEY: there.readOnlyAppKey } });
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ version: 1, state: 'warn' });
    expect(said(facts(out), 'screen-monitors')).toMatch(
      /^warn downtimes cannot be read; your roles lack .*monitors_write/,
    );
    expect(said(facts(out), 'screen-archives')).toMatch(/^warn your roles lack /);
    expect(said(facts(out), 'screen-roles')).not.toContain('monitors_write');
    expect(said(facts(out), 'permissions')).toMatch(/^warn .* \/ users who may edit roles/);
  });

  test('says what is wrong, with 1, and what to do', async () => {
    const late = await doctor(['--json'], { io: { clock: { ...systemClock, now: () => Date.now() - 3_600_000 } } });
    expect(late.exit).toBe(1);
    expect(said(facts(late.out), 'clock')).toMatch(/^bad 1h behind .* \/ set the clock/);

    const refused = await doctor(['--json'], { env: { ORGDECK_API_KEY: 'y'.repeat(32) } });
    expect(refused.exit).toBe(1);
    expect(said(facts(refused.out), 'api-key')).toMatch(/^bad /);
    expect(refused.out).not.toContain('yyyy');
    // What it advises works where no profile has the address.
    const info = / \/ see where it comes from: orgdeck (info .*)$/.exec(said(facts(refused.out), 'api-key'))?.[1] ?? '';
    expect(await machine.orgdeck(info.split(' '))).toMatchObject({ exit: 0, err: '' });

    simulator.refuses(400, { match: 'tables.list', body: { errors: ['broken'] } });
    const broken = await doctor(['--json']);
    expect(broken.exit).toBe(1);
    expect(said(facts(broken.out), 'screen-tables')).toMatch(/^bad tables: .*broken/);

    simulator.refuses(503, { match: 'keys.validate', body: {} });
    const down = await doctor(['--json']);
    expect(said(facts(down.out), 'link')).toMatch(/^bad .*503/);

    const gone = await doctor(['--base-url', 'http://127.0.0.1:9', '--json']);
    expect(gone.exit).toBe(1);
    expect(said(facts(gone.out), 'link')).toMatch(/^bad cannot connect to 127\.0\.0\.1:9.* \/ check the address/);
    expect(facts(gone.out).some(({ id }) => id.startsWith('screen-'))).toBe(false);

    const untyped = await machine.orgdeck(['doctor', '--base-url', there.url, '--json']);
    expect(said(facts(untyped.out), 'keys')).toMatch(/^bad the API key is typed at each start.* \/ /);
    const advised = /orgdeck ([a-z ]+) --help/.exec(said(facts(untyped.out), 'keys'))?.[1] ?? '';
    expect((await machine.orgdeck(['help', ...advised.split(' ')])).out).toContain('--api-key-command');
    expect(said(facts(untyped.out), 'link')).toMatch(/answers/);
  });

  test('finds files that others may open, and mistakes in the configuration', async () => {
    const path = join(machine.directory, 'journal.jsonl');
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    // An editor locks a file by a link that leads nowhere.
    symlinkSync('person@host.1', join(machine.directory, '.#config.json'));
    writeFileSync(join(machine.directory, 'config.json'), '{"version":1,"theme":"pink"}');
    const { exit, out } = await doctor(['--json']);
    expect(exit).toBe(1);
    expect(said(facts(out), 'profiles')).toMatch(/^bad others can open .* \/ chmod 600 \S+journal\.jsonl$/);
    expect(said(facts(out), 'config')).toMatch(/^warn .* has 1 mistake.* \/ orgdeck config check$/);
    expect(said(facts(out), 'state')).toBe('nothing');
    chmodSync(path, 0o600);
    for (const [mode, state] of [
      [0o755, 'warn'],
      [0o770, 'bad'],
    ] as const) {
      chmodSync(machine.directory, mode);
      const shared = said(facts((await doctor(['--json'])).out), 'profiles');
      expect(shared).toMatch(new RegExp(`^${state} others can open .* / chmod 700 `));
    }
    chmodSync(machine.directory, 0o700);
    chmodSync(path, 0o644);
    const apart = { ORGDECK_CONFIG_DIR: '', XDG_CONFIG_HOME: machine.directory, XDG_STATE_HOME: '/not/there' };
    const other = facts((await doctor(['--json'], { env: apart })).out);
    expect(said(other, 'state')).toBe('ok /not/there/orgdeck, created on first use');
    if (process.geteuid?.() !== 0) return;
    chownSync(path, 12345, 12345);
    chownSync(machine.directory, 12345, 12345);
    const others = /^bad .* \/ chown \$\(id -u\) (\S+) \/ chown \$\(id -u\) \1\/journal\.jsonl$/;
    expect(said(facts((await doctor(['--json'])).out), 'profiles')).toMatch(others);
  });

  test('looks at the demo, and without a profile at everything else', async () => {
    const demo = await machine.orgdeck(['doctor', '--demo'], { io: { clock: systemClock } });
    expect(demo).toMatchObject({ exit: 0, err: '' });
    expect(demo.out).toMatch(/^✓ organization +demo$/m);
    expect(demo.out).toMatch(/^✓ Archives +read and edit$/m);
    const nothing = await machine.orgdeck(['doctor']);
    expect(nothing.exit).toBe(0);
    expect(nothing.out).toMatch(/^! organization +there is no profile yet.*\n +orgdeck profiles add/m);
  });

  test('asks the tmux that it runs in', async () => {
    const tmux = join(machine.directory, 'tmux');
    writeFileSync(
      tmux,
      '#!/bin/sh\ncase "$*" in *escape-time) echo 500 ;; *set-clipboard) echo off ;; *) exit 1 ;; esac\n',
    );
    chmodSync(tmux, 0o700);
    const { out } = await doctor(['--json'], {
      env: { TMUX: '/tmp/tmux', PATH: `${machine.directory}:/usr/bin:/bin` },
    });
    expect(said(facts(out), 'tmux')).toMatch(
      /^warn copies .* 500 ms \/ .*set-clipboard on \/ +set -sg escape-time 10$/,
    );
    const { out: unknown } = await doctor(['--json'], { env: { TMUX: '/tmp/tmux', PATH: '' } });
    expect(said(facts(unknown), 'tmux')).toMatch(/^warn tmux does not answer/);
  });

  test('asks the terminal, and wraps its lines to the width', async () => {
    const { out } = await doctor([], {
      terminal: true,
      env: utf8,
      io: {
        clock: systemClock,
        size: () => ({ columns: 60, rows: 20 }),
        askTerminal: async () => '\x1b]11;rgb:0000/0000/0000\x07\x1b[?1;2c',
      },
    });
    expect(out).toContain('background (OSC 11) dark');
    const widths = out.split('\n').map((line) => line.replace(/\x1b\[[\d;]*m/g, '').length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(60);
    expect(out).toMatch(/\x1b\[33m!\x1b\[0m size/);
  });
});
