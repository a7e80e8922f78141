import * as v from 'valibot';
import { byId, type Included } from '../../src/api/envelope.ts';
import { issue, issueCase, type SearchResult, searchResult } from '../../src/api/error-tracking.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { knownPerson, shortPersonName, toPerson } from '../../src/describe/picks.ts';
import { receiptSubject } from '../../src/describe/receipt.ts';
import { cut } from '../../src/lib/text.ts';
import { readEpoch } from '../../src/lib/time.ts';
import { field, idIn, items, storedTime, toAmount, toWord } from '../../src/lib/values.ts';

/** The states as a person works through them (docs/contract/error-tracking.md#states). */
export const issueStates: readonly string[] = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'IGNORED', 'EXCLUDED'];

const texts = v.pipe(v.array(v.string()), v.readonly());

/** A team that owns an issue; all but the id may be missing. */
const team = v.object({ id: v.string(), name: v.string(), handle: v.string(), summary: v.string() });
type Team = v.InferOutput<typeof team>;

/** Counts of one window; undefined where the service gave none. */
const issueCounts = v.object({
  total: v.optional(v.number()),
  sessions: v.optional(v.number()),
  users: v.optional(v.number()),
  /** A part of the window was not read to its end: there may be more. */
  totalAtLeast: v.optional(v.boolean()),
  /** Sessions and users cannot be added over the parts of a window: this is the most in one part. */
  peopleAtLeast: v.optional(v.boolean()),
});
export type IssueCounts = Readonly<v.InferOutput<typeof issueCounts>>;

/** Schema of an issue as the list shows and keeps it: a search result joined by id with what came in `included`. */
export const keptIssue = v.object({
  id: v.string(),
  /** Whether the issue object was included; a search result alone has only counts. */
  told: v.boolean(),
  /** The service's own word; empty when it gave none. */
  state: v.string(),
  counts: v.pipe(issueCounts, v.readonly()),
  type: v.string(),
  message: v.string(),
  /** The message on one line, shortened once for drawing. */
  line: v.string(),
  service: v.string(),
  file: v.string(),
  function: v.string(),
  platform: v.string(),
  languages: texts,
  crash: v.optional(v.boolean()),
  firstSeen: v.optional(storedTime),
  lastSeen: v.optional(storedTime),
  firstVersion: v.string(),
  lastVersion: v.string(),
  /** Seen again after it was resolved; times as the service wrote them. */
  regression: v.optional(v.object({ at: v.string(), version: v.string(), resolvedAt: v.string() })),
  /** Id of the person it is assigned to. */
  assignee: v.optional(v.string()),
  /**
   * Who that is, where the service said more than an id (docs/contract/error-tracking.md#assign); compare ids: an edit
   * changes only those.
   */
  who: v.optional(
    v.object({ id: v.string(), name: v.string(), handle: v.optional(v.string()), email: v.optional(v.string()) }),
  ),
  teams: v.pipe(v.array(team), v.readonly()),
  /** `attributes` is missing when the case was named but not included. */
  case: v.optional(
    v.object({
      id: v.string(),
      attributes: v.exactOptional(v.record(v.string(), v.unknown())),
      /** What its relationships name, by their names: ids, of people with the name that came along. */
      named: v.exactOptional(v.record(v.string(), v.object({ id: v.string(), name: v.string() }))),
    }),
  ),
  /** The service's JSON, for the raw tab. */
  raw: v.record(v.string(), v.unknown()),
});
export type IssueRow = Readonly<v.InferOutput<typeof keptIssue>>;

/** Where the identifiers of the contract stand in a row. */
export const rowSchema = v.looseObject({
  case: issueCase,
  raw: v.looseObject({ issue, result: searchResult }),
});

/** A row out of a search result; `undefined` when the result has no id. */
export function rowOfResult(
  result: SearchResult,
  counts: IssueCounts,
  included: ReadonlyMap<string, Included>,
): IssueRow | undefined {
  const id = toIssueId(result);
  if (id === undefined) return undefined;
  const issue = included.get(id);
  return { ...rowOfIssue(id, issue, included), counts, raw: issue ? { result, issue } : { result } };
}

/** The id of the issue that a search result is about. */
export function toIssueId(result: SearchResult): string | undefined {
  return idIn(result.relationships?.issue) ?? idIn(result);
}

/** The counts of a search result, each of which may be missing. */
export function readCounts(result: SearchResult): IssueCounts {
  return {
    total: toAmount(result.attributes?.total_count),
    sessions: toAmount(result.attributes?.impacted_sessions),
    users: toAmount(result.attributes?.impacted_users),
  };
}

/** A row out of an issue object, which may lack anything; without counts, which only a search has. */
export function rowOfIssue(id: string, issue: unknown, included: ReadonlyMap<string, Included>): IssueRow {
  const about = field(issue, 'attributes');
  const named = field(issue, 'relationships');
  const message = toWord(field(about, 'error_message'));
  const crash = field(about, 'is_crash');
  const regression = field(about, 'regression');
  const assigneeId = idIn(field(named, 'assignee'));
  const caseId = idIn(field(named, 'case'));
  const owners = field(named, 'team_owners');
  return {
    id,
    told: typeof about === 'object' && about !== null,
    state: toWord(field(about, 'state')),
    counts: {},
    type: toWord(field(about, 'error_type')),
    message,
    line: oneLine(message),
    service: toWord(field(about, 'service')),
    file: toWord(field(about, 'file_path')),
    function: toWord(field(about, 'function_name')),
    platform: toWord(field(about, 'platform')),
    languages: items(field(about, 'languages')).map(toWord).filter(Boolean),
    crash: typeof crash === 'boolean' ? crash : undefined,
    firstSeen: readEpoch(field(about, 'first_seen'), 'ms'),
    lastSeen: readEpoch(field(about, 'last_seen'), 'ms'),
    firstVersion: toWord(field(about, 'first_seen_version')),
    lastVersion: toWord(field(about, 'last_seen_version')),
    regression:
      typeof regression === 'object' && regression !== null
        ? {
            at: toWord(field(regression, 'regressed_at')),
            version: toWord(field(regression, 'regressed_at_version')),
            resolvedAt: toWord(field(regression, 'resolved_at')),
          }
        : undefined,
    assignee: assigneeId,
    who: assigneeId === undefined ? undefined : personIn(assigneeId, included.get(assigneeId)),
    teams: items(field(owners, 'data') ?? owners)
      .map(idIn)
      .filter((team) => team !== undefined)
      .map((team) => teamOf(team, included.get(team))),
    case: caseId === undefined ? undefined : caseOf(caseId, included),
    raw: { issue },
  };
}

/** The row that an answer describes: the issue from the answer, the counts, and the names it left out, from before. */
export function rowOfAnswer(before: IssueRow, answer: unknown): IssueRow {
  const issue = field(answer, 'data');
  const row = rowOfIssue(before.id, issue, byId(includedIn(answer)));
  if (!row.told) return before;
  return {
    ...row,
    counts: before.counts,
    state: row.state || before.state,
    who: row.who ?? before.who,
    teams: row.teams.map((team) => (team.name ? team : (before.teams.find((one) => one.id === team.id) ?? team))),
    case: row.case && !row.case.attributes && before.case?.id === row.case.id ? before.case : row.case,
    raw: { ...before.raw, issue },
  };
}

/** The `included` array of an answer; what is not an object in it is left out. */
export function includedIn(answer: unknown): readonly Included[] {
  return items(field(answer, 'included')).filter((item): item is Included => typeof item === 'object' && item !== null);
}

/** The name of an issue in sentences: `TypeError in checkout-api`. */
export function issueName(row: IssueRow): string {
  const what = oneLine(row.type) || row.line || `issue ${row.id.slice(0, 8)}…`;
  return cut(row.service ? `${what} in ${oneLine(row.service)}` : what, 60);
}

/** The assignee's name; empty when not assigned. */
export function assigneeName(row: IssueRow, context: Context): string {
  if (row.assignee === undefined) return '';
  if (row.assignee === context.me?.id) return 'you';
  const said = row.who?.id === row.assignee ? row.who : undefined;
  return (said ?? knownPerson(row.assignee, context))?.name ?? shortPersonName(row.assignee);
}

/** A person with a name, an email or a handle; all three may be empty. */
function personIn(id: string, item: Included | undefined): Person | undefined {
  const person = toPerson(item);
  return person?.name === shortPersonName(id) ? undefined : person;
}

function teamOf(id: string, item: Included | undefined): Team {
  const about = item?.attributes;
  return {
    id,
    name: toWord(field(about, 'name')),
    handle: toWord(field(about, 'handle')),
    summary: toWord(field(about, 'summary')),
  };
}

function caseOf(id: string, included: ReadonlyMap<string, Included>): IssueRow['case'] {
  const item = included.get(id);
  const named = Object.entries(item?.relationships ?? {}).flatMap(([name, relation]) => {
    const other = idIn(relation);
    if (other === undefined) return [];
    return [[name, { id: other, name: personIn(other, included.get(other))?.name ?? '' }] as const];
  });
  return {
    id,
    ...(item?.attributes && { attributes: item.attributes }),
    named: Object.fromEntries(named),
  };
}

function oneLine(text: string): string {
  return text.slice(0, 500).replace(/\s+/g, ' ').trim();
}

/** Of an issue without an assignee: that it has none, or that the service did not say. */
export const unassignedText = ({ told }: IssueRow): string => (told ? 'unassigned' : 'assignee unknown');

/** Issues in a question: `TypeError in checkout-api`, `7 issues`. */
export const issuesText = (rows: readonly IssueRow[]): string => receiptSubject(rows, issueName, 'issue');
