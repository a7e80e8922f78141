import type { Context } from '../../src/describe/context.ts';
import { choiceField, type Fields, manyField, textField } from '../../src/describe/field.ts';
import { commaWords } from '../../src/lib/text.ts';
import type { IssueRow } from './row.ts';

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

/** The five states, as the form offers them (docs/contract/error-tracking.md#states). */
const states = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'IGNORED', 'EXCLUDED'] as const;

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
    states: manyField('States', commaWords(now.states), [...states], 'Empty = all states'),
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

/** The search as the title bar says it: `state:OPEN,ACKNOWLEDGED rum "timeout"`. */
export function describeSearch(texts: Readonly<Record<string, string>>): string {
  const search = readIssueSearch(texts);
  const order = { TOTAL_COUNT: 'count', FIRST_SEEN: 'first seen', IMPACTED_SESSIONS: 'sessions', PRIORITY: 'priority' };
  const chosen = search.states.length === 0 || search.states.length === states.length ? 'any' : search.states.join(',');
  return [
    `state:${chosen}`,
    search.track ? `track:${search.track}` : search.persona !== 'ALL' ? `persona:${search.persona}` : '',
    search.assignee === 'any' ? '' : `assignee:${search.assignee}`,
    search.team && `team:${search.team}`,
    search.query && search.query !== '*' ? `"${search.query}"` : '',
    search.order === 'TOTAL_COUNT' ? '' : `by ${order[search.order as keyof typeof order] ?? search.order}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/**
 * Whether a row has the states, the assignee and the team of a search: not every deployment takes them in the request (docs/contract/error-tracking.md#search).
 * A row whose state is not read yet, or is a word of the deployment's own, is never hidden: no option could bring it back.
 */
export function isInSearch(row: IssueRow, search: IssueSearch, context: Context): boolean {
  if (!row.told) return true;
  const state = row.state.toUpperCase();
  const isKnown = (states as readonly string[]).includes(state);
  if (search.states.length > 0 && isKnown && !search.states.includes(state)) return false;
  if (search.team && !row.teams.some((team) => isTeam(team, search.team))) return false;
  if (search.assignee === 'none') return row.assignee === undefined;
  if (search.assignee === 'me' && context.me) return row.assignee === context.me.id;
  return true;
}

const isTeam = ({ id, name, handle }: IssueRow['teams'][number], word: string): boolean =>
  id === word || [name, handle].some((one) => one.toLowerCase() === word.toLowerCase());

/** Compares rows in the order of a search, for responses that are merged; equal rows stay as the service gave them. */
export function byOrder(order: string): (a: IssueRow, b: IssueRow) => number {
  const rank: (row: IssueRow) => number =
    order === 'FIRST_SEEN'
      ? (row) => row.firstSeen ?? 0
      : order === 'IMPACTED_SESSIONS'
        ? (row) => row.counts.sessions ?? -1
        : order === 'TOTAL_COUNT'
          ? (row) => row.counts.total ?? -1
          : () => 0;
  return (a, b) => rank(b) - rank(a);
}
