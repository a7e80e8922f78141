import type { Screen } from '../src/describe/screen.ts';
import { accountsA } from './integrations/provider-a.ts';
import { accountsB } from './integrations/provider-b.ts';
import { accountsBV1 } from './integrations/provider-b-v1.ts';

/** Screen 6: what is brought in from the clouds (docs/contract/integrations.md). */
export const integrations: Screen = {
  id: 'integrations',
  title: 'Integrations',
  key: '6',
  lists: [accountsA, accountsBV1, accountsB],
};
