import { expect, test } from 'vitest';
import { commitFaults } from '../../package/commits.ts';

test.each([
  ['Stop a poll at the end\n\nIt went on for a minute.', []],
  ['Speed up the start\n\nWhy.', []],
  ['Added a key\n\nWhy.', [/"Added" is no verb/]],
  ['fix it\n\nWhy.', [/"fix" is no verb/]],
  ['Fixing the poll\n\nWhy.', [/no verb/]],
  ['Stop a poll.\n\nWhy.', [/period/]],
  ['Stop a poll', [/no body/]],
  ['Stop a poll\nWhy.', [/not empty/, /no body/]],
  [`Stop ${'x'.repeat(67)}\n\nWhy.`, []],
  [`Stop ${'x'.repeat(68)}\n\nWhy.`, [/73 characters/]],
])('a commit %j', (message, faults) => {
  expect(commitFaults(message)).toEqual(faults.map((fault) => expect.stringMatching(fault)));
});
