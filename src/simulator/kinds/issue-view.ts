import type { ServiceWorld } from '../server/handler.ts';
import type { Case, StoredIssue } from '../server/monitoring.ts';
import { createRandom, hash } from '../server/random.ts';
import type { Org } from '../server/store.ts';
import { iso } from '../server/wire-values.ts';
import { lastEvent } from './event-stream.ts';

/** An issue in the response format; `relationships` has only what exists. */
export function showIssue(issue: StoredIssue, now: number): Record<string, unknown> {
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
  case({ cases }, issue) {
    const opened = cases.get(issue.case ?? '');
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
