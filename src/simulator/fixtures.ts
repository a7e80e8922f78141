import { putAccountA, putAccountB, putAccountBV1, putTable } from './furniture.ts';
import { putAccess, without } from './givens.ts';
import { keepMonitor, makeMonitor } from './kinds/monitor-make.ts';
import { newGroup, settle } from './kinds/monitor-states.ts';
import { scopesOf } from './kinds/monitors.ts';
import { silence } from './kinds/silences.ts';
import { keepUser, makeUser } from './kinds/users.ts';
import { asList, asNumber, asObject, asText, at, type World } from './server/answer.ts';
import { keep } from './server/crud.ts';
import type { Issue, Silence } from './server/store.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object whether it came bare or in an envelope. */
const flat = (object: Fields): Fields => ({ ...object, ...asObject(object.attributes) });

/**
 * Puts an object of a test into the organisation, from the fields that an answer would show. What the store
 * keeps is understood; every other field, and every null, is shown later exactly as it was given.
 * Gives back the id.
 */
export function put(world: World, kind: string, object: Fields, now: number): string {
  switch (kind) {
    case 'monitor':
      return putMonitor(world, object, now);
    case 'issue':
      return putIssue(world, flat(object), object, now);
    case 'downtime':
      return putDowntime(world, flat(object), now);
    case 'users':
    case 'user':
      return putUser(world, flat(object), now);
    case 'team': {
      const it = flat(object);
      const id = asText(it.id) ?? world.random.uuid();
      world.org.teams.set(id, {
        id,
        handle: asText(it.handle) ?? id,
        name: asText(it.name) ?? '',
        summary: asText(it.summary) ?? '',
        overrides: without(it, teamFields),
      });
      return id;
    }
    case 'roles':
    case 'application_keys':
    case 'api_keys':
    case 'authn_mappings':
    case 'apm_retention_filter':
    case 'archives':
      return putAccess(world, kind, flat(object), object, now);
    case 'provider_a_account':
      return putAccountA(world, object, now);
    case 'provider_b_account':
      return putAccountBV1(world, object, now);
    case 'provider_b_service_account':
      return putAccountB(world, flat(object), object, now);
    case 'reference_table':
      return putTable(world, flat(object), now);
    default:
      return String(keep(world, kind, object).id);
  }
}

const teamFields = ['id', 'type', 'attributes', 'handle', 'name', 'summary'];

const owner = (world: World): string => [...world.org.users.keys()][0] ?? '';

const monitorFields = [
  'id',
  'name',
  'type',
  'query',
  'message',
  'tags',
  'priority',
  'options',
  'restricted_roles',
  'draft_status',
  'assets',
  'overall_state',
  'state',
  'groups',
  'created',
  'modified',
  'creator',
];

function putMonitor(world: World, object: Fields, now: number): string {
  const { org } = world;
  const id = asText(object.id) ?? String(org.next.monitor);
  const query = 'avg(last_5m):avg:system.load.1{*} > 4';
  const moment = (name: string): number => Date.parse(asText(object[name]) ?? '') || now - 86_400_000;
  const it = makeMonitor(
    org,
    { type: 'query alert', query, ...object },
    { id, creator: asText(object.creator) ?? owner(world), now: moment('created') },
  );
  it.modified = moment('modified');
  it.overrides = without(object, monitorFields);
  const states = asObject(object.groups) ??
    asObject(at(object, 'state', 'groups')) ?? { '*': object.overall_state ?? 'OK' };
  it.groups = new Map();
  for (const [name, state] of Object.entries(states)) {
    const group = newGroup(name);
    const shown = asObject(state);
    group.status = asText(shown ? shown.status : state) ?? 'OK';
    const triggered = shown ? asNumber(shown.last_triggered_ts) : Math.floor(now / 1000) - 300;
    if (group.status !== 'OK' && !Number.isNaN(triggered)) group.triggered = triggered;
    it.groups.set(name, group);
  }
  keepMonitor(org, it);
  settle(org, it, now - 300_000);
  if (typeof object.overall_state === 'string') it.overall = object.overall_state;
  for (const [key, end] of Object.entries(asObject(at(object, 'options', 'silenced')) ?? {})) {
    const made = { made: 'mute', creator: owner(world), monitor: id, scope: key.split(',') } as const;
    silence(org, world.random, { ...made, end: end === null ? null : asNumber(end) * 1000 }, now);
  }
  return id;
}

const issueFields = [
  'id',
  'type',
  'attributes',
  'relationships',
  'error_type',
  'error_message',
  'file_path',
  'function_name',
  'first_seen',
  'first_seen_version',
  'last_seen_version',
  'is_crash',
  'languages',
  'platform',
  'service',
  'state',
  'regression',
  'total_count',
  'per_minute',
  'impacted_sessions',
  'env',
  'assignee',
  'team_owners',
  'returns_after_ms',
];

/**
 * `total_count` events lie evenly between `first_seen` and `last_seen`; or `per_minute` go on for ever.
 * `returns_after_ms`: how long after being resolved it comes back.
 */
function putIssue(world: World, object: Fields, given: Fields, now: number): string {
  const id = asText(object.id) ?? world.random.uuid();
  const text = (name: string, fallback = ''): string =>
    typeof object[name] === 'string' ? (object[name] as string) : fallback;
  const number = (name: string, fallback: number): number =>
    Number.isNaN(asNumber(object[name])) ? fallback : asNumber(object[name]);
  const first = number('first_seen', now - 7_200_000);
  const last = Math.max(first, number('last_seen', now - 60_000));
  const rate = number('per_minute', 0);
  const total = number('total_count', 10);
  const burst = { at: first, length: last + 1 - first, count: total };
  const platform = text('platform', 'BACKEND');
  const it: Issue = {
    id,
    type: text('error_type', 'Error'),
    message: text('error_message'),
    stack: text('error_message'),
    handling: 'unhandled',
    file: text('file_path'),
    function: text('function_name'),
    firstVersion: text('first_seen_version'),
    lastVersion: text('last_seen_version'),
    crash: object.is_crash === true,
    languages: (asList(object.languages) ?? []).map(String),
    platform,
    service: text('service', 'checkout-api'),
    env: text('env', 'prod'),
    state: text('state', 'OPEN'),
    stateChanged: now,
    returns: object.returns_after_ms === undefined ? null : number('returns_after_ms', 0),
    regression: asObject(object.regression) ?? null,
    assignee: asText(at(given, 'relationships', 'assignee', 'data', 'id') ?? object.assignee) ?? null,
    case: null,
    teams: scopesOf(object.team_owners),
    sessions:
      platform === 'BACKEND' && object.impacted_sessions === undefined
        ? null
        : number('impacted_sessions', total / 2) / total ** 0.9,
    stream: {
      rate,
      wave: 0,
      phase: 0,
      bursts: rate > 0 ? [] : [burst],
      active: [{ from: first, to: rate > 0 ? null : last + 1 }],
    },
    overrides: without(object, issueFields),
  };
  world.org.issues.set(id, it);
  return id;
}

/** With `monitor_identifier` or a text id it is one of the second kind; times as that kind writes them. */
function putDowntime(world: World, object: Fields, now: number): string {
  const target = asObject(object.monitor_identifier);
  const second = target !== undefined || object.schedule !== undefined;
  const moment = (value: unknown): number | null => {
    if (value === null || value === undefined) return null;
    return typeof value === 'string' && Number.isNaN(Number(value)) ? Date.parse(value) : asNumber(value) * 1000;
  };
  const scope = scopesOf(object.scope).length > 0 ? scopesOf(object.scope) : ['*'];
  const start = moment(second ? at(object, 'schedule', 'start') : object.start) ?? now - 60_000;
  const made: Partial<Silence> & Pick<Silence, 'made' | 'creator'> = {
    made: second ? 'v2' : 'v1',
    creator: owner(world),
    monitor: asText(target?.monitor_id ?? object.monitor_id) ?? null,
    monitorTags: (asList(target?.monitor_tags ?? object.monitor_tags) ?? ['*']).map(String),
    scope,
    start,
    created: start,
    modified: start,
    end: moment(second ? at(object, 'schedule', 'end') : object.end),
    message: asText(object.message) ?? '',
    ...(typeof object.id === 'number' ? { id: object.id } : {}),
    ...(second && typeof object.id === 'string' ? { uuid: object.id } : {}),
  };
  const it = silence(world.org, world.random, made, now);
  return second ? it.uuid : String(it.id);
}

const userFields = [
  'id',
  'type',
  'attributes',
  'relationships',
  'name',
  'email',
  'handle',
  'title',
  'status',
  'disabled',
  'service_account',
  'roles',
];

function putUser(world: World, object: Fields, now: number): string {
  const id = asText(object.id) ?? world.random.uuid();
  const email = (asText(object.email) ?? `${id.slice(0, 8)}@example.test`).toLowerCase();
  const disabled = object.disabled === true || object.status === 'Disabled';
  const made = makeUser(
    id,
    world.org.next.user,
    {
      email,
      name: typeof object.name === 'string' ? object.name : null,
      handle: asText(object.handle) ?? email,
      title: asText(object.title) ?? null,
      disabled,
      status: asText(object.status) ?? (disabled ? 'Disabled' : 'Active'),
      service: object.service_account === true,
      roles: scopesOf(object.roles),
      overrides: without(object, userFields),
    },
    now,
  );
  keepUser(world.org, made);
  return id;
}
