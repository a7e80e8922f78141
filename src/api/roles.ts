import * as v from 'valibot';
import type { Call } from './endpoint.ts';
import {
  addsMember,
  createBody,
  flag,
  int,
  many,
  moment,
  name,
  numberedPages,
  one,
  queryOf,
  removesMember,
  resource,
  resourceOperations,
  searchTerms,
  text,
  toMany,
  toManyOf,
  toOneOf,
  updateBody,
} from './envelope.ts';
import { permission, user } from './users.ts';

/** A role. Its name is neither unique nor stable: refer to it by id (docs/contract/roles.md#role). */
export const role = resource(
  'roles',
  {
    name: text,
    created_at: moment,
    modified_at: moment,
    managed: flag,
    receives_permissions_from: v.array(text),
    user_count: int,
  },
  { permissions: toMany },
);

/** A proposal for a new role; there is no call that creates from it (docs/contract/roles.md#operations). */
const roleTemplate = resource('roles', { name: text, description: text });

const inherited = v.optional(v.array(text));
const options = {
  receives_permissions_from: inherited,
  /** True stores exactly the permissions sent, without the defaults. */
  default_permissions_opt_out: v.optional(flag),
};
const permissions = { permissions: v.optional(toManyOf('permissions')) };

const shown = (body: unknown): Partial<Role> => (body as { data?: Role | null } | null | undefined)?.data ?? {};
const idsOf = (role: Partial<Role>): string[] =>
  (role.relationships?.permissions?.data ?? []).map((one) => String(one.id));
const inheritedBy = (role: Partial<Role>): string => (role.attributes?.receives_permissions_from ?? []).join();

/**
 * For `isApplied`: permissions are compared as a set, since they come back in the order of the catalog. The service adds
 * the defaults to what is sent: an edit that sends them along can be recognized (docs/contract/roles.md#default-permissions).
 */
function roleBecame(sent: Call, read: unknown): boolean {
  const [ours, theirs] = [shown(sent.body), shown(read)];
  const [sets, there] = [ours.relationships?.permissions !== undefined, new Set(idsOf(theirs))];
  const wanted = new Set(idsOf(ours));
  return (
    (ours.attributes?.name === undefined || ours.attributes.name === theirs.attributes?.name) &&
    (ours.attributes?.receives_permissions_from === undefined || inheritedBy(ours) === inheritedBy(theirs)) &&
    (!sets || (wanted.size === there.size && [...wanted].every((id) => there.has(id))))
  );
}

const base = '/api/v2/roles';
const oneRole = `${base}/{role_id}` as const;

const operations = resourceOperations({
  path: base,
  item: 'role_id',
  responses: { list: many(role), single: one(role) },
  of: 'roles',
  reading: ['user_access_read'],
  editing: ['user_access_manage'],
  origin: 'spec',
  source: 'docs/contract/roles.md#operations',
});

export const listPermissions = operations.endpoint({
  id: 'roles.permissions',
  title: 'List all permissions',
  verb: 'list',
  of: 'permissions',
  path: '/api/v2/permissions',
  response: many(permission),
});

export const listRoles = operations.list({
  id: 'roles.list',
  title: 'List roles',
  query: queryOf({
    ...numberedPages,
    sort: searchTerms('name', '-name', 'modified_at', '-modified_at', 'user_count', '-user_count'),
    filter: text,
    'filter[id]': v.union([text, v.array(text)]),
  }),
});

/** Answers 200, not 201; the answer has no count of users. */
export const createRole = operations.create({
  id: 'roles.create',
  title: 'Create a role',
  body: createBody('roles', { name, ...options }, permissions),
});

export const getRole = operations.get({ id: 'roles.get', title: 'Show one role' });

/** Relationships that are sent replace every permission that is not a default; left out, they stay. */
export const updateRole = operations.update({
  id: 'roles.update',
  title: 'Rename a role, or replace its permissions',
  touches: ['permissions', 'users'],
  method: 'PATCH',
  repeat: 'settable',
  readBack: 'roles.get',
  isApplied: roleBecame,
  body: updateBody('roles', { name: v.optional(name), ...options }, permissions),
});

export const deleteRole = operations.delete({
  id: 'roles.delete',
  title: 'Delete a role',
  touches: ['users', 'authn_mappings', 'archives'],
});

export const listRolePermissions = operations.endpoint({
  id: 'roles.granted',
  title: 'List permissions of a role',
  verb: 'list',
  of: 'permissions',
  path: `${oneRole}/permissions`,
  response: many(permission),
});

/** One permission a call; the answer holds all of the role's permissions, implied ones included. */
export const grantPermission = operations.endpoint({
  id: 'roles.grant',
  title: 'Grant a permission to a role',
  ...addsMember,
  touches: ['permissions'],
  path: `${oneRole}/permissions`,
  readBack: 'roles.granted',
  body: toOneOf('permissions'),
  response: many(permission),
});

/** A DELETE with a body. A default permission stays, and the answer is 200 all the same (docs/contract/roles.md#choices). */
export const revokePermission = operations.endpoint({
  id: 'roles.revoke',
  title: 'Revoke a permission from a role',
  ...removesMember,
  touches: ['permissions'],
  path: `${oneRole}/permissions`,
  body: toOneOf('permissions'),
  response: many(permission),
});

export const listRoleUsers = operations.endpoint({
  id: 'roles.users',
  title: 'List users of a role',
  verb: 'list',
  of: 'users',
  path: `${oneRole}/users`,
  query: queryOf({ ...numberedPages, sort: searchTerms('name', '-name', 'email', '-email'), filter: text }),
  response: many(user),
});

/** Adding twice changes nothing. The answer holds all users of the role. */
export const addRoleUser = operations.endpoint({
  id: 'roles.add-user',
  title: 'Add a user to a role',
  ...addsMember,
  touches: ['users'],
  path: `${oneRole}/users`,
  readBack: 'roles.users',
  readBackQuery: { 'page[size]': 100 },
  body: toOneOf('users'),
  response: many(user),
});

/** A DELETE with a body; the answer holds the users that remain. */
export const removeRoleUser = operations.endpoint({
  id: 'roles.remove-user',
  title: 'Remove a user from a role',
  ...removesMember,
  touches: ['users'],
  path: `${oneRole}/users`,
  body: toOneOf('users'),
  response: many(user),
});

/** Copies the permissions, not the users. Refuses a name that exists (docs/contract/roles.md#errors). */
export const cloneRole = operations.endpoint({
  id: 'roles.clone',
  title: 'Copy a role under a new name',
  verb: 'create',
  path: `${oneRole}/clone`,
  readBack: 'roles.list',
  body: createBody('roles', { name, receives_permissions_from: inherited }),
  response: one(role),
});

/** A preview: 403 and 404 mean that this deployment has none. */
export const listRoleTemplates = operations.endpoint({
  id: 'roles.templates',
  title: 'List templates for roles (preview)',
  verb: 'check',
  path: `${base}/templates`,
  response: many(roleTemplate),
});

export type Role = v.InferOutput<typeof role>;
export type RoleMember = v.InferOutput<typeof user>;
export type Permission = v.InferOutput<typeof permission>;

/** Every operation on roles and permissions. */
export const roleEndpoints = operations.all;
