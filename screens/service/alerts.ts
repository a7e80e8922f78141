import type { BlockNow, Piece } from '../../src/describe/board.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Told } from '../../src/describe/derived.ts';
import type { NamedLink } from '../../src/describe/named-link.ts';
import { plural } from '../../src/lib/text.ts';
import { offsetName } from '../../src/lib/zone.ts';
import { alertColumns, alertLine } from '../home/alert-line.ts';
import { countSoFar, readTrouble, waiting } from '../home/block.ts';
import { isSilent } from '../monitors/columns.ts';
import { isRed, type MonitorRow, severity } from '../monitors/row.ts';
import { namedIn, runbookLinks } from '../monitors/subjects.ts';
import { alertingSince, nearTime, type PageSubject } from './subject.ts';

const most = 100;

/** What notifies of the subject: unmuted first, then by state and priority; its title is that of the page. */
export function alertsBlock(
  feed: Told<MonitorRow> | undefined,
  rows: readonly MonitorRow[],
  subject: PageSubject,
  more: readonly Piece[],
  context: Context,
): BlockNow {
  const { tag, title } = subject;
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
    head: tag === '' ? [] : head(feed, rows, more, subject, context),
    columns: alertColumns,
    total: red.length,
    lines: red.slice(0, most).map(({ row, isMuted }) => alertLine('alerts', row, isMuted, context)),
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
    rows.length > 0 ? `No alerts · ${plural(rows.length, 'monitor')}` : `no monitor is about ${tag}`,
  );
}

/** `4 alerting since 14:49 UTC · 2 muted · team checkout · pages @oncall-checkout`. */
function head(
  feed: Told | undefined,
  rows: readonly MonitorRow[],
  more: readonly Piece[],
  { tag: subjectTag }: PageSubject,
  context: Context,
): readonly Piece[] {
  const { now, zone } = context;
  const alerting = rows.filter(({ state }) => state === 'Alert');
  const muted = alerting.filter((row) => isSilent(row, now) === true).length;
  const since = alertingSince(alerting, now);
  const start = since === undefined ? '' : ` since ${nearTime(since, context)} ${offsetName(since, zone)}`;
  const told = alerting.length > 0 ? alerting : rows;
  const teams = distinct(
    told.flatMap(({ tags }) => tags.filter((tag) => tag.startsWith('team:') && tag !== subjectTag)),
  );
  const pages = distinct(told.flatMap(namedIn));
  const all: readonly Piece[] = [
    ...(alerting.length > 0
      ? [
          {
            text: countSoFar(`${alerting.length} alerting${start}`, feed),
            tone: feed?.isPartial ? 'dim' : 'bad',
            short: countSoFar(`${alerting.length} alerting`, feed),
          } as const,
        ]
      : []),
    ...(muted > 0 ? [{ text: countSoFar(`${muted} muted`, feed), tone: 'info' } as const] : []),
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
