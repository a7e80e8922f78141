import * as v from 'valibot';
import { matchingDowntime } from './downtimes.ts';
import { anyMoment, anything, decimal, fields, flag, id, int, placed, searchTerms, text } from './envelope.ts';

/** The check that tells whether a host reports (docs/contract/monitor-queries.md#service-check). */
export const neutralHostCheck = 'host.up';
/** Where a vocabulary says what a deployment calls it. */
export const hostCheckPlace = 'monitors.host_check';
/** The name of that check. It occurs within queries only, so that no schema of an operation has it. */
export const hostCheck = placed(hostCheckPlace, searchTerms(neutralHostCheck));

/** Thresholds of a monitor (docs/contract/monitors.md#monitor). */
const thresholds = fields({
  critical: decimal,
  critical_recovery: decimal,
  ok: decimal,
  unknown: decimal,
  warning: decimal,
  warning_recovery: decimal,
});

const recurrence = fields({ rrule: text, start: text, timezone: text });

/** `options` of a monitor (docs/contract/monitors.md#monitor). */
const monitorOptions = fields({
  /** Kept as it came (docs/contract/monitors.md#monitor). */
  aggregation: anything,
  device_ids: v.array(text),
  enable_logs_sample: flag,
  enable_samples: flag,
  escalation_message: text,
  evaluation_delay: int,
  group_retention_duration: text,
  groupby_simple_monitor: flag,
  include_tags: flag,
  locked: flag,
  min_failure_duration: int,
  min_location_failed: int,
  new_group_delay: int,
  new_host_delay: int,
  no_data_timeframe: int,
  notification_preset_name: searchTerms(
    'show_all',
    'hide_query',
    'hide_handles',
    'hide_all',
    'hide_query_and_handles',
    'show_only_snapshot',
    'hide_handles_and_footer',
  ),
  notify_audit: flag,
  notify_by: v.array(text),
  notify_no_data: flag,
  on_missing_data: searchTerms('default', 'show_no_data', 'show_and_notify_no_data', 'resolve'),
  renotify_interval: int,
  renotify_occurrences: int,
  renotify_statuses: v.array(text),
  require_full_window: flag,
  scheduling_options: fields({
    /** Recurrences of `{rrule, start, timezone}`, in an object or by themselves (docs/contract/monitor-queries.md#options). */
    custom_schedule: v.union([v.array(recurrence), fields({ recurrences: v.array(recurrence) })]),
    evaluation_window: fields({ hour_starts: int, day_starts: text, month_starts: int, timezone: text }),
  }),
  /** Scope to epoch seconds, null = forever. Any value passes: an unreadable end must not hide a mute. */
  silenced: v.record(text, anything),
  synthetics_check_id: anything,
  threshold_windows: fields({ recovery_window: text, trigger_window: text }),
  thresholds,
  timeout_h: int,
  /**
   * What the names of a formula stand for: event queries, cost queries, and variants that the specification does not show
   * (docs/contract/monitor-queries.md#formula). Read and sent back as they came: a schema would drop what does not fit it.
   */
  variables: anything,
});

/** One group of a monitor, in `state.groups` (docs/contract/monitors.md#monitor); `*_ts` are epoch seconds. */
const monitorGroup = fields({
  name: text,
  status: searchTerms('Alert', 'Warn', 'No Data', 'OK', 'Ignored', 'Skipped', 'Unknown'),
  last_triggered_ts: anyMoment,
  last_notified_ts: anyMoment,
  last_nodata_ts: anyMoment,
  last_resolved_ts: anyMoment,
  triggering_value: fields({ from_ts: int, to_ts: int, value: decimal }),
});

/** Who made a monitor. `id` may be an object when the name is null (docs/contract/monitors.md#oddities). */
const monitorCreator = fields({ id: anything, email: text, handle: text, name: text });

/** A runbook of a monitor (docs/contract/monitors.md#monitor). */
const monitorAsset = fields({
  category: searchTerms('runbook'),
  name: text,
  url: text,
  resource_key: text,
  resource_type: searchTerms('notebook'),
});

/** `type` on the wire (docs/contract/monitor-queries.md#types: an addition; the specification names kinds only). */
const monitorType = searchTerms(
  'query alert',
  'metric alert',
  'trace-analytics alert',
  'composite',
  'service check',
  'process alert',
  'log alert',
  'rum alert',
  'slo alert',
  'event-v2 alert',
  'audit alert',
  'error-tracking alert',
  'database-monitoring alert',
  'network-performance alert',
  'network-path alert',
  'cost alert',
  'ci-pipelines alert',
  'ci-tests alert',
  'synthetics alert',
);

/** A monitor (docs/contract/monitors.md#monitor). Fields differ between list, get, create, update and mute. */
export const monitor = fields({
  id,
  org_id: id,
  name: text,
  type: monitorType,
  query: text,
  message: text,
  tags: v.array(text),
  priority: int,
  multi: flag,
  options: monitorOptions,
  overall_state: searchTerms('Alert', 'Warn', 'No Data', 'OK', 'Ignored', 'Skipped', 'Unknown'),
  overall_state_modified: anyMoment,
  /** Only with `group_states`; may be `{}`. */
  state: fields({ groups: v.record(text, monitorGroup) }),
  matching_downtimes: v.array(matchingDowntime),
  creator: monitorCreator,
  created: anyMoment,
  /** Epoch milliseconds. */
  created_at: anyMoment,
  modified: anyMoment,
  deleted: anyMoment,
  draft_status: searchTerms('draft', 'published'),
  restricted_roles: v.array(text),
  assets: v.array(monitorAsset),
});
export type Monitor = v.InferOutput<typeof monitor>;

/** A monitor as a form sends it: the object itself, `type` and `query` required on create (docs/contract/monitors.md#monitor). */
export type MonitorEdit = v.InferInput<typeof monitor>;

/** A monitor as search answers it: other names and units than in the list (docs/contract/monitors.md#search). */
const foundMonitor = fields({
  id,
  org_id: id,
  name: text,
  type: monitorType,
  classification: text,
  status: text,
  query: text,
  scopes: v.array(text),
  metrics: v.array(text),
  tags: v.array(text),
  notifications: v.array(fields({ handle: text, name: text })),
  creator: monitorCreator,
  priority: int,
  restricted_roles: v.array(text),
  /** Epoch seconds. */
  muted_until_ts: anyMoment,
  last_triggered_ts: anyMoment,
  /** Epoch seconds, where the list has an ISO moment. */
  overall_state_modified: anything,
  quality_issues: v.array(text),
});

const tally = v.array(fields({ name: anything, count: int }));
/** How many of all matches have each word: status, muted, tag, classification. */
export const counts = fields({ status: tally, muted: tally, tag: tally, type: tally });
/** Where a page of a search stands among all matches. */
export const searchPage = fields({ total_count: int, page_count: int, page: int, per_page: int });

/** Answer of search; `counts` cover every match, not the page. */
export const foundMonitors = fields({ monitors: v.array(foundMonitor), counts, metadata: searchPage });

/** One group found by the group search (docs/contract/monitors.md#search); `*_ts` are epoch seconds, 0 = never. */
export const foundGroup = fields({
  monitor_id: id,
  monitor_name: text,
  group: text,
  group_tags: v.array(text),
  all_tags: v.array(text),
  env_tags: v.array(text),
  team_tags: v.array(text),
  status: text,
  last_triggered_ts: anyMoment,
  last_nodata_ts: anyMoment,
  muted: flag,
  muted_remaining: anything,
  muted_until_ts: anyMoment,
  downtimes: v.array(anything),
  priority: int,
});
