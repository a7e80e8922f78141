import { expect, test } from 'vitest';
import { terminalCapabilities } from '../../src/terminal/terminal-capabilities.ts';

const tty = { stdin: { isTTY: true }, stdout: { isTTY: true, columns: 100, rows: 40 } };

test('a terminal on stdin and stdout is enough, whatever CI says', () => {
  expect(terminalCapabilities({ TERM: 'xterm-256color', LANG: 'en_GB.UTF-8', CI: '1' }, tty)).toEqual({
    interactive: true,
    color: true,
    ascii: false,
    columns: 100,
    rows: 40,
  });
});

test.each([
  [{ stdin: {}, stdout: { isTTY: true } }, 'standard input is not a terminal'],
  [{ stdin: { isTTY: true }, stdout: {} }, 'standard output is not a terminal'],
])('says which stream is not a terminal', (streams, reason) => {
  expect(terminalCapabilities({ TERM: 'xterm' }, streams)).toMatchObject({
    interactive: false,
    reason,
    columns: 80,
    rows: 24,
  });
});

test('a terminal that cannot move its cursor is refused', () => {
  expect(terminalCapabilities({ TERM: 'dumb' }, tty)).toMatchObject({ interactive: false, color: false, ascii: true });
});

test.each([
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '' }, true],
  [{ TERM: 'vt100' }, false],
  [{ TERM: 'xterm-mono' }, false],
  [{ TERM: 'tmux-256color' }, true],
])('colors with %j: %s', (env, color) => {
  expect(terminalCapabilities(env, tty).color).toBe(color);
});

test.each([
  [{ LANG: 'C' }, true],
  [{ LANG: 'en_US.utf8' }, false],
  [{ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, true],
  [{ LC_ALL: '', LC_CTYPE: 'C.UTF-8', LANG: 'C' }, false],
  [{ LANG: 'de_DE.ISO-8859-1' }, true],
  [{ TERM: 'linux', LANG: 'C.UTF-8' }, true],
  [{}, false],
])('only ASCII with %j: %s', (env, ascii) => {
  expect(terminalCapabilities(env, tty).ascii).toBe(ascii);
});
