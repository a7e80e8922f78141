import { expect, test } from 'vitest';
import { type ProblemKind, problemResult } from '../../src/api/problem.ts';
import { readOutlook, unreadSection } from '../../src/describe/receipt.ts';
import { contextOf } from '../support/plans.ts';

const { problem } = problemResult('unreachable', 'no');
const now = Date.UTC(2026, 4, 5, 12, 0, 30);
const says = (entry: object, { paused = false, zone = 'UTC' } = {}) =>
  readOutlook({ asking: false, ...entry }, { paused }, { now, zone });

test('a read that failed says when it is tried again, with the zone, or why it is not', () => {
  const nextAt = now + 12_000;
  expect(says({ problem, nextAt })).toBe('Next try 12:00:42 UTC');
  expect(says({ problem, nextAt }, { zone: 'Asia/Tokyo' })).toMatch(/^Next try 21:00:42 (UTC\+|GMT\+)9$/);
  expect(says({ problem, nextAt }, { paused: true })).toBe('Polling is paused');
  expect(says({ problem })).toBe('');
  expect(says({ problem: { ...problem, status: 401 }, nextAt })).toBe('');
});

test('one under way says so once five seconds have passed, and at once where it has failed before', () => {
  expect(says({ asking: true, askedAt: now - 4_999 })).toBe('');
  expect(says({ asking: true, askedAt: now - 5_000 })).toBe('Reading since 12:00:25 UTC');
  expect(says({ asking: false, askedAt: now - 5_000 })).toBe('');
  expect(says({ problem, asking: true, askedAt: now })).toBe('Trying again');
  expect(says({ problem, asking: true, askedAt: now - 9_000 })).toBe('Trying again since 12:00:21 UTC');
});

test.each<[detail: [ProblemKind, string], list: [ProblemKind, string] | undefined, line: string]>([
  [['unreachable', 'no route'], ['unreachable', 'cut off'], 'Details not loaded'],
  [['forbidden', 'not allowed'], ['forbidden', 'not allowed'], 'Details not loaded'],
  [['unreachable', 'no route'], ['forbidden', 'not allowed'], 'Details not loaded: no route'],
  [['forbidden', 'not allowed'], ['unreachable', 'no route'], 'Details not loaded: not allowed'],
  [['unreachable', 'no route'], undefined, 'Details not loaded: no route'],
])('a detail that ended with %j, its list with %j, begins with: %s', (detail, list, line) => {
  const failed = (given: [ProblemKind, string] | undefined) => ({
    asking: false,
    ...(given && { problem: problemResult(...given).problem }),
  });
  const unread = unreadSection(failed(detail), failed(list), { paused: false }, contextOf());
  expect(unread?.lines).toMatchObject([{ text: line }]);
  expect(unreadSection({ ...failed(detail), value: {} }, failed(list), { paused: false }, contextOf())).toBeUndefined();
});
