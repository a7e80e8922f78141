import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { Lines } from '../../components/Lines.tsx';
import { paint, paintLines } from '../../src/lib/paint.ts';
import { type Painted, plain } from '../../src/lib/painted.ts';
import { cells, fit, wrap } from '../../src/lib/text.ts';
import type { FormField } from '../../src/scene/form-rows.ts';
import type { TableColumn, TableRow } from '../../src/scene/list-lines.ts';
import type { Pane } from '../../src/scene/scene.ts';
import type { Span } from '../../src/scene/span.ts';
import { draw } from '../support/drawn.tsx';
import { theme } from '../support/line-examples.ts';
import { runs } from '../support/runs.ts';

/** Controls, bidi and other format characters, zero-width and tag characters, and what Unicode has not assigned, which tmux drops. */
const forbidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const tags = /[\u{e0000}-\u{e007f}]/u;
/** Joiners and selectors are allowed inside a known emoji only. */
const isClean = (text: string) => !tags.test(text) && !forbidden.test(text.replace(/\p{RGI_Emoji}/gv, ''));
const sentinel = 'TAIL-of-the-text';

/** Pieces of hostile and broken text, joined at random. */
const pieces = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 12 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['\u001b[31m', '\u001b[2J', '\u001b[?1049l', '\u001b]0;title\u0007', '\u001b]8;;http://x\u001b\\'],
      ...['\u001b]52;c;AAAA\u0007', '\u001bP', '\u001b_', '\u001bX', '\u001b', '\u009b1m', '\u009d0;x\u009c'],
      ...['\u0090', '\u202e', '\u2066', '\u200b', '\u200d', '\ufeff', '\u{e0041}', '\u{e007f}', '\u0301'.repeat(30)],
      ...['\ufe0f', '\ufe0e', '👩‍👩‍👧', '🏴\u{e0067}\u{e0062}\u{e007f}', '🇩🇪', '🇩', '🏽', '👍🏽', '❤️', '1️⃣', '値'],
      ...['\ud800', '\udc00', '\r\n', '\n', '\t', '\u0000', '\u007f', '\u0085', '\u2028', '\u1160', '\u0d4e'],
    ),
  },
);
const hostile = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));

/** Paints this many hostile strings: no control byte is left, no tail is lost. */
const paints = (numRuns: number) => () =>
  fc.assert(
    fc.property(hostile, (text) => {
      const out = paint(text + sentinel);
      return isClean(out) && out.isWellFormed() && out.endsWith(sentinel);
    }),
    { numRuns, seed: 20_260_506 },
  );

test('painting 10,000 hostile strings leaves no control byte and loses no tail', paints(10_000));

test('painting 100,000 hostile strings leaves no control byte and loses no tail', { tags: ['long'] }, paints(100_000));

test('the invisible letters of a regional flag are shown, though the flag is a known emoji', () => {
  const england = String.fromCodePoint(0x1f3f4, 0xe0067, 0xe0062, 0xe0065, 0xe006e, 0xe0067, 0xe007f);
  expect(england).toMatch(/^\p{RGI_Emoji}$/v);
  expect(paint(england)).toBe(`🏴${'␦'.repeat(6)}`);
});

test('a vowel of Thai and Lao that has a cell of its own is measured as terminals do', () => {
  for (const [text, width] of [
    ['น้ำ', 2],
    ['Eຳ', 2],
    ['Eำำ.7h>', 7],
  ] as const)
    expect(cells(paint(text)), text).toBe(width);
  expect(paint('ทำ')).toBe('ท\u0e4d\u0e32');
});

test('painting twice changes nothing', () => {
  fc.assert(
    fc.property(hostile, (text) => paint(paint(text)) === paint(text)),
    { numRuns: runs(10_000), seed: 7 },
  );
}, 60_000);

test('the renderer keeps the tail of a painted string', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hostile, { minLength: 20, maxLength: 20 }), (texts) => {
      const painted = texts.map((text) => [{ text: paint(text + sentinel) }]);
      const lines = draw(<Lines lines={painted} width={1000} theme={theme} />).split('\n');
      return lines.length === texts.length && lines.every((line) => line.endsWith(sentinel) && isClean(line));
    }),
    { numRuns: runs(50), seed: 42 },
  );
});

test('characters that would act on the terminal are shown as text, and the rest is kept', () => {
  expect(paint('\u001b[31mred\u001b[0m')).toBe('␛[31mred␛[0m');
  expect(paint('a\tb\nc\rd\u0000\u007f')).toBe('a␉b␊c␍d␀␡');
  expect(paint('\u009b31m')).toBe('␦31m');
  expect(paint('user\u202etxt.exe')).toBe('user␦txt.exe');
  expect(paint('zero\u200bwidth')).toBe('zero␦width');
  expect(paint('x\u{e0041}y')).toBe('x␦y');
  expect(paint(' \u0301\u009f')).toBe(' \u0301␦');
  expect(paint('lone \ud800 half')).toBe('lone \ufffd half');
});

test('joiners and selectors stay in emoji and are shown elsewhere', () => {
  for (const [whole, drawn] of [
    ['🔥', '🔥'],
    ['🇩🇪', '🇩🇪'],
    ['👩‍👩‍👧', '👩👩👧'],
    ['👍🏽', '👍'],
    ['❤️', '❤'],
    ['1️⃣', '1'],
    ['🏳️‍🌈', '🏳🌈'],
  ] as const)
    expect(paint(whole)).toBe(drawn);
  expect(paint('a\u200db')).toBe('a␦b');
  expect(paint('a\ufe0fb')).toBe('a␦b');
  expect(paint('❤️\u200d')).toBe('❤␦');
});

test('a cell keeps at most eight combining marks, and a mark without a base is shown', () => {
  expect(paint(`a${'\u0301'.repeat(8)}b`)).toBe(`a${'\u0301'.repeat(8)}b`);
  expect(paint(`a${'\u0301'.repeat(90_000)}b`).startsWith(`a${'\u0301'.repeat(8)}␦`)).toBe(true);
  expect(paint(`a${'\u0301'.repeat(90)}b`)).toBe(`a${'\u0301'.repeat(8)}␦b`);
  expect(paint(`a${'\u0301'.repeat(9)}b`)).toBe(`a${'\u0301'.repeat(8)}␦b`);
  expect(paint('\u0301a')).toBe('◌\u0301a');
});

test('a line is cut at 4096 units, with a note', () => {
  expect(paint('x'.repeat(4096))).toBe('x'.repeat(4096));
  for (const text of ['x'.repeat(4097), '値'.repeat(5000), `${'\u001b'.repeat(9000)}`]) {
    const out = paint(text);
    expect(out.length).toBe(4096);
    expect(out.endsWith('…')).toBe(true);
    expect(paint(out)).toBe(out);
  }
  // Marks that are left out are bounded too.
  const marked = (marks: number) => paint(`a${'\u0301'.repeat(marks)}`).endsWith('…');
  expect([4096 * 8 - 1, 4096 * 8].map(marked)).toEqual([false, true]);
});

test('values that are not strings are painted', () => {
  expect(paint(null)).toBe('');
  expect(paint(undefined)).toBe('');
  expect(paint(12)).toBe('12');
  expect(paint(9_007_199_254_740_993n)).toBe('9007199254740993');
  expect(paint(true)).toBe('true');
  expect(paint({ id: 5n, name: '\u001b' })).toBe('{"id":"5","name":"\\u001b"}');
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(paint(loop)).toBe('[an object that cannot be shown]');
  const json = (length: number) => paint(['y'.repeat(length - 4)]);
  expect([json(240), json(241)]).toEqual([`["${'y'.repeat(236)}"]`, `["${'y'.repeat(237)}…`]);
});

test('text is split into lines before it is painted', () => {
  expect(paintLines('a\r\nb\u2028c\n\td')).toEqual(['a', 'b', 'c', '␉d']);
  expect(paintLines(null)).toEqual(['']);
});

test('an unpainted string of the service does not compile where text is drawn', () => {
  expectTypeOf<string>().not.toExtend<Painted>();
  expectTypeOf<'a literal'>().not.toExtend<Painted>();
  expectTypeOf(paint('x')).toEqualTypeOf<Painted>();
  expectTypeOf<Span['text']>().toEqualTypeOf<Painted>();
  expectTypeOf<Pane<never>['title'][number]['text']>().toEqualTypeOf<Painted>();
  expectTypeOf<TableColumn['title']>().toEqualTypeOf<Painted>();
  expectTypeOf<TableRow['cells'][number]>().toEqualTypeOf<Painted>();
  expectTypeOf<NonNullable<FormField['options']>[number]['label']>().toEqualTypeOf<Painted>();
  expectTypeOf<FormField['error']>().toEqualTypeOf<Painted | undefined>();
  // A part of our own sentence is painted, or a number.
  expectTypeOf<Parameters<typeof plain>[1]>().toEqualTypeOf<Painted | number>();
  // Cutting and wrapping keep the type, of a painted text only.
  expectTypeOf(fit(paint('x'), 3)).toEqualTypeOf<Painted>();
  expectTypeOf(fit('x', 3)).toEqualTypeOf<string>();
  expectTypeOf(wrap(paint('x'), 3)).toEqualTypeOf<Painted[]>();
});

test('paint keeps our own words around painted texts', () => {
  expect(plain`[${paint('a\u001bb')}] ${3}/${4} …`).toBe('[a␛b] 3/4 …');
  expect(plain``).toBe('');
});
