import type { Screen } from '../src/describe/screen.ts';
import { apiKeyList } from './keys/api-keys.ts';
import { apiKeyV1List } from './keys/api-keys-v1.ts';
import { orgKeyList, ownKeyList } from './keys/application-keys.ts';
import { peopleList } from './keys/people.ts';

/** Screen 3: API keys, application keys, and the people who own them. */
export const keys: Screen = {
  id: 'keys',
  title: 'Keys',
  key: '3',
  lists: [ownKeyList, orgKeyList, apiKeyList, apiKeyV1List, peopleList],
};
