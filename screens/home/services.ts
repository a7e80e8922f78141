import type { BlockNow, BoardLine } from '../../src/describe/board.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Told } from '../../src/describe/derived.ts';
import { formatCount, plural, sparkline } from '../../src/lib/text.ts';
import type { IssueRow } from '../issues/row.ts';
import { readTrouble, waiting } from './block.ts';

interface Service {
  readonly name: string;
  readonly rows: readonly IssueRow[];
  readonly total: number;
  readonly users: number;
  readonly unassigned: number;
  readonly newest: number;
}

const nameOf = (row: IssueRow): string => row.service || '(no service)';

/** Services with their issues, the most errors first. */
function servicesOf(rows: readonly IssueRow[]): readonly Service[] {
  return [...Map.groupBy(rows, nameOf)]
    .map(([name, counts]) => ({
      name,
      rows: counts,
      total: counts.reduce((sum, row) => sum + (row.counts.total ?? 0), 0),
      users: Math.max(0, ...counts.map((row) => row.counts.users ?? 0)),
      unassigned: counts.filter((row) => row.told && row.assignee === undefined).length,
      newest: Math.max(0, ...counts.map((row) => row.firstSeen ?? 0)),
    }))
    .toSorted((one, other) => other.total - one.total);
}

/** The errors of each service, counted at each poll. */
export const serviceSamples = (rows: readonly IssueRow[]): Readonly<Record<string, number>> =>
  Object.fromEntries(servicesOf(rows).map(({ name, total }) => [`service ${name}`, total]));

const issuesText = (issues: number, isCut: boolean) => (isCut ? `${issues}+ issues` : plural(issues, 'issue'));

/** Issues of the last day by service: how many errors, where that goes, who has them. */
export function servicesBlock(feed: Told<IssueRow> | undefined, context: Context, problemText?: string): BlockNow {
  const rows = feed?.rows ?? [];
  const { lastLook = 0 } = context;
  const isCut = feed?.notes.some((note) => note.startsWith('stopped after')) === true;
  const fresh = rows.filter((row) => (row.firstSeen ?? 0) > lastLook).length;
  const unassigned = rows.filter((row) => row.told && row.assignee === undefined).length;
  return {
    id: 'services',
    title: 'Issues 24h',
    head: [
      ...(rows.length > 0 ? [{ text: issuesText(rows.length, isCut), tone: 'dim' } as const] : []),
      ...(fresh > 0 ? [{ text: `${fresh} new`, tone: 'info' } as const] : []),
      ...(unassigned > 0 ? [{ text: `${unassigned} unassigned`, tone: 'warn' } as const] : []),
    ],
    columns: [
      { id: 'service', priority: 1, flex: true },
      { id: 'total', priority: 1, align: 'right' },
      { id: 'trend', priority: 4 },
      { id: 'issues', priority: 2, align: 'right' },
      { id: 'unassigned', priority: 3, align: 'right' },
      { id: 'users', priority: 5, align: 'right' },
    ],
    ...(isCut && { total: null }),
    lines: servicesOf(rows).map((service) => lineOf(service, context)),
    empty: waiting(feed, 'no open issues in the last 24h'),
    trouble:
      readTrouble(feed, 'issues', context, problemText) ??
      (isCut ? 'there are more issues than Home reads: the screen of issues reads the rest' : undefined),
    least: 2,
  };
}

function lineOf({ name, rows, total, users, unassigned, newest }: Service, context: Context): BoardLine {
  const samples = context.trend(`service ${name}`);
  return {
    id: `services ${name}`,
    block: 'services',
    name,
    cells: {
      service: { text: name, tone: 'strong' },
      total: { text: formatCount(total), says: `${formatCount(total)} errors` },
      trend: { text: samples.length < 2 ? '' : sparkline(samples, 8, context.ascii), tone: 'dim', says: '' },
      issues: { text: plural(rows.length, 'issue'), tone: 'dim' },
      unassigned: { text: unassigned === 0 ? '' : `${unassigned} unassigned`, tone: 'warn' },
      users: { text: users === 0 ? '' : plural(users, 'user'), tone: 'dim' },
    },
    since: newest,
    ...(rows[0]?.service && { service: rows[0].service }),
    place: { list: 'issues', range: '24h', ...(rows[0]?.service ? { filter: rows[0].service } : {}) },
  };
}
