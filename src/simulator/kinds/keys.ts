import type { createApiKey, createApiKeyV1 } from '../../api/api-keys.ts';
import type { updateOwnKey } from '../../api/application-keys.ts';
import type { AttributesOf } from '../../api/endpoint.ts';
import { present } from '../../lib/values.ts';
import { type Collection, collection, type Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  filterMatches,
  iso,
  isReadVerb,
  isResponse,
  isTrue,
  listParameter,
  ok,
  readSentBody,
  refused,
  type ServiceWorld,
  sortableName,
  within,
} from '../server/handler.ts';
import { last4, leakRelation, readSecret, showLeaks, storeApiKey, storeApplicationKey } from '../server/keys.ts';
import type { ApiKey, ApplicationKey, Org, User } from '../server/store.ts';
import { isPermission, rolesOfUsers, showRole, showUser } from './users.ts';

/** API keys: one store served by the v1 and the v2 endpoints (docs/contract/keys.md#api-keys). */
const person = (id: string | null): unknown => ({ data: id && { type: 'users', id } });

/** What a response has of a key; responses to edits omit the last use. */
interface Shown {
  readonly secret: boolean;
  readonly used: boolean;
}

/** A key in the v2 response format. */
function showApiKey(key: ApiKey, now: number, { secret, used }: Shown): unknown {
  const isRecent = key.used !== null && now - key.used < 86_400_000;
  const timestamp = key.used === null ? null : iso(key.used);
  const description = key.used === null ? 'Never used' : isRecent ? 'Used in the last 24 hours' : 'Not used lately';
  return {
    type: 'api_keys',
    attributes: {
      name: key.name,
      created_at: iso(key.created),
      modified_at: iso(key.modified),
      last4: last4(key),
      ...(secret ? { key: key.secret } : {}),
      category: key.category,
      remote_config_read_enabled: key.remoteConfig,
      ...(used
        ? {
            date_last_used: timestamp,
            used_in_last_24_hours: isRecent,
            last_used_date: { timestamp, description },
          }
        : {}),
    },
    relationships: {
      created_by: person(key.creator),
      modified_by: key.modifier === null ? null : person(key.modifier),
      leak_information: leakRelation(key),
    },
    id: key.id,
  };
}

/** The `included` users and leaks that the query's `include` names; absent when it names none. */
function includedWithApiKeys(
  request: ApiRequest,
  world: ServiceWorld,
  keys: readonly ApiKey[],
): { included?: unknown[] } {
  const asked = listParameter(request.query, 'include');
  if (asked.length === 0) return {};
  const ids = keys.flatMap((key) => [
    asked.includes('created_by') ? key.creator : null,
    asked.includes('modified_by') ? key.modifier : null,
  ]);
  const people = [...new Set(ids)].flatMap((id) => (id ? (world.org.users.get(id) ?? []) : []));
  return { included: [...people.map((user) => showUser(world.org, user, true)), ...showLeaks(keys)] };
}

const unknown = refused(404, 'API key not found');

/** Stores a new key, or returns the refusal. */
function makeApiKey(settings: ApiKeySettings, request: ApiRequest, world: ServiceWorld): ApiKey | ApiResponse {
  const { org } = world;
  if (org.apiKeys.size >= org.allowed.apiKeys)
    return refused(400, `No more than ${org.allowed.apiKeys} API keys are allowed`);
  const { id } = request.caller.user;
  const made = { creator: id, modifier: id, created: request.now };
  return storeApiKey(world, { secret: readSecret(world, 32), ...made, ...settings });
}

/** The settings that a request body may contain. */
type ApiKeySettings = Pick<ApiKey, 'name'> & Partial<Pick<ApiKey, 'category' | 'remoteConfig'>>;

/** The settings of a key, or the refusal when another key of the organization has its name. */
function apiKeySettings(
  { name, category, remote_config_read_enabled: remoteConfig }: AttributesOf<typeof createApiKey>,
  org: Org,
  id?: string,
): ApiKeySettings | ApiResponse {
  const isTaken = [...org.apiKeys.values()].some((key) => key.name === name && key.id !== id);
  if (isTaken) return refused(400, `API key with name ${name} already exists`);
  return { name, ...present({ category, remoteConfig }) };
}
/** Changes a key; keeps `modified` when nothing differs. */
function changeApiKey(key: ApiKey, settings: ApiKeySettings, { now, caller }: ApiRequest): undefined {
  const isOther = Object.entries(settings).some(([field, value]) => key[field as keyof ApiKey] !== value);
  Object.assign(key, settings, isOther ? { modified: now, modifier: caller.user.id } : {});
}

/** Deletes a key; refuses to delete the last one. */
function remove({ id }: ApiKey, _: ApiRequest, { org }: ServiceWorld): ApiResponse | undefined {
  if (org.apiKeys.size <= 1) return refused(400, 'The last API key of the organization cannot be deleted');
  org.apiKeys.delete(id);
  return undefined;
}

const keys = collection<ApiKey, ApiKeySettings>({
  rows: ({ org }) => org.apiKeys,
  missing: () => unknown,
  show: (key, { endpoint: { verb }, now }) => showApiKey(key, now, { secret: verb !== 'list', used: isReadVerb(verb) }),
  beside: (rows, request, world) => includedWithApiKeys(request, world, rows),
  list: {
    matches: ({ query }) => {
      const [isCreated, isModified] = [within(query, 'created_at'), within(query, 'modified_at')];
      if (typeof isCreated !== 'function') return isCreated;
      if (typeof isModified !== 'function') return isModified;
      const isMentioned = filterMatches(query);
      const [category, remote] = [query.get('filter[category]'), query.get('filter[remote_config_read_enabled]')];
      return (key) =>
        isMentioned(key.name) &&
        isCreated(key.created) &&
        isModified(key.modified) &&
        (category === null || key.category === category) &&
        (remote === null || key.remoteConfig === isTrue(remote));
    },
    orders: () => ({
      name: ({ name }) => sortableName(name),
      created_at: ({ created }) => created,
      modified_at: ({ modified }) => modified,
      last4,
    }),
    meta: (found, _, { org }) => ({ page: { total_filtered_count: found }, max_allowed: org.allowed.apiKeys }),
  },
  read: (request, { org }, before) =>
    apiKeySettings(readSentBody<typeof createApiKey>(request).data.attributes, org, before?.id),
  make: makeApiKey,
  change: changeApiKey,
  remove,
  created: 201,
});

/** A key in the v1 response format: the secret identifies it, and the date has no time zone. */
function showV1(org: Org, key: ApiKey): unknown {
  return {
    created: new Date(key.created).toISOString().slice(0, 19).replace('T', ' '),
    created_by: (key.creator && org.users.get(key.creator)?.handle) ?? '',
    key: key.secret,
    name: key.name,
  };
}

const oneV1 = (shown: unknown): unknown => ({ api_key: shown });

const keysV1 = collection<ApiKey, ApiKeySettings>({
  rows: ({ org }) => org.apiKeys,
  find: ({ params }, { org }) => [...org.apiKeys.values()].find(({ secret }) => secret === params.key),
  missing: () => unknown,
  show: (key, _, { org }) => showV1(org, key),
  one: oneV1,
  all: (api_keys) => ({ api_keys }),
  read: (request, { org }, before) => apiKeySettings(readSentBody<typeof createApiKeyV1>(request), org, before?.id),
  make: makeApiKey,
  change: changeApiKey,
  remove: (key, request, world) => remove(key, request, world) ?? ok(oneV1(showV1(world.org, key))),
});

/** Whose keys a path serves (docs/contract/keys.md#own-keys, #organization-keys, #service-accounts). */
type Whose = 'own' | 'all' | 'service account';

/** The owner of the keys of a path; null = the keys of all users. */
function ownerOf(whose: Whose, { caller, params }: ApiRequest, { org }: ServiceWorld): User | null | ApiResponse {
  if (whose !== 'service account') return whose === 'own' ? caller.user : null;
  const user = org.users.get((params.service_account_id ?? '').toLowerCase());
  return user?.service ? user : refused(404, 'Service account not found');
}

function showApplicationKey(key: ApplicationKey, { secret, used }: Shown, namesOwner: boolean): unknown {
  return {
    type: 'application_keys',
    id: key.id,
    attributes: {
      name: key.name,
      created_at: iso(key.created),
      last4: last4(key),
      ...(secret ? { key: key.secret } : {}),
      scopes: key.scopes,
      ...(used ? { last_used_at: key.used === null ? null : iso(key.used) } : {}),
    },
    relationships: {
      ...(namesOwner ? { owned_by: { data: { type: 'users', id: key.owner } } } : {}),
      leak_information: leakRelation(key),
    },
  };
}

function includedWithApplicationKeys(world: ServiceWorld, keys: readonly ApplicationKey[]): unknown[] {
  const { org } = world;
  const owners = [...new Set(keys.map((key) => key.owner))].flatMap((id) => org.users.get(id) ?? []);
  return [
    ...owners.map((user) => showUser(org, user, true)),
    ...rolesOfUsers(org, owners).map((role) => showRole(org, role)),
    ...showLeaks(keys),
  ];
}

/** Scopes as they are stored, or the refusal of a name that is no permission. Permission ids are refused. */
function scopesIn(
  org: Org,
  words: readonly string[] | null = null,
): { readonly scopes: string[] | null } | ApiResponse {
  const unknown = words?.find((word) => !isPermission(org, word));
  if (unknown !== undefined) return refused(400, `Invalid scope: ${unknown}`);
  return { scopes: words && words.length > 0 ? [...new Set(words)] : null };
}

type ApplicationKeySettings = Pick<ApplicationKey, 'name' | 'scopes'> & { readonly owner: string };

/** The new settings of an owner's key; members missing from the body keep their value. */
function applicationKeySettings(
  request: ApiRequest,
  { org }: ServiceWorld,
  owner: string,
  before?: ApplicationKey,
): ApplicationKeySettings | ApiResponse {
  const { name = before?.name ?? '', ...sent } = readSentBody<typeof updateOwnKey>(request).data.attributes;
  const scopes = before && !('scopes' in sent) ? before : scopesIn(org, sent.scopes);
  if (isResponse(scopes)) return scopes;
  const isTaken = [...org.applicationKeys.values()].some(
    (key) => key.owner === owner && key.name === name && key.id !== before?.id,
  );
  if (isTaken) return refused(409, `Application key with name ${name} already exists`);
  return { name, scopes: scopes.scopes, owner };
}

/** The collection that one path serves. */
const keysAt = (whose: Whose): Collection<ApplicationKey> =>
  collection<ApplicationKey, ApplicationKeySettings>({
    rows: ({ org }) => org.applicationKeys,
    refuses: (request, world) => {
      const owner = ownerOf(whose, request, world);
      return owner !== null && isResponse(owner) ? owner : undefined;
    },
    find: (request, world) => {
      const owner = ownerOf(whose, request, world) as User | null;
      const key = world.org.applicationKeys.get(request.params.app_key_id ?? '');
      return owner === null || key?.owner === owner.id ? key : undefined;
    },
    missing: () => refused(404, 'Application key not found'),
    show: (key, { endpoint: { verb } }) =>
      showApplicationKey(
        key,
        { secret: verb === 'create' || (whose === 'own' && verb !== 'list'), used: isReadVerb(verb) },
        // The caller's list and what is said of one key of a service account are silent about the owner.
        verb === 'create' || whose === 'all' || (whose === 'own') === (verb !== 'list'),
      ),
    beside: (keys, { endpoint: { verb }, query }, world) => {
      const isAsked = listParameter(query, 'include').includes('owned_by') && whose !== 'service account';
      return isReadVerb(verb) && (isAsked || (verb === 'get' && whose === 'own'))
        ? { included: includedWithApplicationKeys(world, keys) }
        : {};
    },
    list: {
      rows: (request, world) => {
        const owner = ownerOf(whose, request, world);
        if (owner !== null && isResponse(owner)) return owner;
        const keys = [...world.org.applicationKeys.values()];
        return owner === null ? keys : keys.filter((key) => key.owner === owner.id);
      },
      matches: ({ query }) => {
        const isRecent = within(query, 'created_at');
        if (typeof isRecent !== 'function') return isRecent;
        const isMentioned = filterMatches(query);
        const ownedBy = whose === 'all' ? query.get('filter[owned_by]') : null;
        return ({ name, owner, created }) =>
          (ownedBy === null || owner === ownedBy) && isMentioned(name) && isRecent(created);
      },
      orders: () => ({ name: ({ name }) => sortableName(name), created_at: ({ created }) => created, last4 }),
      meta: (found, _, { org }) => ({
        page: { total_filtered_count: found },
        max_allowed_per_user: org.allowed.applicationKeys,
      }),
    },
    read: (request, world, before) => {
      const owner = before?.owner ?? (ownerOf(whose, request, world) as User | null)?.id;
      return owner === undefined ? refused(404, 'Not found') : applicationKeySettings(request, world, owner, before);
    },
    make: (settings, { now }, world) => {
      const { org } = world;
      const most = org.allowed.applicationKeys;
      if ([...org.applicationKeys.values()].filter(({ owner }) => owner === settings.owner).length >= most)
        return refused(400, `No more than ${most} application keys are allowed per user`);
      return storeApplicationKey(world, { secret: readSecret(world, 40), created: now, ...settings });
    },
    created: 201,
  });

/** Operations of keys of both kinds. */
export const keyOperations: Operations = {
  '/api/v2/api_keys': keys,
  '/api/v1/api_key': keysV1,
  '/api/v2/current_user/application_keys': keysAt('own'),
  '/api/v2/application_keys': keysAt('all'),
  '/api/v2/service_accounts/{service_account_id}/application_keys': keysAt('service account'),
};
