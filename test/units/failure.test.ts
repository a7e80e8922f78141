import { expect, test } from 'vitest';
import { failureText } from '../../src/describe/failure.ts';

test.each([
  ['mute', { text: 'Forbidden' }, 'Mute failed: Forbidden'],
  ['edit', { text: 'not sent: web no longer exists' }, 'Edit not sent: web no longer exists'],
  ['edit', { text: 'nothing was sent: the journal is full' }, 'Edit not sent: the journal is full'],
  ['delete', { text: 'not deleted: an SLO uses it' }, 'Delete failed: an SLO uses it'],
  ['edit', { text: 'not offered by this deployment' }, 'Edit failed: not offered by this deployment'],
  [
    'mute',
    { kind: 'unknown', text: 'outcome unknown (timeout)', messages: [] } as const,
    'Mute: outcome unknown (timeout)',
  ],
])('a failed %s says once that it failed: %j', (title, problem, text) => {
  expect(failureText(title, problem)).toBe(text);
});
