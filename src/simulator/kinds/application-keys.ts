import type { updateOwnKey } from '../../api/application-keys.ts';
import type { ApplicationKey, User } from '../server/access.ts';
import { type Collection, collection } from '../server/collection.ts';
import { type ApiRequest, type ApiResponse, isResponse, refused, type ServiceWorld } from '../server/handler.ts';
import { storeApplicationKey } from '../server/keys.ts';
import { filterMatches, isReadVerb, listParameter, sortableName, within } from '../server/paging.ts';
import { readSentBody } from '../server/sent-body.ts';
import type { Org } from '../server/store.ts';
import { iso } from '../server/wire-values.ts';
import { isPermission, rolesOfUsers, showRole } from './permissions.ts';
import { last4, leakRelation, readSecret, showLeaks } from './secrets.ts';
import { showUser } from './users.ts';

/**
 * Whose keys a path serves, and which fields its responses have (docs/contract/keys.md#own-keys, #organization-keys,
 * #service-accounts).
 */
interface KeyRoute {
  /** The owner of the keys; null = the keys of all users. */
  owner(request: ApiRequest, world: ServiceWorld): User | null | ApiResponse;
  /** Get and update return the secret. */
  readonly returnsSecret: boolean;
  /** Whether list, get and update responses name the owner. */
  readonly namesOwner: { readonly list: boolean; readonly get: boolean; readonly edit: boolean };
  /** Get includes the owner without `include`. */
  readonly includesOwner: boolean;
}

const ownKeys: KeyRoute = {
  owner: (request) => request.caller.user,
  returnsSecret: true,
  namesOwner: { list: false, get: true, edit: true },
  includesOwner: true,
};
const allKeys: KeyRoute = {
  owner: () => null,
  returnsSecret: false,
  namesOwner: { list: true, get: true, edit: true },
  includesOwner: false,
};
const serviceAccountKeys: KeyRoute = {
  owner: (request, { org }) => {
    const user = org.users.get((request.params.service_account_id ?? '').toLowerCase());
    return user?.service ? user : refused(404, 'Service account not found');
  },
  returnsSecret: false,
  namesOwner: { list: true, get: false, edit: false },
  includesOwner: false,
};

interface Shown {
  readonly secret?: boolean;
  readonly namesOwner?: boolean;
  /** Whether responses contain the last use; responses to edits omit it. */
  readonly used?: boolean;
}

function show(key: ApplicationKey, { secret = false, namesOwner = true, used = true }: Shown): unknown {
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
      ...key.overrides,
    },
    relationships: {
      ...(namesOwner ? { owned_by: { data: { type: 'users', id: key.owner } } } : {}),
      leak_information: leakRelation(key),
    },
  };
}

function included(world: ServiceWorld, keys: readonly ApplicationKey[]): unknown[] {
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

type Settings = Pick<ApplicationKey, 'name' | 'scopes'> & { readonly owner: string };

/** The new settings of an owner's key; members missing from the body keep their value. */
function settingsIn(
  request: ApiRequest,
  { org }: ServiceWorld,
  owner: string,
  before?: ApplicationKey,
): Settings | ApiResponse {
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
const keysAt = (route: KeyRoute): Collection<ApplicationKey> =>
  collection<ApplicationKey, Settings>({
    rows: ({ org }) => org.applicationKeys,
    refuses: (request, world) => {
      const owner = route.owner(request, world);
      return owner !== null && isResponse(owner) ? owner : undefined;
    },
    find: (request, world) => {
      const owner = route.owner(request, world) as User | null;
      const key = world.org.applicationKeys.get(request.params.app_key_id ?? '');
      return owner === null || key?.owner === owner.id ? key : undefined;
    },
    missing: () => refused(404, 'Application key not found'),
    show: (key, { endpoint: { verb } }) =>
      show(key, {
        secret: verb === 'create' || (route.returnsSecret && verb !== 'list'),
        namesOwner: verb === 'create' || route.namesOwner[verb === 'list' || verb === 'get' ? verb : 'edit'],
        used: isReadVerb(verb),
      }),
    beside: (keys, { endpoint: { verb }, query }, world) => {
      const isAsked = listParameter(query, 'include').includes('owned_by') && route !== serviceAccountKeys;
      return isReadVerb(verb) && (isAsked || (verb === 'get' && route.includesOwner))
        ? { included: included(world, keys) }
        : {};
    },
    list: {
      rows: (request, world) => {
        const owner = route.owner(request, world);
        if (owner !== null && isResponse(owner)) return owner;
        const keys = [...world.org.applicationKeys.values()];
        return owner === null ? keys : keys.filter((key) => key.owner === owner.id);
      },
      matches: ({ query }) => {
        const isRecent = within(query, 'created_at');
        if (typeof isRecent !== 'function') return isRecent;
        const isMentioned = filterMatches(query);
        const ownedBy = route === allKeys ? query.get('filter[owned_by]') : null;
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
      const owner = before?.owner ?? (route.owner(request, world) as User | null)?.id;
      return owner === undefined ? refused(404, 'Not found') : settingsIn(request, world, owner, before);
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

/** The three application key collections, by path. */
export const applicationKeyCollections = {
  '/api/v2/current_user/application_keys': keysAt(ownKeys),
  '/api/v2/application_keys': keysAt(allKeys),
  '/api/v2/service_accounts/{service_account_id}/application_keys': keysAt(serviceAccountKeys),
};
