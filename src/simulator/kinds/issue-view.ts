import { type Answer, iso, type World } from '../server/answer.ts';
import type { Case, Issue } from '../server/store.ts';
import { lastEvent } from './event-stream.ts';

/** The media type of every answer of error tracking (contract/error-tracking.md section 1). */
const type = 'application/vnd.api+json';

/** 200 in the media type of error tracking. */
export const good = (body: unknown): Answer => ({ status: 200, body, type });

const titles: Readonly<Record<number, string>> = { 400: 'Bad Request', 404: 'Not Found' };

/** A refusal; errors are objects here. */
export const bad = (status: number, detail: string): Answer => ({
  status,
  body: { errors: [{ status: String(status), title: titles[status] ?? 'Error', detail }] },
  type,
});

/** An issue as every answer shows it; `relationships` holds only what exists. */
export function showIssue(it: Issue, now: number): Record<string, unknown> {
  const relationships: Record<string, unknown> = {};
  if (it.assignee) relationships.assignee = { data: { id: it.assignee, type: 'user' } };
  if (it.case) relationships.case = { data: { id: it.case, type: 'case' } };
  if (it.teams.length > 0) relationships.team_owners = { data: it.teams.map((id) => ({ id, type: 'team' })) };
  const attributes = {
    error_type: it.type,
    error_message: it.message,
    file_path: it.file,
    function_name: it.function,
    first_seen: it.stream.active[0]?.from ?? now,
    first_seen_version: it.firstVersion,
    last_seen: lastEvent(it.stream, now),
    last_seen_version: it.lastVersion,
    is_crash: it.crash,
    languages: it.languages,
    platform: it.platform,
    service: it.service,
    state: it.state,
    ...(it.regression ? { regression: it.regression } : {}),
    ...it.overrides,
  };
  const some = Object.keys(relationships).length > 0;
  return { id: it.id, type: 'issue', attributes, ...(some ? { relationships } : {}) };
}

function showCase(it: Case): Record<string, unknown> {
  const person = (id: string | null): unknown => ({ data: id === null ? null : { id, type: 'user' } });
  return {
    id: it.id,
    type: 'case',
    attributes: {
      key: it.key,
      title: it.title,
      description: '',
      type: 'ERROR_TRACKING_ISSUE',
      creation_source: 'ERROR_TRACKING',
      status: it.status,
      priority: it.priority,
      created_at: iso(it.created),
      modified_at: iso(it.modified),
      ...(it.closed === null ? {} : { closed_at: iso(it.closed) }),
      insights: [{ type: 'ERROR_TRACKING', ref: `/error-tracking/issue/${it.issue}`, resource_id: it.issue }],
      ...it.overrides,
    },
    relationships: {
      assignee: person(it.assignee),
      created_by: person(it.creator),
      modified_by: person(it.modifier),
      project: { data: { id: it.project, type: 'project' } },
    },
  };
}

/** What `include` may ask for, without the prefix that search puts before it. */
export type Kind = 'issue' | 'assignee' | 'case' | 'team_owners';

/** The `included` of some issues, each thing once, in no particular order; undefined when nothing was asked for. */
export function includedOf(
  world: World,
  rows: readonly Issue[],
  kinds: ReadonlySet<Kind>,
  now: number,
): unknown[] | undefined {
  const { org, random } = world;
  if (kinds.size === 0) return undefined;
  const found = new Map<string, unknown>();
  for (const it of rows) {
    if (kinds.has('issue')) found.set(`issue ${it.id}`, showIssue(it, now));
    const user = kinds.has('assignee') && it.assignee ? org.users.get(it.assignee) : undefined;
    if (user) {
      const { email, handle, name } = user;
      found.set(`user ${user.id}`, { id: user.id, type: 'user', attributes: { email, handle, name: name ?? '' } });
    }
    const kase = kinds.has('case') && it.case ? org.cases.get(it.case) : undefined;
    if (kase) found.set(`case ${kase.id}`, showCase(kase));
    for (const id of kinds.has('team_owners') ? it.teams : []) {
      const team = org.teams.get(id);
      if (team)
        found.set(`team ${id}`, {
          id,
          type: 'team',
          attributes: { handle: team.handle, name: team.name, summary: team.summary },
        });
    }
  }
  return random.shuffle([...found.values()]);
}
