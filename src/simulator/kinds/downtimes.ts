import type { updateDowntime, updateDowntimeV1 } from '../../api/downtimes.ts';
import { nextWindows, wallText } from '../../lib/recurrence.ts';
import { isZone, wallTimeAt } from '../../lib/time.ts';
import { at, isUuid, present } from '../../lib/values.ts';
import { readTerms, singles } from '../query/search-terms.ts';
import { type CollectionList, collection, type Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Handler,
  iso,
  isResponse,
  isTrue,
  listParameter,
  numeric,
  offsetPage,
  ok,
  readSentBody,
  refused,
  type ServiceWorld,
  seconds,
} from '../server/handler.ts';
import type { Silence } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';
import { showCreator } from './monitor-view.ts';
import { onMonitor, parseScope } from './monitors.ts';
import { cancel, downtimeStatus, matching, scopeKey, silence, unordered } from './silences.ts';

/** A downtime in the v1 response format (docs/contract/monitors.md#downtimes-of-v1); times in epoch seconds. */
export function showV1(org: Org, silence: Silence, now: number, withCreator = false): Record<string, unknown> {
  const status = downtimeStatus(silence, now);
  const creator = showCreator(org, silence.creator);
  const hostOnly = silence.scope.every((tag) => tag.startsWith('host:'));
  return {
    id: silence.id,
    uuid: silence.uuid,
    monitor_id: silence.monitor === null ? null : numeric(silence.monitor),
    org_id: org.number,
    scope: silence.scope,
    monitor_tags: silence.monitorTags,
    start: seconds(silence.start),
    end: silence.end === null ? null : seconds(silence.end),
    message: silence.message,
    timezone: silence.timezone,
    recurrence: silence.rule ? { type: 'rrule', rrule: silence.rule.recurrences[0]?.rrule } : null,
    active: status === 'active',
    disabled: status === 'canceled',
    status,
    canceled: silence.canceled === null ? null : seconds(silence.canceled),
    created: seconds(silence.created),
    modified: seconds(silence.modified),
    creator_id: creator.id,
    updater_id: silence.updater === null ? null : (org.users.get(silence.updater)?.number ?? null),
    parent_id: null,
    child_id: null,
    downtime_type: scopeKey(silence.scope) === '*' ? 0 : hostOnly ? 1 : 2,
    mute_first_recovery_notification: silence.muteFirstRecovery,
    notify_end_states: silence.notifyStates,
    notify_end_types: silence.notifyTypes,
    ...(withCreator ? { creator } : {}),
  };
}

/** Every downtime of both versions, without mutes. */
const downtimesOf = (org: Org): Silence[] => [...org.silences.values()].filter((one) => one.made !== 'mute');

const isCurrent = (one: Silence, now: number): boolean => ['active', 'scheduled'].includes(downtimeStatus(one, now));

/** The list filter shared by v1 and v2. */
const currentDowntimes: CollectionList<Silence> = {
  rows: (_, { org }) => downtimesOf(org),
  matches:
    ({ query, now }) =>
    (one) =>
      !isTrue(query.get('current_only')) || isCurrent(one, now),
};

/** The 404 of an unknown downtime, for v1 and v2. */
const unknownDowntime = (id: string, { endpoint }: ApiRequest): ApiResponse =>
  refused(404, endpoint.verb === 'delete' ? `Downtime ${id} not found` : 'Downtime not found');

/** The silence fields of a v1 body, or the refusal. */
function readV1(request: ApiRequest, org: Org): Partial<Silence> | ApiResponse {
  const sent = readSentBody<typeof updateDowntimeV1>(request);
  const scope = parseScope(sent.scope);
  if (sent.scope !== undefined && scope.length === 0) return refused(400, 'Invalid scope parameter');
  if (sent.recurrence != null) return refused(400, 'Invalid recurrence type');
  const monitor = sent.monitor_id == null ? undefined : String(sent.monitor_id);
  if (monitor !== undefined && !org.monitors.has(monitor)) return refused(400, 'Monitor not found');
  const { start, end } = sent;
  return {
    ...(scope.length > 0 ? { scope, scopeText: scope.join(' AND ') } : {}),
    ...present({
      start: start == null ? undefined : Number(start) * 1000,
      end: end == null ? end : Number(end) * 1000,
      monitor,
      monitorTags: sent.monitor_tags ?? undefined,
      timezone: sent.timezone || undefined,
    }),
    ...notificationsIn(sent),
  };
}

/** What a downtime tells, by members that both kinds have. */
const notificationsIn = (
  sent: Pick<Attributes, 'message' | 'mute_first_recovery_notification' | 'notify_end_states' | 'notify_end_types'>,
) =>
  present({
    message: sent.message ?? undefined,
    muteFirstRecovery: sent.mute_first_recovery_notification ?? undefined,
    notifyStates: sent.notify_end_states ?? undefined,
    notifyTypes: sent.notify_end_types ?? undefined,
  });

/** The fields of a new v1 downtime; the scope is required. */
function newDowntimeV1(request: ApiRequest, org: Org): Partial<Silence> | ApiResponse {
  if (at(request.body, 'scope') === undefined) return refused(400, 'Invalid scope parameter');
  const changes = readV1(request, org);
  if (isResponse(changes)) return changes;
  const { start = request.now, end = null } = changes;
  return end !== null && end <= start ? refused(400, 'Invalid end parameter') : changes;
}

const downtimesV1 = collection<Silence>({
  rows: ({ org }) => org.silences,
  find: ({ params }, { org }) => downtimesOf(org).find(({ id }) => String(id) === params.downtime_id),
  missing: unknownDowntime,
  show: (one, { endpoint: { verb }, query, now }, { org }) =>
    showV1(org, one, now, verb === 'get' || (verb === 'list' && isTrue(query.get('with_creator')))),
  list: currentDowntimes,
  read: (request, { org }, before) => (before ? readV1(request, org) : newDowntimeV1(request, org)),
  make: (changes, { caller, now }, world) => silence(world, { made: 'v1', creator: caller.user.id, ...changes }, now),
  change: (one, changes, { caller, now }, { org }) => {
    Object.assign(one, changes, { modified: now, updater: caller.user.id });
    // Recorded: the response to an edit has no uuid.
    return ok({ ...showV1(org, one, now), uuid: null });
  },
  remove: (one, { now }) => cancel(one, now),
});

const byScope: Handler = (request, world) => {
  const scope = parseScope(at(request.body, 'scope'));
  if (scope.length === 0) return refused(400, 'Expected scope');
  const key = scopeKey(scope);
  const ended = downtimesOf(world.org).filter((one) => isCurrent(one, request.now) && scopeKey(one.scope) === key);
  if (ended.length === 0) return refused(404, 'No downtimes found');
  for (const one of ended) cancel(one, request.now);
  return ok({ cancelled_ids: ended.map((one) => one.id).sort((a, b) => b - a) });
};

const ofMonitor = onMonitor((monitor, { now }, { org }) =>
  ok(matching(org, monitor, now).map(({ silence: one }) => showV1(org, one, now))),
);

/** A downtime in the v2 response format (docs/contract/monitors.md#downtimes-of-v2). */
function show(silence: Silence, now: number, include: ReadonlySet<string>): Record<string, unknown> {
  const status = downtimeStatus(silence, now);
  const relationships: Record<string, unknown> = {};
  if (include.has('created_by')) relationships.created_by = { data: { id: silence.creator, type: 'users' } };
  if (include.has('monitor'))
    relationships.monitor = { data: silence.monitor === null ? null : { id: silence.monitor, type: 'monitor' } };
  return {
    id: silence.uuid,
    type: 'downtime',
    attributes: {
      scope: silence.scopeText,
      monitor_identifier:
        silence.monitor === null ? { monitor_tags: silence.monitorTags } : { monitor_id: numeric(silence.monitor) },
      schedule: showSchedule(silence),
      status,
      message: silence.message,
      created: iso(silence.created),
      modified: iso(silence.modified),
      canceled: silence.canceled === null ? null : iso(silence.canceled),
      display_timezone: silence.timezone || 'UTC',
      mute_first_recovery_notification: silence.muteFirstRecovery,
      notify_end_states: unordered(silence.notifyStates, silence.uuid + now),
      notify_end_types: unordered(silence.notifyTypes, silence.uuid + now),
    },
    ...(include.size > 0 ? { relationships } : {}),
  };
}

function showSchedule({ start, end, rule }: Silence): Record<string, unknown> {
  const times = { start: iso(start), end: end === null ? null : iso(end) };
  return rule ? { recurrences: rule.recurrences, timezone: rule.zone, current_downtime: times } : times;
}

const includeOf = ({ query }: ApiRequest): ReadonlySet<string> => new Set(listParameter(query, 'include'));

/** People and monitors of some downtimes; the monitor's id is an integer here, and text in the relationship. */
function included(world: ServiceWorld, rows: readonly Silence[], include: ReadonlySet<string>): unknown[] {
  const items: unknown[] = [];
  for (const id of new Set(rows.map((one) => one.creator))) {
    const user = include.has('created_by') ? world.org.users.get(id) : undefined;
    if (user)
      items.push({ id, type: 'users', attributes: { name: user.name, handle: user.handle, email: user.email } });
  }
  for (const id of new Set(rows.map((one) => one.monitor))) {
    const monitor = include.has('monitor') && id !== null ? world.org.monitors.get(id) : undefined;
    if (monitor) items.push({ id: numeric(monitor.id), type: 'monitor', attributes: { name: monitor.name } });
  }
  return items;
}

const sentAttributes = (request: ApiRequest) => readSentBody<typeof updateDowntime>(request).data?.attributes ?? {};

type Attributes = ReturnType<typeof sentAttributes>;
type Changes = Partial<Silence> | ApiResponse;

const noKey = refused(400, 'All values must have a key');

function readScope({ scope: text }: Attributes): Changes {
  if (text == null) return {};
  if (text.trim() === '*') return { scopeText: text, scope: ['*'] };
  const terms = readTerms(text);
  if (!terms.ok) return refused(400, `Invalid scope: ${terms.text}`);
  const pairs = singles(terms.term);
  if (pairs.length === 0 || pairs.some(({ field }) => field === null)) return noKey;
  return { scopeText: text, scope: pairs.map(({ field, value }) => `${field}:${value}`) };
}

function readTarget({ monitor_identifier: target }: Attributes, { org }: ServiceWorld): Changes {
  if (!target) return {};
  const id = target.monitor_id == null ? null : String(target.monitor_id);
  const tags = target.monitor_tags ?? [];
  if (id === null && tags.length === 0) return noKey;
  if (id !== null && !org.monitors.has(id)) return refused(400, `Monitor with id ${id} not found`);
  return { monitor: id, monitorTags: target.monitor_tags ?? ['*'] };
}

function readSchedule({ schedule }: Attributes, now: number, before?: Silence): Changes {
  if (schedule?.recurrences) return readRecurrences(schedule.recurrences, schedule.timezone ?? 'UTC', now);
  const [start, end] = [schedule?.start, schedule?.end].map((time) => (time == null ? time : Date.parse(time)));
  const wrong = Number.isNaN(start) ? schedule?.start : Number.isNaN(end) ? schedule?.end : undefined;
  if (wrong !== undefined) return refused(400, `Invalid datetime: '${wrong}'`);
  const isOnce = before?.rule && (start !== undefined || end !== undefined);
  return present({ start: start === null ? now : start, end, rule: isOnce ? null : undefined });
}

function readRecurrences(
  sent: NonNullable<NonNullable<Attributes['schedule']>['recurrences']>,
  zone: string,
  now: number,
): Changes {
  const here = wallTimeAt(now, zone);
  const recurrences = sent.map(({ start, duration, rrule }) => ({
    start: start ?? wallText(here),
    duration: duration ?? '',
    rrule: rrule ?? '',
  }));
  if (!isZone(zone)) return refused(400, `Invalid timezone: '${zone}'`);
  if (recurrences.some(({ duration }) => !/^\d+[mhdw]$/.test(duration))) return refused(400, 'Invalid duration');
  const windows = nextWindows(recurrences, zone, now, 1);
  const [first] = windows ?? [];
  if (!first) return refused(400, windows ? 'The schedule has no windows ahead' : 'Invalid rrule');
  return { ...first, rule: { zone, recurrences } };
}

/** The silence fields of a v2 body, or the refusal. */
function read(request: ApiRequest, world: ServiceWorld, before?: Silence): Changes {
  const sent = sentAttributes(request);
  const parts = [readScope(sent), readTarget(sent, world), readSchedule(sent, request.now, before)];
  const timezone = sent.display_timezone ?? undefined;
  const zone = present({ timezone: timezone === '' ? 'UTC' : timezone });
  return parts.find(isResponse) ?? Object.assign({}, ...parts, zone, notificationsIn(sent));
}

/** The fields of a new v2 downtime; scope and monitors are required. */
function newDowntime(request: ApiRequest, world: ServiceWorld): Changes {
  const changes = read(request, world);
  if (isResponse(changes)) return changes;
  if (changes.scopeText === undefined || changes.monitorTags === undefined) return noKey;
  const { start = request.now, end = null } = changes;
  return end !== null && end <= start ? refused(400, 'The end must be after the start') : changes;
}

const downtimes = collection<Silence>({
  rows: ({ org }) => org.silences,
  refuses: ({ endpoint, params }) =>
    endpoint.verb === 'create' || isUuid(params.downtime_id ?? '')
      ? undefined
      : refused(400, 'Invalid URL param: downtime_id must be an uuid'),
  find: ({ params }, { org }) => {
    const one = org.silences.get((params.downtime_id ?? '').toLowerCase());
    return one?.made === 'mute' ? undefined : one;
  },
  missing: unknownDowntime,
  show: (one, request) => show(one, request.now, includeOf(request)),
  beside: (rows, request, world) => {
    const include = includeOf(request);
    return include.size > 0 ? { included: included(world, rows, include) } : {};
  },
  list: {
    ...currentDowntimes,
    page: offsetPage(30, 100),
    meta: (found) => ({ page: { total_filtered_count: found } }),
  },
  read: (request, world, before) => (before ? read(request, world, before) : newDowntime(request, world)),
  make: (changes, { caller, now }, world) => silence(world, { made: 'v2', creator: caller.user.id, ...changes }, now),
  change: (one, changes, { caller, now }) => {
    Object.assign(one, changes, { modified: now, updater: caller.user.id });
  },
  // A delete cancels the downtime, which stays in the list.
  remove: (one, { now }) => cancel(one, now),
});

const matches: Handler = (request, world) => {
  const id = request.params.monitor_id ?? '';
  const monitor = world.org.monitors.get(id);
  if (!monitor) return refused(404, `Monitor with id ${id} not found`);
  const all = matching(world.org, monitor, request.now);
  const rows = offsetPage(30, 1000)(request.query, all);
  return ok({
    data: rows.map(({ silence, groups }) => ({
      type: 'downtime_match',
      id: silence.uuid,
      attributes: {
        groups,
        scope: silence.scopeText,
        start: iso(silence.start),
        end: silence.end === null ? null : iso(silence.end),
      },
    })),
    meta: { page: { total_filtered_count: all.length } },
  });
};

/** Operations of downtimes of both kinds. */
export const downtimeOperations: Operations = {
  '/api/v1/downtime': downtimesV1,
  'downtimes-v1.cancel-by-scope': byScope,
  'monitors.downtimes': ofMonitor,
  '/api/v2/downtime': downtimes,
  'monitors.downtime-matches': matches,
};
