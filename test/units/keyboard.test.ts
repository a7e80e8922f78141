import { describe, expect, test } from 'vitest';
import { createKeyboard, type Key } from '../../src/session/keys/keyboard.ts';
import { createTestClock } from '../support/clock.ts';

function keyboard() {
  const clock = createTestClock();
  const keys: Key[] = [];
  const pastes: string[] = [];
  const board = createKeyboard({ clock, key: (key) => keys.push(key), paste: (text) => pastes.push(text) });
  return { clock, board, keys, pastes, names: () => keys.map((key) => key.name) };
}

describe('chunks to keys', () => {
  test('keys of one read are single keys, and none is marked as alone', () => {
    const { board, keys, names } = keyboard();
    board.feed('jjj\r');
    expect(names()).toEqual(['j', 'j', 'j', 'return']);
    expect(keys.every((key) => !key.alone)).toBe(true);
    board.feed('y');
    expect(keys.at(-1)).toMatchObject({ name: 'y', text: 'y', alone: true });
  });

  test.each([
    ['\x1b[A', 'up'],
    ['\x1bOB', 'down'],
    ['\x1b[H', 'home'],
    ['\x1b[4~', 'end'],
    ['\x1b[5~', 'pageup'],
    ['\x1b[3~', 'delete'],
    ['\x1b[Z', 'shift+tab'],
    ['\x1b[1;5D', 'ctrl+left'],
    ['\x1b[1;3C', 'alt+right'],
    ['\x04', 'ctrl+d'],
    ['\x7f', 'backspace'],
    ['\x1bx', 'alt+x'],
    ['\x1b\r', 'alt+return'],
    ['\x1b\x7f', 'alt+backspace'],
    ['\0', 'ctrl+space'],
    ['\x1f', 'ctrl+_'],
    [' ', 'space'],
  ])('%j is %s', (bytes, name) => {
    const { board, names } = keyboard();
    board.feed(bytes);
    expect(names()).toEqual([name]);
  });

  test('an escape sequence cut anywhere is reassembled', () => {
    const { board, names } = keyboard();
    board.feed('\x1b');
    board.feed('[');
    board.feed('A');
    expect(names()).toEqual(['up']);
  });

  test('a lone Esc counts after a wait; an arrow torn longer than that is still no letter', async () => {
    const { board, clock, names } = keyboard();
    board.feed('\x1b');
    expect(names()).toEqual([]);
    await clock.passes(100);
    expect(names()).toEqual(['esc']);
    board.feed('[A');
    expect(names()).toEqual(['esc', 'up']);
    await clock.passes('2s');
    board.feed('[A');
    expect(names()).toEqual(['esc', 'up', '[', 'A']);
  });

  test.each([
    '\x1b]11;rgb:1111/2222/3333\x07',
    '\x1b]52;c;aGFsbG8=\x1b\\',
    '\x1b]4;1;rgb:cccc/0000/0000\x1b\\',
    '\x1bP1$r0m\x1b\\',
    '\x1bP>|xterm(388)\x1b\\',
    '\x1bP!|00000000\x1b\\',
    '\x1b[?62;22c',
    '\x1b[>0;276;0c',
    '\x1b[12;40R',
    '\x1b[?12;40;1R',
    '\x1b[?2026;2$y',
    '\x1b[0n',
    '\x1b[?997;1n',
    '\x1b[?1u',
    '\x1b[8;24;80t',
    '\x1b[I',
    '\x1b[O',
    '\x1b[<0;10;10m',
    '\x1b[M !!',
    '\x1b_Gi=1;OK\x1b\\',
  ])('the terminal’s reply %j presses no key, whole, cut or late', async (reply) => {
    const { board, clock, names } = keyboard();
    board.feed(reply);
    for (const byte of reply) board.feed(byte);
    expect(names()).toEqual([]);
    for (let cut = 1; cut < reply.length; cut += 1) {
      board.feed(reply.slice(0, cut));
      await clock.passes(400);
      board.feed(reply.slice(cut));
    }
    // Once, where the rest came after a lone Esc had counted.
    expect(names()).toEqual(['esc']);
    board.feed('j');
    expect(names().at(-1)).toBe('j');
  });

  test('a sequence that another one cuts off presses no key, and neither does one that never ends', async () => {
    const { board, clock, names } = keyboard();
    board.feed('\x1b[12\x1b[A');
    expect(names()).toEqual(['up']);
    board.feed('\x1b]11;rgb:12');
    await clock.passes('2s');
    board.feed('j');
    expect(names()).toEqual(['up', 'j']);
  });

  test('pasted text arrives in one piece, presses no keys, and keeps sequences that look like keys', () => {
    const { board, names, pastes } = keyboard();
    board.feed('\x1b[200~delete\rall \x1b[A y');
    board.feed('es\x1b[20');
    board.feed('1~j');
    expect(pastes).toEqual(['delete\rall \x1b[A yes']);
    expect(names()).toEqual(['j']);
  });

  test('a character cut between its bytes is one key', () => {
    const { board, names } = keyboard();
    const bytes = Buffer.from('値👩‍🚒');
    for (const byte of bytes) board.feed(Uint8Array.of(byte));
    expect(names().join('')).toBe('値👩‍🚒');
  });
});
