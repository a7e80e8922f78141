import { basename } from 'node:path';
import { neutralWords } from '../../src/api/vocabulary/dictionary.ts';

/**
 * The journeys that show neutral identifiers or names of managed roles; they run a second
 * time with a vocabulary.
 */
export const worded = [
  'archives',
  'coming-back',
  'drafts',
  'home',
  'service',
  'integrations',
  'integrations-federated',
  'issues-detail',
  'keys-people',
  'mappings',
  'monitors-new',
  'mouse',
  'permissions',
  'roles',
  'roles-make',
  'tables',
  'ten-tasks',
  'unread',
] as const;

const neutral = new RegExp(neutralWords.join('|'), 'i');

/** The fault of a journey that shows neutral words in a frame but is missing from the list; undefined = none. */
export function missesWords(path: string, frame: string): string | undefined {
  const name = basename(path, '.test.tsx');
  if (!path.includes('/journeys/') || (worded as readonly string[]).includes(name)) return undefined;
  const word = neutral.exec(frame)?.[0];
  return word && `a story of ${name} shows ${word}: add ${name} to test/support/vocabulary-journeys.ts`;
}
