import { EventEmitter } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPorts } from '../../src/cli/command-ports.ts';
import { programEnvironment } from '../../src/cli/config.ts';
import { runPrograms } from '../../src/cli/jobs.ts';
import { systemClock } from '../../src/lib/time.ts';
import { childEnvironment } from '../../src/terminal/editor.ts';
import { mostPrinted, openLink, readTmuxOptions, runProgram } from '../../src/terminal/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const env = { PATH: process.env.PATH ?? '' };
const anyEnvironment = async () => env;
const key = 'aaaabbbbccccddddeeeeffff00001111';
const run = (
  argv: readonly string[],
  how: { signal?: AbortSignal; keepsOutput?: boolean; env?: Record<string, string | undefined>; process?: object } = {},
) =>
  runProgram(argv, {
    env,
    signal: new AbortController().signal,
    keepsOutput: true,
    process,
    ...(how as { process?: NodeJS.Process }),
  });
const node = (script: string, ...args: string[]) => [process.execPath, '-e', script, '--', ...args];
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const dies = async (pid: number) => {
  for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await wait(20);
  return !isAlive(pid);
};

test('every argument arrives as one, whatever is in it', async () => {
  const hostile = ['; rm -rf /', '$(id) `id`', 'two\nlines', '--force', '', "it's", '"', '\\', '*', '\u202e', 'é'];
  const { printed, ok, says } = await run(node('console.log(JSON.stringify(process.argv.slice(1)))', ...hostile));
  expect(JSON.parse(printed)).toEqual(hostile);
  expect([ok, says]).toEqual([true, 'has ended']);
});

test('the environment of a child has no variable of ours, and none with a key in it', async () => {
  const whole = {
    ...env,
    ORGDECK_API_KEY: 'x',
    ORGDECK_CONFIG_DIR: '/x',
    COPY: `Bearer ${key}`,
    LANG: 'C',
  };
  const { printed } = await run(node('console.log(JSON.stringify(process.env))'), {
    env: childEnvironment(whole, [key]),
  });
  expect(JSON.parse(printed)).toMatchObject({ LANG: 'C', PATH: env.PATH });
  expect(printed).not.toMatch(/ORGDECK|COPY/);
  expect(printed).not.toContain(key);
});

test('no program gets the variables that profiles name, also of one that was added just now', async () => {
  const whole = { ORGDECK_CONFIG_DIR: temporaryFolder(), ACME_APP: 'y', LANG: 'C' };
  const ports = createPorts({ env: whole, clock: systemClock, zone: 'UTC' } as never);
  const keys = { apiKey: { typed: true }, appKey: { env: 'ACME_APP' } } as const;
  await ports.profiles.add({ name: 'acme', baseUrl: 'https://api.acme.test', keys });
  expect(await programEnvironment(ports, whole)).toEqual({ LANG: 'C' });
});

test('a program has no keyboard and no terminal', async () => {
  const { printed } = await run([
    '/bin/sh',
    '-c',
    'read line || echo no keyboard; (: < /dev/tty) 2>/dev/null || echo no terminal',
  ]);
  expect(printed).toBe('no keyboard\nno terminal\n');
});

test('exit codes, signals and programs that cannot be started are told', async () => {
  expect(await run(['/bin/sh', '-c', 'echo out; echo err >&2; exit 3'])).toEqual({
    ok: false,
    says: 'ended with exit code 3',
    errors: 'err\n',
    printed: 'out\nerr\n',
    isCut: false,
  });
  expect((await run(['/bin/sh', '-c', 'kill -9 $$'])).says).toBe('ended with SIGKILL');
  const nothing = { ok: false, errors: '', printed: '', isCut: false };
  for (const [program, why] of [
    [['/nowhere/at-all'], 'there is no such program: check its name and PATH'],
    [['/'], 'you may not run it'],
    [['/bin/true', 'x'.repeat(3e5)], 'its arguments are too long'],
    [['/bin/true', 'a\0b'], 'an argument has a NUL character'],
  ] as const)
    expect(await run(program)).toEqual({ ...nothing, says: `could not be started: ${why}` });
});

test('output is bounded, and the program goes on all the same', async () => {
  const end = await run(node('process.stdout.write("x".repeat(3e6), () => process.exit(4))'));
  expect(end).toMatchObject({ says: 'ended with exit code 4', isCut: true });
  expect(end.printed).toHaveLength(mostPrinted);
});

test('a child that holds the output open does not hold us', async () => {
  const end = await run(['/bin/sh', '-c', 'sleep 30 & echo $!']);
  expect(end.ok).toBe(true);
  const pid = Number(end.printed);
  // It was started to stay: the command has ended, so it is no longer ours to end.
  expect(isAlive(pid)).toBe(true);
  process.kill(pid);
});

test('canceling ends the program and what it has started, also where it ignores that', async () => {
  const stop = new AbortController();
  const runs = join(temporaryFolder(), 'runs');
  const script = `sleep 30 & echo $! $$; trap "" TERM; : > ${runs}; while :; do sleep 1; done`;
  const pids: number[] = [];
  const started = runProgram(['/bin/sh', '-c', script], { env, signal: stop.signal, keepsOutput: true, process });
  while (!existsSync(runs)) await wait(10);
  stop.abort();
  const end = await started;
  pids.push(...end.printed.trim().split(' ').map(Number));
  expect(end.says).toBe('was canceled');
  expect(pids).toHaveLength(2);
  for (const pid of pids) expect(await dies(pid)).toBe(true);
  expect((await run(['/bin/sleep', '30'], { signal: AbortSignal.abort() })).says).toBe('was canceled');
});

test('our exit ends a program that runs, and nothing that has ended', async () => {
  const ours = Object.assign(new EventEmitter(), { kill: process.kill.bind(process) });
  const killed: number[] = [];
  const watched = Object.assign(ours, {
    kill(pid: number, signal: NodeJS.Signals) {
      killed.push(pid);
      return process.kill(pid, signal);
    },
  });
  const running = run(['/bin/sh', '-c', 'sleep 30'], { process: watched });
  watched.emit('exit');
  expect((await running).says).toBe('ended with SIGTERM');
  expect(killed).toHaveLength(1);
  await run(['/bin/true'], { process: watched });
  watched.emit('exit');
  expect(killed).toHaveLength(1);
  expect(watched.listenerCount('exit')).toBe(0);
});

test('a failure whose output is not shown says the last line of its errors, painted and cut', async () => {
  const means = { programEnvironment: anyEnvironment, signal: new AbortController().signal, progress: () => undefined };
  const failing = (errors: string) => ({
    title: 'runbook',
    runs: [{ name: 'row', argv: ['/bin/sh', '-c', `echo out; printf '${errors}' >&2; exit 3`] }],
    isShown: false,
  });
  const text = async (errors: string) => (await runPrograms(failing(errors), means)).text;
  expect(await text(String.raw`first\n\033[31mno such host\033[0m \007\n\n`)).toBe(
    'runbook ended with exit code 3: no such host ␇',
  );
  expect(await text('')).toBe('runbook ended with exit code 3');
  expect((await text('x'.repeat(9000))).length).toBeLessThan(260);
});

test('several runs end with one sentence; the rest of a canceled one is left out', async () => {
  const means = {
    programEnvironment: anyEnvironment,
    signal: new AbortController().signal,
    progress: () => undefined,
  };
  const runs = [0, 3].map((code) => ({
    name: `row ${code}`,
    argv: ['/bin/sh', '-c', `echo at ${code}; exit ${code}`],
  }));
  expect(await runPrograms({ title: 'runbook', runs, isShown: true }, means)).toEqual({
    ok: false,
    text: 'runbook: 1 of 2 failed: row 3 ended with exit code 3',
    lines: ['row 0: has ended', 'at 0', '', 'row 3: ended with exit code 3', 'at 3'],
  });
  expect(await runPrograms({ title: 'runbook', runs: runs.slice(0, 1), isShown: false }, means)).toEqual({
    ok: true,
    text: 'runbook has ended',
  });
  const many = [{ name: 'row', argv: ['seq', '5001'] }];
  const { lines = [] } = await runPrograms({ title: 'runbook', runs: many, isShown: true }, means);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([5001, '1', '(the rest is not shown)']);
  const stopped = await runPrograms(
    { title: 'runbook', runs, isShown: false },
    { ...means, signal: AbortSignal.abort() },
  );
  expect(stopped.text).toContain('2 runs left out');
});

const url = 'https://runbooks.test/a?b=c&d=$(id)&e=$&f=$$';

/** What a browser that writes its arguments into a file was given. */
async function given(address: string, args: string): Promise<readonly string[]> {
  const path = join(temporaryFolder(), 'given');
  const script = `require("fs").writeFileSync(${JSON.stringify(path)}, JSON.stringify(process.argv.slice(1)))`;
  const browser = `"${process.execPath}" -e '${script}' -- ${args}`;
  expect(await openLink(address, browser, env)).toBeUndefined();
  while (!existsSync(path) || readFileSync(path, 'utf8') === '') await wait(10);
  return JSON.parse(readFileSync(path, 'utf8'));
}

test('a browser gets the address as one argument, the last one or where %s stands', async () => {
  expect(await given(url, '--new-tab')).toEqual(['--new-tab', url]);
  expect(await given(url, '--url=%s --quiet')).toEqual([`--url=${url}`, '--quiet']);
});

test('what is no address of the web, or no program, opens nothing and says why', async () => {
  for (const address of [
    'file:///etc/passwd',
    'javascript:alert(1)',
    '--help',
    'https://user:pass@a.test/',
    '/notebook/7',
  ])
    expect(await openLink(address, 'true', env)).toBe('only http and https addresses without a password are opened');
  const long = (length: number) => openLink('http://a.test/'.padEnd(length, 'x'), 'true', env);
  expect([await long(2048), await long(2049)]).toEqual([undefined, expect.stringContaining('only http and https')]);
  for (const none of ['   ', '""']) expect(await openLink(url, none, env)).toBe('BROWSER names no program');
  expect(await openLink(url, 'no-such-browser', env)).toBe('no-such-browser of BROWSER does not start: ENOENT');
  expect(await openLink(url, '/etc/passwd/x', env)).toBe('/etc/passwd/x of BROWSER does not start: ENOTDIR');
});

test('the options of tmux are asked of the tmux that we are in, with no other variable', async () => {
  const place = temporaryFolder();
  const tmux =
    '[ "$ORGDECK_API_KEY" ] || case "$*" in *escape-time) echo " 10 " ;; *set-clipboard) echo on ;; *) exit 1 ;; esac';
  writeFileSync(join(place, 'tmux'), `#!/bin/sh\n${tmux}\n`);
  chmodSync(join(place, 'tmux'), 0o755);
  const inside = { PATH: `${place}:${env.PATH}`, ORGDECK_API_KEY: 'fake-key' };
  expect(await readTmuxOptions(inside)).toEqual({ 'set-clipboard': 'on', 'escape-time': '10' });
  expect(await readTmuxOptions({ PATH: temporaryFolder() })).toBeUndefined();
});
