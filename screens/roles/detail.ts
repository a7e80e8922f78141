import { call } from '../../src/api/endpoint.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listRolePermissions } from '../../src/api/roles.ts';
import { gap, head, type Line, pair, type SubRow, subColumn, type Tab, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { detailOf } from '../../src/describe/detail.ts';
import type { Rows } from '../../src/describe/source.ts';
import { absolute, readMoment } from '../../src/lib/moment.ts';
import { plural } from '../../src/lib/text.ts';
import { inheritsOf, isManaged, type RoleRow, roleKind, userCount } from './kind.ts';
import { type Member, membersOf } from './members.ts';
import { accessOf, groupOf, isDefault, type PermissionRow, permissionKind, permissionRows } from './permissions.ts';
import { underId } from './under.ts';

const { nameOf } = roleKind;

/** What a detail reads besides the role. */
interface More {
  readonly permissions: readonly PermissionRow[];
  readonly members: readonly Member[];
  /** What could not be read, and that there are more users than are shown: sentences. */
  readonly notes: readonly string[];
}

/** What it grants and who has it; what goes wrong is a note. */
function* grantsAndMembers(row: RoleRow): Plan<Result<More>, More> {
  const granted = yield* ask(call(listRolePermissions, { role_id: row.id }));
  const permissions = granted.ok ? permissionRows(granted.value?.data) : [];
  const notes = [
    ...row.unread.slice(0, 2).map((place) => `could not be read: ${place}`),
    ...(granted.ok ? [] : [`its permissions could not be read: ${granted.problem.text}`]),
  ];
  const more = (users: Rows<Member>): More => ({
    permissions,
    members: users.rows,
    notes: [...notes, ...(users.notes ?? [])],
  });
  const users = yield* inside(membersOf(row.id), more);
  const failed = users.ok ? [] : [`its users could not be read: ${users.problem.text}`];
  return { ok: true, status: 200, unread: [], value: more(users.ok ? users.value : { rows: [], notes: failed }) };
}

/** What Enter shows of a role. */
export const detail = detailOf(roleKind, {
  more: { of: ['users'], read: grantsAndMembers },
  tabs: (row, more: More | undefined, context) => [
    permissions(row, more),
    members(row, more),
    { kind: 'lines', id: 'role', title: 'role', lines: about(row, more, context) },
  ],
  preview: (row, context) => [head(nameOf(row)), ...about(row, undefined, context)],
});

/** Cells of permissions by group; a group is named at its first one. */
function permissionSubRows(all: readonly PermissionRow[]): readonly SubRow[] {
  return all.map((it, at) => ({
    id: underId({ kind: isDefault(it) ? 'default' : 'permission', id: it.id, name: permissionKind.nameOf(it) }),
    cells: {
      group: at > 0 && groupOf(all[at - 1] ?? it) === groupOf(it) ? '' : groupOf(it) || '(no group)',
      name: permissionKind.nameOf(it),
      kind: accessOf(it),
      fixed: isDefault(it) ? 'default' : '',
      about: it.attributes.display_name || (it.attributes.description ?? ''),
    },
    tones: { group: 'info', kind: accessOf(it) === 'write' ? 'warn' : 'dim', fixed: 'dim', about: 'dim' },
  }));
}

/** Columns of permissions in a detail. */
const permissionColumns = [
  subColumn({ id: 'group', title: 'GROUP', min: 16, share: 1, max: 32, priority: 2 }),
  subColumn({ id: 'name', title: 'PERMISSION', min: 24, share: 2, max: 48, priority: 1 }),
  subColumn({ id: 'kind', title: 'KIND', min: 6, priority: 3 }),
  subColumn({ id: 'fixed', title: 'FIXED', min: 7, priority: 1 }),
  subColumn({ id: 'about', title: 'WHAT', min: 16, share: 2, priority: 4 }),
];

/** What the role grants; what an edit on its way revokes is gone at once. */
function permissions(row: RoleRow, whole: More | undefined): Tab {
  const held = row.attributes.permissions;
  const known = whole?.permissions ?? [];
  const rows = permissionSubRows(held ? known.filter((it) => held.includes(it.id)) : known);
  const count = held?.length ?? known.length;
  return {
    kind: 'rows',
    id: 'permissions',
    title: count === 0 ? 'permissions' : `permissions ${count}`,
    empty: whole === undefined ? 'reading' : (whole.notes[0] ?? 'it grants nothing'),
    columns: permissionColumns,
    rows,
  };
}

function members(row: RoleRow, whole: More | undefined): Tab {
  const all = whole?.members ?? [];
  const total = whole === undefined ? undefined : userCount(row);
  const isPart = total !== undefined && total > all.length;
  return {
    kind: 'rows',
    id: 'users',
    title: isPart ? `users ${all.length} of ${total}` : all.length === 0 ? 'users' : `users ${all.length}`,
    empty: whole === undefined ? 'reading' : (whole.notes[0] ?? 'nobody has it: a gives it to somebody'),
    columns: [
      subColumn({ id: 'name', title: 'NAME', min: 16, share: 2, max: 40, priority: 1 }),
      subColumn({ id: 'email', title: 'E-MAIL', min: 20, share: 2, max: 48, priority: 2 }),
      subColumn({ id: 'status', title: 'STATUS', min: 8, priority: 3 }),
      subColumn({ id: 'others', title: 'OTHER ROLES', min: 16, share: 2, priority: 4 }),
    ],
    rows: all.map((it) => ({
      id: underId({ kind: 'user', id: it.id, name: it.name }),
      cells: {
        name: it.name,
        email: it.email === it.name ? '' : it.email,
        status: it.status.toLowerCase(),
        others: it.others.join(', '),
      },
      tones: { status: it.status === 'Active' ? 'good' : it.status === 'Pending' ? 'info' : 'warn', others: 'dim' },
    })),
  };
}

function about(row: RoleRow, whole: More | undefined, context: Context): readonly Line[] {
  const moment = (it: string | null | undefined) => {
    const at = readMoment(it);
    return at === undefined ? undefined : absolute(at, context.zone);
  };
  const held = row.attributes.permissions;
  const users = userCount(row);
  const defaults = whole?.permissions.filter(isDefault).length ?? 0;
  return [
    isManaged(row, context)
      ? text('built in: it cannot be changed or deleted, c makes a copy', 'info')
      : text('made here'),
    pair('users', users === undefined ? undefined : users === 0 ? 'nobody' : plural(users, 'user')),
    pair(
      'permissions',
      held && `${held.length}${defaults > 0 ? `, ${defaults} of them defaults that every role has` : ''}`,
    ),
    pair('inherits', inheritsOf(row).length === 0 ? 'from no role' : `what ${inheritsOf(row).join(', ')} gains later`),
    pair('created', moment(row.attributes.created_at)),
    pair('changed', moment(row.attributes.modified_at)),
    pair('id', row.id),
    ...(whole === undefined || whole.notes.length === 0 ? [] : [gap, ...whole.notes.map((it) => text(it, 'warn'))]),
  ];
}
