import { at } from '../../lib/object-paths.ts';
import { once } from '../../lib/once.ts';
import { type ReadQuery, readQuery } from '../query/monitor-query.ts';
import type { QueryParts, StoredMonitor } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';
import { asList, asNumber, asObject, asText } from '../server/wire-values.ts';
import { newGroup } from './monitor-states.ts';
import { nameFor, withDefaults } from './monitor-view.ts';

/** Creator, time and id of a new monitor. */
export interface Origin {
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

/** Stores a monitor and invalidates the sorted list. */
export function storeMonitor(org: Org, monitor: StoredMonitor): void {
  org.monitors.set(monitor.id, monitor);
  const number = Number(monitor.id);
  if (Number.isSafeInteger(number)) org.next.monitor = Math.max(org.next.monitor, number + 1);
  org.sorted = null;
}
