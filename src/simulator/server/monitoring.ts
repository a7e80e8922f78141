import type { Recurrence } from '../../lib/recurrence.ts';
import type { Stream } from '../kinds/event-stream.ts';
import type { Changeable, Overrides } from './overrides.ts';

/** One group of a monitor. Times are epoch seconds, null = never. */
export interface StoredGroup {
  readonly name: string;
  readonly tags: readonly string[];
  status: string;
  triggered: number | null;
  notified: number | null;
  nodata: number | null;
  resolved: number | null;
  value: number | null;
}

/** A monitor as the organization keeps it. Times are epoch milliseconds. */
export interface StoredMonitor extends Changeable {
  readonly id: string;
  name: string;
  type: string;
  query: string;
  message: string;
  tags: string[];
  priority: number | null;
  /** Options without `silenced`, which the silence table holds. */
  options: Record<string, unknown>;
  restrictedRoles: string[] | null;
  readonly creator: string;
  overall: string;
  overallChanged: number | null;
  draft: string;
  assets: unknown[];
  groups: Map<string, StoredGroup>;
  /** What the query says; parsed when first asked for and kept, because lists and searches need it for every monitor. */
  parts: () => QueryParts;
  /** Whether the monitor alerts for each group; the seed knows that without reading the query. */
  multi: () => boolean;
}

/** What responses tell of a monitor's query. */
export interface QueryParts {
  /** The search classification: `metric`, `anomaly`, `log`… */
  readonly classification: string;
  /** Tags of the query's own scope. */
  readonly scope: readonly string[];
  readonly metrics: readonly string[];
  /** Ids inside a composite's query. */
  readonly members: readonly string[];
  readonly multi: boolean;
}

/** A mute, a v1 downtime or a v2 downtime. Times are epoch milliseconds. */
export interface Silence extends Changeable {
  readonly id: number;
  readonly uuid: string;
  readonly made: 'mute' | 'v1' | 'v2';
  monitor: string | null;
  monitorTags: string[];
  /** Tags that must all match; `['*']` = everything. For v2 downtimes `scopeText` decides and these are for v1 responses. */
  scope: string[];
  /** v2 search syntax. */
  scopeText: string;
  start: number;
  end: number | null;
  /** Of a downtime that repeats: `start` and `end` are the window that runs or comes next. */
  rule?: { readonly zone: string; readonly recurrences: readonly Recurrence[] } | null;
  canceled: number | null;
  message: string;
  timezone: string;
  readonly creator: string;
  updater: string | null;
  muteFirstRecovery: boolean;
  notifyStates: string[];
  notifyTypes: string[];
}

/** An issue of error tracking. Times are epoch milliseconds. */
export interface StoredIssue {
  readonly id: string;
  type: string;
  message: string;
  stack: string;
  handling: string;
  file: string;
  function: string;
  firstVersion: string;
  lastVersion: string;
  crash: boolean;
  languages: string[];
  platform: string;
  service: string;
  env: string;
  state: string;
  stateChanged: number;
  /** Milliseconds from resolution to regression; null = never regresses. */
  returns: number | null;
  regression: Record<string, unknown> | null;
  assignee: string | null;
  case: string | null;
  teams: string[];
  /** Sessions per event; null for issues without sessions. */
  sessions: number | null;
  stream: Stream;
  overrides: Overrides;
}

/** A case of the case tracker, created when an issue is assigned. */
export interface Case extends Changeable {
  readonly id: string;
  readonly key: string;
  title: string;
  status: string;
  priority: string;
  assignee: string | null;
  creator: string;
  modifier: string | null;
  readonly project: string;
  readonly issue: string;
  closed: number | null;
}
