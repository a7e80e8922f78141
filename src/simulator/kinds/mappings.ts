import type { updateMapping } from '../../api/authn-mappings.ts';
import { collection, type Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  filterMatches,
  iso,
  readSentBody,
  refused,
  type ServiceWorld,
} from '../server/handler.ts';
import { hash } from '../server/random.ts';
import type { Mapping, Org, Team } from '../server/store.ts';
import { showRole } from './users.ts';

const avatars = ['🦊', '🛒', '🧭', '🪴', null, '📦', '🐙'] as const;

/** A team in its long form; members that are not stored are derived from its id (docs/contract/authn-mappings.md#team). */
function showTeam({ id, summary, ...attributes }: Team): unknown {
  const number = hash('team', id);
  return {
    type: 'team',
    id,
    attributes: {
      summary: summary === '' ? null : summary,
      avatar: avatars[number % avatars.length],
      banner: number % 5 === 0 ? null : number % 9,
      user_count: 2 + (number % 11),
      link_count: number % 4,
      is_open_membership: number % 2 === 0,
      handles: [attributes.handle],
      ...attributes,
    },
  };
}

const teams = collection<Team>({
  rows: ({ org }) => org.teams,
  missing: () => refused(404, 'Not found'),
  show: showTeam,
  list: {
    matches: ({ query }) => {
      const isMentioned = filterMatches(query, 'filter[keyword]');
      return ({ name, handle }) => isMentioned(name, handle);
    },
  },
});

/** The relationship, and the `resource_type` of a list, by the type of the target (docs/contract/authn-mappings.md#list). */
const relationships = { roles: 'role', team: 'team' } as const;

/** The id of a SAML attribute: the same for the same key and value. */
const samlId = (mapping: Mapping): string => `saml-${mapping.key}-${mapping.value}`;

function showMapping(mapping: Mapping): Record<string, unknown> {
  return {
    type: 'authn_mappings',
    id: mapping.id,
    attributes: {
      attribute_key: mapping.key,
      attribute_value: mapping.value,
      created_at: iso(mapping.created),
      modified_at: iso(mapping.modified),
    },
    relationships: {
      [relationships[mapping.target.type]]: { data: { type: mapping.target.type, id: mapping.target.id } },
    },
  };
}

/** The roles and teams of some mappings, each once, unordered. */
function included(world: ServiceWorld, rows: readonly Mapping[]): unknown[] {
  const { org, random } = world;
  const items = new Map<string, unknown>();
  for (const mapping of rows) {
    const { type, id } = mapping.target;
    const role = type === 'roles' ? org.roles.get(id) : undefined;
    const team = type === 'team' ? org.teams.get(id) : undefined;
    if (role) items.set(id, showRole(org, role));
    if (team) items.set(id, showTeam(team));
  }
  return random.shuffle([...items.values()]);
}

const targetName = (org: Org, { target }: Mapping): string =>
  (target.type === 'roles' ? org.roles.get(target.id)?.name : org.teams.get(target.id)?.name) ?? '';

type MappingValues = Pick<Mapping, 'key' | 'value' | 'target'>;

/** Stores a new mapping. */
export function storeMapping(world: ServiceWorld, now: number, known: Partial<Mapping> & MappingValues): Mapping {
  const mapping: Mapping = { id: world.random.uuid(), created: now, modified: now, ...known };
  world.org.mappings.set(mapping.id, mapping);
  return mapping;
}

/** The new values of a mapping, or the refusal; members missing from the body keep their value. */
function readValues(request: ApiRequest, { org }: ServiceWorld, before?: Mapping): MappingValues | ApiResponse {
  const { attributes, relationships: { role, team } = {} } = readSentBody<typeof updateMapping>(request).data;
  const { attribute_key: key = before?.key ?? '', attribute_value: value = before?.value ?? '' } = attributes;
  const target = role?.data ?? team?.data ?? before?.target;
  if (!target || (role && team)) return refused(400, 'Invalid input ');
  const { type, id } = target;
  if (!org[type === 'team' ? 'teams' : 'roles'].has(id)) return refused(404, `${id} not found`);
  const isTaken = [...org.mappings.values()].some(
    (other) => other.key === key && other.value === value && other.target.id === id && other.id !== before?.id,
  );
  return isTaken
    ? refused(409, 'A mapping with the same attribute and target already exists')
    : { key, value, target: { type, id } };
}

const mappings = collection<Mapping, MappingValues>({
  rows: ({ org }) => org.mappings,
  missing: (id) => refused(404, `Mapping with id ${id} not found`),
  show: showMapping,
  beside: (rows, _, world) => ({ included: included(world, rows) }),
  list: {
    rows: ({ query }, { org }) => {
      const kind = query.get('resource_type') || 'role';
      if (kind !== 'role' && kind !== 'team') return refused(400, `Invalid resource_type: ${kind}`);
      return [...org.mappings.values()].filter(({ target }) => relationships[target.type] === kind);
    },
    matches: ({ query }, { org }) => {
      const isMentioned = filterMatches(query);
      return (mapping) => isMentioned(mapping.key, mapping.value, targetName(org, mapping));
    },
    orders: ({ org }) => ({
      created_at: ({ created }) => created,
      role_id: ({ target }) => target.id,
      saml_assertion_attribute_id: samlId,
      'role.name': (mapping) => targetName(org, mapping).toLowerCase(),
      'saml_assertion_attribute.attribute_key': ({ key }) => key.toLowerCase(),
      'saml_assertion_attribute.attribute_value': ({ value }) => value.toLowerCase(),
    }),
  },
  read: readValues,
  make: (values, { now }, world) => storeMapping(world, now, values),
  change: (mapping, values, { now }) => {
    Object.assign(mapping, values, { modified: now });
  },
});

/** Operations of AuthN mappings and of teams. */
export const mappingOperations: Operations = { '/api/v2/authn_mappings': mappings, '/api/v2/team': teams };
