import { getRole, listRolePermissions, listRoles, listRoleUsers } from '../src/api/roles.ts';
import { type Column, plainColumn } from '../src/describe/column.ts';
import { textField } from '../src/describe/field.ts';
import { listOf } from '../src/describe/kind-list.ts';
import type { Screen } from '../src/describe/screen.ts';
import { ageColumn, amountColumn, textColumn } from '../src/describe/standard-columns.ts';
import { readMoment } from '../src/lib/time-text.ts';
import { detail } from './roles/detail.ts';
import { cloneAction, comparable, deleteAction, editAction, newAction } from './roles/edit.ts';
import { grantAction, revokeAction } from './roles/grant.ts';
import { inheritedRoles, isManaged, keptRole, type RoleRow, roleKind, userCount } from './roles/kind.ts';
import { addAction, removeAction } from './roles/members.ts';
import { permissionList } from './roles/permission-list.ts';
import { templateList } from './roles/templates.ts';

const { nameOf } = roleKind;

/** Columns of roles. */
const columns: readonly Column<RoleRow>[] = [
  textColumn({
    id: 'name',
    min: 18,
    flex: true,
    priority: 1,
    text: nameOf,
    tone: (row, context) => (isManaged(row, context) ? 'info' : 'plain'),
  }),
  amountColumn({
    id: 'users',
    min: 6,
    priority: 1,
    tone: (row) => (userCount(row) === 0 ? 'dim' : 'plain'),
    amount: userCount,
  }),
  amountColumn({
    id: 'permissions',
    title: 'PERMS',
    called: 'permissions',
    min: 6,
    priority: 3,
    amount: (row) => row.attributes.permissions?.length,
  }),
  textColumn({
    id: 'inherits',
    min: 12,
    max: 30,
    priority: 4,
    text: (row) => inheritedRoles(row).join(', '),
    tone: () => 'dim',
  }),
  plainColumn({
    id: 'kind',
    firsts: ['built-in first', 'built-in last'],
    min: 8,
    priority: 2,
    text: (row, context) => (isManaged(row, context) ? 'built-in' : ''),
    tone: () => 'info',
    sort: (row, context) => (isManaged(row, context) ? 0 : 1),
  }),
  ageColumn({ id: 'changed', title: 'UPDATED', min: 8, priority: 5 }, (row) => readMoment(row.attributes.modified_at)),
  ageColumn({ id: 'created', min: 8, priority: 6 }, (row) => readMoment(row.attributes.created_at)),
];

/** Roles, which grant permissions to users (docs/contract/roles.md). */
export const roleList = listOf(roleKind, {
  id: 'roles',
  title: 'Roles',
  output: () =>
    roleKind.output({
      more: [
        {
          name: 'permissions',
          type: 'list of texts',
          says: 'ids of its permissions',
          value: (row) => row.attributes.permissions,
        },
      ],
    }),
  columns,
  sorted: { by: 'name', down: false },
  search: {
    form: (search) => ({ filter: textField('Name contains', search.filter, { placeholder: 'engineers' }) }),
    initial: { filter: '' },
    says: (search) => (search.filter?.trim() ? `"${search.filter.trim()}"` : ''),
  },
  words: (row, context) => (isManaged(row, context) ? 'built-in managed' : ''),
  reads: [listRoles, getRole, listRolePermissions, listRoleUsers],
  detail,
  comparable,
  actions: [editAction, addAction, newAction, removeAction, grantAction, revokeAction, cloneAction, deleteAction],
  kept: keptRole,
  empty: 'No roles. n: new role, s: search',
});

/** Screen 4. */
export const roles: Screen = { id: 'roles', title: 'Roles', key: '4', lists: [roleList, permissionList, templateList] };
