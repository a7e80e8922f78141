import type { Context } from '../../src/describe/context.ts';
import type { BlockNow, BoardLine, Told } from '../../src/describe/derived.ts';
import { formatCount, plural, sparkline } from '../../src/lib/text.ts';
import { amountOf, amountText } from '../issues/columns.ts';
import type { IssueRow } from '../issues/row.ts';
import { findServices, isSilent } from '../monitors/columns.ts';
import { type Mute, whileMutesLast } from '../monitors/mutes.ts';
import type { MonitorRow } from '../monitors/row.ts';
import { countPiece, isCut, readTrouble, waiting } from './board.ts';

interface Service {
  readonly name: string;
  readonly rows: readonly IssueRow[];
  /** Undefined where no issue has a count. */
  readonly total: number | undefined;
  /** Whether there may be more errors. */
  readonly isAtLeast: boolean;
  readonly users: number;
  readonly unassigned: number;
  readonly newest: number;
  /** Its monitors that alert and are not muted. */
  readonly alerts: number;
}

const nameOf = (row: IssueRow): string => row.service || '(no service)';

/** Services with their issues, the most errors first. */
function servicesOf(rows: readonly IssueRow[], alerts: ReadonlyMap<string, number>): readonly Service[] {
  return [...Map.groupBy(rows, nameOf)]
    .map(([name, counts]) => ({
      name,
      rows: counts,
      total: counts.some((row) => row.counts.total !== undefined)
        ? counts.reduce((sum, row) => sum + (row.counts.total ?? 0), 0)
        : undefined,
      isAtLeast: counts.some(({ counts: { total, totalAtLeast } }) => total === undefined || totalAtLeast === true),
      users: Math.max(0, ...counts.map((row) => row.counts.users ?? 0)),
      unassigned: counts.filter((row) => row.told && row.assignee === undefined).length,
      newest: Math.max(0, ...counts.map((row) => row.firstSeen ?? 0)),
      alerts: alerts.get(name) ?? 0,
    }))
    .toSorted((one, other) => (other.total ?? 0) - (one.total ?? 0));
}

/** The errors of each service, counted at each poll. */
export const serviceSamples = (rows: readonly IssueRow[]): Readonly<Record<string, number>> =>
  Object.fromEntries(servicesOf(rows, new Map()).map(({ name, total }) => [`service ${name}`, total ?? Number.NaN]));

/** Issues of the last day by service: how many errors, where that goes, who has them. */
export function servicesBlock(
  feed: Told<IssueRow> | undefined,
  monitors: Told<MonitorRow> | undefined,
  context: Context,
  problemText?: string,
): BlockNow {
  const rows = feed?.rows ?? [];
  const { lastLook = 0 } = context;
  const fresh = rows.filter((row) => (row.firstSeen ?? 0) > lastLook).length;
  const unassigned = rows.filter((row) => row.told && row.assignee === undefined).length;
  return {
    id: 'services',
    title: 'Services',
    head: [
      ...countPiece(`${plural(rows.length, 'issue')} in 24h`, 'dim', feed),
      ...countPiece(`${fresh} new`, 'info', feed),
      ...countPiece(`${unassigned} unassigned`, fresh > 0 ? 'warn' : 'dim', feed),
    ],
    columns: [
      { id: 'service', title: 'SERVICE', priority: 1, flex: true },
      { id: 'total', title: 'ERRORS', unit: 'errors', priority: 1, align: 'right' },
      { id: 'trend', title: '20 MIN', priority: 5 },
      { id: 'users', title: 'USERS', unit: 'users', priority: 6, align: 'right' },
      { id: 'fresh', title: 'NEW', unit: 'new', priority: 4, align: 'right' },
      { id: 'unassigned', title: 'UNASSIGNED', unit: 'unassigned', priority: 3, align: 'right' },
      { id: 'alerts', title: 'ALERTS', priority: 2 },
    ],
    ...(isCut(feed) && { total: null }),
    lines: servicesOf(rows, alertsByService(monitors?.rows ?? [], noMutes, context.now)).map((one) =>
      lineOf(one, context),
    ),
    empty: waiting(feed, 'No open issues in the last 24h'),
    trouble:
      readTrouble(feed, 'issues', context, problemText) ??
      (isCut(feed) ? 'more issues than Home reads: the Issues screen has the rest' : undefined),
    least: 2,
  };
}

function lineOf(
  { name, rows, total, isAtLeast, users, unassigned, newest, alerts }: Service,
  context: Context,
): BoardLine {
  const samples = context.trend(`service ${name}`);
  const { lastLook = 0, ascii } = context;
  const fresh = rows.filter((row) => (row.firstSeen ?? 0) > lastLook).length;
  const sentenceOf = (count: number, sentence: string) => (count === 0 ? '' : sentence);
  return {
    id: `services ${name}`,
    block: 'services',
    name,
    cells: {
      service: { text: name, tone: fresh > 0 ? 'strong' : 'plain' },
      total: { text: amountText(total, isAtLeast), says: amountOf(total, 'error', isAtLeast) },
      trend: { text: samples.length < 2 ? '' : sparkline(samples, 8, ascii), tone: 'dim', says: '' },
      users: {
        text: users === 0 ? '' : formatCount(users),
        tone: 'dim',
        says: sentenceOf(users, plural(users, 'user')),
      },
      fresh: { text: fresh === 0 ? '' : `${fresh}`, tone: 'info', says: sentenceOf(fresh, `${fresh} new`) },
      unassigned: {
        text: `${unassigned} of ${rows.length}`,
        tone: fresh > 0 && unassigned > 0 ? 'warn' : 'dim',
        says: `${unassigned} of ${plural(rows.length, 'issue')} unassigned`,
      },
      alerts: {
        text: alerts === 0 ? '' : alerts > mostDots ? `${alerts}` : (ascii ? '#' : '●').repeat(alerts),
        tone: 'bad',
        says: sentenceOf(alerts, `${plural(alerts, 'monitor')} alerting`),
      },
    },
    since: newest || undefined,
    ...(rows[0]?.service && { service: rows[0].service }),
    place: { list: 'issues', range: '24h', ...(rows[0]?.service ? { filter: rows[0].service } : {}) },
  };
}

/** Alerts that are drawn one by one. */
const mostDots = 5;

const noMutes: readonly Mute[] = [];

/** How many monitors of each service alert and are not muted. */
const alertsByService = whileMutesLast((rows: readonly MonitorRow[], _: readonly Mute[], now: number) => {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.state !== 'Alert' || isSilent(row, now) === true) continue;
    for (const service of findServices(row)) counts.set(service, (counts.get(service) ?? 0) + 1);
  }
  return counts;
});
