import * as v from 'valibot';
import { deleteMapping, getMapping, listMappings, mapping } from '../../src/api/authn-mappings.ts';
import { call } from '../../src/api/endpoint.ts';
import { type Included, includedItem } from '../../src/api/envelope.ts';
import { keptResource } from '../../src/describe/kept-resource.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { idIn, toWord } from '../../src/lib/unchecked-values.ts';

/** The kinds of targets, each with the type that its resource has among the included ones. */
export const targetTypes = { role: 'roles', team: 'team' } as const;
export type TargetKind = keyof typeof targetTypes;

/**
 * Mappings from an attribute of the identity provider to a role or a team (docs/contract/authn-mappings.md#responses).
 * A list reads one kind of target at a time.
 */
export const mappingKind = kind({
  noun: 'mapping',
  of: ['authn_mappings', 'roles', 'team'],
  pages: ({ search: { kind: resource_type, text: filter } }) =>
    call(listMappings, { query: { resource_type, ...(filter ? { filter } : {}) } }),
  get: (id) => call(getMapping, { authn_mapping_id: id }),
  remove: (id) => call(deleteMapping, { authn_mapping_id: id }),
  extra({ attributes, relationships }, included) {
    const role = idIn(relationships?.role);
    const team = role === undefined ? idIn(relationships?.team) : undefined;
    const [type, id] = role === undefined ? [targetTypes.team, team] : [targetTypes.role, role];
    // A row that was kept has no members that are undefined.
    const target: { readonly role?: string | undefined; readonly team?: string | undefined } = { role, team };
    /** The included role or team. */
    const about: { readonly about?: Included | undefined } = {
      about: included.find((resource) => resource.type === type && idIn(resource) === id),
    };
    return { attributes: { ...attributes, ...target }, ...about };
  },
  name: ({ attributes }) => `${attributes.attribute_key ?? ''} = ${attributes.attribute_value ?? ''}`,
});

/** A row of the list of mappings. */
export type MappingRow = RowOf<typeof mappingKind>;

/** Schema of a kept row. */
export const keptMapping: v.GenericSchema<unknown, MappingRow> = v.object({
  ...keptResource(mapping).entries,
  attributes: v.looseObject({
    ...mapping.entries.attributes.wrapped.entries,
    role: v.optional(v.string()),
    team: v.optional(v.string()),
  }),
  about: v.optional(includedItem),
});

/** The role or team that a mapping leads to. */
interface Target {
  readonly kind: TargetKind;
  readonly id: string;
  /** Undefined where the answer names only its id. */
  readonly name: string | undefined;
  /** The attributes of the role or team; empty where they are unknown. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** The target of a mapping; undefined where the answer names none of a known kind. */
export function mappingTarget({ attributes, about }: MappingRow): Target | undefined {
  const kind = attributes.role === undefined ? 'team' : 'role';
  const id = attributes[kind];
  if (id === undefined) return undefined;
  const attributesOfTarget: Target['about'] =
    (about?.type === targetTypes[kind] && idIn(about) === id ? about.attributes : undefined) ?? {};
  return {
    kind,
    id,
    name: toWord(attributesOfTarget.name) || toWord(attributesOfTarget.handle) || undefined,
    about: attributesOfTarget,
  };
}

/** `role Operators`, `team Core`; the id where the name is unknown. */
export function targetText(row: MappingRow): string {
  const target = mappingTarget(row);
  return target ? `${target.kind} ${target.name ?? target.id}` : 'an unknown target';
}
