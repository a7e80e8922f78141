import type { Screen } from '../src/describe/screen.ts';
import { archives } from './archives.ts';
import { home } from './home.ts';
import { integrations } from './integrations.ts';
import { issues } from './issues.ts';
import { keys } from './keys.ts';
import { mappings } from './mappings.ts';
import { monitors } from './monitors.ts';
import { retention } from './retention.ts';
import { roles } from './roles.ts';
import { service } from './service.ts';
import { tables } from './tables.ts';

/** Every screen, in the order of the tabs. */
export const screens: readonly Screen[] = [
  home,
  issues,
  monitors,
  keys,
  roles,
  mappings,
  integrations,
  tables,
  retention,
  archives,
  service,
];
