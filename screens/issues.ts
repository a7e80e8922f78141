import { call } from '../src/api/endpoint.ts';
import { getIssue, searchIssues } from '../src/api/error-tracking.ts';
import { listUsers } from '../src/api/users.ts';
import { type OutputField, outputField, type RowOutput, timestamp } from '../src/describe/column.ts';
import { list, type RowState, type Screen, webLink } from '../src/describe/screen.ts';
import { percentEncoded } from '../src/lib/paint.ts';
import { toWord } from '../src/lib/values.ts';
import {
  amountOf,
  caseAttributes,
  caseStatus,
  columns,
  issueStateTone,
  newMs,
  stateMark,
  trackerLinks,
} from './issues/columns.ts';
import { detail, findIssues } from './issues/detail.ts';
import { assign, stateActions, unassign } from './issues/edit.ts';
import { describeSearch, initialSearch, searchForm } from './issues/issue-search.ts';
import { loadIssues, ranges } from './issues/load.ts';
import {
  assigneeName,
  type IssueRow,
  issueName,
  issueStates,
  keptIssue,
  rowSchema,
  unassignedText,
} from './issues/row.ts';

const caseMembers =
  '`key`, `title`, `type`, `status`, `priority`, `project_id`, `assignee`, `attributes`, `tracker_links`; null if the service sent only the ID';

/** The case of an issue as JSON has one. */
function caseItem(row: IssueRow) {
  const { project, assignee } = row.case?.named ?? {};
  const about = row.case?.attributes;
  const word = (name: string) => toWord(about?.[name]) || null;
  return (
    about && {
      key: word('key'),
      title: word('title'),
      type: word('type') ?? word('type_id'),
      status: caseStatus(about) || null,
      priority: word('priority'),
      project_id: project?.id ?? null,
      assignee: assignee ? { id: assignee.id, name: assignee.name || null } : null,
      attributes: Object.fromEntries(caseAttributes(about)),
      tracker_links: trackerLinks(about),
    }
  );
}

/** A text of an issue as JSON has one: null where it is empty. */
const textOutput = (name: string, says: string, textOf: (row: IssueRow) => string): OutputField<IssueRow> =>
  outputField(name, 'text', says, (row) => textOf(row) || undefined);

/** Issues for a program. */
const issueOutput = (): RowOutput<IssueRow> => ({
  fields: [
    textOutput('state', 'OPEN, ACKNOWLEDGED, RESOLVED, IGNORED, EXCLUDED or another word', (row) => row.state),
    outputField('count', 'number', 'errors in the range; null outside a search', (row) => row.counts.total),
    outputField(
      'count_at_least',
      'flag',
      'there may be more errors than `count`',
      (row) => row.counts.totalAtLeast === true,
    ),
    outputField('sessions', 'number', 'sessions with the error', (row) => row.counts.sessions),
    outputField('users', 'number', 'users with the error', (row) => row.counts.users),
    textOutput('service', 'name of the service', (row) => row.service),
    textOutput('type', 'such as `TypeError`', (row) => row.type),
    textOutput('message', 'the whole message', (row) => row.message),
    textOutput('file', 'path of the source file', (row) => row.file),
    textOutput('function', 'name of the function', (row) => row.function),
    textOutput('platform', 'words of the service', (row) => row.platform),
    outputField('languages', 'list of texts', 'words of the service', (row) => row.languages),
    outputField('crash', 'flag', 'whether the error ended the program', (row) => row.crash),
    outputField('first_seen', 'time', 'first error', (row) => row.firstSeen),
    outputField('last_seen', 'time', 'last error', (row) => row.lastSeen),
    textOutput('first_version', 'version of the first error', (row) => row.firstVersion),
    textOutput('last_version', 'version of the last error', (row) => row.lastVersion),
    outputField(
      'regression',
      'object',
      '`at`, `version`, `resolved_at` of an issue that came back',
      ({ regression }) =>
        regression && {
          at: timestamp(regression.at),
          version: regression.version,
          resolved_at: timestamp(regression.resolvedAt),
        },
    ),
    outputField('assignee', 'object', '`id` and `name`; null where unassigned', ({ assignee, who }) =>
      assignee === undefined ? undefined : { id: assignee, name: (who?.id === assignee && who.name) || null },
    ),
    outputField('teams', 'list of objects', '`id`, `name`, `handle` of each team that owns it', (row) =>
      row.teams.map(({ id, name, handle }) => ({ id, name, handle })),
    ),
    outputField('case_id', 'id', 'id of its case', (row) => row.case?.id),
    outputField('case', 'object', caseMembers, caseItem),
  ],
});

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
  states: issueStates.map(counted),
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
  // A read may name the assignee in other words than the answer to an edit.
  comparable: (row) => ({ ...row, who: undefined }),
  kept: keptIssue,
  now(row, context) {
    const said = assigneeName(row, context);
    // Another person reads it.
    const who = said === 'you' ? (context.me?.name ?? said) : said;
    return `${row.state || 'state unknown'}, ${who === '' ? unassignedText(row) : `assigned to ${who}`}`;
  },
  openEnds(rows) {
    const loose = rows.filter((row) => row.state.toUpperCase() === 'OPEN' && row.assignee === undefined);
    const first = loose.toSorted((one, other) => (other.counts.total ?? 0) - (one.counts.total ?? 0)).slice(0, 3);
    const named = first.map((row) => ({
      name: issueName(row),
      rest: `(${amountOf(row.counts.total, 'error', row.counts.totalAtLeast) || 'number of errors unknown'})`,
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
  command: (row) => call(getIssue, { issue_id: row.id }),
});

export const issues: Screen = {
  id: 'issues',
  title: 'Issues',
  key: '1',
  showsTotal: true,
  lists: [issueList],
};
