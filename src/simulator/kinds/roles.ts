import type { addRoleUser, grantPermission, updateRole } from '../../api/roles.ts';
import { present } from '../../lib/values.ts';
import templates from '../seed/role-templates.json' with { type: 'json' };
import { collection, type Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  filterMatches,
  type Handler,
  isReadVerb,
  isResponse,
  listParameter,
  noContent,
  ok,
  readSentBody,
  refused,
  type ServiceWorld,
  sortableName,
} from '../server/handler.ts';
import type { Org, StoredRole, User } from '../server/store.ts';
import {
  findUsers,
  implied,
  permissionById,
  readPermissions,
  rolesOfUsers,
  showPermissions,
  showRole,
  showUser,
} from './users.ts';

/** Roles, their permissions and their users (docs/contract/roles.md). */
const badInput = refused(400, 'Invalid input ');

const catalog: Handler = (_, { org }) => ok({ data: showPermissions(org, [...org.permissions.keys()]) });

/** The validated members of a role in the body; members that were not sent are absent. */
interface Wanted {
  readonly name?: string;
  readonly permissions?: Set<string>;
  readonly inherits?: StoredRole['inherits'];
  readonly optedOut?: boolean;
}

/** The managed role to inherit from, null for an empty list. Its current permissions are not copied. */
function inheritsIn(names: readonly string[], org: Org): StoredRole['inherits'] | ApiResponse {
  const source = [...org.roles.values()].find((role) => role.managed && role.name === names[0]);
  if (names.length > 1 || (names.length > 0 && !source)) return badInput;
  return source ? { name: source.name, had: new Set(source.permissions) } : null;
}

/** Names of these permissions, with implied ones; undefined when an id is unknown. */
function permissionsIn(ids: readonly string[], org: Org): Set<string> | undefined {
  const names = ids.map((id) => permissionById(org, id)?.name);
  if (names.includes(undefined)) return undefined;
  return new Set(names.flatMap((name) => (name === undefined ? [] : [name, ...(implied[name] ?? [])])));
}

const isTaken = (org: Org, name: string, id?: string): boolean =>
  [...org.roles.values()].some((role) => role.name === name && role.id !== id);

/** Stores a new role. */
export function storeRole(
  world: ServiceWorld,
  now: number,
  given: Partial<StoredRole> & Pick<StoredRole, 'name'>,
): StoredRole {
  const role: StoredRole = {
    id: world.random.uuid(),
    permissions: new Set(),
    managed: false,
    optedOut: false,
    inherits: null,
    created: now,
    modified: now,
    ...given,
  };
  world.org.roles.set(role.id, role);
  return role;
}

/** The fields of a role, whose name must be unique; or the refusal. */
function wantedIn(request: ApiRequest, { org }: ServiceWorld, before?: StoredRole): Wanted | ApiResponse {
  const { attributes, relationships } = readSentBody<typeof updateRole>(request).data;
  const { name, receives_permissions_from: source, default_permissions_opt_out: optedOut } = attributes;
  const inherits = source && inheritsIn(source, org);
  if (inherits && isResponse(inherits)) return inherits;
  const sent = relationships?.permissions?.data.map(({ id }) => id);
  const permissions = sent && permissionsIn(sent, org);
  if (sent && !permissions) return badInput;
  return name !== undefined && isTaken(org, name, before?.id)
    ? refused(409, 'A role with the same name already exists')
    : present({ name, permissions, inherits, optedOut });
}

/** The refusal to change or delete a built-in role. */
const refuseManaged = ({ managed }: StoredRole): ApiResponse | undefined =>
  managed ? refused(403, 'Forbidden') : undefined;

const roles = collection<StoredRole, Wanted>({
  rows: ({ org }) => org.roles,
  missing: (id) => refused(404, `${id} not found`),
  show: (role, { endpoint }, { org }) => showRole(org, role, isReadVerb(endpoint.verb)),
  list: {
    matches: ({ query }) => {
      const isMentioned = filterMatches(query);
      const ids = query.has('filter[id]') ? new Set(listParameter(query, 'filter[id]')) : null;
      return ({ id, name }) => isMentioned(name) && (ids === null || ids.has(id));
    },
    orders: ({ org }) => ({
      name: ({ name }) => sortableName(name),
      modified_at: ({ modified }) => modified,
      user_count: ({ id }) => findUsers(org, id).length,
    }),
  },
  refusesEdit: refuseManaged,
  read: wantedIn,
  make: (want, { now }, world) => storeRole(world, now, want as Wanted & Pick<StoredRole, 'name'>),
  change: (role, want, { now }) => {
    Object.assign(role, want, { modified: now });
  },
  // Removes the role from users, mappings and archive readers.
  remove: ({ id }, _, { org }) => {
    org.roles.delete(id);
    for (const user of org.users.values()) user.roles = user.roles.filter((role) => role !== id);
    for (const [key, { target }] of org.mappings)
      if (target.type === 'roles' && target.id === id) org.mappings.delete(key);
    for (const archive of org.archives.values()) archive.readers.delete(id);
    return noContent;
  },
});

const clone = roles.on((source, request, world) => {
  const { org } = world;
  const want = wantedIn(request, world);
  if (isResponse(want)) return want;
  const permissions = new Set(readPermissions(org, source));
  const { name = '', inherits = source.inherits } = want;
  const copy = storeRole(world, request.now, { name, permissions, inherits, optedOut: source.optedOut });
  return ok({ data: showRole(org, copy) });
});

const whole = (org: Org, role: StoredRole): ApiResponse =>
  ok({ data: showPermissions(org, readPermissions(org, role)) });

/** Grants or revokes one permission. For a default permission this is a no-op with 200. */
const grantOrRevoke = (to: 'granted' | 'revoked'): Handler =>
  roles.on((role, request, { org }) => {
    const refusal = refuseManaged(role);
    if (refusal) return refusal;
    const { id } = readSentBody<typeof grantPermission>(request).data;
    const permission = permissionById(org, id);
    if (!permission) return refused(404, `${id} not found`);
    const { name } = permission;
    if (to === 'revoked') role.permissions.delete(name);
    else for (const each of [name, ...(implied[name] ?? [])]) role.permissions.add(each);
    role.modified = request.now;
    return whole(org, role);
  });

/** The users who have the role of the path. */
const members = collection<User>({
  rows: ({ org }) => org.users,
  missing: (id) => refused(404, `${id} not found`),
  show: (user, _, { org }) => showUser(org, user),
  beside: (users, _, { org }) => ({
    included: rolesOfUsers(org, users).map((role) => showRole(org, role)),
  }),
  list: {
    rows: (request, world) => {
      const role = roles.find(request, world);
      return isResponse(role) ? role : findUsers(world.org, role.id);
    },
    matches: ({ query }) => {
      const isMentioned = filterMatches(query);
      return ({ name, email, handle }) => isMentioned(name, email, handle);
    },
    orders: () => ({ name: ({ name, email }) => sortableName(name || email), email: ({ email }) => email }),
  },
});

/** Adds or removes one user of the role; the response lists its users. */
const changeMembership = (to: 'added' | 'removed'): Handler =>
  roles.on((role, request, { org }) => {
    const { id } = readSentBody<typeof addRoleUser>(request).data;
    const user = org.users.get(id.toLowerCase());
    if (!user) return refused(404, `${id} not found`);
    const others = user.roles.filter((other) => other !== role.id);
    if (to === 'removed') user.roles = others;
    else if (others.length === user.roles.length) user.roles = [...user.roles, role.id];
    const all = findUsers(org, role.id);
    return ok({ data: all.map((each) => showUser(org, each)), meta: { page: { total_count: all.length } } });
  });

/** Operations of roles, their permissions and their users. */
export const roleOperations: Operations = {
  '/api/v2/roles': roles,
  '/api/v2/roles/{role_id}/users': members,
  'roles.permissions': catalog,
  'roles.granted': roles.on((role, _, { org }) => whole(org, role)),
  'roles.grant': grantOrRevoke('granted'),
  'roles.revoke': grantOrRevoke('revoked'),
  'roles.add-user': changeMembership('added'),
  'roles.remove-user': changeMembership('removed'),
  'roles.clone': clone,
  'roles.templates': () => ok(templates),
};
