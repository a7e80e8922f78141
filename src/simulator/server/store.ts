import type { Table, Upload } from '../kinds/table-store.ts';
import type { Case, Changeable, Silence, StoredIssue, StoredMonitor } from './monitoring.ts';

/** A team that owns issues. Further members take the place of attributes that are derived. */
export interface Team {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly summary: string;
}

/** A user or a service account. Members that are not named here are attributes that responses show. */
export interface User {
  readonly id: string;
  name: string | null;
  handle: string;
  email: string;
  title: string | null;
  status: string;
  disabled: boolean;
  verified: boolean;
  readonly service: boolean;
  roles: string[];
  /** The number that v1 responses use. */
  readonly number: number;
  readonly created: number;
  modified: number;
}

/** One entry of the permission catalog; the name is what roles and scopes refer to. */
export interface StoredPermission {
  readonly id: string;
  readonly name: string;
  readonly display: string;
  readonly description: string;
  readonly group: string;
  readonly kind: 'read' | 'write' | 'other';
  /** A default permission: every role has it, and it can be neither granted nor revoked. */
  readonly restricted: boolean;
  readonly created: number;
}

/** A role: what its users may do. Times are epoch milliseconds. */
export interface StoredRole extends Changeable {
  readonly id: string;
  name: string;
  /** Names of permissions that were granted; `permissionsOf` adds the defaults and what is inherited. */
  permissions: Set<string>;
  /** Built in: it can be neither changed nor deleted. */
  readonly managed: boolean;
  /** The role has no default permissions. */
  optedOut: boolean;
  /** Permissions that the managed role of this name gained after the snapshot `had` also apply to this role. */
  inherits: { readonly name: string; readonly had: ReadonlySet<string> } | null;
}

/** A leak of a key. */
interface StoredLeak {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly date: number;
  readonly source: string;
}

/** A key of either kind. Times are epoch milliseconds. */
interface StoredKey {
  readonly id: string;
  name: string;
  readonly secret: string;
  readonly created: number;
  used: number | null;
  leak: StoredLeak | null;
}

/** An application key; its secret authenticates as the owner. */
export interface ApplicationKey extends StoredKey {
  readonly owner: string;
  /** Names of permissions; null = all permissions of the owner. */
  scopes: string[] | null;
  /** Overrides the owner's permissions, for tests. */
  readonly permissions: ReadonlySet<string> | null;
}

/** An API key, served by v1 and v2. */
export interface ApiKey extends StoredKey {
  category: string;
  remoteConfig: boolean;
  readonly creator: string | null;
  modifier: string | null;
  modified: number;
}

/** A mapping of an identity provider attribute to a role or a team. Times are epoch milliseconds. */
export interface Mapping extends Changeable {
  readonly id: string;
  key: string;
  value: string;
  target: { readonly type: 'roles' | 'team'; readonly id: string };
}

/** A federated service account with its attributes; `projects` is what the list shows in `meta`. */
export interface FederatedAccount {
  readonly id: string;
  fields: Record<string, unknown>;
  readonly projects: readonly string[];
}

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
  /** The health until the next edit; null = computed. */
  state: string | null;
}

/** A service level objective, with the fields that monitors refer to. */
interface Objective {
  readonly id: string;
  readonly name: string;
  /** Between 0 and 1. */
  readonly target: number;
  readonly monitors: string[];
}

/** An empty organization in memory. Maps keep the creation order. */
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
  /** The accounts of both providers. Those of v1 are the fields of a list response, by their pair of identifiers. */
  accounts: {
    a: new Map<string, Record<string, unknown>>(),
    bV1: new Map<string, Record<string, unknown>>(),
    b: new Map<string, FederatedAccount>(),
    /** The delegate principal of provider_b; null until created. */
    delegate: null as string | null,
  },
  /** Reference tables and what is uploaded for them. */
  tableStore: { tables: new Map<string, Table>(), uploads: new Map<string, Upload>() },
  /** Generic records by `endpoint.of`, then by id. */
  others: new Map<string, Map<string, Record<string, unknown>>>(),
  /** The next free number for monitors, downtimes, cases, users and keys. */
  next: { monitor: 41_000, downtime: 800, case: 1, user: 1, key: 1 },
  /** The time up to which activity was simulated, epoch milliseconds. */
  simulatedUntil: now,
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
export const monitorsById = (org: Org): readonly StoredMonitor[] =>
  [...org.monitors.values()].sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
