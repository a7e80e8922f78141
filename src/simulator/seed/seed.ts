import type { World } from '../server/handler.ts';
import { seedAccounts } from './accounts.ts';
import { seedIssues } from './issues.ts';
import { seedKeys } from './keys.ts';
import { seedMonitors } from './monitors.ts';
import { seedPeople } from './people.ts';
import { seedArchives, seedFilters, seedMappings } from './rules.ts';
import { seedTables } from './tables.ts';

/** How many objects to seed. */
export interface SeedSizes {
  readonly monitors: number;
  readonly issues: number;
  /** Also seeds keys, mappings, filters, archives, accounts and tables. */
  readonly furnished: boolean;
  /** The deployment's name of a managed role. */
  readonly roleName: (name: string) => string;
}

/** Fills an empty organisation; deterministic by seed and time. */
export function seedOrg(world: World, sizes: SeedSizes, now: number): void {
  seedPeople(world, now, sizes.roleName);
  seedMonitors(world, sizes.monitors, now);
  seedIssues(world, sizes.issues, now);
  if (!sizes.furnished) return;
  seedKeys(world, now);
  seedMappings(world, now);
  seedFilters(world, now);
  seedArchives(world, now);
  seedAccounts(world, now);
  seedTables(world, now);
}
