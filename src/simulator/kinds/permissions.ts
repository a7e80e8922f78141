import type { StoredPermission, StoredRole, User } from '../server/access.ts';
import type { Org } from '../server/store.ts';
import { iso } from '../server/wire-values.ts';

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
      ...role.overrides,
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
