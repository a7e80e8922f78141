import {
  ageColumn,
  amountColumn,
  type Column,
  type DescribedColumn,
  type DetailLine,
  facts,
  gap,
  head,
  pair,
  plainColumn,
  type Tone,
  textColumn,
  textLine,
} from '../../src/describe/column.ts';
import { type Context, labelText } from '../../src/describe/context.ts';
import { knownPerson, shortPersonName } from '../../src/describe/picks.ts';
import { formatCount, pluralNoun, sparkline } from '../../src/lib/text.ts';
import { absolute, age, readEpoch } from '../../src/lib/time.ts';
import { field, isObject, items, toWord } from '../../src/lib/values.ts';
import { assigneeName, type IssueRow, issueStates, unassignedText } from './row.ts';

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
    ...(hasMember('description').trim() === '' ? [] : [gap, ...paragraphs(hasMember('description'))]),
    ...trackerLines('tracker_a', about.tracker_a_issue, context),
    ...trackerLines('tracker_b', about.tracker_b_ticket, context),
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

/** A text as the service wrote it, one line for each of its lines. */
export const paragraphs = (text: string): DetailLine[] =>
  text.split(/\r\n|\r|\n/).map((line) => (line.trim() === '' ? gap : textLine(line)));

/** What a case is linked with in a tracker. */
function trackerLines(name: 'tracker_a' | 'tracker_b', tracker: unknown, context: Context): DetailLine[] {
  if (typeof tracker !== 'object' || tracker === null) return [];
  const result = field(tracker, 'result');
  return [
    gap,
    head(labelText(name, context)),
    pair('Status', toWord(field(tracker, 'status'))),
    ...(name === 'tracker_a'
      ? [
          pair(
            'Issue',
            [field(result, 'issue_key'), field(result, 'issue_id')].map(toWord).filter(Boolean).join(' · '),
          ),
          pair('Project', toWord(field(result, 'project_key'))),
        ]
      : []),
    pair('Link', toWord(field(result, name === 'tracker_a' ? 'issue_url' : 'sys_target_link'))),
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

/** The state in three letters; a word of the deployment's own is cut, `?` stands for none. */
export function stateMark(state: string): string {
  const word = state.toUpperCase();
  if (word === 'OPEN') return 'OPN';
  return [...(issueStates.includes(word) ? word : state)].slice(0, 3).join('') || '?';
}

/** An issue counts as new for this long after it was first seen, or came back, in milliseconds. */
export const newMs = 3_600_000;

/** The tone of a state: what somebody works on or is done is dim. */
export const issueStateTone = (state: string): Tone => (state.toUpperCase() === 'OPEN' ? 'plain' : 'dim');

/** The tone of the state of an issue: a warning where it is open, new and nobody's. */
export function issueRowTone(row: IssueRow, now: number): Tone {
  const again = row.regression && readEpoch(row.regression.at, 'ms');
  const isNew = [row.firstSeen, again].some((at) => at !== undefined && now - at < newMs);
  const isLoose = row.state.toUpperCase() === 'OPEN' && row.told && row.assignee === undefined;
  return isNew && isLoose ? 'warn' : issueStateTone(row.state);
}

/** A count: `–` where the service gave none, with `+` where there may be more. */
export function amountText(amount: number | undefined, atLeast: boolean | undefined): string {
  return amount === undefined ? '–' : `${formatCount(amount)}${atLeast ? '+' : ''}`;
}

/** An age; a time up to a minute in the future counts as now. */
export function ago(ms: number, now: number): string {
  return age(ms > now && ms - now < 60_000 ? now : ms, now);
}

/** `TYPE: MESSAGE`, or the one of the two that is known. */
export function errorText({ id, type, line, told }: IssueRow): string {
  if (type !== '' && line !== '') return `${type}: ${line}`;
  return type || line || (told ? '–' : id);
}

/** `IB` of Ines Brook; of one word its beginning. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = '', last = ''] = [words[0], words.at(-1)].map((word = '') => [...word][0]);
  return words.length > 1 ? `${first}${last}` : [...name].slice(0, 3).join('');
}

const trendCells = 8;

/** The course of a count over the polls; `–` while it never changed, so that a poll without news draws nothing. */
function trendText(samples: readonly number[], ascii: boolean): string {
  const isFlat = new Set(samples.slice(-trendCells)).size < 2;
  return isFlat ? '–' : sparkline(samples, trendCells, ascii);
}

/** How many people an issue concerns. */
const peopleColumn = (
  column: Pick<DescribedColumn<IssueRow>, 'id' | 'title' | 'called' | 'priority'>,
  countOfWindow: (counts: IssueRow['counts']) => number | undefined,
): Column<IssueRow> =>
  amountColumn({
    min: 5,
    max: 7,
    text: ({ counts }) => amountText(countOfWindow(counts), counts.peopleAtLeast),
    amount: ({ counts }) => countOfWindow(counts),
    ...column,
  });

/** When an issue was seen. */
const seenColumn = (
  column: Pick<DescribedColumn<IssueRow>, 'id' | 'title' | 'min' | 'priority'> & { readonly called: string },
  instantOf: (row: IssueRow) => number | undefined,
): Column<IssueRow> => ({
  max: 6,
  ...ageColumn(column, instantOf),
  text(row, { now }) {
    const ms = instantOf(row);
    return ms === undefined ? '–' : ago(ms, now);
  },
  says(row, { now }) {
    const ms = instantOf(row);
    return ms === undefined ? '' : `${column.called} ${ago(ms, now)} ago`;
  },
});

/** State, count and error stay at any width; the rest leaves from the highest priority on. */
export const columns: readonly Column<IssueRow>[] = [
  {
    id: 'state',
    title: 'ST',
    called: 'state',
    firsts: ['open first', 'open last'],
    min: 3,
    max: 3,
    priority: 1,
    text: (row) => stateMark(row.state),
    says: (row) => row.state || 'state unknown',
    tone: (row, { now }) => issueRowTone(row, now),
    sort: (row) => (issueStates.indexOf(row.state.toUpperCase()) + issueStates.length + 1) % (issueStates.length + 1),
  },
  amountColumn({
    id: 'count',
    min: 6,
    max: 7,
    priority: 1,
    text: ({ counts }) => amountText(counts.total, counts.totalAtLeast),
    amount: ({ counts }) => counts.total,
  }),
  plainColumn({
    id: 'trend',
    min: 8,
    widest: '▁'.repeat(trendCells),
    priority: 4,
    text: (row, context) => trendText(context.trend(row.id), context.ascii),
    says: () => '',
    tone: () => 'dim',
  }),
  peopleColumn({ id: 'users', priority: 5 }, ({ users }) => users),
  peopleColumn({ id: 'sessions', title: 'SESS', called: 'sessions', priority: 7 }, ({ sessions }) => sessions),
  plainColumn({
    id: 'service',
    min: 11,
    max: 24,
    priority: 2,
    text: (row) => row.service || '–',
    sort: (row) => row.service.toLowerCase(),
  }),
  textColumn({
    id: 'error',
    title: 'TYPE: MESSAGE',
    called: 'error',
    min: 24,
    max: 52,
    flex: true,
    priority: 1,
    text: errorText,
    tone: (row) => (row.type === '' && row.line === '' ? 'dim' : 'plain'),
  }),
  plainColumn({
    id: 'assignee',
    min: 3,
    max: 20,
    priority: 3,
    sparse: true,
    short: { title: 'WHO', text: (row, context) => initials(assigneeName(row, context)) || '–' },
    text: (row, context) => assigneeName(row, context) || '–',
    says: (row, context) =>
      row.assignee === undefined ? unassignedText(row) : `assigned to ${assigneeName(row, context)}`,
    tone: (row, context) => (row.assignee === undefined ? 'dim' : row.assignee === context.me?.id ? 'strong' : 'plain'),
    sort: (row) => (row.who?.id === row.assignee ? row.who?.name.toLowerCase() : row.assignee) ?? '',
  }),
  seenColumn({ id: 'first', called: 'first seen', min: 5, priority: 6 }, ({ firstSeen }) => firstSeen),
  {
    ...seenColumn({ id: 'last', called: 'last seen', min: 4, priority: 2 }, ({ lastSeen }) => lastSeen),
    tone: () => 'plain',
  },
];

const previewTrendCells = 16;

/**
 * What decides about an issue and its row does not say: the whole error, where it happens, to how many, whose it is, since
 * when; then its case and the whole message. State, count and last time are in every row.
 */
export function preview(row: IssueRow, context: Context): readonly DetailLine[] {
  const messageLines = paragraphs(row.message.trim());
  const { counts } = row;
  const samples = context.trend(row.id);
  const isMoving = new Set(samples).size > 1;
  return [
    row.line === '' ? textLine(row.told ? '(no message)' : '(not included)', 'dim') : textLine(row.line),
    facts([row.file, row.function].filter(Boolean).join(' '), row.platform.toLowerCase(), row.languages.join(', ')),
    facts(
      amountOf(counts.users, 'user', counts.peopleAtLeast),
      amountOf(counts.sessions, 'session', counts.peopleAtLeast),
      isMoving
        ? { text: sparkline(samples, Math.min(previewTrendCells, samples.length), context.ascii), tone: 'info' }
        : '',
      row.crash ? { text: 'crash', tone: 'warn' } : '',
      {
        text: row.assignee === undefined ? unassignedText(row) : `assigned to ${assigneeName(row, context)}`,
        tone: row.assignee === undefined ? issueRowTone(row, context.now) : undefined,
      },
      ...row.teams.map((team) => `team ${team.name || team.handle || team.id}`),
    ),
    facts(
      row.firstSeen === undefined ? '' : `first seen ${ago(row.firstSeen, context.now)} ago`,
      versions(row),
      row.regression ? { text: `came back in ${row.regression.version || 'a later version'}`, tone: 'warn' } : '',
    ),
    ...(row.case ? [gap, head('Case'), ...caseLines(row, context)] : []),
    ...(messageLines.length > 1 ? [gap, head('Message'), ...messageLines] : []),
    ...besides(row, context),
  ];
}

/** Further lines of the preview beside the list, where there is room: times to compare with a log, teams, the id. */
function besides(row: IssueRow, { zone }: Context): readonly DetailLine[] {
  const moments = [row.firstSeen, row.lastSeen].flatMap((ms) => (ms === undefined ? [] : absolute(ms, zone)));
  const teams = row.teams.flatMap(({ handle, summary }) => [handle, summary].filter(Boolean).join(': ') || []);
  return [
    ...(moments.length > 0 ? [gap, head('Seen'), textLine(moments.join(' to '))] : []),
    ...(teams.length > 0 ? [gap, head('Teams'), ...teams.map((team) => textLine(team))] : []),
    gap,
    head('ID'),
    textLine(row.id),
  ];
}

/** `3+ users`, `1 session`; empty where the service gave no count. */
export const amountOf = (amount: number | undefined, what: string, atLeast: boolean | undefined): string =>
  amount === undefined ? '' : `${formatCount(amount)}${atLeast ? '+' : ''} ${pluralNoun(amount, what)}`;

/** `versions 2.2.5 to 2.4.0`, `version 2.2.5`; empty where the service tells none. */
function versions({ firstVersion, lastVersion }: IssueRow): string {
  const told = [...new Set([firstVersion, lastVersion])].filter(Boolean);
  return told.length === 0 ? '' : `${pluralNoun(told.length, 'version')} ${told.join(' to ')}`;
}
