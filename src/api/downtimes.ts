import * as v from 'valibot';
import type { Call } from './endpoint.ts';
import {
  anyMoment,
  anything,
  createBody,
  fields,
  flag,
  id,
  int,
  many,
  moment,
  offsetPages,
  one,
  queryOf,
  resource,
  resourceOperations,
  searchTerms,
  text,
  toOne,
  updateBody,
} from './envelope.ts';

/** `scope` of a downtime of the first kind: one text or a list. */
const scopes = v.union([v.array(text), text]);

/** A downtime as a monitor lists it (docs/contract/monitors.md#monitor); epoch seconds, `end` null = forever. */
export const matchingDowntime = fields({
  id,
  scope: scopes,
  start: anyMoment,
  end: anyMoment,
  active: flag,
  monitor_id: id,
  groups: v.array(text),
});

/** What a person can set of a downtime of the first kind (docs/contract/monitors.md#downtimes-of-v1); epoch seconds. */
const settableV1 = {
  scope: scopes,
  monitor_id: id,
  monitor_tags: v.array(text),
  start: int,
  end: int,
  message: text,
  timezone: text,
  recurrence: anything,
  mute_first_recovery_notification: flag,
  notify_end_states: v.array(text),
  notify_end_types: v.array(text),
};

/** Body of create and update of the first kind. */
const downtimeV1Edit = fields(settableV1);

/** A downtime of the first kind (docs/contract/monitors.md#downtimes-of-v1). Older answers lack `status`, `uuid`, `created`. */
export const downtimeV1 = fields({
  ...settableV1,
  id,
  org_id: id,
  uuid: text,
  active: flag,
  disabled: flag,
  status: searchTerms('scheduled', 'active', 'ended', 'canceled'),
  canceled: int,
  created: int,
  modified: int,
  creator_id: id,
  updater_id: id,
  creator: fields({ id: anything, email: text, handle: text, name: text }),
  parent_id: id,
  child_id: id,
  downtime_type: int,
});

/** When: `start` and `end` once, or rules that repeat in a zone, whose `start` is local time without an offset. */
const schedule = {
  start: moment,
  end: moment,
  recurrences: v.array(fields({ start: text, duration: text, rrule: text })),
  timezone: text,
};

/** What a person can set of a downtime of the second kind (docs/contract/monitors.md#downtimes-of-v2); moments are ISO 8601 in UTC. */
const settings = fields({
  scope: text,
  monitor_identifier: fields({ monitor_id: id, monitor_tags: v.array(text) }),
  schedule: fields(schedule),
  message: text,
  display_timezone: text,
  mute_first_recovery_notification: flag,
  notify_end_states: v.array(text),
  notify_end_types: v.array(text),
});

/** A downtime of the second kind. Relationships come only with `include`. */
const downtime = resource(
  'downtime',
  {
    ...settings.entries,
    schedule: fields({ ...schedule, current_downtime: fields({ start: moment, end: moment }) }),
    status: searchTerms('active', 'scheduled', 'ended', 'canceled'),
    created: moment,
    modified: moment,
    canceled: moment,
  },
  { created_by: toOne, monitor: toOne },
);

/** A downtime that matches a monitor now or soon (docs/contract/monitors.md#downtimes-of-v2); moments are ISO 8601. */
export const downtimeMatch = resource('downtime_match', {
  groups: v.array(text),
  scope: text,
  start: anyMoment,
  end: anyMoment,
});

type Settings = v.InferOutput<typeof settings>;

const settingsOf = (body: unknown): Settings =>
  (body as { data?: { attributes?: Settings } | null } | null)?.data?.attributes ?? {};

const rulesOf = ({ schedule }: Settings): string =>
  (schedule?.recurrences ?? []).map(({ start, duration, rrule }) => `${start} ${duration} ${rrule}`).join();

/**
 * Whether the downtime that was read back has the monitor, times, rules, scope and message that were sent; one moment has many
 * spellings, and a start of null becomes that of the edit.
 */
function isChanged(sent: Call, read: unknown): boolean {
  const ours = settingsOf(sent.body);
  const theirs = settingsOf(read);
  const same = (one?: string | null, other?: string | null) =>
    one === other || (one == null && other == null) || Date.parse(one ?? '') === Date.parse(other ?? '');
  const monitor = ours.monitor_identifier?.monitor_id;
  return (
    (monitor === undefined || String(monitor) === String(theirs.monitor_identifier?.monitor_id)) &&
    (ours.schedule?.start == null || same(ours.schedule.start, theirs.schedule?.start)) &&
    (ours.schedule?.end === undefined || same(ours.schedule.end, theirs.schedule?.end)) &&
    (ours.schedule?.recurrences == null || rulesOf(ours) === rulesOf(theirs)) &&
    (ours.scope === undefined || ours.scope === theirs.scope) &&
    (ours.message === undefined || ours.message === theirs.message)
  );
}

/** Every edit of a downtime changes which monitors are silent. */
const silences = ['monitor', 'downtime_match'];
const ofVersion1 = resourceOperations({
  path: '/api/v1/downtime',
  item: 'downtime_id',
  responses: { list: v.array(downtimeV1), single: downtimeV1 },
  of: 'downtime',
  reading: ['monitors_read'],
  editing: ['monitors_downtime'],
  origin: 'addition',
  deprecated: 'use the second version',
  source: 'docs/contract/monitors.md#downtimes-of-v1',
});
const ofVersion2 = resourceOperations({
  path: '/api/v2/downtime',
  item: 'downtime_id',
  responses: { list: many(downtime), single: one(downtime) },
  of: 'downtime',
  reading: ['monitors_downtime'],
  editing: ['monitors_downtime'],
  origin: 'addition',
  source: 'docs/contract/monitors.md#downtimes-of-v2',
});

/** Downtimes of the first kind; `with_creator` adds who made each. */
export const listDowntimesV1 = ofVersion1.list({
  id: 'downtimes-v1.list',
  title: 'List downtimes (first version)',
  query: queryOf({ current_only: flag, with_creator: flag }),
});

/** One downtime of the first kind. */
export const getDowntimeV1 = ofVersion1.get({ id: 'downtimes-v1.get', title: 'Show a downtime (first version)' });

/** `scope` is required; absent `start` = now, absent or null `end` = forever. */
export const createDowntimeV1 = ofVersion1.create({
  id: 'downtimes-v1.create',
  title: 'Create a downtime (first version)',
  touches: silences,
  body: downtimeV1Edit,
});

/** Partial: absent fields stay. */
export const updateDowntimeV1 = ofVersion1.update({
  id: 'downtimes-v1.update',
  title: 'Edit a downtime (first version)',
  touches: silences,
  method: 'PUT',
  repeat: 'settable',
  readBack: 'downtimes-v1.get',
  body: downtimeV1Edit,
});

/** Cancels it; 204 also the second time. A canceled one stays readable. */
export const deleteDowntimeV1 = ofVersion1.delete({
  id: 'downtimes-v1.delete',
  title: 'Cancel a downtime (first version)',
  touches: silences,
});

/** Cancels every downtime with exactly this scope, whichever monitor it is for. */
ofVersion1.endpoint({
  id: 'downtimes-v1.cancel-by-scope',
  title: 'Cancel downtimes of a scope (first version)',
  verb: 'act',
  touches: silences,
  method: 'POST',
  path: '/api/v1/downtime/cancel/by_scope',
  repeat: 'delete',
  body: fields({ scope: scopes }),
  response: fields({ cancelled_ids: v.array(id) }),
});

/** Downtimes of the second kind, 30 to a page; `include` adds who made each and its monitor. */
export const listDowntimes = ofVersion2.list({
  id: 'downtimes.list',
  title: 'List downtimes',
  query: queryOf({ current_only: flag, include: v.array(searchTerms('created_by', 'monitor')), ...offsetPages }),
});

/** One downtime of the second kind. */
export const getDowntime = ofVersion2.get({
  id: 'downtimes.get',
  title: 'Show a downtime',
  query: queryOf({ include: v.array(searchTerms('created_by', 'monitor')) }),
});

/** `scope` is one text in search syntax; `monitor_identifier` is required; null `start` = now, null `end` = forever. */
export const createDowntime = ofVersion2.create({
  id: 'downtimes.create',
  title: 'Create a downtime',
  touches: silences,
  body: createBody('downtime', settings.entries),
});

/** Changed attributes only; `schedule.start: null` starts it again now. */
export const updateDowntime = ofVersion2.update({
  id: 'downtimes.update',
  title: 'Edit a downtime',
  touches: silences,
  method: 'PATCH',
  repeat: 'settable',
  readBack: 'downtimes.get',
  isApplied: isChanged,
  body: updateBody('downtime', settings.entries),
});

/** Cancels it; 204 also the second time. */
export const deleteDowntime = ofVersion2.delete({
  id: 'downtimes.delete',
  title: 'Cancel a downtime',
  touches: silences,
});

/** Every operation on downtimes, first version and second. */
export const downtimeEndpoints = [...ofVersion1.all, ...ofVersion2.all];
