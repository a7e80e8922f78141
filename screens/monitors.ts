import { listDowntimes, listDowntimesV1 } from '../src/api/downtimes.ts';
import { call } from '../src/api/endpoint.ts';
import {
  getMonitor,
  listDowntimeMatches,
  listMonitors as listMonitorsOf,
  searchMonitors,
} from '../src/api/monitors.ts';
import { namePart, receipt } from '../src/describe/receipt.ts';
import { list, type RowState, type Screen } from '../src/describe/screen.ts';
import { webLink } from '../src/describe/web-link.ts';
import { percentEncoded } from '../src/lib/percent.ts';
import { columns, isSilent, monitorKindWord, monitorStateTone, mutedText } from './monitors/columns.ts';
import { checkAction } from './monitors/definition/check.ts';
import { editAction } from './monitors/definition/edit.ts';
import { cloneAction, newAction } from './monitors/definition/make.ts';
import { deleteAction, forceDeleteAction } from './monitors/delete-monitor.ts';
import { detail } from './monitors/detail.ts';
import { extendAction } from './monitors/extend-mute.ts';
import { findMonitors } from './monitors/find-monitors.ts';
import { currentState, openEnds } from './monitors/handover.ts';
import { hygieneList } from './monitors/hygiene.ts';
import { muteList } from './monitors/ledger.ts';
import { isOwnMute } from './monitors/ledger-row.ts';
import { initialSearch, monitorsSource, searchForm, searchSays } from './monitors/load.ts';
import { muteAction } from './monitors/mute.ts';
import { comparable, covers, endWords, findMutes, type Mute, mutesRowId } from './monitors/mutes.ts';
import { monitorOutput } from './monitors/output.ts';
import { isRed, keptMonitor, type MonitorRow } from './monitors/row.ts';
import { trackedState } from './monitors/state-lines.ts';
import { runbookLinks, servicesOf } from './monitors/subjects.ts';
import { unmuteAction } from './monitors/unmute.ts';
import { wholeQuery } from './monitors/whole-monitor.ts';

/** How long before its end a mute is announced, milliseconds. */
const tenMinutes = 600_000;
/** Alerts of this priority or a more urgent one are notified of where the profile does not say. */
const usualPriority = 2;

/** Whether what alerts is under a mute. */
const hidesAlert = ({ scope }: Mute, row: MonitorRow): boolean =>
  isRed(row.state) && (scope === '*' || row.groups.red.some((name) => covers(scope, name)));

/** A state of the service as the title counts it. */
const counted = (state: string): RowState<MonitorRow> => ({
  label: state.toUpperCase(),
  tone: monitorStateTone(state),
  isIn: (row) => row.state === state,
});

const alerting: RowState<MonitorRow> = {
  ...counted('Alert'),
  needsPerson: 'alert',
  rank: ({ priority }) => (priority === undefined ? '' : `P${priority}`),
  aside: { label: 'muted', isSo: (row, context) => isSilent(row, context.now) },
};

/** Monitors with their state, mutes and groups (docs/contract/monitors.md). */
export const monitorList = list<MonitorRow>({
  id: 'monitors',
  title: 'Monitors',
  load: monitorsSource,
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  noun: 'monitor',
  find: findMonitors,
  output: monitorOutput,
  columns,
  sorted: { by: 'state', down: true },
  within: [
    { by: 'priority', down: false },
    { by: 'changed', down: true },
  ],
  tracks: trackedState,
  states: [alerting, counted('Warn'), counted('No Data')],
  search: { form: searchForm, initial: initialSearch, says: searchSays },
  words: (row, context) =>
    [
      row.type,
      monitorKindWord(row.type),
      row.query,
      row.tags.join(' '),
      row.creator ?? '',
      // The title of its column says what the cell is about.
      /\w/.test(mutedText(row, context)) ? 'muted' : '',
      row.priority === undefined ? '' : `P${row.priority}`,
    ].join(' '),
  reads: [listMonitorsOf, searchMonitors, getMonitor, listDowntimeMatches, listDowntimes, listDowntimesV1],
  detail,
  comparable: (row, context) =>
    row.partial ? {} : { mutes: findMutes(row, context.now).map(comparable).toSorted(), modified: row.modified },
  actions: [
    muteAction,
    unmuteAction,
    extendAction,
    newAction,
    editAction,
    cloneAction,
    checkAction,
    deleteAction,
    forceDeleteAction,
  ],
  kept: keptMonitor,
  empty: 'No monitors. n: new monitor, s: search',
  services: servicesOf,
  tags: ({ tags }) => tags,
  runbooks: runbookLinks,
  link: (row, context) => webLink(context, `/monitors/${percentEncoded(row.id)}`),
  command: (row) => call(getMonitor, { monitor_id: row.id, query: wholeQuery }),
  now: currentState,
  openEnds,
  notifies: {
    one: 'alert',
    isSo: (row, context) =>
      row.state === 'Alert' &&
      (row.priority ?? 5) <= (context.notify?.priority ?? usualPriority) &&
      isSilent(row, context.now) !== true,
  },
  alarms: (rows, context) =>
    // Most monitors have none, and rows are read by the thousand.
    rows
      .filter(({ mutes }) => mutes.length > 0)
      .flatMap((row) =>
        findMutes(row, context.now).flatMap((mute) => {
          if (mute.end === null || mute.wide) return [];
          const subject = mute.scope === '*' ? row.name : `${mute.scope} of ${row.name}`;
          return [
            {
              key: `${row.id} ${mute.scope} ${mute.end}`,
              at: mute.end - tenMinutes,
              ends: mute.end,
              end: endWords(mute.end, context),
              isUrgent: mute.end - context.now <= tenMinutes && hidesAlert(mute, row),
              subject: receipt`Mute on ${namePart(subject)}`,
              rowId: row.id,
              subRowId: mutesRowId(mute),
              action: extendAction.id,
              one: 'expiring mute',
              isOwn: (edits) => isOwnMute(mute, edits, context),
            },
          ];
        }),
      ),
});

/** Screen 2. */
export const monitors: Screen = {
  id: 'monitors',
  title: 'Monitors',
  key: '2',
  lists: [monitorList, muteList, hygieneList],
};
