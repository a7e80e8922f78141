import {
  type Answer,
  type Ask,
  asText,
  at,
  gone,
  type Handler,
  isAnswer,
  iso,
  isUuid,
  type World,
} from '../server/answer.ts';
import type { Case, Issue } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';
import { resume, stop } from './event-stream.ts';
import { bad, good, includedOf, type Kind, showIssue } from './issue-view.ts';

/** Milliseconds after which the last old client has the mended version. */
const fadesAfter = 10 * 60_000;

/** The states that a call may ask for (spec: States and transitions). */
export const issueStates = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'IGNORED', 'EXCLUDED'] as const;

/** The issue of the path; 404 before anything in the body is looked at. */
function found(ask: Ask, world: World): Issue | Answer {
  const id = ask.params.issue_id ?? '';
  if (!isUuid(id)) return bad(400, 'issue id is not an uuid');
  return world.org.issues.get(id.toLowerCase()) ?? bad(404, 'issue not found');
}

const get: Handler = (ask, world) => {
  const issue = found(ask, world);
  if (isAnswer(issue)) return issue;
  const words = ask.query
    .getAll('include')
    .flatMap((text) => text.split(','))
    .map((word) => word.trim());
  const kinds = new Set(words.filter((word): word is Kind => ['assignee', 'case', 'team_owners'].includes(word)));
  return good(whole(world, issue, kinds, ask.now));
};

function whole(world: World, issue: Issue, kinds: ReadonlySet<Kind>, now: number): Record<string, unknown> {
  const included = includedOf(world, [issue], kinds, now);
  return { data: showIssue(issue, now), ...(included?.length ? { included } : {}) };
}

/** An edit's answer holds people and case unasked. */
const edited = (world: World, issue: Issue, now: number): Answer =>
  good(whole(world, issue, new Set<Kind>(['assignee', 'case', 'team_owners']), now));

/**
 * Moves an issue and everything that hangs on its state: the case closes and opens with it, an excluded
 * issue is collected no more, a resolved one stops once the mended version is out, or comes back later.
 */
export function setState(org: Org, issue: Issue, state: string, now: number): void {
  const before = issue.state;
  if (before === state) return;
  const mended = issue.stateChanged + fadesAfter;
  issue.state = state;
  issue.stateChanged = now;
  const kase = issue.case === null ? undefined : org.cases.get(issue.case);
  if (kase) {
    kase.status = state === 'RESOLVED' ? 'CLOSED' : kase.assignee ? 'IN_PROGRESS' : 'OPEN';
    kase.closed = state === 'RESOLVED' ? now : null;
    kase.modified = now;
  }
  if (state === 'EXCLUDED') stop(issue.stream, now);
  else if (before === 'EXCLUDED') resume(issue.stream, now);
  if (state === 'RESOLVED' && issue.returns === null) stop(issue.stream, now + fadesAfter);
  else if (before === 'RESOLVED' && issue.stream.active.at(-1)?.to === mended) resume(issue.stream, now);
  if (state === 'RESOLVED') issue.regression = null;
}

/** A resolved issue that was seen again (contract/error-tracking.md section 8). */
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

const state: Handler = (ask, world) => {
  const issue = found(ask, world);
  if (isAnswer(issue)) return issue;
  const asked = asText(at(ask.body, 'data', 'attributes', 'state')) ?? '';
  const next = issueStates.find((word) => word === asked.toUpperCase());
  if (!next) return bad(400, `invalid json value for IssueState: "${asked}"`);
  setState(world.org, issue, next, ask.now);
  return edited(world, issue, ask.now);
};

const assign: Handler = (ask, world) => {
  const issue = found(ask, world);
  if (isAnswer(issue)) return issue;
  const id = asText(at(ask.body, 'data', 'id')) ?? '';
  if (!isUuid(id)) return bad(400, `invalid UUID length: ${id.length}`);
  if (at(ask.body, 'data', 'type') !== 'assignee') return bad(400, 'invalid data type: assignee is required');
  const user = world.org.users.get(id.toLowerCase());
  if (!user) return bad(404, 'user not found');
  issue.assignee = user.id;
  if (issue.state === 'OPEN') setState(world.org, issue, 'ACKNOWLEDGED', ask.now);
  const kase =
    (issue.case === null ? undefined : world.org.cases.get(issue.case)) ??
    openCase(world, issue, ask.caller.user.id, ask.now);
  kase.assignee = user.id;
  kase.modifier = ask.caller.user.id;
  kase.modified = ask.now;
  if (kase.status === 'OPEN') kase.status = 'IN_PROGRESS';
  return edited(world, issue, ask.now);
};

/** The case that keeps the talk about an issue. */
export function openCase(world: World, issue: Issue, creator: string, now: number): Case {
  const { org } = world;
  const kase: Case = {
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
  org.cases.set(kase.id, kase);
  issue.case = kase.id;
  return kase;
}

const unassign: Handler = (ask, world) => {
  const issue = found(ask, world);
  if (isAnswer(issue)) return issue;
  issue.assignee = null;
  const kase = issue.case === null ? undefined : world.org.cases.get(issue.case);
  if (kase) kase.assignee = null;
  return gone;
};

/** Operations on one issue, by the id of the endpoint. */
export const issueHandlers: Readonly<Record<string, Handler>> = {
  'issues.get': get,
  'issues.set-state': state,
  'issues.assign': assign,
  'issues.unassign': unassign,
};
