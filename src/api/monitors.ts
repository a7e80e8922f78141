import * as v from 'valibot';
import { downtimeMatch, downtimeV1 } from './downtimes.ts';
import { operationsOf } from './endpoint.ts';
import { anything, fields, flag, id, int, many, nothing, offsetPages, queryOf, text } from './envelope.ts';
import { counts, foundGroup, foundMonitors, monitor, searchPage } from './monitor-schema.ts';
import { isMuted, isNotMuted, isUnmuted, unappliedMembers } from './read-back.ts';

const searchQuery = queryOf({ query: text, page: int, per_page: int, sort: text });

const operations = operationsOf({
  of: 'monitor',
  reading: ['monitors_read'],
  editing: ['monitors_write'],
  origin: 'addition',
});

/** Every monitor, ascending by id; without `page` or `id_offset` all in one answer (docs/contract/monitors.md#list). */
export const listMonitors = operations.endpoint({
  id: 'monitors.list',
  title: 'List monitors',
  verb: 'list',
  path: '/api/v1/monitor',
  source: 'docs/contract/monitors.md#list',
  query: queryOf({
    group_states: text,
    name: text,
    tags: text,
    monitor_tags: text,
    with_downtimes: flag,
    id_offset: id,
    page: int,
    page_size: int,
  }),
  response: v.array(monitor),
});

/** One monitor, with groups, downtimes and runbooks when asked (docs/contract/monitors.md#one-monitor). */
export const getMonitor = operations.endpoint({
  id: 'monitors.get',
  title: 'Show a monitor',
  verb: 'get',
  path: '/api/v1/monitor/{monitor_id}',
  source: 'docs/contract/monitors.md#one-monitor',
  query: queryOf({ group_states: text, with_downtimes: flag, with_assets: flag }),
  response: monitor,
});

/** Creates a monitor; answers 200, not 201 (docs/contract/monitors.md#create). */
export const createMonitor = operations.endpoint({
  id: 'monitors.create',
  title: 'Create a monitor',
  verb: 'create',
  path: '/api/v1/monitor',
  origin: 'spec',
  source: 'docs/contract/monitors.md#create',
  body: monitor,
  response: monitor,
});

/** Changes a monitor: absent fields stay, but `options` replaces the stored options (docs/contract/monitors.md#edit). */
export const updateMonitor = operations.endpoint({
  id: 'monitors.update',
  title: 'Edit a monitor',
  verb: 'update',
  method: 'PUT',
  path: '/api/v1/monitor/{monitor_id}',
  repeat: 'settable',
  readBack: 'monitors.get',
  isApplied: (sent, read) => unappliedMembers(sent.body, read).length === 0,
  source: 'docs/contract/monitors.md#edit',
  body: monitor,
  response: monitor,
});

/** Deletes a monitor; `force` although others refer to it (docs/contract/monitors.md#delete). */
export const deleteMonitor = operations.endpoint({
  id: 'monitors.delete',
  title: 'Delete a monitor',
  verb: 'delete',
  path: '/api/v1/monitor/{monitor_id}',
  touches: ['downtime', 'downtime_match'],
  source: 'docs/contract/monitors.md#delete',
  query: queryOf({ force: flag }),
  response: fields({ deleted_monitor_id: id }),
});

/** Whether monitors may be deleted; 409 names what refers to them (docs/contract/monitors.md#delete). */
export const canDeleteMonitors = operations.endpoint({
  id: 'monitors.can-delete',
  title: 'Check whether monitors can be deleted',
  verb: 'check',
  path: '/api/v1/monitor/can_delete',
  source: 'docs/contract/monitors.md#delete',
  query: queryOf({ monitor_ids: v.array(id) }),
  response: fields({ data: fields({ ok: v.array(id) }), errors: anything }),
});

/** Checks a definition and stores nothing (docs/contract/monitors.md#validate). */
export const validateMonitor = operations.endpoint({
  id: 'monitors.validate',
  title: 'Check the definition of a new monitor',
  verb: 'check',
  method: 'POST',
  path: '/api/v1/monitor/validate',
  source: 'docs/contract/monitors.md#validate',
  body: monitor,
  response: nothing,
});

/** Checks a changed definition of a monitor and stores nothing (docs/contract/monitors.md#validate). */
export const validateExistingMonitor = operations.endpoint({
  id: 'monitors.validate-existing',
  title: 'Check a changed definition of a monitor',
  verb: 'check',
  method: 'POST',
  path: '/api/v1/monitor/{monitor_id}/validate',
  source: 'docs/contract/monitors.md#validate',
  body: monitor,
  response: nothing,
});

/** Finds monitors by the search syntax, with counts over all matches (docs/contract/monitors.md#search). */
export const searchMonitors = operations.endpoint({
  id: 'monitors.search',
  title: 'Search monitors',
  verb: 'search',
  path: '/api/v1/monitor/search',
  source: 'docs/contract/monitors.md#search',
  query: searchQuery,
  response: foundMonitors,
});

/** Finds groups of monitors by the search syntax (docs/contract/monitors.md#search). */
operations.endpoint({
  id: 'monitors.search-groups',
  title: 'Search groups of monitors',
  verb: 'search',
  path: '/api/v1/monitor/groups/search',
  source: 'docs/contract/monitors.md#search',
  query: searchQuery,
  response: fields({ groups: v.array(foundGroup), counts, metadata: searchPage }),
});

/** In the public family `monitors_downtime` is enough for these (docs/contract/monitors.md#operations). */
const silences = {
  otherwise: ['monitors_downtime'],
  verb: 'act',
  touches: ['downtime', 'downtime_match'],
} as const;

/**
 * Mutes a monitor or one scope of it, until `end` (epoch seconds) or forever. Unknown body names are ignored by the
 * service: a misspelled `end` mutes forever, so the answer's `silenced` is read back (docs/contract/monitors.md#mute).
 */
export const muteMonitor = operations.endpoint({
  id: 'monitors.mute',
  title: 'Mute a monitor',
  ...silences,
  method: 'POST',
  path: '/api/v1/monitor/{monitor_id}/mute',
  repeat: 'settable',
  readBack: 'monitors.get',
  isApplied: isMuted,
  isUnchanged: isNotMuted,
  source: 'docs/contract/monitors.md#mute',
  body: queryOf({ scope: text, end: int }),
  response: monitor,
});

/** Ends the mute of one scope, of `*`, or of all scopes (docs/contract/monitors.md#unmute). */
export const unmuteMonitor = operations.endpoint({
  id: 'monitors.unmute',
  title: 'Unmute a monitor',
  ...silences,
  method: 'POST',
  path: '/api/v1/monitor/{monitor_id}/unmute',
  origin: 'spec',
  repeat: 'settable',
  readBack: 'monitors.get',
  isApplied: isUnmuted,
  isUnchanged: (sent, read) => (read as { id?: unknown } | null)?.id != null && !isUnmuted(sent, read),
  source: 'docs/contract/monitors.md#unmute',
  query: queryOf({ scope: text, all_scopes: flag }),
  response: monitor,
});

/** Mutes every monitor of the organization (docs/contract/monitors.md#mute-all). */
operations.endpoint({
  id: 'monitors.mute-all',
  title: 'Mute every monitor',
  ...silences,
  permission: ['monitors_downtime'],
  method: 'POST',
  path: '/api/v1/monitor/mute_all',
  repeat: 'once',
  source: 'docs/contract/monitors.md#mute-all',
  body: fields({}),
  response: downtimeV1,
});

/** Ends the mute of every monitor; 400 when there is none (docs/contract/monitors.md#mute-all). */
operations.endpoint({
  id: 'monitors.unmute-all',
  title: 'Unmute every monitor',
  ...silences,
  permission: ['monitors_downtime'],
  method: 'POST',
  path: '/api/v1/monitor/unmute_all',
  repeat: 'once',
  source: 'docs/contract/monitors.md#mute-all',
  response: nothing,
});

/** Downtimes of the first kind that match a monitor (docs/contract/monitors.md#downtimes-of-v1). */
operations.endpoint({
  id: 'monitors.downtimes',
  title: 'List downtimes of a monitor',
  verb: 'list',
  of: 'downtime',
  permission: ['monitors_downtime'],
  path: '/api/v1/monitor/{monitor_id}/downtimes',
  deprecated: 'use monitors.downtime-matches',
  source: 'docs/contract/monitors.md#downtimes-of-v1',
  response: v.array(downtimeV1),
});

/** Downtimes of the second kind that match a monitor (docs/contract/monitors.md#downtimes-of-v2). */
export const listDowntimeMatches = operations.endpoint({
  id: 'monitors.downtime-matches',
  title: 'List downtimes that match a monitor',
  verb: 'list',
  of: 'downtime_match',
  permission: ['monitors_downtime'],
  path: '/api/v2/monitor/{monitor_id}/downtime_matches',
  source: 'docs/contract/monitors.md#downtimes-of-v2',
  query: queryOf(offsetPages),
  response: many(downtimeMatch),
});

/** Every operation on monitors, in the order of docs/contract/monitors.md#operations. */
export const monitorEndpoints = operations.all;
