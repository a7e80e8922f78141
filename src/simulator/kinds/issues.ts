import { at } from '../../lib/object-paths.ts';
import { isUuid } from '../../lib/unchecked.ts';
import { type ApiRequest, type ApiResponse, gone, type Handler, isResponse, type World } from '../server/handler.ts';
import type { Case, Issue } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';
import { asText, iso } from '../server/wire-values.ts';
import { resume, stop } from './event-stream.ts';
import { includedOf, jsonApi, jsonApiError, type Kind, showIssue } from './issue-view.ts';

/** Milliseconds until every client has the fixed version. */
const fixRollout = 10 * 60_000;

/** The states that can be set (docs/contract/error-tracking.md#states). */
const issueStates = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'IGNORED', 'EXCLUDED'] as const;

/** The issue of the path, or the refusal, before the body is validated. */
function found(request: ApiRequest, world: World): Issue | ApiResponse {
  const id = request.params.issue_id ?? '';
  if (!isUuid(id)) return jsonApiError(400, 'issue id is not an uuid');
  return world.org.issues.get(id.toLowerCase()) ?? jsonApiError(404, 'issue not found');
}

const get: Handler = (request, world) => {
  const issue = found(request, world);
  if (isResponse(issue)) return issue;
  const words = request.query
    .getAll('include')
    .flatMap((text) => text.split(','))
    .map((word) => word.trim());
  const kinds = new Set(words.filter((word): word is Kind => ['assignee', 'case', 'team_owners'].includes(word)));
  return jsonApi(issueBody(world, issue, kinds, request.now));
};

function issueBody(world: World, issue: Issue, kinds: ReadonlySet<Kind>, now: number): Record<string, unknown> {
  const included = includedOf(world, [issue], kinds, now);
  return { data: showIssue(issue, now), ...(included?.length ? { included } : {}) };
}

/** The response to an edit includes assignee, case and teams without `include`. */
const editResponse = (world: World, issue: Issue, now: number): ApiResponse =>
  jsonApi(issueBody(world, issue, new Set<Kind>(['assignee', 'case', 'team_owners']), now));

/**
 * Sets the state of an issue and what depends on it: the case closes and opens with it, exclusion stops the
 * events at once, resolution after the rollout of the fix unless the issue regresses later.
 */
export function setState(org: Org, issue: Issue, state: string, now: number): void {
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
export function regress(org: Org, issue: Issue, now: number): void {
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

const state: Handler = (request, world) => {
  const issue = found(request, world);
  if (isResponse(issue)) return issue;
  const asked = asText(at(request.body, 'data.attributes.state')) ?? '';
  const next = issueStates.find((word) => word === asked.toUpperCase());
  if (!next) return jsonApiError(400, `invalid json value for IssueState: "${asked}"`);
  setState(world.org, issue, next, request.now);
  return editResponse(world, issue, request.now);
};

const assign: Handler = (request, world) => {
  const issue = found(request, world);
  if (isResponse(issue)) return issue;
  const id = asText(at(request.body, 'data.id')) ?? '';
  if (!isUuid(id)) return jsonApiError(400, `invalid UUID length: ${id.length}`);
  if (at(request.body, 'data.type') !== 'assignee') return jsonApiError(400, 'invalid data type: assignee is required');
  const user = world.org.users.get(id.toLowerCase());
  if (!user) return jsonApiError(404, 'user not found');
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
};

/** Creates the case of an issue. */
export function openCase(world: World, issue: Issue, creator: string, now: number): Case {
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

const unassign: Handler = (request, world) => {
  const issue = found(request, world);
  if (isResponse(issue)) return issue;
  issue.assignee = null;
  const relatedCase = issue.case === null ? undefined : world.org.cases.get(issue.case);
  if (relatedCase) relatedCase.assignee = null;
  return gone;
};

/** Handlers of operations on one issue, by endpoint id. */
export const issueHandlers: Readonly<Record<string, Handler>> = {
  'issues.get': get,
  'issues.set-state': state,
  'issues.assign': assign,
  'issues.unassign': unassign,
};
