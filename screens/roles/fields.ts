import { managedRoles } from '../../src/api/envelope.ts';
import { choiceField, type Difference, differenceField, type Field } from '../../src/describe/field.ts';
import { roleNamed, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';
import { grantable, isDefault, type PermissionRow, permissionKind, permissionPick } from './permissions.ts';

/** Which permissions come and go, how they are called, and which ones nobody can take away. */
export interface Grants extends Difference {
  readonly defaults: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

/** The permissions that can be granted, those that are held taken. */
export function grantsField(held: readonly string[], all: readonly PermissionRow[]): Field<Grants> {
  const defaults = all.filter(isDefault).map((row) => row.id);
  const strange = held.filter((id) => !all.some((row) => row.id === id));
  const own = [
    ...all.filter((row) => held.includes(row.id) && !isDefault(row)).map(permissionPick),
    ...strange.map((id) => ({ id, label: `permission ${id}` })),
  ];
  const base = differenceField('permissions', own, () => grantable(), {
    hint: `Enter opens the list, without the ${defaults.length} that every role has`,
  });
  const names = Object.fromEntries(all.map((row) => [row.id, permissionKind.nameOf(row)]));
  return {
    ...base,
    read(text) {
      const read = base.read(text);
      return read.ok ? { ok: true, value: { ...read.value, defaults, names } } : read;
    },
  };
}

/** Inherits from no role. */
export const nobody = 'nobody';

/** The role whose later additions come to this one too: one of the three built-in ones (contract/roles.md 5). */
export function inheritsField(now: readonly string[], context: VocabularyContext): Field<string[]> {
  const known = managedRoles.map((it) => roleNamed(it, context));
  const current = now.join(', ');
  const strange = now.length > 0 && !known.includes(current);
  const field = choiceField(
    'inherits from',
    current === '' ? nobody : current,
    [nobody, ...known, ...(strange ? [current] : [])],
    'what that role gains later comes to this one too; what it holds now is not copied',
  );
  return {
    ...field,
    read(text) {
      const read = field.read(text);
      if (!read.ok) return read;
      return { ok: true, value: read.value === nobody ? [] : read.value === current ? [...now] : [read.value] };
    },
  };
}

/** `granted 2, revoked 1; the service added standard`: what the answer shows of the permissions asked for. */
export function grantsTold(asked: readonly string[], grants: Grants, after: readonly string[] | undefined): string {
  if (!after) return 'permissions were sent; the service did not say what it holds now';
  const name = (ids: readonly string[]) => ids.map((id) => grants.names[id] ?? id).join(', ');
  const came = grants.taken.filter((id) => after.includes(id));
  const went = grants.left.filter((id) => !after.includes(id));
  const added = after.filter((id) => !asked.includes(id) && !grants.defaults.includes(id) && !grants.left.includes(id));
  const missing = grants.taken.filter((id) => !after.includes(id));
  const stayed = grants.left.filter((id) => after.includes(id));
  return [
    [came.length > 0 ? `granted ${came.length}` : '', went.length > 0 ? `revoked ${went.length}` : '']
      .filter((it) => it !== '')
      .join(', '),
    added.length > 0 ? `the service added ${name(added)}` : '',
    missing.length > 0 ? `not granted: ${name(missing)}` : '',
    stayed.length > 0 ? `not revoked: ${name(stayed)}` : '',
  ]
    .filter((it) => it !== '')
    .join('; ');
}
