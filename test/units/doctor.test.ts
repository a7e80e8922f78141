import { chmodSync, chownSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { clockFact, type DoctorFact } from '../../src/cli/access-facts.ts';
import { authorityFact, printFacts, proxyFact, terminalFacts, tmuxFacts } from '../../src/cli/doctor.ts';
import type { Io } from '../../src/cli/io.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { systemClock } from '../../src/lib/time.ts';
import { readTerminalReplies } from '../../src/terminal/terminal-capabilities.ts';
import { createMachine, type Machine, type More } from '../support/commands.ts';
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

test.each<[id: string, facts: () => readonly DoctorFact[] | Promise<readonly DoctorFact[]>, says: RegExp]>([
  ['terminal', () => terminalFacts(utf8, large, undefined), /^ok xterm-256color$/],
  ['terminal', () => terminalFacts(utf8, undefined, undefined), /^ok none: .*ssh -t/],
  ['terminal', () => terminalFacts({ ...utf8, TERM: 'dumb' }, large, undefined), /^bad TERM=dumb.* \/ set TERM/],
  ['terminal', () => terminalFacts({}, large, undefined), /^bad TERM is not set \/ set TERM/],
  ['size', () => terminalFacts(utf8, large, undefined), /^ok 120x40$/],
  ['size', () => terminalFacts(utf8, narrow, undefined), /^warn 70x24 hides .* \/ 80x24/],
  ['size', () => terminalFacts(utf8, { columns: 80, rows: 24 }, undefined), /^ok 80x24$/],
  ['size', () => terminalFacts(utf8, { columns: 79, rows: 24 }, undefined), /^warn 79x24 hides/],
  ['size', () => terminalFacts(utf8, tiny, undefined), /^bad 50x12 is too small .* \/ make the terminal 60x16/],
  ['colors', () => terminalFacts({ ...utf8, NO_COLOR: '1' }, large, undefined), /^ok none \(NO_COLOR\)/],
  ['colors', () => terminalFacts({ ...utf8, COLORTERM: 'truecolor' }, large, undefined), /^ok 16 million/],
  ['characters', () => terminalFacts(utf8, large, undefined), /^ok UTF-8 \(LANG=C.UTF-8\)$/],
  [
    'characters',
    () => terminalFacts({ ...utf8, LC_ALL: 'C' }, large, undefined),
    /^warn ASCII only \(LC_ALL=C\) \/ export LC_ALL/,
  ],
  ['replies', () => terminalFacts(utf8, large, undefined), /^ok none/],
  [
    'replies',
    () =>
      terminalFacts(
        utf8,
        large,
        readTerminalReplies('\x1b]11;rgb:ffff/ffff/f0f0\x1b\\\x1b[?2026;2$y\x1b[?0u\x1b[?62;52c'),
      ),
    /background \(OSC 11\) light, whole frames \(2026\) yes, kitty keys yes/,
  ],
  [
    'replies',
    () => terminalFacts(utf8, large, readTerminalReplies('\x1b[?2026;0$y\x1b[?1;2c')),
    /unknown, .* no, kitty keys no/,
  ],
  [
    'clipboard',
    () => terminalFacts(utf8, large, readTerminalReplies('\x1b[?62;52c')),
    /^ok the terminal accepts copies/,
  ],
  ['clipboard', () => terminalFacts(utf8, large, undefined), /^ok copies are sent/],
  [
    'clipboard',
    () => terminalFacts({ ...utf8, STY: '1.pts' }, large, undefined),
    /^warn none for programs \(screen\) \/ y shows/,
  ],
  ['clipboard', () => terminalFacts({ ...utf8, TMUX: '/tmp/tmux' }, large, undefined), /^nothing$/],
  ['tmux', () => tmuxFacts(undefined, 'bell'), /^warn tmux does not answer/],
  [
    'tmux',
    () => tmuxFacts({ 'set-clipboard': 'external', 'escape-time': '10', 'default-terminal': 'tmux-256color' }, 'osc9'),
    /^ok copies, Esc and colors/,
  ],
  [
    'tmux',
    () =>
      tmuxFacts(
        { 'set-clipboard': 'off', 'allow-passthrough': 'off', 'escape-time': '500', 'default-terminal': 'screen' },
        'osc9',
      ),
    /^warn .*500 ms.* \/ add to tmux.conf: \/ +set -g set-clipboard on \/ +set -g allow-passthrough on \/ +set -sg escape-time 10 \/ +set -g default-terminal "tmux-256color"$/,
  ],
  ['tmux', () => tmuxFacts({ 'allow-passthrough': 'off', 'default-terminal': 'tmux-256color' }, 'bell'), /^ok/],
  ['tmux', () => tmuxFacts({ 'escape-time': '50', 'default-terminal': 'tmux-256color' }, 'bell'), /^ok/],
  ['tmux', () => tmuxFacts({ 'escape-time': '51', 'default-terminal': 'tmux-256color' }, 'bell'), /^warn .*51 ms/],
  ['clock', () => [clockFact({ aheadMs: -4000 })], /^ok within a few seconds/],
  ['clock', () => [clockFact({ aheadMs: 20_000 })], /^warn 20s ahead of .* \/ set the clock/],
  ['clock', () => [clockFact({ aheadMs: -600_000 })], /^bad 10m behind/],
  ['clock', () => [clockFact({})], /^ok the service does not report/],
  ['proxy', () => [proxyFact({}, 'https://api.test')], /^ok none$/],
  [
    'proxy',
    () => [proxyFact({ HTTPS_PROXY: aProxy, NO_PROXY: '.test' }, 'https://api.example')],
    /^ok http:\/\/proxy\.test:3128 \(HTTPS_PROXY\), but not to \.test/,
  ],
  [
    'proxy',
    () => [proxyFact({ HTTPS_PROXY: aProxy }, 'http://127.0.0.1:8080')],
    /^ok not used: the service is on this machine/,
  ],
  [
    'proxy',
    () => [proxyFact({ ALL_PROXY: 'ftp://u:s3cret@x' }, undefined)],
    /^bad the proxy in ALL_PROXY is no address of http, https or socks5 \/ write it as http:\/\/host:port or .* in ALL_PROXY/,
  ],
  [
    'proxy',
    () => [proxyFact({ ALL_PROXY: 'socks5://u:s3cret@x:1080' }, undefined)],
    /^ok socks5:\/\/x:1080 \(ALL_PROXY\)/,
  ],
  ['authorities', async () => [await authorityFact({})], /^ok those of Node$/],
  [
    'authorities',
    async () => [await authorityFact({ NODE_EXTRA_CA_CERTS: '/not/there.pem' })],
    /^bad .*ENOENT.* \/ name a file/,
  ],
  [
    'authorities',
    async () => [await authorityFact({ NODE_EXTRA_CA_CERTS: 'package.json' })],
    /^bad package.json holds no certificate/,
  ],
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
  let machine: Machine;
  beforeAll(async () => {
    simulator = createSimulator({ seed: 5, monitors: 5, issues: 5, lively: false });
    there = await simulator.start();
  });
  afterAll(() => simulator.stop());
  beforeEach(() => {
    machine = createMachine();
    simulator.recovers();
    simulator.forgets();
  });
  afterEach(() => machine.remove());

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
