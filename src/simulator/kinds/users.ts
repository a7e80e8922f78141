import {
  type Answer,
  type Ask,
  asList,
  asObject,
  asText,
  at,
  count,
  gone,
  type Handler,
  isAnswer,
  iso,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import type { Org, User } from '../server/store.ts';
import { permissionsOf, permissionsOfUser, showPermissions, showRole } from './permissions.ts';

/** A person as answers show them; as an `included` object they belong to no organisation (contract/users.md 1). */
export function showUser(org: Org, it: User, included = false): Record<string, unknown> {
  return {
    type: 'users',
    id: it.id,
    attributes: {
      uuid: it.id,
      name: it.name,
      handle: it.handle,
      email: it.email,
      icon: `https://pictures.example.test/${it.number}.png`,
      title: it.title,
      status: it.status,
      disabled: it.disabled,
      verified: it.verified,
      service_account: it.service,
      allowed_login_methods: [],
      created_at: iso(it.created),
      modified_at: iso(it.modified),
      ...it.overrides,
    },
    relationships: {
      roles: { data: it.roles.map((id) => ({ type: 'roles', id })) },
      ...(included ? {} : { org: { data: { type: 'orgs', id: org.uuid } } }),
    },
  };
}

/** The roles of some users and the permissions of these roles, each once; absent when there are no roles. */
function includedOf(org: Org, users: readonly User[]): { included?: unknown[] } {
  const roles = [...new Set(users.flatMap((user) => user.roles))].flatMap((id) => org.roles.get(id) ?? []);
  if (roles.length === 0) return {};
  const names = new Set(roles.flatMap((role) => permissionsOf(org, role)));
  return { included: [...roles.map((role) => showRole(org, role)), ...showPermissions(org, [...names])] };
}

/** `-` in front sorts downwards; missing and empty names come last either way. */
function sorted(users: User[], sort: string): User[] {
  const down = sort.startsWith('-');
  const field = sort.replace(/^-/, '');
  const value = (it: User): string | number => {
    if (field === 'modified_at') return it.modified;
    if (field === 'created_at') return it.created;
    return (field === 'email' ? it.email : field === 'handle' ? it.handle : it.name)?.toLowerCase() || '';
  };
  return users.sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return a.number - b.number;
    if (one === '' || other === '') return one === '' ? 1 : -1;
    return one < other === down ? 1 : -1;
  });
}

const list: Handler = (ask, world) => {
  const size = ask.query.get('page[size]');
  if (size !== null && !(Number(size) >= 1 && Number(size) <= 100))
    return refused(400, 'Invalid page[size]: must be between 1 and 100');
  const all = [...world.org.users.values()];
  const filter = ask.query.get('filter')?.toLowerCase() ?? '';
  const states = ask.query
    .getAll('filter[status]')
    .flatMap((text) => text.split(','))
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean);
  const found = all.filter(
    (it) =>
      (!filter || [it.email, it.name ?? '', it.handle].some((text) => text.toLowerCase().includes(filter))) &&
      (states.length === 0 || states.includes(it.status.toLowerCase())),
  );
  const rows = sorted(found, ask.query.get('sort') ?? 'name');
  const length = count(ask.query, 'page[size]', 10, 100);
  const begin = count(ask.query, 'page[number]', 0, 1e9) * length;
  const page = rows.slice(begin, begin + length);
  return ok({
    data: page.map((it) => showUser(world.org, it)),
    ...includedOf(world.org, page),
    meta: { page: { total_count: all.length, total_filtered_count: found.length } },
  });
};

function found(ask: Ask, world: World, text = 'user not found'): User | Answer {
  return world.org.users.get((ask.params.user_id ?? '').toLowerCase()) ?? refused(404, text);
}

const whole = (world: World, it: User): Answer => ok({ data: showUser(world.org, it), ...includedOf(world.org, [it]) });

const get: Handler = (ask, world) => {
  const it = found(ask, world);
  return isAnswer(it) ? it : whole(world, it);
};

const permissions: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  return ok({ data: showPermissions(world.org, permissionsOfUser(world.org, it)) });
};

const current: Handler = (ask, world) => whole(world, ask.caller.user);

const createAccount: Handler = (ask, world) => {
  const { org, random } = world;
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  if (at(ask.body, 'data', 'type') !== 'users') return refused(400, 'Invalid type: must be users');
  const email = asText(sent.email)?.trim().toLowerCase();
  if (!email?.includes('@')) return refused(400, 'Invalid email');
  if (sent.service_account !== true) return refused(400, 'Invalid service_account: must be true');
  const roles = rolesIn(ask, org);
  if (isAnswer(roles)) return roles;
  const it = makeUser(
    random.uuid(),
    org.next.user,
    { name: asText(sent.name) ?? null, email, handle: random.uuid(), roles: roles.ids, service: true },
    ask.now,
  );
  it.title = asText(sent.title) ?? null;
  keepUser(org, it);
  return { ...whole(world, it), status: 201 };
};

/** The roles that a new account was sent with; a refusal when one is unknown. */
function rolesIn(ask: Ask, org: Org): { readonly ids: string[] } | Answer {
  const ids = (asList(at(ask.body, 'data', 'relationships', 'roles', 'data')) ?? []).map(
    (role) => asText(at(role, 'id')) ?? '',
  );
  const unknown = ids.find((id) => !org.roles.has(id));
  return unknown === undefined ? { ids } : refused(400, `Role ${unknown} not found`);
}

const create: Handler = (ask, world) => {
  const { org } = world;
  const email = asText(at(ask.body, 'data', 'attributes', 'email'))
    ?.trim()
    .toLowerCase();
  if (!email?.includes('@')) return refused(400, 'Invalid email');
  if ([...org.users.values()].some((it) => it.email === email)) return refused(409, `User ${email} already exists`);
  const roles = rolesIn(ask, org);
  if (isAnswer(roles)) return roles;
  const name = asText(at(ask.body, 'data', 'attributes', 'name')) ?? null;
  const it = makeUser(
    world.random.uuid(),
    org.next.user,
    { name, email, roles: roles.ids, status: 'Pending', verified: false },
    ask.now,
  );
  it.title = asText(at(ask.body, 'data', 'attributes', 'title')) ?? null;
  keepUser(org, it);
  return { ...whole(world, it), status: 201 };
};

/** A user with what is usual filled in. */
export function makeUser(id: string, number: number, known: Partial<User> & Pick<User, 'email'>, now: number): User {
  return {
    id,
    number,
    name: null,
    handle: known.email,
    title: null,
    status: 'Active',
    disabled: false,
    verified: true,
    service: false,
    roles: [],
    created: now,
    modified: now,
    overrides: {},
    ...known,
  };
}

/** Stores a person; the next one gets a higher number. */
export function keepUser(org: Org, it: User): void {
  org.users.set(it.id, it);
  org.next.user = Math.max(org.next.user, it.number + 1);
}

/** Service accounts may be changed with a permission of their own, people may not (contract/users.md 2). */
const mayChange = (ask: Ask, it: User): boolean =>
  ask.caller.may('user_access_manage') || (it.service && ask.caller.may('service_account_write'));

const update: Handler = (ask, world) => {
  const id = ask.params.user_id ?? '';
  const it = found(ask, world, `${id} not found`);
  if (isAnswer(it)) return it;
  if (!mayChange(ask, it)) return refused(403, 'Forbidden', 'Failed permission authorization checks');
  if (asText(at(ask.body, 'data', 'id'))?.toLowerCase() !== it.id)
    return refused(422, "UUID's in the URL and request body do not match");
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  if (typeof sent.name === 'string' || sent.name === null) it.name = sent.name;
  if (typeof sent.title === 'string' || sent.title === null) it.title = sent.title;
  if (typeof sent.email === 'string') it.email = sent.email.toLowerCase();
  if (typeof sent.disabled === 'boolean') {
    it.disabled = sent.disabled;
    it.status = sent.disabled ? 'Disabled' : 'Active';
    if (sent.disabled) world.revokeKeysOf(it.id);
  }
  it.modified = ask.now;
  return whole(world, it);
};

const disable: Handler = (ask, world) => {
  const id = ask.params.user_id ?? '';
  const it = found(ask, world, `${id} not found`);
  if (isAnswer(it)) return it;
  if (!mayChange(ask, it)) return refused(403, 'Forbidden', 'Failed permission authorization checks');
  if (it.disabled) return refused(404, `${id} not found`);
  it.disabled = true;
  it.status = 'Disabled';
  it.modified = ask.now;
  world.revokeKeysOf(it.id);
  return gone;
};

/** People and key checks, by the id of the endpoint. */
export const userHandlers: Readonly<Record<string, Handler>> = {
  'users.list': list,
  'users.get': get,
  'users.permissions': permissions,
  'users.create': create,
  'users.update': update,
  'users.disable': disable,
  'service-accounts.create': createAccount,
  'current-user.get': current,
  'keys.validate': () => ok({ valid: true }),
  'keys.validate-both': () => ok({ status: 'ok' }),
};
