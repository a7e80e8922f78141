import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import type { Plan } from '../../src/api/plan.ts';
import { ask } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { grantPermission, listPermissions, listRolePermissions, revokePermission } from '../../src/api/roles.ts';
import { action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Pick } from '../../src/describe/pick.ts';
import type { Rows, Source } from '../../src/describe/source.ts';
import { plural } from '../../src/lib/text.ts';
import { mayChange, type RoleRow, roleKind, withPermissions } from './kind.ts';
import { grantable, isDefault, permissionKind, permissionPick, permissionRows } from './permissions.ts';
import { underOf } from './under.ts';

const { nameOf } = roleKind;

/** All permissions that the role holds after the edit. */
type Answer = ResponseOf<typeof grantPermission>;

/** A single permission. */
export interface One {
  readonly id: string;
  readonly name: string;
}

const body = (id: string) => ({ data: { type: 'permissions' as const, id } });
const grantCall = (role: string, id: string) => call(grantPermission, { role_id: role, body: body(id) });
const revokeCall = (role: string, id: string) => call(revokePermission, { role_id: role, body: body(id) });

const named = (rows: readonly RoleRow[]): string =>
  rows.length === 1 && rows[0] ? nameOf(rows[0]) : plural(rows.length, 'role');

const values = (pick: Pick): One => ({ id: pick.id, name: pick.label });

const holds = ({ data }: Answer, id: string): boolean => permissionRows(data).some((row) => row.id === id);

/** The row with all permissions of the answer: granting one may add others (contract/roles.md 3). */
const truth = (row: RoleRow, { data }: Answer): RoleRow =>
  withPermissions(
    row,
    permissionRows(data).map(({ id }) => id),
  );

/** What an answer holds that neither was there before nor was asked for. */
function besides({ attributes }: RoleRow, { id }: One, { data }: Answer): readonly One[] {
  const before = attributes.permissions;
  if (!before) return [];
  return permissionRows(data)
    .filter((row) => !isDefault(row) && row.id !== id && !before.includes(row.id))
    .map((row) => ({ id: row.id, name: permissionKind.nameOf(row) }));
}

/** `+`: one permission more. */
export const grantAction = action({
  id: 'roles.grant',
  key: '+',
  title: 'grant',
  help: 'grant one permission; e grants and revokes several as one edit',
  uses: [listPermissions, grantPermission, revokePermission],
  enabled: mayChange,
  pick: (rows: readonly RoleRow[]) => ({
    title: `grant to ${named(rows)}`,
    first: [],
    things: true,
    load: () => grantable(rows.length === 1 && rows[0] ? (rows[0].attributes.permissions ?? []) : []),
    values,
  }),
  send: (row: RoleRow, { id }: One) => grantCall(row.id, id),
  show: (row, { id }) => withPermissions(row, [...(row.attributes.permissions ?? []), id]),
  truth,
  done(row, one, answer) {
    if (!holds(answer, one.id)) return `asked to grant ${one.name}, but ${nameOf(row)} does not hold it`;
    const more = besides(row, one, answer).map(({ name }) => name);
    return `granted ${one.name} to ${nameOf(row)}${more.length > 0 ? `; the service added ${more.join(', ')}` : ''}`;
  },
  undo(row, one, answer) {
    if (row.attributes.permissions?.includes(one.id)) return [];
    return [one, ...besides(row, one, answer)].map(({ id }) => revokeCall(row.id, id));
  },
  command: (row, { id }) => callCommand(grantCall(row.id, id)),
});

/** Permissions of a role that can be revoked. */
function revocable(row: RoleRow): Source<Pick> {
  return {
    key: `permissions of role ${row.id} to revoke`,
    of: ['roles'],
    whole: true,
    *plan(): Plan<Result<Rows<Pick>>> {
      const answer = yield* ask(call(listRolePermissions, { role_id: row.id }));
      if (!answer.ok) return answer;
      const rows = permissionRows(answer.value.data).filter((one) => !isDefault(one));
      return { ...answer, value: { rows: rows.map(permissionPick) } };
    },
  };
}

const subRowId = (context: Context) => {
  const it = underOf(context);
  return it?.kind === 'permission' || it?.kind === 'default' ? it : undefined;
};

/** `-`: one permission less: the one under the cursor, or one of those that the role holds. */
export const revokeAction = action({
  id: 'roles.revoke',
  key: '-',
  title: 'revoke',
  help: 'revoke one permission, the one under the cursor where there is one; e changes several as one edit',
  uses: [listRolePermissions, revokePermission, grantPermission],
  bulk: false,
  enabled(row: RoleRow, context) {
    const may = mayChange(row, context);
    if (may !== true) return may;
    const it = subRowId(context);
    return it?.kind === 'default' ? `${it.name} is a default permission: every role has it` : true;
  },
  values(_, context): One | undefined {
    const it = subRowId(context);
    return it && { id: it.id, name: it.name };
  },
  pick: (rows: readonly RoleRow[]) => ({
    title: `revoke from ${named(rows)}`,
    first: [],
    things: true,
    load: () => (rows[0] ? revocable(rows[0]) : grantable()),
    values,
  }),
  send: (row: RoleRow, { id }: One) => revokeCall(row.id, id),
  show: (row, { id }) =>
    withPermissions(
      row,
      (row.attributes.permissions ?? []).filter((one) => one !== id),
    ),
  truth,
  done(row, { id, name }, answer) {
    return holds(answer, id)
      ? `asked to revoke ${name}, but ${nameOf(row)} still holds it`
      : `revoked ${name} from ${nameOf(row)}`;
  },
  undo: (row, { id }, answer) => (holds(answer, id) ? [] : [grantCall(row.id, id)]),
  command: (row, { id }) => callCommand(revokeCall(row.id, id)),
});
