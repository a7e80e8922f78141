import { type Column, type DescribedColumn, plainColumn, type Tone } from '../../src/describe/column.ts';
import { ageColumn, amountColumn, textColumn } from '../../src/describe/standard-columns.ts';
import { formatCount, sparkline } from '../../src/lib/text.ts';
import { age, readEpoch } from '../../src/lib/time-text.ts';
import { assigneeName, type IssueRow } from './row.ts';

/** The states as a person works through them, and their letters. */
const states = new Map<string, string>([
  ['OPEN', 'OPN'],
  ['ACKNOWLEDGED', 'ACK'],
  ['RESOLVED', 'RES'],
  ['IGNORED', 'IGN'],
  ['EXCLUDED', 'EXC'],
]);
const order = [...states.keys()];

/** The state in three letters; a word of the deployment's own is cut, `?` stands for none. */
export function stateMark(state: string): string {
  return states.get(state.toUpperCase()) ?? (state === '' ? '?' : [...state].slice(0, 3).join(''));
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
    sort: (row) => (order.indexOf(row.state.toUpperCase()) + states.size + 1) % (states.size + 1),
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
    says: (row, context) => (row.assignee === undefined ? 'unassigned' : `assigned to ${assigneeName(row, context)}`),
    tone: (row, context) => (row.assignee === undefined ? 'dim' : row.assignee === context.me?.id ? 'strong' : 'plain'),
    sort: (row) => (row.who?.id === row.assignee ? row.who?.name.toLowerCase() : row.assignee) ?? '',
  }),
  seenColumn({ id: 'first', called: 'first seen', min: 5, priority: 6 }, ({ firstSeen }) => firstSeen),
  {
    ...seenColumn({ id: 'last', called: 'last seen', min: 4, priority: 2 }, ({ lastSeen }) => lastSeen),
    tone: () => 'plain',
  },
];
