import type { Screen } from '../src/describe/screen.ts';
import { accountsA } from './integrations/provider-a-list.ts';
import { accountsB } from './integrations/provider-b-list.ts';
import { accountsBV1 } from './integrations/provider-b-v1-list.ts';

/** Screen 6: what is brought in from the clouds (docs/contract/integrations.md). */
export const integrations: Screen = {
  id: 'integrations',
  title: 'Integrations',
  key: '6',
  lists: [accountsA, accountsBV1, accountsB],
};
