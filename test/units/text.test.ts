import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { paint } from '../../src/lib/paint.ts';
import { cells, clip, cut, fit, graphemes, isSimple, shortened, wrap } from '../../src/lib/text.ts';
import { runs } from '../support/runs.ts';

const painted = fc.string({ unit: 'binary', maxLength: 60 }).map(paint);
const widths = fc.integer({ min: 0, max: 50 });

test('cells measures like the renderer', () => {
  for (const text of ['', 'plain', '値が未定義', 'é', 'e\u0301', '👩‍👩‍👧', '❤️', '1️⃣', '한국', 'ｱﾞ', '🇩🇪'])
    expect(cells(text)).toBe(stringWidth(text));
  fc.assert(fc.property(painted, (text) => cells(text) === stringWidth(text)));
});

test('simple characters take one cell each and join no neighbor', () => {
  const simple = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(isSimple);
  expect(simple.length).toBeGreaterThan(1000);
  expect(simple.filter((letter) => stringWidth(letter) !== 1)).toEqual([]);
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const pair = fc.tuple(fc.constantFrom(...simple), fc.constantFrom(...simple)).map((both) => both.join(''));
  fc.assert(fc.property(pair, (text) => [...segments.segment(text)].length === 2));
  // Together with all others, each pair of neighbors once.
  expect([...segments.segment(simple.join(''))]).toHaveLength(simple.length);
  // Beside others they may be part of a character.
  const mixed = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', ' ', '…', '\u0301', '\u200d', '\u0600', '👩', '🇩'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(mixed, (text) => {
      expect(graphemes(text)).toEqual(Array.from(segments.segment(text), ({ segment }) => segment));
    }),
    { numRuns: runs(3000) },
  );
});

test('a painted text has the same width whatever is beside it', () => {
  fc.assert(
    fc.property(painted, (text) => cells(`|${text}|`) === cells(text) + 2 && cells(` ${text} `) === cells(text) + 2),
    { numRuns: runs(5000) },
  );
});

test('fit returns exactly the width for any text', () => {
  fc.assert(
    fc.property(painted, widths, (text, width) => stringWidth(fit(text, width)) === width),
    { numRuns: runs(3000) },
  );
});

test('cut and clip stay within the width and keep whole characters', () => {
  fc.assert(
    fc.property(painted, widths, (text, width) => {
      const clipped = clip(text, width);
      return cells(cut(text, width)) <= width && text.startsWith(clipped.text) && cells(clipped.text) === clipped.cells;
    }),
  );
});

test('a long text is shortened between whole characters', () => {
  const [family, flag] = ['👩‍👩‍👧‍👦', '🇩🇪'];
  expect(shortened('x'.repeat(30))).toBe('x'.repeat(30));
  expect(shortened('x'.repeat(31))).toBe(`${'x'.repeat(29)}…`);
  expect(shortened(`12345${flag}`.repeat(9), 9)).toBe('12345…');
  expect(shortened(`12345${flag}`.repeat(9), 10)).toBe(`12345${flag}…`);
  expect(shortened(`1${family}`, 11)).toBe('1…');
  expect(shortened('😀'.repeat(40)).isWellFormed()).toBe(true);
});

test('wrapped lines are within the width and keep every letter', () => {
  fc.assert(
    fc.property(painted, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wrap(text, width);
      return lines.join('') === text && lines.every((line) => graphemes(line).length === 1 || cells(line) <= width);
    }),
    { numRuns: runs(3000) },
  );
});
