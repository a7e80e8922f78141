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
import { type Monitor, monitorsById, type Org } from '../server/store.ts';
import { checkDefinition, duplicateOf, scopedLogKey } from './monitor-check.ts';
import { defineMonitor, keepMonitor, makeMonitor, sameKind } from './monitor-make.ts';
import { settle } from './monitor-states.ts';
import { showMonitor } from './monitor-view.ts';
import { isAdmin } from './permissions.ts';
import { silence } from './silences.ts';

const notFound = refused(404, 'Monitor not found');
const scopedKey = refused(403, 'Forbidden', 'This API does not support scoped app keys');

/** The monitor of the path, or the answer that says there is none. */
export function monitorOf(ask: Ask, org: Org): Monitor | Answer {
  const id = ask.params.monitor_id ?? '';
  if (!/^\d+$/.test(id)) return refused(400, 'Invalid monitor ID.');
  return org.monitors.get(id) ?? notFound;
}

/** The refusal for a monitor that is locked (401) or kept for some roles (403); undefined = go on. */
export function guarded(ask: Ask, world: World, it: Monitor): Answer | undefined {
  const { user } = ask.caller;
  if (it.restrictedRoles?.length && !it.restrictedRoles.some((role) => user.roles.includes(role))) {
    return refused(403, 'Forbidden', 'Failed permission authorization checks');
  }
  const locked = it.options.locked === true && it.creator !== user.id && !isAdmin(world.org, user);
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

const list: Handler = (ask, world) => {
  const states = groupStates(ask.query);
  if (states === undefined) return badStates;
  const words = (name: string): string[] => (ask.query.get(name) ?? '').split(',').filter(Boolean);
  const name = ask.query.get('name')?.toLowerCase();
  const scope = words('tags');
  const own = words('monitor_tags');
  const rows = monitorsById(world.org).filter(
    (it) =>
      (!name || it.name.toLowerCase().includes(name)) &&
      scope.every((tag) => it.context.scope.includes(tag)) &&
      own.every((tag) => it.tags.includes(tag)) &&
      (!states || ask.query.get('group_states')?.includes('all') || hasGroup(it, states)),
  );
  const view = { creator: true, downtimes: true, ...(states ? { groups: states } : {}) };
  return ok(pageOf(rows, ask.query).map((it) => showMonitor(world, it, view, ask.now)));
};

const hasGroup = (it: Monitor, states: ReadonlySet<string>): boolean =>
  it.members.length > 0
    ? states.has(it.overall.toLowerCase())
    : [...it.groups.values()].some((group) => states.has(group.status.toLowerCase()));

/** `id_offset` walks by id; `page` counts; without either everything comes at once (contract/monitors.md 2.2). */
function pageOf(rows: readonly Monitor[], query: URLSearchParams): Monitor[] {
  const size = Math.max(1, count(query, 'page_size', 100, 1000));
  const offset = query.get('id_offset');
  if (offset !== null && /^\d+$/.test(offset)) {
    const after = BigInt(offset);
    const begin = rows.findIndex((it) => BigInt(it.id) > after);
    return begin < 0 ? [] : rows.slice(begin, begin + size);
  }
  if (query.get('page') === null) return [...rows];
  const page = count(query, 'page', 0, Number.MAX_SAFE_INTEGER);
  return rows.slice(page * size, (page + 1) * size);
}

const get: Handler = (ask, world) => {
  const it = monitorOf(ask, world.org);
  if (isAnswer(it)) return it;
  const states = groupStates(ask.query);
  if (states === undefined) return badStates;
  const view = {
    creator: true,
    downtimes: isTrue(ask.query.get('with_downtimes')),
    assets: isTrue(ask.query.get('with_assets')),
    ...(states ? { groups: states } : {}),
  };
  return ok(showMonitor(world, it, view, ask.now));
};

const create: Handler = (ask, world) => {
  const type = at(ask.body, 'type');
  if (scopedLogKey(ask, type)) return scopedKey;
  const checked = checkDefinition(ask.body, world.org);
  if (!checked.ok) return refused(400, checked.text);
  const it = makeMonitor(world.org, ask.body, { creator: ask.caller.user.id, now: ask.now });
  const twin = duplicateOf(world.org, it);
  if (twin) return refused(400, `Duplicate of an existing monitor_id:${twin.id} org_id:${world.org.number}`);
  keepMonitor(world.org, it);
  keepSilenced(world, ask, it);
  return ok(showMonitor(world, it, { creator: true, assets: true, policy: true }, ask.now));
};

const update: Handler = (ask, world) => {
  const it = monitorOf(ask, world.org);
  if (isAnswer(it)) return it;
  const barred = guarded(ask, world, it);
  if (barred) return barred;
  const body = asObject(ask.body);
  if (!body) return refused(400, 'The request body is invalid');
  const type = asText(body.type);
  if (type && !sameKind(type, it.type)) return refused(400, 'Monitor type change not allowed');
  const options = asObject(body.options) ?? { ...it.options };
  // Thresholds of the stored query do not bind a new one when the client sent only the query.
  if (!asObject(body.options) && body.query !== undefined) delete options.thresholds;
  const checked = checkDefinition({ query: it.query, ...body, type: it.type, options }, world.org);
  if (!checked.ok) return refused(400, checked.text);
  defineMonitor(it, body.query !== undefined && !body.options ? { ...body, options } : body);
  it.modified = ask.now;
  keepSilenced(world, ask, it);
  if (it.type === 'composite') settle(world.org, it, ask.now);
  return ok(showMonitor(world, it, { assets: true, policy: true }, ask.now));
};

/** `options.silenced` inside POST and PUT still works: it replaces the monitor's mutes; absent = they stay. */
function keepSilenced(world: World, ask: Ask, it: Monitor): void {
  const sent = asObject(at(ask.body, 'options', 'silenced'));
  if (!sent) return;
  for (const one of world.org.silences.values())
    if (one.made === 'mute' && one.monitor === it.id) world.org.silences.delete(one.uuid);
  for (const [key, end] of Object.entries(sent)) {
    const made = { made: 'mute', creator: ask.caller.user.id, monitor: it.id, scope: key.split(',') } as const;
    silence(world.org, world.random, { ...made, end: typeof end === 'number' ? end * 1000 : null }, ask.now);
  }
}

/** Composites and objectives that need a monitor, in the service's words. */
function references(org: Org, it: Monitor): string[] {
  const composites = [...org.monitors.values()].filter((other) => other.members.includes(it.id));
  const objectives = [...org.objectives.values()].filter((other) => other.monitors.includes(it.id));
  const names = (list: readonly { id: string; name: string }[]): string =>
    list.map((one) => `[${one.id},${one.name}]`).join(', ');
  return [
    ...(objectives.length ? [`monitor [${it.id},${it.name}] is referenced in slos: ${names(objectives)}`] : []),
    ...(composites.length
      ? [`monitor [${it.id},${it.name}] is referenced in composite monitors: ${names(composites)}`]
      : []),
  ];
}

const remove: Handler = (ask, world) => {
  const it = monitorOf(ask, world.org);
  if (isAnswer(it)) return it;
  const barred = guarded(ask, world, it);
  if (barred) return barred;
  const reasons = references(world.org, it);
  if (reasons.length > 0 && !isTrue(ask.query.get('force'))) return refused(401, ...reasons);
  world.org.monitors.delete(it.id);
  world.org.sorted = null;
  return ok({ deleted_monitor_id: numeric(it.id) });
};

const canDelete: Handler = (ask, world) => {
  const ids = (ask.query.getAll('monitor_ids').join(',') || '').split(',').filter(Boolean);
  if (ids.length === 0) return refused(400, 'monitor_ids are required');
  const free: unknown[] = [];
  const errors: Record<string, string[]> = {};
  for (const id of ids) {
    const it = world.org.monitors.get(id);
    const reasons = it ? references(world.org, it) : ['Monitor not found'];
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

const validateExisting: Handler = (ask, world) => {
  const it = monitorOf(ask, world.org);
  return isAnswer(it) ? it : validate(ask, world);
};

/** Downtimes and searches have their own files. */
export const monitorHandlers: Readonly<Record<string, Handler>> = {
  'monitors.list': list,
  'monitors.get': get,
  'monitors.create': create,
  'monitors.update': update,
  'monitors.delete': remove,
  'monitors.can-delete': canDelete,
  'monitors.validate': validate,
  'monitors.validate-existing': validateExisting,
};

/** The scopes of a mute or a downtime, sent as a text or a list; empty = nothing was said. */
export function scopesOf(value: unknown): string[] {
  const list = asList(value) ?? (asText(value) === undefined ? [] : [value]);
  return list.map((it) => String(it).trim()).filter(Boolean);
}
