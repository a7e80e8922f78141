import type { Context } from '../../src/describe/context.ts';
import type { BlockColumn, BlockNow, BoardLine, Told } from '../../src/describe/derived.ts';
import { plural } from '../../src/lib/text.ts';
import { age, offsetName } from '../../src/lib/time.ts';
import { ledgerSubject, leftText } from '../monitors/ledger.ts';
import { alertingText, coversText, type LedgerRow, ledgerRows } from '../monitors/ledger-row.ts';
import { isTold, type Mute } from '../monitors/mutes.ts';
import type { MonitorRow } from '../monitors/row.ts';
import { countPiece, countSoFar, nearTime, readTrouble, waiting } from './board.ts';

const most = 50;
/** Cells of the bar of the time that is left. */
const barCells = 4;

const none: readonly never[] = [];

export const muteColumns: readonly BlockColumn[] = [
  { id: 'left', priority: 1, align: 'right' },
  { id: 'bar', priority: 4 },
  { id: 'covers', priority: 1, flex: true },
  // 30: "1/1 alerting · notifies 21:03" whole, and the mark that more was cut. The title names the zone.
  { id: 'state', priority: 2, max: 60, least: 30, yields: true },
];

/** Every mute, those without an end last. */
export const mutesNow = (
  monitors: Told<MonitorRow> | undefined,
  downtimes: Told<Mute> | undefined,
  now: number,
): readonly LedgerRow[] => ledgerRows(monitors?.rows ?? none, downtimes?.rows ?? none, now);

const minuteOf = ({ mute }: LedgerRow): number => Math.floor((mute.end ?? 0) / 60_000);

/** Of those that end in the same minute, what alerts under them comes first. */
const byMinute = (one: LedgerRow, other: LedgerRow): number =>
  minuteOf(one) - minuteOf(other) || Number(other.alerting > 0) - Number(one.alerting > 0);

/** Mutes in the order of their ends, then those without an end that hide something that alerts. */
export function mutesBlock(
  rows: readonly LedgerRow[],
  monitors: Told<MonitorRow> | undefined,
  downtimes: Told<Mute> | undefined,
  context: Context,
  problemText?: string,
): BlockNow {
  const ending = rows.filter(({ mute }) => mute.end !== null).sort(byMinute);
  const forever = rows.filter(({ mute, alerting }) => mute.end === null && alerting > 0);
  const quiet = rows.length - ending.length - forever.length;
  const withoutEnd = ` without an end${monitors?.rows ? ', none alerting' : ''}`;
  return {
    id: 'mutes',
    title: `Mutes that end next (${offsetName(context.now, context.zone)})`,
    isHalf: true,
    head: [
      // Unread mutes are not none.
      ...(monitors?.rows ? [{ text: countSoFar(plural(rows.length, 'mute'), monitors), tone: 'dim' } as const] : []),
      ...countPiece(`${forever.length} alerting forever`, 'info', monitors),
    ],
    columns: muteColumns,
    lines: [
      ...ending.slice(0, most).map((row) => muteLine(row, context)),
      ...restLines('later', ending.length - most, ' with a later end', {}, monitors),
      ...forever.map((row) => muteLine(row, context)),
      ...restLines('quiet', quiet, withoutEnd, { range: 'forever' }, monitors),
    ],
    total: ending.length + forever.length + Number(quiet > 0),
    empty: waiting(monitors, 'No mutes'),
    trouble:
      readTrouble(monitors, 'mutes of monitors', context, problemText) ??
      readTrouble(downtimes, 'who muted and why', context, problemText),
    least: 3,
  };
}

/** Mutes without a line of their own, where there are any: how many, and where they are listed. */
const restLines = (
  id: string,
  count: number,
  which: string,
  place: { readonly range?: string },
  monitors: Told<MonitorRow> | undefined,
): readonly BoardLine[] =>
  count <= 0
    ? []
    : [
        {
          ...{ id: `mutes ${id}`, block: 'mutes', name: 'mutes' },
          cells: { text: `${countSoFar(plural(count, 'more mute'), monitors)}${which}`, tone: 'dim' },
          place: { list: 'mutes', ...place },
        },
      ];

/** A mute: when it ends, what it covers, what alerts under it, who made it and why. */
export function muteLine(row: LedgerRow, context: Context): BoardLine {
  const { mute, alerting } = row;
  const forever = mute.end === null;
  const isSoon = mute.end !== null && mute.end - context.now < 3_600_000;
  const state = (groups: string) =>
    [
      alerting > 0 ? `${groups} alerting` : '',
      againText(row, context),
      mute.who ?? '',
      mute.why === undefined ? '' : `"${mute.why}"`,
    ]
      .filter(Boolean)
      .join(' · ');
  return {
    id: `mutes ${row.id}`,
    block: 'mutes',
    name: coversText(row),
    cells: {
      left: {
        text: leftText(row, context),
        tone: isSoon && alerting > 0 ? 'warn' : 'plain',
        says: forever ? 'forever' : `${leftText(row, context)} left`,
      },
      bar: { text: timeBar(mute, context), tone: 'dim', says: '' },
      covers: { text: coversText(row), tone: alerting > 0 ? 'plain' : 'dim' },
      state: {
        text: state(alertingText(row)),
        says: state(alertingText(row).replace('/', ' of ')),
        tone: alerting === 0 ? 'dim' : isSoon ? 'warn' : 'plain',
      },
    },
    place: { list: 'mutes', row: row.id },
    subject: ledgerSubject(row),
  };
}

/** What is left of the last hour of a mute, as a bar; none where it has no end. */
function timeBar({ end }: Mute, { now, ascii }: Context): string {
  if (end === null) return '';
  const full = Math.min(barCells, Math.max(1, Math.round(((end - now) / 3_600_000) * barCells)));
  const [mark, open] = ascii ? ['#', '.'] : ['█', '░'];
  return `${mark.repeat(full)}${open.repeat(barCells - full)}`;
}

/** When what alerts under it notifies again, which for one without an end is never. */
function againText({ mute, notifies }: LedgerRow, context: Context): string {
  if (mute.end === null) return mute.start === undefined ? 'forever' : `forever, for ${age(mute.start, context.now)}`;
  // Of a later day the time is left out: the time left stands beside it.
  const when = nearTime(mute.end, context).replace(/ \d\d:\d\d$/, '');
  return notifies ? `${isTold(mute) ? 'notifies' : 'may notify'} ${when}` : '';
}
