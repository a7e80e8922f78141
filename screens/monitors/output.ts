import { type OutputField, type RowOutput, timestamp } from '../../src/describe/column.ts';
import { findServices, isSilent, runbooksOf } from './columns.ts';
import type { LedgerRow } from './ledger-row.ts';
import { findMutes, type Mute } from './mutes.ts';
import { type MonitorRow, rawMonitor, toInstant, toObject, toText } from './row.ts';

/** A mute as JSON has one. */
const muteItem = (mute: Mute) => ({
  scope: mute.scope,
  until: timestamp(mute.end),
  forever: mute.end === null,
  since: timestamp(mute.start),
  kind: mute.by === 'mute' ? 'mute' : 'downtime',
  downtime_id: mute.id ?? null,
  other_monitors: mute.wide,
  by: mute.who ?? null,
  reason: mute.why ?? null,
});

const muteMembers =
  '`scope`, `until` (null with `forever`), `forever`, `since`, `kind` (mute or downtime), `downtime_id`, `other_monitors`, `by`, `reason`';

/** What only the list and one read tell: null of a row that was found by the search and read no further. */
const whole =
  (value: (row: MonitorRow) => unknown): OutputField<MonitorRow>['value'] =>
  (row) =>
    row.partial ? null : value(row);

/** Monitors for a program. What the search does not tell is null, as long as it was not read. */
export const monitorOutput = (): RowOutput<MonitorRow> => ({
  fields: [
    { name: 'state', type: 'text', says: 'Alert, Warn, No Data, OK or another word', value: (row) => row.state },
    { name: 'state_since', type: 'time', says: 'when it came into this state', value: (row) => row.stateSince },
    { name: 'priority', type: 'number', says: '1 is the most urgent', value: (row) => row.priority },
    { name: 'type', type: 'text', says: 'such as `query alert`', value: (row) => row.type },
    { name: 'query', type: 'text', says: 'what it watches', value: (row) => row.query },
    { name: 'message', type: 'text', says: 'what it notifies with', value: (row) => toText(row.message) },
    {
      name: 'runbooks',
      type: 'list of objects',
      says: '`name`, `url` of each, and the first address in its message; `list` has only this address',
      value: (row) => (row.runbooks === undefined && runbooksOf(row).length === 0 ? null : runbooksOf(row)),
    },
    { name: 'tags', type: 'list of texts', says: 'its tags', value: (row) => row.tags },
    { name: 'services', type: 'list of texts', says: 'services from its tags', value: findServices },
    {
      name: 'muted',
      type: 'flag',
      says: 'whether all its notifications are muted now',
      value: (row, { now }) => isSilent(row, now),
    },
    {
      name: 'muted_until',
      type: 'time',
      says: 'the last end of its mutes; null without one and for a mute without end',
      value: (row, { now }) =>
        row.partial
          ? row.mutedUntil
          : findMutes(row, now).reduce<number | null | undefined>(
              (last, { end }) => (last === null || end === null ? null : Math.max(last ?? 0, end)),
              undefined,
            ),
    },
    {
      name: 'mutes',
      type: 'list of objects',
      says: muteMembers,
      value: (row, { now }) => (row.partial ? null : findMutes(row, now).map(muteItem)),
    },
    {
      name: 'groups',
      type: 'list of objects',
      says: '`name`, `state`, `since`, `value` of each group',
      value: whole((row) =>
        row.worst.map(({ name, state, since, value }) => ({
          name,
          state,
          since: timestamp(since),
          value: value ?? null,
        })),
      ),
    },
    {
      name: 'options',
      type: 'object',
      says: "the service's own options",
      value: whole((row) => rawMonitor(row).options),
    },
    {
      name: 'restricted_roles',
      type: 'list of texts',
      says: 'ids of the roles that may edit it; empty for anyone with the permission',
      value: whole((row) => row.restricted),
    },
    { name: 'creator', type: 'text', says: 'who created it', value: (row) => row.creator },
    {
      name: 'creator_handle',
      type: 'text',
      says: 'handle of who created it',
      value: whole((row) => toText(toObject(rawMonitor(row).creator).handle)),
    },
    {
      name: 'created_at',
      type: 'time',
      says: 'when it was created',
      value: whole((row) => toInstant(rawMonitor(row).created)),
    },
    {
      name: 'draft_status',
      type: 'text',
      says: 'draft or published',
      value: whole((row) => toText(rawMonitor(row).draft_status)),
    },
    {
      name: 'multi',
      type: 'flag',
      says: 'whether it alerts for each group by itself',
      value: whole((row) => rawMonitor(row).multi),
    },
    { name: 'modified_at', type: 'time', says: 'when it was last changed', value: (row) => row.modified },
  ],
});

/** Mutes and downtimes for a program. */
export const muteOutput = (): RowOutput<LedgerRow> => ({
  fields: [
    { name: 'scope', type: 'text', says: '`*` or a group such as `host:web-1`', value: ({ mute }) => mute.scope },
    { name: 'until', type: 'time', says: 'its end; null with `forever`', value: ({ mute }) => mute.end },
    { name: 'forever', type: 'flag', says: 'whether it has no end', value: ({ mute }) => mute.end === null },
    { name: 'since', type: 'time', says: 'its beginning', value: ({ mute }) => mute.start },
    {
      name: 'kind',
      type: 'text',
      says: 'mute or downtime',
      value: ({ mute }) => (mute.by === 'mute' ? 'mute' : 'downtime'),
    },
    { name: 'downtime_id', type: 'id', says: 'id of the downtime', value: ({ mute }) => mute.id },
    { name: 'upcoming', type: 'flag', says: 'whether it has not begun', value: (row) => row.isAhead === true },
    {
      name: 'repeats',
      type: 'list of objects',
      says: '`start` (local time of `zone`), `duration`, `rrule` and `zone` of each rule',
      value: ({ mute: { repeats } }) => repeats?.rules.map((rule) => ({ ...rule, zone: repeats.zone })) ?? [],
    },
    { name: 'by', type: 'text', says: 'who created it', value: ({ mute }) => mute.who },
    { name: 'reason', type: 'text', says: 'why', value: ({ mute }) => mute.why },
    {
      name: 'monitors',
      type: 'list of objects',
      says: '`id` and `name` of the listed monitors that it mutes',
      value: (row) => row.monitors.map(({ id, name }) => ({ id, name })),
    },
    { name: 'groups', type: 'number', says: 'groups that it mutes', value: (row) => row.groups },
    { name: 'alerting', type: 'number', says: 'those of them that alert', value: (row) => row.alerting },
  ],
});
