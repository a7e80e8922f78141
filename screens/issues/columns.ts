import type { Column, Tone } from '../../src/describe/column.ts';
import { age } from '../../src/lib/moment.ts';
import { count, sparkline } from '../../src/lib/text.ts';
import { assigneeName, type IssueRow } from './row.ts';

const short = new Map(
  Object.entries({
    OPEN: 'OPN',
    ACKNOWLEDGED: 'ACK',
    RESOLVED: 'RES',
    IGNORED: 'IGN',
    EXCLUDED: 'EXC',
  }),
);

const tones = new Map<string, Tone>(
  Object.entries({
    OPEN: 'warn',
    ACKNOWLEDGED: 'info',
    RESOLVED: 'good',
    IGNORED: 'dim',
    EXCLUDED: 'dim',
  }),
);

const rank = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'IGNORED', 'EXCLUDED'];

/** The state in three letters; a word of the deployment's own is cut, `?` stands for none. */
export function stateMark(state: string): string {
  return short.get(state.toUpperCase()) ?? (state === '' ? '?' : [...state].slice(0, 3).join(''));
}

/** The tone of a state. */
export function stateTone(state: string): Tone {
  return tones.get(state.toUpperCase()) ?? 'plain';
}

/** A count: `–` where the service gave none, with `+` where there may be more. */
export function amountText(amount: number | undefined, atLeast: boolean | undefined): string {
  return amount === undefined ? '–' : `${count(amount)}${atLeast ? '+' : ''}`;
}

/** An age; a time up to a minute in the future counts as now. */
export function ago(ms: number, now: number): string {
  return age(ms > now && ms - now < 60_000 ? now : ms, now);
}

/** Sorts last in both directions. */
const unknown = Number.NaN;

/** State, count, type and message stay at 60 columns; the rest leaves from the highest priority on. */
export const columns: readonly Column<IssueRow>[] = [
  {
    id: 'state',
    title: 'ST',
    min: 3,
    priority: 1,
    text: (row) => stateMark(row.state),
    tone: (row) => stateTone(row.state),
    sort: (row) => (rank.indexOf(row.state.toUpperCase()) + rank.length + 1) % (rank.length + 1),
  },
  {
    id: 'count',
    title: 'COUNT',
    min: 6,
    align: 'right',
    priority: 1,
    downwards: true,
    text: (row) => amountText(row.counts.total, row.counts.totalAtLeast),
    sort: (row) => row.counts.total ?? unknown,
  },
  {
    id: 'trend',
    title: 'TREND',
    min: 8,
    priority: 6,
    text: (row, context) => sparkline(context.trend(row.id), 8, context.ascii),
    tone: () => 'dim',
  },
  {
    id: 'users',
    title: 'USERS',
    min: 5,
    align: 'right',
    priority: 4,
    downwards: true,
    text: (row) => amountText(row.counts.users, row.counts.peopleAtLeast),
    sort: (row) => row.counts.users ?? unknown,
  },
  {
    id: 'sessions',
    title: 'SESS',
    min: 5,
    align: 'right',
    priority: 7,
    downwards: true,
    text: (row) => amountText(row.counts.sessions, row.counts.peopleAtLeast),
    sort: (row) => row.counts.sessions ?? unknown,
  },
  {
    id: 'service',
    title: 'SERVICE',
    min: 11,
    max: 24,
    share: 1,
    priority: 3,
    text: (row) => row.service || '–',
    sort: (row) => row.service.toLowerCase(),
  },
  {
    id: 'type',
    title: 'TYPE',
    min: 10,
    max: 28,
    share: 1,
    priority: 1,
    text: (row) => row.type || (row.told ? '–' : row.id),
    tone: (row) => (row.crash ? 'bad' : 'plain'),
    sort: (row) => row.type.toLowerCase(),
  },
  {
    id: 'message',
    title: 'MESSAGE',
    min: 20,
    share: 4,
    priority: 1,
    text: (row) => row.line || (row.told ? '–' : '(not included)'),
    tone: (row) => (row.line ? 'plain' : 'dim'),
    sort: (row) => row.line.toLowerCase(),
  },
  {
    id: 'assignee',
    title: 'ASSIGNEE',
    min: 12,
    max: 18,
    share: 1,
    priority: 5,
    text: (row, context) => assigneeName(row, context),
    tone: (row, context) => (row.assignee !== undefined && row.assignee === context.me?.id ? 'strong' : 'plain'),
    sort: (row) => (row.who?.id === row.assignee ? row.who?.name.toLowerCase() : row.assignee) ?? '',
  },
  {
    id: 'last',
    title: 'LAST',
    min: 4,
    align: 'right',
    priority: 2,
    downwards: true,
    text: (row, context) => (row.lastSeen === undefined ? '–' : ago(row.lastSeen, context.now)),
    sort: (row) => row.lastSeen ?? unknown,
  },
];
