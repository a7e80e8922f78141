import {
  type Answer,
  type Ask,
  asList,
  asObject,
  asText,
  at,
  count,
  type Handler,
  isAnswer,
  isTrue,
  numeric,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { collection } from '../server/collection.ts';
import type { Monitor } from '../server/monitoring.ts';
import { mentions, type Pager } from '../server/paging.ts';
import { monitorsById, type Org } from '../server/store.ts';
import { checkDefinition, duplicateOf, scopedLogKey } from './monitor-check.ts';
import { defineMonitor, keepMonitor, makeMonitor, sameKind } from './monitor-make.ts';
import { settle } from './monitor-states.ts';
import { showMonitor, type View } from './monitor-view.ts';
import { isAdmin } from './permissions.ts';
import { silence } from './silences.ts';

const notFound = refused(404, 'Monitor not found');
const scopedKey = refused(403, 'Forbidden', 'This API does not support scoped app keys');

/** The refusal for a monitor that is locked (401) or kept for some roles (403); undefined = go on. */
export function guarded(ask: Ask, world: World, monitor: Monitor): Answer | undefined {
  const { user } = ask.caller;
  if (monitor.restrictedRoles?.length && !monitor.restrictedRoles.some((role) => user.roles.includes(role))) {
    return refused(403, 'Forbidden', 'Failed permission authorization checks');
  }
  const locked = monitor.options.locked === true && monitor.creator !== user.id && !isAdmin(world.org, user);
  return locked ? refused(401, 'You do not have permissions to update this locked monitor.') : undefined;
}

/** `group_states` as lower-case words; null = not asked; undefined = a word that is not known. */
function groupStates(query: URLSearchParams): ReadonlySet<string> | null | undefined {
  const text = query.get('group_states');
  if (text === null || text === '') return null;
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  if (!words.every((word) => ['all', 'alert', 'warn', 'no data', 'ok'].includes(word))) return undefined;
  return new Set(words.includes('all') ? ['alert', 'warn', 'no data', 'ok', 'ignored', 'skipped', 'unknown'] : words);
}

const badStates = refused(400, 'Invalid group_state filters.');

const hasGroup = (monitor: Monitor, states: ReadonlySet<string>): boolean =>
  monitor.members.length > 0
    ? states.has(monitor.overall.toLowerCase())
    : [...monitor.groups.values()].some((group) => states.has(group.status.toLowerCase()));

/** `id_offset` walks by id; `page` counts; without either everything comes at once (contract/monitors.md 2.2). */
const pageOf: Pager<Monitor> = (query, rows) => {
  const size = Math.max(1, count(query, 'page_size', 100, 1000));
  const offset = query.get('id_offset');
  if (offset !== null && /^\d+$/.test(offset)) {
    const after = BigInt(offset);
    const begin = rows.findIndex((row) => BigInt(row.id) > after);
    return begin < 0 ? [] : rows.slice(begin, begin + size);
  }
  if (query.get('page') === null) return rows;
  const page = count(query, 'page', 0, Number.MAX_SAFE_INTEGER);
  return rows.slice(page * size, (page + 1) * size);
};

/** Which fields the answers of each verb have. */
function viewOf({ endpoint: { verb }, query }: Ask): View {
  const states = groupStates(query);
  const groups = states ? { groups: states } : {};
  if (verb === 'list') return { creator: true, downtimes: true, ...groups };
  if (verb !== 'get') return { creator: verb === 'create', assets: true, policy: true };
  const [downtimes, assets] = [isTrue(query.get('with_downtimes')), isTrue(query.get('with_assets'))];
  return { creator: true, downtimes, assets, ...groups };
}

type Definition = Readonly<Record<string, unknown>>;

/** The body of a new monitor, which may be stored. */
function newcomer(ask: Ask, { org }: World): Definition | Answer {
  if (scopedLogKey(ask, at(ask.body, 'type'))) return scopedKey;
  const checked = checkDefinition(ask.body, org);
  return checked.ok ? (asObject(ask.body) ?? {}) : refused(400, checked.text);
}

/** What a monitor is to become. */
function changesIn({ body: sent }: Ask, { org }: World, before: Monitor): Definition | Answer {
  const body = asObject(sent);
  if (!body) return refused(400, 'The request body is invalid');
  const type = asText(body.type);
  if (type && !sameKind(type, before.type)) return refused(400, 'Monitor type change not allowed');
  const options = asObject(body.options) ?? { ...before.options };
  // Thresholds of the stored query do not bind a new one when the client sent only the query.
  if (!asObject(body.options) && body.query !== undefined) delete options.thresholds;
  const checked = checkDefinition({ query: before.query, ...body, type: before.type, options }, org);
  if (!checked.ok) return refused(400, checked.text);
  return body.query !== undefined && !body.options ? { ...body, options } : body;
}

const monitors = collection<Monitor, Definition>({
  rows: ({ org }) => org.monitors,
  refuses: ({ endpoint, params }) =>
    endpoint.verb === 'create' || /^\d+$/.test(params.monitor_id ?? '')
      ? undefined
      : refused(400, 'Invalid monitor ID.'),
  missing: () => notFound,
  show: (monitor, ask, world) => showMonitor(world, monitor, viewOf(ask), ask.now),
  list: {
    rows: (_, { org }) => monitorsById(org),
    matches: ({ query }) => {
      const states = groupStates(query);
      if (states === undefined) return badStates;
      const words = (name: string): string[] => (query.get(name) ?? '').split(',').filter(Boolean);
      const isMentioned = mentions(query, 'name');
      const [scope, own] = [words('tags'), words('monitor_tags')];
      return (monitor) =>
        isMentioned(monitor.name) &&
        scope.every((tag) => monitor.context.scope.includes(tag)) &&
        own.every((tag) => monitor.tags.includes(tag)) &&
        (!states || query.get('group_states')?.includes('all') || hasGroup(monitor, states));
    },
    page: pageOf,
  },
  barred: (monitor, ask, world) => guarded(ask, world, monitor),
  read: (ask, world, before) => (before ? changesIn(ask, world, before) : newcomer(ask, world)),
  make: (body, ask, world) => {
    const { org } = world;
    const monitor = makeMonitor(org, body, { creator: ask.caller.user.id, now: ask.now });
    const twin = duplicateOf(org, monitor);
    if (twin) return refused(400, `Duplicate of an existing monitor_id:${twin.id} org_id:${org.number}`);
    keepMonitor(org, monitor);
    keepSilenced(world, ask, monitor);
    return monitor;
  },
  change: (monitor, body, ask, world) => {
    defineMonitor(monitor, body);
    monitor.modified = ask.now;
    keepSilenced(world, ask, monitor);
    if (monitor.type === 'composite') settle(world.org, monitor, ask.now);
  },
  remove: (monitor, { query }, { org }) => {
    const reasons = references(org, monitor);
    if (reasons.length > 0 && !isTrue(query.get('force'))) return refused(401, ...reasons);
    org.monitors.delete(monitor.id);
    org.sorted = null;
    return ok({ deleted_monitor_id: numeric(monitor.id) });
  },
});

/** One monitor, with the states that were asked for. */
const get: Handler = (ask, world) =>
  groupStates(ask.query) === undefined && !isAnswer(monitors.find(ask, world)) ? badStates : monitors.get(ask, world);

/** An operation on the monitor of the path. */
export const onMonitor = monitors.on;

/** `options.silenced` inside POST and PUT still works: it replaces the monitor's mutes; absent = they stay. */
function keepSilenced(world: World, ask: Ask, monitor: Monitor): void {
  const sent = asObject(at(ask.body, 'options', 'silenced'));
  if (!sent) return;
  for (const one of world.org.silences.values())
    if (one.made === 'mute' && one.monitor === monitor.id) world.org.silences.delete(one.uuid);
  for (const [key, end] of Object.entries(sent)) {
    const made = { made: 'mute', creator: ask.caller.user.id, monitor: monitor.id, scope: key.split(',') } as const;
    silence(world.org, world.random, { ...made, end: typeof end === 'number' ? end * 1000 : null }, ask.now);
  }
}

/** Composites and objectives that need a monitor, in the service's words. */
function references(org: Org, monitor: Monitor): string[] {
  const composites = [...org.monitors.values()].filter((other) => other.members.includes(monitor.id));
  const objectives = [...org.objectives.values()].filter((other) => other.monitors.includes(monitor.id));
  const names = (list: readonly { id: string; name: string }[]): string =>
    list.map((one) => `[${one.id},${one.name}]`).join(', ');
  return [
    ...(objectives.length
      ? [`monitor [${monitor.id},${monitor.name}] is referenced in slos: ${names(objectives)}`]
      : []),
    ...(composites.length
      ? [`monitor [${monitor.id},${monitor.name}] is referenced in composite monitors: ${names(composites)}`]
      : []),
  ];
}

const canDelete: Handler = (ask, world) => {
  const ids = (ask.query.getAll('monitor_ids').join(',') || '').split(',').filter(Boolean);
  if (ids.length === 0) return refused(400, 'monitor_ids are required');
  const free: unknown[] = [];
  const errors: Record<string, string[]> = {};
  for (const id of ids) {
    const monitor = world.org.monitors.get(id);
    const reasons = monitor ? references(world.org, monitor) : ['Monitor not found'];
    if (reasons.length > 0) errors[id] = reasons;
    else free.push(numeric(id));
  }
  const held = Object.keys(errors).length > 0;
  return { status: held ? 409 : 200, body: { data: { ok: free }, errors: held ? errors : null } };
};

const validate: Handler = (ask, world) => {
  if (scopedLogKey(ask, at(ask.body, 'type'))) return scopedKey;
  const checked = checkDefinition(ask.body, world.org);
  return checked.ok ? ok({}) : refused(400, checked.text);
};

/** Monitors, by their path. */
export const monitorCollections = { '/api/v1/monitor': monitors };

/** What else is asked about monitors; downtimes and searches have their own files. */
export const monitorHandlers: Readonly<Record<string, Handler>> = {
  'monitors.get': get,
  'monitors.can-delete': canDelete,
  'monitors.validate': validate,
  'monitors.validate-existing': monitors.on((_, ask, world) => validate(ask, world)),
};

/** The scopes of a mute or a downtime, sent as a text or a list; empty = nothing was said. */
export function scopesOf(value: unknown): string[] {
  const list = asList(value) ?? (asText(value) === undefined ? [] : [value]);
  return list.map((value) => String(value).trim()).filter(Boolean);
}
