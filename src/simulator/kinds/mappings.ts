import {
  type Answer,
  type Ask,
  asText,
  at,
  gone,
  type Handler,
  isAnswer,
  iso,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { pageOf, sortedBy } from '../server/paging.ts';
import type { Mapping, Org } from '../server/store.ts';
import { showRole } from './permissions.ts';
import { nameIn } from './secrets.ts';
import { showTeam } from './teams.ts';

/** AuthN mappings to roles and to teams, in one store (contract/authn-mappings.md). */
const badInput = refused(400, 'Invalid input ');

const relation = { roles: 'role', team: 'team' } as const;

/** The id that the specification gives to a SAML attribute: the same pair has the same one. */
export const samlId = (it: Mapping): string => `saml-${it.key}-${it.value}`;

function show(it: Mapping): Record<string, unknown> {
  return {
    type: 'authn_mappings',
    id: it.id,
    attributes: {
      attribute_key: it.key,
      attribute_value: it.value,
      created_at: iso(it.created),
      modified_at: iso(it.modified),
      ...it.overrides,
    },
    relationships: {
      [relation[it.target.type]]: { data: { type: it.target.type, id: it.target.id } },
    },
  };
}

/** What the mappings lead to, each once, in an order of its own. */
function included(world: World, rows: readonly Mapping[]): unknown[] {
  const { org, random } = world;
  const items = new Map<string, unknown>();
  for (const it of rows) {
    const { type, id } = it.target;
    const role = type === 'roles' ? org.roles.get(id) : undefined;
    const team = type === 'team' ? org.teams.get(id) : undefined;
    if (role) items.set(id, showRole(org, role));
    if (team) items.set(id, showTeam(team));
  }
  return random.shuffle([...items.values()]);
}

const targetName = (org: Org, { target }: Mapping): string =>
  (target.type === 'roles' ? org.roles.get(target.id)?.name : org.teams.get(target.id)?.name) ?? '';

const list: Handler = (ask, world) => {
  const { org } = world;
  const { query } = ask;
  const kind = query.get('resource_type') || 'role';
  if (kind !== 'role' && kind !== 'team') return refused(400, `Invalid resource_type: ${kind}`);
  const all = [...org.mappings.values()].filter((it) => relation[it.target.type] === kind);
  const text = query.get('filter')?.toLowerCase() ?? '';
  const matching = all.filter((it) =>
    [it.key, it.value, targetName(org, it)].some((words) => words.toLowerCase().includes(text)),
  );
  const sorted = sortedBy(matching, query.get('sort') || 'created_at', {
    created_at: (it) => it.created,
    role_id: (it) => it.target.id,
    saml_assertion_attribute_id: samlId,
    'role.name': (it) => targetName(org, it).toLowerCase(),
    'saml_assertion_attribute.attribute_key': (it) => it.key.toLowerCase(),
    'saml_assertion_attribute.attribute_value': (it) => it.value.toLowerCase(),
  });
  if (isAnswer(sorted)) return sorted;
  const page = pageOf(query, sorted.rows);
  if (isAnswer(page)) return page;
  return ok({
    included: included(world, page.rows),
    data: page.rows.map((it) => show(it)),
    meta: { page: { total_count: all.length, total_filtered_count: matching.length } },
  });
};

function found(ask: Ask, { org }: World): Mapping | Answer {
  const id = ask.params.authn_mapping_id ?? '';
  return org.mappings.get(id.toLowerCase()) ?? refused(404, `Mapping with id ${id} not found`);
}

const whole = (world: World, it: Mapping): Answer => ok({ included: included(world, [it]), data: show(it) });

const get: Handler = (ask, world) => {
  const it = found(ask, world);
  return isAnswer(it) ? it : whole(world, it);
};

/** What a body leads to; null when it does not say, a refusal when it says both, something else, or what is unknown. */
function targetIn(body: unknown, org: Org): { readonly target: Mapping['target'] | null } | Answer {
  const [role, team] = [at(body, 'data', 'relationships', 'role'), at(body, 'data', 'relationships', 'team')];
  if (role !== undefined && team !== undefined) return badInput;
  if (role === undefined && team === undefined) return { target: null };
  const type = role === undefined ? 'team' : 'roles';
  const sent = at(role ?? team, 'data');
  const id = asText(at(sent, 'id'));
  if (at(sent, 'type') !== type || id === undefined) return badInput;
  return org[type === 'team' ? 'teams' : 'roles'].has(id) ? { target: { type, id } } : refused(404, `${id} not found`);
}

/** The refusal of a mapping that is there already. */
function taken(org: Org, key: string, value: string, target: Mapping['target'], id?: string): Answer | undefined {
  const other = [...org.mappings.values()].find(
    (it) => it.key === key && it.value === value && it.target.id === target.id && it.id !== id,
  );
  return other && refused(409, 'A mapping with the same attribute and target already exists');
}

/** Stores a new mapping. */
export function keepMapping(
  world: World,
  now: number,
  known: Partial<Mapping> & Pick<Mapping, 'key' | 'value' | 'target'>,
): Mapping {
  const it: Mapping = { id: world.random.uuid(), created: now, modified: now, overrides: {}, ...known };
  world.org.mappings.set(it.id, it);
  return it;
}

const create: Handler = (ask, world) => {
  const { org } = world;
  const [key, value] = ['attribute_key', 'attribute_value'].map((name) =>
    nameIn(at(ask.body, 'data', 'attributes', name)),
  );
  if (at(ask.body, 'data', 'type') !== 'authn_mappings' || key === undefined || value === undefined) return badInput;
  const sent = targetIn(ask.body, org);
  if (isAnswer(sent)) return sent;
  if (sent.target === null) return badInput;
  return (
    taken(org, key, value, sent.target) ??
    whole(world, keepMapping(world, ask.now, { key, value, target: sent.target }))
  );
};

const update: Handler = (ask, world) => {
  const { org } = world;
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  if (asText(at(ask.body, 'data', 'id'))?.toLowerCase() !== it.id)
    return refused(422, 'The id attribute in the request body does not match the authn_mapping_id in the URL');
  const attribute = (name: string, before: string): string | undefined => {
    const sent = at(ask.body, 'data', 'attributes', name);
    return sent === undefined ? before : nameIn(sent);
  };
  const [key, value] = [attribute('attribute_key', it.key), attribute('attribute_value', it.value)];
  if (at(ask.body, 'data', 'type') !== 'authn_mappings' || key === undefined || value === undefined) return badInput;
  const sent = targetIn(ask.body, org);
  if (isAnswer(sent)) return sent;
  const target = sent.target ?? it.target;
  const used = taken(org, key, value, target, it.id);
  if (used) return used;
  Object.assign(it, { key, value, target, modified: ask.now });
  return whole(world, it);
};

const remove: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  world.org.mappings.delete(it.id);
  return gone;
};

/** AuthN mappings, by the id of the endpoint. */
export const mappingHandlers: Readonly<Record<string, Handler>> = {
  'mappings.list': list,
  'mappings.create': create,
  'mappings.get': get,
  'mappings.update': update,
  'mappings.delete': remove,
};
