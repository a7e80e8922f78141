import { call } from '../../src/api/endpoint.ts';
import { managedRoles } from '../../src/api/envelope.ts';
import { deleteRole, getRole, listRoles, type Role } from '../../src/api/roles.ts';
import { pageSize } from '../../src/describe/read-pages.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { roleNamed, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';
import { idIn } from '../../src/lib/unchecked.ts';
import type { PermissionRow } from './permissions.ts';

/** What a role has besides what is told with its id. */
interface Extra {
  readonly attributes: NonNullable<Role['attributes']> & {
    /** Ids of the permissions that it holds, sorted; undefined when they were not told. */
    readonly permissions?: readonly string[] | undefined;
    /** Said with permissions that are sent, never told. */
    readonly default_permissions_opt_out?: boolean | undefined;
  };
  /** Every permission there is, where it was read for a form. */
  readonly catalogue?: readonly PermissionRow[];
}

/** Roles. Their names are neither unique nor stable. */
export const roleKind = kind({
  noun: 'role',
  of: ['roles'],
  page(number, { search }) {
    const filter = search.filter?.trim() ?? '';
    const page = { 'page[size]': pageSize, 'page[number]': number, sort: 'name' } as const;
    return call(listRoles, { query: filter === '' ? page : { ...page, filter } });
  },
  beyond: 's searches by name',
  get: (id) => call(getRole, { role_id: id }),
  remove: (id) => call(deleteRole, { role_id: id }),
  extra({ attributes, relationships }: Role): Extra {
    const permissions = relationships?.permissions?.data?.flatMap((one) => idIn(one) ?? []).toSorted();
    return { attributes: { ...attributes, permissions } };
  },
  name: (row) => row.attributes.name,
});

export type RoleRow = RowOf<typeof roleKind>;

/** The row with other permissions. */
export const withPermissions = (row: RoleRow, ids: readonly string[]): RoleRow => ({
  ...row,
  attributes: { ...row.attributes, permissions: [...new Set(ids)].toSorted() },
});

/** How many users have it; undefined when it was not told. */
export function userCount(row: RoleRow): number | undefined {
  const count = row.attributes.user_count;
  return count == null ? undefined : Number(count);
}

/** Names of the roles whose later additions come to it too. */
export const inheritsOf = (row: RoleRow): readonly string[] => row.attributes.receives_permissions_from ?? [];

/** Whether it came with the organisation. Where nothing is said, its name tells (contract/roles.md 1). */
export function isManaged(row: RoleRow, context: VocabularyContext): boolean {
  const { managed, name } = row.attributes;
  return managed ?? managedRoles.some((it) => roleNamed(it, context) === name);
}

/** True, or why the role itself cannot be changed; who has it can be. */
export function mayChange(row: RoleRow, context: VocabularyContext): true | string {
  return isManaged(row, context) ? 'built in: it cannot be changed, c makes a copy that can' : true;
}
