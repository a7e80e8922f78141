import { expect, test } from 'vitest';
import type { Repeats } from '../bench/cross-row.ts';
import { fewestBytes } from '../bench/fewest-bytes.ts';
import { type Judged, leastWaste } from '../bench/measured-program.ts';
import { createTerminalModel } from '../bench/terminal-model.ts';

const esc = '\u001B';
const home = `${esc}[H`;

/** The screen before, cursor at home and a plain pen unless the bytes say otherwise, and the one after. */
async function fewest(before: string, after: string, repeats: Repeats, rows = 4): Promise<number> {
  const model = createTerminalModel(20, rows);
  try {
    await model.take(before);
    const from = model.screen();
    await model.take(after);
    return fewestBytes(from, model.screen(), repeats);
  } finally {
    model.dispose();
  }
}

test.each([
  ['nothing for the same screen', `abc${home}`, `${esc}[Habc`, 0],
  ['a letter where the cursor is', home, 'x', 1],
  ['a move and a letter', home, `${esc}[1;6Hx`, `${esc}[5C`.length + 1],
  ['the unchanged cell between two changes is written', `axb${home}`, 'cxd', 3],
  ['a move over more cells than it takes bytes', `a123456b${home}`, 'c123456d', 1 + `${esc}[6C`.length + 1],
  ['a style, then nothing for the same style', home, `${esc}[1mxy`, `${esc}[1m`.length + 2],
  ['the pen that is already so', `${esc}[1m${home}`, 'x', 1],
  ['all attributes away at once', `${esc}[1;4;31m${home}`, `${esc}[mx`, `${esc}[m`.length + 1],
  ['only the attribute that differs', `${esc}[1;4;31m${home}`, `${esc}[24mx`, `${esc}[24m`.length + 1],
  ['blanks in any color of text', `abc${esc}[31m${home}`, `${esc}[m   `, 3],
  ['the rest of a row erased', `abcdefghij${home}`, `a${esc}[K`, `${esc}[C${esc}[K`.length],
  ['a stretch erased', `abcdefghijklmnopqrst${home}`, `a${esc}[13X`, `${esc}[C${esc}[13X`.length],
  ['few blanks written', `abcdefg${home}`, 'a   ', `${esc}[C`.length + 3],
  ['underlined blanks cannot be erased', home, `${esc}[4m${' '.repeat(12)}`, `${esc}[4m`.length + 12],
  ['the next row by CR LF', `abc`, `\r\nx`, 3],
  ['the row below in the same column by LF alone', `abc`, `${esc}[Bx`, 2],
  ['the row above', `\r\nabc`, `${esc}[Ax`, `${esc}[A`.length + 1],
  ['a wide character, its bytes in UTF-8', home, '漢', 3],
  ['a wide character gives way to two letters', `漢${home}`, 'ab', 2],
  ['colors in their shortest form', home, `${esc}[38;5;9mx`, `${esc}[91m`.length + 1],
])('fewest possible bytes: %s', async (_, before, after, bytes) => {
  expect(await fewest(before, after, 'none')).toBe(bytes);
});

test.each<[string, string, string, [number, number, number]]>([
  ['a line of a box', home, '─'.repeat(12), [36, 36, 3 + `${esc}[11b`.length]],
  ['letters', home, 'a'.repeat(12), [12, 1 + `${esc}[11b`.length, 1 + `${esc}[11b`.length]],
  ['few letters', home, 'aaaaa', [5, 5, 5]],
  ['over what is so already', `\r${esc}[2C─${home}`, '─────', [15, 15, 3 + `${esc}[4b`.length]],
  ['no wide character', home, '漢漢漢漢', [12, 12, 12]],
  ['no character with a mark', home, 'é'.normalize('NFD').repeat(4), [12, 12, 12]],
])('fewest possible bytes of what a terminal repeats: %s', async (_, before, after, [none, ascii, all]) => {
  expect(await fewest(before, after, 'none')).toBe(none);
  expect(await fewest(before, after, 'ascii')).toBe(ascii);
  expect(await fewest(before, after, 'all')).toBe(all);
});

test('fewest possible bytes where each of three windows has shifted', async () => {
  const line = (at: number) => `${at} `.repeat(10).slice(0, 20);
  const before = `${Array.from({ length: 15 }, (_, at) => line(at)).join('\r\n')}${home}`;
  const shifted = [1, 6, 11].map(
    (top) => `${esc}[${top};${top + 3}r${esc}[${top}H${esc}[M${esc}[r${esc}[${top + 3}Hnew`,
  );
  const after = shifted.join('');
  expect(await fewest(before, after, 'none', 15)).toBeLessThanOrEqual(after.length);
});

test.each([
  ['changed cells do not blink', `ab${home}`, 'xy', 0],
  ['cells written as they were do not blink', `abc${home}`, 'abx', 0],
  ['cells that are blanked on the way do', `abcdef${home}`, `${esc}[Kabcdex`, 5],
  ['a screen erased and drawn again', `ab\r\ncd${home}`, `${esc}[2Jab\r\ncd`, 4],
  ['a style on the way', `ab${home}`, `${esc}[1mab\r${esc}[mab`, 2],
  ['rows that are scrolled and back', `ab\r\ncd${home}`, `${esc}M${esc}[4H\n`, 6],
])('blink: %s', async (_, before, bytes, cells) => {
  const model = createTerminalModel(20, 4);
  await model.take(before);
  expect(await model.take(bytes)).toBe(cells);
  model.dispose();
});

test('of each key the answer with the least waste is judged: what an age or a notice changed meanwhile does not count', () => {
  const answer = (bytes: number, blink = 0): Judged => ({ bytes, blink, fewest: 100, ms: 1 });
  const rounds = [
    [answer(101, 12), answer(100, 3)],
    [answer(110), answer(100, 4)],
    [answer(112), answer(104, 3)],
  ];
  expect(leastWaste(rounds).map(({ bytes, blink }) => [bytes, blink])).toEqual([
    [110, 0],
    [100, 3],
  ]);
});
