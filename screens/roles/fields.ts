import { managedRoles } from '../../src/api/envelope.ts';
import { differenceField, type SetDifference } from '../../src/describe/changed-field.ts';
import { choiceField, type Field, readAs } from '../../src/describe/field.ts';
import { roleNamed, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';
import { grantable, isDefault, type PermissionRow, permissionKind, permissionPick } from './permissions.ts';

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
    hint: `Enter opens the list; ${defaults.length} default permissions are not listed`,
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

/** `granted 2, revoked 1; the service added standard`: compares the permissions that were sent with the answer. */
export function grantsReceipt(
  requested: readonly string[],
  grants: Grants,
  after: readonly string[] | undefined,
): string {
  if (!after) return 'the response does not show its permissions';
  const names = (ids: readonly string[]) => ids.map((id) => grants.names[id] ?? id).join(', ');
  const granted = grants.taken.filter((id) => after.includes(id));
  const revoked = grants.left.filter((id) => !after.includes(id));
  const added = after.filter(
    (id) => !requested.includes(id) && !grants.defaults.includes(id) && !grants.left.includes(id),
  );
  const missing = grants.taken.filter((id) => !after.includes(id));
  const stayed = grants.left.filter((id) => after.includes(id));
  return [
    [granted.length > 0 ? `granted ${granted.length}` : '', revoked.length > 0 ? `revoked ${revoked.length}` : '']
      .filter((part) => part !== '')
      .join(', '),
    added.length > 0 ? `the service added ${names(added)}` : '',
    missing.length > 0 ? `NOT granted: ${names(missing)}` : '',
    stayed.length > 0 ? `NOT revoked: ${names(stayed)}` : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}
