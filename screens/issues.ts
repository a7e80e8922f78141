import { getIssue, searchIssues } from '../src/api/error-tracking.ts';
import { listUsers } from '../src/api/users.ts';
import type { Screen } from '../src/describe/screen.ts';
import { list, type RowState } from '../src/describe/screen.ts';
import { webLink } from '../src/describe/web-link.ts';
import { percentEncoded } from '../src/lib/percent.ts';
import { plural } from '../src/lib/text.ts';
import { toWord } from '../src/lib/unchecked-values.ts';
import { assign, unassign } from './issues/assign.ts';
import { columns, issueStateTone, newMs, stateMark } from './issues/columns.ts';
import { detail, findIssues } from './issues/detail.ts';
import { describeSearch, initialSearch, searchForm } from './issues/issue-search.ts';
import { loadIssues, ranges } from './issues/load.ts';
import { issueOutput } from './issues/output.ts';
import { assigneeName, type IssueRow, issueName, keptIssue, rowSchema } from './issues/row.ts';
import { showCommand, stateActions } from './issues/state.ts';

const counted = (state: string): RowState<IssueRow> => ({
  label: stateMark(state),
  tone: issueStateTone(state),
  isIn: (row) => row.state.toUpperCase() === state,
});

/** New issues with so many errors are notified of where the profile does not say. */
const usualErrors = 1000;

/** Issues of error tracking with counts, assignee and state (docs/contract/error-tracking.md). */
export const issueList = list<IssueRow>({
  id: 'issues',
  title: 'Issues',
  load: loadIssues,
  idOf: (row) => row.id,
  nameOf: issueName,
  noun: 'issue',
  find: findIssues,
  output: issueOutput,
  columns,
  search: { form: searchForm, initial: initialSearch, says: describeSearch },
  states: ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'IGNORED', 'EXCLUDED'].map(counted),
  ranges: { options: ranges, initial: '24h' },
  words: (row) =>
    [
      row.message.slice(0, 2_000),
      row.file,
      row.function,
      row.platform,
      row.state,
      row.firstVersion,
      row.lastVersion,
      ...row.languages,
      ...row.teams.flatMap((team) => [team.name, team.handle]),
      row.who?.email ?? '',
      toWord(row.case?.attributes?.key),
    ].join(' '),
  trend: (row) => row.counts.total ?? Number.NaN,
  reads: [searchIssues, getIssue, listUsers],
  detail,
  schema: rowSchema,
  actions: [assign, ...stateActions, unassign],
  kept: keptIssue,
  now(row, context) {
    const said = assigneeName(row, context);
    // Another person reads it.
    const who = said === 'you' ? (context.me?.name ?? said) : said;
    return `${row.state || 'state unknown'}, ${who === '' ? 'unassigned' : `assigned to ${who}`}`;
  },
  openEnds(rows) {
    const loose = rows.filter((row) => row.state.toUpperCase() === 'OPEN' && row.assignee === undefined);
    const first = loose.toSorted((one, other) => (other.counts.total ?? 0) - (one.counts.total ?? 0)).slice(0, 3);
    const named = first.map((row) => ({
      name: issueName(row),
      rest: `(${plural(row.counts.total ?? 0, 'error')})`,
      row: row.id,
    }));
    return [{ title: 'Open, not assigned', count: loose.length, named }];
  },
  notifies: {
    one: 'new issue',
    isOnce: true,
    isSo: (row, context) =>
      (row.counts.total ?? 0) >= (context.notify?.issues ?? usualErrors) && context.now - (row.firstSeen ?? 0) < newMs,
  },
  empty: 'No issues in this range. T: time range, s: search',
  services: (row) => (row.service ? [row.service] : []),
  link: (row, context) => webLink(context, `/error-tracking/issue/${percentEncoded(row.id)}`),
  command: showCommand,
});

export const issues: Screen = {
  id: 'issues',
  title: 'Issues',
  key: '1',
  showsTotal: true,
  lists: [issueList],
};
