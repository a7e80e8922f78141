import { describe, expect, test } from 'vitest';
import { isLoopback, readBaseUrl, readOrigin } from '../../src/lib/setting-values.ts';

describe('a base URL', () => {
  test.each([
    ['https://api.example.test', 'https://api.example.test'],
    ['  HTTPS://API.Example.test:443/  ', 'https://api.example.test'],
    ['https://gate.example.test/monitoring//', 'https://gate.example.test/monitoring'],
    ['http://127.0.0.1:8126', 'http://127.0.0.1:8126'],
    ['http://127.1:80', 'http://127.0.0.1'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:3000/x', 'http://[::1]:3000/x'],
  ])('%s is accepted', (typed, url) => {
    expect(readBaseUrl(typed)).toEqual({ ok: true, url });
  });

  test.each([
    ['', 'is required'],
    ['api.example.test', 'does not begin with https://'],
    ['localhost:3000', 'does not begin with https://'],
    ['https:/api.example.test', 'does not begin with https://'],
    ['htps://api.example.test', 'begins with "htps://"'],
    ['ftp://api.example.test', 'begins with "ftp://"'],
    ['https://', 'names no host'],
    ['https:///x', 'names no host'],
    ['https://api..example.test', 'a dot too many'],
    ['https://api.example.test:99999', 'check the host and the port'],
    ['https://api.example.test/?a=1', 'no "?" or "#"'],
    ['https://api.example.test/#', 'no "?" or "#"'],
    ['https://api example.test', 'a space'],
    ['http://api.example.test', 'plain http'],
    ['http://127.0.0.1.example.test', 'plain http'],
    ['http://localhost.example.test', 'plain http'],
    ['http://0.0.0.0:80', 'plain http'],
  ])('%s is refused with a message', (typed, words) => {
    const read = readBaseUrl(typed);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.text).toContain(words);
  });

  test('a problem repeats neither its password nor control characters', () => {
    const secret = readBaseUrl('https://me:hunter2hunter2@api.example.test');
    expect(JSON.stringify(secret)).not.toContain('hunter2');
    expect(JSON.stringify(readBaseUrl('nope\u001b]0;x\u0007'))).not.toMatch(/\\u001b|\\u0007/);
  });

  test('of a long one 80 characters are repeated at most', () => {
    const said = (length: number) =>
      JSON.stringify(readBaseUrl(`htt://${'x'.repeat(length - 6)}`)).match(/URL \\"(.*?)\\"/)?.[1]?.length;
    expect([79, 80, 81, 99].map(said)).toEqual([79, 80, 80, 80]);
  });

  test('only addresses of this machine are loopback', () => {
    expect(isLoopback('127.9.9.9')).toBe(true);
    expect(isLoopback('128.0.0.1')).toBe(false);
    expect(isLoopback('127.0.0.1.example.test')).toBe(false);
    expect(readOrigin('https://gate.example.test/x')).toBe('https://gate.example.test');
  });
});
