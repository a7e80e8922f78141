import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyboard, type Key } from '../../src/session/keyboard/keyboard.ts';
import { createSteppedClock } from '../support/steppedclock.ts';

function keyboard() {
  const clock = createSteppedClock();
  const keys: Key[] = [];
  const pastes: string[] = [];
  const replies: string[] = [];
  /** Keys, pasted texts and clicks in their order. */
  const all: string[] = [];
  const board = createKeyboard({
    clock,
    key(key) {
      keys.push(key);
      all.push(key.name);
    },
    paste(text) {
      pastes.push(text);
      all.push(`paste ${text}`);
    },
    reply: (text) => replies.push(text),
    mouse: ({ kind, column, row }) => all.push(`${kind} ${column},${row}`),
  });
  return { clock, board, keys, pastes, replies, all, names: () => keys.map((key) => key.name) };
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

  test('a thousand keys in one read were pasted, with what comes right behind them; a pause ends that', async () => {
    const { board, clock, all } = keyboard();
    const typed = 'j'.repeat(999);
    board.feed(typed);
    expect(all).toHaveLength(999);
    all.length = 0;
    board.feed(`${typed}é\r`);
    await clock.passes(99);
    board.feed('a\tb');
    await clock.passes(99);
    expect(all).toEqual([]);
    await clock.passes(1);
    expect(all).toEqual([`paste ${typed}é\na\tb`]);
    board.feed('y');
    expect(all.at(-1)).toBe('y');
  });

  test('a reply of the terminal amid pasted text neither ends it nor holds it up', async () => {
    const { board, clock, all } = keyboard();
    const pasted = 'j'.repeat(1000);
    board.feed(pasted);
    await clock.passes(60);
    board.feed('\x1b[0n');
    await clock.passes(39);
    expect(all).toEqual([]);
    await clock.passes(1);
    expect(all).toEqual([`paste ${pasted}`]);
  });

  test('a control character in much pasted text is no key', async () => {
    const { board, clock, all } = keyboard();
    const half = 'text '.repeat(150);
    board.feed(`${half}\x03\x1b[A\x04${half}`);
    expect(all).toEqual([]);
    await clock.passes(100);
    expect(all).toEqual([`paste ${half}${half}`]);
  });

  test('a key that types nothing ends what was pasted, and is one itself', () => {
    const { board, all } = keyboard();
    const pasted = 'text '.repeat(300);
    board.feed(pasted);
    board.feed('\x1b[A');
    board.feed('y');
    expect(all).toEqual([`paste ${pasted}`, 'up', 'y']);
    all.length = 0;
    board.feed(`${'\x1b[B'.repeat(1200)}x`);
    expect(all).toHaveLength(1201);
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
    ['\x1b[1;2A', 'shift+up'],
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
    board.feed(`${bytes}j`);
    expect(names().slice(1)).toEqual([name, 'j']);
  });

  test('an escape sequence cut anywhere is reassembled', () => {
    const { board, names } = keyboard();
    board.feed('\x1b');
    board.feed('[');
    board.feed('A');
    expect(names()).toEqual(['up']);
  });

  test.each([
    ['an unknown key of the ESC O form', '\x1bOz'],
    ["a terminal's reply that ST ends", '\x1b]11;rgb:0/0/0\x1b\\'],
    ['a reply with ST, before a BEL', '\x1bP>|term\x1b\\'],
    ["a terminal's reply without a text", '\x1b]\x1b\\'],
    ['a click without a leader', '\x1b[0;3;4M'],
    ['a click with a space', '\x1b[<0;3;4 M'],
    ['a click of another button', '\x1b[<1;3;4M'],
    ['a click left of the screen', '\x1b[<0;0;4M'],
    ['a click above the screen', '\x1b[<0;3;0M'],
    ['a sequence with a leader', '\x1b[?1A'],
    ['a sequence with a space', '\x1b[1 A'],
    ['a control character of eight bits', '\x80\x9f'],
  ])('%s is no key, and the next letter is one', (_, bytes) => {
    const { board, all } = keyboard();
    board.feed(`${bytes}a\x07`);
    expect(all).toEqual(['a', 'ctrl+g']);
  });

  test('a key of the ESC O form takes three bytes, also where they come one by one', () => {
    const { board, names } = keyboard();
    for (const byte of '\x1bOAa') board.feed(byte);
    board.feed('\x1bOBb');
    expect(names()).toEqual(['up', 'a', 'down', 'b']);
  });

  test('a lone Esc counts after a wait; an arrow torn longer than that is still no letter', async () => {
    const { board, clock, names } = keyboard();
    board.feed('\x1b');
    expect(names()).toEqual([]);
    await clock.passes(100);
    expect(names()).toEqual(['esc']);
    board.feed('[A');
    expect(names()).toEqual(['esc', 'up']);
    await clock.passes(2000);
    board.feed('[A');
    expect(names()).toEqual(['esc', 'up', '[', 'A']);
    const twice = keyboard();
    twice.board.feed('\x1b');
    await twice.clock.passes(25 + 699);
    twice.board.feed('[A');
    twice.board.feed('[B');
    expect(twice.names()).toEqual(['esc', 'up', '[', 'B']);
    const late = keyboard();
    late.board.feed('\x1b');
    await late.clock.passes(25 + 700);
    late.board.feed('[A');
    expect(late.names()).toEqual(['esc', '[', 'A']);
    const other = keyboard();
    other.board.feed('\x1b');
    await other.clock.passes(100);
    other.board.feed('x');
    expect(other.names()).toEqual(['esc', 'x']);
  });

  test('Esc before another key is a key of its own, and a keyboard that is closed presses none', async () => {
    const read = async (bytes: string) => {
      const { board, clock, names } = keyboard();
      board.feed(bytes);
      const atOnce = names().length;
      await clock.passes(1000);
      return [atOnce, ...names()];
    };
    expect(await read('\x1b\x1b')).toEqual([1, 'esc', 'esc']);
    expect(await read('\x1b\x01')).toEqual([2, 'esc', 'ctrl+a']);
    expect(await read('\x1b ')).toEqual([1, 'alt+space']);
    // What begins a sequence and does not go on was typed.
    for (const begun of ['[', 'O', ']', 'P']) expect(await read(`a\x1b${begun}`)).toEqual([1, 'a', `alt+${begun}`]);
    expect(await read('a\x1b[1')).toEqual([1, 'a']);
    const { board, clock, names } = keyboard();
    board.feed('\x1b');
    board.close();
    await clock.passes(1000);
    expect(names()).toEqual([]);
  });

  test('a reply that does not end within 4,096 characters is given up', () => {
    const { board, names, replies } = keyboard();
    const begun = `\x1b]${'x'.repeat(4094)}`;
    board.feed(begun);
    expect(replies).toEqual([]);
    board.feed('\x07');
    board.feed(`${begun}x`);
    board.feed('j');
    expect([replies, names()]).toEqual([[`${begun}\x07`, `${begun}x`], ['j']]);
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
    const { board, clock, names, replies } = keyboard();
    board.feed(reply);
    expect(replies).toEqual([reply]);
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
    await clock.passes(2000);
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

  test('the end of pasted text may be cut anywhere, for any time', async () => {
    const end = '\x1b[201~';
    for (let cut = 1; cut < end.length; cut += 1) {
      const { board, clock, all } = keyboard();
      board.feed(`k\x1b[200~es${end.slice(0, cut)}`);
      expect(all).toEqual(['k']);
      await clock.passes(5000);
      board.feed(`${end.slice(cut)}j`);
      expect(all).toEqual(['k', 'paste es', 'j']);
    }
  });

  test('keys, pasted texts, clicks and turns of the wheel of one chunk come in their order', () => {
    const { board, all } = keyboard();
    board.feed('ab\x1b[200~x\x1b[201~cd\x1b[<0;3;4Me\x1b[<64;1;1M\x1b[<65;1;1M\xa0');
    expect(all).toEqual(['a', 'b', 'paste x', 'c', 'd', 'press 2,3', 'e', 'up 0,0', 'down 0,0', '\xa0']);
  });

  test('a character cut between its bytes is one key', () => {
    const { board, names } = keyboard();
    const bytes = Buffer.from('値👩‍🚒');
    for (const byte of bytes) board.feed(Uint8Array.of(byte));
    expect(names().join('')).toBe('値👩‍🚒');
  });
});

/** How a terminal sends a key as one byte or as a sequence, and as a code of the kitty keyboard protocol. */
const bothForms: readonly (readonly [legacy: string, code: string])[] = [
  ['\x1b', '27'],
  ['\x1b\r', '13;3'],
  ['\r', '13;5'],
  ['\x1b[Z', '9;2'],
  ['\x1b\x7f', '127;3'],
  ['\x7f', '127;5'],
  ['\0', '32;5'],
  ['\x1f', '47;5'],
  ['\x1f', '45:95;6'],
  ['\x1b[A', '57419'],
  ['0', '57399'],
  ['7', '57406'],
  ['9', '57408'],
  ['.', '57409'],
  ['\r', '57414'],
  ['\x1b<', '44:60;4'],
  ['\x1b>', '46:62;4'],
  // Num lock and caps lock are no modifiers; another alphabet has the Latin keys.
  ['\x03', '99;133'],
  ['\x03', '1089::99;5'],
  ['\x1bb', '1080::98;3'],
];

/** The keys of one chunk and what follows it: an Esc that is held back counts. */
async function read(chunk: string): Promise<readonly Omit<Key, 'alone'>[]> {
  const { board, clock, keys } = keyboard();
  board.feed(chunk);
  await clock.passes(1000);
  return keys.map(({ alone: _, ...key }) => key);
}

describe('keys as codes', () => {
  test.each(bothForms)('%j and ESC[%su are the same key', async (legacy, code) => {
    expect(await read(`\x1b[${code}u`)).toEqual(await read(legacy));
  });

  test('each letter with Ctrl and with Alt is what it is as bytes, also in an event of its own', async () => {
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      const code = letter.charCodeAt(0);
      const byte = String.fromCharCode(code & 31);
      for (const form of [`${code};5`, `${code};5:1`, `${code}:${code - 32};6`, `${code};69`])
        expect(await read(`\x1b[${form}u`), form).toEqual(await read(byte));
      expect(await read(`\x1b[${code};3u`)).toEqual(await read(`\x1b${letter}`));
      // As bytes, Alt with O, P or X begins a sequence.
      if (!'opx'.includes(letter))
        expect(await read(`\x1b[${code}:${code - 32};4u`)).toEqual(await read(`\x1b${letter.toUpperCase()}`));
      expect(await read(`\x1b[${code};2u`)).toEqual(await read(letter.toUpperCase()));
    }
  });

  test('a code cut anywhere is the same key, at once when its end is there, and no key acts while it is cut', () => {
    fc.assert(
      fc.property(fc.constantFrom(...bothForms), fc.array(fc.nat(12)), ([, code], cuts) => {
        const whole = keyboard();
        const cut = keyboard();
        const bytes = `\x1b[${code}u`;
        whole.board.feed(bytes);
        let from = 0;
        for (const to of [...new Set(cuts)].sort((one, other) => one - other)) {
          cut.board.feed(bytes.slice(from, to));
          from = Math.max(from, to);
          if (from < bytes.length) expect(cut.names()).toEqual([]);
        }
        cut.board.feed(bytes.slice(from));
        expect(cut.names()).toEqual(whole.names());
        expect(cut.names()).toHaveLength(1);
      }),
    );
  });

  test('no parameters make it throw, press two keys, or type a control character', () => {
    const parameters = fc.stringMatching(/^[0-9]{0,8}(:[0-9]{0,8}){0,2}(;[0-9]{0,4}(:[0-9]?)?){0,2}$/);
    fc.assert(
      fc.property(parameters, (some) => {
        const { board, keys } = keyboard();
        board.feed(`\x1b[${some}u`);
        expect(keys.length).toBeLessThanOrEqual(1);
        for (const { text = '' } of keys) expect(text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }),
      { numRuns: 3000 },
    );
  });

  test('a code types what is text: no control character, half of a pair or key of the private range', async () => {
    const edges = [31, 32, 126, 127, 159, 160, 0xd7ff, 0xd800, 0xf8ff, 0xf900, 0x10ffff, 0x110000];
    const typed = await Promise.all(edges.map(async (code) => (await read(`\x1b[${code}u`))[0]?.text?.codePointAt(0)));
    const text = [32, 126, 160, 0xd7ff, 0xf900, 0x10ffff];
    expect(typed.filter((code) => code !== undefined)).toEqual(text);
    // Without its Latin key a letter of another alphabet is itself.
    expect(await read('\x1b[1089;5u')).toEqual([{ name: 'ctrl+с' }]);
  });

  test.each(['99;5:3', '97;9', '57358', '57441;5', '0', ''])('ESC[%su presses no key', async (code) => {
    expect(await read(`\x1b[${code}u`)).toEqual([]);
  });
});

describe('the wait for what follows an Esc', () => {
  const waitOf = async ({ board, clock, names }: ReturnType<typeof keyboard>) => {
    const before = names().length;
    board.feed('\x1b');
    for (let ms = 0; ms <= 1000; ms += 5) {
      if (names().length > before) return ms;
      await clock.passes(5);
    }
    return Number.POSITIVE_INFINITY;
  };

  test('is 25 ms', async () => {
    expect(await waitOf(keyboard())).toBe(25);
  });

  test('is longer after the link has torn an arrow, and at most as long as the rest of one may take', async () => {
    for (const [apart, wait] of [
      [20, 40],
      [60, 120],
      [300, 600],
      [500, 700],
    ] as const) {
      const board = keyboard();
      board.board.feed('\x1b');
      await board.clock.passes(apart);
      board.board.feed('[A');
      expect(board.names().at(-1)).toBe('up');
      expect(await waitOf(board), `${apart}`).toBe(wait);
    }
  });

  test('does not grow for Esc and another key in quick succession', async () => {
    const board = keyboard();
    board.board.feed('\x1b');
    await board.clock.passes(20);
    board.board.feed('j');
    expect(await waitOf(board)).toBe(25);
  });
});
