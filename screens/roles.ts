import { call } from '../src/api/endpoint.ts';
import { getRole, listRolePermissions, listRoles, listRoleUsers } from '../src/api/roles.ts';
import { callCommand } from '../src/describe/command.ts';
import { list, type Screen } from '../src/describe/screen.ts';
import { permissionList, templateList } from './roles/catalogue.ts';
import { columns } from './roles/columns.ts';
import { detail } from './roles/detail.ts';
import { editAction } from './roles/edit.ts';
import { grantAction, revokeAction } from './roles/grant.ts';
import { loadRoles, search } from './roles/load.ts';
import { cloneAction, newAction } from './roles/make.ts';
import { addAction, removeAction } from './roles/members.ts';
import { deleteAction } from './roles/remove.ts';
import { inheritsOf, isManaged, nameOf, permissionIds, type RoleRow } from './roles/row.ts';

/** Who may do what, through which role (spec: roles; contract/roles.md). */
export const roleList = list<RoleRow>({
  id: 'roles',
  title: 'Roles',
  load: loadRoles,
  idOf: (row) => row.id,
  nameOf,
  columns,
  sorted: { by: 'name', down: false },
  search,
  words: (row, context) => (isManaged(row, context) ? 'built-in managed' : ''),
  reads: [listRoles, getRole, listRolePermissions, listRoleUsers],
  detail,
  comparable: (row) => ({
    name: row.attributes.name,
    inherits: inheritsOf(row),
    permissions: permissionIds(row)?.toSorted(),
  }),
  actions: [editAction, addAction, newAction, removeAction, grantAction, revokeAction, cloneAction, deleteAction],
  empty: 'no roles: nobody may do anything, or the search finds none',
  command: (row) => callCommand(call(getRole, { role_id: row.id })),
});

/** Screen 4. */
export const roles: Screen = { id: 'roles', title: 'Roles', key: '4', lists: [roleList, permissionList, templateList] };
