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

type Texts = (issue: StoredIssue) => readonly string[];
/** What a field of the event search syntax is compared with (docs/contract/error-tracking.md#search). */
const wholeTexts = new Map<string, Texts>([
  ['service', ({ service }) => [service]],
  ['error.type', ({ type }) => [type]],
  ['error.handling', ({ handling }) => [handling]],
  ['error.is_crash', ({ crash }) => [String(crash)]],
  ['language', ({ languages }) => languages],
  ['env', ({ env }) => [env]],
  ['state', ({ state }) => [state]],
  ['issue.state', ({ state }) => [state]],
  ['platform', ({ platform }) => [platform]],
  ['version', ({ lastVersion }) => [lastVersion]],
  ['issue.id', ({ id }) => [id]],
]);
/** Texts of which a part is enough; no field stands for those that a word alone is looked for in. */
const partTexts = new Map<string | undefined, Texts>([
  [undefined, ({ type, message, service, file, function: name }) => [type, message, service, file, name]],
  ['error.message', ({ message }) => [message]],
  ['error.stack', ({ stack }) => [stack]],
  ['error.file', ({ file }) => [file]],
]);

/** Whether one term matches; an unknown field matches nothing. */
function matchesTerm(issue: StoredIssue, field: string | null, value: string, quoted: boolean): boolean {
  const name = field?.replace(/^@/, '');
  const inPart = partTexts
    .get(name)?.(issue)
    .some((text) => contains(text, value, quoted));
  return (
    inPart ??
    wholeTexts
      .get(name ?? '')?.(issue)
      .some((text) => matchesText(text, value, quoted)) ??
    false
  );
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
