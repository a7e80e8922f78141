import { commaWords } from '../../lib/text.ts';
import { at } from '../../lib/values.ts';
import { collection, type Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  asList,
  asObject,
  asText,
  countParameter,
  filterMatches,
  type Handler,
  isTrue,
  listParameter,
  numeric,
  ok,
  type Pager,
  refused,
  type ServiceWorld,
} from '../server/handler.ts';
import type { StoredMonitor } from '../server/monitoring.ts';
import { monitorsById, type Org } from '../server/store.ts';
import {
  checkDefinition,
  defineMonitor,
  findDuplicate,
  makeMonitor,
  sameKind,
  scopedLogKey,
  storeMonitor,
} from './monitor-check.ts';
import { isPartOf, type MonitorResponse, settle, settleComposites, showMonitor } from './monitor-view.ts';
import { silence } from './silences.ts';
import { isAdmin } from './users.ts';

const notFound = refused(404, 'Monitor not found');
const scopedKey = refused(403, 'Forbidden', 'This API does not support scoped app keys');

/** The refusal to edit a locked (401) or restricted (403) monitor; else undefined. */
export function editRefusal(request: ApiRequest, world: ServiceWorld, monitor: StoredMonitor): ApiResponse | undefined {
  const { user } = request.caller;
  if (monitor.restrictedRoles?.length && !monitor.restrictedRoles.some((role) => user.roles.includes(role))) {
    return refused(403, 'Forbidden', 'Failed permission authorization checks');
  }
  const locked = monitor.options.locked === true && monitor.creator !== user.id && !isAdmin(world.org, user);
  return locked ? refused(401, 'You do not have permissions to update this locked monitor.') : undefined;
}

/** `group_states` as lower-case words; null = absent; undefined = invalid. */
function groupStates(query: URLSearchParams): ReadonlySet<string> | null | undefined {
  const text = query.get('group_states');
  if (text === null || text === '') return null;
  const words = text.split(',').map((word) => word.trim().toLowerCase());
  if (!words.every((word) => ['all', 'alert', 'warn', 'no data', 'ok'].includes(word))) return undefined;
  return new Set(words.includes('all') ? ['alert', 'warn', 'no data', 'ok', 'ignored', 'skipped', 'unknown'] : words);
}

const badStates = refused(400, 'Invalid group_state filters.');

const hasGroup = (monitor: StoredMonitor, states: ReadonlySet<string>): boolean =>
  [...monitor.groups.values()].some((group) => states.has(group.status.toLowerCase()));

/** Pages by `id_offset` or by `page`; without both one response has everything (docs/contract/monitors.md#list). */
const pageOf: Pager<StoredMonitor> = (query, rows) => {
  const size = Math.max(1, countParameter(query, 'page_size', 100, 1000));
  const offset = query.get('id_offset');
  if (offset !== null && /^\d+$/.test(offset)) {
    const after = BigInt(offset);
    const begin = rows.findIndex((row) => BigInt(row.id) > after);
    return begin < 0 ? [] : rows.slice(begin, begin + size);
  }
  if (query.get('page') === null) return rows;
  const page = countParameter(query, 'page', 0, Number.MAX_SAFE_INTEGER);
  return rows.slice(page * size, (page + 1) * size);
};

/** The fields of the response to each verb. */
function viewOf({ endpoint: { verb }, query }: ApiRequest): MonitorResponse {
  const states = groupStates(query);
  const groups = states ? { groups: states } : {};
  if (verb === 'list') return { creator: true, downtimes: true, ...groups };
  if (verb !== 'get') return { creator: verb === 'create', assets: true, policy: true };
  const [downtimes, assets] = [isTrue(query.get('with_downtimes')), isTrue(query.get('with_assets'))];
  return { creator: true, downtimes, assets, ...groups };
}

type Definition = Readonly<Record<string, unknown>>;

/** The validated definition of a new monitor, or the refusal. */
function newMonitor(request: ApiRequest, { org }: ServiceWorld): Definition | ApiResponse {
  if (scopedLogKey(request, at(request.body, 'type'))) return scopedKey;
  const checked = checkDefinition(request.body, org);
  return checked.ok ? (asObject(request.body) ?? {}) : refused(400, checked.text);
}

/** The validated changes of a monitor, or the refusal. */
function changesIn(request: ApiRequest, { org }: ServiceWorld, before: StoredMonitor): Definition | ApiResponse {
  if (scopedLogKey(request, before.type)) return scopedKey;
  const body = asObject(request.body);
  if (!body) return refused(400, 'The request body is invalid');
  const type = asText(body.type);
  if (type && !sameKind(type, before.type)) return refused(400, 'Monitor type change not allowed');
  const options = asObject(body.options) ?? { ...before.options };
  // Stored thresholds do not apply to a new query that was sent without options.
  if (!asObject(body.options) && body.query !== undefined) delete options.thresholds;
  const checked = checkDefinition({ query: before.query, ...body, type: before.type, options }, org);
  if (!checked.ok) return refused(400, checked.text);
  return body.query !== undefined && !body.options ? { ...body, options } : body;
}

const monitors = collection<StoredMonitor, Definition>({
  rows: ({ org }) => org.monitors,
  refuses: ({ endpoint, params }) =>
    endpoint.verb === 'create' || /^\d+$/.test(params.monitor_id ?? '')
      ? undefined
      : refused(400, 'Invalid monitor ID.'),
  missing: () => notFound,
  show: (monitor, request, world) => showMonitor(world, monitor, viewOf(request), request.now),
  list: {
    rows: (_, { org }) => monitorsById(org),
    matches: ({ query }) => {
      const states = groupStates(query);
      if (states === undefined) return badStates;
      const isMentioned = filterMatches(query, 'name');
      const [scope, own] = [listParameter(query, 'tags'), listParameter(query, 'monitor_tags')];
      return (monitor) =>
        isMentioned(monitor.name) &&
        scope.every((tag) => monitor.parts().scope.includes(tag)) &&
        own.every((tag) => monitor.tags.includes(tag)) &&
        (!states || query.get('group_states')?.includes('all') || hasGroup(monitor, states));
    },
    page: pageOf,
  },
  refusesEdit: (monitor, request, world) => editRefusal(request, world, monitor),
  read: (request, world, before) => (before ? changesIn(request, world, before) : newMonitor(request, world)),
  make: (body, request, world) => {
    const { org } = world;
    const monitor = makeMonitor(org, body, { creator: request.caller.user.id, now: request.now });
    const duplicate = findDuplicate(org, monitor);
    if (duplicate) return refused(400, `Duplicate of an existing monitor_id:${duplicate.id} org_id:${org.number}`);
    storeMonitor(org, monitor);
    storeSilenced(world, request, monitor);
    return monitor;
  },
  change: (monitor, body, request, world) => {
    defineMonitor(monitor, body);
    monitor.modified = request.now;
    storeSilenced(world, request, monitor);
    if (monitor.type === 'composite') settle(world.org, monitor, request.now);
  },
  remove: (monitor, { query, now }, { org }) => {
    const reasons = references(org, monitor);
    if (reasons.length > 0 && !isTrue(query.get('force'))) return refused(401, ...reasons);
    org.monitors.delete(monitor.id);
    settleComposites(org, monitor, now);
    return ok({ deleted_monitor_id: numeric(monitor.id) });
  },
});

/** A handler for an operation on the monitor of the path. */
export const onMonitor = monitors.on;

/** Replaces the monitor's mutes by `options.silenced` of a create or update; keeps them when it is absent. */
function storeSilenced(world: ServiceWorld, request: ApiRequest, monitor: StoredMonitor): void {
  const sent = asObject(at(request.body, 'options.silenced'));
  if (!sent) return;
  for (const one of world.org.silences.values())
    if (one.made === 'mute' && one.monitor === monitor.id) world.org.silences.delete(one.uuid);
  for (const [key, end] of Object.entries(sent)) {
    const made = { made: 'mute', creator: request.caller.user.id, monitor: monitor.id, scope: key.split(',') } as const;
    silence(world, { ...made, end: typeof end === 'number' ? end * 1000 : null }, request.now);
  }
}

/** The service's error texts for composites and objectives that refer to a monitor. */
function references(org: Org, monitor: StoredMonitor): string[] {
  const composites = [...org.monitors.values()].filter((other) => isPartOf(other, monitor));
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

const canDelete: Handler = (request, world) => {
  const ids = listParameter(request.query, 'monitor_ids');
  if (ids.length === 0) return refused(400, 'monitor_ids are required');
  const deletable: unknown[] = [];
  const errors: Record<string, string[]> = {};
  for (const id of ids) {
    const monitor = world.org.monitors.get(id);
    const reasons = monitor ? references(world.org, monitor) : ['Monitor not found'];
    if (reasons.length > 0) errors[id] = reasons;
    else deletable.push(numeric(id));
  }
  const isBlocked = Object.keys(errors).length > 0;
  return { status: isBlocked ? 409 : 200, body: { data: { ok: deletable }, errors: isBlocked ? errors : null } };
};

const validate: Handler = (request, world) => {
  if (scopedLogKey(request, at(request.body, 'type'))) return scopedKey;
  const checked = checkDefinition(request.body, world.org);
  return checked.ok ? ok({}) : refused(400, checked.text);
};

/** Operations of monitors, without downtimes, mutes and searches. */
export const monitorOperations: Operations = {
  '/api/v1/monitor': monitors,
  'monitors.get': monitors.on((_, request, world) =>
    groupStates(request.query) === undefined ? badStates : monitors.get(request, world),
  ),
  'monitors.can-delete': canDelete,
  'monitors.validate': validate,
  'monitors.validate-existing': monitors.on((_, request, world) => validate(request, world)),
};

/** The tags of a scope of a mute or a downtime, sent as text with commas or as a list; empty when absent. */
export const parseScope = (value: unknown): string[] =>
  (asList(value) ?? [value]).flatMap((one) => commaWords(asText(one)));
