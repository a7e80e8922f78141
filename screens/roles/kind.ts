import * as v from 'valibot';
import { call } from '../../src/api/endpoint.ts';
import { managedRoles } from '../../src/api/envelope.ts';
import { deleteRole, getRole, listRoles, type Role, role } from '../../src/api/roles.ts';
import { keptResource } from '../../src/describe/kept-resource.ts';
import { searchReadsAll } from '../../src/describe/read-pages.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { roleNamed, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';
import { idIn, toAmount } from '../../src/lib/unchecked-values.ts';
import type { PermissionRow } from './permissions.ts';

/** What a row of roles has besides the resource of the answer. */
interface RoleExtra {
  readonly attributes: NonNullable<Role['attributes']> & {
    /** Ids of its permissions, sorted; undefined where the answer does not hold them. */
    readonly permissions?: readonly string[] | undefined;
    /** Part of requests; no answer holds it. */
    readonly default_permissions_opt_out?: boolean | undefined;
  };
  /** The catalog of permissions, where a form has read it. */
  readonly catalog?: readonly PermissionRow[];
}

/** Roles. Their names are neither unique nor stable. */
export const roleKind = kind({
  noun: 'role',
  of: ['roles'],
  pages({ search }) {
    const filter = search.filter?.trim() ?? '';
    return call(listRoles, { query: { sort: 'name', ...(filter !== '' && { filter }) } });
  },
  beyond: searchReadsAll,
  get: (id) => call(getRole, { role_id: id }),
  remove: (id) => call(deleteRole, { role_id: id }),
  extra({ attributes, relationships }: Role): RoleExtra {
    const permissions = relationships?.permissions?.data?.flatMap((permission) => idIn(permission) ?? []).toSorted();
    return { attributes: { ...attributes, permissions } };
  },
  name: (row) => row.attributes.name,
});

/** A row of the list of roles. */
export type RoleRow = RowOf<typeof roleKind>;

/** Schema of a kept row. */
export const keptRole: v.GenericSchema<unknown, RoleRow> = v.object({
  ...keptResource(role).entries,
  attributes: v.looseObject({
    ...role.entries.attributes.wrapped.entries,
    permissions: v.optional(v.array(v.string())),
    default_permissions_opt_out: v.optional(v.boolean()),
  }),
});

/** The row with these permissions instead of its own. */
export const withPermissions = (row: RoleRow, ids: readonly string[]): RoleRow => ({
  ...row,
  attributes: { ...row.attributes, permissions: [...new Set(ids)].toSorted() },
});

/** The number of users of a role; undefined where the answer does not hold one. */
export const userCount = (row: RoleRow): number | undefined => toAmount(row.attributes.user_count);

/** Names of the roles whose later permissions this role receives too. */
export const inheritedRoles = (row: RoleRow): readonly string[] => row.attributes.receives_permissions_from ?? [];

/** Whether the role is built in; by its name where the answer does not say (docs/contract/roles.md#role). */
export function isManaged(row: RoleRow, context: VocabularyContext): boolean {
  const { managed, name } = row.attributes;
  return managed ?? managedRoles.some((role) => roleNamed(role, context) === name);
}

/** True, or why the role cannot be changed. Its users can always be changed. */
export function mayChangeRole(row: RoleRow, context: VocabularyContext): true | string {
  return isManaged(row, context) ? 'built-in role; a copy of it can be edited' : true;
}
