import { expect, test } from 'vitest';
import { failureParts, failureText } from '../../src/describe/receipt.ts';

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

test.each([
  [{ noun: 'API key', name: 'deploy' }, { text: 'Forbidden' }, 'API key "deploy" was not created: Forbidden'],
  [{ noun: 'role' }, { text: 'Forbidden' }, 'Role was not created: Forbidden'],
  [
    { noun: 'role', name: 'ops' },
    { text: 'nothing was sent: the journal is full' },
    'Role "ops" was not created: the journal is full',
  ],
  [{ noun: 'role', name: 'ops' }, { text: 'not created: it exists' }, 'Role "ops" was not created: it exists'],
  [
    { noun: 'role', name: 'ops' },
    { kind: 'unknown', text: 'outcome unknown (timeout)', messages: [] } as const,
    'Role "ops": outcome unknown (timeout)',
  ],
])('a failed create says what was not created: %j', (of, problem, text) => {
  expect(failureText(of, problem)).toBe(text);
});

test('a long name of what was not created is shortened, and that it was not created is kept', () => {
  expect(failureParts({ noun: 'role', name: 'ops' }, { text: 'Forbidden' })).toEqual([
    'Role "',
    { name: 'ops' },
    '" was not created: Forbidden',
  ]);
  const key = failureParts({ noun: 'API key', name: 'key' }, { text: 'Forbidden' });
  expect(key).toEqual(['API key "', { name: 'key' }, '" was not created: Forbidden']);
  expect(failureParts('mute', { text: 'Forbidden' })).toBeUndefined();
});
