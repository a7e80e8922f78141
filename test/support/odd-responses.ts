import { noon } from './clock.ts';

/** Odd responses of real deployments, and worse: docs/contract/monitors.md#oddities, docs/contract/error-tracking.md#oddities. */

const now = () => Math.floor(noon() / 1000);
const iso = (secondsAgo: number) => new Date((now() - secondsAgo) * 1000).toISOString().replace('Z', '000+00:00');

/** A list of monitors that all deviate from the specification. */
export const oddMonitors = (): unknown[] => [
  { id: 4211, name: 'plain one', type: 'query alert', overall_state: 'Alert', query: 'avg(last_5m):avg:a{*} > 1' },
  { id: 9007199254740993n, name: 'beyond 2^53', type: 'log alert', overall_state: 'OK', query: 'invalid query' },
  { id: '4213', name: 'id as text', overall_state: 'Warn', priority: '5', multi: 'true', tags: null },
  { id: 4214.0, name: null, overall_state: null, options: null, creator: null, message: null },
  { id: 4215, name: '', type: '', overall_state: '', query: null, tags: [null, 7, '', 'team:core'] },
  { id: 4216, name: { text: 'an object' }, overall_state: ['Alert'], options: [], state: [], matching_downtimes: {} },
  { id: 4217, name: 'silenced null', overall_state: 'Alert', options: { silenced: null }, state: null },
  { id: 4218, name: 'silenced list', overall_state: 'Alert', options: { silenced: [1, 2] }, state: {} },
  { id: 4219, name: 'silenced past', overall_state: 'Alert', options: { silenced: { '*': now() - 60, 'a:b': 0 } } },
  { id: 4220, name: 'silenced text', overall_state: 'Alert', options: { silenced: { '*': String(now() + 86_400) } } },
  { id: 4221, name: 'silenced ms', overall_state: 'Alert', options: { silenced: { '*': (now() + 86_400) * 1000 } } },
  { id: 4222, name: 'silenced word', overall_state: 'Alert', options: { silenced: { '*': 'for ever' } } },
  {
    id: 4223,
    name: 'downtimes',
    overall_state: 'Alert',
    matching_downtimes: [
      null,
      { id: 7, scope: null, start: null, end: null },
      { id: '8', scope: 'host:web-1', start: String(now() - 60), end: iso(-3600), run_as: null },
      { scope: ['no:id'] },
      { id: 9, scope: ['host:a', 5, null], start: 1e99, end: {}, active: 'yes', monitor_id: { id: 1 } },
    ],
  },
  { id: 4224, name: 'new words', type: 'oracle alert', overall_state: 'Foretold', draft_status: 'imagined' },
  { id: 4225, name: 'constructor', type: 'constructor', overall_state: '__proto__', creator: { id: { handle: 'h' } } },
  {
    id: 4226,
    name: 'groups',
    overall_state: 'Alert',
    state: { groups: { 'host:web-1': null, 'host:web-2': { status: 'Alert', last_triggered_ts: '5' }, '': {} } },
  },
  { id: 4227, name: 'seconds', overall_state: 'OK', overall_state_modified: now() - 120 },
  { id: 4228, name: 'millis', overall_state: 'OK', overall_state_modified: (now() - 180) * 1000 },
  { id: 4229, name: 'iso', overall_state: 'OK', overall_state_modified: iso(240), modified: '0001-01-01T00:00:00' },
  { id: 4230, name: 'never', overall_state: 'OK', overall_state_modified: 'never', created_at: 'x', deleted: false },
  { id: 4211, name: 'the same id again', type: 'query alert', overall_state: 'Alert' },
  { name: 'without an id', overall_state: 'Alert' },
  { id: null, name: 'null id' },
  { id: '', name: 'empty id' },
  { id: {}, name: 'object id' },
  null,
  'text',
  42,
  [],
];

/** An odd issue search response: `included` in any order, of any type, with any content. */
export const oddIssues = (): unknown => ({
  data: [
    result('a0000000-0000-4000-8000-000000000001', { total_count: '12', impacted_users: null }),
    result('a0000000-0000-4000-8000-000000000002', { total_count: 5.0, impacted_sessions: 9007199254740993n }),
    result('a0000000-0000-4000-8000-000000000003', null),
    result('a0000000-0000-4000-8000-000000000004', { total_count: {}, impacted_users: [], impacted_sessions: 'many' }),
    { id: 9007199254740995n, type: 'error_tracking_search_result', attributes: { total_count: 1 } },
    { id: 'a0000000-0000-4000-8000-000000000006', attributes: { total_count: 3 }, relationships: { issue: null } },
    { id: 'a0000000-0000-4000-8000-000000000007', relationships: { issue: { data: [] } } },
    result('a0000000-0000-4000-8000-000000000001', { total_count: 12 }),
    { attributes: { total_count: 99 } },
    null,
    'text',
    ['list'],
  ],
  included: [
    { id: 'u-empty', type: 'user', attributes: { name: '', email: '', handle: '' } },
    { id: 't-1', type: 'team', attributes: null },
    null,
    { type: 'issue', attributes: { error_type: 'without an id' } },
    { id: 'x', type: 'telescope', attributes: { name: 'a kind nobody knows' } },
    {
      id: 'case-1',
      type: 'case',
      attributes: { key: { id: 1 }, status: ['CLOSED'], created_at: 1_753_944_082, insights: {} },
    },
    {
      id: 9007199254740995n,
      type: 'issue',
      attributes: {
        error_type: 'BigId',
        error_message: 'an id beyond 2^53',
        state: 'OPEN',
        languages: null,
        service: 7,
      },
    },
    {
      id: 'a0000000-0000-4000-8000-000000000002',
      type: 'issue',
      attributes: {
        error_type: { name: 'TypeError' },
        error_message: ['x is undefined'],
        state: 'SNOOZED',
        first_seen: iso(86_400),
        last_seen: (now() - 60) * 1_000_000,
        languages: 'JAVASCRIPT',
        platform: 'TOASTER',
        is_crash: 'true',
        regression: 'yes',
      },
      relationships: { assignee: { data: { id: 'u-empty', type: 'user' } }, case: null, team_owners: [{ id: 't-1' }] },
    },
    {
      id: 'a0000000-0000-4000-8000-000000000001',
      type: 'issue',
      attributes: {
        error_type: 'TypeError',
        error_message: 'x is undefined',
        file_path: '',
        function_name: null,
        state: 'OPEN',
        first_seen: (now() - 86_400) * 1000,
        last_seen: String((now() - 120) * 1000),
        service: 'web',
      },
      relationships: {
        assignee: { data: { id: 'u-nowhere', type: 'user' } },
        case: { data: { id: 'case-1', type: 'case' } },
        team_owners: { data: [{ id: 't-1', type: 'team' }, null, { id: 't-2', type: 'team' }] },
      },
    },
    { id: 'a0000000-0000-4000-8000-000000000004', type: 'issue', attributes: { state: null }, relationships: [] },
  ],
  meta: null,
});

function result(id: string, attributes: unknown) {
  return {
    id,
    type: 'error_tracking_search_result',
    attributes,
    relationships: { issue: { data: { id, type: 'issue' } } },
  };
}
