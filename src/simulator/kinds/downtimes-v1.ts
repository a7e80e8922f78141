import {
  type Answer,
  type Ask,
  asList,
  asNumber,
  asText,
  at,
  gone,
  type Handler,
  isAnswer,
  isTrue,
  numeric,
  ok,
  refused,
  seconds,
} from '../server/answer.ts';
import type { Org, Silence } from '../server/store.ts';
import { monitorOf, scopesOf } from './monitors.ts';
import { cancel, keyOf, matching, silence, statusOf } from './silences.ts';

/** A downtime as the first version shows it (contract/monitors.md 2.10); seconds. */
export function showV1(org: Org, one: Silence, now: number, withCreator = false): Record<string, unknown> {
  const status = statusOf(one, now);
  const creator = org.users.get(one.creator);
  const hostOnly = one.scope.every((tag) => tag.startsWith('host:'));
  return {
    id: one.id,
    uuid: one.uuid,
    monitor_id: one.monitor === null ? null : numeric(one.monitor),
    org_id: org.number,
    scope: one.scope,
    monitor_tags: one.monitorTags,
    start: seconds(one.start),
    end: one.end === null ? null : seconds(one.end),
    message: one.message,
    timezone: one.timezone,
    recurrence: null,
    active: status === 'active',
    disabled: status === 'canceled',
    status,
    canceled: one.canceled === null ? null : seconds(one.canceled),
    created: seconds(one.created),
    modified: seconds(one.modified),
    creator_id: creator?.number ?? null,
    updater_id: one.updater === null ? null : (org.users.get(one.updater)?.number ?? null),
    parent_id: null,
    child_id: null,
    downtime_type: keyOf(one.scope) === '*' ? 0 : hostOnly ? 1 : 2,
    mute_first_recovery_notification: one.muteFirstRecovery,
    notify_end_states: one.notifyStates,
    notify_end_types: one.notifyTypes,
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
    ...one.overrides,
  };
}

/** Every downtime, whichever version made it; mutes are not among them. */
export const downtimesOf = (org: Org): Silence[] => [...org.silences.values()].filter((one) => one.made !== 'mute');

const isCurrent = (one: Silence, now: number): boolean => ['active', 'scheduled'].includes(statusOf(one, now));

const list: Handler = (ask, world) => {
  const rows = downtimesOf(world.org).filter(
    (one) => !isTrue(ask.query.get('current_only')) || isCurrent(one, ask.now),
  );
  return ok(rows.map((one) => showV1(world.org, one, ask.now, isTrue(ask.query.get('with_creator')))));
};

function found(ask: Ask, org: Org, text = 'Downtime not found'): Silence | Answer {
  const id = ask.params.downtime_id ?? '';
  return downtimesOf(org).find((one) => String(one.id) === id) ?? refused(404, text);
}

const get: Handler = (ask, world) => {
  const one = found(ask, world.org);
  return isAnswer(one) ? one : ok(showV1(world.org, one, ask.now, true));
};

/** The fields of a body, or the service's refusal. */
function read(ask: Ask, org: Org): Partial<Silence> | Answer {
  const changes: Partial<Silence> = {};
  const body = ask.body;
  if (at(body, 'scope') !== undefined) {
    const scope = scopesOf(at(body, 'scope')).flatMap((text) => text.split(','));
    if (scope.length === 0) return refused(400, 'Invalid scope parameter');
    changes.scope = scope;
    changes.scopeText = scope.join(' AND ');
  }
  if ((at(body, 'recurrence') ?? null) !== null) return refused(400, 'Invalid recurrence type');
  for (const name of ['start', 'end'] as const) {
    const value = at(body, name);
    if (value === undefined || (value === null && name === 'start')) continue;
    const number = asNumber(value);
    if (value !== null && Number.isNaN(number)) return refused(400, `Invalid ${name} parameter`);
    if (name === 'start') changes.start = number * 1000;
    else changes.end = value === null ? null : number * 1000;
  }
  const monitor = asText(at(body, 'monitor_id'));
  if (monitor !== undefined && !org.monitors.has(monitor)) return refused(400, 'Monitor not found');
  if (monitor !== undefined) changes.monitor = monitor;
  const tags = asList(at(body, 'monitor_tags'))?.map(String);
  if (tags) changes.monitorTags = tags;
  const message = asText(at(body, 'message'));
  if (message !== undefined) changes.message = message;
  const timezone = asText(at(body, 'timezone'));
  if (timezone) changes.timezone = timezone;
  if (at(body, 'mute_first_recovery_notification') === true) changes.muteFirstRecovery = true;
  return changes;
}

const create: Handler = (ask, world) => {
  if (at(ask.body, 'scope') === undefined) return refused(400, 'Invalid scope parameter');
  const changes = read(ask, world.org);
  if (isAnswer(changes)) return changes;
  const start = changes.start ?? ask.now;
  if (changes.end !== undefined && changes.end !== null && changes.end <= start)
    return refused(400, 'Invalid end parameter');
  const one = silence(world.org, world.random, { made: 'v1', creator: ask.caller.user.id, ...changes }, ask.now);
  return ok(showV1(world.org, one, ask.now));
};

const update: Handler = (ask, world) => {
  const one = found(ask, world.org);
  if (isAnswer(one)) return one;
  const changes = read(ask, world.org);
  if (isAnswer(changes)) return changes;
  Object.assign(one, changes, { modified: ask.now, updater: ask.caller.user.id });
  // Recorded: the answer to an edit has no uuid.
  return ok({ ...showV1(world.org, one, ask.now), uuid: null });
};

const remove: Handler = (ask, world) => {
  const one = found(ask, world.org, `Downtime ${ask.params.downtime_id} not found`);
  if (isAnswer(one)) return one;
  cancel(one, ask.now);
  return gone;
};

const byScope: Handler = (ask, world) => {
  const scopes = scopesOf(at(ask.body, 'scope'));
  if (scopes.length === 0) return refused(400, 'Expected scope');
  const key = keyOf(scopes.flatMap((text) => text.split(',')));
  const ended = downtimesOf(world.org).filter((one) => isCurrent(one, ask.now) && keyOf(one.scope) === key);
  if (ended.length === 0) return refused(404, 'No downtimes found');
  for (const one of ended) cancel(one, ask.now);
  return ok({ cancelled_ids: ended.map((one) => one.id).sort((a, b) => b - a) });
};

const ofMonitor: Handler = (ask, world) => {
  const it = monitorOf(ask, world.org);
  if (isAnswer(it)) return it;
  return ok(matching(world.org, it, ask.now).map(({ silence: one }) => showV1(world.org, one, ask.now)));
};

/** Operations on downtimes of the first version, by the id of the endpoint. */
export const downtimeV1Handlers: Readonly<Record<string, Handler>> = {
  'downtimes-v1.list': list,
  'downtimes-v1.get': get,
  'downtimes-v1.create': create,
  'downtimes-v1.update': update,
  'downtimes-v1.delete': remove,
  'downtimes-v1.cancel-by-scope': byScope,
  'monitors.downtimes': ofMonitor,
};
