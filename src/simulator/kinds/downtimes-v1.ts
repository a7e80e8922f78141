import type { updateDowntimeV1 } from '../../api/downtimes.ts';
import { at } from '../../lib/object-paths.ts';
import { type CollectionList, collection } from '../server/collection.ts';
import { type ApiRequest, type ApiResponse, type Handler, isResponse, ok, refused } from '../server/handler.ts';
import type { Silence } from '../server/monitoring.ts';
import { readSentBody } from '../server/sent-body.ts';
import type { Org } from '../server/store.ts';
import { isTrue, numeric, seconds } from '../server/wire-values.ts';
import { onMonitor, parseScopes } from './monitors.ts';
import { cancel, downtimeStatus, matching, scopeKey, silence } from './silences.ts';

/** A downtime in the v1 response format (docs/contract/monitors.md#downtimes-of-v1); times in epoch seconds. */
export function showV1(org: Org, silence: Silence, now: number, withCreator = false): Record<string, unknown> {
  const status = downtimeStatus(silence, now);
  const creator = org.users.get(silence.creator);
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
    creator_id: creator?.number ?? null,
    updater_id: silence.updater === null ? null : (org.users.get(silence.updater)?.number ?? null),
    parent_id: null,
    child_id: null,
    downtime_type: scopeKey(silence.scope) === '*' ? 0 : hostOnly ? 1 : 2,
    mute_first_recovery_notification: silence.muteFirstRecovery,
    notify_end_states: silence.notifyStates,
    notify_end_types: silence.notifyTypes,
    ...(withCreator
      ? {
          creator: {
            id: creator?.number ?? null,
            email: creator?.email,
            handle: creator?.handle,
            name: creator?.name ?? null,
          },
        }
      : {}),
    ...silence.overrides,
  };
}

/** Every downtime of both versions, without mutes. */
const downtimesOf = (org: Org): Silence[] => [...org.silences.values()].filter((one) => one.made !== 'mute');

const isCurrent = (one: Silence, now: number): boolean => ['active', 'scheduled'].includes(downtimeStatus(one, now));

/** The list filter shared by v1 and v2. */
export const currentDowntimes: CollectionList<Silence> = {
  rows: (_, { org }) => downtimesOf(org),
  matches:
    ({ query, now }) =>
    (one) =>
      !isTrue(query.get('current_only')) || isCurrent(one, now),
};

/** The 404 of an unknown downtime, for v1 and v2. */
export const unknownDowntime = (id: string, { endpoint }: ApiRequest): ApiResponse =>
  refused(404, endpoint.verb === 'delete' ? `Downtime ${id} not found` : 'Downtime not found');

/** The silence fields of a v1 body, or the refusal. */
function read(request: ApiRequest, org: Org): Partial<Silence> | ApiResponse {
  const sent = readSentBody<typeof updateDowntimeV1>(request);
  const scope = parseScopes(sent.scope).flatMap((text) => text.split(','));
  if (sent.scope !== undefined && scope.length === 0) return refused(400, 'Invalid scope parameter');
  if (sent.recurrence != null) return refused(400, 'Invalid recurrence type');
  const monitor = sent.monitor_id == null ? undefined : String(sent.monitor_id);
  if (monitor !== undefined && !org.monitors.has(monitor)) return refused(400, 'Monitor not found');
  const { start, end, message, timezone, monitor_tags: monitorTags } = sent;
  return {
    ...(scope.length > 0 ? { scope, scopeText: scope.join(' AND ') } : {}),
    ...(start == null ? {} : { start: Number(start) * 1000 }),
    ...(end === undefined ? {} : { end: end === null ? null : Number(end) * 1000 }),
    ...(monitor === undefined ? {} : { monitor }),
    ...(monitorTags ? { monitorTags } : {}),
    ...(message == null ? {} : { message }),
    ...(timezone ? { timezone } : {}),
    ...(sent.mute_first_recovery_notification ? { muteFirstRecovery: true } : {}),
  };
}

/** The fields of a new v1 downtime; the scope is required. */
function newDowntime(request: ApiRequest, org: Org): Partial<Silence> | ApiResponse {
  if (at(request.body, 'scope') === undefined) return refused(400, 'Invalid scope parameter');
  const changes = read(request, org);
  if (isResponse(changes)) return changes;
  const { start = request.now, end = null } = changes;
  return end !== null && end <= start ? refused(400, 'Invalid end parameter') : changes;
}

const downtimes = collection<Silence>({
  rows: ({ org }) => org.silences,
  find: ({ params }, { org }) => downtimesOf(org).find(({ id }) => String(id) === params.downtime_id),
  missing: unknownDowntime,
  show: (one, { endpoint: { verb }, query, now }, { org }) =>
    showV1(org, one, now, verb === 'get' || (verb === 'list' && isTrue(query.get('with_creator')))),
  list: currentDowntimes,
  read: (request, { org }, before) => (before ? read(request, org) : newDowntime(request, org)),
  make: (changes, { caller, now }, { org, random }) =>
    silence(org, random, { made: 'v1', creator: caller.user.id, ...changes }, now),
  change: (one, changes, { caller, now }, { org }) => {
    Object.assign(one, changes, { modified: now, updater: caller.user.id });
    // Recorded: the response to an edit has no uuid.
    return ok({ ...showV1(org, one, now), uuid: null });
  },
  remove: (one, { now }) => cancel(one, now),
});

const byScope: Handler = (request, world) => {
  const scopes = parseScopes(at(request.body, 'scope'));
  if (scopes.length === 0) return refused(400, 'Expected scope');
  const key = scopeKey(scopes.flatMap((text) => text.split(',')));
  const ended = downtimesOf(world.org).filter((one) => isCurrent(one, request.now) && scopeKey(one.scope) === key);
  if (ended.length === 0) return refused(404, 'No downtimes found');
  for (const one of ended) cancel(one, request.now);
  return ok({ cancelled_ids: ended.map((one) => one.id).sort((a, b) => b - a) });
};

const ofMonitor = onMonitor((monitor, { now }, { org }) =>
  ok(matching(org, monitor, now).map(({ silence: one }) => showV1(org, one, now))),
);

/** The v1 downtime collection, by path. */
export const downtimeV1Collections = { '/api/v1/downtime': downtimes };

/** The other v1 downtime handlers, by endpoint id. */
export const downtimeV1Handlers: Readonly<Record<string, Handler>> = {
  'downtimes-v1.cancel-by-scope': byScope,
  'monitors.downtimes': ofMonitor,
};
