import { ask, call, inSeries, type Plan, showing } from '../../src/api/endpoint.ts';
import type { Included } from '../../src/api/envelope.ts';
import { searchIssues } from '../../src/api/error-tracking.ts';
import { isWholeItem } from '../../src/api/paging.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { type Context, type ListQuery, type Rows, type Source, withMissing } from '../../src/describe/context.ts';
import { unreadSays, withoutIds } from '../../src/describe/resource-spec.ts';
import { plural } from '../../src/lib/text.ts';
import { calendarDay, clockTime, offsetName } from '../../src/lib/time.ts';
import { dayAndTime } from '../../src/lib/typed-time.ts';
import {
  areSound,
  byOrder,
  divisible,
  halves,
  type IssueSearch,
  isInSearch,
  keepIncluded,
  leavesOf,
  most,
  openSplit,
  openWindow,
  readIssueSearch,
  readSearchWindow,
  type SearchWindow,
  type Split,
  splitBy,
  splitOf,
} from './issue-search.ts';
import { type IssueRow, includedIn, readCounts, rowOfResult, toIssueId } from './row.ts';

/** Ranges that are offered. */
export const ranges = ['15m', '1h', '4h', '24h', '7d', '14d', '30d'] as const;

/** Most calls of one read of the list: of the dashboard, which polls, and of a command. */
const callBudget = { polled: 40, printed: 300 };

const unit: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of a range such as `24h`; undefined when it is none. */
export function rangeMs(range: string): number | undefined {
  const [, digits, letter] = /^(\d{1,4})([mhdw])$/.exec(range.trim()) ?? [];
  const ms = Number(digits) * (unit[letter ?? ''] ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}

/**
 * The issues of the range that ends now. A search is capped at 100 without a cursor, so a window that gives exactly 100 is split in two: by
 * the services of its results, by their states, and where they share one by time, down to a second or until the budget of calls is spent. The
 * rows of the first answer are shown at once; a part that fails leaves them, with a note. The next read begins with the parts, without the window
 * that they are of. `few`: calls of a read that is not meant to be whole.
 */
export function loadIssues(search: ListQuery, context: Context, few?: number): Source<IssueRow> {
  const wanted = readIssueSearch(search.search);
  return {
    key: `issues ${JSON.stringify([search.range, wanted, wanted.assignee === 'me' ? (context.me?.id ?? '') : ''])}`,
    of: ['issue'],
    plan: (now, before) => readWindows(search, wanted, now, few, before?.memory as Split | undefined),
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
  /** Windows that are to be split. */
  readonly waiting: SearchWindow[];
  /** Windows that would be split if they were longer. */
  readonly hot: SearchWindow[];
  /** Which windows could not be read. */
  readonly missing: string[];
  calls: number;
  /** Whether windows are split by fields: not where the deployment does not search by them. */
  splitsByField: boolean;
}

function* readWindows(
  { range, limit }: ListQuery,
  wanted: IssueSearch,
  context: Context,
  few: number | undefined,
  split: Split | undefined,
): Plan<Result<Rows<IssueRow>>, Rows<IssueRow>> {
  const length = rangeMs(range);
  if (length === undefined)
    return problemResult('invalid', `"${range}" is not a range: write a number and m, h, d or w, such as 24h`);
  const budget = few ?? (context.keepsRaw ? callBudget.printed : callBudget.polled);
  const root = openRoot(context.now - length, context.now, wanted, budget, split);
  const collected = { included: new Map(), unread: [], waiting: [], hot: [], missing: [] };
  const reading: Reading = { wanted, range, context, root, ...collected, calls: 0, splitsByField: true };
  const { waiting, missing } = reading;
  const first = yield* readKnown(reading);
  if (!first.ok) return first;
  if (limit !== undefined && rowsOf(reading, []).rows.length >= limit)
    return { ...first, value: rowsOf(reading, []), unread: reading.unread };
  splitLater(leavesOf(root), reading);
  const stopped: string[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (reading.calls + 2 > budget) {
      stopped.push(`stopped after ${plural(reading.calls, 'request')}: narrow the query or the range`);
      break;
    }
    // The first answer is worth showing at once; later ones only now and then.
    if (reading.calls % 8 === 1) yield* showing(rowsOf(reading, [...missing, 'First 100 shown, loading more…']));
    const canceled = yield* readParts(next, reading);
    if (canceled) return canceled;
  }
  if (few === undefined) missing.push(...stopped);
  const rows = allRows(reading);
  const notes = [...(few === undefined ? [] : stopped), ...(rows.notes ?? [])];
  return {
    ...first,
    value: { ...rows, notes },
    unread: reading.unread,
  };
}

/** The window of a read, with the parts that it had before: not where its own answer tells an order that the service alone knows. */
function openRoot(from: number, to: number, { order }: IssueSearch, budget: number, split: Split | undefined) {
  const known = split && order !== 'PRIORITY' && openSplit(from, to, split);
  return known && leavesOf(known).length <= budget ? known : openWindow(from, to);
}

/** Reads the window, or the parts that it had before; where the deployment does not search by these any more, the window. */
function* readKnown(reading: Reading) {
  const { root } = reading;
  const [first = root, ...others] = leavesOf(root);
  let answer = yield* readWindow(first, reading);
  for (const part of others) if (answer.ok) answer = yield* readWindow(part, reading);
  if (answer.ok || answer.problem.kind !== 'invalid' || !root.parts) return answer;
  delete root.parts;
  return yield* readWindow(root, reading);
}

/** Splits a window in two and reads both; the answer that ends everything, where it was canceled. */
function* readParts(window: SearchWindow, reading: Reading): Plan<Result<never> | undefined> {
  const { context, missing, waiting } = reading;
  const byField = byTrait(window, reading);
  const parts = byField ?? halves(window);
  window.parts = parts;
  const answers: SearchWindow[] = [];
  for (const part of parts) {
    const answer = yield* readWindow(part, reading);
    if (answer.ok) {
      answers.push(part);
      continue;
    }
    if (answer.problem.kind === 'canceled') return answer;
    if (byField && answer.problem.kind === 'invalid') {
      reading.splitsByField = false;
      break;
    }
    missing.push(`${span(part, context)} was not read: ${answer.problem.text}`);
    if (['unreadable', 'invalid'].includes(answer.problem.kind)) continue;
    // No other window would be read either.
    waiting.length = 0;
    return undefined;
  }
  if (byField && !(reading.splitsByField && areSound(parts))) {
    reading.splitsByField = false;
    delete window.parts;
    splitLater([window], reading);
    return undefined;
  }
  splitLater(answers, reading);
  return undefined;
}

/** Notes which windows are to be split. */
function splitLater(windows: readonly SearchWindow[], reading: Reading): void {
  for (const window of windows)
    if (window.open) (divisible(window) || byTrait(window, reading) ? reading.waiting : reading.hot).push(window);
}

/** The parts of a window by the services of its issues, or by their states where they share a service. */
function byTrait(window: SearchWindow, { included, splitsByField }: Reading) {
  if (!splitsByField) return undefined;
  const rows = window.results.map((result) => [result, rowOfResult(result, readCounts(result), included)] as const);
  const trait = (field: 'service' | 'state') =>
    splitBy(window, { field, values: new Map(rows.map(([result, row]) => [result, row?.[field] ?? ''])) });
  return trait('service') ?? trait('state');
}

/** The rows of every window that was read, with all that may be missing. */
function allRows(reading: Reading): Rows<IssueRow> {
  const { root, hot, unread, context } = reading;
  const lost = unreadSays(unread);
  const isRowLost = hopeless(unread) > 0;
  const missing = [
    ...reading.missing,
    ...hot.slice(0, 3).map((window) => `100 or more in ${span(window, context)}`),
    ...(hot.length > 3 ? [`100 or more in ${plural(hot.length - 3, 'further minute')}`] : []),
    ...(isRowLost ? lost : []),
  ];
  const rows = rowsOf(reading, isRowLost ? missing : [...missing, ...lost]);
  const memory = root.parts && splitOf(root);
  return { ...rows, ...withMissing(missing), unread, ...(memory && { memory }) };
}

/** Searches a window. */
function* readWindow(window: SearchWindow, reading: Reading) {
  const { wanted, range, included, unread } = reading;
  reading.calls += 1;
  const answer = yield* ask(searchCall(window, wanted, range));
  if (!answer.ok) return answer;
  window.results = answer.value?.data ?? [];
  keepIncluded(included, includedIn(answer.value));
  unread.push(...answer.unread);
  window.open = window.results.length + hopeless(answer.unread) === most;
  return answer;
}

/** One search with everything that a row is made of, so that no row needs a call of its own. */
function searchCall({ from, to, place, terms }: SearchWindow, wanted: IssueSearch, range: string) {
  const attributes = {
    query: narrowed(wanted.query, terms),
    order_by: wanted.order,
    ...(wanted.track ? { track: wanted.track } : { persona: wanted.persona }),
  };
  const search = call(searchIssues, {
    query: { include: ['issue', 'issue.assignee', 'issue.case', 'issue.team_owners'] },
    body: { data: { type: 'search_request', attributes: { ...attributes, from, to } } },
  });
  return inSeries(search, JSON.stringify([attributes, range, place]));
}

/** A query with further terms. */
function narrowed(query: string, terms: string): string {
  if (terms === '') return query || '*';
  return query === '' || query === '*' ? terms : `(${query}) ${terms}`;
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
  const told = root.results.length > 0 ? [root] : leavesOf(root);
  const anonymous = told.flatMap(({ results }) => results).filter((result) => toIssueId(result) === undefined).length;
  lines.push(...withoutIds(anonymous, 'result'));
  if (wanted.assignee === 'me' && !context.me) lines.push('your user is unknown: showing all assignees');
  if (rows.length === 0 && all.length > 0)
    lines.push(`${plural(all.length, 'issue')} in other states, or of other assignees or teams`);
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
