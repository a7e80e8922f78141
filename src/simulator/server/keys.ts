import type { Endpoint } from '../../api/endpoint.ts';
import { implicit, isAdmin, permissionsOfUser } from '../kinds/permissions.ts';
import type { ApiKey, ApplicationKey, User } from './access.ts';
import { type Answer, type Caller, refused } from './answer.ts';
import { createRandom, hash } from './random.ts';
import type { Org } from './store.ts';

/** What a key pair for a test should be able to do. */
export interface KeyWishes {
  /** Instead of what the owner's roles give. */
  readonly permissions?: readonly string[];
  /** Scopes of the application key: the intersection with the permissions counts. */
  readonly scopes?: readonly string[];
  /** Id of the owner; the first administrator when absent. */
  readonly user?: string;
  /** What both keys are called in the lists. */
  readonly name?: string;
}

/** The two values that a call must carry. */
export interface KeyPair {
  readonly apiKey: string;
  readonly appKey: string;
}

/** The doors of an organisation: keys made for a test, taken away again, and the check of every call. */
export interface Keys {
  /** A pair that is in the lists like any other. */
  make(wishes?: KeyWishes, now?: number): KeyPair;
  /** An API key or an application key; from now on it is refused. */
  revoke(key: string): void;
  /** Deletes every application key of a user who was disabled. */
  revokeAllOf(user: string): void;
  /** The caller, or the refusal of contract/monitors.md section 7. */
  admit(apiKey: string | undefined, appKey: string | undefined, endpoint: Endpoint, now: number): Caller | Answer;
}

/** Operations for which the API key alone is enough. */
const apiKeyOnly = new Set(['keys.validate']);

/** Any one of these is enough, where it is not the endpoint's whole list (contract/monitors.md 2.1, contract/users.md 2). */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  'monitors.mute': ['monitors_write', 'monitors_downtime'],
  'users.update': ['user_access_manage', 'service_account_write'],
  'users.disable': ['user_access_manage', 'service_account_write'],
};

/** Kinds that refuse a narrowed key like any caller without the permission (contract/monitors.md 7, error-tracking.md 10). */
const sayPermission = new Set(['monitor', 'downtime', 'downtime_match', 'issue']);
/** Kinds whose refusal is the bare word (contract/roles.md 5). */
const sayLittle = new Set(['roles', 'permissions', 'apm_retention_filter']);

/** The front door's refusal: which key is wrong is never said. */
const unknownKeys: Answer = {
  status: 403,
  body: {
    status: 'error',
    code: 403,
    errors: ['Forbidden'],
    statuspage: 'https://status.example.test',
    contact: 'support@example.test',
  },
};

const day = 86_400_000;
/** How old the moment of the last use may get before it is written anew, milliseconds. */
const usedEvery = 600_000;

/** The keys of one organisation. Those that are made here say that they are no real ones; their values follow from the seed. */
export function createKeys(org: Org): Keys {
  const random = createRandom(org.seed + 2);
  const admin = (): string => [...org.users.values()].find((user) => isAdmin(org, user))?.id ?? '';

  const make = (wishes: KeyWishes = {}, now = org.lived): KeyPair => {
    const number = org.next.key;
    org.next.key += 1;
    const [apiKey, appKey] = [fake('api', 32, org.seed, number), fake('app', 40, org.seed, number)];
    const owner = wishes.user ?? admin();
    const name = wishes.name ?? `key ${number}`;
    const created = now - day;
    const both = { name, created, used: null, leak: null, overrides: {} };
    keepApiKey(org, {
      ...both,
      id: random.uuid(),
      secret: apiKey,
      category: 'default',
      remoteConfig: true,
      creator: owner,
      modifier: null,
      modified: created,
    });
    keepApplicationKey(org, {
      ...both,
      id: random.uuid(),
      owner,
      secret: appKey,
      scopes: wishes.scopes ? [...wishes.scopes] : null,
      permissions: wishes.permissions ? new Set(wishes.permissions) : null,
    });
    return { apiKey, appKey };
  };

  const admit = (
    apiKey: string | undefined,
    appKey: string | undefined,
    endpoint: Endpoint,
    now: number,
  ): Caller | Answer => {
    if (apiKeyOnly.has(endpoint.id) && !apiKey) return refused(403, 'API key required');
    const first = apiKey ? withSecret(org.apiKeys, apiKey) : undefined;
    if (!first) return apiKeyOnly.has(endpoint.id) ? refused(403, 'Forbidden') : unknownKeys;
    noteUse(first, now);
    if (apiKeyOnly.has(endpoint.id)) return nobody(org);
    const key = appKey ? withSecret(org.applicationKeys, appKey) : undefined;
    const user = key && org.users.get(key.owner);
    if (!key || !user || user.disabled) return unknownKeys;
    noteUse(key, now);
    const caller = callerOf(org, key, user);
    return permit(caller, key, endpoint) ?? caller;
  };

  return {
    make,
    admit,
    revoke: (secret) => {
      for (const map of [org.apiKeys, org.applicationKeys])
        for (const [id, key] of map) if (key.secret === secret) map.delete(id);
    },
    revokeAllOf: (user) => {
      for (const [id, key] of org.applicationKeys) if (key.owner === user) org.applicationKeys.delete(id);
    },
  };
}

/** The refusal of a caller who may not, or undefined. */
function permit(caller: Caller, key: ApplicationKey, endpoint: Endpoint): Answer | undefined {
  const { of } = endpoint;
  const granted = (name: string): boolean => caller.may(name);
  if (!(alternatives[endpoint.id]?.some(granted) ?? endpoint.permission.every(granted))) {
    // Elsewhere a key that was narrowed is turned away at the front door (contract/keys.md 6).
    const narrowed = key.scopes !== null && endpoint.permission.some((name) => !key.scopes?.includes(name));
    if (narrowed && !sayPermission.has(of)) return unknownKeys;
    return sayLittle.has(of)
      ? refused(403, 'Forbidden')
      : refused(403, 'Forbidden', 'Failed permission authorization checks');
  }
  // Admin rights beside the permission (spec: Authentication, 3).
  return of === 'apm_retention_filter' && !caller.admin ? refused(403, 'Forbidden') : undefined;
}

function callerOf(org: Org, key: ApplicationKey, user: User): Caller {
  const held = key.permissions ?? new Set([...implicit, ...permissionsOfUser(org, user)]);
  return {
    user,
    scoped: key.scopes !== null,
    admin: isAdmin(org, user),
    may: (name) => held.has(name) && (key.scopes === null || key.scopes.includes(name)),
  };
}

const nobody = (org: Org): Caller => ({
  user: [...org.users.values()][0] as User,
  scoped: false,
  admin: false,
  may: () => false,
});

function withSecret<K extends ApiKey | ApplicationKey>(keys: ReadonlyMap<string, K>, secret: string): K | undefined {
  for (const key of keys.values()) if (key.secret === secret) return key;
  return undefined;
}

function noteUse(key: ApiKey | ApplicationKey, now: number): void {
  if (key.used === null || now - key.used > usedEvery) key.used = now;
}

/** Stores an application key; it opens doors at once. */
export function keepApplicationKey(org: Org, key: ApplicationKey): void {
  org.applicationKeys.set(key.id, key);
}

/** Stores an API key; it opens doors at once. */
export function keepApiKey(org: Org, key: ApiKey): void {
  org.apiKeys.set(key.id, key);
}

/** `fake-api-…`: as long as a real key, and nobody can take it for one. */
function fake(kind: string, length: number, seed: number, number: number): string {
  let text = `fake-${kind}-`;
  for (let at = 0; text.length < length; at += 1) text += hash(seed, kind, number, at).toString(16).padStart(8, '0');
  return text.slice(0, length);
}
