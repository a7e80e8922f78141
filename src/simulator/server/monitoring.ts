import type { Recurrence } from '../../lib/recurrence.ts';

/** Members that the store does not interpret; they override the computed response. */
type Overrides = Readonly<Record<string, unknown>>;

/** What is kept of everything that people change. Times are epoch milliseconds. */
export interface Changeable {
  readonly created: number;
  modified: number;
}

/** A period of activity in epoch milliseconds; `to` null = ongoing. */
interface Active {
  readonly from: number;
  to: number | null;
}

/**
 * The error events of one issue as a function of time instead of a list: a steady rate with a
 * daily wave, a short ripple and a few bursts. Counting any window costs the same, and the counts of the
 * parts of a window add up to the count of the whole.
 */
export interface Stream {
  /** Events per minute. */
  readonly rate: number;
  /** Amplitude of the daily wave, 0 to 0.8. */
  readonly wave: number;
  /** Minutes. */
  readonly phase: number;
  readonly bursts: readonly { readonly at: number; readonly length: number; readonly count: number }[];
  readonly active: Active[];
}

const minute = 60_000;
const day = 1440;
const ripple = 17;

/** The cumulative number of events up to `at`, fractional and monotonic. */
function cumulativeCount(stream: Stream, index: number): number {
  const begin = stream.active[0]?.from ?? 0;
  if (index <= begin) return 0;
  const minutes = (index - begin) / minute;
  let sum =
    minutes + waveIntegral(minutes, stream.phase, day, stream.wave) + waveIntegral(minutes, stream.phase, ripple, 0.15);
  sum *= stream.rate;
  for (const burst of stream.bursts) sum += burst.count * Math.min(1, Math.max(0, (index - burst.at) / burst.length));
  return sum;
}

const waveIntegral = (minutes: number, phase: number, period: number, share: number): number => {
  const frequency = (2 * Math.PI) / period;
  return (share / frequency) * (Math.cos(phase * frequency) - Math.cos((minutes + phase) * frequency));
};

/** The number of events strictly before `at`. */
const before = (stream: Stream, at: number): number => Math.ceil(cumulativeCount(stream, at));

/** Events in [from, to), never later than `now`. */
export function countEvents(stream: Stream, from: number, to: number, now: number): number {
  const end = Math.min(to, now + 1);
  let count = 0;
  for (const span of stream.active) {
    const low = Math.max(from, span.from);
    const high = Math.min(end, span.to ?? end);
    if (high > low) count += before(stream, high) - before(stream, low);
  }
  return count;
}

/** The moment of the latest event up to `now`; the first one when there was none since. */
export function lastEvent(stream: Stream, now: number): number {
  for (let at = stream.active.length - 1; at >= 0; at -= 1) {
    const span = stream.active[at] as Active;
    const end = Math.min(now + 1, span.to ?? now + 1);
    const count = before(stream, end);
    if (end <= span.from || count === before(stream, span.from)) continue;
    let low = span.from;
    let high = end;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (before(stream, middle) >= count) high = middle;
      else low = middle;
    }
    return low;
  }
  return stream.active[0]?.from ?? now;
}

/** Ends the activity at `at`. */
export function stop(stream: Stream, at: number): void {
  const last = stream.active.at(-1);
  if (last && (last.to === null || last.to > at)) last.to = Math.max(at, last.from);
}

/** Resumes the activity at `at`; does nothing when it is ongoing. */
export function resume(stream: Stream, at: number): void {
  const last = stream.active.at(-1);
  if (last && last.to !== null && last.to <= at) stream.active.push({ from: at, to: null });
  else if (last) last.to = null;
}

/** When the activity ended; null while it goes on. */
export function endedAt(stream: Stream): number | null {
  return stream.active.at(-1)?.to ?? null;
}

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
  overrides: Overrides;
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
  overrides: Overrides;
}
