import { ask, call, inside, type Plan } from '../../src/api/endpoint.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { listPermissions, listRolePermissions, listRoles } from '../../src/api/roles.ts';
import {
  type DetailLine,
  gap,
  momentPair,
  pair,
  plainColumn,
  type SubRow,
  section,
  subColumn,
  type Tab,
  textColumn,
  textLine,
} from '../../src/describe/column.ts';
import type { Context, Rows, Single } from '../../src/describe/context.ts';
import { detailOf, listOf } from '../../src/describe/list-detail.ts';
import { missingNotes } from '../../src/describe/resource-spec.ts';
import { plural } from '../../src/lib/text.ts';
import { readMoment } from '../../src/lib/time.ts';
import {
  detailRowId,
  inheritedRoles,
  isDefault,
  isManaged,
  type PermissionRow,
  permissionAccess,
  permissionGroup,
  permissionKind,
  permissionRows,
  type RoleRow,
  roleKind,
  userCount,
} from './kind.ts';
import { type Member, readMembers } from './members.ts';

/** What the detail of a role reads besides the role. */
interface RoleDetail {
  readonly permissions: readonly PermissionRow[];
  readonly members: readonly Member[];
  /** Sentences on each: what could not be read, and that only some of the users are shown. */
  readonly notes: { readonly permissions: readonly string[]; readonly users: readonly string[] };
}

/** Reads the permissions and the users of a role; what cannot be read becomes a note. */
function* readGrantsAndMembers(row: RoleRow): Plan<Result<RoleDetail>, RoleDetail> {
  const granted = yield* ask(call(listRolePermissions, { role_id: row.id }));
  const permissions = granted.ok ? permissionRows(granted.value?.data) : [];
  const notes = [
    ...row.unread.slice(0, 2).map((place) => `could not be read: ${place}`),
    ...missingNotes('permissions', granted),
  ];
  const withUsers = (users: Rows<Member>): RoleDetail => ({
    permissions,
    members: users.rows,
    notes: { permissions: notes, users: users.notes ?? [] },
  });
  const users = yield* inside(readMembers(row.id), withUsers);
  return toResult(withUsers(users.ok ? users.value : { rows: [], notes: missingNotes('users', users) }));
}

/** What Enter shows of a role. */
export const detail = detailOf(roleKind, {
  more: { of: ['users'], read: readGrantsAndMembers },
  sections: (row, more: RoleDetail | undefined, context) => [
    section('role', '', overview(row, more, context)),
    section('users', 'Users', userLines(row, more)),
    section('permissions', 'Permissions', permissionLines(row, more)),
  ],
  tabs: (row, more: RoleDetail | undefined) => [permissionsTab(row, more), membersTab(row, more)],
  preview: (row, context) => overview(row, undefined, context),
});

const shownUsers = 20;

function userLines(row: RoleRow, more: RoleDetail | undefined): readonly DetailLine[] {
  if (!more || more.members.length === 0) return [];
  const names = more.members.slice(0, shownUsers).map(({ name }) => name);
  const others = Math.max(userCount(row) ?? 0, more.members.length) - names.length;
  return [textLine(`${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`)];
}

/** The permissions of a role, a line for each group. */
function permissionLines(row: RoleRow, more: RoleDetail | undefined): readonly DetailLine[] {
  const groups = Map.groupBy(heldOf(row, more), (permission) => permissionGroup(permission) || '(no group)');
  return [...groups].map(([group, held]) => pair(group, held.map(permissionKind.nameOf).join(', ')));
}

/** The permissions of the role; those that a pending edit revokes are left out at once. */
function heldOf(row: RoleRow, more: RoleDetail | undefined): readonly PermissionRow[] {
  const held = row.attributes.permissions;
  const known = more?.permissions ?? [];
  return held ? known.filter((permission) => held.includes(permission.id)) : known;
}

/** Permissions as sub-rows, by group; only the first of a group shows its name. */
function permissionSubRows(permissions: readonly PermissionRow[]): readonly SubRow[] {
  return permissions.map((permission, index) => ({
    id: detailRowId({
      kind: isDefault(permission) ? 'default' : 'permission',
      id: permission.id,
      name: permissionKind.nameOf(permission),
    }),
    cells: {
      group:
        index > 0 && permissionGroup(permissions[index - 1] ?? permission) === permissionGroup(permission)
          ? ''
          : permissionGroup(permission) || '(no group)',
      name: permissionKind.nameOf(permission),
      kind: permissionAccess(permission),
      fixed: isDefault(permission) ? 'yes' : '',
      about: permission.attributes.display_name || (permission.attributes.description ?? ''),
    },
    tones: { kind: permissionAccess(permission) === 'write' ? 'plain' : 'dim', fixed: 'dim', about: 'dim' },
  }));
}

/** Columns of permissions in a detail. */
const permissionColumns = [
  subColumn({ id: 'group', min: 16, max: 32, priority: 2 }),
  subColumn({ id: 'name', title: 'PERMISSION', min: 24, max: 48, priority: 1 }),
  subColumn({ id: 'kind', title: 'ACCESS', min: 6, priority: 3 }),
  subColumn({ id: 'fixed', title: 'DEFAULT', min: 7, priority: 1 }),
  subColumn({ id: 'about', title: 'DESCRIPTION', min: 16, flex: true, priority: 4 }),
];

function permissionsTab(row: RoleRow, more: RoleDetail | undefined): Tab {
  const rows = permissionSubRows(heldOf(row, more));
  const count = row.attributes.permissions?.length ?? rows.length;
  return {
    kind: 'rows',
    id: 'permissions',
    title: count === 0 ? 'Permissions' : `Permissions ${count}`,
    empty: more && (more.notes.permissions[0] ?? 'No permissions'),
    columns: permissionColumns,
    rows,
  };
}

function membersTab(row: RoleRow, more: RoleDetail | undefined): Tab {
  const all = more?.members ?? [];
  const total = more === undefined ? undefined : userCount(row);
  const isPart = total !== undefined && total > all.length;
  return {
    kind: 'rows',
    id: 'users',
    title: isPart ? `Users ${all.length} of ${total}` : all.length === 0 ? 'Users' : `Users ${all.length}`,
    empty: more && (more.notes.users[0] ?? 'No users. a: add one'),
    columns: [
      subColumn({ id: 'name', min: 16, max: 40, priority: 1 }),
      subColumn({ id: 'email', min: 20, max: 48, priority: 2 }),
      subColumn({ id: 'status', min: 8, priority: 3 }),
      subColumn({ id: 'others', title: 'OTHER ROLES', min: 16, flex: true, priority: 4 }),
    ],
    rows: all.map((member) => ({
      id: detailRowId({ kind: 'user', id: member.id, name: member.name }),
      cells: {
        name: member.name,
        email: member.email === member.name ? '' : member.email,
        status: member.status.toLowerCase(),
        others: member.others.join(', '),
      },
      tones: {
        status: member.status === 'Active' ? 'good' : member.status === 'Pending' ? 'info' : 'warn',
        others: 'dim',
      },
    })),
  };
}

function overview(row: RoleRow, more: RoleDetail | undefined, context: Context): readonly DetailLine[] {
  const held = row.attributes.permissions;
  const users = userCount(row);
  const defaults = more?.permissions.filter(isDefault).length ?? 0;
  const notes = more ? [...more.notes.permissions, ...more.notes.users] : [];
  return [
    isManaged(row, context)
      ? textLine('Built-in role: cannot be edited or deleted. c: copy', 'info')
      : textLine('Custom role'),
    pair('Users', users === 0 ? 'None' : users),
    pair('Permissions', held && `${held.length}${defaults > 0 ? ` (${defaults} default, in every role)` : ''}`),
    pair(
      'Inherits from',
      inheritedRoles(row).length === 0 ? 'None' : `${inheritedRoles(row).join(', ')} (later additions)`,
    ),
    momentPair('Created', readMoment(row.attributes.created_at), context),
    momentPair('Updated', readMoment(row.attributes.modified_at), context),
    pair('ID', row.id),
    ...(notes.length === 0 ? [] : [gap, ...notes.map((note) => textLine(note, 'warn'))]),
  ];
}

const { nameOf } = permissionKind;
const titleOf = (row: PermissionRow): string => row.attributes.display_name ?? '';
const descriptionOf = (row: PermissionRow): string => row.attributes.description ?? '';

/** The roles that hold a permission, and why there may be more. */
interface Holding {
  readonly roles: readonly RoleRow[];
  readonly lacks?: string | undefined;
}

/** No operation answers which roles hold a permission, so all roles are read and filtered. */
function rolesHolding(permission: PermissionRow): Single<Holding> {
  return {
    key: `roles that hold ${permission.id}`,
    of: ['roles'],
    *plan(context): Plan<Result<Holding>, Holding> {
      const holding = ({ rows, missing = [] }: Rows<RoleRow>): Holding => {
        const untold = rows.filter(({ attributes }) => !attributes.permissions).length;
        return {
          roles: rows.filter(({ attributes }) => attributes.permissions?.includes(permission.id)),
          lacks: untold > 0 ? `permissions of ${plural(untold, 'role')} were not sent` : missing[0],
        };
      };
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
    sections: (row, { lacks }: Partial<Holding> = {}, context) => [
      section('permission', '', [
        ...permissionFacts(row, context),
        ...(lacks === undefined ? [] : [textLine(`More roles may have it: ${lacks}`, 'warn')]),
      ]),
    ],
    tabs: (_, { roles, lacks }: Partial<Holding> = {}, context) => [
      {
        kind: 'rows',
        id: 'roles',
        title: roles === undefined ? 'Roles' : `Roles ${roles.length}${lacks === undefined ? '' : '+'}`,
        empty: roles && (lacks === undefined ? 'No role has it' : `Unknown: ${lacks}`),
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
    preview: (row, context) => permissionFacts(row, context),
  },
  reads: [listPermissions, listRoles],
  actions: [],
  empty: 'No permissions',
  command: () => call(listPermissions),
});

const permissionFacts = (row: PermissionRow, context: Context): readonly DetailLine[] => [
  ...(titleOf(row) === '' ? [] : [textLine(titleOf(row), 'strong')]),
  ...(descriptionOf(row) === '' ? [] : [textLine(descriptionOf(row))]),
  pair('Group', permissionGroup(row)),
  pair('Access', permissionAccess(row)),
  pair('Default', isDefault(row) ? 'yes: in every role, cannot be granted or revoked' : 'no'),
  ...(row.attributes.name_aliases?.length ? [pair('Former names', row.attributes.name_aliases.join(', '))] : []),
  momentPair('Created', readMoment(row.attributes.created), context),
  pair('ID', row.id),
];
