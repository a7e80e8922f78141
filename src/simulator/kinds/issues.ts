import { knownWords } from '../../api/envelope.ts';
import { type assignIssue, issueState, type setIssueState } from '../../api/error-tracking.ts';
import { isUuid } from '../../lib/values.ts';
import { collection, type Operations } from '../server/collection.ts';
import { iso, listParameter, noContent, readSentBody, refused, type ServiceWorld } from '../server/handler.ts';
import { type Case, lastEvent, resume, type StoredIssue, stop } from '../server/monitoring.ts';
import { createRandom, hash } from '../server/random.ts';
import type { Org } from '../server/store.ts';

/** An issue in the response format; `relationships` has only what exists. */
function showIssue(issue: StoredIssue, now: number): Record<string, unknown> {
  const relationships: Record<string, unknown> = {};
  if (issue.assignee) relationships.assignee = { data: { id: issue.assignee, type: 'user' } };
  if (issue.case) relationships.case = { data: { id: issue.case, type: 'case' } };
  if (issue.teams.length > 0) relationships.team_owners = { data: issue.teams.map((id) => ({ id, type: 'team' })) };
  const attributes = {
    error_type: issue.type,
    error_message: issue.message,
    file_path: issue.file,
    function_name: issue.function,
    first_seen: issue.stream.active[0]?.from ?? now,
    first_seen_version: issue.firstVersion,
    last_seen: lastEvent(issue.stream, now),
    last_seen_version: issue.lastVersion,
    is_crash: issue.crash,
    languages: issue.languages,
    platform: issue.platform,
    service: issue.service,
    state: issue.state,
    ...(issue.regression ? { regression: issue.regression } : {}),
    ...issue.overrides,
  };
  const some = Object.keys(relationships).length > 0;
  return { id: issue.id, type: 'issue', attributes, ...(some ? { relationships } : {}) };
}

function showCase(opened: Case): Record<string, unknown> {
  const person = (id: string | null): unknown => ({ data: id === null ? null : { id, type: 'user' } });
  return {
    id: opened.id,
    type: 'case',
    attributes: {
      key: opened.key,
      title: opened.title,
      description: '',
      type: 'ERROR_TRACKING_ISSUE',
      creation_source: 'ERROR_TRACKING',
      status: opened.status,
      priority: opened.priority,
      created_at: iso(opened.created),
      modified_at: iso(opened.modified),
      ...(opened.closed === null ? {} : { closed_at: iso(opened.closed) }),
      insights: [{ type: 'ERROR_TRACKING', ref: `/error-tracking/issue/${opened.issue}`, resource_id: opened.issue }],
      ...opened.overrides,
    },
    relationships: {
      assignee: person(opened.assignee),
      created_by: person(opened.creator),
      modified_by: person(opened.modifier),
      project: { data: { id: opened.project, type: 'project' } },
    },
  };
}

const caseOf = ({ cases }: Org, issue: StoredIssue): Case | undefined => cases.get(issue.case ?? '');

/** The values of `include`, without the prefix that search adds. */
export type IncludedKind = 'issue' | 'assignee' | 'case' | 'team_owners';

/** The objects of each kind that come with an issue. */
const related: Readonly<
  Record<IncludedKind, (org: Org, issue: StoredIssue, now: number) => Record<string, unknown>[]>
> = {
  issue: (_, issue, now) => [showIssue(issue, now)],
  assignee({ users }, { assignee }) {
    const user = users.get(assignee ?? '');
    if (!user) return [];
    const { id, email, handle, name } = user;
    return [{ id, type: 'user', attributes: { email, handle, name: name ?? '' } }];
  },
  case(org, issue) {
    const opened = caseOf(org, issue);
    return opened ? [showCase(opened)] : [];
  },
  team_owners: ({ teams }, issue) =>
    issue.teams
      .flatMap((id) => teams.get(id) ?? [])
      .map(({ id, handle, name, summary }) => ({ id, type: 'team', attributes: { handle, name, summary } })),
};

/** The `included` of some issues, each object once, in no order but the same one for the same objects; undefined when `include` is empty. */
export function includedObjects(
  { org }: ServiceWorld,
  rows: readonly StoredIssue[],
  kinds: ReadonlySet<IncludedKind>,
  now: number,
): unknown[] | undefined {
  if (kinds.size === 0) return undefined;
  const wanted = Object.entries(related).flatMap(([kind, find]) => (kinds.has(kind as IncludedKind) ? [find] : []));
  const objects = rows.flatMap((issue) => wanted.flatMap((find) => find(org, issue, now)));
  const found = new Map(objects.map((object) => [`${object.type} ${object.id}`, object]));
  return createRandom(hash(org.seed, ...found.keys())).shuffle([...found.values()]);
}

/** Milliseconds until every client has the fixed version. */
const fixRollout = 10 * 60_000;

const issues = collection<StoredIssue>({
  rows: ({ org }) => org.issues,
  refuses: ({ params }) => (isUuid(params.issue_id ?? '') ? undefined : refused(400, 'issue id is not an uuid')),
  missing: () => refused(404, 'issue not found'),
  show: (issue, { now }) => showIssue(issue, now),
  // The response to an edit includes assignee, case and teams without `include`.
  beside(rows, { endpoint, query, now }, world) {
    const words = endpoint.verb === 'get' ? listParameter(query, 'include') : besideIssue;
    const included = includedObjects(world, rows, new Set(besideIssue.filter((kind) => words.includes(kind))), now);
    return included?.length ? { included } : {};
  },
});

const besideIssue: readonly IncludedKind[] = ['assignee', 'case', 'team_owners'];

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
  const relatedCase = caseOf(org, issue);
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
  return issues.get(request, world);
});

const assign = issues.on((issue, request, world) => {
  const { id } = readSentBody<typeof assignIssue>(request).data;
  if (!isUuid(id)) return refused(400, `invalid UUID length: ${id.length}`);
  const user = world.org.users.get(id.toLowerCase());
  if (!user) return refused(404, 'user not found');
  issue.assignee = user.id;
  if (issue.state === 'OPEN') setState(world.org, issue, 'ACKNOWLEDGED', request.now);
  const relatedCase = caseOf(world.org, issue) ?? openCase(world, issue, request.caller.user.id, request.now);
  relatedCase.assignee = user.id;
  relatedCase.modifier = request.caller.user.id;
  relatedCase.modified = request.now;
  if (relatedCase.status === 'OPEN') relatedCase.status = 'IN_PROGRESS';
  return issues.get(request, world);
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
  const relatedCase = caseOf(world.org, issue);
  if (relatedCase) relatedCase.assignee = null;
  return noContent;
});

/** Operations of one issue. */
export const issueOperations: Operations = {
  '/api/v2/error-tracking/issues': issues,
  'issues.set-state': state,
  'issues.assign': assign,
  'issues.unassign': unassign,
};
