import { data, forbidden, nowhere, type Refusal, refusals } from './row.ts';

const metric = { type: 'metric alert', query: 'avg(last_5m):avg:queue.depth{host:h1} by {host} > 90', name: 'Queue' };
const hostCheck = { type: 'service check', query: '"host.up".over("*").by("host").last(2).count_by_status()' };
const invalid = (name: string): string => `The value provided for parameter '${name}' is invalid`;

// biome-ignore format: one row a line
/** Create and validate refuse the same definitions; these members replace those of a valid one. */
const definitions: readonly (readonly [error: string, ...members: object[]])[] = [
  ["The parameter 'type' is required", { type: undefined }],
  [invalid('type'), { type: 'horoscope alert' }],
  ["The parameter 'query' is required", { query: undefined }],
  [invalid('query'), { query: 'THIS IS A BAD QUERY' }],
  ['Alert threshold (200.0) does not match that used in the query (90.0).',
    { options: { thresholds: { critical: 200 } } }],
  ['Alert status is required.', { options: { thresholds: { warning: 80 } } }],
  ['alert and alert recovery criteria are such that the monitor can be simultaneously in alert and alert recovery states',
    { options: { thresholds: { critical: 90, critical_recovery: 95 } } }],
  ['Some monitor IDs are invalid', { type: 'composite', query: '1 && 2' }],
  ['Last field should be larger than or equal to max threshold defined in monitor options',
    { ...hostCheck, options: { thresholds: { critical: 3 } } }],
  ['A grouping must be specified for custom checks',
    { type: 'service check', query: '"x.y".over("*").last(2).count_by_status()' }],
  ['Invalid threshold statuses found: critical_recovery.',
    {
      type: 'event-v2 alert',
      query: 'events("a").rollup("count").last("5m") > 9',
      options: { thresholds: { critical: 9, critical_recovery: 2 } } }],
  ['Invalid monitor option: on_missing_data',
    { ...hostCheck, options: { on_missing_data: 'resolve' } },
    { options: { on_missing_data: 'resolve', notify_no_data: true } }],
  [invalid('options.timeout_h'), { options: { timeout_h: 25 } }],
  [invalid('priority'), { priority: 6 }],
  ['Monitors with an evaluation_window scheduling_option must have a current query period and vice versa.',
    { options: { scheduling_options: { evaluation_window: { hour_starts: 0 } } } }],
  ['alert window query arg must match trigger window monitor option',
    {
      query: "avg(last_1h):anomalies(avg:cpu{*}, 'basic', 2, alert_window='last_15m') >= 1",
      options: { threshold_windows: { trigger_window: 'last_30m' } } }],
];

const downtime = (attributes: object) => data('downtime', { monitor_identifier: { monitor_id: 77 }, ...attributes });

const monitorRows: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['monitors.md 2.4', 'PUT /api/v1/monitor/77', 400, 'Monitor type change not allowed', { type: 'log alert' }],
    ['monitors.md 7', ['POST /api/v1/monitor/1/validate', 'POST /api/v1/monitor/1/mute', 'PUT /api/v1/monitor/1'], 404, 'Monitor not found', {}],
    ['monitors.md 2.5', 'GET /api/v1/monitor/can_delete', 400, 'monitor_ids are required'],
    ['monitors.md 2.2', [`GET /api/v1/monitor?group_states=burning`, `GET /api/v1/monitor/77?group_states=burning`], 400, 'Invalid group_state filters.'],
    ['monitors.md 2.7', 'GET /api/v1/monitor/search?query=status:notastatus', 400, "Query parsing error: 'notastatus' is not a valid monitor status"],
    ['monitors.md 2.7', 'GET /api/v1/monitor/search?sort=color,asc', 400, 'Invalid sort: color'],
    ['monitors.md 2.8', 'POST /api/v1/monitor/77/unmute', 400, 'query alert "Monitor 77" is already unmuted on *'],
    ['monitors.md 2.8', 'POST /api/v1/monitor/unmute_all', 400, 'Monitoring is not currently globally muted'],
  ]),
  ...refusals(
    definitions.map(([error, ...members]) => [
      'monitors.md 5',
      ['POST /api/v1/monitor', 'POST /api/v1/monitor/validate'],
      400,
      error,
      ...members.map((more) => ({ ...metric, ...more })),
    ]),
  ),
  ...forbidden('monitors.md 7', 'monitors_read', ['PUT /api/v1/monitor/1', 'POST /api/v1/monitor']),
  ...forbidden('monitors.md 7', 'monitors_downtime', ['POST /api/v1/monitor/77/unmute']),
];

const downtimeRows: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['monitors.md 2.10', 'POST /api/v1/downtime', 400, 'Invalid scope parameter', {}, { scope: [] }],
    ['monitors.md 2.10', 'POST /api/v1/downtime', 400, 'Invalid recurrence type', { scope: '*', recurrence: { type: 'weeks' } }],
    ['monitors.md 2.10', 'GET /api/v1/downtime/1', 404, 'Downtime not found'],
    ['monitors.md 2.10', 'DELETE /api/v1/downtime/501', 404, 'Downtime 501 not found'],
    ['monitors.md 2.10', 'POST /api/v1/downtime/cancel/by_scope', 400, 'Expected scope', {}],
    ['monitors.md 2.10', 'POST /api/v1/downtime/cancel/by_scope', 404, 'No downtimes found', { scope: 'x:y' }],
    ['monitors.md 2.11', 'GET /api/v2/downtime/7', 400, 'Invalid URL param: downtime_id must be an uuid'],
    ['monitors.md 2.11', 'POST /api/v2/downtime', 400, 'All values must have a key', downtime({ scope: '' }), downtime({ scope: 'prod' })],
    ['monitors.md 2.11', 'GET /api/v2/monitor/0/downtime_matches', 404, 'Monitor with id 0 not found'],
  ]),
];

const issues = '/api/v2/error-tracking/issues';
const now = Date.UTC(2026, 10, 21, 10);
const day = 86_400_000;
const search = (attributes: object) =>
  data('search_request', { query: '*', from: now - day, to: now, persona: 'ALL', ...attributes });
const state = (state: string, id = '{issue}') => data('error_tracking_issue', { state }, id);
const assignee = (id: string) => ({ data: { id, type: 'assignee' } });

const issueRows: readonly Refusal[] = [
  // biome-ignore format: one row a line
  ...refusals([
    ['error-tracking.md 3', `POST ${issues}/search`, 400, 'either track or persona is required', search({ persona: undefined })],
    ['error-tracking.md 3', `POST ${issues}/search`, 400, 'invalid json value for TrackType: invalid-track', search({ track: 'invalid-track' })],
    ['error-tracking.md 3', `POST ${issues}/search`, 400, 'invalid json value for PersonaType: rum', search({ persona: 'rum' })],
    ['error-tracking.md 3', `POST ${issues}/search`, 400, 'invalid json value for OrderBy: AGE', search({ order_by: 'AGE' })],
    ['error-tracking.md 3', `POST ${issues}/search`, 400, 'from must not be after to', search({ from: now + 1 })],
    ['error-tracking.md 3', `POST ${issues}/search`, 400, 'invalid query: unexpected end of query', search({ query: '(open' })],
    ['error-tracking.md 4', `GET ${issues}/not-a-uuid`, 400, 'issue id is not an uuid'],
    ['error-tracking.md 4', `GET ${issues}/${nowhere}`, 404, 'issue not found'],
    ['error-tracking.md 5', `PUT ${issues}/{issue}/state`, 400, 'invalid json value for IssueState: "invalid-state"', state('invalid-state')],
    ['error-tracking.md 5', `PUT ${issues}/${nowhere}/state`, 404, 'issue not found', state('OPEN', nowhere)],
    ['error-tracking.md 6', `PUT ${issues}/{issue}/assignee`, 400, 'invalid UUID length: 10', assignee('not-a-uuid')],
    ['error-tracking.md 6', `PUT ${issues}/{issue}/assignee`, 404, 'user not found', assignee(nowhere)],
    ['error-tracking.md 6', `PUT ${issues}/${nowhere}/assignee`, 404, 'issue not found', assignee('{me}')],
  ]),
  ...forbidden('error-tracking.md 10', 'error_tracking_read error_tracking_write', [
    `DELETE ${issues}/{issue}/assignee`,
  ]),
];

/** Monitors, downtimes and issues. */
export const monitoring: readonly Refusal[] = [...monitorRows, ...downtimeRows, ...issueRows];
