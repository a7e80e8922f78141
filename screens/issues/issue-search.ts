import type { Included } from '../../src/api/envelope.ts';
import type { SearchResult } from '../../src/api/error-tracking.ts';
import type { Context } from '../../src/describe/context.ts';
import { choiceField, type Fields, manyField, textField } from '../../src/describe/field.ts';
import { commaWords } from '../../src/lib/text.ts';
import { type IssueCounts, type IssueRow, issueStates, readCounts, toIssueId } from './row.ts';

/** A search for issues, read from the texts of the search form. */
export interface IssueSearch {
  readonly query: string;
  /** Either a track or a persona, as the service demands. */
  readonly track?: string;
  readonly persona?: string;
  readonly order: string;
  /** Upper case; empty = every state. */
  readonly states: readonly string[];
  readonly assignee: string;
  /** Name, handle or id of a team; empty = any. */
  readonly team: string;
}

const tracks = ['rum', 'trace', 'logs'];

/** The search until a person changes it. */
export const initialSearch: Readonly<Record<string, string>> = {
  query: '',
  track: 'ALL',
  order: 'TOTAL_COUNT',
  states: 'OPEN,ACKNOWLEDGED',
  assignee: 'any',
  team: '',
};

/** The search form. */
export function searchForm(asked: Readonly<Record<string, string>>, context: Context): Fields {
  const now = { ...initialSearch, ...asked };
  return {
    query: textField('Query', now.query, {
      hint: 'e.g. service:checkout error.type:TypeError @language:JAVASCRIPT "words"; empty = all',
    }),
    track: choiceField('Track or persona', now.track, [
      { value: 'ALL', label: 'all' },
      { value: 'BROWSER', label: 'browser' },
      { value: 'MOBILE', label: 'mobile' },
      { value: 'BACKEND', label: 'backend' },
      { value: 'rum', label: 'track rum' },
      { value: 'trace', label: 'track trace' },
      { value: 'logs', label: 'track logs' },
    ]),
    order: choiceField(
      'Order',
      now.order,
      [
        { value: 'TOTAL_COUNT', label: 'most errors first' },
        { value: 'FIRST_SEEN', label: 'newest first' },
        { value: 'IMPACTED_SESSIONS', label: 'most sessions first' },
        { value: 'PRIORITY', label: "by the service's priority" },
      ],
      'Which issues come first',
    ),
    states: manyField('States', commaWords(now.states), [...issueStates], 'Empty = all states'),
    assignee: choiceField(
      'Assignee',
      now.assignee,
      [
        { value: 'any', label: 'any' },
        { value: 'me', label: context.me ? `me (${context.me.name})` : 'me' },
        { value: 'none', label: 'none' },
      ],
      context.me ? undefined : 'Your user is unknown: set your handle in the profile (P)',
    ),
    team: textField('Team', now.team, { hint: 'Name or handle of a team that owns them; empty = any' }),
  };
}

/** Reads a search from the texts of its form; a word that no option has is passed on for the service to judge. */
export function readIssueSearch(texts: Readonly<Record<string, string>>): IssueSearch {
  const now = { ...initialSearch, ...texts };
  const source = now.track?.trim() || 'ALL';
  const track = tracks.includes(source.toLowerCase())
    ? { track: source.toLowerCase() }
    : { persona: source.toUpperCase() };
  return {
    query: now.query?.trim() ?? '',
    ...track,
    order: now.order?.trim() || 'TOTAL_COUNT',
    states: commaWords(now.states).map((state) => state.toUpperCase()),
    assignee: now.assignee?.trim() || 'any',
    team: now.team?.trim() ?? '',
  };
}

/** The search as the title bar says it: `state:OPEN,ACKNOWLEDGED track:rum "timeout"`. */
export function describeSearch(texts: Readonly<Record<string, string>>): string {
  const search = readIssueSearch(texts);
  const order = { TOTAL_COUNT: 'count', FIRST_SEEN: 'first seen', IMPACTED_SESSIONS: 'sessions', PRIORITY: 'priority' };
  const chosen =
    search.states.length === 0 || search.states.length === issueStates.length ? 'any' : search.states.join(',');
  return [
    `state:${chosen}`,
    search.track ? `track:${search.track}` : search.persona !== 'ALL' ? `persona:${search.persona}` : '',
    search.assignee === 'any' ? '' : `assignee:${search.assignee}`,
    search.team && `team:${search.team}`,
    search.query && search.query !== '*' ? `"${search.query}"` : '',
    search.order === 'TOTAL_COUNT' ? '' : `by ${order[search.order as keyof typeof order] ?? search.order}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Whether a row has the states, the assignee and the team of a search: not every deployment takes them in the request (docs/contract/error-tracking.md#search).
 * A row whose state is not read yet, or is a word of the deployment's own, is never hidden: no option could bring it back. Nor is one of a team
 * that came without its name.
 */
export function isInSearch(row: IssueRow, search: IssueSearch, context: Context): boolean {
  if (!row.told) return true;
  const state = row.state.toUpperCase();
  const isKnown = issueStates.includes(state);
  if (search.states.length > 0 && isKnown && !search.states.includes(state)) return false;
  if (search.team && !row.teams.some((team) => isTeam(team, search.team))) return false;
  if (search.assignee === 'none') return row.assignee === undefined;
  if (search.assignee === 'me' && context.me) return row.assignee === context.me.id;
  return true;
}

const isTeam = ({ id, name, handle }: IssueRow['teams'][number], word: string): boolean =>
  id === word || `${name}${handle}` === '' || [name, handle].some((one) => one.toLowerCase() === word.toLowerCase());

/** Compares rows in the order of a search, for responses that are merged; equal rows stay as the service gave them. */
export function byOrder(order: string): (a: IssueRow, b: IssueRow) => number {
  const counted: Readonly<Record<string, (row: IssueRow) => number | undefined>> = {
    FIRST_SEEN: (row) => row.firstSeen,
    IMPACTED_SESSIONS: (row) => row.counts.sessions,
    TOTAL_COUNT: (row) => row.counts.total,
  };
  const rank = (row: IssueRow) => counted[order]?.(row) ?? 0;
  return (a, b) => rank(b) - rank(a);
}

/** A search gives at most this many results, without a cursor (docs/contract/error-tracking.md#search). */
export const most = 100;

/** Shorter windows are not halved any further. */
const shortest = 1000;
const minute = 60_000;

/** A time window `[from, to)` in milliseconds, what it is narrowed by, and the result of its search. */
export interface SearchWindow {
  readonly from: number;
  readonly to: number;
  /** Terms of a query. */
  readonly terms: string;
  /** Which of the halves: empty for the whole, `21` for the earlier half of the later half. */
  readonly place: string;
  /** Results of a wider window that it must have, too. */
  readonly expected: readonly SearchResult[];
  results: readonly SearchResult[];
  /** Whether the window may have more issues: it has not been read, or its response has exactly `most`, which its two halves complete. */
  open: boolean;
  parts?: readonly [SearchWindow, SearchWindow];
}

export function openWindow(
  from: number,
  to: number,
  place = '',
  terms = '',
  expected: readonly SearchResult[] = [],
): SearchWindow {
  return { from, to, place, terms, expected, results: [], open: true };
}

/** Whether a window is long enough to be halved. */
export function divisible(window: SearchWindow): boolean {
  return window.to - window.from > shortest;
}

/** Two windows that meet on a whole minute, or second where they are short, as near to the middle as there is one. */
export function halves({ from, to, place, terms }: SearchWindow): readonly [SearchWindow, SearchWindow] {
  const step = to - from > minute ? minute : shortest;
  const near = Math.round((from + to) / 2 / step) * step;
  const first = Math.floor(from / step) * step + step;
  const last = Math.ceil(to / step) * step - step;
  const middle = Math.min(Math.max(near, first), Math.max(first, last));
  return [openWindow(from, middle, `${place}1`, terms), openWindow(middle, to, `${place}2`, terms)];
}

/** A field of an issue with the value that each result of a window has; empty where it is not told. */
interface Trait {
  readonly field: 'service' | 'state';
  readonly values: ReadonlyMap<SearchResult, string>;
}

/** Values that need no quotes in a query. */
const plainValue = /^[\w.-]+$/;

/**
 * Two windows of the same time, one with about half of the results by their values of a field, one with all other values. An issue is in one
 * of them with its whole counts, where the halves of a time share the issues that last. Undefined where the results have one value.
 */
export function splitBy(
  { from, to, place, terms, results }: SearchWindow,
  { field, values }: Trait,
): readonly [SearchWindow, SearchWindow] | undefined {
  const groups = [...Map.groupBy(results, (result) => values.get(result) ?? '')].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const chosen: string[] = [];
  let count = 0;
  for (const [value, { length }] of groups) {
    if (!plainValue.test(value) || count + length > results.length * 0.6) continue;
    chosen.push(value);
    count += length;
  }
  const [largest = ''] = groups[0] ?? [];
  if (groups.length > 1 && chosen.length === 0 && plainValue.test(largest)) chosen.push(largest);
  if (chosen.length === 0) return undefined;
  const term = `${field}:(${chosen.join(' OR ')})`;
  const part = (half: string, more: string, isIn: (value: string) => boolean) => {
    const expected = results.filter((result) => isIn(values.get(result) ?? ''));
    return openWindow(from, to, place + half, `${terms} ${more}`.trim(), expected);
  };
  const isChosen = (value: string) => chosen.includes(value);
  return [part('1', term, isChosen), part('2', `-${term}`, (value) => value !== '' && !isChosen(value))];
}

/**
 * Whether parts that were split by a field were searched by it: they share no result, and each has those of their whole that it must have, unless it
 * may have more than it told.
 */
export function areSound([one, other]: readonly [SearchWindow, SearchWindow]): boolean {
  const [first, second] = [new Set(one.results.map(toIssueId)), new Set(other.results.map(toIssueId))];
  const hasAll = ({ open, expected }: SearchWindow, found: typeof first) =>
    open || expected.every((result) => found.has(toIssueId(result)));
  return first.isDisjointFrom(second) && hasAll(one, first) && hasAll(other, second);
}

/** How a window was split by fields, which the next read of the same time span begins with. */
export interface Split {
  readonly place: string;
  readonly terms: string;
  readonly parts?: readonly [Split, Split];
}

/** The windows that have no parts. */
export const leavesOf = (window: SearchWindow): readonly SearchWindow[] => window.parts?.flatMap(leavesOf) ?? [window];

/**
 * How a window is split by fields; not where its parts have become few enough for one search, or lack an issue that it told itself. Halves of a
 * time are not remembered: they share the issues that last, whose whole counts only a search of both tells.
 */
export function splitOf(window: SearchWindow): Split {
  const { place, terms, parts, to, results } = window;
  const unsplit = { place, terms };
  if (!parts || parts[0].to !== to) return unsplit;
  const found = new Set(parts.flatMap((part) => [...readSearchWindow(part).found.keys()]));
  const isFew = parts.every((part) => !part.parts) && found.size < most * 0.6;
  const isLacking = results.some((result) => !found.has(toIssueId(result) ?? ''));
  return isFew || isLacking ? unsplit : { ...unsplit, parts: [splitOf(parts[0]), splitOf(parts[1])] };
}

/** A window with the parts of an earlier read. */
export function openSplit(from: number, to: number, { place, terms, parts }: Split): SearchWindow {
  const window = openWindow(from, to, place, terms);
  return parts ? { ...window, parts: [openSplit(from, to, parts[0]), openSplit(from, to, parts[1])] } : window;
}

/** One issue over a window and its parts. */
interface WindowIssue {
  readonly result: SearchResult;
  readonly counts: IssueCounts;
}

/**
 * Every issue of a window by id, with its counts merged. What a window's own answer says is exact for that window
 * and wins over its parts; the rest is put together from the parts: totals are added; of sessions and users, which
 * may be the same in both parts, the greater is taken.
 */
export function readSearchWindow(window: SearchWindow): {
  readonly found: ReadonlyMap<string, WindowIssue>;
  readonly open: boolean;
} {
  const found = new Map<string, WindowIssue>();
  for (const result of window.results) {
    const id = toIssueId(result);
    if (id !== undefined) found.set(id, { result, counts: readCounts(result) });
  }
  if (!window.parts) return { found, open: window.open };
  const [early, late] = [readSearchWindow(window.parts[0]), readSearchWindow(window.parts[1])];
  const isApart = window.parts[0].to === window.to;
  for (const id of new Set([...early.found.keys(), ...late.found.keys()])) {
    const [a, b] = [early.found.get(id), late.found.get(id)];
    const one = a ?? b;
    if (!one || found.has(id)) continue;
    const counts = isApart ? one.counts : joined(a?.counts, b?.counts, early.open, late.open);
    found.set(id, { result: one.result, counts });
  }
  return { found, open: early.open || late.open };
}

function joined(a: IssueCounts | undefined, b: IssueCounts | undefined, aOpen: boolean, bOpen: boolean): IssueCounts {
  const missing = (!a && aOpen) || (!b && bOpen);
  return {
    total: sum(a?.total, b?.total),
    sessions: greater(a?.sessions, b?.sessions),
    users: greater(a?.users, b?.users),
    totalAtLeast: missing || a?.totalAtLeast || b?.totalAtLeast || undefined,
    peopleAtLeast: missing || (a && b && true) || a?.peopleAtLeast || b?.peopleAtLeast || undefined,
  };
}

const sum = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined ? b : a + (b ?? 0));

const greater = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : Math.max(a, b ?? a);

/** Where the issues of several answers' `included` arrays are kept, by id; later answers win. */
export function keepIncluded(kept: Map<string, Included>, included: readonly Included[] | null | undefined): void {
  for (const item of included ?? []) if (item.id != null) kept.set(String(item.id), item);
}
