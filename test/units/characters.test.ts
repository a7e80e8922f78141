import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { easyCells, easyCharacters, isEmoji } from '../../src/lib/text.ts';
import { isQuick, runs } from '../support/runs.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const segments = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
const isKnown = (text: string) => /^\p{RGI_Emoji}$/v.test(text);
const letters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const easy = letters.filter((letter) => easyCharacters(letter));
/** Classes of tens of thousands of letters of which Unicode tells none from its neighbors. */
const isOfMany = (letter = '') => /^[\p{Cn}\p{Co}\p{sc=Han}\p{sc=Hangul}\p{sc=Tangut}]$/u.test(letter);
/** All letters, of the largest classes only those at an edge and every 29th. */
const sampled = (all: readonly string[]) =>
  all.filter((letter, at) => at % 29 === 0 || ![letter, all[at - 1], all[at + 1]].every(isOfMany));

test('texts of most scripts, and emoji, need no table of ICU', () => {
  for (const text of [
    ...['Привет, мир', 'Ελλάδα', '値が未定義', '한국어', 'שָׁלוֹם', 'سلامٌ', 'ที่นี่', 'ﾊﾛｰ', 'e\u0301t\u0301', '', 'Ⅷ'],
  ])
    expect(easyCells(text), text).toBe(stringWidth(text));
  for (const text of ['🔥', '👩‍👩‍👧', '👩‍💻', '👍🏽', '❤️', '🇩🇪', '1️⃣', '1⃣', '🏳️‍🌈', '©', '🚨 down ✅'])
    expect(easyCells(text), text).toBe(stringWidth(text));
  for (const text of ['क्षि', '\u1112\u1161', '\u0600', '🏴\u{e0067}\u{e0062}\u{e007f}'])
    expect(easyCells(text), text).toBe(undefined);
});

test('a letter has the cells that the library counts', () => {
  expect(easy.length).toBeGreaterThan(250_000);
  const tried = isQuick ? sampled(easy) : easy;
  expect(tried.filter((letter) => easyCells(`${letter}b`) !== stringWidth(`${letter}b`))).toEqual([]);
});

test('texts fall into the characters that Unicode sees, with the cells that the library counts', () => {
  const isAlike = (text: string) => {
    const parts = easyCharacters(text) ?? [];
    return parts.join('|') === segments(text).join('|') && easyCells(text) === stringWidth(text);
  };
  // Each letter between two that join, and each with a few that are known for it.
  expect(sampled(easy).filter((letter) => !isAlike(`${letter}\u0301${letter}\u200d${letter}👩${letter}`))).toEqual([]);
  const special = fc.constantFrom(
    ...['\u0301', '\u200d', '\ufe0f', '🏽', '👩', '💻', '❤', '🇩', '🇪', '1', '\u20e3', '©', '値', '각'],
  );
  const any = fc.nat({ max: easy.length - 1 }).map((at) => easy[at] as string);
  const mixed = fc.string({ unit: fc.oneof({ weight: 3, arbitrary: special }, any), maxLength: 12 });
  fc.assert(fc.property(mixed, isAlike), { numRuns: runs(50_000) });
});

test('emoji are known as Unicode knows them', () => {
  const marked = letters.filter((letter) => /\p{Emoji}|^[\u2000-\u33ff]/u.test(letter));
  const tones = [
    ...['', '\ufe0f', '\u20e3', '\ufe0f\u20e3', '🏻', '🏿', '\u200d♂️', '🏽\u200d♂️', '\u200d❤️\u200d👩', '\u200d💻'],
  ];
  for (const end of tones)
    expect(
      marked.filter((letter) => isEmoji(letter + end) !== isKnown(letter + end)),
      end,
    ).toEqual([]);
  expect(sampled(letters).filter((letter) => isEmoji(letter) !== isKnown(letter))).toEqual([]);
  const flags = Array.from({ length: 26 ** 2 }, (_, at) =>
    String.fromCodePoint(0x1f1e6 + (at % 26), 0x1f1e6 + Math.floor(at / 26)),
  );
  expect(flags.filter((flag) => isEmoji(flag) !== isKnown(flag))).toEqual([]);
});
