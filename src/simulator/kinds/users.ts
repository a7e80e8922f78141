import type { createUser, updateUser } from '../../api/users.ts';
import { present } from '../../lib/values.ts';
import { collection, type Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  filterMatches,
  iso,
  listParameter,
  ok,
  readSentBody,
  refused,
  type ServiceWorld,
} from '../server/handler.ts';
import type { Org, StoredPermission, StoredRole, User } from '../server/store.ts';

/** Permissions of every active user, without a role; the catalog does not list them (docs/contract/roles.md#operations). */
export const implicit: ReadonlySet<string> = new Set(['user_access_read']);

/** Whether this is a permission's name, and so a valid scope. */
export const isPermission = (org: Org, name: string): boolean => org.permissions.has(name) || implicit.has(name);

/** Permissions that a grant also grants (docs/contract/roles.md#default-permissions). */
export const implied: Readonly<Record<string, readonly string[]>> = { admin: ['standard', 'org_management'] };

/** Names of a role's permissions (granted, default and inherited), in catalog order. */
export function readPermissions(org: Org, role: StoredRole): string[] {
  const { inherits } = role;
  const source = inherits && [...org.roles.values()].find((role) => role.managed && role.name === inherits.name);
  const gained = new Set(source ? [...source.permissions].filter((name) => !inherits.had.has(name)) : []);
  return [...org.permissions.values()]
    .filter(
      (permission) =>
        role.permissions.has(permission.name) ||
        gained.has(permission.name) ||
        (permission.restricted && !role.optedOut),
    )
    .map((permission) => permission.name);
}

/** Names of the permissions of a user's roles, in catalog order. */
export function permissionsOfUser(org: Org, user: User): string[] {
  const held = new Set(user.roles.flatMap((id) => roleNames(org, id)));
  return [...org.permissions.keys()].filter((name) => held.has(name));
}

const roleNames = (org: Org, id: string): string[] => {
  const role = org.roles.get(id);
  return role ? readPermissions(org, role) : [];
};

/** Whether a user has admin rights. */
export function isAdmin(org: Org, user: User): boolean {
  return !user.disabled && user.roles.some((id) => org.roles.get(id)?.permissions.has('admin'));
}

/** The permission with this id. */
export const permissionById = (org: Org, id: string): StoredPermission | undefined =>
  [...org.permissions.values()].find((permission) => permission.id === id);

/** A permission in the response format. */
const showPermission = (permission: StoredPermission): unknown => ({
  type: 'permissions',
  id: permission.id,
  attributes: {
    name: permission.name,
    display_name: permission.display,
    description: permission.description,
    created: iso(permission.created),
    group_name: permission.group,
    display_type: permission.kind,
    restricted: permission.restricted,
    name_aliases: [],
  },
});

/** Some permissions by name, in the response format. */
export const showPermissions = (org: Org, names: readonly string[]): unknown[] =>
  names.flatMap((name) => {
    const permission = org.permissions.get(name);
    return permission ? [showPermission(permission)] : [];
  });

/** A role in the response format; `counted` adds the number of users, which `included` and edits omit. */
export function showRole(org: Org, role: StoredRole, counted = false): Record<string, unknown> {
  return {
    type: 'roles',
    id: role.id,
    attributes: {
      name: role.name,
      created_at: iso(role.created),
      modified_at: iso(role.modified),
      ...(counted ? { user_count: findUsers(org, role.id).length } : {}),
      ...(role.managed ? { managed: true } : {}),
      ...(role.inherits ? { receives_permissions_from: [role.inherits.name] } : {}),
    },
    relationships: {
      permissions: {
        data: readPermissions(org, role).map((name) => ({ type: 'permissions', id: org.permissions.get(name)?.id })),
      },
    },
  };
}

/** The users with a role. */
export const findUsers = (org: Org, role: string): User[] =>
  [...org.users.values()].filter((user) => user.roles.includes(role));

/** The roles of some users, each once. */
export const rolesOfUsers = (org: Org, users: readonly User[]): StoredRole[] =>
  [...new Set(users.flatMap((user) => user.roles))].flatMap((id) => org.roles.get(id) ?? []);

/** A user in the response format; an `included` one has no organization (docs/contract/users.md#user). */
export function showUser(
  org: Org,
  { id, number, roles, service, created, modified, ...attributes }: User,
  included = false,
): Record<string, unknown> {
  return {
    type: 'users',
    id,
    attributes: {
      uuid: id,
      icon: `https://pictures.example.test/${number}.png`,
      service_account: service,
      mfa_enabled: !service && number % 4 !== 0,
      allowed_login_methods: [],
      created_at: iso(created),
      modified_at: iso(modified),
      ...attributes,
    },
    relationships: {
      roles: { data: roles.map((id) => ({ type: 'roles', id })) },
      ...(included ? {} : { org: { data: { type: 'orgs', id: org.uuid } } }),
    },
  };
}

/** The roles of some users and the permissions of these roles, each once; absent when there are no roles. */
function includedOf(org: Org, users: readonly User[]): { included?: unknown[] } {
  const roles = rolesOfUsers(org, users);
  if (roles.length === 0) return {};
  const names = new Set(roles.flatMap((role) => readPermissions(org, role)));
  return { included: [...roles.map((role) => showRole(org, role)), ...showPermissions(org, [...names])] };
}

/** Sorts by the query; `-` means descending. Missing and empty names come last in both directions. */
function sorted(users: User[], { query }: ApiRequest): User[] {
  const sort = query.get('sort') ?? 'name';
  const down = sort.startsWith('-');
  const field = sort.replace(/^-/, '');
  const value = (user: User): string | number => {
    if (field === 'modified_at') return user.modified;
    if (field === 'created_at') return user.created;
    return (field === 'email' ? user.email : field === 'handle' ? user.handle : user.name)?.toLowerCase() || '';
  };
  return users.sort((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return a.number - b.number;
    if (one === '' || other === '') return one === '' ? 1 : -1;
    return one < other === down ? 1 : -1;
  });
}

/** A user with defaults. */
export function makeUser(id: string, number: number, given: Partial<User> & Pick<User, 'email'>, now: number): User {
  return {
    id,
    number,
    name: null,
    handle: given.email,
    title: null,
    status: 'Active',
    disabled: false,
    verified: true,
    service: false,
    roles: [],
    created: now,
    modified: now,
    ...given,
  };
}

/** Stores a user and assigns the next number. */
export function storeUser(org: Org, user: User): User {
  org.users.set(user.id, user);
  org.next.user = Math.max(org.next.user, user.number + 1);
  return user;
}

/** Whether the caller may change this user: service accounts have a permission of their own (docs/contract/users.md#operations). */
const mayChange = (request: ApiRequest, user: User): boolean =>
  request.caller.may('user_access_manage') || (user.service && request.caller.may('service_account_write'));

/** The fields of a new user or service account. */
type NewUser = Pick<User, 'name' | 'email' | 'title' | 'roles'> & Partial<User>;

function newUser(request: ApiRequest, org: Org, more: Partial<User>): NewUser | ApiResponse {
  const { attributes, relationships } = readSentBody<typeof createUser>(request).data;
  const email = attributes.email.trim().toLowerCase();
  if (!email.includes('@')) return refused(400, 'Invalid email');
  if (!more.service && [...org.users.values()].some((user) => user.email === email))
    return refused(409, `User ${email} already exists`);
  const roles = (relationships?.roles?.data ?? []).map(({ id }) => String(id));
  const unknown = roles.find((id) => !org.roles.has(id));
  if (unknown !== undefined) return refused(400, `Role ${unknown} not found`);
  return { name: attributes.name ?? null, email, title: attributes.title ?? null, roles, ...more };
}

/** The changeable fields in the body. */
function changesIn(request: ApiRequest): Partial<User> {
  const { name, title, email, disabled } = readSentBody<typeof updateUser>(request).data.attributes;
  return {
    ...present({ name, title, email: email?.toLowerCase() }),
    ...(disabled === undefined ? {} : { disabled, status: disabled ? 'Disabled' : 'Active' }),
  };
}

/** Changes a user; disabling one revokes the application keys. */
function change(user: User, changes: Partial<User>, { now }: ApiRequest, { org }: ServiceWorld): undefined {
  Object.assign(user, changes, { modified: now });
  if (!changes.disabled) return;
  for (const [id, key] of org.applicationKeys) if (key.owner === user.id) org.applicationKeys.delete(id);
}

const users = collection<User>({
  rows: ({ org }) => org.users,
  missing: (id, { endpoint }) =>
    refused(404, ['get', 'check'].includes(endpoint.verb) ? 'user not found' : `${id} not found`),
  show: (user, _, { org }) => showUser(org, user),
  beside: (rows, _, { org }) => includedOf(org, rows),
  list: {
    matches: ({ query }) => {
      const isMentioned = filterMatches(query);
      const states = listParameter(query, 'filter[status]').map((word) => word.toLowerCase());
      return ({ email, name, handle, status }) =>
        isMentioned(email, name, handle) && (states.length === 0 || states.includes(status.toLowerCase()));
    },
    sorted,
  },
  refusesEdit: (user, request) =>
    mayChange(request, user) ? undefined : refused(403, 'Forbidden', 'Failed permission authorization checks'),
  read: (request, { org, random }, before) => {
    if (before) return changesIn(request);
    if (request.endpoint.id === 'users.create') return newUser(request, org, { status: 'Pending', verified: false });
    return newUser(request, org, { service: true, handle: random.uuid() });
  },
  make: (values, { now }, { org, random }) =>
    storeUser(org, makeUser(random.uuid(), org.next.user, values as NewUser, now)),
  change,
  // A delete disables the user.
  remove: (user, request, world) =>
    user.disabled
      ? refused(404, `${request.params.user_id} not found`)
      : change(user, { disabled: true, status: 'Disabled' }, request, world),
  created: 201,
});

/** Operations of users, service accounts, the caller and keys. */
export const userOperations: Operations = {
  '/api/v2/users': users,
  '/api/v2/service_accounts': users,
  'users.permissions': users.on((user, _, { org }) => ok({ data: showPermissions(org, permissionsOfUser(org, user)) })),
  'current-user.get': ({ caller: { user } }, { org }) => ok({ data: showUser(org, user), ...includedOf(org, [user]) }),
  'keys.validate': () => ok({ valid: true }),
  'keys.validate-both': () => ok({ status: 'ok' }),
};
