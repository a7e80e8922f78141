import { listDowntimes, listDowntimesV1 } from '../../src/api/downtimes.ts';
import { listMonitors as listMonitorsOf, searchMonitors } from '../../src/api/monitors.ts';
import { ageColumn, amountColumn, plainColumn, textColumn } from '../../src/describe/column.ts';
import type { Context, ListQuery } from '../../src/describe/context.ts';
import { type Derivation, type Material, readAll, type Subject } from '../../src/describe/derived.ts';
import { list } from '../../src/describe/screen.ts';
import { age, timeLeft } from '../../src/lib/time.ts';
import { readDuration } from '../../src/lib/typed-time.ts';
import { monitorStateTone } from './columns.ts';
import { downtimes, endedDowntimes, findLedgerRows } from './downtimes.ts';
import { editMuteAction, endAction, extendListedAction } from './ledger-edits.ts';
import { alertingText, coversText, isMine, type LedgerRow, ledgerRows, rowsAhead, rowsEnded } from './ledger-row.ts';
import { initialSearch, monitorsSource } from './load.ts';
import { newMuteAction } from './mute-tag.ts';
import { endCell, type Mute, mutesRowId, muteType, repeatWords } from './mutes.ts';
import { muteOutput } from './output.ts';
import type { MonitorRow } from './row.ts';

/** The reads that mutes are told by: every monitor, and every downtime once a minute. */
export const muteFeeds = {
  monitors: { of: 'monitors', source: () => monitorsSource({ search: initialSearch, range: '' }) },
  downtimes: { every: 60, source: () => downtimes },
} as const;

/** The operations of those reads. */
export const muteReads = [listMonitorsOf, searchMonitors, listDowntimes, listDowntimesV1];

/** The monitor and the mute that an action on a row of the ledger is about; none where no listed monitor is silenced. */
export function ledgerSubject({ mute, monitors, isAhead, isOver }: LedgerRow): Subject | undefined {
  // What is to come, what repeats, and what has ended is no mute of a monitor's row: it is ended where it is listed.
  if (isAhead || isOver || mute.repeats) return undefined;
  const row = monitors.find(({ id }) => id === mute.monitor);
  return row && { list: 'monitors', row, subRowId: mutesRowId(mute) };
}

const anyEnd = 'any time';
const upcoming = 'upcoming';
const ended = 'ended';

/** Which ends are shown: those within the range. */
function isWithin(mute: Mute, range: string, now: number): boolean {
  if (range === anyEnd) return true;
  if (range === upcoming) return mute.start !== undefined && mute.start > now;
  if (range === 'forever') return mute.end === null;
  return mute.end !== null && mute.end - now <= Number(readDuration(range));
}

const none: readonly never[] = [];

const monitorsIn = ({ monitors }: Material['told']) => (monitors?.rows ?? none) as readonly MonitorRow[];
const mutesIn = (told: Material['told'][string] | undefined) => (told?.rows ?? none) as readonly Mute[];

const derivation: Derivation<LedgerRow> = {
  feeds: {
    ...muteFeeds,
    ended: { every: 60, source: (_, asked) => (asked.range === ended ? endedDowntimes : undefined) },
  },
  rows({ told }, { range }: ListQuery, { now }) {
    const monitors = monitorsIn(told);
    if (range === ended) return rowsEnded(monitors, mutesIn(told.ended));
    const known = mutesIn(told.downtimes);
    const all = [...ledgerRows(monitors, known, now), ...rowsAhead(monitors, known, now)];
    return all.filter(({ mute }) => isWithin(mute, range, now));
  },
  notes: ({ told }) => [
    ...Object.values(told).flatMap(({ notes }) => notes),
    ...Object.entries({ monitors: 'monitors', downtimes: 'who and why', ended: 'what has ended' }).flatMap(
      ([feed, words]) => {
        const problem = told[feed]?.problem;
        return problem ? [`${words} cannot be read: ${problem.text}`] : [];
      },
    ),
  ],
  subject: ledgerSubject,
  twin: ({ mute }) => mute.twin,
  offers: ['monitors.unmute', 'monitors.extend'],
  place: ({ mute, monitors }) => {
    const row = monitors.find(({ id }) => id === mute.monitor);
    return row && { list: 'monitors', row: row.id };
  },
};

/** `9m`, `∞` for one without an end, `in 2h` for one to come, `2h ago` for one that has ended. */
export const leftText = (
  { mute, isAhead, isOver }: LedgerRow,
  { now, ascii }: Pick<Context, 'now' | 'ascii'>,
): string => {
  if (isOver) return `${age(mute.end ?? now, now)} ago`;
  if (isAhead) return age(mute.start ?? now, now);
  if (mute.end === null) return ascii ? 'never' : '∞';
  return timeLeft(mute.end - now);
};

/** Every mute and downtime of the organization, those to come too. */
export const muteList = list<LedgerRow>({
  id: 'mutes',
  title: 'Mutes',
  load: (asked, context) => readAll('mutes', derivation, asked, context),
  find: (ids, asked, context) => findLedgerRows(ids, readAll('mutes', derivation, asked, context)),
  derived: derivation,
  reads: muteReads,
  idOf: (row) => row.id,
  nameOf: coversText,
  noun: 'mute',
  output: muteOutput,
  columns: [
    plainColumn({
      id: 'left',
      called: 'time left',
      firsts: ['soonest end first', 'latest end first'],
      min: 5,
      align: 'right',
      priority: 1,
      text: leftText,
      tone: ({ mute, alerting, isAhead, isOver }, { now }) =>
        isAhead || isOver
          ? 'dim'
          : mute.end === null
            ? alerting > 0
              ? 'bad'
              : 'plain'
            : mute.end - now < 3_600_000
              ? 'warn'
              : 'plain',
      // Of what has ended, the last one first.
      sort: ({ mute: { end }, isOver }) => (isOver ? -1 : 1) * (end ?? Number.MAX_SAFE_INTEGER),
    }),
    plainColumn({
      id: 'ends',
      min: 15,
      max: 19,
      priority: 4,
      text: ({ mute }, context) => endCell(mute.end, context),
      tone: () => 'dim',
    }),
    textColumn({
      id: 'covers',
      title: 'MUTED',
      min: 22,
      flex: true,
      priority: 1,
      text: (row, context) => [coversText(row), repeatWords(row.mute, context)].filter(Boolean).join(' · '),
    }),
    amountColumn({
      id: 'alerting',
      min: 8,
      priority: 2,
      text: alertingText,
      tone: ({ alerting }) => monitorStateTone(alerting > 0 ? 'Alert' : 'OK'),
      amount: ({ alerting }) => alerting,
    }),
    {
      id: 'who',
      title: 'BY',
      called: 'muted by',
      min: 10,
      max: 20,
      priority: 3,
      text: ({ mute }) => mute.who ?? '',
      tone: (row, context) => (isMine(row, context) ? 'strong' : 'plain'),
      sort: ({ mute }) => (mute.who ?? '~').toLowerCase(),
    },
    {
      id: 'why',
      title: 'REASON',
      min: 10,
      max: 40,
      priority: 5,
      text: ({ mute }) => mute.why ?? '',
    },
    ageColumn({ id: 'since', min: 5, priority: 6 }, ({ mute }) => mute.start),
    {
      id: 'source',
      title: 'TYPE',
      min: 8,
      max: 16,
      priority: 7,
      text: ({ mute }) => muteType(mute),
      tone: () => 'dim',
    },
  ],
  sorted: { by: 'left', down: false },
  words: (row, context) =>
    [
      isMine(row, context) ? 'mine' : '',
      row.mute.end === null ? 'forever' : '',
      row.isAhead ? upcoming : '',
      row.isOver ? ended : '',
      row.alerting > 0 ? 'alerting' : '',
      ...row.monitors.map(({ name }) => name),
    ].join(' '),
  ranges: { options: [anyEnd, '1h', '4h', '24h', '7d', 'forever', upcoming, ended], initial: anyEnd },
  actions: [newMuteAction, endAction, extendListedAction, editMuteAction],
  empty: 'No mutes in this range. T: time range',
});
