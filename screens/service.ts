import { searchIssues } from '../src/api/error-tracking.ts';
import type { Context } from '../src/describe/context.ts';
import type { Feed, Material } from '../src/describe/derived.ts';
import { textField } from '../src/describe/field.ts';
import type { Screen } from '../src/describe/screen.ts';
import type { ListQuery } from '../src/describe/source.ts';
import { boardOf } from './home/board-list.ts';
import { initialSearch } from './issues/issue-search.ts';
import { loadIssues } from './issues/load.ts';
import type { IssueRow } from './issues/row.ts';
import { issueList } from './issues.ts';
import { muteFeeds, muteList, muteReads } from './monitors/ledger.ts';
import { monitorList } from './monitors.ts';
import { alertsBlock } from './service/alerts.ts';
import { editsBlock } from './service/edits.ts';
import { issueQuery, issuesBlock, issuesPiece, range } from './service/issues.ts';
import { mutesOfSubject } from './service/mutes.ts';
import { alertingSince, monitorsOf, subjectOf } from './service/subject.ts';

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
    alertsBlock(monitors, rows, subject, issuesPiece(issues), context),
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
  offers: [monitorList, issueList, muteList].flatMap(({ actions }) => actions.map(({ id }) => id)),
  search: {
    initial: { subject: '' },
    subject: 'subject',
    form: ({ subject = '' }) => ({
      subject: textField('Subject', subject, {
        required: true,
        hint: 'Name of a service, or a tag such as team:checkout or env:prod',
      }),
    }),
    says: ({ subject = '' }) => subject,
  },
  reads: [...muteReads, searchIssues],
});

/** Everything about one service, team or tag: its alerts, issues, mutes and edits. */
export const service: Screen = { id: 'service', title: 'Service', lists: [serviceList] };
