import { ask, call, mayNotRead, type Plan, type ResponseOf } from '../../src/api/endpoint.ts';
import { isWholeItem } from '../../src/api/paging.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
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

/** All permissions of the role after the edit, and the ids of those before it; undefined where not all could be read. */
interface Answer {
  readonly data: ResponseOf<typeof grantPermission>['data'];
  /** Whether `data` lacks some that could not be read. */
  readonly isPart: boolean;
  readonly had: readonly string[] | undefined;
}

/** The permission to grant or revoke. */
interface PermissionValue {
  readonly id: string;
  readonly name: string;
}

const body = (id: string) => ({ data: { type: 'permissions' as const, id } });
const grantCall = (role: string, id: string) => call(grantPermission, { role_id: role, body: body(id) });
const revokeCall = (role: string, id: string) => call(revokePermission, { role_id: role, body: body(id) });

/**
 * Reads what the role has, then sends the edit unless it `wants` what is so already: a list may be old or without permissions, and
 * the service answers alike whether or not it changed anything. Keys that may not read may still edit.
 */
function* changing(role: string, id: string, edit: typeof grantCall, wants: boolean): Plan<Result<Answer>> {
  const before = yield* ask(call(listRolePermissions, { role_id: role }));
  if (!before.ok && !mayNotRead(before.problem)) return before;
  const had = before.ok && !isPart(before) ? idsOf(before.value) : undefined;
  if (before.ok && had?.includes(id) === wants) return toResult({ data: before.value.data, isPart: false, had });
  const sent = yield* ask(edit(role, id));
  return sent.ok ? { ...sent, value: { data: sent.value.data, isPart: isPart(sent), had } } : sent;
}

const isPart = ({ unread }: { readonly unread: readonly string[] }): boolean => unread.some(isWholeItem);

const valuesOf = (pick: Pick): PermissionValue => ({ id: pick.id, name: pick.label });

const idsOf = ({ data }: { readonly data: Answer['data'] }): readonly string[] =>
  permissionRows(data).map((row) => row.id);
/** Whether the role has it after the edit; undefined where the answer may only lack it. */
const holds = (answer: Answer, id: string): boolean | undefined =>
  idsOf(answer).includes(id) || (answer.isPart ? undefined : false);

/** The row with the permissions of the answer: granting one may add others (docs/contract/roles.md#default-permissions). */
const truth = (row: RoleRow, answer: Answer): RoleRow => withPermissions(row, idsOf(answer));

/** The permissions that the service added besides the one that was granted. */
function addedByService({ id }: PermissionValue, { data, had }: Answer): readonly PermissionValue[] {
  return permissionRows(data)
    .filter((row) => had && !isDefault(row) && row.id !== id && !had.includes(row.id))
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
  uses: [listPermissions, listRolePermissions, grantPermission, revokePermission],
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
  send: (row: RoleRow, { id }: PermissionValue) => changing(row.id, id, grantCall, true),
  show: (row, { id }) => withPermissions(row, [...(row.attributes.permissions ?? []), id]),
  truth,
  done(row, permission, answer) {
    if (holds(answer, permission.id) === false)
      return ignored(receipt`NOT GRANTED: ${namePart(nameOf(row))} does not have ${permission.name}`);
    if (answer.had?.includes(permission.id)) return receipt`${namePart(nameOf(row))} already had ${permission.name}`;
    const added = addedByService(permission, answer).map(({ name }) => name);
    return receipt`Granted ${permission.name} to ${namePart(nameOf(row))}${added.length > 0 ? `; the service added ${added.join(', ')}` : ''}`;
  },
  undo(row, permission, answer) {
    const isNew = answer.had?.includes(permission.id) === false && holds(answer, permission.id) !== false;
    return isNew ? [permission, ...addedByService(permission, answer)].map(({ id }) => revokeCall(row.id, id)) : [];
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
  send: (row: RoleRow, { id }: PermissionValue) => changing(row.id, id, revokeCall, false),
  show: (row, { id }) =>
    withPermissions(
      row,
      (row.attributes.permissions ?? []).filter((held) => held !== id),
    ),
  truth,
  done(row, { id, name }, answer) {
    if (answer.had?.includes(id) === false) return receipt`${namePart(nameOf(row))} did not have ${name}`;
    return holds(answer, id)
      ? ignored(receipt`NOT REVOKED: ${namePart(nameOf(row))} still has ${name}`)
      : receipt`Revoked ${name} from ${namePart(nameOf(row))}`;
  },
  undo: (row, { id }, answer) => (answer.had?.includes(id) && !holds(answer, id) ? [grantCall(row.id, id)] : []),
  command: (row, { id }) => revokeCall(row.id, id),
});
