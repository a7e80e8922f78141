import { keepArchive } from './kinds/archives.ts';
import { keepMapping } from './kinds/mappings.ts';
import { keepFilter } from './kinds/retention.ts';
import { keepRole } from './kinds/roles.ts';
import { secretOf } from './kinds/secrets.ts';
import { asList, asNumber, asObject, asText, at, type World } from './server/answer.ts';
import { keepApiKey, keepApplicationKey } from './server/keys.ts';
import type { Leak, Org } from './server/store.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Kinds of access and of what is kept that a test may put into the organisation. */
export type AccessKind =
  | 'roles'
  | 'application_keys'
  | 'api_keys'
  | 'authn_mappings'
  | 'apm_retention_filter'
  | 'archives';

/** What is left over when some names are taken out. */
export const without = (object: Fields, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => value === null || !names.includes(name)));

const envelope = ['id', 'type', 'attributes', 'relationships'];

/** An object from the fields that an answer would show, bare (`fields`) and as it was given. Gives back the id. */
export function putAccess(world: World, kind: AccessKind, fields: Fields, given: Fields, now: number): string {
  const id = asText(fields.id);
  const it: Given = {
    world,
    now,
    fields,
    id: id === undefined ? {} : { id },
    text: (name, fallback = '') => (typeof fields[name] === 'string' ? fields[name] : fallback),
    moment: (name, fallback = now - 86_400_000) => Date.parse(asText(fields[name]) ?? '') || fallback,
    related: (name) => asText(at(given, 'relationships', name, 'data', 'id') ?? fields[name]),
    rest: (...names) => without(fields, [...envelope, ...names]),
  };
  return makers[kind](it);
}

/** What a fixture says, with the ways to read it. */
interface Given {
  readonly world: World;
  readonly now: number;
  readonly fields: Fields;
  /** The id, when it has one. */
  readonly id: { readonly id?: string };
  text(name: string, fallback?: string): string;
  moment(name: string, fallback?: number): number;
  /** The id in a relationship, or a bare id in the field of this name. */
  related(name: string): string | undefined;
  /** Every other field, shown later as it was given. */
  rest(...names: readonly string[]): Record<string, unknown>;
}

const makers: Readonly<Record<AccessKind, (it: Given) => string>> = {
  roles: putRole,
  application_keys: putApplicationKey,
  api_keys: putApiKey,
  authn_mappings: putMapping,
  apm_retention_filter: putFilter,
  archives: putArchive,
};

const someone = (org: Org): string => [...org.users.keys()][0] ?? '';

/** `permissions` are names, or a relationship of ids. */
function putRole({ world, now, id, fields, text, moment, rest }: Given): string {
  const { permissions } = world.org;
  const listed = asList(fields.permissions) ?? asList(at(fields, 'relationships', 'permissions', 'data')) ?? [];
  const ids = new Set(listed.map((one) => asText(at(one, 'id')) ?? asText(one) ?? ''));
  const held = [...permissions.values()].filter((one) => ids.has(one.id) || ids.has(one.name)).map((one) => one.name);
  return keepRole(world, now, {
    ...id,
    name: text('name', 'role'),
    permissions: new Set(held),
    managed: fields.managed === true,
    created: moment('created_at'),
    modified: moment('modified_at'),
    overrides: rest('name', 'permissions', 'managed', 'created_at', 'modified_at'),
  }).id;
}

const keyFields = ['name', 'key', 'created_at', 'modified_at', 'last4', 'leak_information'];

/** `leak_information` as a relationship, or `true`. */
function leakIn({ now, fields, related }: Given): Leak | null {
  const id = fields.leak_information === true ? 'leak-1' : related('leak_information');
  return id === undefined ? null : { id, date: now, source: 'a public repository' };
}

/** `owned_by` is the owner's id, or a relationship; the first person when absent. */
function putApplicationKey(it: Given): string {
  const { world, id, fields, text, moment, related, rest } = it;
  const key = {
    id: world.random.uuid(),
    ...id,
    owner: related('owned_by') ?? someone(world.org),
    name: text('name', 'key'),
    secret: text('key', secretOf(world, 40)),
    scopes: asList(fields.scopes)?.map(String) ?? null,
    permissions: null,
    created: moment('created_at'),
    used: typeof fields.last_used_at === 'string' ? moment('last_used_at') : null,
    leak: leakIn(it),
    overrides: rest(...keyFields, 'scopes', 'last_used_at', 'owned_by'),
  };
  delete (key.overrides as Record<string, unknown>).scopes;
  keepApplicationKey(world.org, key);
  return key.id;
}

function putApiKey(it: Given): string {
  const { world, id, fields, text, moment, related, rest } = it;
  const key = {
    id: world.random.uuid(),
    ...id,
    name: text('name', 'key'),
    secret: text('key', secretOf(world, 32)),
    category: text('category', 'default'),
    remoteConfig: fields.remote_config_read_enabled !== false,
    creator: related('created_by') ?? someone(world.org),
    modifier: related('modified_by') ?? null,
    created: moment('created_at'),
    modified: moment('modified_at'),
    used: typeof fields.date_last_used === 'string' ? moment('date_last_used') : null,
    leak: leakIn(it),
    overrides: rest(
      ...keyFields,
      'category',
      'remote_config_read_enabled',
      'created_by',
      'modified_by',
      'date_last_used',
    ),
  };
  keepApiKey(world.org, key);
  return key.id;
}

/** `role` or `team` is an id, or a relationship. */
function putMapping({ world, now, id, text, moment, related, rest }: Given): string {
  const team = related('team');
  const target = team === undefined ? (related('role') ?? [...world.org.roles.keys()][0] ?? '') : team;
  return keepMapping(world, now, {
    ...id,
    key: text('attribute_key', 'groups'),
    value: text('attribute_value'),
    target: { type: team === undefined ? 'roles' : 'team', id: target },
    created: moment('created_at'),
    modified: moment('modified_at'),
    overrides: rest('attribute_key', 'attribute_value', 'role', 'team', 'created_at', 'modified_at'),
  }).id;
}

/** Goes to the end of the order. `created_at: 0` makes it a built-in one. */
function putFilter({ world, now, id, fields, text, rest }: Given): string {
  const number = (name: string, fallback: number): number =>
    Number.isNaN(asNumber(fields[name])) ? fallback : asNumber(fields[name]);
  const lately = Math.floor(now / 1000) - 86_400;
  return keepFilter(world, {
    ...id,
    name: text('name', 'filter'),
    enabled: fields.enabled !== false,
    query: asText(at(fields, 'filter', 'query')) ?? '*',
    type: text('filter_type', 'spans-sampling-processor'),
    rate: number('rate', 1),
    traceRate: number('trace_rate', 0),
    editable: fields.editable !== false,
    created: number('created_at', lately),
    creator: text('created_by', 'robin.vale@example.test'),
    modified: number('modified_at', lately),
    modifier: text('modified_by', 'robin.vale@example.test'),
    overrides: rest(
      ...['name', 'enabled', 'filter', 'filter_type', 'rate', 'trace_rate', 'editable', 'execution_order'],
      ...['created_at', 'created_by', 'modified_at', 'modified_by'],
    ),
  }).id;
}

/** Goes to the end of the order. `readers` are ids of roles. */
function putArchive({ world, id, fields, rest }: Given): string {
  const destination = asObject(fields.destination) ?? {
    type: 'provider_c',
    bucket: 'logs',
    integration: { account_id: '000011112222', role_name: 'archive-writer' },
  };
  const attributes = { name: 'archive', query: '*', destination, ...rest('readers', 'state') };
  const state = typeof fields.state === 'string' ? { state: fields.state } : {};
  return keepArchive(world, world.random, attributes, {
    ...id,
    edited: 0,
    readers: new Set((asList(fields.readers) ?? []).map(String)),
    overrides: state,
  }).id;
}
