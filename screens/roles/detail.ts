import { gap, head, type Line, pair, type SubRow, subColumn, type Tab, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Detail } from '../../src/describe/screen.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { plural } from '../../src/lib/text.ts';
import { absolute, readMoment } from '../../src/lib/time.ts';
import { type WholeRole, wholeRole } from './load.ts';
import { inheritsOf, isManaged, nameOf, type PermissionRow, permissionIds, type RoleRow, userCount } from './row.ts';
import { underId } from './under.ts';

/** What Enter shows of a role. */
export const detail: Detail<RoleRow> = {
  load: wholeRole,
  inside: { get: (whole: WholeRole) => whole.row, set: (whole: WholeRole, row) => ({ ...whole, row }) },
  tabs: (row, whole: WholeRole | undefined, context) => [
    permissions(row, whole),
    members(whole),
    { kind: 'lines', id: 'role', title: 'role', lines: about(whole?.row ?? row, whole, context) },
    {
      kind: 'lines',
      id: 'raw',
      title: 'raw',
      lines: stringifyExact(whole?.row ?? row, 2)
        .split('\n')
        .map((line) => text(line)),
    },
  ],
  preview: (row, context) => [head(nameOf(row)), ...about(row, undefined, context)],
};

/** Cells of permissions by group; a group is named at its first one. */
export function permissionSubRows(all: readonly PermissionRow[]): readonly SubRow[] {
  return all.map((it, at) => ({
    id: underId({ kind: it.isDefault ? 'default' : 'permission', id: it.id, name: it.name }),
    cells: {
      group: all[at - 1]?.group === it.group ? '' : it.group || '(no group)',
      name: it.name,
      kind: it.kind,
      fixed: it.isDefault ? 'default' : '',
      about: it.title || it.about,
    },
    tones: { group: 'info', kind: it.kind === 'write' ? 'warn' : 'dim', fixed: 'dim', about: 'dim' },
  }));
}

/** Columns of permissions in a detail. */
export const permissionColumns = [
  subColumn({ id: 'group', title: 'GROUP', min: 16, share: 1, max: 32, priority: 2 }),
  subColumn({ id: 'name', title: 'PERMISSION', min: 24, share: 2, max: 48, priority: 1 }),
  subColumn({ id: 'kind', title: 'KIND', min: 6, priority: 3 }),
  subColumn({ id: 'fixed', title: 'FIXED', min: 7, priority: 1 }),
  subColumn({ id: 'about', title: 'WHAT', min: 16, share: 2, priority: 4 }),
];

/** What the role grants; what an edit on its way revokes is gone at once. */
function permissions(row: RoleRow, whole: WholeRole | undefined): Tab {
  const held = permissionIds(whole?.row ?? row);
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

function members(whole: WholeRole | undefined): Tab {
  const all = whole?.members ?? [];
  const total = whole === undefined ? undefined : userCount(whole.row);
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

function about(row: RoleRow, whole: WholeRole | undefined, context: Context): readonly Line[] {
  const moment = (it: string | null | undefined) => {
    const at = readMoment(it);
    return at === undefined ? undefined : absolute(at, context.zone);
  };
  const held = permissionIds(row);
  const users = userCount(row);
  const defaults = whole?.permissions.filter((it) => it.isDefault).length ?? 0;
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
