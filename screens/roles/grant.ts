import { call } from '../../src/api/endpoint.ts';
import type { Plan } from '../../src/api/plan.ts';
import { ask } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { grantPermission, listPermissions, listRolePermissions, revokePermission } from '../../src/api/roles.ts';
import { type Action, action, type Pick } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Rows, Source } from '../../src/describe/screen.ts';
import { plural } from '../../src/lib/text.ts';
import { grantable, permissionPick } from './load.ts';
import { mayChange, nameOf, permissionIds, permissionRows, type RoleRow, withPermissions } from './row.ts';
import { underOf } from './under.ts';

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

/** The row with all permissions of the answer: granting one may add others (contract/roles.md 3). */
const truth = (row: RoleRow, answer: unknown): RoleRow =>
  withPermissions(
    row,
    permissionRows(answer).map((it) => it.id),
  );

/** What an answer holds that neither was there before nor was asked for. */
function besides(row: RoleRow, { id }: One, answer: unknown) {
  const before = permissionIds(row);
  if (!before) return [];
  return permissionRows(answer).filter((it) => !it.isDefault && it.id !== id && !before.includes(it.id));
}

/** `+`: one permission more. */
export const grantAction: Action<RoleRow, One> = action<RoleRow, One>({
  id: 'roles.grant',
  key: '+',
  title: 'grant',
  help: 'grant one permission; e grants and revokes several as one edit',
  uses: [listPermissions, grantPermission, revokePermission],
  enabled: mayChange,
  pick: (rows) => ({
    title: `grant to ${named(rows)}`,
    first: [],
    things: true,
    load: () => grantable(rows.length === 1 && rows[0] ? (permissionIds(rows[0]) ?? []) : []),
    values,
  }),
  send: (row, { id }) => grantCall(row.id, id),
  show: (row, { id }) => withPermissions(row, [...new Set([...(permissionIds(row) ?? []), id])]),
  truth,
  done(row, one, answer) {
    const after = permissionRows(answer);
    if (!after.some((it) => it.id === one.id)) return `asked to grant ${one.name}, but ${nameOf(row)} does not hold it`;
    const more = besides(row, one, answer).map((it) => it.name);
    return `granted ${one.name} to ${nameOf(row)}${more.length > 0 ? `; the service added ${more.join(', ')}` : ''}`;
  },
  undo(row, one, answer) {
    if (permissionIds(row)?.includes(one.id)) return [];
    return [one, ...besides(row, one, answer)].map((it) => revokeCall(row.id, it.id));
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
      const rows = permissionRows(answer.value).filter((it) => !it.isDefault);
      return { ...answer, value: { rows: rows.map(permissionPick) } };
    },
  };
}

const subRowId = (context: Context) => {
  const it = underOf(context);
  return it?.kind === 'permission' || it?.kind === 'default' ? it : undefined;
};

/** `-`: one permission less: the one under the cursor, or one of those that the role holds. */
export const revokeAction: Action<RoleRow, One> = action<RoleRow, One>({
  id: 'roles.revoke',
  key: '-',
  title: 'revoke',
  help: 'revoke one permission, the one under the cursor where there is one; e changes several as one edit',
  uses: [listRolePermissions, revokePermission, grantPermission],
  bulk: false,
  enabled(row, context) {
    const may = mayChange(row, context);
    if (may !== true) return may;
    const it = subRowId(context);
    return it?.kind === 'default' ? `${it.name} is a default permission: every role has it` : true;
  },
  values(_, context) {
    const it = subRowId(context);
    return it && { id: it.id, name: it.name };
  },
  pick: (rows) => ({
    title: `revoke from ${named(rows)}`,
    first: [],
    things: true,
    load: () => (rows[0] ? revocable(rows[0]) : grantable()),
    values,
  }),
  send: (row, { id }) => revokeCall(row.id, id),
  show: (row, { id }) =>
    withPermissions(
      row,
      (permissionIds(row) ?? []).filter((it) => it !== id),
    ),
  truth,
  done(row, { id, name }, answer) {
    const stays = permissionRows(answer).some((it) => it.id === id);
    return stays ? `asked to revoke ${name}, but ${nameOf(row)} still holds it` : `revoked ${name} from ${nameOf(row)}`;
  },
  undo: (row, { id }, answer) => (permissionRows(answer).some((it) => it.id === id) ? [] : [grantCall(row.id, id)]),
  command: (row, { id }) => callCommand(revokeCall(row.id, id)),
});
