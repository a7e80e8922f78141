import { call } from '../../src/api/endpoint.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listPermissions, type Permission } from '../../src/api/roles.ts';
import type { Pick } from '../../src/describe/pick.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import type { Rows, Single, Source } from '../../src/describe/source.ts';

/** Permissions. Edits do not change the catalog. */
export const permissionKind = kind({
  noun: 'permission',
  of: [],
  list: () => call(listPermissions),
  name: (row) => row.attributes.name,
});

/** A permission of the catalog. Its name is what scopes hold. */
export type PermissionRow = RowOf<typeof permissionKind>;

/** The group that a permission belongs to, for example `Dashboards`; empty for none. */
export const permissionGroup = (row: PermissionRow): string => row.attributes.group_name ?? '';
/** `read`, `write` or another word of the service. */
export const permissionAccess = (row: PermissionRow): string => row.attributes.display_type ?? '';

/** Whether every role has the permission, so that it can be neither granted nor revoked (docs/contract/roles.md#default-permissions). */
export const isDefault = (row: PermissionRow): boolean => row.attributes.restricted === true;

/** The permissions of an answer, sorted by group, then by name. */
export function permissionRows(answered: readonly Permission[] | null | undefined): readonly PermissionRow[] {
  const sortKey = (row: PermissionRow) => `${permissionGroup(row)}\u0000${permissionKind.nameOf(row)}`.toLowerCase();
  const rows = (answered ?? []).flatMap((permission) => permissionKind.row(permission) ?? []);
  return rows.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

/** The catalog of permissions. It may be 100 kB, so it is read only when needed. */
export const catalog: Single<readonly PermissionRow[]> = {
  key: 'catalog of permissions',
  of: [],
  *plan(): Plan<Result<readonly PermissionRow[]>> {
    const answer = yield* ask(call(listPermissions));
    return answer.ok ? { ...answer, value: permissionRows(answer.value?.data) } : answer;
  },
};

/** The permissions that can be granted to a role that has `held`: all others but the defaults, which every role has. */
export const grantable = (held: readonly string[] = []): Source<Pick> =>
  permissionPicks(`permissions to grant, without ${held.join()}`, (row) => !isDefault(row) && !held.includes(row.id));

/** The permissions that a new role can have. Defaults are among them: a role that omits the defaults may want one. */
export const permissionsOfNew = (): Source<Pick> => permissionPicks('permissions of a new role', () => true);

const permissionPicks = (key: string, isOffered: (row: PermissionRow) => boolean): Source<Pick> => ({
  key,
  of: [],
  whole: true,
  *plan(context): Plan<Result<Rows<Pick>>> {
    const all = yield* inside(catalog.plan(context));
    return all.ok ? { ...all, value: { rows: all.value.filter(isOffered).map(permissionPick) } } : all;
  },
});

/** A permission as fields and pickers list it. */
export function permissionPick(row: PermissionRow): Pick {
  const marks = [permissionGroup(row), permissionAccess(row), isDefault(row) ? 'default' : ''];
  const hint = marks.filter((word) => word !== '').join(' · ');
  return { id: row.id, label: permissionKind.nameOf(row), ...(hint === '' ? {} : { hint }) };
}
