import { call, inSeries } from '../../src/api/endpoint.ts';
import type { Included } from '../../src/api/envelope.ts';
import { searchIssues } from '../../src/api/error-tracking.ts';
import { ask, type Plan, showing } from '../../src/api/plan.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Context } from '../../src/describe/context.ts';
import { isWholeItem } from '../../src/describe/read-pages.ts';
import { type ListQuery, type Rows, type Source, withMissing } from '../../src/describe/source.ts';
import { dayAndTime } from '../../src/lib/end-time.ts';
import { plural } from '../../src/lib/text.ts';
import { calendarDay, clockTime } from '../../src/lib/time-text.ts';
import { offsetName } from '../../src/lib/zone.ts';
import { byOrder, type IssueSearch, isInSearch, readIssueSearch } from './issue-search.ts';
import { type IssueRow, includedIn, rowOfResult, toIssueId } from './row.ts';
import {
  divisible,
  halves,
  keepIncluded,
  most,
  openWindow,
  readSearchWindow,
  type SearchWindow,
} from './search-window.ts';

/** Ranges that are offered. */
export const ranges = ['15m', '1h', '4h', '24h', '7d', '14d', '30d'] as const;

/** Most calls of one read of the list. */
const callBudget = 40;

const unit: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a range such as `24h`; undefined when it is none. */
export function rangeMs(range: string): number | undefined {
  const [, digits, letter] = /^(\d{1,4})([mhdw])$/.exec(range.trim()) ?? [];
  const ms = Number(digits) * (unit[letter ?? ''] ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}

/**
 * The issues of the range that ends now. A search is capped at 100 without a cursor, so a window that gives exactly
 * 100 is halved, and its halves likewise, down to one minute or until `budget` calls are spent. The rows of the first
 * answer are shown at once; a part that fails leaves them, with a note.
 */
export function loadIssues(search: ListQuery, context: Context, budget = callBudget): Source<IssueRow> {
  const wanted = readIssueSearch(search.search);
  return {
    key: `issues ${JSON.stringify([search.range, wanted, wanted.assignee === 'me' ? (context.me?.id ?? '') : ''])}`,
    of: ['issue'],
    plan: (now) => readWindows(search.range, wanted, now, budget),
  };
}

/** What has been read so far. */
interface Reading {
  readonly wanted: IssueSearch;
  readonly range: string;
  readonly context: Context;
  readonly root: SearchWindow;
  readonly included: Map<string, Included>;
  /** Places that could not be read. */
  readonly unread: string[];
  /** Windows that are to be halved. */
  readonly waiting: SearchWindow[];
  /** Windows that would be halved if they were longer. */
  readonly hot: SearchWindow[];
}

function* readWindows(
  range: string,
  wanted: IssueSearch,
  context: Context,
  budget: number,
): Plan<Result<Rows<IssueRow>>, Rows<IssueRow>> {
  const length = rangeMs(range);
  if (length === undefined)
    return problemResult('invalid', `"${range}" is not a range: write a number and m, h, d or w, such as 24h`);
  const root = openWindow(context.now - length, context.now);
  const reading: Reading = { wanted, range, context, root, included: new Map(), unread: [], waiting: [], hot: [] };
  const { waiting } = reading;
  const missing: string[] = [];
  const first = yield* readWindow(root, reading);
  if (!first.ok) return first;
  let calls = 1;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (calls + 2 > budget) {
      missing.push(`stopped after ${plural(calls, 'request')}: narrow the query or the range`);
      break;
    }
    // The first answer is worth showing at once; later ones only now and then.
    if (calls % 8 === 1) yield* showing(rowsOf(reading, [...missing, 'First 100 shown, loading more…']));
    next.parts = halves(next);
    for (const part of next.parts) {
      const answer = yield* readWindow(part, reading);
      calls += 1;
      if (answer.ok) continue;
      if (answer.problem.kind === 'canceled') return answer;
      missing.push(`${span(part, context)} was not read: ${answer.problem.text}`);
      if (['unreadable', 'invalid'].includes(answer.problem.kind)) continue;
      // No other window would be read either.
      waiting.length = 0;
      break;
    }
  }
  return { ...first, value: allRows(reading, missing), unread: reading.unread };
}

/** The rows of every window that was read, with all that may be missing. */
function allRows(reading: Reading, unreadWindows: readonly string[]): Rows<IssueRow> {
  const { hot, unread, context } = reading;
  const lost = unread.length > 0 ? [`not read: ${unread.slice(0, 2).join('; ')}${more(unread.length - 2)}`] : [];
  const isRowLost = hopeless(unread) > 0;
  const missing = [
    ...unreadWindows,
    ...hot.slice(0, 3).map((window) => `100 or more in ${span(window, context)}`),
    ...(hot.length > 3 ? [`100 or more in ${plural(hot.length - 3, 'further minute')}`] : []),
    ...(isRowLost ? lost : []),
  ];
  const rows = rowsOf(reading, isRowLost ? missing : [...missing, ...lost]);
  return { ...rows, ...withMissing(missing), ...(unread.length > 0 ? { unread } : {}) };
}

/** Searches a window. */
function* readWindow(window: SearchWindow, { wanted, range, included, unread, waiting, hot }: Reading) {
  const answer = yield* ask(searchCall(window, wanted, range));
  if (!answer.ok) return answer;
  window.results = answer.value?.data ?? [];
  keepIncluded(included, includedIn(answer.value));
  unread.push(...answer.unread);
  window.open = window.results.length + hopeless(answer.unread) === most;
  if (window.open) (divisible(window) ? waiting : hot).push(window);
  return answer;
}

/** One search with everything that a row is made of, so that no row needs a call of its own. */
function searchCall({ from, to, place }: SearchWindow, wanted: IssueSearch, range: string) {
  const attributes = {
    query: wanted.query || '*',
    order_by: wanted.order,
    ...(wanted.track ? { track: wanted.track } : { persona: wanted.persona }),
  };
  const search = call(searchIssues, {
    query: { include: ['issue', 'issue.assignee', 'issue.case', 'issue.team_owners'] },
    body: { data: { type: 'search_request', attributes: { ...attributes, from, to } } },
  });
  return inSeries(search, JSON.stringify([attributes, range, place]));
}

function rowsOf({ root, included, wanted, context }: Reading, notes: readonly string[]): Rows<IssueRow> {
  const all: IssueRow[] = [];
  for (const { result, counts } of readSearchWindow(root).found.values()) {
    const row = rowOfResult(result, counts, included);
    if (row) all.push(row);
  }
  const rows = all.filter((row) => isInSearch(row, wanted, context)).sort(byOrder(wanted.order));
  const lines = [...notes];
  const untold = rows.filter((row) => !row.told).length;
  if (untold > 0) lines.push(`${plural(untold, 'issue')} came without details: only id and counts`);
  const apart = rows.filter((row) => row.counts.peopleAtLeast).length;
  if (apart > 0) lines.push('+ = highest value in one time slice, not a total');
  const anonymous = root.results.filter((result) => toIssueId(result) === undefined).length;
  if (anonymous > 0) lines.push(`${plural(anonymous, 'result')} without an id left out`);
  if (wanted.assignee === 'me' && !context.me) lines.push('your user is unknown: showing all assignees');
  if (rows.length === 0 && all.length > 0)
    lines.push(`${plural(all.length, 'issue')} in other states or with other assignees`);
  return { rows, notes: lines };
}

/** How many whole results could not be read; they count toward the cap. */
function hopeless(unread: readonly string[]): number {
  return unread.filter(isWholeItem).length;
}

/** `14:00-14:01 UTC`, with the day where it is not today's. */
function span(window: SearchWindow, context: Context): string {
  const to = Math.ceil(window.to / 60_000) * 60_000;
  const [from, until] = [dayAndTime(window.from, context.now, context.zone), dayAndTime(to, context.now, context.zone)];
  const sameDay = calendarDay(window.from, context.zone) === calendarDay(to, context.zone);
  return `${from}-${sameDay ? clockTime(to, context.zone) : until} ${offsetName(to, context.zone)}`;
}

function more(count: number): string {
  return count > 0 ? ` and ${count} more` : '';
}
