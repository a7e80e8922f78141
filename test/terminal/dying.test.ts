import { expect, test } from 'vitest';
import { isAlive, pidOf } from '../support/aftermath.ts';
import { bundled } from '../support/bundled.ts';
import { soon } from '../support/soon.ts';
import { type Open, openTerminal, type Pty } from '../support/terminal.ts';

/**
 * What the terminal's part does when it is stopped or not read (docs/design/reliability.md#promises), by a program
 * small enough to wait for; every way to end is tried on the built program, in `deaths.test.ts`.
 */
const SMALL = await bundled('test/support/exit-program.ts');
type Opens = (how: Partial<Open>) => Pty;

/** A test whose terminals are closed at its end. Without other words the small program runs in one. */
const inTerminals = (story: (open: Opens) => Promise<void>) => async () => {
  const opened: Pty[] = [];
  try {
    await story((how) => {
      const pty = openTerminal({ command: process.execPath, args: [SMALL], ...how });
      opened.push(pty);
      return pty;
    });
  } finally {
    for (const pty of opened) await pty.close();
  }
};

// Alone: its second is short where others start.
test(
  'a stopped process is not taken for a blocked one',
  { tags: ['long', 'faults'] },
  inTerminals(async (open) => {
    const pty = open({ env: { SMALL_PATIENCE: '1000' } });
    await pty.sees('small 80x24');
    pty.signal('SIGSTOP');
    await new Promise((go) => setTimeout(go, 3500));
    pty.signal('SIGCONT');
    pty.presses('+++');
    await pty.sees('count 3');
  }),
);

test.concurrent(
  'a terminal that does not read neither blocks the program nor prevents its exit',
  inTerminals(async (open) => {
    const pty = open({ columns: 200, rows: 50 });
    await pty.sees('small 200x50');
    pty.reads(false);
    pty.presses('f');
    await new Promise((go) => setTimeout(go, 1200));
    pty.signal('SIGTERM');
    expect(await pty.ends()).toEqual({ code: 143, signal: 0 });
  }),
);

test.concurrent(
  'a terminal that reads again gets the latest frame',
  inTerminals(async (open) => {
    const pty = open({ columns: 200, rows: 50 });
    await pty.sees('small 200x50');
    pty.reads(false);
    pty.presses('f');
    await new Promise((go) => setTimeout(go, 2500));
    pty.reads(true);
    await pty.sees('count 200 ', { within: 30_000 });
    await pty.settles();
    const rows = pty.screen();
    expect(rows.slice(2, 49).every((line) => line.endsWith(' 200'))).toBe(true);
  }),
);

test.concurrent(
  'closing the terminal ends the program',
  inTerminals(async (open) => {
    const pty = open({ command: '/bin/sh', args: ['-c', 'trap "" HUP; "$0" "$1"; exit 5', process.execPath, SMALL] });
    await pty.sees('small 80x24');
    const pid = pidOf(pty, SMALL);
    await pty.close();
    await soon(() => expect(isAlive(pid)).toBe(false));
  }),
);

test.concurrent(
  'a stop signal from outside gives the terminal back first, as Ctrl-Z does',
  inTerminals(async (open) => {
    const EDITOR = `sh -c 'kill -TSTP 0; sleep 0.2; printf after > "$0"'`;
    const pty = open({ command: '/bin/bash', args: ['--norc', '-ib'], env: { PS1: 'prompt> ', EDITOR } });
    await pty.sees('prompt>');
    pty.presses(`${process.execPath} ${SMALL}\r`);
    await pty.sees('small 80x24');
    await pty.settles();
    process.kill(pidOf(pty, SMALL), 'SIGTSTP');
    await pty.sees('Stopped');
    expect(pty.buffer()).toBe('normal');
    // Continued behind the shell it waits, and changes nothing of the terminal.
    pty.presses('bg\r');
    await soon(() => expect(pty.screen().filter((line) => line.includes('Stopped')).length).toBe(2));
    expect(pty.buffer()).toBe('normal');
    // A change of the window is told to the job in front alone.
    await pty.resize(90, 24);
    pty.presses('fg\r');
    await pty.sees('small 90x24');
    pty.presses('+');
    await pty.sees('count 1');
    // An editor that stops its job stops us with it, and gets the terminal again.
    pty.presses('e');
    await soon(() => expect(pty.screen().filter((line) => line.includes('Stopped')).length).toBe(3));
    pty.presses('fg\r');
    await pty.sees('edited: after');
  }),
);

test.concurrent(
  'Ctrl-Z without a shell that can continue the job is ignored',
  inTerminals(async (open) => {
    const pty = open({});
    await pty.sees('small 80x24');
    pty.presses('\u001A');
    await pty.settles(300);
    pty.presses('+');
    await pty.sees('count 1');
  }),
);
