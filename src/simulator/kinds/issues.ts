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
import type { Case, Issue, Org } from '../server/store.ts';
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
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const words = ask.query
    .getAll('include')
    .flatMap((text) => text.split(','))
    .map((word) => word.trim());
  const kinds = new Set(words.filter((word): word is Kind => ['assignee', 'case', 'team_owners'].includes(word)));
  return good(whole(world, it, kinds, ask.now));
};

function whole(world: World, it: Issue, kinds: ReadonlySet<Kind>, now: number): Record<string, unknown> {
  const included = includedOf(world, [it], kinds, now);
  return { data: showIssue(it, now), ...(included?.length ? { included } : {}) };
}

/** An edit's answer holds people and case unasked. */
const edited = (world: World, it: Issue, now: number): Answer =>
  good(whole(world, it, new Set<Kind>(['assignee', 'case', 'team_owners']), now));

/**
 * Moves an issue and everything that hangs on its state: the case closes and opens with it, an excluded
 * issue is collected no more, a resolved one stops once the mended version is out, or comes back later.
 */
export function setState(org: Org, it: Issue, state: string, now: number): void {
  const before = it.state;
  if (before === state) return;
  const mended = it.stateChanged + fadesAfter;
  it.state = state;
  it.stateChanged = now;
  const kase = it.case === null ? undefined : org.cases.get(it.case);
  if (kase) {
    kase.status = state === 'RESOLVED' ? 'CLOSED' : kase.assignee ? 'IN_PROGRESS' : 'OPEN';
    kase.closed = state === 'RESOLVED' ? now : null;
    kase.modified = now;
  }
  if (state === 'EXCLUDED') stop(it.stream, now);
  else if (before === 'EXCLUDED') resume(it.stream, now);
  if (state === 'RESOLVED' && it.returns === null) stop(it.stream, now + fadesAfter);
  else if (before === 'RESOLVED' && it.stream.active.at(-1)?.to === mended) resume(it.stream, now);
  if (state === 'RESOLVED') it.regression = null;
}

/** A resolved issue that was seen again (contract/error-tracking.md section 8). */
export function regress(org: Org, it: Issue, now: number): void {
  const resolved = it.stateChanged;
  setState(org, it, 'OPEN', now);
  resume(it.stream, now);
  it.lastVersion = nextVersion(it.lastVersion);
  it.regression = {
    regressed_at: iso(now),
    ...(it.lastVersion ? { regressed_at_version: it.lastVersion } : {}),
    resolved_at: iso(resolved),
  };
}

const nextVersion = (version: string): string =>
  version.replace(/(\d+)(?!.*\d)/, (digits) => String(Number(digits) + 1));

const state: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const asked = asText(at(ask.body, 'data', 'attributes', 'state')) ?? '';
  const next = issueStates.find((word) => word === asked.toUpperCase());
  if (!next) return bad(400, `invalid json value for IssueState: "${asked}"`);
  setState(world.org, it, next, ask.now);
  return edited(world, it, ask.now);
};

const assign: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  const id = asText(at(ask.body, 'data', 'id')) ?? '';
  if (!isUuid(id)) return bad(400, `invalid UUID length: ${id.length}`);
  if (at(ask.body, 'data', 'type') !== 'assignee') return bad(400, 'invalid data type: assignee is required');
  const user = world.org.users.get(id.toLowerCase());
  if (!user) return bad(404, 'user not found');
  it.assignee = user.id;
  if (it.state === 'OPEN') setState(world.org, it, 'ACKNOWLEDGED', ask.now);
  const kase =
    (it.case === null ? undefined : world.org.cases.get(it.case)) ?? openCase(world, it, ask.caller.user.id, ask.now);
  kase.assignee = user.id;
  kase.modifier = ask.caller.user.id;
  kase.modified = ask.now;
  if (kase.status === 'OPEN') kase.status = 'IN_PROGRESS';
  return edited(world, it, ask.now);
};

/** The case that keeps the talk about an issue. */
export function openCase(world: World, it: Issue, creator: string, now: number): Case {
  const { org } = world;
  const kase: Case = {
    id: world.random.uuid(),
    key: `ET-${org.next.case}`,
    title: `${it.type}: ${it.message}`.slice(0, 200),
    status: it.state === 'RESOLVED' ? 'CLOSED' : 'OPEN',
    priority: 'NOT_DEFINED',
    assignee: it.assignee,
    creator,
    modifier: null,
    project: org.uuid,
    issue: it.id,
    created: now,
    modified: now,
    closed: it.state === 'RESOLVED' ? now : null,
    overrides: {},
  };
  org.next.case += 1;
  org.cases.set(kase.id, kase);
  it.case = kase.id;
  return kase;
}

const unassign: Handler = (ask, world) => {
  const it = found(ask, world);
  if (isAnswer(it)) return it;
  it.assignee = null;
  const kase = it.case === null ? undefined : world.org.cases.get(it.case);
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
