import { type AnswerOf, type Call, call } from '../../src/api/endpoint.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { getRole, listPermissions, listRolePermissions, updateRole } from '../../src/api/roles.ts';
import { action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import { changedOnly } from '../../src/describe/field.ts';
import type { Single } from '../../src/describe/screen.ts';
import { idIn } from '../../src/lib/loose.ts';
import { type Grants, grantsField, grantsTold, inheritsField, nameField, nobody } from './fields.ts';
import { catalogue } from './load.ts';
import {
  inheritsOf,
  mayChange,
  nameOf,
  type PermissionRow,
  permissionIds,
  type RoleRow,
  roleRow,
  told,
  withPermissions,
} from './row.ts';

type Answer = AnswerOf<typeof updateRole>;

/** What an edit form must know: the role as it is now, and every permission there is. */
interface Known {
  readonly row: RoleRow;
  readonly held: readonly string[];
  readonly all: readonly PermissionRow[];
}

function withContext(row: RoleRow): Single<Known> {
  return {
    key: `role ${row.id} to edit`,
    of: ['roles'],
    *plan(context): Plan<Result<Known>> {
      const now = yield* fresh(row);
      if (!now.ok) return now;
      const all = yield* inside(catalogue.plan(context));
      return all.ok ? { ...all, value: { ...now.value, all: all.value } } : all;
    },
  };
}

/** The role and the ids of its permissions as they are now. */
function* fresh(row: RoleRow): Plan<Result<Pick<Known, 'row' | 'held'>>> {
  const got = yield* ask(call(getRole, { role_id: row.id }));
  if (!got.ok) return got;
  const it = roleRow(got.value?.data);
  if (!it) return refusal('unreadable', `the service answered something else than role ${row.id}`);
  const told = got.unread.some((place) => place.includes('permissions')) ? undefined : permissionIds(it);
  if (told) return { ...got, value: { row: it, held: told } };
  const granted = yield* ask(call(listRolePermissions, { role_id: row.id }));
  if (!granted.ok) return granted;
  if (granted.unread.length > 0)
    return refusal('unreadable', `its permissions could not be read: ${granted.unread.slice(0, 2).join('; ')}`);
  return { ...granted, value: { row: it, held: granted.value.data.flatMap((one) => idIn(one) ?? []) } };
}

interface Edited {
  readonly answer: Answer;
  /** Ids of the permissions before, where they were changed. */
  readonly before?: readonly string[];
  /** What was asked for, defaults included. */
  readonly asked?: readonly string[];
  readonly optedOut: boolean;
}

interface Values {
  readonly name?: string | undefined;
  readonly inherits?: string[] | undefined;
  readonly permissions?: Grants | undefined;
}

/**
 * One PATCH for all of it: grants and revokes of single permissions would leave half an edit when one of them fails.
 * The set is read again just before, so that what others have granted meanwhile stays. The defaults are sent along:
 * they change nothing, and the answer can be recognised after a doubt. A role that lacks one has opted out of them,
 * which is said again (contract/roles.md 3).
 */
function* editing(row: RoleRow, values: Values): Plan<Result<Edited>> {
  const { permissions: grants } = values;
  if (!grants || grants.taken.length + grants.left.length === 0) {
    const sent = yield* ask(patch(row.id, values));
    return sent.ok ? { ...sent, value: { answer: sent.value, optedOut: false } } : sent;
  }
  const now = yield* fresh(row);
  if (!now.ok) return now;
  const before = now.value.held;
  const optedOut = grants.defaults.some((id) => !before.includes(id));
  const kept = before.filter((id) => !grants.left.includes(id));
  const asked = [...new Set([...kept, ...grants.taken])];
  const sent = yield* ask(patch(row.id, values, asked, optedOut));
  return sent.ok ? { ...sent, value: { answer: sent.value, before, asked, optedOut } } : sent;
}

function patch(id: string, { name, inherits }: Values, permissions?: readonly string[], optedOut = false) {
  return call(updateRole, {
    role_id: id,
    body: {
      data: {
        id,
        type: 'roles',
        attributes: {
          ...(name === undefined ? {} : { name }),
          ...(inherits === undefined ? {} : { receives_permissions_from: inherits }),
          ...(optedOut ? { default_permissions_opt_out: true } : {}),
        },
        ...(permissions ? { relationships: { permissions: relation(permissions) } } : {}),
      },
    },
  });
}

const relation = (ids: readonly string[]) => ({ data: ids.map((id) => ({ type: 'permissions' as const, id })) });

/** The set as it would be after the difference; nothing where it is not known what it is. */
function laid(row: RoleRow, grants: Grants | undefined): RoleRow {
  const now = permissionIds(row);
  if (!grants || !now) return row;
  return withPermissions(row, [...new Set([...now.filter((id) => !grants.left.includes(id)), ...grants.taken])]);
}

/** `e`: name, inheritance and permissions as one edit. */
export const editAction = action({
  id: 'roles.edit',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'name, inheritance and permissions as one edit; the difference is shown before it is sent',
  uses: [getRole, listRolePermissions, listPermissions, updateRole],
  bulk: false,
  reviews: true,
  enabled: mayChange,
  needs: withContext,
  form: (_: RoleRow, context, known: Known) => ({
    name: changedOnly(nameField(known.row.attributes.name)),
    inherits: changedOnly(inheritsField(inheritsOf(known.row), context)),
    permissions: grantsField(known.held, known.all),
  }),
  send: (row, values) => editing(row, values),
  show: (row, { name, inherits, permissions }) => {
    const attributes = {
      ...row.attributes,
      ...(name === undefined ? {} : { name }),
      ...(inherits === undefined ? {} : { receives_permissions_from: inherits }),
    };
    return laid({ ...row, attributes }, permissions);
  },
  truth: (row, answer) => told(row, (answer as Edited).answer),
  done(row, values, answer) {
    const { answer: it, asked } = answer as Edited;
    const now = told(row, it);
    const held = permissionIds({ relationships: it?.data?.relationships });
    const grants = asked && values.permissions ? `: ${grantsTold(asked, values.permissions, held)}` : '';
    const from = values.inherits === undefined ? '' : `, inherits from ${inheritsOf(now).join(', ') || nobody}`;
    const named = values.name === undefined ? '' : ` (was ${nameOf(row)})`;
    return `saved ${nameOf(now)}${named}${from}${grants}`;
  },
  undo(row, values, answer): readonly Call[] {
    const { before, optedOut } = answer as Edited;
    const was = {
      ...(values.name === undefined ? {} : { name: row.attributes.name ?? '' }),
      ...(values.inherits === undefined ? {} : { inherits: [...inheritsOf(row)] }),
    };
    return [patch(row.id, was, before, optedOut)];
  },
  command: (row, values) =>
    callCommand(patch(row.id, values, values.permissions && (permissionIds(laid(row, values.permissions)) ?? []))),
});
