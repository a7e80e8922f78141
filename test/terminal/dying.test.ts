import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { aftermath, descendantsOf, isAlive, isGivenBack, killed, mistake, pidOf } from '../support/aftermath.ts';
import { bundled } from '../support/bundled.ts';
import { type Open, openTerminal, type Pty } from '../support/terminal.ts';

/**
 * Every way to end restores the terminal (docs/design/reliability.md#promises). A shell stands behind the program, as
 * in life, and says afterward what it found.
 */
const SMALL = await bundled('test/support/exit-program.ts');
const opened: Pty[] = [];
afterEach(async () => {
  for (const pty of opened.splice(0)) await pty.close();
});

function open(how: Partial<Open> & { readonly args: readonly string[] }): Pty {
  const pty = openTerminal({ command: process.execPath, ...how });
  opened.push(pty);
  return pty;
}

const underShell = (env: Open['env'] = {}): Pty =>
  open({ command: '/bin/sh', args: ['-c', aftermath, 'sh', process.execPath, SMALL], env });

/** A way to end: a key of the small program, or a signal; what is then on the primary screen; the exit code that a shell sees. */
type Death = readonly [what: string, how: string, words: string | RegExp, code: number];

const deaths: readonly Death[] = [
  ['quitting', 'q', /good bye\s+ended 0/, 0],
  ['Ctrl-C', '\u0003', 'ended 130', 130],
  ['an error while drawing', 'c', 'broken while drawing', 1],
  ['an uncaught error with escape sequences in its text', 't', 'thrown ?[31moutside', 1],
  ['SIGTERM', 'SIGTERM', 'ended 143', 143],
  ['SIGHUP', 'SIGHUP', 'ended 129', 129],
];
const moreDeaths: readonly Death[] = [
  ['SIGINT', 'SIGINT', 'ended 130', 130],
  ['SIGQUIT', 'SIGQUIT', 'ended 131', 131],
  ['an unhandled rejection', 'r', 'Error: rejected', 1],
  ['a rejection with a text', 'n', 'only a ?]52;c;QQ==?text', 1],
  ['an error in an effect', 'x', 'broken in an effect', 1],
  ['an error while a key is handled', 'd', 'broken by a key', 1],
  ['no end of calls while drawing', 's', 'Maximum call stack size exceeded', 1],
  ['process.exit by others', 'p', 'ended 7', 7],
  ['process.abort', 'a', killed, 134],
  ['no memory left', 'o', killed, 134],
  // Without a handler these end the process at once.
  ...(
    [
      ['SIGILL', 4],
      ['SIGTRAP', 5],
      ['SIGABRT', 6],
      ['SIGBUS', 7],
      ['SIGFPE', 8],
      ['SIGKILL', 9],
      ['SIGSEGV', 11],
      ['SIGUSR2', 12],
      ['SIGALRM', 14],
      ['SIGXCPU', 24],
      ['SIGVTALRM', 26],
      ['SIGPROF', 27],
      ['SIGIO', 29],
      ['SIGSYS', 31],
    ] as const
  ).map(([name, number]): Death => [name, name, killed, 128 + number]),
];

async function dies([, how, words, code]: Death): Promise<void> {
  const pty = underShell({ NODE_OPTIONS: how === 'o' ? '--max-old-space-size=40' : undefined });
  await pty.sees('small 80x24');
  expect(pty.buffer()).toBe('alternate');
  await pty.settles();
  if (how.startsWith('SIG')) process.kill(pidOf(pty, SMALL), how as NodeJS.Signals);
  else pty.presses(how);
  await isGivenBack(pty, code);
  await pty.sees(words);
  if (code === 1) await pty.sees(mistake);
}

test.each(deaths)('%s: the terminal is given back, the message stays, the exit code is right', (...death) =>
  dies(death),
);

test.each(moreDeaths)('%s: the same', { tags: ['long', 'faults'] }, (...death) => dies(death));

test('after kill -9 the watcher restores the terminal and ends', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  await pty.settles();
  const program = pidOf(pty, SMALL);
  const watchers = descendantsOf(program);
  // The watcher, its watchdog, and the sleep of that.
  expect(watchers).toHaveLength(3);
  process.kill(program, 'SIGKILL');
  await isGivenBack(pty, 137);
  await expect.poll(() => watchers.filter(isAlive), { timeout: 5000 }).toEqual([]);
});

test('a blocked event loop is ended with a message', { tags: ['long', 'faults'] }, async () => {
  const pty = underShell({ SMALL_PATIENCE: '3000' });
  await pty.sees('small 80x24');
  await pty.settles();
  pty.presses('b');
  await isGivenBack(pty, 137);
  await pty.sees('stopped responding');
});

test('a stopped process is not taken for a blocked one', { tags: ['long', 'faults'] }, async () => {
  const pty = underShell({ SMALL_PATIENCE: '1000' });
  await pty.sees('small 80x24');
  const program = pidOf(pty, SMALL);
  process.kill(program, 'SIGSTOP');
  await new Promise((go) => setTimeout(go, 3500));
  process.kill(program, 'SIGCONT');
  pty.presses('+++');
  await pty.sees('count 3');
});

test('a terminal that does not read neither blocks the program nor prevents its exit', async () => {
  const pty = open({ args: [SMALL], columns: 200, rows: 50 });
  await pty.sees('small 200x50');
  pty.reads(false);
  pty.presses('f');
  await new Promise((go) => setTimeout(go, 1200));
  pty.signal('SIGTERM');
  expect(await pty.ends()).toEqual({ code: 143, signal: 0 });
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
  const pid = pidOf(pty, SMALL);
  await pty.close();
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
});

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

test('a stop signal from outside gives the terminal back first, as Ctrl-Z does', async () => {
  const EDITOR = `sh -c 'kill -TSTP 0; sleep 0.2; printf after > "$0"'`;
  const pty = open({ command: '/bin/bash', args: ['--norc', '-i'], env: { PS1: 'prompt> ', EDITOR } });
  await pty.sees('prompt>');
  pty.presses(`${process.execPath} ${SMALL}\r`);
  await pty.sees('small 80x24');
  await pty.settles();
  process.kill(pidOf(pty, SMALL), 'SIGTSTP');
  await pty.sees('Stopped');
  expect(pty.buffer()).toBe('normal');
  pty.presses('fg\r');
  await pty.sees('small 80x24');
  pty.presses('+');
  await pty.sees('count 1');
  // An editor that stops its job stops us with it, and gets the terminal again.
  pty.presses('e');
  await expect.poll(() => pty.screen().filter((line) => line.includes('Stopped')).length).toBe(2);
  pty.presses('fg\r');
  await pty.sees('edited: after');
});

test('after an external stop and continue, everything is drawn again', async () => {
  const pty = underShell();
  await pty.sees('small 80x24');
  await pty.settles();
  const program = pidOf(pty, SMALL);
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
  expect((await pty.ends()).code).toBe(2);
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
