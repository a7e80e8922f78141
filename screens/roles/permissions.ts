import { call } from '../../src/api/endpoint.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listPermissions, type Permission } from '../../src/api/roles.ts';
import type { Pick } from '../../src/describe/pick.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import type { Rows, Single, Source } from '../../src/describe/source.ts';

/** Permissions: the catalogue does not change by edits. */
export const permissionKind = kind({
  noun: 'permission',
  of: [],
  list: () => call(listPermissions),
  name: (row) => row.attributes.name,
});

/** A permission of the catalogue; its name is what scopes and roles call it. */
export type PermissionRow = RowOf<typeof permissionKind>;

export const groupOf = (row: PermissionRow): string => row.attributes.group_name ?? '';
export const accessOf = (row: PermissionRow): string => row.attributes.display_type ?? '';

/** Every role has it, and it can be neither granted nor revoked (contract/roles.md 3). */
export const isDefault = (row: PermissionRow): boolean => row.attributes.restricted === true;

/** Permissions of an answer by group, then by name. */
export function permissionRows(told: readonly Permission[] | null | undefined): readonly PermissionRow[] {
  const place = (row: PermissionRow) => `${groupOf(row)}\u0000${permissionKind.nameOf(row)}`.toLowerCase();
  const rows = (told ?? []).flatMap((one) => permissionKind.row(one) ?? []);
  return rows.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** The catalogue may be 100 kB, so it is read when it is needed. */
export const catalogue: Single<readonly PermissionRow[]> = {
  key: 'catalogue of permissions',
  of: [],
  *plan(): Plan<Result<readonly PermissionRow[]>> {
    const answer = yield* ask(call(listPermissions));
    return answer.ok ? { ...answer, value: permissionRows(answer.value?.data) } : answer;
  },
};

/** Permissions that can be granted: the default ones cannot, every role has them. */
export function grantable(without: readonly string[] = []): Source<Pick> {
  return {
    key: `permissions to grant, without ${without.join()}`,
    of: [],
    whole: true,
    *plan(context): Plan<Result<Rows<Pick>>> {
      const all = yield* inside(catalogue.plan(context));
      if (!all.ok) return all;
      const rows = all.value.filter((row) => !isDefault(row) && !without.includes(row.id));
      return { ...all, value: { rows: rows.map(permissionPick) } };
    },
  };
}

/** A permission as lists of fields and pickers show it. */
export function permissionPick(row: PermissionRow): Pick {
  const hint = [groupOf(row), accessOf(row)].filter((word) => word !== '').join(' · ');
  return { id: row.id, label: permissionKind.nameOf(row), ...(hint === '' ? {} : { hint }) };
}
