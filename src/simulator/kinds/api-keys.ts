import {
  type Answer,
  type Ask,
  asObject,
  at,
  gone,
  type Handler,
  isAnswer,
  iso,
  isTrue,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { keepApiKey } from '../server/keys.ts';
import { pageOf, plainly, sortedBy, within, wordsOf } from '../server/paging.ts';
import type { ApiKey, Org } from '../server/store.ts';
import { last4, leakRelation, misfit, nameIn, nameless, secretOf, showLeaks } from './secrets.ts';
import { showUser } from './users.ts';

/** API keys: one store that is seen through the v2 and the v1 door (contract/keys.md 5). */
const person = (id: string | null): unknown => ({ data: id && { type: 'users', id } });

/** A key as v2 shows it; how it was used is missing from the answers to edits. */
function show(it: ApiKey, now: number, { secret = false, used = true } = {}): unknown {
  const isRecent = it.used !== null && now - it.used < 86_400_000;
  const timestamp = it.used === null ? null : iso(it.used);
  const description = it.used === null ? 'Never used' : isRecent ? 'Used in the last 24 hours' : 'Not used lately';
  return {
    type: 'api_keys',
    attributes: {
      name: it.name,
      created_at: iso(it.created),
      modified_at: iso(it.modified),
      last4: last4(it),
      ...(secret ? { key: it.secret } : {}),
      category: it.category,
      remote_config_read_enabled: it.remoteConfig,
      ...(used
        ? {
            date_last_used: timestamp,
            used_in_last_24_hours: isRecent,
            last_used_date: { timestamp, description },
          }
        : {}),
      ...it.overrides,
    },
    relationships: {
      created_by: person(it.creator),
      modified_by: it.modifier === null ? null : person(it.modifier),
      leak_information: leakRelation(it),
    },
    id: it.id,
  };
}

/** The people that `include` asks for, and leaks; absent when it asks for nothing. */
function included(ask: Ask, world: World, keys: readonly ApiKey[]): { included?: unknown[] } {
  const asked = wordsOf(ask.query, 'include');
  if (asked.length === 0) return {};
  const ids = keys.flatMap((it) => [
    asked.includes('created_by') ? it.creator : null,
    asked.includes('modified_by') ? it.modifier : null,
  ]);
  const people = [...new Set(ids)].flatMap((id) => (id ? (world.org.users.get(id) ?? []) : []));
  return { included: [...people.map((user) => showUser(world.org, user, true)), ...showLeaks(keys)] };
}

const list: Handler = (ask, world) => {
  const { org } = world;
  const { query } = ask;
  const [isCreated, isModified] = [within(query, 'created_at'), within(query, 'modified_at')];
  if (typeof isCreated !== 'function') return isCreated;
  if (typeof isModified !== 'function') return isModified;
  const text = query.get('filter')?.toLowerCase() ?? '';
  const [category, remote] = [query.get('filter[category]'), query.get('filter[remote_config_read_enabled]')];
  const found = [...org.apiKeys.values()].filter(
    (it) =>
      it.name.toLowerCase().includes(text) &&
      isCreated(it.created) &&
      isModified(it.modified) &&
      (category === null || it.category === category) &&
      (remote === null || it.remoteConfig === isTrue(remote)),
  );
  const sorted = sortedBy(found, query.get('sort') || 'name', {
    name: (it) => plainly(it.name),
    created_at: (it) => it.created,
    modified_at: (it) => it.modified,
    last4,
  });
  if (isAnswer(sorted)) return sorted;
  const page = pageOf(query, sorted.rows);
  if (isAnswer(page)) return page;
  return ok({
    data: page.rows.map((it) => show(it, ask.now)),
    ...included(ask, world, page.rows),
    meta: { page: { total_filtered_count: found.length }, max_allowed: org.allowed.apiKeys },
  });
};

const unknown = refused(404, 'API key not found');

const found = (ask: Ask, { org }: World): ApiKey | Answer => org.apiKeys.get(ask.params.api_key_id ?? '') ?? unknown;

const get: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  return ok({ data: show(it, ask.now, { secret: true }), ...included(ask, world, [it]) });
};

/** The refusal of a name that another key has, in the whole organisation. */
function taken(org: Org, name: string, id?: string): Answer | undefined {
  const other = [...org.apiKeys.values()].find((it) => it.name === name && it.id !== id);
  return other && refused(400, `API key with name ${name} already exists`);
}

/** A new key, or why there is none. */
function make(ask: Ask, world: World, name: string, more: Partial<ApiKey> = {}): ApiKey | Answer {
  const { org, random } = world;
  const used = taken(org, name);
  if (used) return used;
  if (org.apiKeys.size >= org.allowed.apiKeys)
    return refused(400, `No more than ${org.allowed.apiKeys} API keys are allowed`);
  const it: ApiKey = {
    id: random.uuid(),
    name,
    secret: secretOf(world, 32),
    category: 'default',
    remoteConfig: true,
    creator: ask.caller.user.id,
    modifier: ask.caller.user.id,
    created: ask.now,
    modified: ask.now,
    used: null,
    leak: null,
    overrides: {},
    ...more,
  };
  keepApiKey(org, it);
  return it;
}

/** The settings beside the name, as far as they were sent. */
function settingsIn(sent: Readonly<Record<string, unknown>>): Pick<Partial<ApiKey>, 'category' | 'remoteConfig'> {
  return {
    ...(typeof sent.category === 'string' ? { category: sent.category } : {}),
    ...(typeof sent.remote_config_read_enabled === 'boolean' ? { remoteConfig: sent.remote_config_read_enabled } : {}),
  };
}

const create: Handler = (ask, world) => {
  const wrong = misfit(ask.body, 'api_keys');
  if (wrong) return wrong;
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  const name = nameIn(sent.name);
  if (name === undefined) return nameless;
  const it = make(ask, world, name, settingsIn(sent));
  if (isAnswer(it)) return it;
  return { status: 201, body: { data: show(it, ask.now, { secret: true, used: false }) } };
};

/** Changes a key; a rename to its own name leaves the moment of its last change alone. */
function change(ask: Ask, { org }: World, it: ApiKey, name: string, more: Partial<ApiKey> = {}): Answer | undefined {
  const used = taken(org, name, it.id);
  if (used) return used;
  const isOther =
    name !== it.name || Object.entries(more).some(([field, value]) => it[field as keyof ApiKey] !== value);
  Object.assign(it, more, { name });
  if (isOther) {
    it.modified = ask.now;
    it.modifier = ask.caller.user.id;
  }
  return undefined;
}

const update: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const wrong = misfit(ask.body, 'api_keys', it.id);
  if (wrong) return wrong;
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  const name = nameIn(sent.name);
  if (name === undefined) return nameless;
  return (
    change(ask, world, it, name, settingsIn(sent)) ?? ok({ data: show(it, ask.now, { secret: true, used: false }) })
  );
};

/** The refusal of a delete that would leave nobody a key; undefined once it is gone. */
function drop(org: Org, it: ApiKey): Answer | undefined {
  if (org.apiKeys.size <= 1) return refused(400, 'The last API key of the organization cannot be deleted');
  org.apiKeys.delete(it.id);
  return undefined;
}

const remove: Handler = (ask, world) => {
  const it = found(ask, world);
  return isAnswer(it) ? it : (drop(world.org, it) ?? gone);
};

/** A key as v1 shows it: the secret is its name, and the moment has no zone. */
function showV1(org: Org, it: ApiKey): unknown {
  return {
    created: new Date(it.created).toISOString().slice(0, 19).replace('T', ' '),
    created_by: (it.creator && org.users.get(it.creator)?.handle) ?? '',
    key: it.secret,
    name: it.name,
  };
}

const oneV1 = (org: Org, it: ApiKey): Answer => ok({ api_key: showV1(org, it) });

const foundV1 = (ask: Ask, { org }: World): ApiKey | Answer =>
  [...org.apiKeys.values()].find((it) => it.secret === ask.params.key) ?? unknown;

const listV1: Handler = (_, { org }) => ok({ api_keys: [...org.apiKeys.values()].map((it) => showV1(org, it)) });

const getV1: Handler = (ask, world) => {
  const it = foundV1(ask, world);
  return isAnswer(it) ? it : oneV1(world.org, it);
};

const createV1: Handler = (ask, world) => {
  const name = nameIn(at(ask.body, 'name'));
  if (name === undefined) return nameless;
  const it = make(ask, world, name);
  return isAnswer(it) ? it : oneV1(world.org, it);
};

/** What is sent is checked before the key is looked for. */
const updateV1: Handler = (ask, world) => {
  const name = nameIn(at(ask.body, 'name'));
  if (name === undefined) return nameless;
  const it = foundV1(ask, world);
  if (isAnswer(it)) return it;
  return change(ask, world, it, name) ?? oneV1(world.org, it);
};

const removeV1: Handler = (ask, world) => {
  const it = foundV1(ask, world);
  return isAnswer(it) ? it : (drop(world.org, it) ?? oneV1(world.org, it));
};

/** API keys through both doors, by the id of the endpoint. */
export const apiKeyHandlers: Readonly<Record<string, Handler>> = {
  'api-keys.list': list,
  'api-keys.create': create,
  'api-keys.get': get,
  'api-keys.update': update,
  'api-keys.delete': remove,
  'api-keys.list-v1': listV1,
  'api-keys.create-v1': createV1,
  'api-keys.get-v1': getV1,
  'api-keys.update-v1': updateV1,
  'api-keys.delete-v1': removeV1,
};
