import { type OutputField, outputField, type RowOutput, timestamp } from '../../src/describe/column.ts';
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
const wholeField = (
  name: string,
  type: OutputField<MonitorRow>['type'],
  says: string,
  value: OutputField<MonitorRow>['value'],
): OutputField<MonitorRow> =>
  outputField(name, type, says, (row, context) => (row.partial ? null : value(row, context)));

/** Monitors for a program. What the search does not tell is null, as long as it was not read. */
export const monitorOutput = (): RowOutput<MonitorRow> => ({
  fields: [
    outputField('state', 'text', 'Alert, Warn, No Data, OK or another word', (row) => row.state),
    outputField('state_since', 'time', 'when it came into this state', (row) => row.stateSince),
    outputField('priority', 'number', '1 is the most urgent', (row) => row.priority),
    outputField('type', 'text', 'such as `query alert`', (row) => row.type),
    outputField('query', 'text', 'what it watches', (row) => row.query),
    outputField('message', 'text', 'what it notifies with', (row) => toText(row.message)),
    outputField(
      'runbooks',
      'list of objects',
      '`name`, `url` of each, and the first address in its message; `list` has only this address',
      (row) => (row.runbooks === undefined && runbooksOf(row).length === 0 ? null : runbooksOf(row)),
    ),
    outputField('tags', 'list of texts', 'its tags', (row) => row.tags),
    outputField('services', 'list of texts', 'services from its tags', findServices),
    outputField('muted', 'flag', 'whether all its notifications are muted now', (row, { now }) => isSilent(row, now)),
    outputField(
      'muted_until',
      'time',
      'the last end of its mutes; null without one and for a mute without end',
      (row, { now }) =>
        row.partial
          ? row.mutedUntil
          : findMutes(row, now).reduce<number | null | undefined>(
              (last, { end }) => (last === null || end === null ? null : Math.max(last ?? 0, end)),
              undefined,
            ),
    ),
    wholeField('mutes', 'list of objects', muteMembers, (row, { now }) => findMutes(row, now).map(muteItem)),
    wholeField('groups', 'list of objects', '`name`, `state`, `since`, `value` of each group', (row) =>
      row.worst.map(({ name, state, since, value }) => ({
        name,
        state,
        since: timestamp(since),
        value: value ?? null,
      })),
    ),
    wholeField('options', 'object', "the service's own options", (row) => rawMonitor(row).options),
    wholeField(
      'restricted_roles',
      'list of texts',
      'ids of the roles that may edit it; empty for anyone with the permission',
      (row) => row.restricted,
    ),
    outputField('creator', 'text', 'who created it', (row) => row.creator),
    wholeField('creator_handle', 'text', 'handle of who created it', (row) =>
      toText(toObject(rawMonitor(row).creator).handle),
    ),
    wholeField('created_at', 'time', 'when it was created', (row) => toInstant(rawMonitor(row).created)),
    wholeField('draft_status', 'text', 'draft or published', (row) => toText(rawMonitor(row).draft_status)),
    wholeField('multi', 'flag', 'whether it alerts for each group by itself', (row) => rawMonitor(row).multi),
    outputField('modified_at', 'time', 'when it was last changed', (row) => row.modified),
  ],
});

/** Mutes and downtimes for a program. */
export const muteOutput = (): RowOutput<LedgerRow> => ({
  fields: [
    outputField('scope', 'text', '`*` or a group such as `host:web-1`', ({ mute }) => mute.scope),
    outputField('until', 'time', 'its end; null with `forever`', ({ mute }) => mute.end),
    outputField('forever', 'flag', 'whether it has no end', ({ mute }) => mute.end === null),
    outputField('since', 'time', 'its beginning', ({ mute }) => mute.start),
    outputField('kind', 'text', 'mute or downtime', ({ mute }) => (mute.by === 'mute' ? 'mute' : 'downtime')),
    outputField('downtime_id', 'id', 'id of the downtime', ({ mute }) => mute.id),
    outputField('upcoming', 'flag', 'whether it has not begun', (row) => row.isAhead === true),
    outputField(
      'repeats',
      'list of objects',
      '`start` (local time of `zone`), `duration`, `rrule` and `zone` of each rule',
      ({ mute: { repeats } }) => repeats?.rules.map((rule) => ({ ...rule, zone: repeats.zone })) ?? [],
    ),
    outputField('by', 'text', 'who created it', ({ mute }) => mute.who),
    outputField('reason', 'text', 'why', ({ mute }) => mute.why),
    outputField('monitors', 'list of objects', '`id` and `name` of the listed monitors that it mutes', (row) =>
      row.monitors.map(({ id, name }) => ({ id, name })),
    ),
    outputField('groups', 'number', 'groups that it mutes', (row) => row.groups),
    outputField('alerting', 'number', 'those of them that alert', (row) => row.alerting),
  ],
});
