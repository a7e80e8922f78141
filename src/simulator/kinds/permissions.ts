import { iso } from '../server/answer.ts';
import type { Org, Permission, Role, User } from '../server/store.ts';

/** Permissions that every active user holds without a role that says so; the catalogue does not list them (contract/roles.md 2). */
export const implicit: ReadonlySet<string> = new Set(['user_access_read']);

/** Whether a word is the name of a permission: only these can be scopes. */
export const isPermission = (org: Org, name: string): boolean => org.permissions.has(name) || implicit.has(name);

/** What granting a permission grants besides (contract/roles.md 3). */
export const implied: Readonly<Record<string, readonly string[]>> = { admin: ['standard', 'org_management'] };

/** Names of every permission that a role gives: granted, default and inherited ones, in the order of the catalogue. */
export function permissionsOf(org: Org, role: Role): string[] {
  const { inherits } = role;
  const source = inherits && [...org.roles.values()].find((it) => it.managed && it.name === inherits.name);
  const gained = new Set(source ? [...source.permissions].filter((name) => !inherits.had.has(name)) : []);
  return [...org.permissions.values()]
    .filter((it) => role.permissions.has(it.name) || gained.has(it.name) || (it.restricted && !role.optedOut))
    .map((it) => it.name);
}

/** Names of every permission that a person's roles add up to, in the order of the catalogue. */
export function permissionsOfUser(org: Org, user: User): string[] {
  const held = new Set(user.roles.flatMap((id) => roleNames(org, id)));
  return [...org.permissions.keys()].filter((name) => held.has(name));
}

const roleNames = (org: Org, id: string): string[] => {
  const role = org.roles.get(id);
  return role ? permissionsOf(org, role) : [];
};

/** Whether a user has admin rights. */
export function isAdmin(org: Org, user: User): boolean {
  return !user.disabled && user.roles.some((id) => org.roles.get(id)?.permissions.has('admin'));
}

/** The permission with this id. */
export const permissionById = (org: Org, id: string): Permission | undefined =>
  [...org.permissions.values()].find((it) => it.id === id);

/** A permission as answers show it. */
export const showPermission = (it: Permission): unknown => ({
  type: 'permissions',
  id: it.id,
  attributes: {
    name: it.name,
    display_name: it.display,
    description: it.description,
    created: iso(it.created),
    group_name: it.group,
    display_type: it.kind,
    restricted: it.restricted,
    name_aliases: [],
  },
});

/** Some permissions by name, as answers show them. */
export const showPermissions = (org: Org, names: readonly string[]): unknown[] =>
  names.flatMap((name) => {
    const it = org.permissions.get(name);
    return it ? [showPermission(it)] : [];
  });

/** A role as answers show it; inside `included`, and right after it was made, it has no count of users. */
export function showRole(org: Org, it: Role, counted = false): Record<string, unknown> {
  return {
    type: 'roles',
    id: it.id,
    attributes: {
      name: it.name,
      created_at: iso(it.created),
      modified_at: iso(it.modified),
      ...(counted ? { user_count: usersOf(org, it.id).length } : {}),
      ...(it.managed ? { managed: true } : {}),
      ...(it.inherits ? { receives_permissions_from: [it.inherits.name] } : {}),
      ...it.overrides,
    },
    relationships: {
      permissions: {
        data: permissionsOf(org, it).map((name) => ({ type: 'permissions', id: org.permissions.get(name)?.id })),
      },
    },
  };
}

/** Everybody who has a role. */
export const usersOf = (org: Org, role: string): User[] =>
  [...org.users.values()].filter((user) => user.roles.includes(role));

/** The roles of some people, each once. */
export const rolesOf = (org: Org, users: readonly User[]): Role[] =>
  [...new Set(users.flatMap((user) => user.roles))].flatMap((id) => org.roles.get(id) ?? []);
