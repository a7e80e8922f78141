import { searchIssues } from '../src/api/error-tracking.ts';
import type { Context, ListQuery, LoggedEdit } from '../src/describe/context.ts';
import type { BlockNow, BoardLine, Feed, Material, Told } from '../src/describe/derived.ts';
import { textField } from '../src/describe/field.ts';
import type { Screen } from '../src/describe/screen.ts';
import { clockTime, offsetName } from '../src/lib/time.ts';
import { boardOf, readTrouble, waiting } from './home/board.ts';
import { editLine } from './home/log.ts';
import { initialSearch } from './issues/issue-search.ts';
import { loadIssues } from './issues/load.ts';
import type { IssueRow } from './issues/row.ts';
import { issueList } from './issues.ts';
import { muteFeeds, muteList, muteReads } from './monitors/ledger.ts';
import type { MonitorRow } from './monitors/row.ts';
import { monitorList } from './monitors.ts';
import {
  alertingSince,
  alertsBlock,
  issueQuery,
  issuesBlock,
  issuesPiece,
  monitorsOf,
  mutesOfSubject,
  range,
  subjectOf,
} from './service/blocks.ts';

const aDay = 86_400_000;
/** The service's clock and this one may differ by so much, and an edit has several requests. */
const nearMs = 120_000;

/** Edits of the last day: those of the journal, and monitors that were changed without an entry of it. `edits` is absent where no journal is read. */
function editsBlock(
  { monitors: feed, issues: found }: Material['told'],
  monitors: readonly MonitorRow[],
  edits: readonly LoggedEdit[] | undefined,
  context: Context,
): BlockNow {
  const { now, zone } = context;
  const issues: readonly IssueRow[] = found?.rows ?? [];
  const ids = new Set([...monitors, ...issues].map(({ id }) => id));
  const listedEdits = (edits ?? []).filter(({ at, targetId }) => ids.has(targetId ?? '') && now - at < aDay);
  const others = monitors.flatMap((row) => {
    const { id, modified: at } = row;
    if (at === undefined || now - at >= aDay) return [];
    const isOwn = listedEdits.some((edit) => edit.targetId === id && Math.abs(edit.at - at) < nearMs);
    return isOwn ? [] : [{ at, line: otherLine(row, at, edits !== undefined, context) }];
  });
  const lines = [...listedEdits.map((edit) => ({ at: edit.at, line: editLine(edit, 'edits', context) })), ...others];
  return {
    id: 'edits',
    isHalf: true,
    title: `Edits, last day (${offsetName(now, zone)})`,
    head: [{ text: 'deploys are unknown: the API has none', tone: 'dim' }],
    columns: [
      { id: 'time', priority: 2 },
      { id: 'what', priority: 1, max: 24 },
      { id: 'name', priority: 1, flex: true },
    ],
    lines: lines.toSorted((one, other) => other.at - one.at).map(({ line }) => line),
    empty: waiting(feed, 'No edits in the last day'),
    trouble: unreadOf(feed, 'monitors', context) ?? unreadOf(found, 'issues', context),
    least: 2,
  };
}

/** That edits of rows are missing which could not be read; their own block says why. */
const unreadOf = (feed: Told | undefined, subject: string, context: Context): string | undefined =>
  feed?.rows ? undefined : readTrouble(feed, `edits of ${subject}`, context, feed?.problem?.text);

/** A monitor that others changed; where no journal is read, it may have been the person. */
const otherLine = (row: MonitorRow, changed: number, isOther: boolean, { zone }: Context): BoardLine => ({
  id: `edits ${row.id}`,
  block: 'edits',
  name: row.name,
  cells: {
    time: { text: clockTime(changed, zone), tone: 'dim' },
    what: { text: isOther ? 'edited by others' : 'edited' },
    name: { text: row.name },
  },
  place: { list: 'monitors', row: row.id },
  subject: { list: 'monitors', row },
});

/** The issues of a service by one search, under the key of the list that Enter opens. */
const issueFeed: Feed<IssueRow> = {
  of: 'issues',
  every: 30,
  source(context, asked) {
    const { service } = subjectOf(asked);
    if (service === undefined) return undefined;
    return loadIssues({ search: { ...initialSearch, query: issueQuery(service) }, range }, context, 1);
  },
  samples: (rows) => Object.fromEntries(rows.map(({ id, counts }) => [`issue ${id}`, counts.total ?? Number.NaN])),
};

function blocks({ told: feeds, edits }: Material, context: Context, asked: ListQuery) {
  const { monitors, downtimes, issues: found } = feeds;
  const subject = subjectOf(asked);
  const rows = monitorsOf(monitors, subject);
  const issues = issuesBlock(found, subject, alertingSince(rows, context.now), context);
  return [
    alertsBlock(monitors, rows, subject, issuesPiece(issues, found), context),
    issues,
    mutesOfSubject(monitors, downtimes, rows, subject, context),
    editsBlock(feeds, rows, edits, context),
  ];
}

const serviceList = boardOf({
  id: 'service',
  title: 'Service',
  board: { blocks, isNarrow: true },
  feeds: { monitors: muteFeeds.monitors, issues: issueFeed, downtimes: muteFeeds.downtimes },
  offers: [...monitorList.actions, ...issueList.actions, ...muteList.actions].map(({ id }) => id),
  search: {
    initial: { subject: '' },
    subject: 'subject',
    form: ({ subject = '' }) => ({
      subject: textField('Subject', subject, {
        required: true,
        hint: 'Name of a service, or a tag such as team:checkout or env:prod',
        check: (typed) => !typed.endsWith(':') || `Write a name behind ${typed}`,
      }),
    }),
    says: ({ subject = '' }) => subject,
  },
  reads: [...muteReads, searchIssues],
});

/** Everything about one service, team or tag: its alerts, issues, mutes and edits. */
export const service: Screen = { id: 'service', title: 'Service', lists: [serviceList] };
