import type { BlockNow, BoardLine, Piece } from '../../src/describe/board.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Told } from '../../src/describe/derived.ts';
import { formatCount, plural, sparkline } from '../../src/lib/text.ts';
import { readEpoch } from '../../src/lib/time-text.ts';
import { readTrouble, waiting } from '../home/block.ts';
import { errorText, issueStateTone, newMs, stateMark } from '../issues/columns.ts';
import { assigneeName, type IssueRow } from '../issues/row.ts';
import { nearTime, type PageSubject } from './subject.ts';

/** What was seen first so long before the first alert may be its cause. */
const before = 15 * 60_000;

/** The range of the search. */
export const range = '24h';

/** The search at the service for the issues of a service. */
export const issueQuery = (service: string): string => `service:${JSON.stringify(service)}`;

/** When it first came, or came again, where that was about when the first alert began or later. */
function newSince(row: IssueRow, since: number | undefined, now: number): number | undefined {
  const from = since === undefined ? now - newMs : since - before;
  const again = row.regression && readEpoch(row.regression.at, 'ms');
  return [again, row.firstSeen].find((at) => at !== undefined && at >= from);
}

/** Issues of the last day: new ones and those that came again first. `since`: when the first alert began. */
export function issuesBlock(
  feed: Told<IssueRow> | undefined,
  { service, tag }: PageSubject,
  since: number | undefined,
  context: Context,
): BlockNow {
  const rows = (feed?.rows ?? [])
    .map((row) => ({ row, at: newSince(row, since, context.now) }))
    .toSorted((one, other) => Number(other.at !== undefined) - Number(one.at !== undefined));
  const fresh = rows.filter(({ at }) => at !== undefined).length;
  const unassigned = rows.filter(({ row }) => row.told && row.assignee === undefined).length;
  const isCut = feed?.notes.some((note) => note.startsWith('stopped after')) === true;
  return {
    id: 'issues',
    title: `Issues ${range}`,
    head: [
      ...(rows.length > 0 ? [{ text: `${rows.length}${isCut ? '+' : ''}`, tone: 'dim' } as const] : []),
      ...(fresh > 0
        ? [{ text: `· ${fresh} new${since === undefined ? '' : ' since the first alert'}`, tone: 'info' } as const]
        : []),
      ...(unassigned > 0 ? [{ text: `· ${unassigned} unassigned`, tone: fresh > 0 ? 'warn' : 'dim' } as const] : []),
    ],
    columns: [
      { id: 'state', priority: 1 },
      { id: 'total', priority: 1, align: 'right' },
      { id: 'trend', priority: 5 },
      { id: 'error', priority: 1, flex: true },
      { id: 'version', priority: 3, max: 32 },
      { id: 'who', priority: 4 },
    ],
    ...(isCut && { total: null }),
    lines: rows.map(({ row, at }) => lineOf(row, at, context)),
    empty:
      service === undefined
        ? tag === ''
          ? 'none: nothing is asked'
          : 'Issues can be searched by service only: f on one of the monitors'
        : waiting(feed, `no open issues of ${service} in the last ${range}`),
    trouble: readTrouble(feed, 'issues', context),
    least: 2,
  };
}

/** `5 issues, 1 new`, for the head of the page. */
export function issuesPiece({ lines }: BlockNow): readonly Piece[] {
  const fresh = lines.filter(({ since }) => since !== undefined).length;
  return lines.length === 0
    ? []
    : [
        {
          text: `${plural(lines.length, 'issue')}${fresh > 0 ? `, ${fresh} new` : ''}`,
          tone: fresh > 0 ? 'info' : 'dim',
        },
      ];
}

function lineOf(row: IssueRow, began: number | undefined, context: Context): BoardLine {
  const samples = context.trend(`issue ${row.id}`);
  const assignee = assigneeName(row, context);
  return {
    id: `issues ${row.id}`,
    block: 'issues',
    name: errorText(row),
    cells: {
      state: {
        text: stateMark(row.state),
        tone: began === undefined ? 'dim' : assignee === '' ? 'warn' : issueStateTone(row.state),
        says: row.state,
      },
      total: {
        text: row.counts.total === undefined ? '' : formatCount(row.counts.total),
        says: row.counts.total === undefined ? '' : plural(row.counts.total, 'error'),
      },
      trend: { text: samples.length < 2 ? '' : sparkline(samples, 8, context.ascii), tone: 'dim', says: '' },
      error: { text: errorText(row), tone: began === undefined ? 'plain' : 'strong' },
      version: { text: versionText(row, began, context), tone: began === undefined ? 'dim' : 'info' },
      who: {
        text: assignee || (row.told ? 'unassigned' : ''),
        tone: assignee === '' && began !== undefined ? 'warn' : 'dim',
      },
    },
    since: began,
    place: { list: 'issues', row: row.id, range, search: { query: issueQuery(row.service) } },
    subject: { list: 'issues', row },
  };
}

/** `new in 4.12.0 14:47`, `again in 4.12.0 14:47`, `since 3.9.1`. */
function versionText(row: IssueRow, at: number | undefined, context: Context): string {
  const isAgain = at !== undefined && at !== row.firstSeen;
  const version = isAgain ? row.regression?.version : row.firstVersion;
  if (at === undefined) return version ? `since ${version}` : '';
  return `${isAgain ? 'again' : 'new'}${version ? ` in ${version}` : ''} ${nearTime(at, context)}`;
}
