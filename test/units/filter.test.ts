import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowOwnSequences, linkableUrl, stripSequences } from '../../src/terminal/sequences.ts';
import { runs } from '../support/runs.ts';

const ours = [
  ...['\u001B[1m\u001B[38;5;9mred\u001B[0m', '\u001B[23A\u001B[E\u001B[7G\u001B[K\u001B[2;5H\u001B[J'],
  ...['\u001B[?1049h\u001B[?25l\u001B[?2026h\u001B[?2004h\u001B[?2026l', '\u001B[>1u\u001B[<u\u001B[?u'],
  ...['plain\nlines 型 👩‍👩‍👧 é'],
];

test.each(ours)('our own sequences pass unchanged: %j', (text) => {
  expect(allowOwnSequences(text)).toBe(text);
});

test.each([
  ['\u001B]52;c;ZXZpbA==\u0007', '?]52;c;ZXZpbA==?'],
  ['\u001B[?1003h', '?[?1003h'],
  ['\u001B[3;1T', '?[3;1T'],
  ['\u001Bc', '?c'],
  ['\u001BP+q\u001B\\', '?P+q?\\'],
  ['a\u009B31mb', 'a?31mb'],
  ['bell\u0007 tab\t return\r', 'bell? tab? return?'],
  ['\u202Egnp.exe', '?gnp.exe'],
  ['\u001B]0;title\u0007after', '?]0;title?after'],
  ['\u001B[', '?['],
  ['a\uD800b', 'a\uFFFDb'],
])('%j becomes the harmless text %j', (text, shown) => {
  expect(allowOwnSequences(text)).toBe(shown);
});

test('only links that we wrote pass', () => {
  const link = '\u001B]8;;https://example.test/a?b=c\u001B\\issue\u001B]8;;\u001B\\';
  expect(allowOwnSequences(`x ${link} y\u0007`)).toBe(`x ${link} y?`);
  expect(allowOwnSequences('\u001B]8;;javascript:alert(1)\u001B\\x\u001B]8;;\u001B\\')).not.toContain('\u001B]8;;j');
  expect(allowOwnSequences('\u001B]8;;file:///etc/passwd\u0007x')).toBe('?]8;;file:///etc/passwd?x');
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

test('no control character passes outside our own sequences, and no text is lost', () => {
  const known =
    /\u001B\[[0-9;]*[A-HJKdm]|\u001B\[\?(?:25|1049|2004|2026)[hl]|\u001B\[(?:\?|<|>\d{1,2})u|\u001B\]8;;[!-~]*(?:\u0007|\u001B\\)/g;
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = allowOwnSequences(text);
      expect(shown.replace(known, '')).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
      expect(shown).toHaveLength(text.length);
      expect(allowOwnSequences(shown)).toBe(shown);
      expect(stripSequences(text)).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
    }),
    { numRuns: runs(3000) },
  );
});
