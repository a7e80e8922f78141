import { expect, test } from 'vitest';
import { problemResult } from '../../src/api/problem.ts';
import { createTheme } from '../../src/scene/theme.ts';
import type { Message } from '../../src/session/state/message.ts';
import { nextSteps } from '../../src/shell/list-words.ts';

const now = Date.UTC(2026, 4, 5, 12, 0, 30);
const bound = (keys: readonly string[], run: Message) => ({ keys, run });
const below = [
  bound(['ctrl+r'], { type: 'refresh' }),
  bound(['P'], { type: 'openProfiles' }),
  bound(['H'], { type: 'openTimeline', view: 'handover' }),
  bound(['!'], { type: 'openTimeline', view: 'messages' }),
];
const says = (entry: object, keys: readonly object[] = below) =>
  nextSteps(
    { state: { paused: false }, context: { now, zone: 'UTC' }, below: keys } as never,
    { asking: false, ...entry },
    createTheme({ name: 'default', noColor: false, ascii: false }),
  );
const problemOf = (kind: 'unreachable' | 'forbidden') => problemResult(kind, 'no').problem;

test('a list that loads for long says since when, and leads to the profiles; one that has only begun says nothing', () => {
  expect(says({ asking: true, askedAt: now - 6_000 })).toBe('Reading since 12:00:24 UTC · P: profiles');
  expect(says({ asking: true, askedAt: now })).toBe('');
});

test('the keys are those that work now, under the names that a person gave them', () => {
  const entry = { problem: problemOf('unreachable'), nextAt: now + 5_000 };
  expect(says(entry)).toBe('Next try 12:00:35 UTC · Ctrl-R: try now · !: full error');
  expect(says(entry, [bound(['ctrl+g'], { type: 'refresh' })])).toBe('Next try 12:00:35 UTC · Ctrl-G: try now');
  expect(says({ ...entry, asking: true })).toBe('Trying again · !: full error');
  expect(says({ ...entry, problem: problemOf('forbidden') })).toContain('P: profiles and keys');
  // Of a part of what was read the messages have no error.
  expect(says({ ...entry, problem: {} })).toBe('Next try 12:00:35 UTC · Ctrl-R: try now');
});
