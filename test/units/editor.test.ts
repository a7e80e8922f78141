import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnAt, rowAt, textRows } from '../../src/lib/form-text.ts';
import { cells, graphemeAfter, graphemeBefore, graphemeBoundary, graphemes } from '../../src/lib/text.ts';
import {
  type Editor,
  edited,
  editor,
  movedByRow,
  pasted,
  typed,
  typingRedone,
  typingUndone,
} from '../../src/session/keyboard/editor.ts';

const width = 20;
const named = /^(left|right|home|end|backspace|delete|page(up|down)|(ctrl|alt)\+.+)$/;

/** The editor after keys and letters; `up` and `down` move by rows. */
const after = (state: Editor, ...keys: string[]): Editor =>
  keys.reduce((now, key) => {
    if (key === 'up' || key === 'down') return movedByRow(now, key === 'up' ? -1 : 1, width) ?? now;
    return named.test(key) ? (edited(now, key, width) ?? now) : typed(now, key);
  }, state);
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
    .map((grapheme) => grapheme.join('')),
);
const letter = fc.constantFrom('a', 'é', '\u0301', '👩', '\u200d', '🚒', ' ', '(', '値');
const pressed = fc.array(fc.oneof(fc.constantFrom(...keys), letter), { maxLength: 60 });

test('after any keys the cursor is inside the text and between two characters', () => {
  fc.assert(
    fc.property(text, pressed, (before, presses) => {
      for (let state = editor(before), at = 0; at < presses.length; at += 1) {
        state = after(state, presses[at] as string);
        expect(state.cursor).toBeGreaterThanOrEqual(0);
        expect(state.cursor).toBeLessThanOrEqual(state.text.length);
        expect(graphemeBoundary(state.text, state.cursor)).toBe(state.cursor);
      }
    }),
  );
});

test('undoing all steps restores the original text, redoing all restores the last', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.oneof(fc.constantFrom('left', 'up', 'backspace', 'ctrl+w'), letter)),
      (before, presses) => {
        const left = after(editor(before), ...presses);
        const back = Array.from({ length: 120 }).reduce<Editor>(typingUndone, left);
        expect(back.past).toEqual([]);
        if (presses.length <= 100) expect(back.text).toBe(before);
        expect(Array.from({ length: 120 }).reduce<Editor>(typingRedone, back).text).toBe(left.text);
      },
    ),
  );
});

test('the cursor moves by the graphemes of the segmenter', () => {
  fc.assert(
    fc.property(text, (content) => {
      const letters = graphemes(content);
      const places = [0];
      for (const one of letters) places.push((places.at(-1) as number) + one.length);
      for (const [index, place] of places.entries()) {
        expect(graphemeAfter(content, place)).toBe(places[index + 1] ?? content.length);
        expect(graphemeBefore(content, place)).toBe(places[index - 1] ?? 0);
      }
    }),
  );
});

test('rows keep everything but line breaks, split no character, and have room for the cursor', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (content, wide) => {
      const rows = textRows(content, wide);
      const between = rows.map((row, at) => content.slice(rows[at - 1]?.end ?? 0, row.start));
      for (const gap of between) expect(['', '\n', '\r\n']).toContain(gap);
      expect(content.slice(rows.at(-1)?.end)).toBe('');
      expect(rows.map((row, at) => between[at] + content.slice(row.start, row.end)).join('')).toBe(content);
      for (const row of rows) {
        const part = content.slice(row.start, row.end);
        expect(graphemeBoundary(content, row.start)).toBe(row.start);
        expect(columnAt(content, row, row.end) <= wide || graphemes(part).length === 1, JSON.stringify(part)).toBe(
          true,
        );
      }
    }),
  );
});

test('a long text wraps after spaces, commas and brackets', () => {
  const query = 'avg(last_5m):avg:system.disk.in_use{env:prod,host:web-1} by {host} > 0.9';
  expect(textRows(query, 30).map((row) => query.slice(row.start, row.end))).toEqual([
    'avg(last_5m):',
    'avg:system.disk.in_use{',
    'env:prod,host:web-1} by ',
    '{host} > 0.9',
  ]);
  expect(rowAt(textRows(query, 30), 13)).toBe(1);
});

test('the rows of a text are made once while a form draws it in several widths', () => {
  const query = 'avg(last_5m):avg:system.disk.in_use{env:prod,host:web-1} by {host} > 0.9';
  const rows = textRows(query, 30);
  textRows(query, 31);
  textRows(`${query}1`, 30);
  expect(textRows(query, 30)).toBe(rows);
});

test('up and down move by rows, keep their column over a short row, and leave at the ends', () => {
  const state = after(editor('one two three\nab\nfour five six'), 'up');
  expect(shown(state)).toBe('one two three\nab|\nfour five six');
  expect(shown(after(state, 'up'))).toBe('one two three|\nab\nfour five six');
  expect(movedByRow(after(state, 'up'), -1, width)).toBeUndefined();
  expect(movedByRow(editor('one'), 1, width)).toBeUndefined();
  expect(shown(after(editor('値値値値値\nabcd'), 'up'))).toBe('値値|値値値\nabcd');
});

test('home and end are those of the row; word moves stop at brackets, colons and commas', () => {
  const state = editor('sum:a.b{env:prod,host:web-1} by {host}');
  expect(shown(after(state, 'home'))).toBe('sum:a.b{env:prod,host:web-1} by |{host}');
  expect(shown(after(state, 'home', 'left', 'home'))).toBe('sum:a.b{env:prod,|host:web-1} by {host}');
  expect(shown(after(state, 'home', 'left', 'end'))).toBe('sum:a.b{env:prod,host:web-1} by| {host}');
  expect(shown(after(state, 'alt+b', 'alt+b', 'alt+b'))).toBe('sum:a.b{env:prod,host:|web-1} by {host}');
  expect(shown(after(state, 'ctrl+a', 'ctrl+a', 'ctrl+w'))).toBe('sum:a.b{env:prod,host:web-1} |{host}');
});

test('keys for pages, for both ends of the text, and for deleting the next word', () => {
  const lines = editor(Array.from({ length: 9 }, (_, at) => `row ${at}`).join('\n'));
  expect(shown(after(lines, 'pageup'))).toContain('row 3|\n');
  expect(shown(after(lines, 'pageup', 'pageup', 'alt+d'))).toMatch(/^row 0\|/);
  expect(shown(after(lines, 'ctrl+home', 'alt+d'))).toMatch(/^\| 0/);
  expect(shown(after(lines, 'ctrl+home', 'pagedown'))).toContain('\n|row 5');
  expect(after(lines, 'alt+<', 'alt+>').cursor).toBe(lines.text.length);
});

test('cuts stop at the line break first', () => {
  const state = after(editor('one\ntwo three'), 'alt+b');
  expect(shown(after(state, 'ctrl+u'))).toBe('one\n|three');
  expect(shown(after(state, 'ctrl+u', 'ctrl+u'))).toBe('one|three');
  expect(shown(after(state, 'ctrl+k'))).toBe('one\ntwo |');
  expect(shown(after(state, 'up', 'end', 'ctrl+k'))).toBe('one|two three');
});

test('a typed word, a paste and consecutive deletions are one undo step each', () => {
  const state = after(editor(), ...'avg last');
  expect(after(state, 'alt+u').text).toBe('avg ');
  expect(after(state, 'alt+u', 'alt+u').text).toBe('');
  expect(after(state, 'alt+u', 'alt+u', 'alt+r').text).toBe('avg ');
  const both = pasted(state, ' one\r\ntwo\tthree\x1b[31m');
  expect(both.text).toBe('avg last one\ntwo  three[31m');
  expect(after(both, 'ctrl+_').text).toBe('avg last');
  expect(after(state, 'backspace', 'backspace', 'ctrl+_').text).toBe('avg last');
  expect(after(state, 'left', 'X', 'alt+u').text).toBe('avg last');
});

test('the editor keeps a hundred undo steps', () => {
  const state = after(editor(), ...'a '.repeat(150));
  expect(state.past).toHaveLength(100);
  expect(cells(state.text)).toBe(300);
});

test.each([
  ['left', 'sum |by', 'sum| by'],
  ['ctrl+b', 's|um', '|sum'],
  ['right', 'su|m', 'sum|'],
  ['ctrl+f', 's|um', 'su|m'],
  ['ctrl+a', 'a\nsu|m', 'a\n|sum'],
  ['home', 'a\nsu|m', 'a\n|sum'],
  ['end', 's|um\nb', 'sum|\nb'],
  ['ctrl+home', 'a\nsu|m', '|a\nsum'],
  ['alt+<', 'a\nsu|m', '|a\nsum'],
  ['ctrl+end', 'a|\nsum', 'a\nsum|'],
  ['alt+>', 'a|\nsum', 'a\nsum|'],
  ['alt+b', 'sum by  |x', 'sum |by  x'],
  ['ctrl+left', 'sum b|y', 'sum |by'],
  ['alt+left', 's|um', '|sum'],
  ['alt+f', 'sum|  by x', 'sum  by| x'],
  ['ctrl+right', 's|um by', 'sum| by'],
  ['alt+right', 'sum b|y', 'sum by|'],
  ['backspace', 'su|m', 's|m'],
  ['delete', 's|um', 's|m'],
  ['ctrl+d', 's|um', 's|m'],
  ['ctrl+w', 'sum by|', 'sum |'],
  ['alt+backspace', 'sum by|', 'sum |'],
  ['alt+d', '|sum by', '| by'],
  ['ctrl+u', 'a\nsu|m', 'a\n|m'],
  ['ctrl+u', 'a\n|sum', 'a|sum'],
  ['ctrl+u', '|sum', '|sum'],
  ['ctrl+u', '|\nsum', '|\nsum'],
  ['ctrl+k', '|\nsum', '|sum'],
  ['alt+b', 'a b |c', 'a |b c'],
  ['alt+f', 'a| b c', 'a b| c'],
  ['ctrl+w', 'su|m', '|m'],
  ['alt+d', 'su|m', 'su|'],
  ['ctrl+k', 's|um\nb', 's|\nb'],
  ['ctrl+k', 'sum|\nb', 'sum|b'],
  ['alt+return', 's|um', 's\n|um'],
])('%s makes %j of a text to %j', (key, before, now) => {
  const [left = '', right = ''] = before.split('|');
  const state = edited({ ...editor(left + right), cursor: left.length }, key, width);
  expect(state && shown(state)).toBe(now);
});
