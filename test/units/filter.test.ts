import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkableUrl, stripSequences } from '../../src/terminal/sequences.ts';
import { runs } from '../support/runs.ts';

test.each([
  ['plain\nlines\tand tabs 型 👩‍👩‍👧 é', 'plain\nlines\tand tabs 型 👩‍👩‍👧 é'],
  ['\u001B[1mbold', '?[1mbold'],
  ['\u001B]52;c;ZXZpbA==\u0007', '?]52;c;ZXZpbA==?'],
  ['\u001BP+q\u001B\\', '?P+q?\\'],
  ['a\u009B31mb\u007F', 'a?31mb?'],
  ['bell\u0007 return\r', 'bell? return?'],
  ['\u061C\u200E\u200F\u202Egnp.exe\u2066\u2069', '????gnp.exe??'],
  ['a\uD800b', 'a\uFFFDb'],
])('%j becomes the harmless text %j', (text, shown) => {
  expect(stripSequences(text)).toBe(shown);
});

test('only plain web addresses become links', () => {
  expect(linkableUrl('https://a.test/x y')).toBe('https://a.test/x%20y');
  expect(linkableUrl('http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080/');
  for (const word of [
    ...['javascript:1', 'data:text/html,x', 'https://me:secret@a.test/', 'ftp://a.test', '/relative'],
    `https://a.test/${'x'.repeat(2100)}`,
  ])
    expect(linkableUrl(word)).toBeUndefined();
  expect(linkableUrl('https://a.test/\u001B]0;x\u0007')).not.toMatch(/[\u0000-\u001F]/);
});

/** Pieces of hostile texts. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['\u001B', '[', ']', '8;;', '52;c;', '?25h', '2J', '\u0007', '\u009B', '\\', 'm', '\u202E', 'http://a/'],
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

test('no control character passes but line feeds and tabs, and no text is lost', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = stripSequences(text);
      expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
      expect(shown).toHaveLength(text.length);
      expect(stripSequences(shown)).toBe(shown);
    }),
    { numRuns: runs(3000) },
  );
});
