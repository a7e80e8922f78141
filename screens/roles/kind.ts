import * as v from 'valibot';
import { ask, call, inside, type Plan } from '../../src/api/endpoint.ts';
import { managedRoles } from '../../src/api/envelope.ts';
import type { Result } from '../../src/api/problem.ts';
import {
  deleteRole,
  getRole,
  listPermissions,
  listRoles,
  type Permission,
  type Role,
  role,
} from '../../src/api/roles.ts';
import {
  type Context,
  type Rows,
  roleNamed,
  type Single,
  type Source,
  type VocabularyContext,
} from '../../src/describe/context.ts';
import { choiceField, type Field, readAs } from '../../src/describe/field.ts';
import type { Pick } from '../../src/describe/picks.ts';
import { type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { keptResource, searchReadsAll } from '../../src/describe/resource-spec.ts';
import { differenceField, type SetDifference } from '../../src/describe/setting.ts';
import { plural } from '../../src/lib/text.ts';
import { idIn, toAmount } from '../../src/lib/values.ts';

/** Permissions. Edits do not change the catalog. */
export const permissionKind = kind({
  noun: 'permission',
  of: [],
  list: () => call(listPermissions),
  name: (row) => row.attributes.name,
});

/** A permission of the catalog. Its name is what scopes hold. */
export type PermissionRow = RowOf<typeof permissionKind>;

/** The group that a permission belongs to, for example `Dashboards`; empty for none. */
export const permissionGroup = (row: PermissionRow): string => row.attributes.group_name ?? '';
/** `read`, `write` or another word of the service. */
export const permissionAccess = (row: PermissionRow): string => row.attributes.display_type ?? '';

/** Whether every role has the permission, so that it can be neither granted nor revoked (docs/contract/roles.md#default-permissions). */
export const isDefault = (row: PermissionRow): boolean => row.attributes.restricted === true;

/** The permissions of an answer, sorted by group, then by name. */
export function permissionRows(answered: readonly Permission[] | null | undefined): readonly PermissionRow[] {
  const sortKey = (row: PermissionRow) => `${permissionGroup(row)}\u0000${permissionKind.nameOf(row)}`.toLowerCase();
  const rows = (answered ?? []).flatMap((permission) => permissionKind.row(permission) ?? []);
  return rows.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

/** The catalog of permissions. It may be 100 kB, so it is read only when needed. */
export const catalog: Single<readonly PermissionRow[]> = {
  key: 'catalog of permissions',
  of: [],
  *plan(): Plan<Result<readonly PermissionRow[]>> {
    const answer = yield* ask(call(listPermissions));
    return answer.ok ? { ...answer, value: permissionRows(answer.value?.data) } : answer;
  },
};

/** The permissions that can be granted to a role that has `held`: all others but the defaults, which every role has. */
export const grantable = (held: readonly string[] = []): Source<Pick> =>
  permissionPicks(`permissions to grant, without ${held.join()}`, (row) => !isDefault(row) && !held.includes(row.id));

/** The permissions that a new role can have. Defaults are among them: a role that omits the defaults may want one. */
export const permissionsOfNew = (): Source<Pick> => permissionPicks('permissions of a new role', () => true);

const permissionPicks = (key: string, isOffered: (row: PermissionRow) => boolean): Source<Pick> => ({
  key,
  of: [],
  whole: true,
  *plan(context): Plan<Result<Rows<Pick>>> {
    const all = yield* inside(catalog.plan(context));
    return all.ok ? { ...all, value: { rows: all.value.filter(isOffered).map(permissionPick) } } : all;
  },
});

/** A permission as fields and pickers list it. */
export function permissionPick(row: PermissionRow): Pick {
  const marks = [permissionGroup(row), permissionAccess(row), isDefault(row) ? 'default' : ''];
  const hint = marks.filter(Boolean).join(' · ');
  return { id: row.id, label: permissionKind.nameOf(row), ...(hint === '' ? {} : { hint }) };
}

/** What a row of roles has besides the resource of the answer. */
interface RoleExtra {
  readonly attributes: NonNullable<Role['attributes']> & {
    /** Ids of its permissions, sorted; undefined where the answer does not hold them. */
    readonly permissions?: readonly string[] | undefined;
    /** Part of requests; no answer holds it. */
    readonly default_permissions_opt_out?: boolean | undefined;
  };
  /** The catalog of permissions, where a form has read it. */
  readonly catalog?: readonly PermissionRow[];
}

/** Roles. Their names are neither unique nor stable. */
export const roleKind = kind({
  noun: 'role',
  of: ['roles'],
  pages({ search }) {
    const filter = search.filter?.trim() ?? '';
    return call(listRoles, { query: { sort: 'name', ...(filter !== '' && { filter }) } });
  },
  beyond: searchReadsAll,
  get: (id) => call(getRole, { role_id: id }),
  remove: (id) => call(deleteRole, { role_id: id }),
  extra({ attributes, relationships }: Role): RoleExtra {
    const permissions = relationships?.permissions?.data?.flatMap((permission) => idIn(permission) ?? []).toSorted();
    return { attributes: { ...attributes, permissions } };
  },
  name: (row) => row.attributes.name,
});

/** A row of the list of roles. */
export type RoleRow = RowOf<typeof roleKind>;

/** Schema of a kept row. */
export const keptRole: v.GenericSchema<unknown, RoleRow> = v.object({
  ...keptResource(role).entries,
  attributes: v.looseObject({
    ...role.entries.attributes.wrapped.entries,
    permissions: v.optional(v.array(v.string())),
    default_permissions_opt_out: v.optional(v.boolean()),
  }),
});

/** The row with these permissions instead of its own. */
export const withPermissions = (row: RoleRow, ids: readonly string[]): RoleRow => ({
  ...row,
  attributes: { ...row.attributes, permissions: [...new Set(ids)].toSorted() },
});

/** The number of users of a role; undefined where the answer does not hold one. */
export const userCount = (row: RoleRow): number | undefined => toAmount(row.attributes.user_count);

/** Names of the roles whose later permissions this role receives too. */
export const inheritedRoles = (row: RoleRow): readonly string[] => row.attributes.receives_permissions_from ?? [];

/** Whether the role is built in; by its name where the answer does not say (docs/contract/roles.md#role). */
export function isManaged(row: RoleRow, context: VocabularyContext): boolean {
  const { managed, name } = row.attributes;
  return managed ?? managedRoles.some((role) => roleNamed(role, context) === name);
}

/** True, or why the role cannot be changed. Its users can always be changed. */
export function mayChangeRole(row: RoleRow, context: VocabularyContext): true | string {
  return isManaged(row, context) ? 'built-in role; a copy of it can be edited' : true;
}

/** A row of a detail. Its id holds the kind, the id and the name, so that an action on it needs no second read. */
interface DetailRow {
  readonly kind: 'user' | 'role' | 'permission' | 'default';
  readonly id: string;
  readonly name: string;
}

/** The sub-row id of a detail row. */
export const detailRowId = ({ kind, id, name }: DetailRow): string => `${kind} ${id} ${name}`;

/** The detail row under the cursor; undefined in a list or on a tab of lines. */
export function selectedDetailRow(context: Context): DetailRow | undefined {
  const [, kind, id, name] = /^(user|role|permission|default) (\S+) ([\s\S]*)$/.exec(context.subRowId ?? '') ?? [];
  return kind === undefined || id === undefined ? undefined : { kind: kind as DetailRow['kind'], id, name: name ?? id };
}

/** The permissions to grant and to revoke, the names of all, and the default ones, which cannot be revoked. */
export interface Grants extends SetDifference {
  readonly defaults: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

/** The field of permissions: the ones that the role holds are chosen, all that can be granted are offered. */
export function grantsField(held: readonly string[], all: readonly PermissionRow[]): Field<Grants> {
  const defaults = all.filter(isDefault).map((row) => row.id);
  const unknown = held.filter((id) => !all.some((row) => row.id === id));
  const own = [
    ...all.filter((row) => held.includes(row.id) && !isDefault(row)).map(permissionPick),
    ...unknown.map((id) => ({ id, label: `permission ${id}` })),
  ];
  const base = differenceField('Permissions', own, () => grantable(), {
    hint: `Enter opens the list, without ${plural(defaults.length, 'default permission')}`,
  });
  const names = Object.fromEntries(all.map((row) => [row.id, permissionKind.nameOf(row)]));
  return readAs(base, (difference) => ({ ok: true, value: { ...difference, defaults, names } }));
}

/** The choice to inherit from no role. */
export const noRole = 'none';

/** The built-in role whose later permissions this role receives too (docs/contract/roles.md#choices). */
export function inheritsField(now: readonly string[], context: VocabularyContext): Field<string[]> {
  const managedNames = managedRoles.map((role) => roleNamed(role, context));
  const current = now.join(', ');
  const unknown = now.length > 0 && !managedNames.includes(current);
  const field = choiceField(
    'Inherits from',
    current === '' ? noRole : current,
    [noRole, ...managedNames, ...(unknown ? [current] : [])],
    'Also gets permissions that the other role gains later; current ones are not copied',
  );
  return readAs(field, (role) => ({ ok: true, value: role === noRole ? [] : role === current ? [...now] : [role] }));
}

/**
 * `granted 2, revoked 1; the service added standard`: compares the permissions that were sent with the answer. A warning where
 * it does not hold what was sent.
 */
export function grantsReceipt(
  requested: readonly string[],
  grants: Grants,
  after: readonly string[] | undefined,
): Receipt {
  if (!after) return warning(receipt`the response does not show its permissions`);
  const names = (ids: readonly string[]) => ids.map((id) => grants.names[id] ?? id).join(', ');
  const granted = grants.taken.filter((id) => after.includes(id));
  const revoked = grants.left.filter((id) => !after.includes(id));
  const added = after.filter(
    (id) => !requested.includes(id) && !grants.defaults.includes(id) && !grants.left.includes(id),
  );
  const missing = grants.taken.filter((id) => !after.includes(id));
  const stayed = grants.left.filter((id) => after.includes(id));
  const text = [
    [granted.length > 0 ? `granted ${granted.length}` : '', revoked.length > 0 ? `revoked ${revoked.length}` : '']
      .filter(Boolean)
      .join(', '),
    added.length > 0 ? `the service added ${names(added)}` : '',
    missing.length > 0 ? `NOT granted: ${names(missing)}` : '',
    stayed.length > 0 ? `NOT revoked: ${names(stayed)}` : '',
  ]
    .filter(Boolean)
    .join('; ');
  return missing.length + stayed.length > 0 ? warning(receipt`${text}`) : receipt`${text}`;
}
