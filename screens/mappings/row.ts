import { field, idIn, word } from '../../src/lib/loose.ts';
import { readMoment } from '../../src/lib/time.ts';

/** What a mapping leads to. */
export interface Target {
  readonly kind: 'role' | 'team';
  readonly id: string;
  /** Undefined where the answer names only its id. */
  readonly name?: string;
}

/** A mapping of what the identity provider sends to a role or a team (spec: AuthN mapping). */
export interface MappingRow {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  /** Undefined where the answer tells none that is known here. */
  readonly target?: Target;
  /** Words of the target for the detail: handle and size of a team, managed or not of a role. */
  readonly about: Readonly<Record<string, string>>;
  readonly created?: number;
  readonly modified?: number;
}

/** A row out of an answer, whatever of it is missing; undefined without an id. */
export function readMapping(it: unknown, included: readonly unknown[] = []): MappingRow | undefined {
  const id = idIn(it);
  if (id === undefined) return undefined;
  const told = field(it, 'attributes');
  const target = targetOf(it, included);
  return {
    id,
    key: word(field(told, 'attribute_key')),
    value: word(field(told, 'attribute_value')),
    target,
    about: target ? aboutOf(target, included) : {},
    created: readMoment(field(told, 'created_at')),
    modified: readMoment(field(told, 'modified_at')),
  };
}

/** Wire types of what is included, by kind. */
const types = { role: 'roles', team: 'team' } as const;

const find = (kind: Target['kind'], id: string, included: readonly unknown[]): unknown =>
  field(
    included.find((one) => word(field(one, 'type')) === types[kind] && idIn(one) === id),
    'attributes',
  );

function targetOf(it: unknown, included: readonly unknown[]): Target | undefined {
  const named = field(it, 'relationships');
  for (const kind of ['role', 'team'] as const) {
    const id = idIn(field(named, kind));
    if (id === undefined) continue;
    const about = find(kind, id, included);
    return { kind, id, name: word(field(about, 'name')) || word(field(about, 'handle')) || undefined };
  }
  return undefined;
}

function aboutOf({ kind, id }: Target, included: readonly unknown[]): Readonly<Record<string, string>> {
  const about = find(kind, id, included);
  const said = (name: string) => word(field(about, name));
  return kind === 'team'
    ? { handle: said('handle'), summary: said('summary'), people: said('user_count') }
    : { 'built in': said('managed') === 'true' ? 'yes' : '', inherits: heirs(about) };
}

const heirs = (about: unknown): string => {
  const from = field(about, 'receives_permissions_from');
  return Array.isArray(from) ? from.map(word).join(', ') : '';
};

/** `groups = sre` */
export const nameOf = (row: Pick<MappingRow, 'key' | 'value'>): string => `${row.key} = ${row.value}`;

/** `role Operators`, `team Core`; by its id where the name is not known. */
export function targetSays(target: Target | undefined): string {
  if (!target) return 'nothing that is known here';
  return `${target.kind} ${target.name ?? target.id}`;
}
