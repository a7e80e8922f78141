import * as v from 'valibot';
import { type Call, operationsOf } from './endpoint.ts';
import {
  anyMoment,
  anything,
  createBody,
  fields,
  flag,
  id,
  includes,
  int,
  many,
  moment,
  nothing,
  one,
  queryOf,
  resource,
  searchTerms,
  severalReferences,
  text,
  toOne,
  toOneOf,
  updateBody,
} from './envelope.ts';

/** Error tracking (docs/contract/error-tracking.md). */

/** What may be done about an issue; any word may follow any other (docs/contract/error-tracking.md#states). */
export const issueState = searchTerms('OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'IGNORED', 'EXCLUDED');

/** Where an issue comes from; deployments add to it. */
const issuePlatform = searchTerms('ANDROID', 'BACKEND', 'BROWSER', 'FLUTTER', 'IOS', 'REACT_NATIVE', 'ROKU', 'UNKNOWN');

/** An issue (docs/contract/error-tracking.md#issue). Times are milliseconds since the Unix epoch. */
export const issue = resource(
  'issue',
  {
    error_type: text,
    error_message: text,
    file_path: text,
    function_name: text,
    first_seen: anyMoment,
    first_seen_version: text,
    last_seen: anyMoment,
    last_seen_version: text,
    is_crash: flag,
    languages: v.array(text),
    platform: issuePlatform,
    service: text,
    state: issueState,
    regression: fields({ regressed_at: moment, regressed_at_version: text, resolved_at: moment }),
  },
  { assignee: toOne, case: toOne, team_owners: severalReferences },
);

/** One line of a search: counts within the asked window, and the id of the issue (docs/contract/error-tracking.md#search). */
export const searchResult = resource(
  'error_tracking_search_result',
  { impacted_sessions: int, impacted_users: int, total_count: int },
  { issue: toOne },
);
export type SearchResult = v.InferOutput<typeof searchResult>;

/** A team as error tracking includes it. */
const issueTeam = resource('team', { handle: text, name: text, summary: text });

/** A person as error tracking includes them: all three may be empty text (docs/contract/error-tracking.md#assign). */
const issueUser = resource('user', { email: text, handle: text, name: text });

/** The case kept beside an issue: the fields of both variants that a person reads (docs/contract/error-tracking.md#case). */
export const issueCase = resource(
  'case',
  {
    key: text,
    title: text,
    description: text,
    type: text,
    type_id: text,
    creation_source: text,
    status: text,
    status_group: text,
    status_name: text,
    priority: searchTerms('NOT_DEFINED', 'P1', 'P2', 'P3', 'P4', 'P5'),
    created_at: anyMoment,
    modified_at: anyMoment,
    closed_at: anyMoment,
    archived_at: anyMoment,
    due_date: text,
    attributes: v.record(text, v.array(text)),
    custom_attributes: v.record(
      text,
      fields({ type: searchTerms('TEXT', 'NUMBER', 'URL', 'SELECT'), is_multi: flag, value: anything }),
    ),
    insights: v.array(fields({ type: text, ref: text, resource_id: text })),
    tracker_a_issue: fields({
      result: fields({ issue_id: id, issue_key: text, issue_url: text, project_key: text }),
      status: text,
    }),
    tracker_b_ticket: fields({ result: fields({ sys_target_link: text }), status: text }),
  },
  { assignee: toOne, created_by: toOne, modified_by: toOne, project: toOne },
);

/** What may come beside an issue (docs/contract/error-tracking.md#search; users of other places are of type `users`). */
const beside = includes({ issue, case: issueCase, team: issueTeam, user: issueUser });

const assigning = ['error_tracking_read', 'error_tracking_write', 'cases_read', 'cases_write'] as const;

const operations = operationsOf({
  of: 'issue',
  reading: ['error_tracking_read'],
  editing: ['error_tracking_read', 'error_tracking_write'],
  origin: 'addition',
});

/** A POST that only reads; at most 100 results, no cursor (docs/contract/error-tracking.md#search). */
export const searchIssues = operations.endpoint({
  id: 'issues.search',
  title: 'Search issues in a time range',
  verb: 'search',
  method: 'POST',
  path: '/api/v2/error-tracking/issues/search',
  origin: 'spec',
  query: queryOf({ include: v.array(searchTerms('issue', 'issue.assignee', 'issue.case', 'issue.team_owners')) }),
  body: createBody('search_request', {
    query: text,
    /** Inclusive, milliseconds. */
    from: int,
    /** Exclusive, milliseconds. */
    to: int,
    order_by: v.optional(searchTerms('TOTAL_COUNT', 'FIRST_SEEN', 'IMPACTED_SESSIONS', 'PRIORITY')),
    /** One of `track` and `persona` is needed. */
    track: v.optional(searchTerms('trace', 'logs', 'rum')),
    persona: v.optional(searchTerms('ALL', 'BROWSER', 'MOBILE', 'BACKEND')),
    states: v.optional(v.array(issueState)),
    assignee_ids: v.optional(v.array(text)),
    team_ids: v.optional(v.array(text)),
  }),
  response: many(searchResult, beside),
  source: 'docs/contract/error-tracking.md#search',
});

/** One issue with what it refers to. `include` has no `issue.` prefix here (docs/contract/error-tracking.md#one-issue). */
export const getIssue = operations.endpoint({
  id: 'issues.get',
  title: 'Show one issue',
  verb: 'get',
  path: '/api/v2/error-tracking/issues/{issue_id}',
  query: queryOf({ include: v.array(searchTerms('assignee', 'case', 'team_owners')) }),
  response: one(issue, beside),
  source: 'docs/contract/error-tracking.md#one-issue',
});

/**
 * The specification has the body, but neither method nor path (docs/contract/error-tracking.md#edit-the-state). Any
 * state may follow any other.
 */
export const setIssueState = operations.endpoint({
  id: 'issues.set-state',
  title: 'Change the state of an issue',
  verb: 'update',
  method: 'PUT',
  path: '/api/v2/error-tracking/issues/{issue_id}/state',
  repeat: 'settable',
  readBack: 'issues.get',
  body: updateBody('error_tracking_issue', { state: issueState }),
  response: one(issue, beside),
  source: 'docs/contract/error-tracking.md#edit-the-state',
});

/** Assigns the issue. May move OPEN to ACKNOWLEDGED and create a case (docs/contract/error-tracking.md#assign). */
export const assignIssue = operations.endpoint({
  id: 'issues.assign',
  title: 'Assign an issue to a user',
  verb: 'act',
  method: 'PUT',
  path: '/api/v2/error-tracking/issues/{issue_id}/assignee',
  permission: assigning,
  origin: 'spec',
  repeat: 'settable',
  readBack: 'issues.get',
  isApplied: (sent, read) => assigneeOf(read) === String((sent.body as { data?: { id?: unknown } }).data?.id),
  isUnchanged: isAssignedAsBefore,
  body: toOneOf('assignee'),
  response: one(issue, beside),
  source: 'docs/contract/error-tracking.md#assign',
});

/** Removes the assignee; 204 without a body, also when nobody was assigned (docs/contract/error-tracking.md#assign). */
export const unassignIssue = operations.endpoint({
  id: 'issues.unassign',
  title: 'Unassign an issue',
  verb: 'act',
  method: 'DELETE',
  path: '/api/v2/error-tracking/issues/{issue_id}/assignee',
  permission: assigning,
  repeat: 'settable',
  readBack: 'issues.get',
  isApplied: (_, read) => assigneeOf(read) === undefined,
  isUnchanged: isAssignedAsBefore,
  response: nothing,
  source: 'docs/contract/error-tracking.md#assign',
});

/** Every operation of error tracking, in the order of docs/contract/error-tracking.md#operations. */
export const errorEndpoints = operations.all;

/** Whether a fresh read shows the same assignee as the issue before, which a row of the list keeps beside its counts. */
function isAssignedAsBefore(_: Call, read: unknown, before: unknown): boolean {
  const { issue, data = issue } = (before ?? {}) as { issue?: unknown; data?: unknown };
  const isRead = (read as { data?: unknown } | undefined)?.data != null;
  return isRead && data != null && assigneeOf(read) === assigneeOf({ data });
}

/** Who an answer that holds an issue says is assigned. */
function assigneeOf(read: unknown): string | undefined {
  const who = (read as v.InferOutput<typeof getIssue.response> | undefined)?.data?.relationships?.assignee?.data?.id;
  return who == null || who === '' ? undefined : String(who);
}
