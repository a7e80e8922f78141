import { type DetailLine, gap, head, pair, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { labelText } from '../../src/describe/vocabulary-words.ts';
import { absolute, readEpoch } from '../../src/lib/time-text.ts';
import { field, items, toWord } from '../../src/lib/unchecked-values.ts';
import type { IssueRow } from './row.ts';

/** The case beside an issue with its trackers; everything in it may be missing (docs/contract/error-tracking.md#case). */
export function caseLines(row: IssueRow, context: Context): DetailLine[] {
  if (!row.case) return [textLine(row.told ? 'No case; assigning the issue may open one' : '(not included)', 'dim')];
  const about = row.case.attributes;
  if (!about) return [pair('ID', row.case.id), textLine('(not included)', 'dim')];
  const hasMember = (name: string) => toWord(about[name]);
  const when = (name: string) => {
    const ms = readEpoch(about[name], 's');
    return ms === undefined ? hasMember(name) : absolute(ms, context.zone);
  };
  return [
    // Without its head too, as below a list, it says what it is.
    pair('Case', hasMember('key'), 'strong'),
    pair('Title', hasMember('title')),
    pair('Status', hasMember('status_name') || hasMember('status') || hasMember('status_group')),
    pair('Priority', hasMember('priority') === 'NOT_DEFINED' ? 'not defined' : hasMember('priority')),
    pair('Created', when('created_at')),
    pair('Updated', when('modified_at')),
    ...(hasMember('closed_at') ? [pair('Closed', when('closed_at'))] : []),
    ...(hasMember('archived_at') ? [pair('Archived', when('archived_at'))] : []),
    ...(hasMember('due_date') ? [pair('Due', when('due_date'))] : []),
    ...paragraphs(hasMember('description')),
    ...trackerA(about.tracker_a_issue, context),
    ...trackerB(about.tracker_b_ticket, context),
    ...links(about.insights),
    gap,
    pair('ID', row.case.id),
  ];
}

function paragraphs(description: string): DetailLine[] {
  return description.trim() === '' ? [] : [gap, ...description.split(/\r\n|\r|\n/).map((line) => textLine(line))];
}

function trackerA(tracker: unknown, context: Context): DetailLine[] {
  if (typeof tracker !== 'object' || tracker === null) return [];
  const result = field(tracker, 'result');
  return [
    gap,
    head(labelText('tracker_a', context)),
    pair('Status', toWord(field(tracker, 'status'))),
    pair('Issue', toWord(field(result, 'issue_key')) || toWord(field(result, 'issue_id'))),
    pair('Project', toWord(field(result, 'project_key'))),
    pair('Link', toWord(field(result, 'issue_url'))),
  ];
}

function trackerB(tracker: unknown, context: Context): DetailLine[] {
  if (typeof tracker !== 'object' || tracker === null) return [];
  return [
    gap,
    head(labelText('tracker_b', context)),
    pair('Status', toWord(field(tracker, 'status'))),
    pair('Link', toWord(field(field(tracker, 'result'), 'sys_target_link'))),
  ];
}

function links(insights: unknown): DetailLine[] {
  const lines = items(insights)
    .filter((item) => toWord(field(item, 'ref')) !== '')
    .map((item) => pair(toWord(field(item, 'type')).toLowerCase() || 'link', toWord(field(item, 'ref'))));
  return lines.length === 0 ? [] : [gap, head('Links'), ...lines];
}
