import { type DetailLine, gap, head, pair, textLine } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { knownPerson, shortPersonName } from '../../src/describe/people.ts';
import { labelText } from '../../src/describe/vocabulary-words.ts';
import { isObject } from '../../src/lib/object-paths.ts';
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
  const by = (moment: string, name: string) => {
    const person = caseMember(row, name, context);
    return [moment, person && `by ${person}`].filter(Boolean).join(' ');
  };
  return [
    // Without its head too, as below a list, it says what it is.
    pair('Case', hasMember('key'), 'strong'),
    pair('Title', hasMember('title')),
    pair('Type', [hasMember('type'), hasMember('type_id')].filter(Boolean).join(' · ')),
    pair('Status', caseStatus(about)),
    pair('Priority', hasMember('priority') === 'NOT_DEFINED' ? 'not defined' : hasMember('priority')),
    pair('Project', row.case.named?.project?.id),
    pair('Assignee', caseMember(row, 'assignee', context)),
    pair('Source', hasMember('creation_source')),
    pair('Created', by(when('created_at'), 'created_by')),
    pair('Updated', by(when('modified_at'), 'modified_by')),
    ...(hasMember('closed_at') ? [pair('Closed', when('closed_at'))] : []),
    ...(hasMember('archived_at') ? [pair('Archived', when('archived_at'))] : []),
    ...(hasMember('due_date') ? [pair('Due', when('due_date'))] : []),
    ...caseAttributes(about).map(([name, value]) => pair(name, value)),
    ...paragraphs(hasMember('description')),
    ...trackerA(about.tracker_a_issue, context),
    ...trackerB(about.tracker_b_ticket, context),
    ...links(about.insights),
    gap,
    pair('ID', row.case.id),
  ];
}

type About = NonNullable<NonNullable<IssueRow['case']>['attributes']>;

/** The word of a deployment for its status, else that of the service. */
export const caseStatus = (about: About): string =>
  toWord(about.status_name) || toWord(about.status) || toWord(about.status_group);

/** The person that a relationship of the case names. */
function caseMember(row: IssueRow, name: string, context: Context): string {
  const person = row.case?.named?.[name];
  if (!person) return '';
  if (person.id === context.me?.id) return 'you';
  return person.name || (knownPerson(person.id, context)?.name ?? shortPersonName(person.id));
}

/** What an organization has added to its cases: attributes, and custom attributes with a value of a type. */
export function caseAttributes(about: About): readonly (readonly [name: string, value: string])[] {
  const entries = (member: unknown) => (isObject(member) ? Object.entries(member) : []);
  const text = (value: unknown) =>
    items(Array.isArray(value) ? value : [value])
      .map(toWord)
      .filter(Boolean)
      .join(', ');
  return [
    ...entries(about.attributes).map(([name, value]) => [name, text(value)] as const),
    ...entries(about.custom_attributes).map(([name, one]) => [name, text(field(one, 'value'))] as const),
  ];
}

/** The addresses of the case in the trackers that it is linked with. */
export const trackerLinks = (about: About): readonly string[] =>
  [
    toWord(field(field(about.tracker_a_issue, 'result'), 'issue_url')),
    toWord(field(field(about.tracker_b_ticket, 'result'), 'sys_target_link')),
  ].filter(Boolean);

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
    pair('Issue', [field(result, 'issue_key'), field(result, 'issue_id')].map(toWord).filter(Boolean).join(' · ')),
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
    .map((item) =>
      pair(
        toWord(field(item, 'type')).toLowerCase() || 'link',
        [field(item, 'ref'), field(item, 'resource_id')].map(toWord).filter(Boolean).join(' '),
      ),
    );
  return lines.length === 0 ? [] : [gap, head('Links'), ...lines];
}
