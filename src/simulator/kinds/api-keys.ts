import type { createApiKey, createApiKeyV1 } from '../../api/api-keys.ts';
import type { AttributesOf } from '../../api/endpoint.ts';
import { present } from '../../lib/present-members.ts';
import type { ApiKey } from '../server/access.ts';
import { collection } from '../server/collection.ts';
import { type ApiRequest, type ApiResponse, ok, refused, type ServiceWorld } from '../server/handler.ts';
import { storeApiKey } from '../server/keys.ts';
import { filterMatches, isReadVerb, listParameter, sortableName, within } from '../server/paging.ts';
import { readSentBody } from '../server/sent-body.ts';
import type { Org } from '../server/store.ts';
import { iso, isTrue } from '../server/wire-values.ts';
import { last4, leakRelation, readSecret, showLeaks } from './secrets.ts';
import { showUser } from './users.ts';

/** API keys: one store served by the v1 and the v2 endpoints (docs/contract/keys.md#api-keys). */
const person = (id: string | null): unknown => ({ data: id && { type: 'users', id } });

/** A key in the v2 response format; responses to edits omit the last use. */
function show(key: ApiKey, now: number, { secret = false, used = true } = {}): unknown {
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
      ...key.overrides,
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
function included(request: ApiRequest, world: ServiceWorld, keys: readonly ApiKey[]): { included?: unknown[] } {
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
function make(settings: Settings, request: ApiRequest, world: ServiceWorld): ApiKey | ApiResponse {
  const { org } = world;
  if (org.apiKeys.size >= org.allowed.apiKeys)
    return refused(400, `No more than ${org.allowed.apiKeys} API keys are allowed`);
  const { id } = request.caller.user;
  const made = { creator: id, modifier: id, created: request.now };
  return storeApiKey(world, { secret: readSecret(world, 32), ...made, ...settings });
}

/** The settings that a request body may contain. */
type Settings = Pick<ApiKey, 'name'> & Partial<Pick<ApiKey, 'category' | 'remoteConfig'>>;

/** The settings of a key, or the refusal when another key of the organization has its name. */
function settingsIn(
  { name, category, remote_config_read_enabled: remoteConfig }: AttributesOf<typeof createApiKey>,
  org: Org,
  id?: string,
): Settings | ApiResponse {
  const isTaken = [...org.apiKeys.values()].some((key) => key.name === name && key.id !== id);
  if (isTaken) return refused(400, `API key with name ${name} already exists`);
  return { name, ...present({ category, remoteConfig }) };
}
/** Changes a key; keeps `modified` when nothing differs. */
function change(key: ApiKey, settings: Settings, { now, caller }: ApiRequest): undefined {
  const isOther = Object.entries(settings).some(([field, value]) => key[field as keyof ApiKey] !== value);
  Object.assign(key, settings, isOther ? { modified: now, modifier: caller.user.id } : {});
}

/** Deletes a key; refuses to delete the last one. */
function remove({ id }: ApiKey, _: ApiRequest, { org }: ServiceWorld): ApiResponse | undefined {
  if (org.apiKeys.size <= 1) return refused(400, 'The last API key of the organization cannot be deleted');
  org.apiKeys.delete(id);
  return undefined;
}

const keys = collection<ApiKey, Settings>({
  rows: ({ org }) => org.apiKeys,
  missing: () => unknown,
  show: (key, { endpoint: { verb }, now }) => show(key, now, { secret: verb !== 'list', used: isReadVerb(verb) }),
  beside: (rows, request, world) => included(request, world, rows),
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
    settingsIn(readSentBody<typeof createApiKey>(request).data.attributes, org, before?.id),
  make,
  change,
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

const keysV1 = collection<ApiKey, Settings>({
  rows: ({ org }) => org.apiKeys,
  find: ({ params }, { org }) => [...org.apiKeys.values()].find(({ secret }) => secret === params.key),
  missing: () => unknown,
  show: (key, _, { org }) => showV1(org, key),
  one: oneV1,
  all: (api_keys) => ({ api_keys }),
  read: (request, { org }, before) => settingsIn(readSentBody<typeof createApiKeyV1>(request), org, before?.id),
  make,
  change,
  remove: (key, request, world) => remove(key, request, world) ?? ok(oneV1(showV1(world.org, key))),
});

/** The API key collections of both versions, by path. */
export const apiKeyCollections = { '/api/v2/api_keys': keys, '/api/v1/api_key': keysV1 };
