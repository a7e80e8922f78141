import type { ApplicationKey, User } from '../server/access.ts';
import { type Answer, type Ask, asList, asObject, at, isAnswer, iso, refused, type World } from '../server/answer.ts';
import { type Collection, collection } from '../server/collection.ts';
import { keepApplicationKey } from '../server/keys.ts';
import { isRead, mentions, plainly, within, wordsOf } from '../server/paging.ts';
import type { Org } from '../server/store.ts';
import { isPermission, rolesOf, showRole } from './permissions.ts';
import { last4, leakRelation, misfit, nameIn, nameless, secretOf, showLeaks } from './secrets.ts';
import { showUser } from './users.ts';

/** Whose keys a path serves, and which fields its responses have (contract/keys.md 2, 3, 4). */
interface Door {
  /** The owner of the keys; null = the keys of all users. */
  owner(ask: Ask, world: World): User | null | Answer;
  /** Get and update return the secret. */
  readonly tells: boolean;
  /** Whether list, get and update responses name the owner. */
  readonly owned: { readonly list: boolean; readonly get: boolean; readonly edit: boolean };
  /** Get includes the owner without `include`. */
  readonly includes: boolean;
}

const own: Door = {
  owner: (ask) => ask.caller.user,
  tells: true,
  owned: { list: false, get: true, edit: true },
  includes: true,
};
const everybody: Door = {
  owner: () => null,
  tells: false,
  owned: { list: true, get: true, edit: true },
  includes: false,
};
const account: Door = {
  owner: (ask, { org }) => {
    const user = org.users.get((ask.params.service_account_id ?? '').toLowerCase());
    return user?.service ? user : refused(404, 'Service account not found');
  },
  tells: false,
  owned: { list: true, get: false, edit: false },
  includes: false,
};

interface Shown {
  readonly secret?: boolean;
  readonly owned?: boolean;
  /** Whether responses contain the last use; responses to edits omit it. */
  readonly used?: boolean;
}

function show(key: ApplicationKey, { secret = false, owned = true, used = true }: Shown): unknown {
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
      ...(owned ? { owned_by: { data: { type: 'users', id: key.owner } } } : {}),
      leak_information: leakRelation(key),
    },
  };
}

function included(world: World, keys: readonly ApplicationKey[]): unknown[] {
  const { org } = world;
  const owners = [...new Set(keys.map((key) => key.owner))].flatMap((id) => org.users.get(id) ?? []);
  return [
    ...owners.map((user) => showUser(org, user, true)),
    ...rolesOf(org, owners).map((role) => showRole(org, role)),
    ...showLeaks(keys),
  ];
}

/** Scopes as they are stored, or the refusal of a name that is no permission. Permission ids are refused. */
function scopesIn(org: Org, value: unknown): { readonly scopes: string[] | null } | Answer {
  if (value === null || value === undefined) return { scopes: null };
  const words = asList(value);
  const unknown = words?.find((word) => typeof word !== 'string' || !isPermission(org, word));
  if (!words || unknown !== undefined) return refused(400, `Invalid scope: ${String(unknown ?? value)}`);
  return { scopes: words.length > 0 ? [...new Set(words.map(String))] : null };
}

type Settings = Pick<ApplicationKey, 'name' | 'scopes'> & { readonly owner: string };

/** The new settings of an owner's key; members missing from the body keep their value. */
function settingsIn({ body }: Ask, { org }: World, owner: string, before?: ApplicationKey): Settings | Answer {
  const wrong = misfit(body, 'application_keys', before?.id);
  if (wrong) return wrong;
  const sent = asObject(at(body, 'data', 'attributes')) ?? {};
  const name = before && !('name' in sent) ? before.name : nameIn(sent.name);
  if (name === undefined) return nameless;
  const scopes = before && !('scopes' in sent) ? before : scopesIn(org, sent.scopes);
  if (isAnswer(scopes)) return scopes;
  const isTaken = [...org.applicationKeys.values()].some(
    (key) => key.owner === owner && key.name === name && key.id !== before?.id,
  );
  if (isTaken) return refused(409, `Application key with name ${name} already exists`);
  return { name, scopes: scopes.scopes, owner };
}

/** The collection that one path serves. */
const keysBehind = (door: Door): Collection<ApplicationKey> =>
  collection<ApplicationKey, Settings>({
    rows: ({ org }) => org.applicationKeys,
    refuses: (ask, world) => {
      const owner = door.owner(ask, world);
      return owner !== null && isAnswer(owner) ? owner : undefined;
    },
    find: (ask, world) => {
      const owner = door.owner(ask, world) as User | null;
      const key = world.org.applicationKeys.get(ask.params.app_key_id ?? '');
      return owner === null || key?.owner === owner.id ? key : undefined;
    },
    missing: () => refused(404, 'Application key not found'),
    show: (key, { endpoint: { verb } }) =>
      show(key, {
        secret: verb === 'create' || (door.tells && verb !== 'list'),
        owned: verb === 'create' || door.owned[verb === 'list' || verb === 'get' ? verb : 'edit'],
        used: isRead(verb),
      }),
    beside: (keys, { endpoint: { verb }, query }, world) => {
      const isAsked = wordsOf(query, 'include').includes('owned_by') && door !== account;
      return isRead(verb) && (isAsked || (verb === 'get' && door.includes)) ? { included: included(world, keys) } : {};
    },
    list: {
      rows: (ask, world) => {
        const owner = door.owner(ask, world);
        if (owner !== null && isAnswer(owner)) return owner;
        const keys = [...world.org.applicationKeys.values()];
        return owner === null ? keys : keys.filter((key) => key.owner === owner.id);
      },
      matches: ({ query }) => {
        const isRecent = within(query, 'created_at');
        if (typeof isRecent !== 'function') return isRecent;
        const isMentioned = mentions(query);
        const ownedBy = door === everybody ? query.get('filter[owned_by]') : null;
        return ({ name, owner, created }) =>
          (ownedBy === null || owner === ownedBy) && isMentioned(name) && isRecent(created);
      },
      orders: () => ({ name: ({ name }) => plainly(name), created_at: ({ created }) => created, last4 }),
      meta: (found, _, { org }) => ({
        page: { total_filtered_count: found },
        max_allowed_per_user: org.allowed.applicationKeys,
      }),
    },
    read: (ask, world, before) => {
      const owner = before?.owner ?? (door.owner(ask, world) as User | null)?.id;
      return owner === undefined ? refused(404, 'Not found') : settingsIn(ask, world, owner, before);
    },
    make: (settings, { now }, world) => {
      const { org, random } = world;
      const most = org.allowed.applicationKeys;
      if ([...org.applicationKeys.values()].filter(({ owner }) => owner === settings.owner).length >= most)
        return refused(400, `No more than ${most} application keys are allowed per user`);
      const key: ApplicationKey = {
        id: random.uuid(),
        secret: secretOf(world, 40),
        permissions: null,
        created: now,
        used: null,
        leak: null,
        overrides: {},
        ...settings,
      };
      keepApplicationKey(org, key);
      return key;
    },
    created: 201,
  });

/** The three application key collections, by path. */
export const applicationKeyCollections = {
  '/api/v2/current_user/application_keys': keysBehind(own),
  '/api/v2/application_keys': keysBehind(everybody),
  '/api/v2/service_accounts/{service_account_id}/application_keys': keysBehind(account),
};
