import { ask, call, type Plan, type ResponseOf } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { grantPermission, listPermissions, listRolePermissions, revokePermission } from '../../src/api/roles.ts';
import { action } from '../../src/describe/action.ts';
import type { Context, Rows, Source } from '../../src/describe/context.ts';
import type { Pick } from '../../src/describe/picks.ts';
import { ignored, namePart, receipt, receiptSubject } from '../../src/describe/receipt.ts';
import {
  grantable,
  isDefault,
  mayChangeRole,
  permissionKind,
  permissionPick,
  permissionRows,
  permissionsOfNew,
  type RoleRow,
  roleKind,
  selectedDetailRow,
  withPermissions,
} from './kind.ts';

const { nameOf } = roleKind;

/** An answer holds all permissions of the role after the edit. */
type Answer = ResponseOf<typeof grantPermission>;

/** The permission to grant or revoke. */
export interface PermissionValue {
  readonly id: string;
  readonly name: string;
}

const body = (id: string) => ({ data: { type: 'permissions' as const, id } });
const grantCall = (role: string, id: string) => call(grantPermission, { role_id: role, body: body(id) });
const revokeCall = (role: string, id: string) => call(revokePermission, { role_id: role, body: body(id) });

const valuesOf = (pick: Pick): PermissionValue => ({ id: pick.id, name: pick.label });

const holds = ({ data }: Answer, id: string): boolean => permissionRows(data).some((row) => row.id === id);

/** The row with the permissions of the answer: granting one may add others (docs/contract/roles.md#default-permissions). */
const truth = (row: RoleRow, { data }: Answer): RoleRow =>
  withPermissions(
    row,
    permissionRows(data).map(({ id }) => id),
  );

/** The permissions that the service added besides the one that was granted. */
function addedByService(
  { attributes }: RoleRow,
  { id }: PermissionValue,
  { data }: Answer,
): readonly PermissionValue[] {
  const before = attributes.permissions;
  if (!before) return [];
  return permissionRows(data)
    .filter((row) => !isDefault(row) && row.id !== id && !before.includes(row.id))
    .map((row) => ({ id: row.id, name: permissionKind.nameOf(row) }));
}

/** `a` on a permission: grants one more. */
export const grantAction = action({
  id: 'roles.grant',
  key: 'a',
  onLine: (context) => selectedPermission(context)?.name,
  title: 'grant',
  preposition: 'to',
  line: { asks: 'pick', noun: 'permission', among: permissionsOfNew },
  help: 'Grant one permission; e grants and revokes several at once',
  brief: 'Grant permissions',
  uses: [listPermissions, grantPermission, revokePermission],
  enabled: mayChangeRole,
  already: ({ attributes }, _, values) =>
    values && attributes.permissions?.includes(values.id) ? `already has ${values.name}` : undefined,
  pick: (rows: readonly RoleRow[]) => ({
    title: `Grant to ${receiptSubject(rows, nameOf, 'role')}`,
    first: [],
    things: true,
    load: () => grantable(rows.length === 1 && rows[0] ? (rows[0].attributes.permissions ?? []) : []),
    values: valuesOf,
  }),
  send: (row: RoleRow, { id }: PermissionValue) => grantCall(row.id, id),
  show: (row, { id }) => withPermissions(row, [...(row.attributes.permissions ?? []), id]),
  truth,
  done(row, permission, answer) {
    if (!holds(answer, permission.id))
      return ignored(receipt`NOT GRANTED: ${namePart(nameOf(row))} does not have ${permission.name}`);
    const added = addedByService(row, permission, answer).map(({ name }) => name);
    return receipt`Granted ${permission.name} to ${namePart(nameOf(row))}${added.length > 0 ? `; the service added ${added.join(', ')}` : ''}`;
  },
  undo(row, permission, answer) {
    if (row.attributes.permissions?.includes(permission.id)) return [];
    return [permission, ...addedByService(row, permission, answer)].map(({ id }) => revokeCall(row.id, id));
  },
  command: (row, { id }) => grantCall(row.id, id),
});

/** The permissions of a role that can be revoked: all but the defaults. */
function revocable(row: RoleRow): Source<Pick> {
  return {
    key: `permissions of role ${row.id} to revoke`,
    of: ['roles'],
    whole: true,
    *plan(): Plan<Result<Rows<Pick>>> {
      const answer = yield* ask(call(listRolePermissions, { role_id: row.id }));
      if (!answer.ok) return answer;
      const rows = permissionRows(answer.value.data).filter((permission) => !isDefault(permission));
      return { ...answer, value: { rows: rows.map(permissionPick) } };
    },
  };
}

/** The permission under the cursor of a detail. */
const selectedPermission = (context: Context) => {
  const selected = selectedDetailRow(context);
  return selected?.kind === 'permission' || selected?.kind === 'default' ? selected : undefined;
};

/** `d` on a permission: revokes the permission under the cursor, or one chosen among those that the role holds. */
export const revokeAction = action({
  id: 'roles.revoke',
  key: 'd',
  onLine: (context) => selectedPermission(context)?.name,
  title: 'revoke',
  preposition: 'from',
  line: { asks: 'pick', noun: 'permission', among: permissionsOfNew },
  help: 'Revoke one permission; in the detail, the selected one. e grants and revokes several at once',
  brief: 'Revoke permissions',
  uses: [listRolePermissions, revokePermission, grantPermission],
  bulk: false,
  enabled(row: RoleRow, context) {
    const may = mayChangeRole(row, context);
    if (may !== true) return may;
    const selected = selectedPermission(context);
    return selected?.kind === 'default' ? `${selected.name} is a default permission: every role has it` : true;
  },
  already: ({ attributes }, _, values) =>
    values && attributes.permissions?.includes(values.id) === false ? `does not have ${values.name}` : undefined,
  values(_, context): PermissionValue | undefined {
    const selected = selectedPermission(context);
    return selected && { id: selected.id, name: selected.name };
  },
  pick: (rows: readonly RoleRow[]) => ({
    title: `Revoke from ${receiptSubject(rows, nameOf, 'role')}`,
    first: [],
    things: true,
    load: () => (rows[0] ? revocable(rows[0]) : grantable()),
    values: valuesOf,
  }),
  send: (row: RoleRow, { id }: PermissionValue) => revokeCall(row.id, id),
  show: (row, { id }) =>
    withPermissions(
      row,
      (row.attributes.permissions ?? []).filter((held) => held !== id),
    ),
  truth,
  done(row, { id, name }, answer) {
    return holds(answer, id)
      ? ignored(receipt`NOT REVOKED: ${namePart(nameOf(row))} still has ${name}`)
      : receipt`Revoked ${name} from ${namePart(nameOf(row))}`;
  },
  undo: (row, { id }, answer) => (holds(answer, id) ? [] : [grantCall(row.id, id)]),
  command: (row, { id }) => revokeCall(row.id, id),
});
