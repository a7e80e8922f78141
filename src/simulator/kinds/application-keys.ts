import {
  type Answer,
  type Ask,
  asList,
  asObject,
  at,
  gone,
  type Handler,
  isAnswer,
  iso,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { keepApplicationKey } from '../server/keys.ts';
import { pageOf, plainly, sortedBy, within, wordsOf } from '../server/paging.ts';
import type { ApplicationKey, Org, User } from '../server/store.ts';
import { isPermission, showRole } from './permissions.ts';
import { last4, leakRelation, misfit, nameIn, nameless, secretOf, showLeaks } from './secrets.ts';
import { showUser } from './users.ts';

/** Whose keys a path leads to, and what its answers show (contract/keys.md 2, 3, 4). */
interface Door {
  /** The owner whose keys these are; null = everybody's. */
  owner(ask: Ask, world: World): User | null | Answer;
  /** Shows the secret when one key is read or changed. */
  readonly tells: boolean;
  /** Says the owner in the list, when one is read, when one is changed. */
  readonly owned: { readonly list: boolean; readonly get: boolean; readonly edit: boolean };
  /** One key comes with its owner unasked. */
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
  /** When it was last used; answers to edits do not say it. */
  readonly used?: boolean;
}

function show(it: ApplicationKey, { secret = false, owned = true, used = true }: Shown): unknown {
  return {
    type: 'application_keys',
    id: it.id,
    attributes: {
      name: it.name,
      created_at: iso(it.created),
      last4: last4(it),
      ...(secret ? { key: it.secret } : {}),
      scopes: it.scopes,
      ...(used ? { last_used_at: it.used === null ? null : iso(it.used) } : {}),
      ...it.overrides,
    },
    relationships: {
      ...(owned ? { owned_by: { data: { type: 'users', id: it.owner } } } : {}),
      leak_information: leakRelation(it),
    },
  };
}

function included(world: World, keys: readonly ApplicationKey[]): unknown[] {
  const { org } = world;
  const owners = [...new Set(keys.map((it) => it.owner))].flatMap((id) => org.users.get(id) ?? []);
  const roles = [...new Set(owners.flatMap((user) => user.roles))].flatMap((id) => org.roles.get(id) ?? []);
  return [
    ...owners.map((user) => showUser(org, user, true)),
    ...roles.map((role) => showRole(org, role)),
    ...showLeaks(keys),
  ];
}

const list =
  (door: Door): Handler =>
  (ask, world) => {
    const { org } = world;
    const { query } = ask;
    const owner = door.owner(ask, world);
    if (owner !== null && isAnswer(owner)) return owner;
    const isRecent = within(query, 'created_at');
    if (typeof isRecent !== 'function') return isRecent;
    const text = query.get('filter')?.toLowerCase() ?? '';
    const ownedBy = owner === null ? query.get('filter[owned_by]') : null;
    const found = [...org.applicationKeys.values()].filter(
      (it) =>
        (owner === null || it.owner === owner.id) &&
        (ownedBy === null || it.owner === ownedBy) &&
        it.name.toLowerCase().includes(text) &&
        isRecent(it.created),
    );
    const sorted = sortedBy(found, query.get('sort') || 'name', {
      name: (it) => plainly(it.name),
      created_at: (it) => it.created,
      last4,
    });
    if (isAnswer(sorted)) return sorted;
    const page = pageOf(query, sorted.rows);
    if (isAnswer(page)) return page;
    return ok({
      data: page.rows.map((it) => show(it, { owned: door.owned.list })),
      ...(wordsOf(query, 'include').includes('owned_by') && door !== account
        ? { included: included(world, page.rows) }
        : {}),
      meta: {
        page: { total_filtered_count: found.length },
        max_allowed_per_user: org.allowed.applicationKeys,
      },
    });
  };

function found(door: Door, ask: Ask, world: World): ApplicationKey | Answer {
  const owner = door.owner(ask, world);
  if (owner !== null && isAnswer(owner)) return owner;
  const it = world.org.applicationKeys.get(ask.params.app_key_id ?? '');
  return it && (owner === null || it.owner === owner.id) ? it : refused(404, 'Application key not found');
}

const get =
  (door: Door): Handler =>
  (ask, world) => {
    const it = found(door, ask, world);
    if (isAnswer(it)) return it;
    const asked = wordsOf(ask.query, 'include').includes('owned_by') && door === everybody;
    const secret = door.tells;
    return ok({
      data: show(it, { secret, owned: door.owned.get }),
      ...(door.includes || asked ? { included: included(world, [it]) } : {}),
    });
  };

/** Scopes as they are kept, or the refusal of a word that is no permission: ids of permissions are none. */
function scopesIn(org: Org, value: unknown): { readonly scopes: string[] | null } | Answer {
  if (value === null || value === undefined) return { scopes: null };
  const words = asList(value);
  const unknown = words?.find((it) => typeof it !== 'string' || !isPermission(org, it));
  if (!words || unknown !== undefined) return refused(400, `Invalid scope: ${String(unknown ?? value)}`);
  return { scopes: words.length > 0 ? [...new Set(words.map(String))] : null };
}

/** The refusal of a name that another key of this owner has; its own name is free to it. */
function taken(org: Org, owner: string, name: string, id?: string): Answer | undefined {
  const other = [...org.applicationKeys.values()].find((it) => it.owner === owner && it.name === name && it.id !== id);
  return other && refused(409, `Application key with name ${name} already exists`);
}

const create =
  (door: Door): Handler =>
  (ask, world) => {
    const { org, random } = world;
    const owner = door.owner(ask, world);
    if (owner === null || isAnswer(owner)) return owner ?? refused(404, 'Not found');
    const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
    const name = nameIn(sent.name);
    const wrong = misfit(ask.body, 'application_keys') ?? (name === undefined ? nameless : undefined);
    if (wrong || name === undefined) return wrong ?? nameless;
    const scopes = scopesIn(org, sent.scopes);
    if (isAnswer(scopes)) return scopes;
    const used = taken(org, owner.id, name);
    if (used) return used;
    const many = [...org.applicationKeys.values()].filter((it) => it.owner === owner.id).length;
    if (many >= org.allowed.applicationKeys)
      return refused(400, `No more than ${org.allowed.applicationKeys} application keys are allowed per user`);
    const it: ApplicationKey = {
      id: random.uuid(),
      owner: owner.id,
      name,
      secret: secretOf(world, 40),
      scopes: scopes.scopes,
      permissions: null,
      created: ask.now,
      used: null,
      leak: null,
      overrides: {},
    };
    keepApplicationKey(org, it);
    return { status: 201, body: { data: show(it, { secret: true, used: false }) } };
  };

const update =
  (door: Door): Handler =>
  (ask, world) => {
    const it = found(door, ask, world);
    if (isAnswer(it)) return it;
    const wrong = misfit(ask.body, 'application_keys', it.id);
    if (wrong) return wrong;
    const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
    const name = 'name' in sent ? nameIn(sent.name) : it.name;
    if (name === undefined) return nameless;
    const scopes = 'scopes' in sent ? scopesIn(world.org, sent.scopes) : { scopes: it.scopes };
    if (isAnswer(scopes)) return scopes;
    const used = taken(world.org, it.owner, name, it.id);
    if (used) return used;
    it.name = name;
    it.scopes = scopes.scopes;
    const secret = door.tells;
    return ok({ data: show(it, { secret, owned: door.owned.edit, used: false }) });
  };

const remove =
  (door: Door): Handler =>
  (ask, world) => {
    const it = found(door, ask, world);
    if (isAnswer(it)) return it;
    world.org.applicationKeys.delete(it.id);
    return gone;
  };

/** Application keys through their three doors, by the id of the endpoint. */
export const applicationKeyHandlers: Readonly<Record<string, Handler>> = {
  'keys.list-own': list(own),
  'keys.create-own': create(own),
  'keys.get-own': get(own),
  'keys.update-own': update(own),
  'keys.delete-own': remove(own),
  'keys.list-org': list(everybody),
  'keys.get-org': get(everybody),
  'keys.update-org': update(everybody),
  'keys.delete-org': remove(everybody),
  'service-accounts.list-keys': list(account),
  'service-accounts.create-key': create(account),
  'service-accounts.get-key': get(account),
  'service-accounts.update-key': update(account),
  'service-accounts.delete-key': remove(account),
};
