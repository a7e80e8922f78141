import type { World } from '../server/answer.ts';
import { seedAccounts } from './accounts.ts';
import { seedIssues } from './issues.ts';
import { seedKeys } from './keys.ts';
import { seedMonitors } from './monitors.ts';
import { seedPeople } from './people.ts';
import { seedArchives, seedFilters, seedMappings } from './rules.ts';
import { seedTables } from './tables.ts';

/** How much there should be. */
export interface SeedSizes {
  readonly monitors: number;
  readonly issues: number;
  /** Everything beside monitors, issues, people and roles: keys, mappings, filters, archives, accounts, tables. */
  readonly furnished: boolean;
  /** What this deployment calls a managed role. */
  readonly roleName: (name: string) => string;
}

/** Fills an empty organisation; the same seed and the same moment give the same organisation. */
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
