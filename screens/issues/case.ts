import { gap, head, type Line, pair, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { labelText } from '../../src/describe/vocabulary-words.ts';
import { absolute, readAnyMoment } from '../../src/lib/moment.ts';
import { field, items, word } from '../../src/lib/unchecked.ts';
import type { IssueRow } from './row.ts';

/** The case beside an issue with its trackers; everything in it may be missing (docs/contract/error-tracking.md#case). */
export function caseLines(row: IssueRow, context: Context): Line[] {
  if (!row.case) return [text(row.told ? 'No case; assigning the issue may open one' : '(not included)', 'dim')];
  const about = row.case.attributes;
  if (!about) return [pair('ID', row.case.id), text('(not included)', 'dim')];
  const hasMember = (name: string) => word(about[name]);
  const when = (name: string) => {
    const ms = readAnyMoment(about[name]);
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

function paragraphs(description: string): Line[] {
  return description.trim() === '' ? [] : [gap, ...description.split(/\r\n|\r|\n/).map((line) => text(line))];
}

function trackerA(tracker: unknown, context: Context): Line[] {
  if (typeof tracker !== 'object' || tracker === null) return [];
  const result = field(tracker, 'result');
  return [
    gap,
    head(labelText('tracker_a', context)),
    pair('Status', word(field(tracker, 'status'))),
    pair('Issue', word(field(result, 'issue_key')) || word(field(result, 'issue_id'))),
    pair('Project', word(field(result, 'project_key'))),
    pair('Link', word(field(result, 'issue_url'))),
  ];
}

function trackerB(tracker: unknown, context: Context): Line[] {
  if (typeof tracker !== 'object' || tracker === null) return [];
  return [
    gap,
    head(labelText('tracker_b', context)),
    pair('Status', word(field(tracker, 'status'))),
    pair('Link', word(field(field(tracker, 'result'), 'sys_target_link'))),
  ];
}

function links(insights: unknown): Line[] {
  const lines = items(insights)
    .filter((item) => word(field(item, 'ref')) !== '')
    .map((item) => pair(word(field(item, 'type')).toLowerCase() || 'link', word(field(item, 'ref'))));
  return lines.length === 0 ? [] : [gap, head('Links'), ...lines];
}
