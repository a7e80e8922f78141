import { expect, test } from 'vitest';
import { edit, insert, line } from '../../src/session/form/line.ts';

const after = (text: string, ...keys: string[]) =>
  keys.reduce((edited, key) => edit(edited, key) ?? insert(edited, key), line(text));

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
});

test('a pasted line break becomes a space, a control character is dropped', () => {
  expect(insert(line('a'), 'b\r\nc\td\x1b[31m').text).toBe('ab c d[31m');
  expect(edit(line('a'), 'x')).toBeUndefined();
});
