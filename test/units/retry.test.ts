import { expect, test } from 'vitest';
import type { Repeat } from '../../src/api/endpoint.ts';
import { decideRetry } from '../../src/client/deliver.ts';
import type { AttemptOutcome } from '../../src/client/response-result.ts';

const after = (
  repeat: Repeat,
  seen: AttemptOutcome,
  more: { attempts?: number; elapsedMs?: number; canReadBack?: boolean } = {},
) => decideRetry({ repeat, seen, attempts: 1, elapsedMs: 0, canReadBack: false, ...more });
const doubt: AttemptOutcome = { kind: 'doubt' };
const every: Repeat[] = ['read', 'settable', 'once', 'delete', 'replace'];

test('a final response ends the attempts in every class', () => {
  for (const repeat of every) expect(after(repeat, { kind: 'final' })).toBe('end');
});

test('after an unknown outcome each class has its own policy', () => {
  expect(every.map((repeat) => after(repeat, doubt))).toEqual(['again', 'again', 'unknown', 'again', 'unknown']);
  expect(after('settable', doubt, { canReadBack: true })).toBe('readBack');
});

test('a read has 3 attempts within 20 s', () => {
  expect(after('read', doubt, { attempts: 2 })).toBe('again');
  expect(after('read', doubt, { attempts: 3 })).toBe('end');
  expect(after('read', doubt, { elapsedMs: 20_000 })).toBe('end');
  expect(after('read', { kind: 'refused' }, { elapsedMs: 25_000 })).toBe('end');
});

test('a settable edit has 8 attempts within 120 s, then it is read once more', () => {
  expect(after('settable', doubt, { attempts: 7, elapsedMs: 119_000, canReadBack: true })).toBe('readBack');
  expect(after('settable', doubt, { attempts: 8, canReadBack: true })).toBe('lastLook');
  expect(after('settable', doubt, { elapsedMs: 120_000, canReadBack: true })).toBe('lastLook');
});

test('without a read-back, a settable edit is repeated within 10 s only', () => {
  expect(after('settable', doubt, { elapsedMs: 9_999 })).toBe('again');
  expect(after('settable', doubt, { elapsedMs: 10_000 })).toBe('unknown');
});

test('a create is sent again only when it was certainly not applied', () => {
  expect(after('once', { kind: 'unsent' })).toBe('again');
  expect(after('once', { kind: 'refused' })).toBe('again');
  expect(after('once', doubt)).toBe('unknown');
});

test('a replacement read before a wait is not written after it', () => {
  expect(after('replace', { kind: 'refused' })).toBe('end');
  expect(after('replace', doubt, { canReadBack: true })).toBe('unknown');
});

test('an unreachable service is tried three times', () => {
  for (const repeat of every) {
    expect(after(repeat, { kind: 'unsent' }, { attempts: 2 })).toBe('again');
    expect(after(repeat, { kind: 'unsent' }, { attempts: 3 })).toBe('end');
  }
});
