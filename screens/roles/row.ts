import { managedRoles } from '../../src/api/envelope.ts';
import type { Permission, Role } from '../../src/api/roles.ts';
import { roleNamed, type Speaking } from '../../src/describe/naming.ts';
import { field, idIn, items } from '../../src/lib/loose.ts';

type Attributes = NonNullable<Role['attributes']>;

/** A role, with its attributes and relationships as they were read. Its name is neither unique nor stable. */
export interface RoleRow {
  readonly id: string;
  readonly attributes: Attributes;
  readonly relationships?: Role['relationships'];
}

/** A row from an object of an answer; undefined without an id. */
export function roleRow(it: Role | null | undefined): RoleRow | undefined {
  const id = idIn(it);
  if (id === undefined || !it) return undefined;
  return { id, attributes: it.attributes ?? {}, relationships: it.relationships };
}

/** Its name, else its id. */
export function nameOf(row: RoleRow): string {
  return row.attributes.name?.trim() ? row.attributes.name : `role ${row.id}`;
}

/** Ids of the permissions that it holds; undefined when they were not told. */
export function permissionIds(row: Pick<RoleRow, 'relationships'>): readonly string[] | undefined {
  const data = row.relationships?.permissions?.data;
  return data == null ? undefined : data.flatMap((it) => idIn(it) ?? []);
}

/** The row with other permissions. */
export function withPermissions(row: RoleRow, ids: readonly string[]): RoleRow {
  const data = ids.map((id) => ({ type: 'permissions', id }));
  return { ...row, relationships: { ...row.relationships, permissions: { data } } };
}

/** How many users have it; undefined when it was not told. */
export function userCount(row: RoleRow): number | undefined {
  const count = row.attributes.user_count;
  return count == null ? undefined : Number(count);
}

/** The row with another count of users. */
export function withUsers(row: RoleRow, count: number | undefined): RoleRow {
  return count === undefined ? row : { ...row, attributes: { ...row.attributes, user_count: count } };
}

/** Names of the roles whose later additions come to it too. */
export const inheritsOf = (row: RoleRow): readonly string[] => row.attributes.receives_permissions_from ?? [];

/** Whether it came with the organisation. Where nothing is said, its name tells (contract/roles.md 1). */
export function isManaged(row: RoleRow, context: Speaking): boolean {
  const { managed, name } = row.attributes;
  return managed ?? managedRoles.some((it) => roleNamed(it, context) === name);
}

/** True, or why the role itself cannot be changed; who has it can be. */
export function mayChange(row: RoleRow, context: Speaking): true | string {
  return isManaged(row, context) ? 'built in: it cannot be changed, c makes a copy that can' : true;
}

/** The row that the answer of an edit tells; such answers do not count users (contract/roles.md 1). */
export function told(row: RoleRow, answer: unknown): RoleRow {
  const it = roleRow(field(answer, 'data') as Role | undefined);
  if (!it) return row;
  const attributes = { ...row.attributes, ...it.attributes, user_count: row.attributes.user_count };
  return { ...row, attributes, relationships: it.relationships ?? row.relationships };
}

/** A permission of the catalogue, as far as screens show it. */
export interface PermissionRow {
  readonly id: string;
  /** What scopes and roles call it. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  /** Every role has it, and it can be neither granted nor revoked (contract/roles.md 3). */
  readonly isDefault: boolean;
  readonly title: string;
  readonly about: string;
}

/** Permissions of an answer by group, then by name. */
export function permissionRows(answer: unknown): readonly PermissionRow[] {
  const rows = (items(field(answer, 'data')) as readonly Permission[]).flatMap((it): PermissionRow[] => {
    const id = idIn(it);
    if (id === undefined) return [];
    const { name, display_name, group_name, display_type, restricted, description } = it.attributes ?? {};
    return [
      {
        id,
        name: name?.trim() ? name : `permission ${id}`,
        group: group_name ?? '',
        kind: display_type ?? '',
        isDefault: restricted === true,
        title: display_name ?? '',
        about: description ?? '',
      },
    ];
  });
  const key = (it: PermissionRow) => `${it.group.toLowerCase()}\u0000${it.name.toLowerCase()}`;
  return rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
