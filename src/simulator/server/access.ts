import type { Changeable, Overrides } from './overrides.ts';

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
export interface StoredLeak {
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
  overrides: Overrides;
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
