import type { searchIssues } from '../../api/error-tracking.ts';
import { contains, holds, matchesText, readTerms, type SearchTerm } from '../query/search-terms.ts';
import type { Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Handler,
  isResponse,
  listParameter,
  ok,
  readSentBody,
  refused,
  type ServiceWorld,
} from '../server/handler.ts';
import { countEvents, type StoredIssue } from '../server/monitoring.ts';
import { type IncludedKind, includedObjects } from './issues.ts';

/** The most results of one search; there is no cursor (docs/contract/error-tracking.md#search). */
const maxResults = 100;
const mobile = ['ANDROID', 'IOS', 'FLUTTER', 'REACT_NATIVE', 'ROKU'];

const isBackend = (platform: string): boolean => platform !== 'BROWSER' && !mobile.includes(platform);
/** The platforms of each track. */
const tracks = new Map([
  ['rum', (platform: string) => !isBackend(platform)],
  ['trace', isBackend],
  ['logs', isBackend],
]);
/** The platforms of each persona. */
const personas = new Map([
  ['ALL', () => true],
  ['BROWSER', (platform: string) => platform === 'BROWSER'],
  ['MOBILE', (platform: string) => mobile.includes(platform)],
  ['BACKEND', isBackend],
]);

/** Whether one term of the event search syntax matches (docs/contract/error-tracking.md#search); an unknown field matches nothing. */
function matchesTerm(issue: StoredIssue, field: string | null, value: string, quoted: boolean): boolean {
  switch (field?.replace(/^@/, '')) {
    case undefined:
      return [issue.type, issue.message, issue.service, issue.file, issue.function].some((text) =>
        contains(text, value, quoted),
      );
    case 'service':
      return matchesText(issue.service, value, quoted);
    case 'error.type':
      return matchesText(issue.type, value, quoted);
    case 'error.message':
      return contains(issue.message, value, quoted);
    case 'error.stack':
      return contains(issue.stack, value, quoted);
    case 'error.handling':
      return matchesText(issue.handling, value, quoted);
    case 'error.file':
      return contains(issue.file, value, quoted);
    case 'error.is_crash':
      return String(issue.crash) === value;
    case 'language':
      return issue.languages.some((language) => matchesText(language, value, quoted));
    case 'env':
      return matchesText(issue.env, value, quoted);
    case 'state':
    case 'issue.state':
      return matchesText(issue.state, value, quoted);
    case 'platform':
      return matchesText(issue.platform, value, quoted);
    case 'version':
      return matchesText(issue.lastVersion, value, quoted);
    case 'issue.id':
      return issue.id === value;
    default:
      return false;
  }
}

/** What a request searches for. States and ids are in lower case; an empty list allows all. */
interface Search {
  readonly term: SearchTerm;
  /** Epoch milliseconds, `to` excluded. */
  readonly from: number;
  readonly to: number;
  /** The first is that with the highest. */
  rank(found: Found): number;
  covers(platform: string): boolean;
  readonly states: readonly string[];
  readonly assignees: readonly string[];
  readonly teams: readonly string[];
}

function readSearch(request: ApiRequest): Search | ApiResponse {
  const { query, order_by = 'TOTAL_COUNT', ...sent } = readSentBody<typeof searchIssues>(request).data.attributes;
  if (!sent.track && !sent.persona) return refused(400, 'either track or persona is required');
  const [inTrack, inPersona] = [tracks.get(sent.track ?? 'rum'), personas.get(sent.persona ?? 'ALL')];
  if (!inTrack) return refused(400, `invalid json value for TrackType: ${sent.track}`);
  if (!inPersona) return refused(400, `invalid json value for PersonaType: ${sent.persona}`);
  const rank = ranks.get(order_by);
  if (!rank) return refused(400, `invalid json value for OrderBy: ${order_by}`);
  const [from, to] = [Number(sent.from), Number(sent.to)];
  if (from > to) return refused(400, 'from must not be after to');
  const terms = readTerms(query);
  if (!terms.ok) return refused(400, `invalid query: ${terms.text}`);
  const lower = (texts: readonly string[] = []): string[] => texts.map((text) => text.toLowerCase());
  return {
    term: terms.term,
    from,
    to,
    rank,
    covers: (platform) => (!sent.track || inTrack(platform)) && inPersona(platform),
    states: lower(sent.states),
    assignees: lower(sent.assignee_ids),
    teams: lower(sent.team_ids),
  };
}

interface Found {
  readonly issue: StoredIssue;
  /** How many events and sessions it has in the time of the search. */
  readonly count: number;
  readonly sessions: number | null;
  /** When it was seen first, epoch milliseconds. */
  readonly first: number;
}

const allows = (list: readonly string[], values: readonly (string | null)[]): boolean =>
  list.length === 0 || values.some((value) => value !== null && list.includes(value.toLowerCase()));

/** Sessions with so many events of an issue; null where its sessions are not counted. They grow more slowly than events, since errors repeat in a session. */
const sessionsOf = (issue: StoredIssue, count: number): number | null =>
  issue.sessions === null ? null : Math.max(1, Math.round(count ** 0.9 * issue.sessions));

const usersOf = (sessions: number): number => Math.max(1, Math.round(sessions * 0.82));

function find(search: Search, world: ServiceWorld, now: number): Found[] {
  const rows: Found[] = [];
  for (const issue of world.org.issues.values()) {
    const isSearched =
      search.covers(issue.platform) &&
      allows(search.states, [issue.state]) &&
      allows(search.assignees, [issue.assignee]) &&
      allows(search.teams, issue.teams) &&
      holds(search.term, (...parts) => matchesTerm(issue, ...parts));
    const count = isSearched ? countEvents(issue.stream, search.from, search.to, now) : 0;
    if (count > 0)
      rows.push({ issue, count, sessions: sessionsOf(issue, count), first: issue.stream.active[0]?.from ?? 0 });
  }
  return rows.sort(
    (a, b) => search.rank(b) - search.rank(a) || b.count - a.count || (a.issue.id < b.issue.id ? -1 : 1),
  );
}

/** The service's priority score: crashes first, then affected sessions, then what was seen first most recently. */
const priority = ({ issue, count, sessions, first }: Found): number =>
  (issue.crash ? 5 : 0) + Math.log10(1 + (sessions ?? count)) + first / 1e13;

/** By what each order sorts. */
const ranks = new Map([
  ['TOTAL_COUNT', ({ count }: Found) => count],
  ['FIRST_SEEN', ({ first }: Found) => first],
  ['IMPACTED_SESSIONS', ({ sessions }: Found) => sessions ?? 0],
  ['PRIORITY', priority],
]);

const includes: ReadonlyMap<string, IncludedKind> = new Map([
  ['issue', 'issue'],
  ['issue.assignee', 'assignee'],
  ['issue.case', 'case'],
  ['issue.team_owners', 'team_owners'],
]);

const search: Handler = (request, world) => {
  const search = readSearch(request);
  if (isResponse(search)) return search;
  const include = new Set(listParameter(request.query, 'include').flatMap((word) => includes.get(word) ?? []));
  const rows = find(search, world, request.now).slice(0, maxResults);
  const data = rows.map((row) => ({
    id: row.issue.id,
    type: 'error_tracking_search_result',
    attributes: countsOf(row),
    relationships: { issue: { data: { id: row.issue.id, type: 'issue' } } },
  }));
  const included = includedObjects(
    world,
    rows.map((row) => row.issue),
    include,
    request.now,
  );
  return ok({ data, ...(included ? { included } : {}) });
};

function countsOf({ count, sessions }: Found): Record<string, number> {
  if (sessions === null) return { total_count: count };
  return { impacted_sessions: sessions, impacted_users: usersOf(sessions), total_count: count };
}

/** The search of issues. */
export const issueSearchOperations: Operations = { 'issues.search': search };
