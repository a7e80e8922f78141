import { knownWords } from '../../api/envelope.ts';
import { type assignIssue, issueState, type setIssueState } from '../../api/error-tracking.ts';
import { isUuid } from '../../lib/unchecked-values.ts';
import { collection } from '../server/collection.ts';
import { type ApiResponse, type Handler, noContent, ok, refused, type ServiceWorld } from '../server/handler.ts';
import type { Case, StoredIssue } from '../server/monitoring.ts';
import { listParameter } from '../server/paging.ts';
import { readSentBody } from '../server/sent-body.ts';
import type { Org } from '../server/store.ts';
import { iso } from '../server/wire-values.ts';
import { resume, stop } from './event-stream.ts';
import { type IncludedKind, includedObjects, showIssue } from './issue-view.ts';

/** Milliseconds until every client has the fixed version. */
const fixRollout = 10 * 60_000;

const issues = collection<StoredIssue>({
  rows: ({ org }) => org.issues,
  refuses: ({ params }) => (isUuid(params.issue_id ?? '') ? undefined : refused(400, 'issue id is not an uuid')),
  missing: () => refused(404, 'issue not found'),
  show: (issue, { now }) => showIssue(issue, now),
});

const beside: readonly IncludedKind[] = ['assignee', 'case', 'team_owners'];

const get = issues.on((issue, { query, now }, world) => {
  const words = listParameter(query, 'include');
  return ok(issueBody(world, issue, new Set(beside.filter((kind) => words.includes(kind))), now));
});

function issueBody(
  world: ServiceWorld,
  issue: StoredIssue,
  kinds: ReadonlySet<IncludedKind>,
  now: number,
): Record<string, unknown> {
  const included = includedObjects(world, [issue], kinds, now);
  return { data: showIssue(issue, now), ...(included?.length ? { included } : {}) };
}

/** The response to an edit includes assignee, case and teams without `include`. */
const editResponse = (world: ServiceWorld, issue: StoredIssue, now: number): ApiResponse =>
  ok(issueBody(world, issue, new Set(beside), now));

/**
 * Sets the state of an issue and what depends on it: the case closes and opens with it, exclusion stops the
 * events at once, resolution after the rollout of the fix unless the issue regresses later.
 */
export function setState(org: Org, issue: StoredIssue, state: string, now: number): void {
  const before = issue.state;
  if (before === state) return;
  const rolloutEnd = issue.stateChanged + fixRollout;
  issue.state = state;
  issue.stateChanged = now;
  const relatedCase = issue.case === null ? undefined : org.cases.get(issue.case);
  if (relatedCase) {
    relatedCase.status = state === 'RESOLVED' ? 'CLOSED' : relatedCase.assignee ? 'IN_PROGRESS' : 'OPEN';
    relatedCase.closed = state === 'RESOLVED' ? now : null;
    relatedCase.modified = now;
  }
  if (state === 'EXCLUDED') stop(issue.stream, now);
  else if (before === 'EXCLUDED') resume(issue.stream, now);
  if (state === 'RESOLVED' && issue.returns === null) stop(issue.stream, now + fixRollout);
  else if (before === 'RESOLVED' && issue.stream.active.at(-1)?.to === rolloutEnd) resume(issue.stream, now);
  if (state === 'RESOLVED') issue.regression = null;
}

/** Reopens a resolved issue that regressed (docs/contract/error-tracking.md#states). */
export function regress(org: Org, issue: StoredIssue, now: number): void {
  const resolved = issue.stateChanged;
  setState(org, issue, 'OPEN', now);
  resume(issue.stream, now);
  issue.lastVersion = nextVersion(issue.lastVersion);
  issue.regression = {
    regressed_at: iso(now),
    ...(issue.lastVersion ? { regressed_at_version: issue.lastVersion } : {}),
    resolved_at: iso(resolved),
  };
}

const nextVersion = (version: string): string =>
  version.replace(/(\d+)(?!.*\d)/, (digits) => String(Number(digits) + 1));

const state = issues.on((issue, request, world) => {
  const { state } = readSentBody<typeof setIssueState>(request).data.attributes;
  if (!knownWords(issueState).includes(state)) return refused(400, `invalid json value for IssueState: "${state}"`);
  setState(world.org, issue, state, request.now);
  return editResponse(world, issue, request.now);
});

const assign = issues.on((issue, request, world) => {
  const user = world.org.users.get(readSentBody<typeof assignIssue>(request).data.id.toLowerCase());
  if (!user) return refused(404, 'user not found');
  issue.assignee = user.id;
  if (issue.state === 'OPEN') setState(world.org, issue, 'ACKNOWLEDGED', request.now);
  const relatedCase =
    (issue.case === null ? undefined : world.org.cases.get(issue.case)) ??
    openCase(world, issue, request.caller.user.id, request.now);
  relatedCase.assignee = user.id;
  relatedCase.modifier = request.caller.user.id;
  relatedCase.modified = request.now;
  if (relatedCase.status === 'OPEN') relatedCase.status = 'IN_PROGRESS';
  return editResponse(world, issue, request.now);
});

/** Creates the case of an issue. */
export function openCase(world: ServiceWorld, issue: StoredIssue, creator: string, now: number): Case {
  const { org } = world;
  const relatedCase: Case = {
    id: world.random.uuid(),
    key: `ET-${org.next.case}`,
    title: `${issue.type}: ${issue.message}`.slice(0, 200),
    status: issue.state === 'RESOLVED' ? 'CLOSED' : 'OPEN',
    priority: 'NOT_DEFINED',
    assignee: issue.assignee,
    creator,
    modifier: null,
    project: org.uuid,
    issue: issue.id,
    created: now,
    modified: now,
    closed: issue.state === 'RESOLVED' ? now : null,
    overrides: {},
  };
  org.next.case += 1;
  org.cases.set(relatedCase.id, relatedCase);
  issue.case = relatedCase.id;
  return relatedCase;
}

const unassign = issues.on((issue, _, world) => {
  issue.assignee = null;
  const relatedCase = issue.case === null ? undefined : world.org.cases.get(issue.case);
  if (relatedCase) relatedCase.assignee = null;
  return noContent;
});

/** Handlers of operations on one issue, by endpoint id. */
export const issueHandlers: Readonly<Record<string, Handler>> = {
  'issues.get': get,
  'issues.set-state': state,
  'issues.assign': assign,
  'issues.unassign': unassign,
};
