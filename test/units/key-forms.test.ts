import { expect, test } from 'vitest';
import { keyIn } from '../support/key-forms.ts';

const key = 'fake-app-00112233445566778899aabbccddeeff';
const encoded = (encoding: BufferEncoding, before = '') => Buffer.from(`${before}${key} and more`).toString(encoding);

test.each<readonly [form: string, text: string]>([
  ['raw', `Authorization: ${key}`],
  ['raw', `?key=${key.replaceAll('-', '%2D')}`],
  ['raw', JSON.stringify({ key }).replaceAll('-', '\\u002d')],
  ['hex', encoded('hex')],
  ...['', '{', '{"', '{"k":"'].map((before) => ['base64', encoded('base64', before)] as const),
])('a key is found in its form: %s in %s', (form, text) => {
  expect(keyIn(`before ${text} after`)).toBe(form);
});

test('what only looks a little like a key is none', () => {
  expect(keyIn('keys of the simulator begin with fake-app- and end with …eeff')).toBeUndefined();
});
