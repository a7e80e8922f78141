import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { paint } from '../../src/lib/paint.ts';
import {
  cells,
  clip,
  cut,
  cutAfterPart,
  fit,
  formatCount,
  graphemes,
  isSimple,
  plural,
  sparkline,
  squeeze,
  wrap,
} from '../../src/lib/text.ts';
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
  expect(fit('checkout', 10)).toBe('checkout  ');
  expect(fit('733', 6, 'right')).toBe('   733');
  expect(fit('checkout-api', 8)).toBe('checkou…');
  expect(fit('値が未定義', 6)).toBe('値が… ');
  expect(fit('値', 1)).toBe('…');
  expect(fit('abc', 0)).toBe('');
  expect(fit('checkout-api', 8, 'left', '~')).toBe('checkou~');
  fc.assert(
    fc.property(painted, widths, (text, width) => stringWidth(fit(text, width)) === width),
    { numRuns: runs(3000) },
  );
});

test('cut and clip stay within the width and keep whole characters', () => {
  expect(cut('checkout', 8)).toBe('checkout');
  expect(clip('a👩‍👩‍👧b', 2)).toEqual({ text: 'a', cells: 1 });
  fc.assert(
    fc.property(painted, widths, (text, width) => {
      const clipped = clip(text, width);
      return cells(cut(text, width)) <= width && text.startsWith(clipped.text) && cells(clipped.text) === clipped.cells;
    }),
  );
});

test('a help that is cut ends after a part of it where one fits', () => {
  const help = 'Delete the table; lookups stop working';
  expect(cutAfterPart(help, 40)).toBe(help);
  for (const width of [17, 18, 30]) expect(cutAfterPart(help, width), `${width}`).toBe('Delete the table…');
  expect(cutAfterPart(help, 16)).toBe('Delete the tabl…');
  expect(cutAfterPart(help, 12)).toBe('Delete the …');
  expect(cutAfterPart('Remove it. You need the key to re-add it', 26, '~')).toBe('Remove it~');
});

test('wrap breaks between words, breaks long words, and keeps every letter', () => {
  expect(wrap('cannot read property of undefined', 12)).toEqual(['cannot read ', 'property of ', 'undefined']);
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrap('', 4)).toEqual(['']);
  // After a sign in the second half of the line, where there is one.
  expect(wrap('https://a.test/runbooks/b', 18)).toEqual(['https://a.test/', 'runbooks/b']);
  expect(wrap('runbook: https://a.test/runbooks/b', 16)).toEqual(['runbook: ', 'https://a.test/', 'runbooks/b']);
  expect(wrap('a/bcdefghijkl', 8)).toEqual(['a/bcdefg', 'hijkl']);
  fc.assert(
    fc.property(painted, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wrap(text, width);
      return lines.join('') === text && lines.every((line) => graphemes(line).length === 1 || cells(line) <= width);
    }),
    { numRuns: runs(3000) },
  );
});

test('counts are short and rounded down', () => {
  expect([0, 9124, 9999, 10_000, 12_345, 99_999, 999_999, 1_234_567, 10n ** 13n].map(formatCount)).toEqual([
    '0',
    '9124',
    '9999',
    '10k',
    '12.3k',
    '99.9k',
    '999k',
    '1.2M',
    '10T',
  ]);
  expect(formatCount(-12_345)).toBe('-12.3k');
  expect(formatCount(Number.NaN)).toBe('–');
});

test('plural adds the right ending', () => {
  expect([plural(1, 'issue'), plural(0, 'issue'), plural(2, 'query'), plural(3n, 'match'), plural(2, 'key')]).toEqual([
    '1 issue',
    '0 issues',
    '2 queries',
    '3 matches',
    '2 keys',
  ]);
  expect(plural(2, 'person', 'people')).toBe('2 people');
});

test('a sparkline has the given width, the newest sample at the right', () => {
  expect(sparkline([0, 7], 4)).toBe('  ▁█');
  expect(sparkline([1, 2, 3, 4, 5, 6, 7, 8], 4)).toBe('▁▃▆█');
  expect(sparkline([5, 5, 5], 3)).toBe('▁▁▁');
  expect(sparkline([], 3)).toBe('   ');
  expect(sparkline([0, Number.NaN, 7], 3, true)).toBe('_ #');
});

describe('squeeze', () => {
  test('keeps both ends of a sentence within the width', () => {
    const said = 'muted host:web-14 of Host of fraud-scoring is down [prod] until 11:53';
    expect(squeeze(said, 40)).toMatch(/^muted host:web-14.*….*until 11:53$/);
    for (let width = 0; width < 80; width += 1) expect(cells(squeeze(said, width))).toBeLessThanOrEqual(width);
    expect(cells(squeeze('決済サービスの遅延が大きくなっています until 07:30', 21))).toBeLessThanOrEqual(21);
    expect(squeeze('short', 40)).toBe('short');
  });
});
