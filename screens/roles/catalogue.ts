import { call } from '../../src/api/endpoint.ts';
import { inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listPermissions, listRoles } from '../../src/api/roles.ts';
import { head, pair, subColumn, text } from '../../src/describe/column.ts';
import { callCommand } from '../../src/describe/command.ts';
import { list } from '../../src/describe/screen.ts';
import type { Rows, Single } from '../../src/describe/source.ts';
import { isManaged, type RoleRow, roleKind, userCount } from './kind.ts';
import { accessOf, groupOf, isDefault, type PermissionRow, permissionKind } from './permissions.ts';
import { underId } from './under.ts';

const { nameOf } = permissionKind;
const titleOf = (row: PermissionRow): string => row.attributes.display_name ?? '';
const aboutOf = (row: PermissionRow): string => row.attributes.description ?? '';

/** Roles that hold a permission: no operation tells, so every role is read and looked through. */
function holders(permission: PermissionRow): Single<readonly RoleRow[]> {
  return {
    key: `roles that hold ${permission.id}`,
    of: ['roles'],
    *plan(context): Plan<Result<readonly RoleRow[]>, readonly RoleRow[]> {
      const held = ({ rows }: Rows<RoleRow>) =>
        rows.filter(({ attributes }) => attributes.permissions?.includes(permission.id));
      const all = yield* inside(roleKind.load({ search: {}, range: '' }).plan(context), held);
      return all.ok ? { ...all, value: held(all.value) } : all;
    },
  };
}

/** Every permission there is, and which roles hold it. */
export const permissionList = list<PermissionRow>({
  id: 'permissions',
  title: 'Permissions',
  load: permissionKind.load,
  // It does not change by edits, and may be 100 kB.
  every: 300,
  idOf: (row) => row.id,
  nameOf,
  columns: [
    {
      id: 'group',
      title: 'GROUP',
      min: 16,
      share: 1,
      max: 32,
      priority: 2,
      text: groupOf,
      tone: () => 'info',
      sort: (row) => `${groupOf(row).toLowerCase()}\u0000${nameOf(row)}`,
    },
    {
      id: 'name',
      title: 'PERMISSION',
      min: 24,
      share: 2,
      max: 48,
      priority: 1,
      text: nameOf,
      sort: nameOf,
    },
    {
      id: 'kind',
      title: 'KIND',
      min: 6,
      priority: 3,
      text: accessOf,
      tone: (row) => (accessOf(row) === 'write' ? 'warn' : 'dim'),
      sort: accessOf,
    },
    {
      id: 'fixed',
      title: 'FIXED',
      min: 7,
      priority: 4,
      text: (row) => (isDefault(row) ? 'default' : ''),
      tone: () => 'dim',
      sort: (row) => (isDefault(row) ? 0 : 1),
    },
    { id: 'title', title: 'WHAT', min: 16, share: 2, priority: 5, text: titleOf, tone: () => 'dim' },
  ],
  sorted: { by: 'group', down: false },
  words: aboutOf,
  detail: {
    load: holders,
    tabs: (row, roles: readonly RoleRow[] | undefined, context) => [
      {
        kind: 'rows',
        id: 'roles',
        title: roles === undefined ? 'roles' : `roles ${roles.length}`,
        empty: roles === undefined ? 'reading' : 'no role holds it',
        columns: [
          subColumn({ id: 'name', title: 'ROLE', min: 20, share: 2, priority: 1 }),
          subColumn({ id: 'users', title: 'USERS', min: 6, align: 'right', priority: 1 }),
          subColumn({ id: 'kind', title: 'KIND', min: 8, priority: 2 }),
        ],
        rows: (roles ?? []).map((it) => ({
          id: underId({ kind: 'role', id: it.id, name: roleKind.nameOf(it) }),
          cells: {
            name: roleKind.nameOf(it),
            users: String(userCount(it) ?? '?'),
            kind: isManaged(it, context) ? 'built-in' : '',
          },
          tones: { kind: 'info' },
        })),
      },
      { kind: 'lines', id: 'permission', title: 'permission', lines: aboutPermission(row) },
    ],
    preview: (row) => [head(nameOf(row)), ...aboutPermission(row)],
  },
  reads: [listPermissions, listRoles],
  actions: [],
  empty: 'no permissions: the service tells none',
  command: () => callCommand(call(listPermissions)),
});

const aboutPermission = (row: PermissionRow) => [
  ...(titleOf(row) === '' ? [] : [text(titleOf(row), 'strong')]),
  ...(aboutOf(row) === '' ? [] : [text(aboutOf(row))]),
  pair('group', groupOf(row)),
  pair('kind', accessOf(row)),
  pair('fixed', isDefault(row) ? 'a default: every role has it, it is neither granted nor revoked' : 'no'),
  pair('id', row.id),
];
