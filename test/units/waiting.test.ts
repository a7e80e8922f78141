import { expect, test } from 'vitest';
import { backoff, msUntilReset, retryAfterMs } from '../../src/client/hold-back.ts';

const now = 1_760_000_000_000;
const least = () => 0;
const most = () => 1;

test('a backoff doubles, with full jitter, and never passes 20 s', () => {
  expect([0, 1, 2, 3].map((attempt) => backoff(attempt, 500, most))).toEqual([500, 1000, 2000, 4000]);
  expect(backoff(3, 500, least)).toBe(0);
  expect(backoff(50, 1000, most)).toBe(20_000);
});

test.each([
  ['seconds', '12', 12_000],
  ['nothing to wait', '0', 500],
  ['too long', '86400', 300_000],
  ['more than any timer', '1e300', 300_000],
  ['below zero', '-5', 500],
  ['an epoch', String(now / 1000 + 20), 20_000],
  ['an epoch in the past', String(now / 1000 - 20), 500],
  ['a million seconds', '1000000', 300_000],
  ['an epoch of long ago', '1000001', 500],
  ['an epoch in milliseconds', String(now + 20_000), 20_000],
])('X-RateLimit-Reset: %s', (_, reset, wait) => {
  expect(retryAfterMs({ 'x-ratelimit-reset': reset }, now, least)).toBe(wait);
  expect(msUntilReset({ 'x-ratelimit-reset': reset }, now)).toBe(wait);
});

test.each(['', 'soon', 'NaN', 'Infinity', '  '])('an invalid reset header gives no wait: "%s"', (reset) => {
  expect(retryAfterMs({ 'x-ratelimit-reset': reset }, now, most)).toBeUndefined();
});

test('Retry-After takes precedence, as seconds or as a date', () => {
  expect(retryAfterMs({ 'retry-after': '3', 'x-ratelimit-reset': '60' }, now, least)).toBe(3000);
  const date = new Date(now + 30_000).toUTCString();
  expect(retryAfterMs({ 'retry-after': date }, now, least)).toBe(30_000);
});

test('clients spread their polls over a quarter of the period, 15 s at most', () => {
  expect(retryAfterMs({ 'x-ratelimit-reset': '10', 'x-ratelimit-period': '20' }, now, most)).toBe(15_000);
  expect(retryAfterMs({ 'x-ratelimit-reset': '10', 'x-ratelimit-period': '3600' }, now, most)).toBe(25_000);
  expect(retryAfterMs({ 'x-ratelimit-reset': '10', 'x-ratelimit-period': 'lie' }, now, most)).toBe(12_500);
});
