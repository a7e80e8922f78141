import { ask, call, inside, type Plan } from '../../src/api/endpoint.ts';
import { getIssue } from '../../src/api/error-tracking.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { type DetailLine, gap, head, pair, section, textLine } from '../../src/describe/column.ts';
import { type Context, inWords, type Rows, type Single, type Source } from '../../src/describe/context.ts';
import { rawTab } from '../../src/describe/list-detail.ts';
import type { Detail } from '../../src/describe/screen.ts';
import { yesNo } from '../../src/lib/text.ts';
import { absolute, readEpoch } from '../../src/lib/time.ts';
import { neighbors } from '../service/neighbors.ts';
import { ago, amountText, caseLines, issueRowTone, paragraphs, preview } from './columns.ts';
import { assigneeName, type IssueRow, rowOfAnswer, rowOfIssue, rowSchema } from './row.ts';

/** What Enter shows of an issue. */
export const detail: Detail<IssueRow> = {
  load: (row) => readIssue(row),
  sections(row, whole: IssueRow | undefined, context) {
    const issue = joined(row, whole);
    return [
      section('error', '', [
        textLine(issue.type || '(no type)', 'strong'),
        ...(issue.message.trim() === ''
          ? [textLine(issue.told ? '(no message)' : '(not included)', 'dim')]
          : paragraphs(issue.message)),
      ]),
      section('state', 'Summary', [...summary(issue, context), pair('ID', issue.id)]),
      section('place', 'Location', placeLines(issue)),
      section('versions', 'History', timeLines(issue, context)),
      section('teams', 'Teams', teamLines(issue)),
      section('case', 'Case', caseLines(issue, context)),
    ];
  },
  neighbors: ({ id, service }, _, context) => neighbors({ id, services: service === '' ? [] : [service] }, context),
  tabs: (row, whole: IssueRow | undefined, context) => [
    rawTab(inWords(rowSchema.entries.raw, joined(row, whole).raw, context)),
  ],
  preview,
  previewCells: 50,
};

/** The whole issue with what it refers to; the counts stay those of the list (docs/contract/error-tracking.md#one-issue). */
export function readIssue(row: IssueRow): Single<IssueRow> {
  return {
    key: `issue ${row.id}`,
    of: ['issue'],
    *plan() {
      const answer = yield* ask(
        call(getIssue, { issue_id: row.id, query: { include: ['assignee', 'case', 'team_owners'] } }),
      );
      return answer.ok ? { ...answer, value: rowOfAnswer(row, answer.value) } : answer;
    },
  };
}

/** Issues by their ids, whatever their state and range; without counts, which only a search has. */
export const findIssues = (ids: readonly string[]): Source<IssueRow> => ({
  key: `issues ${ids.join()}`,
  of: ['issue'],
  *plan(context): Plan<Result<Rows<IssueRow>>, Rows<IssueRow>> {
    const rows: IssueRow[] = [];
    for (const id of ids) {
      const now = yield* inside(readIssue(rowOfIssue(id, undefined, new Map())).plan(context));
      if (!now.ok && now.problem.kind !== 'notFound') return now;
      if (now.ok) rows.push(now.value);
    }
    return toResult({ rows });
  },
});

/** The list's row carries the newest counts and our unconfirmed edits; the further read carries the rest. */
function joined(row: IssueRow, fullRow: IssueRow | undefined): IssueRow {
  if (!fullRow?.told) return row;
  if (!row.told) return { ...fullRow, counts: row.counts, state: row.state || fullRow.state };
  return {
    ...fullRow,
    counts: row.counts,
    state: row.state || fullRow.state,
    assignee: row.assignee,
    raw: { ...row.raw, ...fullRow.raw },
  };
}

function summary(row: IssueRow, context: Context): DetailLine[] {
  return [
    pair('State', row.state, issueRowTone(row, context.now)),
    pair('Assignee', assigneeText(row, context)),
    pair('Service', row.service),
    pair('Errors', amountText(row.counts.total, row.counts.totalAtLeast)),
    pair('Users', amountText(row.counts.users, row.counts.peopleAtLeast)),
    pair('Sessions', amountText(row.counts.sessions, row.counts.peopleAtLeast)),
  ];
}

/** `Ines Brook · ines@example.test`: who it is and where to reach them. */
function assigneeText(row: IssueRow, context: Context): string {
  const { email = '', handle = '' } = (row.who?.id === row.assignee ? row.who : undefined) ?? {};
  return [...new Set([assigneeName(row, context), email, handle])].filter(Boolean).join(' · ');
}

function placeLines(row: IssueRow): DetailLine[] {
  return [
    pair('File', row.file),
    pair('Function', row.function),
    pair('Platform', row.platform),
    pair('Languages', row.languages.join(', ')),
    pair('Crash', yesNo(row.crash), row.crash ? 'warn' : 'plain'),
  ];
}

function timeLines(row: IssueRow, context: Context): DetailLine[] {
  const regression = row.regression;
  return [
    pair('First seen', moment(row.firstSeen, context)),
    pair('In version', row.firstVersion),
    pair('Last seen', moment(row.lastSeen, context)),
    pair('In version', row.lastVersion),
    ...(regression
      ? [
          gap,
          head('Regression'),
          pair('Resolved', written(regression.resolvedAt, context)),
          pair('Seen again', written(regression.at, context), 'warn'),
          pair('In version', regression.version),
        ]
      : []),
  ];
}

function teamLines(row: IssueRow): DetailLine[] {
  if (row.teams.length === 0) return [textLine(row.told ? 'No team' : '(not included)', 'dim')];
  return row.teams.flatMap((team, at) => [
    ...(at > 0 ? [gap] : []),
    head(team.name || team.handle || `team ${team.id}`),
    ...(team.name || team.handle ? [] : [textLine('(not included)', 'dim')]),
    pair('Handle', team.handle),
    pair('Summary', team.summary),
    pair('ID', team.id),
  ]);
}

function moment(ms: number | undefined, context: Context): string | undefined {
  return ms === undefined ? undefined : `${absolute(ms, context.zone)} (${ago(ms, context.now)})`;
}

/** An ISO time as a person reads it; text that is no time as it came. */
function written(time: unknown, context: Context): string | undefined {
  const ms = readEpoch(time, 'ms');
  return ms === undefined ? (typeof time === 'string' ? time : undefined) : moment(ms, context);
}
