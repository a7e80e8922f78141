import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../src/lib/private-file.ts';
import { openOrgdeck, PROGRAM, startProgram } from '../support/dashboard.ts';
import { served } from '../support/served.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/terminal.ts';

let place = '';
beforeEach(() => {
  place = temporaryFolder();
});

/** The program with files of this test alone. */
const starts = (argv: readonly string[], env: NodeJS.ProcessEnv = {}, stdin = '') =>
  startProgram(argv, { ORGDECK_CONFIG_DIR: place, TMPDIR: place, ...env }, stdin);
const orgdeck = (argv: readonly string[], { env = {}, stdin = '' }: { env?: NodeJS.ProcessEnv; stdin?: string } = {}) =>
  starts(argv, env, stdin).ended();
/** Runs the program in a terminal of 80x24. */
const inTerminal = (argv: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  openOrgdeck(argv, { env: { ORGDECK_CONFIG_DIR: place, ...env } });

test('a command that prints a key late is named at the start, and in the dashboard Esc stays where it was', async () => {
  const waits = `sh -c 'echo $$ > ${place}/pid; exec sleep 4'`;
  const added = ['profiles', 'add', 'slow', '--base-url', 'https://api.example.test', '--api-key-command', waits];
  expect(await orgdeck([...added, '--app-key-env', 'NOT_SET'])).toMatchObject({ exit: 0 });
  const starting = inTerminal(['--profile', 'slow']);
  await starting.sees('orgdeck: waiting for sh to print a key, 30s at most; Ctrl-C ends');
  starting.presses('\x03');
  expect(await starting.ends()).toMatchObject({ signal: 2 });
  await expect.poll(() => isAlive(Number(readFileSync(join(place, 'pid'), 'utf8')))).toBe(false);
  const dashboard = inTerminal(['--demo', '--screen', 'monitors']);
  await dashboard.sees(/1-\d+\/340/);
  dashboard.presses('P');
  await dashboard.sees(/slow +https/);
  dashboard.presses('g');
  await dashboard.sees(/> {3}slow/);
  dashboard.presses('\r');
  await dashboard.sees('Opening slow');
  dashboard.presses('\x1b');
  await dashboard.sees(/1-\d+\/340/);
  await dashboard.close();
});

describe('the built program without a terminal', () => {
  test('prints version and help, and refuses to open the dashboard', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await orgdeck(['--version'])).toEqual({ exit: 0, out: `${version}\n`, err: '' });
    expect(await orgdeck([])).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('Usage: orgdeck') });
    expect(await orgdeck(['info'], { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })).toMatchObject({
      exit: 78,
      out: '',
    });
  });

  test('says once that TZ names no time zone, and shows times in UTC', async () => {
    const env = { TZ: 'Mars/Olympus' };
    const trouble = 'TZ is "Mars/Olympus", which names no time zone: times are in UTC until TZ names one, such as';
    const { err, ...info } = await orgdeck(['info'], { env });
    expect({ err, ...info }).toEqual({ exit: 0, err: '', out: expect.stringContaining(`note: ${trouble}`) });
    expect(info.out).toMatch(/time zone +UTC /);
    const list = await orgdeck(['monitors', 'list', '--demo', '--limit', '1'], { env });
    expect(list).toMatchObject({ exit: 0, err: expect.stringContaining(trouble) });
    expect(await orgdeck(['info', '--tz', 'Asia/Tokyo'], { env })).toMatchObject({
      exit: 0,
      out: expect.not.stringContaining(trouble),
    });
    const dashboard = inTerminal(['--demo'], env);
    await dashboard.sees('TZ is "Mars/Olympus", which names no time zone');
    await dashboard.close();
  });

  test('runs a call on the demo and one with a body on standard input, and leaves no file', async () => {
    const me = await orgdeck(['--demo', 'call', 'current-user.get']);
    expect(me).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(me.out).data.type).toBe('users');
    const body = { data: { type: 'search_request', attributes: { query: '*', from: 0, to: 1, persona: 'ALL' } } };
    const found = await orgdeck(['call', 'issues.search', '--demo', '--body', '-'], { stdin: JSON.stringify(body) });
    expect(JSON.parse(found.out)).toMatchObject({ data: [] });
    expect(await orgdeck(['info'])).toMatchObject({ exit: 0 });
    expect(await orgdeck(['query', 'check', '1 && 2'])).toMatchObject({ exit: 0 });
    expect(readdirSync(place)).toEqual([]);
  });

  test('ends quietly when its output is closed', async () => {
    const { child, exit } = starts(['call', '--list', '--json']);
    child.stdout.destroy();
    const err = text(child.stderr);
    expect(await exit).toBe(0);
    expect(await err).toBe('');
  });

  test.skipIf(!existsSync('/dev/full'))('says that its output did not arrive on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [PROGRAM, 'call', '--list'], {
      env: { PATH: process.env.PATH, XDG_CACHE_HOME: process.env.XDG_CACHE_HOME, ORGDECK_CONFIG_DIR: place },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const err = text(child.stderr as Readable);
    expect(await new Promise((done) => child.once('close', done))).toBe(1);
    expect(await err).toBe('the output cannot be written (the disk is full: make room)\n');
  });

  test('output that nobody reads ends no edit, and the exit code says what became of it', async () => {
    const { service, env } = await served();
    const unread = (argv: readonly string[]) => {
      const { child, exit } = starts(argv, env);
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      return exit;
    };
    const ids = ['a', 'b', 'c'].map((name) => service.has('monitor', { name }));
    expect(await unread(['monitors', 'mute', ...ids, '--for', '1h'])).toBe(0);
    expect(service.received('POST', '/mute')).toHaveLength(3);
    writeFileSync(join(place, 'teams.csv'), 'id,team\na,core\n');
    const uploaded = unread(['tables', 'upload', join(place, 'teams.csv'), '--name', 'teams']);
    await expect.poll(() => service.received('POST', '/reference-tables/tables').length).toBe(1);
    // The service has imported it.
    service.passes(60_000);
    expect(await uploaded).toBe(0);
    const body = '{"data":{"type":"application_keys","attributes":{"name":"ops"}}}';
    expect(await unread(['call', 'keys.create-own', '--reveal', '--body', body])).toBe(1);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s calls an upload off, and the exit code is %i', async (signal, code) => {
    const { service, env } = await served();
    service.hangs(1, 'tables.upload');
    const path = join(place, 'teams.csv');
    writeFileSync(path, 'id,team\na,core\n');
    const { child, ended } = starts(['tables', 'upload', path, '--name', 'teams'], env);
    const ran = ended();
    await expect.poll(() => service.received('POST', '/reference-tables/uploads').length).toBe(1);
    child.kill(signal);
    expect(await ran).toMatchObject({ exit: code, err: expect.stringContaining('canceled') });
    expect(service.received('POST', '/reference-tables/tables')).toEqual([]);
  });

  test('the simulator prints its address, and any process can call it', async () => {
    const { child, exit } = startProgram(['simulator', '--seed', '3', '--monitors', '5', '--issues', '5'], {});
    let said = '';
    child.stdout.setEncoding('utf8');
    for await (const chunk of child.stdout) {
      said += chunk;
      if (said.includes('--base-url')) break;
    }
    const [, apiKey, appKey, url] =
      /ORGDECK_API_KEY=(\S+) ORGDECK_APP_KEY=(\S+) orgdeck --base-url (\S+)/.exec(said) ?? [];
    const env = { ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey, ORGDECK_BASE_URL: url };
    const listed = await orgdeck(['monitors', 'list', '--json'], { env });
    expect(listed.err).toBe('');
    expect(JSON.parse(listed.out).items).toHaveLength(5);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  test('killed between intent and outcome, it leaves an open edit for the next start', async () => {
    const { service, env } = await served();
    const id = service.has('monitor', { name: 'web' });
    service.hangs(1, 'monitors.mute');
    const { child, ended } = starts(['call', 'monitors.mute', '--monitor_id', id, '--body', '{}'], env);
    const ran = ended();
    await expect.poll(() => service.received('POST', '/mute')).toHaveLength(1);
    child.kill('SIGKILL');
    await ran;
    const lines = readFileSync(join(place, 'journal.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['intent']);
    const pty = inTerminal([], env);
    await pty.sees(/monitors\.mute.*NO OUTCOME/);
    await pty.close();
  });
});

describe('the built program in a terminal', () => {
  test('masks keys while they are typed', async () => {
    const pty = inTerminal(['profiles', 'add', 'acme', '--base-url', 'https://api.acme.test', '--store-keys']);
    await pty.sees('API key of acme:');
    pty.presses('abcdabcdabcdabcd1234\u007f5\u001b[A');
    await pty.sees('*'.repeat(20));
    pty.presses('\r');
    await pty.sees('application key of acme:');
    pty.presses('\u001b[200~eeeeffffeeeeffff0000\u001b[201~\r');
    await pty.sees('profile acme added');
    expect((await pty.ends()).code).toBe(0);
    expect(pty.outputSince(0)).not.toMatch(/abcd|eeee/);
    const file = JSON.parse(readFileSync(join(place, 'profiles.json'), 'utf8'));
    expect(file.profiles[0].keys).toEqual({
      apiKey: { stored: 'abcdabcdabcdabcd1235' },
      appKey: { stored: 'eeeeffffeeeeffff0000' },
    });
  });

  test('Ctrl-C at a prompt adds nothing and restores the terminal', async () => {
    const plain = inTerminal(['profiles', 'add', 'acme']);
    await plain.sees('base URL of acme');
    plain.presses('\u0003');
    await plain.sees('nothing was added');
    expect((await plain.ends()).code).toBe(130);
    const pty = inTerminal(['profiles', 'add', 'acme', '--base-url', 'https://api.acme.test', '--store-keys']);
    await pty.sees('API key of acme:');
    pty.presses('abcd\u0003');
    await pty.sees('nothing was added');
    expect((await pty.ends()).code).toBe(130);
    expect(pty.outputSince(0)).not.toContain('killed');
    const dashboard = inTerminal(['--base-url', 'https://api.acme.test']);
    await dashboard.sees('API key of');
    dashboard.presses('\u0003');
    expect((await dashboard.ends()).code).toBe(130);
  });

  test('a dashboard whose keys were typed is not ended by the watchers of its prompts: only its own is left', async () => {
    const pty = inTerminal(['--base-url', 'http://127.0.0.1:9']);
    await pty.sees('API key of');
    pty.presses('abcd\r');
    await pty.sees('application key of');
    pty.presses('eeee\r');
    await pty.sees('offline');
    const watchers = () =>
      execFileSync('ps', ['-o', 'args=', '--ppid', `${pty.pid}`], { encoding: 'utf8' }).match(/orgdeck-watcher/g);
    await expect.poll(watchers).toHaveLength(1);
    await pty.close();
  });

  test.each(['SIGHUP', 'SIGKILL'] as const)('%s at the masked prompt restores the terminal', async (signal) => {
    const script =
      'stty erase "^H" -ixon; was=$(stty -g); sh -c \'echo "pid $$"; exec "$0" "$@"\' "$0" "$@" >"$OUT"; sleep 0.4; [ "$was" = "$(stty -g)" ] && echo "settings kept"; read -r line';
    const pty = openTerminal({
      command: '/bin/sh',
      args: [
        '-c',
        script,
        process.execPath,
        PROGRAM,
        'profiles',
        'add',
        'acme',
        '--base-url',
        'https://api.acme.test',
        '--store-keys',
      ],
      env: { ORGDECK_CONFIG_DIR: place, OUT: join(place, 'out') },
    });
    await pty.sees('API key of acme:');
    pty.presses('abcd');
    await pty.sees('****');
    process.kill(Number(/pid (\d+)/.exec(readFileSync(join(place, 'out'), 'utf8'))?.[1]), signal);
    await pty.sees('settings kept');
    await pty.close();
  });

  test('a profile file at 0644 gives one message with the command that corrects it', async () => {
    writeFileSync(join(place, 'profiles.json'), '{"version":1,"profiles":[]}', { mode: 0o644 });
    const pty = inTerminal([]);
    await pty.sees('chmod 600');
    expect((await pty.ends()).code).toBe(2);
    expect(pty.buffer()).toBe('normal');
  });
});

describe('lists on a terminal', () => {
  const firstLines =
    'let text="";process.stdin.on("data",(c)=>{text+=c}).on("end",()=>console.log(text.split("\\n").slice(0,3).join("\\n")+"\\nthe end of "+text.split("\\n").length+" lines"))';

  test('a table of 80 columns goes through the pager of PAGER, which ends as its person wants', async () => {
    const script = join(place, 'pager.mjs');
    writeFileSync(script, firstLines);
    const pty = inTerminal(['--demo', 'monitors', 'list'], { PAGER: `"${process.execPath}" "${script}"` });
    await pty.sees(/the end of \d{3,} lines/);
    expect((await pty.ends()).code).toBe(0);
    const [head = '', first = ''] = pty.screen();
    expect(head).toMatch(/^ID +STATE +P NAME +GROUPS MUTED +FOR$/);
    expect(first).toMatch(/^\d+ ALERT +\S \S.* \d+[a-z]+$/);
    expect([head.length, first.length].every((length) => length <= 80)).toBe(true);
    expect(pty.cell(head.indexOf('STATE'), 1).foreground).toBe('1');
    expect(pty.buffer()).toBe('normal');
  });
});

test('a watch whose reader goes away ends with 0 and leaves no file', async () => {
  const { child, exit } = starts(['--demo', 'tables', 'list', '--watch', '--poll', '10']);
  child.stdout.destroy();
  expect(await exit).toBe(0);
  expect(readdirSync(place)).toEqual([]);
});
