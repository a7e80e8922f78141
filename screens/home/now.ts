import type { Tone } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import type { BlockColumn, BlockNow, BoardLine, Piece, Told } from '../../src/describe/derived.ts';
import { plural, sparkline } from '../../src/lib/text.ts';
import { age, span } from '../../src/lib/time.ts';
import { zonedTime } from '../../src/lib/typed-time.ts';
import {
  findServices,
  groupsText,
  groupsWords,
  isFreshAlert,
  isSilent,
  isUrgent,
  monitorStateTone,
  mutedEnd,
  mutedText,
  runbookLinks,
  urgencyTone,
} from '../monitors/columns.ts';
import { type Mute, whileMutesLast } from '../monitors/mutes.ts';
import { isRed, type MonitorRow, severity } from '../monitors/row.ts';
import { countPiece, countSoFar, readTrouble, waiting } from './board.ts';

/** Groups that are drawn one by one. */
const mostDots = 8;

/** Columns of the monitors that notify, on Home and on the page of a service. */
export const alertColumns: readonly BlockColumn[] = [
  { id: 'state', title: 'STATE', priority: 1 },
  { id: 'priority', title: 'P', priority: 4 },
  { id: 'groups', title: 'GROUPS', priority: 2 },
  { id: 'for', title: 'FOR', priority: 3, align: 'right' },
  { id: 'name', title: 'MONITOR', priority: 1, flex: true, least: 44 },
  { id: 'service', title: 'SERVICE', priority: 6, max: 20 },
  { id: 'value', title: 'VALUE', priority: 8 },
  { id: 'runbook', title: 'RUNBOOK', isHeaded: true, priority: 9 },
  { id: 'muted', title: 'MUTE', priority: 7, max: 16 },
];

/** A monitor that notifies: how far it goes, since when, what it measures, what to do, what mutes it. */
export function alertLine(block: string, row: MonitorRow, isMuted: boolean, context: Context): BoardLine {
  const muted = mutedText(row, context);
  const [state, dim]: readonly [Tone, Tone?] = isMuted ? ['quiet', 'dim'] : [urgencyTone(row)];
  const hasRunbook = runbookLinks(row, context).length > 0;
  return {
    id: `${block} ${row.id}`,
    block,
    name: row.name,
    cells: {
      state: { text: isMuted ? row.state.toLowerCase() : row.state.toUpperCase(), tone: state },
      priority: { text: row.priority === undefined ? '' : `P${row.priority}`, tone: state },
      groups: {
        text: row.partial ? '?' : dots(row.groups.red.length, row.groups.all, context),
        tone: dim ?? monitorStateTone(row.state),
        says: groupsWords(row),
      },
      for: forCell(row.stateSince, context),
      name: { text: row.name, tone: dim ?? (isFreshAlert(row, context) ? 'strong' : 'plain') },
      // On the page of a service all are about it.
      ...(block === 'now' && { service: { text: findServices(row).join(' '), tone: 'dim' as const } }),
      value: { text: valueText(row), tone: dim ?? 'plain' },
      runbook: { text: hasRunbook ? 'yes' : '', tone: 'dim', says: hasRunbook ? 'has a runbook' : '' },
      muted: { text: muted, tone: 'info', says: mutedWords[muted] ?? `muted ${mutedText(row, context, 'words')}` },
    },
    since: isMuted ? undefined : row.stateSince,
    place: { list: 'monitors', row: row.id },
    subject: { list: 'monitors', row },
    isQuiet: isMuted,
  };
}

/** What a sentence says where there is no mute, and where none is told. */
const mutedWords: Readonly<Record<string, string>> = { '': '', '?': 'mutes unknown' };

/** For how long, where that is known. */
function forCell(since: number | undefined, { now }: Context): Piece {
  const text = since ? age(since, now) : '';
  return { text, tone: 'dim', says: text && `for ${text}` };
}

/** `●●○ 2/3`: so many groups filled, with the numbers; of more than eight the numbers alone. */
function dots(filled: number, all: number, { ascii }: Context): string {
  if (all === 0) return '';
  const [full, open] = ascii ? ['#', '.'] : ['●', '○'];
  const drawn = all > mostDots ? '' : `${full.repeat(filled)}${open.repeat(all - filled)}`;
  return `${drawn.padEnd(mostDots)} ${filled}/${all}`;
}

/** `9 > 5`: the value of the group that is worst off, and what it is compared with. */
function valueText({ worst: [first], query }: MonitorRow): string {
  const value = Number(first?.value);
  if (first?.value === undefined || !Number.isFinite(value)) return '';
  return [String(Number(value.toPrecision(4))), /[<>]=?\s*-?[\d.]+\s*$/.exec(query)?.[0].trim()]
    .filter(Boolean)
    .join(' ');
}

/** Most lines; the rest is one line that opens the list. */
const most = 100;

/** Name of the course of alerting monitors over the polls. */
const course = 'alerting';

/** What is counted at each poll. */
export const alertingSample = (rows: readonly MonitorRow[]): Readonly<Record<string, number>> => ({
  [course]: rows.filter(({ state }) => state === 'Alert').length,
});

interface Red {
  readonly row: MonitorRow;
  readonly isMuted: boolean;
  readonly since: number;
}

interface RedAndCounts {
  readonly red: readonly Red[];
  readonly counts: ReadonlyMap<string, number>;
  readonly muted: number;
}

/** The monitors that alert in their order, how many are in each state, and how many of those that alert are muted. */
const redAndCounts = whileMutesLast((rows: readonly MonitorRow[], _: readonly Mute[], now: number): RedAndCounts => {
  const red: Red[] = [];
  const counts = new Map<string, number>();
  let muted = 0;
  for (const row of rows) {
    const { state } = row;
    counts.set(state, (counts.get(state) ?? 0) + 1);
    if (!isRed(state)) continue;
    const isMuted = isSilent(row, now) === true;
    muted += Number(isMuted && state === 'Alert');
    red.push({ row, isMuted, since: row.stateSince ?? 0 });
  }
  red.sort(byUrgency);
  return { red, counts, muted };
});

/** Unmuted first, then by state, priority and the last change. */
const byUrgency = (one: Red, other: Red): number =>
  Number(one.isMuted) - Number(other.isMuted) ||
  severity(other.row.state) - severity(one.row.state) ||
  (one.row.priority ?? Number.POSITIVE_INFINITY) - (other.row.priority ?? Number.POSITIVE_INFINITY) ||
  other.since - one.since;

const noMutes: readonly Mute[] = [];
const noRows: readonly MonitorRow[] = [];

/** What notifies of monitors: unmuted first, then by state, priority and the last change. */
export const redFirst = (rows: readonly MonitorRow[], now: number): readonly Red[] =>
  redAndCounts(rows, noMutes, now).red;

/** What alerts: unmuted first, then by state, priority and the last change. */
export function nowBlock(feed: Told<MonitorRow> | undefined, context: Context, problemText?: string): BlockNow {
  const rows = feed?.rows ?? noRows;
  const inState = redAndCounts(rows, noMutes, context.now);
  const { red } = inState;
  const entries = foldedByService(red);
  const rest = entries.length - most;
  return {
    id: 'now',
    title: 'Now',
    head: rows.length === 0 ? [] : head(inState, context, feed),
    columns: alertColumns,
    total: entries.length,
    lines: [
      ...entries
        .slice(0, most)
        .map((one) => ('service' in one ? foldedLine(one, context) : alertLine('now', one.row, one.isMuted, context))),
      ...(rest > 0 ? [moreLine(`${rest} more: Enter opens the list`)] : []),
    ],
    empty: waiting(feed, `No alerts · ${plural(rows.length, 'monitor')}`),
    trouble: readTrouble(feed, 'monitors', context, problemText),
    least: 3,
    rest: (ids) => restOf(entries, new Set(ids), context, feed),
  };
}

/** What has no room: `8 more alerting with a priority · 6 without · 11 WARN, 2 of P1 (…)`, and what alerts although it is muted. */
function restOf(
  entries: readonly (Red | Fold)[],
  ids: ReadonlySet<string>,
  context: Context,
  feed: Told | undefined,
): readonly Piece[] {
  const hidden = entries.filter((one) => ids.has(idOf(one))).flatMap((one) => ('service' in one ? one.red : [one]));
  const inState = (state: string, isMuted: boolean) =>
    hidden.flatMap((one) => (one.row.state === state && one.isMuted === isMuted ? [one.row] : []));
  const alerting = inState('Alert', false);
  const warns = inState('Warn', false);
  const unread = inState('No Data', false);
  const ranked = alerting.filter(({ priority }) => priority !== undefined).length;
  const others = alerting.length - ranked;
  const urgent = warns.filter(({ priority }) => priority === 1);
  const named = urgent.length === 0 ? '' : `, ${urgent.length} of P1 (${urgent.map(({ name }) => name).join(', ')})`;
  const loud = [
    ...(ranked > 0 ? [`${ranked} more alerting with a priority`] : []),
    ...(others > 0 ? [ranked > 0 ? `${others} without` : `${others} more alerting without a priority`] : []),
    ...(warns.length > 0 ? [`${warns.length} WARN${named}`] : []),
    ...(unread.length > 0 ? [`${unread.length} NO DATA`] : []),
  ];
  const muted = inState('Alert', true).toSorted(
    (one, other) => mutedEnd(one, context.now) - mutedEnd(other, context.now),
  );
  return [
    ...(loud.length > 0
      ? [
          {
            text: loud.map((text) => countSoFar(text, feed)).join(' · '),
            tone: urgent.length > 0 ? 'warn' : 'dim',
          } as const,
        ]
      : []),
    ...mutedRest(muted, context, feed),
  ];
}

/** `Muted, still alerting: 3/8 CPU high, 12m left · 5 more, 3 of them forever`. */
function mutedRest(
  [first, ...others]: readonly MonitorRow[],
  context: Context,
  feed: Told | undefined,
): readonly Piece[] {
  if (!first) return [];
  const forever = others.filter((row) => mutedEnd(row, context.now) === Number.POSITIVE_INFINITY).length;
  const more =
    others.length === 0
      ? ''
      : ` · ${countSoFar(`${others.length} more`, feed)}${forever > 0 ? `, ${forever} of them forever` : ''}`;
  const name = `${groupsText(first)} ${first.name}`.trim();
  return [{ text: `Muted, still alerting: ${name}, ${mutedText(first, context, 'words')}${more}`, tone: 'info' }];
}

const idOf = (one: Red | Fold): string => ('service' in one ? `now of ${one.service}` : `now ${one.row.id}`);

/** Monitors of one service, the worst first. */
interface Fold {
  readonly service: string;
  readonly red: readonly Red[];
}

/** Where several unmuted monitors of a service alert they are one line, at the place of the worst; what is most urgent stands for itself. */
function foldedByService(red: readonly Red[]): readonly (Red | Fold)[] {
  const serviceOf = ({ row, isMuted }: Red) =>
    isMuted || row.state !== 'Alert' || row.priority === 1 ? undefined : findServices(row)[0];
  const byService = Map.groupBy(red, serviceOf);
  return red.flatMap((one): readonly (Red | Fold)[] => {
    const service = serviceOf(one);
    const all = byService.get(service) ?? [];
    if (service === undefined || all.length < 2) return [one];
    return all[0] === one ? [{ service, red: all }] : [];
  });
}

/** It takes no edit: Enter and `f` open the page of the service. */
function foldedLine(fold: Fold, context: Context): BoardLine {
  const { service, red } = fold;
  const starts = red.map(({ since }) => since);
  const groups = red.map(({ row }) => row.groups);
  const [alerting, all] = [groups.flatMap((one) => one.red).length, groups.reduce((sum, one) => sum + one.all, 0)];
  const priority = red[0]?.row.priority;
  const tone = red.some(({ row }) => isUrgent(row)) ? 'bad' : 'plain';
  return {
    id: idOf(fold),
    block: 'now',
    name: service,
    cells: {
      state: { text: 'ALERT', tone },
      priority: { text: priority === undefined ? '' : `P${priority}`, tone },
      groups: {
        text: dots(alerting, all, context),
        tone: 'bad',
        says: all === 0 ? '' : `${alerting} of ${plural(all, 'group')} alerting`,
      },
      for: forCell(Math.min(...starts), context),
      name: {
        text: `${service}: ${plural(red.length, 'monitor')}`,
        tone: Math.max(...starts) > (context.lastLook ?? 0) ? 'strong' : 'plain',
      },
      service: { text: service, tone: 'dim', says: '' },
    },
    since: Math.max(...starts) || undefined,
    place: { list: 'service', search: { subject: `service:${service}` } },
    service,
  };
}

const moreLine = (text: string): BoardLine => ({
  id: 'now more',
  block: 'now',
  name: 'monitors',
  cells: { text, tone: 'dim' },
  place: { list: 'monitors' },
});

/** `24 ALERT (5 muted)`, `24+ ALERT` where not all rows are read, ` · 10 WARN · 300 OK · 8 new since 05:12 ▁▂▃`. */
function head(
  { red, counts: inState, muted }: RedAndCounts,
  context: Context,
  feed: Told | undefined,
): BlockNow['head'] {
  const counts = ['Alert', 'Warn', 'No Data', 'OK'].flatMap((state) => {
    const count = inState.get(state) ?? 0;
    if (count === 0) return [];
    const aside = state === 'Alert' && muted > 0 ? ` (${countSoFar(`${muted} muted`, feed)})` : '';
    const text = `${countSoFar(`${count} ${state.toUpperCase()}`, feed)}${aside}`;
    // Red is what is urgent alone.
    const isCalm = state === 'Alert' && !red.some(({ row, isMuted }) => !isMuted && isUrgent(row));
    return { text, tone: feed?.isPartial ? 'dim' : isCalm || state === 'OK' ? 'plain' : monitorStateTone(state) };
  });
  const { lastLook = 0 } = context;
  const fresh = red.filter(({ isMuted, since }) => !isMuted && since > lastLook).length;
  const since = zonedTime(lastLook, context.now, context.zone);
  const samples = context.trend(course);
  const readings = samples.slice(samples.findIndex(Number.isFinite)).slice(-hourCells);
  return [
    ...counts,
    ...countPiece(`${fresh} new since ${since}`, 'info', feed).map((piece) => ({
      ...piece,
      short: countSoFar(`${fresh} new`, feed),
    })),
    // A course that never changed says nothing.
    ...(new Set(readings.filter(Number.isFinite)).size > 1
      ? [
          {
            text: `last ${knownTime(readings.length)} ${sparkline(readings, readings.length, context.ascii)}`,
            tone: 'dim' as const,
            says: '',
          },
        ]
      : []),
  ];
}

/** Cells of the course of an hour. */
const hourCells = 24;

const cellMs = 3_600_000 / hourCells;

/** How long ago the first of this many cells was read: `hour`, `5m`. */
const knownTime = (known: number): string => (known >= hourCells ? 'hour' : span((known - 1) * cellMs, Math.floor));
