import type { BlockNow, BoardLine, Piece } from '../../src/describe/board.ts';
import type { Tone } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Told } from '../../src/describe/derived.ts';
import type { NamedLink } from '../../src/describe/named-link.ts';
import { plural } from '../../src/lib/text.ts';
import { age } from '../../src/lib/time-text.ts';
import { offsetName } from '../../src/lib/zone.ts';
import { readTrouble, waiting } from '../home/block.ts';
import { groupsWords, isSilent, monitorStateTone, mutedText } from '../monitors/columns.ts';
import { isRed, type MonitorRow, severity } from '../monitors/row.ts';
import { namedIn, runbookLinks } from '../monitors/subjects.ts';
import { alertingSince, nearTime, type PageSubject } from './subject.ts';

const most = 100;
/** Groups that are drawn one by one. */
const mostDots = 8;

/** What notifies of the subject: unmuted first, then by state and priority; its title is that of the page. */
export function alertsBlock(
  feed: Told<MonitorRow> | undefined,
  rows: readonly MonitorRow[],
  { tag, title }: PageSubject,
  more: readonly Piece[],
  context: Context,
): BlockNow {
  const red = rows
    .filter(({ state }) => isRed(state))
    .map((row) => ({ row, isMuted: isSilent(row, context.now) === true }))
    .toSorted(
      (one, other) =>
        Number(one.isMuted) - Number(other.isMuted) ||
        severity(other.row.state) - severity(one.row.state) ||
        (one.row.priority ?? 9) - (other.row.priority ?? 9) ||
        (one.row.stateSince ?? 0) - (other.row.stateSince ?? 0),
    );
  return {
    id: 'alerts',
    title: title || 'Service',
    head: tag === '' ? [] : head(rows, more, context),
    columns: [
      { id: 'state', priority: 1 },
      { id: 'priority', priority: 4 },
      { id: 'groups', priority: 2 },
      { id: 'for', priority: 3, align: 'right' },
      { id: 'name', priority: 1, flex: true },
      { id: 'value', priority: 5 },
      { id: 'runbook', priority: 7 },
      { id: 'muted', priority: 6 },
    ],
    total: red.length,
    lines: red.slice(0, most).map(({ row, isMuted }) => lineOf(row, isMuted, context)),
    empty: emptyText(feed, rows, tag),
    trouble: readTrouble(feed, 'monitors', context),
    runbooks: runbooksByAddress([...red.map(({ row }) => row), ...rows], context),
    least: 3,
  };
}

/** The runbooks of monitors, each address once. */
function runbooksByAddress(rows: readonly MonitorRow[], context: Context): readonly NamedLink[] {
  const all = rows.flatMap((row) => runbookLinks(row, context));
  return all.filter(({ url }, at) => all.findIndex((one) => one.url === url) === at);
}

function emptyText(feed: Told | undefined, rows: readonly MonitorRow[], tag: string): string {
  if (tag === '') return 'No service is chosen: f on a row, :service NAME, :team NAME or :tag key:value';
  return waiting(
    feed,
    rows.length > 0 ? `nothing alerts · ${plural(rows.length, 'monitor')}` : `no monitor is about ${tag}`,
  );
}

function lineOf(row: MonitorRow, isMuted: boolean, context: Context): BoardLine {
  const since = row.stateSince === undefined ? '' : age(row.stateSince, context.now);
  const muted = mutedText(row, context);
  const { state, dim, name } = tones(row, isMuted, context);
  return {
    id: `alerts ${row.id}`,
    block: 'alerts',
    name: row.name,
    cells: {
      state: { text: isMuted ? row.state.toLowerCase() : row.state.toUpperCase(), tone: state },
      priority: { text: row.priority === undefined ? '' : `P${row.priority}`, tone: state },
      groups: { text: dots(row, context), tone: dim ?? monitorStateTone(row.state), says: groupsWords(row) },
      for: { text: since, tone: 'dim', says: since === '' ? '' : `for ${since}` },
      name: { text: row.name, tone: name },
      value: { text: valueText(row), tone: dim ?? 'plain' },
      runbook: { text: runbookLinks(row, context).length === 0 ? '' : 'runbook', tone: 'dim' },
      muted: { text: muted, tone: 'info', says: muted === '' ? '' : `muted ${mutedText(row, context, 'words')}` },
    },
    since: isMuted ? undefined : row.stateSince,
    place: { list: 'monitors', row: row.id },
    subject: { list: 'monitors', row },
    isQuiet: isMuted,
  };
}

/** Red is an unmuted alert of P1 or P2; of the others the dots alone. Bold is new since the last look. */
function tones(
  row: MonitorRow,
  isMuted: boolean,
  { lastLook = 0 }: Context,
): Record<'state' | 'name', Tone> & { dim?: Tone } {
  if (isMuted) return { state: 'quiet', name: 'dim', dim: 'dim' };
  const isCalm = row.state === 'Alert' && (row.priority ?? 5) > 2;
  return {
    state: isCalm ? 'plain' : monitorStateTone(row.state),
    name: (row.stateSince ?? 0) > lastLook ? 'strong' : 'plain',
  };
}

/** `●●○ 2/3`; of more groups than are drawn one by one, the numbers. */
function dots({ partial, groups: { all, red } }: MonitorRow, { ascii }: Pick<Context, 'ascii'>): string {
  if (partial) return '?';
  if (all === 0) return '';
  const [full, open] = ascii ? ['#', '.'] : ['●', '○'];
  const drawn = all > mostDots ? '' : `${full.repeat(red.length)}${open.repeat(all - red.length)}`;
  return `${drawn.padEnd(mostDots)} ${red.length}/${all}`;
}

/** `9 > 5`: the value of the group that is worst off, and what it is compared with. */
function valueText({ worst: [first], query }: MonitorRow): string {
  const value = Number(first?.value);
  if (first?.value === undefined || !Number.isFinite(value)) return '';
  return [String(Number(value.toPrecision(4))), /[<>]=?\s*-?[\d.]+\s*$/.exec(query)?.[0].trim()]
    .filter(Boolean)
    .join(' ');
}

/** `4 alerting since 14:49 UTC · 2 muted · team checkout · pages @oncall-checkout`. */
function head(rows: readonly MonitorRow[], more: readonly Piece[], context: Context): readonly Piece[] {
  const { now, zone } = context;
  const alerting = rows.filter(({ state }) => state === 'Alert');
  const muted = alerting.filter((row) => isSilent(row, now) === true).length;
  const since = alertingSince(alerting, now);
  const start = since === undefined ? '' : ` since ${nearTime(since, context)} ${offsetName(since, zone)}`;
  const told = alerting.length > 0 ? alerting : rows;
  const teams = distinct(told.flatMap(({ tags }) => tags.filter((tag) => tag.startsWith('team:'))));
  const pages = distinct(told.flatMap(namedIn));
  const all: readonly Piece[] = [
    ...(alerting.length > 0
      ? [{ text: `${alerting.length} alerting${start}`, tone: 'bad', short: `${alerting.length} alerting` } as const]
      : []),
    ...(muted > 0 ? [{ text: `${muted} muted`, tone: 'info' } as const] : []),
    ...more,
    ...(teams.length > 0
      ? [{ text: teams.map((team) => team.replace(':', ' ')).join(', '), tone: 'dim' } as const]
      : []),
    ...(pages.length > 0 ? [{ text: `pages ${pages.join(' ')}`, tone: 'dim' } as const] : []),
  ];
  return all.map((piece) => ({ ...piece, text: `· ${piece.text}`, ...(piece.short && { short: `· ${piece.short}` }) }));
}

/** Each once; of many the first two. */
const distinct = (all: readonly string[]): readonly string[] => [...new Set(all)].slice(0, 2);
