import { createAccounts } from '../kinds/account-store.ts';
import { createTableStore } from '../kinds/table-store.ts';
import type { ApiKey, ApplicationKey, Mapping, StoredPermission, StoredRole, Team, User } from './access.ts';
import type { Case, Silence, StoredIssue, StoredMonitor } from './monitoring.ts';
import type { Overrides } from './overrides.ts';

/** A retention filter with its attributes as responses show them; the order of filters is that of the map. Created at 0: built in. */
export interface StoredFilter {
  readonly id: string;
  name: string;
  enabled: boolean;
  filter: { readonly query: string };
  filter_type: string;
  rate: number;
  trace_rate: number;
  readonly editable: boolean;
  readonly created_at: number;
  readonly created_by: string;
  modified_at: number;
  modified_by: string;
}

/** An archive of logs; their order is the order of the map. */
export interface Archive {
  readonly id: string;
  /** As it was sent, with the defaults; without `state`. */
  attributes: Record<string, unknown>;
  /** Ids of roles. */
  readonly readers: Set<string>;
  /** Time of the last configuration, epoch milliseconds. */
  edited: number;
  overrides: Overrides;
}

/** A service level objective, with the fields that monitors refer to. */
interface Objective {
  readonly id: string;
  readonly name: string;
  /** Between 0 and 1. */
  readonly target: number;
  readonly monitors: string[];
}

/** An empty organization in memory. Maps keep the creation order, which for monitors is the order of ids. */
export const createOrg = (seed: number, uuid: string, now: number) => ({
  seed,
  number: 1,
  uuid,
  monitors: new Map<string, StoredMonitor>(),
  silences: new Map<string, Silence>(),
  issues: new Map<string, StoredIssue>(),
  cases: new Map<string, Case>(),
  teams: new Map<string, Team>(),
  users: new Map<string, User>(),
  roles: new Map<string, StoredRole>(),
  objectives: new Map<string, Objective>(),
  /** The permission catalog by name. */
  permissions: new Map<string, StoredPermission>(),
  applicationKeys: new Map<string, ApplicationKey>(),
  apiKeys: new Map<string, ApiKey>(),
  /** The limits of application keys per user and of API keys. */
  allowed: { applicationKeys: 1000, apiKeys: 50 },
  mappings: new Map<string, Mapping>(),
  filters: new Map<string, StoredFilter>(),
  archives: new Map<string, Archive>(),
  /** Cloud integrations. */
  accounts: createAccounts(),
  /** Reference tables and what is uploaded for them. */
  tableStore: createTableStore(),
  /** Generic records by `endpoint.of`, then by id. */
  others: new Map<string, Map<string, Record<string, unknown>>>(),
  /** The next free number for monitors, downtimes, cases, users and keys. */
  next: { monitor: 41_000, downtime: 800, case: 1, user: 1, key: 1 },
  /** The time up to which activity was simulated, epoch milliseconds. */
  simulatedUntil: now,
  /** Cache of the monitors in ascending order of ids; null = stale. */
  sorted: null as readonly StoredMonitor[] | null,
});
export type Org = ReturnType<typeof createOrg>;

/** Reorders a map by `ids`; other members follow in their old order. */
export function reorder<T>(map: Map<string, T>, ids: readonly string[]): void {
  const rest = [...map.keys()].filter((id) => !ids.includes(id));
  const members = [...ids, ...rest].flatMap((id) => {
    const member = map.get(id);
    return member === undefined ? [] : [[id, member] as const];
  });
  map.clear();
  for (const [id, member] of members) map.set(id, member);
}

/** Monitors by ascending id, exact beyond 2^53. */
export function monitorsById(org: Org): readonly StoredMonitor[] {
  org.sorted ??= [...org.monitors.values()].sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
  return org.sorted;
}
