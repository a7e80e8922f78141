import type { ServiceWorld } from '../server/handler.ts';
import { seedIssues } from './issues.ts';
import { seedMonitors } from './monitors.ts';
import { seedOtherDomains } from './other-domains.ts';
import { seedPeople } from './people.ts';

/** How many objects to seed. */
export interface SeedSizes {
  readonly monitors: number;
  readonly issues: number;
  /** Also seeds keys, mappings, filters, archives, accounts and tables. */
  readonly furnished: boolean;
  /** The deployment's name of a managed role. */
  readonly roleName: (name: string) => string;
}

/** Fills an empty organization; deterministic by seed and time. */
export function seedOrg(world: ServiceWorld, { monitors, issues, furnished, roleName }: SeedSizes, now: number): void {
  const roles = seedPeople(world, now, roleName);
  seedMonitors(world, monitors, now);
  seedIssues(world, issues, now);
  if (furnished) seedOtherDomains(world, roles, now);
}
