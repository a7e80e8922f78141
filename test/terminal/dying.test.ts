import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { type Open, openTerminal, type Pty } from '../support/terminal.ts';

/**
 * Every way to end restores the terminal (design/reliability.md, promise 3). A shell stands behind the program, as
 * in life, and says afterwards what it found.
 */
const SMALL = 'test/support/exit-program.ts';
const opened: Pty[] = [];
afterEach(async () => {
  for (const pty of opened.splice(0)) await pty.close();
});

function open(how: Partial<Open> & { readonly args: readonly string[] }): Pty {
  const pty = openTerminal({ command: process.execPath, ...how });
  opened.push(pty);
  return pty;
}

/**
 * The program under a shell that prints how it ended and whether the line settings are those from before, which are the
 * person's own and not the usual ones.
 */
function underShell(env: Open['env'] = {}): Pty {
  const script =
    'stty erase "^H" kill "^X" -ixon iutf8 tab3; was=$(stty -g); "$0" "$1"; echo "ended $?"; sleep 0.3; [ "$was" = "$(stty -g)" ] && echo settings kept; echo ready; read -r line';
  return open({ command: '/bin/sh', args: ['-c', script, process.execPath, SMALL], env });
}

/** The process of the program itself: the shell's youngest child that runs it. */
function pidOf(shell: Pty): number {
  const list = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  for (const line of list) {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    if (Number(parent) === shell.pid && args.includes(SMALL)) return Number(pid);
  }
  throw new Error('the program is not running');
}

/** The processes that the program has started and that still run. */
function childrenOf(pid: number): number[] {
  const list = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return list
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child ? [child] : []));
}

async function isGivenBack(pty: Pty) {
  await pty.sees('ready');
  expect(pty.buffer()).toBe('normal');
  await pty.sees('settings kept');
  const output = pty.outputSince(0);
  expect(output.lastIndexOf('\u001B[?25h')).toBeGreaterThan(output.lastIndexOf('\u001B[?25l'));
  expect(output.lastIndexOf('\u001B[?2004l')).toBeGreaterThan(output.lastIndexOf('\u001B[?2004h'));
  expect(output.match(/\u001B\[\?1049l/g)).toHaveLength(output.match(/\u001B\[\?1049h/g)?.length ?? 0);
}

test('quitting prints its message on the primary screen', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  expect(pty.buffer()).toBe('alternate');
  pty.presses('q');
  await pty.sees(/good bye\s+ended 0/);
  await isGivenBack(pty);
});

test('Ctrl-C exits with 130', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  pty.presses('\u0003');
  await pty.sees('ended 130');
  await isGivenBack(pty);
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('%s ends with %i', async (name, code) => {
  const pty = underShell();
  await pty.sees('small 80x24');
  process.kill(pidOf(pty), name);
  await pty.sees(`ended ${code}`);
  await isGivenBack(pty);
});

test('an error while drawing is printed on the primary screen with exit code 1', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  pty.presses('c');
  await pty.sees('broken while drawing');
  await pty.sees('ended 1');
  await isGivenBack(pty);
});

test('an uncaught error is printed without escape sequences', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  pty.presses('t');
  await pty.sees('thrown ?[31moutside');
  await pty.sees('ended 1');
  await isGivenBack(pty);
});

test('an unhandled rejection is printed', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  pty.presses('r');
  await pty.sees('Error: rejected');
  await pty.sees('ended 1');
  await isGivenBack(pty);
});

test('after kill -9 the watcher restores the terminal and ends', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  await pty.settles();
  const program = pidOf(pty);
  const watchers = childrenOf(program);
  expect(watchers).toHaveLength(1);
  process.kill(program, 'SIGKILL');
  await pty.sees('orgdeck was killed');
  await isGivenBack(pty);
  await expect.poll(() => watchers.filter(isAlive)).toEqual([]);
});

test('a blocked event loop is ended with a message', async () => {
  const pty = underShell({ SMALL_PATIENCE: '3000' });
  await pty.sees('small 80x24');
  await pty.settles();
  pty.presses('b');
  await pty.sees('did not answer any more', { within: 15_000 });
  await isGivenBack(pty);
});

test('a terminal that does not read neither blocks the program nor prevents its exit', async () => {
  const pty = open({ args: [SMALL], columns: 200, rows: 50 });
  await pty.sees('small 200x50');
  pty.reads(false);
  pty.presses('f');
  await new Promise((go) => setTimeout(go, 1200));
  pty.signal('SIGTERM');
  expect(await pty.exited).toEqual({ code: 143, signal: 0 });
});

test('a terminal that reads again gets the latest frame', async () => {
  const pty = open({ args: [SMALL], columns: 200, rows: 50 });
  await pty.sees('small 200x50');
  pty.reads(false);
  pty.presses('f');
  await new Promise((go) => setTimeout(go, 2500));
  pty.reads(true);
  await pty.sees('count 200 ', { within: 30_000 });
  await pty.settles();
  const rows = pty.screen();
  expect(rows.slice(2, 49).every((line) => line.endsWith(' 200'))).toBe(true);
});

test('closing the terminal ends the program', async () => {
  const pty = open({ command: '/bin/sh', args: ['-c', 'trap "" HUP; "$0" "$1"; exit 5', process.execPath, SMALL] });
  await pty.sees('small 80x24');
  const pid = pidOf(pty);
  await pty.close();
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
});

/** Whether a process runs; a zombie does not count. */
function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

test('Ctrl-Z stops the job, and fg restores the screen', async () => {
  const pty = open({ command: '/bin/bash', args: ['--norc', '-i'], env: { PS1: 'prompt> ' } });
  await pty.sees('prompt>');
  pty.presses(`${process.execPath} ${SMALL}\r`);
  await pty.sees('small 80x24');
  pty.presses('+++');
  await pty.sees('count 3');
  pty.presses('\u001A');
  await pty.sees('Stopped');
  expect(pty.buffer()).toBe('normal');
  pty.presses('stty -a | grep -o " icanon"\r');
  await pty.sees(/^ icanon/m);
  pty.presses('fg\r');
  await pty.sees('count 3');
  expect(pty.buffer()).toBe('alternate');
  pty.presses('+');
  await pty.sees('count 4');
  pty.presses('q');
  await pty.sees('good bye');
});

test('after an external stop and continue, everything is drawn again', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  await pty.settles();
  const program = pidOf(pty);
  process.kill(program, 'SIGSTOP');
  const mark = pty.mark();
  process.kill(program, 'SIGCONT');
  await expect.poll(() => pty.outputSince(mark)).toContain('row 20');
  expect(pty.outputSince(mark)).toMatch(/\u001B\[\?1049h[\s\S]*\u001B\[H\u001B\[J/);
  pty.presses('+');
  await pty.sees('count 1');
});

test('Ctrl-Z without a shell that can continue the job is ignored', async () => {
  const pty = open({ args: [SMALL] });
  await pty.sees('small 80x24');
  pty.presses('\u001A');
  await pty.settles(300);
  pty.presses('+');
  await pty.sees('count 1');
});

test('the editor gets the terminal, its text is returned, and its file is deleted', async () => {
  const pty = open({ args: [SMALL], env: { EDITOR: `sh -c 'ls -l "$0"; printf after > "$0"; sleep 0.3'` } });
  await pty.sees('small 80x24');
  const mark = pty.mark();
  pty.presses('e');
  await pty.sees('edited: after');
  const shown = pty.outputSince(mark);
  expect(shown).toMatch(/-rw------- .*orgdeck-.*edit\.txt/);
  const folder = /\S*orgdeck-[^/]+/.exec(shown)?.[0] ?? '';
  expect(() => execFileSync('ls', [folder], { stdio: 'pipe' })).toThrow();
  expect(pty.buffer()).toBe('alternate');
});

test('when standard input is no terminal, a message is printed with exit code 2', async () => {
  const pty = open({ command: '/bin/sh', args: ['-c', '"$0" "$1" </dev/null', process.execPath, SMALL] });
  await pty.sees('standard input is not a terminal');
  expect((await pty.exited).code).toBe(2);
});

test('escape sequences in drawn text do not act', async () => {
  const pty = open({ args: [SMALL] });
  await pty.sees('small 80x24');
  const mark = pty.mark();
  pty.presses('h');
  await pty.sees('hostile');
  await pty.sees('row 20');
  const output = pty.outputSince(mark);
  expect(output).not.toContain('\u001B]52');
  expect(output).not.toContain('\u001B[?1000h');
});

test('after many quick resizes the last frame is right', async () => {
  const pty = open({ args: [SMALL] });
  await pty.sees('small 80x24');
  for (let step = 0; step < 40; step++) await pty.resize(40 + ((step * 37) % 160), 10 + ((step * 13) % 50));
  await pty.resize(100, 30);
  const filling = Array.from({ length: 27 }, (_, row) => `row ${row} ${'x'.repeat(70)} 0`);
  await expect.poll(() => pty.screen(), { timeout: 8000 }).toEqual(['small 100x30', 'count 0 型', ...filling, '']);
});
