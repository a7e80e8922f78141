import type { Endpoint } from '../../api/endpoint.ts';
import { implicit, isAdmin, permissionsOfUser } from '../kinds/users.ts';
import { type ApiResponse, type Caller, iso, refused, type ServiceWorld } from './handler.ts';
import { createRandom, hash } from './random.ts';
import type { ApiKey, ApplicationKey, Org, User } from './store.ts';

/** Options of a key pair for a test. */
export interface KeyOptions {
  /** Override the permissions of the owner's roles. */
  readonly permissions?: readonly string[];
  /** Scopes of the application key; effective are those that the owner holds as permissions. */
  readonly scopes?: readonly string[];
  /** Id of the owner; the first administrator when absent. */
  readonly user?: string;
  /** Name of both keys. */
  readonly name?: string;
}

/** The two keys that a request must have. */
export interface KeyPair {
  readonly apiKey: string;
  readonly appKey: string;
}

/** Operations that need only the API key. */
const apiKeyOnly = new Set(['keys.validate']);

/**
 * Any one of these is enough, where it is not the endpoint's whole list (docs/contract/monitors.md#operations,
 * docs/contract/users.md#operations).
 */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  'monitors.mute': ['monitors_write', 'monitors_downtime'],
  'users.update': ['user_access_manage', 'service_account_write'],
  'users.disable': ['user_access_manage', 'service_account_write'],
};

/**
 * Kinds that refuse a scoped key like a caller without the permission (docs/contract/conventions.md#error-bodies,
 * docs/contract/error-tracking.md#errors).
 */
const namesPermission = new Set(['monitor', 'downtime', 'downtime_match', 'issue']);
/** Kinds whose refusal is only `Forbidden` (docs/contract/roles.md#choices). */
const bareForbidden = new Set(['roles', 'permissions', 'apm_retention_filter']);

/** The refusal of unknown keys; it does not say which key is wrong. */
const unknownKeys: ApiResponse = {
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
/** Minimum milliseconds between updates of a key's last use. */
const lastUseInterval = 600_000;

/** The keys of one organization. Created keys start with `fake-`; their values are deterministic by seed. */
export function createKeys(org: Org) {
  const random = createRandom(org.seed + 2);
  const admin = (): string => [...org.users.values()].find((user) => isAdmin(org, user))?.id ?? '';

  /** Creates a key pair, which the lists show like any other. */
  const make = (options: KeyOptions = {}): KeyPair => {
    const number = org.next.key;
    org.next.key += 1;
    const [apiKey, appKey] = [fake('api', 32, org.seed, number), fake('app', 40, org.seed, number)];
    const owner = options.user ?? admin();
    const name = options.name ?? `key ${number}`;
    const created = org.simulatedUntil - day;
    storeApiKey({ org, random }, { name, created, secret: apiKey, creator: owner });
    storeApplicationKey(
      { org, random },
      {
        ...{ name, created, owner, secret: appKey },
        scopes: options.scopes ? [...options.scopes] : null,
        permissions: options.permissions ? new Set(options.permissions) : null,
      },
    );
    return { apiKey, appKey };
  };

  /** The caller, or the refusal of docs/contract/conventions.md#error-bodies. */
  const authenticate = (
    apiKey: string | undefined,
    appKey: string | undefined,
    endpoint: Endpoint,
    now: number,
  ): Caller | ApiResponse => {
    if (apiKeyOnly.has(endpoint.id) && !apiKey) return refused(403, 'API key required');
    const first = apiKey ? withSecret(org.apiKeys, apiKey) : undefined;
    if (!first) return apiKeyOnly.has(endpoint.id) ? refused(403, 'Forbidden') : unknownKeys;
    noteUse(first, now);
    if (apiKeyOnly.has(endpoint.id)) return anonymousCaller(org);
    const key = appKey ? withSecret(org.applicationKeys, appKey) : undefined;
    const user = key && org.users.get(key.owner);
    if (!key || !user || user.disabled) return unknownKeys;
    noteUse(key, now);
    const caller = callerOf(org, key, user);
    return authorize(caller, key, endpoint) ?? caller;
  };

  return {
    make,
    authenticate,
    /** Deletes an API key or an application key. */
    revoke: (secret: string): void => {
      for (const map of [org.apiKeys, org.applicationKeys])
        for (const [id, key] of map) if (key.secret === secret) map.delete(id);
    },
  };
}

export type KeyRegistry = ReturnType<typeof createKeys>;

/** The refusal of a caller without the permission, or undefined. */
function authorize(caller: Caller, key: ApplicationKey, endpoint: Endpoint): ApiResponse | undefined {
  const { of: kind } = endpoint;
  const granted = (name: string): boolean => caller.may(name);
  if (!(alternatives[endpoint.id]?.some(granted) ?? endpoint.permission.every(granted))) {
    // Other kinds refuse a scoped key like an unknown one (docs/contract/keys.md#choices).
    const narrowed = key.scopes !== null && endpoint.permission.some((name) => !key.scopes?.includes(name));
    if (narrowed && !namesPermission.has(kind)) return unknownKeys;
    return bareForbidden.has(kind)
      ? refused(403, 'Forbidden')
      : refused(403, 'Forbidden', 'Failed permission authorization checks');
  }
  // Admin rights beside the permission (docs/contract/conventions.md#authentication).
  return kind === 'apm_retention_filter' && !caller.admin ? refused(403, 'Forbidden') : undefined;
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

const anonymousCaller = (org: Org): Caller => ({
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
  if (key.used === null || now - key.used > lastUseInterval) key.used = now;
}

/** What every key has beside what is known of it. */
const unusedKey = { used: null, leak: null } as const;

/** Stores an application key, valid immediately. */
export function storeApplicationKey(
  { org, random }: Pick<ServiceWorld, 'org' | 'random'>,
  known: Partial<ApplicationKey> & Pick<ApplicationKey, 'owner' | 'name' | 'secret' | 'created'>,
): ApplicationKey {
  const key: ApplicationKey = { id: random.uuid(), scopes: null, permissions: null, ...unusedKey, ...known };
  org.applicationKeys.set(key.id, key);
  return key;
}

/** Stores an API key, valid immediately. */
export function storeApiKey(
  { org, random }: Pick<ServiceWorld, 'org' | 'random'>,
  known: Partial<ApiKey> & Pick<ApiKey, 'name' | 'secret' | 'creator' | 'created'>,
): ApiKey {
  const given = { category: 'default', remoteConfig: true, modifier: null, modified: known.created };
  const key: ApiKey = { id: random.uuid(), ...given, ...unusedKey, ...known };
  org.apiKeys.set(key.id, key);
  return key;
}

/** `fake-api-…`: a value of the length of a real key that is recognizably not one. */
function fake(kind: string, length: number, seed: number, number: number): string {
  let text = `fake-${kind}-`;
  for (let at = 0; text.length < length; at += 1) text += hash(seed, kind, number, at).toString(16).padStart(8, '0');
  return text.slice(0, length);
}

/** What API keys and application keys have in common (docs/contract/keys.md). */
type Key = ApplicationKey | ApiKey;

/** A secret of `length` characters, recognizably of no service. */
export function readSecret({ random }: ServiceWorld, length: 32 | 40): string {
  return `fake-new-${`${random.uuid()}${random.uuid()}`.replaceAll('-', '')}`.slice(0, length);
}

/** The last four characters, which may be shown. */
export const last4 = (key: Key): string => key.secret.slice(-4);

/** `relationships.leak_information`: empty for a key that was not leaked. */
export const leakRelation = ({ leak }: Key): unknown => ({ data: leak && { type: 'leaked_keys', id: leak.id } });

/** The leaks of some keys as `included` shows them. */
export const showLeaks = (keys: readonly Key[]): unknown[] =>
  keys.flatMap(({ leak }) =>
    leak ? [{ type: 'leaked_keys', id: leak.id, attributes: { date: iso(leak.date), leak_source: leak.source } }] : [],
  );
