import { expect, test } from 'vitest';
import { edit, editedLine, insert } from '../../src/session/keyboard/editor.ts';

const after = (text: string, ...keys: string[]) =>
  keys.reduce((edited, key) => edit(edited, key) ?? insert(edited, key), editedLine(text));

test('an emoji and a combined letter are one cursor step and one Backspace', () => {
  expect(after('a👩‍🚒', 'backspace').text).toBe('a');
  expect(after('ae\u0301', 'backspace').text).toBe('a');
  expect(after('a👩‍🚒b', 'left', 'left', 'x').text).toBe('ax👩‍🚒b');
});

test('keys for words, ends and cuts work as in a shell', () => {
  expect(after('service:web timeout', 'ctrl+w').text).toBe('service:web ');
  expect(after('one two', 'ctrl+a', 'X').text).toBe('Xone two');
  expect(after('one two', 'alt+b', 'ctrl+k').text).toBe('one ');
  expect(after('one two', 'alt+b', 'ctrl+u').text).toBe('two');
  expect(after('one', 'home', 'delete').text).toBe('ne');
  expect(after('', 'backspace').text).toBe('');
  expect(after('one', 'home', 'alt+f', 'left', 'X').text).toBe('onXe');
});

test('a pasted line break becomes a space, a control character is dropped', () => {
  expect(insert(editedLine('a'), 'b\r\nc\td\x1b[31m').text).toBe('ab c d[31m');
  expect(edit(editedLine('a'), 'x')).toBeUndefined();
});

/** A text with `|` at its cursor. */
const marked = (text: string) => {
  const at = text.indexOf('|');
  return { text: text.replace('|', ''), cursor: at };
};
const drawn = ({ text, cursor }: { readonly text: string; readonly cursor: number }) =>
  `${text.slice(0, cursor)}|${text.slice(cursor)}`;

test.each([
  ['left', 'one  t|wo', 'one  |two'],
  ['right', 'one  t|wo', 'one  tw|o'],
  ['home', 'one t|wo', '|one two'],
  ['ctrl+a', 'one t|wo', '|one two'],
  ['end', 'one t|wo', 'one two|'],
  ['alt+b', 'one  |two', '|one  two'],
  ['alt+f', 'one|  two x', 'one  two| x'],
  ['backspace', 'on|e', 'o|e'],
  ['backspace', '|one', '|one'],
  ['delete', 'o|ne', 'o|e'],
  ['ctrl+w', 'one two  |x', 'one |x'],
  ['alt+d', 'o|ne two', 'o| two'],
  ['ctrl+u', 'one t|wo', '|wo'],
  ['ctrl+k', 'one t|wo', 'one t|'],
])('%s makes %s of a line to %s', (key, before, now) => {
  const edited = edit(marked(before), key);
  expect(edited && drawn(edited)).toBe(now);
});
