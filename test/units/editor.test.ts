import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphemeAfter, graphemeBefore, graphemeBoundary } from '../../src/lib/grapheme-positions.ts';
import { cells, graphemes } from '../../src/lib/text.ts';
import { columnOf, rowAt, textRows } from '../../src/lib/text-rows.ts';
import {
  type Editor,
  edited,
  editor,
  movedByRow,
  pasted,
  typed,
  typingRedone,
  typingUndone,
} from '../../src/session/form/editor.ts';

const width = 20;
const named = /^(left|right|home|end|backspace|delete|page(up|down)|(ctrl|alt)\+.+)$/;

/** Keys and letters one after the other, `up` and `down` as rows. */
const after = (it: Editor, ...keys: string[]): Editor =>
  keys.reduce((now, key) => {
    if (key === 'up' || key === 'down') return movedByRow(now, key === 'up' ? -1 : 1, width) ?? now;
    return named.test(key) ? (edited(now, key, width) ?? now) : typed(now, key);
  }, it);
const shown = ({ text, cursor }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

const keys = [
  ...['left', 'right', 'home', 'end', 'up', 'down', 'backspace', 'delete', 'alt+return', 'alt+u', 'alt+r'],
  ...['alt+b', 'alt+f', 'ctrl+w', 'ctrl+u', 'ctrl+k', 'ctrl+a', 'ctrl+b', 'ctrl+d', 'ctrl+_', 'alt+backspace'],
  ...['pageup', 'pagedown', 'ctrl+home', 'alt+>', 'alt+d'],
];
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom('avg(last_5m):', 'env:prod', '\n', ' ', '値', '👩‍🚒', 'e\u0301', '\r\n', ',', '{', '🇩🇪'), {
      maxLength: 40,
    })
    .map((it) => it.join('')),
);
const letter = fc.constantFrom('a', 'é', '\u0301', '👩', '\u200d', '🚒', ' ', '(', '値');
const pressed = fc.array(fc.oneof(fc.constantFrom(...keys), letter), { maxLength: 60 });

test('whatever is pressed, the cursor stays in the text and between two characters', () => {
  fc.assert(
    fc.property(text, pressed, (before, these) => {
      for (let it = editor(before), at = 0; at < these.length; at += 1) {
        it = after(it, these[at] as string);
        expect(it.cursor).toBeGreaterThanOrEqual(0);
        expect(it.cursor).toBeLessThanOrEqual(it.text.length);
        expect(graphemeBoundary(it.text, it.cursor)).toBe(it.cursor);
      }
    }),
  );
});

test('all steps taken back give the text as it was opened; all of them again, as it was left', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.oneof(fc.constantFrom('left', 'up', 'backspace', 'ctrl+w'), letter)),
      (before, these) => {
        const left = after(editor(before), ...these);
        const back = Array.from({ length: 120 }).reduce<Editor>(typingUndone, left);
        expect(back.past).toEqual([]);
        if (these.length <= 100) expect(back.text).toBe(before);
        expect(Array.from({ length: 120 }).reduce<Editor>(typingRedone, back).text).toBe(left.text);
      },
    ),
  );
});

test('steps from character to character are those that the segmenter sees', () => {
  fc.assert(
    fc.property(text, (it) => {
      const letters = graphemes(it);
      const places = [0];
      for (const one of letters) places.push((places.at(-1) as number) + one.length);
      for (const [index, place] of places.entries()) {
        expect(graphemeAfter(it, place)).toBe(places[index + 1] ?? it.length);
        expect(graphemeBefore(it, place)).toBe(places[index - 1] ?? 0);
      }
    }),
  );
});

test('rows lose nothing but line breaks, tear no character, and have room for the cursor', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (it, wide) => {
      const rows = textRows(it, wide);
      const between = rows.map((row, at) => it.slice(rows[at - 1]?.end ?? 0, row.start));
      for (const gap of between) expect(['', '\n', '\r\n']).toContain(gap);
      expect(it.slice(rows.at(-1)?.end)).toBe('');
      expect(rows.map((row, at) => between[at] + it.slice(row.start, row.end)).join('')).toBe(it);
      for (const row of rows) {
        const part = it.slice(row.start, row.end);
        expect(graphemeBoundary(it, row.start)).toBe(row.start);
        expect(columnOf(it, row, row.end) <= wide || graphemes(part).length === 1, JSON.stringify(part)).toBe(true);
      }
    }),
  );
});

test('a long text is broken after spaces, commas and brackets', () => {
  const query = 'avg(last_5m):avg:system.disk.in_use{env:prod,host:web-1} by {host} > 0.9';
  expect(textRows(query, 30).map((it) => query.slice(it.start, it.end))).toEqual([
    'avg(last_5m):',
    'avg:system.disk.in_use{',
    'env:prod,host:web-1} by ',
    '{host} > 0.9',
  ]);
  expect(rowAt(textRows(query, 30), 13)).toBe(1);
});

test('up and down go by rows, keep their column over a short one, and leave at the ends', () => {
  const it = after(editor('one two three\nab\nfour five six'), 'up');
  expect(shown(it)).toBe('one two three\nab|\nfour five six');
  expect(shown(after(it, 'up'))).toBe('one two three|\nab\nfour five six');
  expect(movedByRow(after(it, 'up'), -1, width)).toBeUndefined();
  expect(movedByRow(editor('one'), 1, width)).toBeUndefined();
  expect(shown(after(editor('値値値値値\nabcd'), 'up'))).toBe('値値|値値値\nabcd');
});

test('home and end are those of the row, word moves stop at brackets, colons and commas', () => {
  const it = editor('sum:a.b{env:prod,host:web-1} by {host}');
  expect(shown(after(it, 'home'))).toBe('sum:a.b{env:prod,host:web-1} by |{host}');
  expect(shown(after(it, 'home', 'left', 'home'))).toBe('sum:a.b{env:prod,|host:web-1} by {host}');
  expect(shown(after(it, 'home', 'left', 'end'))).toBe('sum:a.b{env:prod,host:web-1} by| {host}');
  expect(shown(after(it, 'alt+b', 'alt+b', 'alt+b'))).toBe('sum:a.b{env:prod,host:|web-1} by {host}');
  expect(shown(after(it, 'ctrl+a', 'ctrl+a', 'ctrl+w'))).toBe('sum:a.b{env:prod,host:web-1} |{host}');
});

test('pages, both ends of the text, and the word ahead', () => {
  const lines = editor(Array.from({ length: 9 }, (_, at) => `row ${at}`).join('\n'));
  expect(shown(after(lines, 'pageup'))).toContain('row 3|\n');
  expect(shown(after(lines, 'pageup', 'pageup', 'alt+d'))).toMatch(/^row 0\|/);
  expect(shown(after(lines, 'ctrl+home', 'alt+d'))).toMatch(/^\| 0/);
  expect(after(lines, 'alt+<', 'alt+>').cursor).toBe(lines.text.length);
});

test('cuts keep to their line first', () => {
  const it = after(editor('one\ntwo three'), 'alt+b');
  expect(shown(after(it, 'ctrl+u'))).toBe('one\n|three');
  expect(shown(after(it, 'ctrl+u', 'ctrl+u'))).toBe('one|three');
  expect(shown(after(it, 'ctrl+k'))).toBe('one\ntwo |');
  expect(shown(after(it, 'up', 'end', 'ctrl+k'))).toBe('one|two three');
});

test('a word typed is one step back, so is a paste, so are letters taken away one after the other', () => {
  const it = after(editor(), ...'avg last');
  expect(after(it, 'alt+u').text).toBe('avg ');
  expect(after(it, 'alt+u', 'alt+u').text).toBe('');
  expect(after(it, 'alt+u', 'alt+u', 'alt+r').text).toBe('avg ');
  const both = pasted(it, ' one\r\ntwo\tthree\x1b[31m');
  expect(both.text).toBe('avg last one\ntwo  three[31m');
  expect(after(both, 'ctrl+_').text).toBe('avg last');
  expect(after(it, 'backspace', 'backspace', 'ctrl+_').text).toBe('avg last');
  expect(after(it, 'left', 'X', 'alt+u').text).toBe('avg last');
});

test('a hundred steps are kept', () => {
  const it = after(editor(), ...'a '.repeat(150));
  expect(it.past).toHaveLength(100);
  expect(cells(it.text)).toBe(300);
});
