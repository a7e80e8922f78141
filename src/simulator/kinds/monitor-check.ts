import { once } from '../../lib/function-results.ts';
import { at } from '../../lib/values.ts';
import { toMinutes } from '../../query/language.ts';
import { type OptionRule, optionRules, valueFault } from '../../query/option-rules.ts';
import { type Query, type ReadQuery, readQuery, types } from '../query/monitor-query.ts';
import { type ApiRequest, asList, asNumber, asObject, asText, float } from '../server/handler.ts';
import type { QueryParts, StoredMonitor } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';
import { nameFor, newGroup, withDefaults } from './monitor-view.ts';

/** The parsed query of a valid definition, or the service's error text (docs/contract/monitor-queries.md). */
type QueryCheckResult = { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly text: string };

const rejected = (text: string): QueryCheckResult => ({ ok: false, text });
const invalid = (name: string): QueryCheckResult => rejected(`The value provided for parameter '${name}' is invalid`);

/** The member of `evaluation_window` that each calendar window requires (docs/contract/monitor-queries.md#metric). */
const starts: Readonly<Record<string, string>> = {
  current_1h: 'hour_starts',
  current_1d: 'day_starts',
  current_1mo: 'month_starts',
};

/** Types that refuse `on_missing_data`. */
const noMissingData = new Set(['service check', 'composite', 'slo alert']);

/** The validation that create, update and both validate operations share. */
export function checkDefinition(body: unknown, org: Org): QueryCheckResult {
  const type = asText(at(body, 'type'));
  if (!type) return rejected("The parameter 'type' is required");
  if (!types.includes(type)) return invalid('type');
  const text = asText(at(body, 'query'));
  if (!text) return rejected("The parameter 'query' is required");
  const options = at(body, 'options');
  const read = readQuery(type, text, options);
  if (!read.ok) return read;
  const query = read.query;
  return (
    checkPriority(at(body, 'priority')) ??
    checkThresholds(type, query, at(options, 'thresholds')) ??
    checkOptions(type, query, asObject(options) ?? {}) ??
    checkReferences(query, org) ?? { ok: true, query }
  );
}

function checkPriority(value: unknown): QueryCheckResult | undefined {
  if (value === undefined || value === null) return undefined;
  const number = asNumber(value);
  return Number.isInteger(number) && number >= 1 && number <= 5 ? undefined : invalid('priority');
}

function checkThresholds(type: string, query: Query, value: unknown): QueryCheckResult | undefined {
  const given = Object.entries(asObject(value) ?? {}).filter(
    ([name, limit]) => limit !== null && !name.endsWith('_query'),
  );
  const limits = Object.fromEntries(given.map(([name, limit]) => [name, asNumber(limit)]));
  if (Object.values(limits).some(Number.isNaN)) return rejected('Non-numeric threshold value.');
  if (type === 'composite' || given.length === 0) return undefined;
  const { critical } = limits;
  if (critical === undefined) return rejected('Alert status is required.');
  if (type === 'service check')
    return Math.max(...Object.values(limits)) > (query.count ?? 100)
      ? rejected('Last field should be larger than or equal to max threshold defined in monitor options')
      : undefined;
  const names = ['critical_recovery', 'warning_recovery'].filter((name) => limits[name] !== undefined);
  if (type === 'event-v2 alert' && names.length > 0)
    return rejected(`Invalid threshold statuses found: ${names.join(', ')}.`);
  if (query.threshold !== null && critical !== query.threshold) {
    return rejected(
      `Alert threshold (${float(critical)}) does not match that used in the query (${float(query.threshold)}).`,
    );
  }
  return checkOverlap(query.operator ?? '', limits);
}

/** Two thresholds whose first has to be the safer one, and the states that they lead to. */
const states = [
  ['warning', 'critical', 'alert', 'warning'],
  ['critical_recovery', 'critical', 'alert', 'alert recovery'],
  ['warning_recovery', 'warning', 'warning', 'warning recovery'],
] as const;

function checkOverlap(operator: string, limits: Readonly<Record<string, number>>): QueryCheckResult | undefined {
  if (!/^[<>]/.test(operator)) return undefined;
  for (const [safer, worse, state, other] of states) {
    const [low, high] = operator.startsWith('<') ? [limits[worse], limits[safer]] : [limits[safer], limits[worse]];
    if (low !== undefined && high !== undefined && low >= high)
      return rejected(
        `${state} and ${other} criteria are such that the monitor can be simultaneously in ${state} and ${other} states`,
      );
  }
  return undefined;
}

function checkOptions(type: string, query: Query, options: Record<string, unknown>): QueryCheckResult | undefined {
  const missing = options.on_missing_data ?? 'default';
  const isTold = options.notify_no_data === true || (options.no_data_timeframe ?? null) !== null;
  if (missing !== 'default' && (noMissingData.has(type) || isTold))
    return rejected('Invalid monitor option: on_missing_data');
  const strange = outside(type, options);
  if (strange !== undefined) return invalid(`options.${strange}`);
  const minutes = toMinutes(asText(options.group_retention_duration) ?? '60m') ?? 0;
  if (minutes < 60 || minutes > 4320) return invalid('options.group_retention_duration');
  const by = asList(options.notify_by)?.map(String) ?? [];
  // SLOs and formulas with variables have groups that the query does not name.
  const isOpen = type === 'slo alert' || asList(options.variables) !== undefined;
  if (!isOpen && !by.includes('*') && !by.every((key) => query.groups.includes(key)))
    return invalid('options.notify_by');
  return checkWindows(type, query, options);
}

/** The first option with a value that its rules call wrong; formats are checked where they matter. */
const outside = (type: string, options: Record<string, unknown>): string | undefined =>
  Object.entries<OptionRule>(optionRules).find(
    ([name, { fits }]) => !fits && valueFault(type, name, at(options, name))?.verdict === 'wrong',
  )?.[0];

function checkWindows(type: string, query: Query, options: Record<string, unknown>): QueryCheckResult | undefined {
  const window = asObject(at(options, 'scheduling_options.evaluation_window'));
  const set = Object.entries(window ?? {}).flatMap(([name, value]) => (value === null ? [] : [name]));
  const isAlone = !set.includes('hour_starts') || set.length === 1;
  if (!isAlone || (set.includes('month_starts') && !set.includes('day_starts')))
    return invalid('options.scheduling_options.evaluation_window');
  const start = starts[query.current ?? ''];
  const isFitting = window === undefined ? start === undefined : start !== undefined && start in window;
  // Costs, processes and SLOs have other windows.
  const mayFollow = !noMissingData.has(type) && !['cost alert', 'process alert'].includes(type);
  if (mayFollow && !isFitting) {
    return rejected(
      'Monitors with an evaluation_window scheduling_option must have a current query period and vice versa.',
    );
  }
  const trigger = asText(at(options, 'threshold_windows.trigger_window'));
  if (query.alertWindow && trigger && trigger !== query.alertWindow) {
    return rejected('alert window query arg must match trigger window monitor option');
  }
  return undefined;
}

function checkReferences(query: Query, org: Org): QueryCheckResult | undefined {
  if (query.members.length > 10) return invalid('query');
  for (const id of query.members) {
    const member = org.monitors.get(id);
    if (!member || member.type === 'composite') return rejected('Some monitor IDs are invalid');
  }
  if (query.objective === undefined) return undefined;
  const objective = org.objectives.get(query.objective);
  if (!objective) return invalid('query');
  if (query.current !== 'burn' || query.threshold === null) return undefined;
  const most = Math.round((1 / (1 - objective.target)) * 1000) / 1000;
  if (query.threshold >= 0 && query.threshold <= most) return undefined;
  return rejected(
    `Alert threshold (${float(query.threshold)}) must be in range 0 to ${float(most)} for burn rate alerts (max threshold = 1/1-slo target).`,
  );
}

/** Whether a scoped key edits a log monitor, which needs an unscoped one (docs/contract/conventions.md#authentication). */
export function scopedLogKey(request: ApiRequest, type: unknown): boolean {
  return type === 'log alert' && request.caller.scoped;
}

/** The stored monitor with exactly this definition. */
export function findDuplicate(
  org: Org,
  candidate: Pick<StoredMonitor, 'type' | 'query' | 'name' | 'message' | 'tags' | 'options'>,
): StoredMonitor | undefined {
  const text = (definition: typeof candidate): string =>
    JSON.stringify([
      definition.type,
      definition.query,
      definition.name,
      definition.message,
      [...definition.tags].sort(),
      Object.entries(definition.options).sort(),
    ]);
  const wanted = text(candidate);
  for (const monitor of org.monitors.values())
    if (monitor.query === candidate.query && text(monitor) === wanted) return monitor;
  return undefined;
}

/** Creator, time and id of a new monitor. */
interface Origin {
  readonly creator: string;
  readonly now: number;
  /** A chosen id; the next free one when absent. */
  readonly id?: string;
}

/** A monitor from a valid definition; does not store it. */
export function makeMonitor(org: Org, body: unknown, origin: Origin): StoredMonitor {
  const type = asText(at(body, 'type')) ?? 'query alert';
  const query = asText(at(body, 'query')) ?? '';
  const id = origin.id ?? String(org.next.monitor);
  const monitor: StoredMonitor = {
    id,
    name: '',
    type,
    query: '',
    message: '',
    tags: [],
    priority: null,
    options: {},
    restrictedRoles: null,
    creator: origin.creator,
    created: origin.now,
    modified: origin.now,
    overall: 'No Data',
    overallChanged: null,
    draft: 'published',
    assets: [],
    groups: new Map([['*', newGroup('*')]]),
    parts: () => ({ classification: type.replace(/ alert$/, ''), scope: [], metrics: [], members: [], multi: false }),
    multi: () => false,
    overrides: {},
  };
  defineMonitor(monitor, { name: nameFor(type, query.trim()), options: {}, ...asObject(body), type, query });
  if (typeof monitor.name !== 'string' || monitor.name === '') monitor.name = nameFor(type, query.trim());
  return monitor;
}

/** Assigns the sent fields to a monitor; absent fields keep their value (docs/contract/monitors.md#edit). */
export function defineMonitor(monitor: StoredMonitor, body: Readonly<Record<string, unknown>>): void {
  const type = asText(body.type);
  // `metric alert` and `query alert` are one kind; the stored name stays.
  if (type && !(sameKind(type, monitor.type) && monitor.query !== '')) monitor.type = type;
  if (typeof body.name === 'string') monitor.name = body.name;
  if (body.message === null) monitor.message = '';
  else if (typeof body.message === 'string') monitor.message = body.message;
  monitor.tags = asList(body.tags)?.map(String) ?? monitor.tags;
  if (body.priority !== undefined) monitor.priority = body.priority === null ? null : asNumber(body.priority);
  if (body.restricted_roles !== undefined) monitor.restrictedRoles = asList(body.restricted_roles)?.map(String) ?? null;
  monitor.draft = asText(body.draft_status) || monitor.draft;
  monitor.assets = asList(body.assets) ?? monitor.assets;
  const options = asObject(body.options);
  if (options) monitor.options = withThresholds(withDefaults(monitor.type, options));
  const query = asText(body.query)?.trim();
  if (query !== undefined) monitor.query = query;
  const { type: kept, query: text, options: chosen } = monitor;
  const read = once(() => readQuery(kept, text, chosen));
  const before = monitor.parts;
  monitor.parts = once(() => partsOf(read(), kept) ?? before());
  monitor.multi = () => monitor.parts().multi;
  if (asObject(chosen.thresholds)) return;
  const now = read();
  if (now.ok && now.query.threshold !== null) chosen.thresholds = { critical: now.query.threshold };
}

function partsOf(read: ReadQuery, type: string): QueryParts | undefined {
  if (!read.ok) return undefined;
  const { classification, scope, metrics, members, groups } = read.query;
  return { classification, scope, metrics, members, multi: type === 'service check' || groups.length > 0 };
}

/** Whether two types on the wire are one kind (docs/contract/monitors.md#oddities). */
export function sameKind(one: string, other: string): boolean {
  const both = ['query alert', 'metric alert'];
  return one === other || (both.includes(one) && both.includes(other));
}

/** Thresholds as numbers; drops those that are null, except `critical`. */
function withThresholds(options: Record<string, unknown>): Record<string, unknown> {
  const given = asObject(options.thresholds);
  if (!given) return options;
  const kept = Object.entries(given).filter(([name, limit]) => limit !== null || name === 'critical');
  const numbers = kept.map(([name, limit]) => [
    name,
    name.endsWith('_query') || limit === null ? limit : asNumber(limit),
  ]);
  return { ...options, thresholds: Object.fromEntries(numbers) };
}

/** Stores a monitor; the next one gets a higher id. */
export function storeMonitor(org: Org, monitor: StoredMonitor): void {
  org.monitors.set(monitor.id, monitor);
  const number = Number(monitor.id);
  if (Number.isSafeInteger(number)) org.next.monitor = Math.max(org.next.monitor, number + 1);
}
