import { call } from '../../src/api/endpoint.ts';
import { inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listPermissions, listRoles } from '../../src/api/roles.ts';
import { type DetailLine, pair, plainColumn, section, subColumn, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { listOf } from '../../src/describe/kind-list.ts';
import type { Rows, Single } from '../../src/describe/source.ts';
import { momentPair, textColumn } from '../../src/describe/standard-columns.ts';
import { readMoment } from '../../src/lib/time-text.ts';
import { detailRowId } from './detail-row.ts';
import { isManaged, type RoleRow, roleKind, userCount } from './kind.ts';
import { isDefault, type PermissionRow, permissionAccess, permissionGroup, permissionKind } from './permissions.ts';

const { nameOf } = permissionKind;
const titleOf = (row: PermissionRow): string => row.attributes.display_name ?? '';
const descriptionOf = (row: PermissionRow): string => row.attributes.description ?? '';

/** The roles that hold a permission. No operation answers this, so all roles are read and filtered. */
function rolesHolding(permission: PermissionRow): Single<readonly RoleRow[]> {
  return {
    key: `roles that hold ${permission.id}`,
    of: ['roles'],
    *plan(context): Plan<Result<readonly RoleRow[]>, readonly RoleRow[]> {
      const holding = ({ rows }: Rows<RoleRow>) =>
        rows.filter(({ attributes }) => attributes.permissions?.includes(permission.id));
      const all = yield* inside(roleKind.load({ search: {}, range: '' }).plan(context), holding);
      return all.ok ? { ...all, value: holding(all.value) } : all;
    },
  };
}

/** The catalog of permissions; the detail shows which roles hold one. */
export const permissionList = listOf(permissionKind, {
  id: 'permissions',
  title: 'Permissions',
  // Edits do not change it, and it may be 100 kB.
  every: 300,
  columns: [
    plainColumn({
      id: 'group',
      min: 16,
      max: 32,
      priority: 2,
      text: permissionGroup,
      sort: (row) => `${permissionGroup(row).toLowerCase()}\u0000${nameOf(row)}`,
    }),
    textColumn({
      id: 'name',
      title: 'PERMISSION',
      min: 24,
      max: 48,
      priority: 1,
      text: nameOf,
    }),
    textColumn({
      id: 'kind',
      title: 'ACCESS',
      min: 6,
      priority: 3,
      text: permissionAccess,
      tone: (row) => (permissionAccess(row) === 'write' ? 'plain' : 'dim'),
    }),
    {
      id: 'fixed',
      title: 'DEFAULT',
      firsts: ['default first', 'default last'],
      min: 7,
      priority: 4,
      text: (row) => (isDefault(row) ? 'yes' : ''),
      tone: () => 'dim',
      sort: (row) => (isDefault(row) ? 0 : 1),
    },
    { id: 'title', title: 'DESCRIPTION', min: 16, flex: true, priority: 5, text: titleOf, tone: () => 'dim' },
  ],
  sorted: { by: 'group', down: false },
  words: descriptionOf,
  detail: {
    load: rolesHolding,
    sections: (row, _, context) => [section('permission', '', permissionLines(row, context))],
    tabs: (_, roles: readonly RoleRow[] | undefined, context) => [
      {
        kind: 'rows',
        id: 'roles',
        title: roles === undefined ? 'Roles' : `Roles ${roles.length}`,
        empty: roles && 'No role has it',
        columns: [
          subColumn({ id: 'name', title: 'ROLE', min: 20, flex: true, priority: 1 }),
          subColumn({ id: 'users', min: 6, align: 'right', priority: 1 }),
          subColumn({ id: 'kind', min: 8, priority: 2 }),
        ],
        rows: (roles ?? []).map((role) => ({
          id: detailRowId({ kind: 'role', id: role.id, name: roleKind.nameOf(role) }),
          cells: {
            name: roleKind.nameOf(role),
            users: String(userCount(role) ?? '?'),
            kind: isManaged(role, context) ? 'built-in' : '',
          },
          tones: { kind: 'info' },
        })),
      },
    ],
    preview: (row, context) => permissionLines(row, context),
  },
  reads: [listPermissions, listRoles],
  actions: [],
  empty: 'No permissions',
  command: () => call(listPermissions),
});

const permissionLines = (row: PermissionRow, context: Context): readonly DetailLine[] => [
  ...(titleOf(row) === '' ? [] : [textLine(titleOf(row), 'strong')]),
  ...(descriptionOf(row) === '' ? [] : [textLine(descriptionOf(row))]),
  pair('Group', permissionGroup(row)),
  pair('Access', permissionAccess(row)),
  pair('Default', isDefault(row) ? 'yes: in every role, cannot be granted or revoked' : 'no'),
  ...(row.attributes.name_aliases?.length ? [pair('Former names', row.attributes.name_aliases.join(', '))] : []),
  momentPair('Created', readMoment(row.attributes.created), context),
  pair('ID', row.id),
];
