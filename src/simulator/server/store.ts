import { type Accounts, createAccounts } from '../kinds/cloud-accounts.ts';
import type { Stream } from '../kinds/event-stream.ts';
import { createLibrary, type Library } from '../kinds/table-store.ts';

/** Members of a fixture that the store does not interpret; they override the computed response. */
export type Overrides = Readonly<Record<string, unknown>>;

/** One group of a monitor. Times are epoch seconds, null = never. */
export interface Group {
  readonly name: string;
  readonly tags: readonly string[];
  status: string;
  triggered: number | null;
  notified: number | null;
  nodata: number | null;
  resolved: number | null;
  value: number | null;
}

/** A monitor as the organisation keeps it. Times are epoch milliseconds. */
export interface Monitor {
  readonly id: string;
  name: string;
  type: string;
  query: string;
  message: string;
  tags: string[];
  priority: number | null;
  /** Options without `silenced`, which the silence table holds. */
  options: Record<string, unknown>;
  restrictedRoles: string[] | null;
  readonly creator: string;
  readonly created: number;
  modified: number;
  overall: string;
  overallChanged: number | null;
  multi: boolean;
  draft: string;
  assets: unknown[];
  groups: Map<string, Group>;
  /** Ids inside a composite's query. */
  members: string[];
  /** Parsed query, cached because lists and searches need it for every monitor. */
  context: { readonly classification: string; readonly scope: readonly string[]; readonly metrics: readonly string[] };
  overrides: Overrides;
}

/** A mute, a v1 downtime or a v2 downtime. Times are epoch milliseconds. */
export interface Silence {
  readonly id: number;
  readonly uuid: string;
  readonly made: 'mute' | 'v1' | 'v2';
  monitor: string | null;
  monitorTags: string[];
  /** Tags that must all match; `['*']` = everything. For v2 downtimes `scopeText` decides and these are for v1 responses. */
  scope: string[];
  /** v2 search syntax. */
  scopeText: string;
  start: number;
  end: number | null;
  canceled: number | null;
  message: string;
  timezone: string;
  readonly creator: string;
  updater: string | null;
  readonly created: number;
  modified: number;
  muteFirstRecovery: boolean;
  notifyStates: string[];
  notifyTypes: string[];
  overrides: Overrides;
}

/** An issue of error tracking. Times are epoch milliseconds. */
export interface Issue {
  readonly id: string;
  type: string;
  message: string;
  stack: string;
  handling: string;
  file: string;
  function: string;
  firstVersion: string;
  lastVersion: string;
  crash: boolean;
  languages: string[];
  platform: string;
  service: string;
  env: string;
  state: string;
  stateChanged: number;
  /** Milliseconds from resolution to regression; null = never regresses. */
  returns: number | null;
  regression: Record<string, unknown> | null;
  assignee: string | null;
  case: string | null;
  teams: string[];
  /** Sessions per event; null for issues without sessions. */
  sessions: number | null;
  stream: Stream;
  overrides: Overrides;
}

/** A case of the case tracker, created when an issue is assigned. */
export interface Case {
  readonly id: string;
  readonly key: string;
  title: string;
  status: string;
  priority: string;
  assignee: string | null;
  creator: string;
  modifier: string | null;
  readonly project: string;
  readonly issue: string;
  readonly created: number;
  modified: number;
  closed: number | null;
  overrides: Overrides;
}

/** A team that owns issues. */
export interface Team {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly summary: string;
  /** Fields of the long form that a fixture or seed sets; the others are derived. */
  readonly overrides?: Overrides;
}

/** A user or a service account. */
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
  /** The number that v1 answers use. */
  readonly number: number;
  readonly created: number;
  modified: number;
  overrides: Overrides;
}

/** One entry of the permission catalogue; the name is what roles and scopes refer to. */
export interface Permission {
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
export interface Role {
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
  readonly created: number;
  modified: number;
  overrides: Overrides;
}

/** A leak of a key. */
export interface Leak {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly date: number;
  readonly source: string;
}

/** An application key; its secret authenticates as the owner. Times are epoch milliseconds. */
export interface ApplicationKey {
  readonly id: string;
  readonly owner: string;
  name: string;
  readonly secret: string;
  /** Names of permissions; null = all permissions of the owner. */
  scopes: string[] | null;
  /** Overrides the owner's permissions, for tests. */
  readonly permissions: ReadonlySet<string> | null;
  readonly created: number;
  used: number | null;
  leak: Leak | null;
  overrides: Overrides;
}

/** An API key, served by v1 and v2. Times are epoch milliseconds. */
export interface ApiKey {
  readonly id: string;
  name: string;
  readonly secret: string;
  category: string;
  remoteConfig: boolean;
  readonly creator: string | null;
  modifier: string | null;
  readonly created: number;
  modified: number;
  used: number | null;
  leak: Leak | null;
  overrides: Overrides;
}

/** A mapping of an identity provider attribute to a role or a team. Times are epoch milliseconds. */
export interface Mapping {
  readonly id: string;
  key: string;
  value: string;
  target: { readonly type: 'roles' | 'team'; readonly id: string };
  readonly created: number;
  modified: number;
  overrides: Overrides;
}

/** A retention filter; their order is the order of the map. Times are epoch seconds, 0 when it is built in. */
export interface RetentionFilter {
  readonly id: string;
  name: string;
  enabled: boolean;
  query: string;
  type: string;
  rate: number;
  traceRate: number;
  editable: boolean;
  readonly created: number;
  readonly creator: string;
  modified: number;
  modifier: string;
  overrides: Overrides;
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
export interface Objective {
  readonly id: string;
  readonly name: string;
  /** Between 0 and 1. */
  readonly target: number;
  readonly monitors: string[];
}

/** One organisation in memory. Maps keep the creation order, which for monitors is the order of ids. */
export interface Org {
  readonly seed: number;
  readonly number: number;
  readonly uuid: string;
  readonly monitors: Map<string, Monitor>;
  readonly silences: Map<string, Silence>;
  readonly issues: Map<string, Issue>;
  readonly cases: Map<string, Case>;
  readonly teams: Map<string, Team>;
  readonly users: Map<string, User>;
  readonly roles: Map<string, Role>;
  readonly objectives: Map<string, Objective>;
  /** The permission catalogue by name. */
  readonly permissions: Map<string, Permission>;
  readonly applicationKeys: Map<string, ApplicationKey>;
  readonly apiKeys: Map<string, ApiKey>;
  /** The limits of application keys per user and of API keys. */
  readonly allowed: { applicationKeys: number; apiKeys: number };
  readonly mappings: Map<string, Mapping>;
  readonly filters: Map<string, RetentionFilter>;
  readonly archives: Map<string, Archive>;
  /** Cloud integrations. */
  readonly accounts: Accounts;
  /** Reference tables and what is uploaded for them. */
  readonly library: Library;
  /** Generic records by `endpoint.of`, then by id. */
  readonly others: Map<string, Map<string, Record<string, unknown>>>;
  /** The next free number for monitors, downtimes, cases, users and keys. */
  readonly next: { monitor: number; downtime: number; case: number; user: number; key: number };
  /** The time up to which activity was simulated, epoch milliseconds. */
  lived: number;
  /** Cache of the monitors in ascending order of ids; null = stale. */
  sorted: readonly Monitor[] | null;
}

/** An empty organisation. */
export function createOrg(seed: number, uuid: string, now: number): Org {
  return {
    seed,
    number: 1,
    uuid,
    monitors: new Map(),
    silences: new Map(),
    issues: new Map(),
    cases: new Map(),
    teams: new Map(),
    users: new Map(),
    roles: new Map(),
    objectives: new Map(),
    permissions: new Map(),
    applicationKeys: new Map(),
    apiKeys: new Map(),
    allowed: { applicationKeys: 1000, apiKeys: 50 },
    mappings: new Map(),
    filters: new Map(),
    archives: new Map(),
    accounts: createAccounts(),
    library: createLibrary(),
    others: new Map(),
    next: { monitor: 41_000, downtime: 800, case: 1, user: 1, key: 1 },
    lived: now,
    sorted: null,
  };
}

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
export function monitorsById(org: Org): readonly Monitor[] {
  org.sorted ??= [...org.monitors.values()].sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
  return org.sorted;
}
