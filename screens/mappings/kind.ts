import * as v from 'valibot';
import { deleteMapping, getMapping, listMappings, mapping } from '../../src/api/authn-mappings.ts';
import { call, inside, type Plan, showing } from '../../src/api/endpoint.ts';
import { type Included, includedItem } from '../../src/api/envelope.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { type ListQuery, type Rows, type Source, withMissing } from '../../src/describe/context.ts';
import { choiceField, textField } from '../../src/describe/field.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { keptResource } from '../../src/describe/resource-spec.ts';
import type { List } from '../../src/describe/screen.ts';
import { idIn, toWord } from '../../src/lib/values.ts';

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
  name: ({ attributes: { attribute_key: key, attribute_value: value } }) =>
    key || value ? `${key ?? ''} = ${value ?? ''}` : undefined,
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

const kinds = ['role', 'team'] as const;

/** The kinds of targets that a search asks for. */
const kindsOf = (search: ListQuery['search']) =>
  kinds.filter((kind) => (search.kind !== 'role' && search.kind !== 'team') || search.kind === kind);

/** The search of `s`; both kinds of targets at the start. */
export const mappingSearch: NonNullable<List<MappingRow>['search']> = {
  initial: { text: '', kind: 'all' },
  form: (search) => ({
    text: textField('Search', search.text, { hint: 'In key, value, or the name of the role or team' }),
    kind: choiceField('Grants', search.kind, [
      { value: 'all', label: 'roles and teams' },
      { value: 'role', label: 'roles' },
      { value: 'team', label: 'teams' },
    ]),
  }),
  says(search) {
    const [kind, ...others] = kindsOf(search);
    const text = search.text?.trim() ?? '';
    return [others.length === 0 ? `${kind}s` : '', text === '' ? '' : `"${text}"`].filter(Boolean).join(' ');
  },
};

/**
 * Mappings to roles, then mappings to teams: a request without a kind answers only those to roles
 * (docs/contract/authn-mappings.md#list).
 */
export function loadMappings({ search, range }: ListQuery): Source<MappingRow> {
  const text = search.text?.trim() ?? '';
  const wanted = kindsOf(search);
  return {
    key: `mappings ${wanted.join('+')} ${text}`,
    of: mappingKind.of,
    plan: (context) => readAll(wanted.map((kind) => mappingKind.load({ search: { kind, text }, range }).plan(context))),
  };
}

type Reading = Plan<Result<Rows<MappingRow>>, Rows<MappingRow>>;

function* readAll(lists: readonly Reading[]): Reading {
  const rowsById = new Map<string, MappingRow>();
  const notes = new Set<string>();
  const missing = new Set<string>();
  // By id, since a deployment that ignores the parameter answers the same rows for both kinds.
  const add = ({ rows }: Rows<MappingRow>): Rows<MappingRow> => {
    for (const row of rows) rowsById.set(row.id, row);
    return { rows: [...rowsById.values()], notes: [...notes], ...withMissing([...missing]) };
  };
  for (const [at, list] of lists.entries()) {
    const read = yield* inside(list, add);
    if (!read.ok && (at === 0 || read.problem.kind === 'canceled')) return read;
    // Where mappings to teams cannot be read, those to roles are shown with a note.
    const lost = read.ok ? (read.value.missing ?? []) : [`mappings to teams could not be read: ${read.problem.text}`];
    for (const note of [...((read.ok && read.value.notes) || []), ...lost]) notes.add(note);
    for (const note of lost) missing.add(note);
    if (read.ok) yield* showing(add(read.value));
  }
  return toResult(add({ rows: [] }));
}
