import { type AttributesOf, ask, call, inside, type Plan } from '../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import {
  addRoleUser,
  cloneRole,
  createRole,
  getRole,
  listPermissions,
  listRolePermissions,
  listRoleUsers,
  updateRole,
} from '../../src/api/roles.ts';
import type { Context } from '../../src/describe/context.ts';
import { checksField, textField, toggleField } from '../../src/describe/field.ts';
import { namePart, type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import { changedOnly, defineSettings, differenceText } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { deleting, type Made, making } from '../../src/describe/standard-actions.ts';
import { plural } from '../../src/lib/text.ts';
import { idIn, isSameJson } from '../../src/lib/values.ts';
import {
  catalog,
  grantsField,
  grantsReceipt,
  inheritedRoles,
  inheritsField,
  isDefault,
  mayChangeRole,
  noRole,
  permissionsOfNew,
  type RoleRow,
  roleKind,
  userCount,
  withPermissions,
} from './kind.ts';
import { addUserCall, memberIds } from './members.ts';

const { nameOf } = roleKind;

/** Reads the role again. Where the answer does not hold all of its permissions, they are read separately. */
function* fresh(row: RoleRow): Plan<Result<RoleRow>> {
  const now = yield* roleKind.fresh(row);
  const isAbout = (place: string) => place.includes('permissions');
  if (!now.ok || (now.value.attributes.permissions && !now.unread.some(isAbout))) return now;
  const granted = yield* ask(call(listRolePermissions, { role_id: row.id }));
  const ids = granted.ok ? granted.value.data.flatMap((permission) => idIn(permission) ?? []) : [];
  const missing = granted.ok ? granted.unread : [granted.problem.text];
  const unread = [
    ...now.value.unread.filter((place) => !isAbout(place)),
    ...missing.map((place) => `permissions: ${place}`),
  ];
  return { ...now, value: { ...withPermissions(now.value, ids), unread } };
}

/** Reads the role again with the catalog of permissions, for its form. */
function* withCatalog(row: RoleRow, context: Context): Plan<Result<RoleRow>> {
  const now = yield* fresh(row);
  if (!now.ok) return now;
  const missing = now.value.unread.filter((place) => place.startsWith('permissions: '));
  if (missing.length > 0) return problemResult('unreadable', `its ${missing.slice(0, 2).join('; ')}`);
  const all = yield* inside(catalog.plan(context));
  return all.ok ? { ...all, value: { ...now.value, catalog: all.value } } : all;
}

const setting = defineSettings(roleKind);

/** What a person can set. */
const settings = {
  name: setting('name', 'name', (now) => textField('Name', now, { required: true })),
  inherits: setting(
    'inheritance',
    'receives_permissions_from',
    (now, _, context) => inheritsField(now ?? [], context),
    { untold: [], omit: 'new' },
  ),
  permissions: setting('permissions', 'permissions', (now, row) => grantsField(now ?? [], row?.catalog ?? []), {
    has: (row) => row !== undefined,
    put: ({ taken, left }, now) =>
      Array.isArray(now) ? [...new Set([...now.filter((id) => !left.includes(id)), ...taken])].toSorted() : now,
  }),
  chosen: setting(
    'permissions',
    'permissions',
    () => ({
      ...checksField('Permissions', [], () => permissionsOfNew(), {
        hint: 'Enter opens the list; default permissions are always included',
      }),
      flag: 'permissions',
    }),
    { has: 'new', untold: [], omit: 'new' },
  ),
  withoutDefaults: setting(
    'default permissions',
    'default_permissions_opt_out',
    () => toggleField('Omit default permissions', false, 'Yes: the role gets exactly the permissions selected here'),
    { has: 'new', untold: false, omit: 'new' },
  ),
};

/** The permissions of a request: always the whole set. */
interface PermissionIds {
  readonly permissions?: readonly string[];
}

const permissionRelationship = (ids: readonly string[]) => ({
  relationships: { permissions: { data: ids.map((id) => ({ type: 'permissions' as const, id })) } },
});

/**
 * An edit is one PATCH: single grants and revokes could fail halfway. The default permissions are sent too: they change
 * nothing, and after an unclear answer the set that was sent can be compared with the set that is read back.
 */
const edits = editing({
  kind: { ...roleKind, fresh },
  settings,
  uses: [listRolePermissions, listPermissions, updateRole],
  own: ['created_at', 'modified_at', 'managed', 'user_count'],
  enabled: mayChangeRole,
  whole: (row) => ({ key: `role ${row.id} to edit`, of: ['roles'], plan: (context) => withCatalog(row, context) }),
  // A role without a default permission has opted out of them; every update must say so again
  // (docs/contract/roles.md#default-permissions).
  tidy(attributes, { permissions: grants }, before) {
    const held = before?.permissions;
    if (!grants || !held || isSameJson(held, attributes.permissions)) return attributes;
    const optedOut = grants.defaults.some((id) => !held.includes(id) || grants.left.includes(id));
    return { ...attributes, default_permissions_opt_out: optedOut || undefined };
  },
  patch: (
    id,
    {
      permissions,
      default_permissions_opt_out: optOut,
      ...attributes
    }: AttributesOf<typeof updateRole> & PermissionIds,
  ) =>
    call(updateRole, {
      role_id: id,
      body: {
        data: {
          id,
          type: 'roles',
          // Undo removes the opt-out from the attributes; the request still states it.
          attributes: { ...attributes, ...(optOut === undefined ? {} : { default_permissions_opt_out: true }) },
          ...(permissions ? permissionRelationship(permissions) : {}),
        },
      },
    }),
});

export const { comparable } = edits;

/** `e`: name, inheritance and permissions as one edit. */
export const editAction = edits.edit({
  id: 'roles.edit',
  help: 'Edit name, inheritance and permissions; shows the differences before saving',
  // Answers to edits do not hold the number of users (docs/contract/roles.md#role).
  truth(row, { asked, now = asked }) {
    const { permissions = asked.attributes.permissions } = now.attributes;
    return { ...row, attributes: { ...now.attributes, permissions, user_count: row.attributes.user_count } };
  },
  done(_, { permissions, inherits }, { before, asked: requested, now }, context) {
    const old = nameOf(before);
    const name = nameOf(now ?? requested);
    const grants =
      permissions && now
        ? receipt`: ${grantsReceipt(requested.attributes.permissions ?? [], permissions, now.attributes.permissions)}`
        : '';
    const from =
      inherits === undefined ? '' : `, inherits from ${inheritedRoles(now ?? requested).join(', ') || noRole}`;
    const was = old === name ? '' : receipt` (was ${namePart(old)})`;
    return receipt`Saved ${namePart(name)}${was}${from}${grants}${reportedElse(before, requested, now, context)}`;
  },
});

/** What a receipt adds where the service reports another name or inheritance than was asked for; permissions are told apart. */
function reportedElse(before: RoleRow | undefined, asked: RoleRow, now: RoleRow | undefined, context: Context) {
  const { name, inherits } = settings;
  const difference = differenceText({ kind: roleKind, settings: { name, inherits } }, before, asked, now, context);
  return difference && warning(receipt`${difference}`);
}

/** `created Night watch with 11 permissions; no users yet` */
function createReceipt(verb: string, { asked, now }: Made<RoleRow>, context: Context): Receipt {
  const held = now?.attributes.permissions;
  const missing = (asked.attributes.permissions ?? []).filter((id) => held?.includes(id) === false).length;
  const lacks = missing && warning(receipt`; NOT granted: ${missing} of those selected`);
  return receipt`${verb} ${namePart(nameOf(now ?? asked))}${held ? ` with ${plural(held.length, 'permission')}` : ''}; no users yet${lacks || ''}${reportedElse(undefined, asked, now, context)}`;
}

const createCall = ({ permissions, ...attributes }: AttributesOf<typeof createRole> & PermissionIds) =>
  call(createRole, {
    body: {
      data: {
        type: 'roles',
        attributes,
        ...(permissions || attributes.default_permissions_opt_out ? permissionRelationship(permissions ?? []) : {}),
      },
    },
  });

/** Creates a role as it was; one without a default permission has opted out of them. */
function createAgain({ attributes, catalog: all = [] }: RoleRow) {
  const { name = '', receives_permissions_from: from, permissions = [] } = attributes;
  const optedOut = all.some((one) => isDefault(one) && !permissions.includes(one.id));
  return createCall({
    name: name ?? '',
    ...(from?.length ? { receives_permissions_from: from } : {}),
    ...(optedOut ? { default_permissions_opt_out: true } : {}),
    permissions,
  });
}

/** `n`: a new role. */
export const newAction = edits.make({
  id: 'roles.create',
  help: 'Create a role and choose its permissions; a adds users',
  brief: 'Create a role with its permissions',
  uses: [createRole, listPermissions],
  create: createCall,
  done: (_, __, answer, context) => createReceipt('Created', answer, context),
});

/** What a template proposes. */
export interface TemplateRow {
  readonly id: string;
  readonly attributes: { readonly name?: string | null | undefined; readonly description?: string | null | undefined };
}

/** `n` on a template: no operation creates a role from a template, so its name becomes the name of an ordinary new role. */
export const fromTemplateAction = edits.make({
  id: 'role-templates.create',
  on: 'row',
  main: true,
  bulk: false,
  title: 'new role',
  help: 'Create a role named like the template (preview); you choose its permissions, the template lists none',
  uses: [createRole, listPermissions],
  starts: ({ attributes }: TemplateRow) => ({ name: attributes.name?.trim() }),
  create: createCall,
  makesKind: 'roles',
  done: (_, __, answer, context) => receipt`${createReceipt('Created', answer, context)}; it is among the roles`,
});

const { omit: _, ...inherits } = settings.inherits;

/** The form of a copy has fewer settings than that of a new role; the service copies an unchanged inheritance. */
const copying = making({
  kind: roleKind,
  settings: {
    name: settings.name,
    inherits: { ...inherits, field: (...at: Parameters<typeof inherits.field>) => changedOnly(inherits.field(...at)) },
  },
});

/** `c`: a copy with the permissions and without the users; built-in roles can be copied. */
export const cloneAction = copying({
  id: 'roles.clone',
  key: 'c',
  title: 'copy',
  on: 'row',
  bulk: false,
  help: 'Copy the role and its permissions, not its users; a copy of a built-in role can be edited',
  uses: [cloneRole],
  starts: (row: RoleRow) => ({ name: `${nameOf(row)} copy`, receives_permissions_from: [...inheritedRoles(row)] }),
  create: (attributes: AttributesOf<typeof cloneRole>, _values, row) =>
    call(cloneRole, { role_id: row.id, body: { data: { type: 'roles', attributes } } }),
  done: (_, __, answer, context) => createReceipt('Copied to', answer, context),
});

/** A sentence: how many users lose the roles. */
function lossText(rows: readonly RoleRow[]): string {
  const counts = rows.map(userCount);
  if (counts.includes(undefined)) return 'Number of users unknown';
  const sum = counts.reduce((all: number, count) => all + (count ?? 0), 0);
  const lost = rows.length === 1 ? 'it' : 'them (counted once for each role)';
  return sum === 0 ? 'No users' : `${plural(sum, 'user')} ${sum === 1 ? 'loses' : 'lose'} ${lost}`;
}

/** `d`: its users lose the role, so its name is typed first. */
export const deleteAction = deleting({
  id: 'roles.delete',
  kind: roleKind,
  help: 'Delete the role; its users lose it',
  enabled: (row, context) => mayChangeRole(row, context) === true || 'built-in role',
  details: (_, rows) => [
    lossText(rows),
    `Mappings to ${rows.length === 1 ? 'it and its' : 'them and their'} archive readers are deleted too`,
  ],
  restore: {
    *read(row, context) {
      const now = yield* withCatalog(row, context);
      if (!now.ok) return now;
      const users = yield* memberIds(row.id);
      return users.ok ? { ...users, value: { row: now.value, users: users.value } } : users;
    },
    calls: ({ row, users }) => [createAgain(row), ...users.map((user) => addUserCall(row.id, user))],
    uses: [createRole, getRole, listRolePermissions, listPermissions, listRoleUsers, addRoleUser],
    lost: ['mappings to it', 'its place among readers of archives'],
  },
  done(row) {
    const users = userCount(row);
    return receipt`Deleted ${namePart(nameOf(row))}${users ? `; ${plural(users, 'user')} had it` : ''}`;
  },
});
