import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, redactInside } from '../../src/client/redact.ts';

const secret = 'p/ss wörd"9\\f3c=';
const redact = createRedactor([secret]);

test.each([
  ['raw', `header ${secret} end`],
  ['URL-encoded', `?k=${encodeURIComponent(secret)}&x`],
  [
    'URL-encoded in small letters',
    `?k=${encodeURIComponent(secret).toLowerCase().replace('w%c3%b6rd', 'w%c3%b6rd')}&x`,
  ],
  ['JSON-escaped', JSON.stringify({ k: secret })],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['base64 after one byte', Buffer.from(`x${secret}`).toString('base64')],
  ['base64 inside a credential', Buffer.from(`ab:${secret}:more`).toString('base64')],
])('a secret is redacted: %s', (_, text) => {
  const clean = redact(text);
  expect(clean).toContain('[redacted]');
  expect(clean).not.toContain('9\\f3c');
  expect(Buffer.from(clean, 'base64').toString()).not.toContain('wörd');
});

test('short secrets are not redacted, and without secrets nothing changes', () => {
  expect(createRedactor(['abc', ''])('abc is abc')).toBe('abc is abc');
});

test('the shortest secrets are redacted in every spelling that is long enough', () => {
  expect(createRedactor(['abcd'])('abcd')).toBe('[redacted]');
  for (const before of ['', 'x', 'xy']) {
    const text = Buffer.from(`${before}abcde and more`).toString('base64');
    expect(createRedactor(['abcde'])(text), text).toContain('[redacted]');
  }
});

test('a secret that contains a shorter one is redacted whole', () => {
  expect(createRedactor(['secret', 'secret-and-more'])('x secret-and-more y')).toBe('x [redacted] y');
});

test('no key remains anywhere in a value', () => {
  const key = fc.stringMatching(/^[0-9a-f]{32}$/);
  fc.assert(
    fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
      const value = { messages: [`${before}${secret}${after}`], deep: { at: [{ x: secret }] }, n: 5n };
      const clean = redactInside(value, createRedactor([secret])) as typeof value;
      expect(clean.messages[0]).not.toContain(secret);
      expect(clean.deep.at[0]?.x).toBe('[redacted]');
      expect(clean.n).toBe(5n);
    }),
    { seed: 3 },
  );
});
