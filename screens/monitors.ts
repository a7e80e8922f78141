import { listDowntimes, listDowntimesV1 } from '../src/api/downtimes.ts';
import { call } from '../src/api/endpoint.ts';
import {
  getMonitor,
  listDowntimeMatches,
  listMonitors as listMonitorsOf,
  searchMonitors,
} from '../src/api/monitors.ts';
import type { Context } from '../src/describe/context.ts';
import { namePart, receipt } from '../src/describe/receipt.ts';
import { list, type OpenEnds, type RowState, type Screen, webLink } from '../src/describe/screen.ts';
import { percentEncoded } from '../src/lib/paint.ts';
import { dayAndTime } from '../src/lib/typed-time.ts';
import {
  columns,
  isSilent,
  monitorKindWord,
  monitorStateTone,
  mutedText,
  runbookLinks,
  servicesOf,
} from './monitors/columns.ts';
import { cloneAction, editAction, newAction } from './monitors/definition/edit.ts';
import { checkAction } from './monitors/definition/send.ts';
import { deleteAction, forceDeleteAction } from './monitors/delete-monitor.ts';
import { detail } from './monitors/detail.ts';
import { extendAction } from './monitors/extend-mute.ts';
import { hygieneList } from './monitors/hygiene.ts';
import { muteList } from './monitors/ledger.ts';
import { isOwnMute } from './monitors/ledger-row.ts';
import { initialSearch, monitorsSource, searchForm, searchSays } from './monitors/load.ts';
import { muteAction } from './monitors/mute.ts';
import {
  comparable,
  endWords,
  findMutes,
  muteSource,
  mutesRowId,
  scopedText,
  scopeWords,
  untilWords,
  wideWords,
} from './monitors/mutes.ts';
import { monitorOutput } from './monitors/output.ts';
import { againAt, trackedState } from './monitors/preview.ts';
import { keptMonitor, type MonitorRow } from './monitors/row.ts';
import { unmuteAction } from './monitors/unmute.ts';
import { findMonitors, wholeQuery } from './monitors/whole-monitor.ts';

/** Mutes that end within this time are told, in milliseconds. */
const soonMs = 2 * 3_600_000;
/** Monitors that are named. */
const mostNames = 20;

/** What a colleague needs to know of a monitor: its state, and what mutes it until when, why and by whom. */
function currentState(row: MonitorRow, context: Context): string {
  const mutes = findMutes(row, context.now).map((mute) => {
    const by = mute.by === 'mute' ? '' : ` by ${muteSource(mute)}`;
    const text = `muted (${scopeWords(mute.scope)}) ${untilWords(mute.end, context)}${by}${wideWords(mute)}`;
    return [text, mute.why && `reason: ${mute.why}`, mute.who && `set by ${mute.who}`].filter(Boolean).join(', ');
  });
  const muted = row.mutedUntil !== undefined && row.mutedUntil > context.now;
  const none = muted ? 'muted' : row.partial ? 'mutes not read' : 'not muted';
  return `${row.state.toUpperCase()}, ${mutes.length > 0 ? mutes.join('; ') : none}`;
}

/** Alerting monitors without a mute, the most urgent first, and those whose mute ends soon: of a listed downtime nobody knows whether its end notifies. */
function openEnds(rows: readonly MonitorRow[], context: Context): readonly OpenEnds[] {
  const alerting = rows.filter((row) => row.state === 'Alert');
  const loud = alerting
    .filter((row) => isSilent(row, context.now) === false)
    .toSorted((one, other) => (one.priority ?? 9) - (other.priority ?? 9));
  const ending = alerting
    .flatMap((row) =>
      againAt(row, context.now)
        .slice(0, 1)
        .map(([end]) => ({ row, end })),
    )
    .filter(({ end }) => end - context.now < soonMs)
    .toSorted((one, other) => one.end - other.end);
  return [
    {
      ...{ title: 'Alerting, not muted', count: loud.length, isUrgent: true },
      named: loud.slice(0, mostNames).map((row) => ({
        lead: row.priority == null ? undefined : `P${row.priority}`,
        name: row.name,
        rest: standing(row, context),
        row: row.id,
      })),
    },
    {
      ...{ title: 'Alerting, mute ends soon', count: ending.length, isUrgent: true },
      named: ending
        .slice(0, mostNames)
        .map(({ row, end }) => ({ lead: endWords(end, context), name: row.name, row: row.id })),
    },
  ];
}

/** `(since 04:40, region:eu1 muted)`. */
function standing(row: MonitorRow, { now, zone }: Context): string | undefined {
  const { stateSince } = row;
  const since = stateSince === undefined ? [] : [`since ${dayAndTime(stateSince, now, zone)}`];
  const muted = [...new Set(findMutes(row, now).map(({ scope }) => `${scope} muted`))];
  const facts = [...since, ...muted];
  return facts.length === 0 ? undefined : `(${facts.join(', ')})`;
}

/** How long before its end a mute is announced, milliseconds. */
const tenMinutes = 600_000;
/** Alerts of this priority or a more urgent one are notified of where the profile does not say. */
const usualPriority = 2;

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
          return [
            {
              key: `${row.id} ${mute.scope} ${mute.end}`,
              at: mute.end - tenMinutes,
              ends: mute.end,
              end: endWords(mute.end, context),
              isUrgent:
                mute.end - context.now <= tenMinutes && againAt(row, context.now).some(([end]) => end === mute.end),
              subject: receipt`Mute on ${namePart(scopedText(mute.scope, row.name))}`,
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
