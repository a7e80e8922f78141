import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { currentUser } from '../../src/api/users.ts';
import { createRedactor, holdsSecret } from '../../src/client/redact.ts';
import { createSecretFilter } from '../../src/client/send-once.ts';
import { redactTexts } from '../../src/lib/values.ts';

const secret = 'p/ss wörd"9\\f3c=';
const small = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

test.each([
  ['raw', `header ${secret} end`, 'header [redacted] end'],
  ['URL-encoded', `?k=${encodeURIComponent(secret)}&x`, '?k=[redacted]&x'],
  ['URL-encoded in small letters', `?k=${small(encodeURIComponent(secret))}&x`, '?k=[redacted]&x'],
  ['of a form', `k=${encodeURIComponent(secret).replaceAll('%20', '+')}`, 'k=[redacted]'],
  ['JSON-escaped', JSON.stringify({ k: secret }), '{"k":"[redacted]"}'],
  ['JSON-escaped with slashes', JSON.stringify({ k: secret }).replaceAll('/', '\\/'), '{"k":"[redacted]"}'],
])('a secret is redacted: %s', (_, text, clean) => {
  expect(createRedactor([secret])(text)).toBe(clean);
});

test.each([
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['base64 after one byte', Buffer.from(`x${secret}`).toString('base64')],
  ['base64 inside a credential', Buffer.from(`ab:${secret}:more`).toString('base64')],
])('of a secret in base64 nothing that it alone decides stays: %s', (_, text) => {
  const clean = createRedactor([secret])(text);
  expect(clean).toContain('[redacted]');
  expect(Buffer.from(clean, 'base64').toString()).not.toContain('wörd');
});

test('a text mentions a secret in any of these spellings; a long one is searched with pauses', () => {
  const search = (text: string) => {
    const work = holdsSecret([secret], text);
    for (let pauses = 0; ; pauses += 1) {
      const { done, value } = work.next();
      if (done) return [value, pauses > 0];
    }
  };
  const long = 'x'.repeat(256 * 1024);
  expect(search(`k=${encodeURIComponent(secret)}`)).toEqual([true, false]);
  expect([search('nothing'), search(long), search(`${long}x`)]).toEqual([
    [false, false],
    [false, false],
    [false, true],
  ]);
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

test('all texts of a value are redacted but those at the places that may hold a secret', () => {
  const value = {
    key: secret,
    other: { key: secret },
    keys: [{ key: secret, name: secret }],
    kept: [secret, { a: secret }],
  };
  const clean = redactTexts(value, createRedactor([secret]), [['key'], ['keys', 'key'], ['kept']]);
  expect(clean).toEqual({
    key: secret,
    other: { key: '[redacted]' },
    keys: [{ key: secret, name: '[redacted]' }],
    kept: [secret, { a: '[redacted]' }],
  });
});

test('no key remains anywhere in a value', () => {
  const key = fc.stringMatching(/^[0-9a-f]{32}$/);
  fc.assert(
    fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
      const value = { messages: [`${before}${secret}${after}`], deep: { at: [{ x: secret }] }, n: 5n, [secret]: '' };
      const clean = redactTexts(value, createRedactor([secret])) as typeof value;
      expect(clean.messages[0]).not.toContain(secret);
      expect(clean.deep.at[0]?.x).toBe('[redacted]');
      expect(clean.n).toBe(5n);
      expect(Object.keys(clean)).toContain('[redacted]');
      const problem = {
        kind: 'unknown',
        text: '',
        messages: [],
        doubt: { ours: {}, theirs: { [secret]: '' } },
      } as const;
      const told = createSecretFilter(() => ({ apiKey: secret, appKey: '' })).clean(call(currentUser), {
        ok: false,
        problem,
      });
      expect(JSON.stringify(told)).not.toContain(secret);
    }),
    { seed: 3 },
  );
});
