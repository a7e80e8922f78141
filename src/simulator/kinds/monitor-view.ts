import { float, iso, numeric, type ServiceWorld, seconds } from '../server/handler.ts';
import type { StoredGroup, StoredMonitor } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';
import { activeMutes, activeSilences, matching } from './silences.ts';

const severity: Readonly<Record<string, number>> = { Alert: 4, Warn: 3, 'No Data': 2, OK: 1 };

/** The most severe of some states: Alert, Warn, No Data, OK, then unknown ones. */
export function worstState(states: Iterable<string>): string {
  let found = '';
  for (const state of states) if (found === '' || (severity[state] ?? 0) > (severity[found] ?? 0)) found = state;
  return found || 'No Data';
}

/** Sets a group's state and updates the monitor's; mutes and downtimes have no effect. */
export function setGroup(org: Org, monitor: StoredMonitor, name: string, status: string, now: number): void {
  const group = monitor.groups.get(name) ?? newGroup(name);
  monitor.groups.set(name, group);
  turn(group, status, now);
  settle(org, monitor, now);
}

/** Gives a group a state, with the moment where it is another one. */
function turn(group: StoredGroup, status: string, now: number): void {
  if (group.status === status) return;
  const second = Math.floor(now / 1000);
  if (status === 'Alert' || status === 'Warn') {
    group.triggered = second;
    group.notified = second;
  } else if (status === 'No Data') group.nodata = second;
  else if (status === 'OK') group.resolved = second;
  group.status = status;
}

/** A group that has never been evaluated. */
export function newGroup(name: string): StoredGroup {
  const tags = name === '*' ? [] : name.split(',');
  return { name, tags, status: 'No Data', triggered: null, notified: null, nodata: null, resolved: null, value: null };
}

/** Recalculates a monitor's overall state and those of composites that contain it. */
export function settle(org: Org, monitor: StoredMonitor, now: number): void {
  const state =
    monitor.type === 'composite'
      ? compositeState(org, monitor.query)
      : worstState([...monitor.groups.values()].map((g) => g.status));
  if (state === monitor.overall && monitor.overallChanged !== null) return;
  monitor.overall = state;
  monitor.overallChanged = now;
  if (monitor.type === 'composite') {
    turnAll(monitor);
    return;
  }
  settleComposites(org, monitor, now);
}

/** Recalculates the composites that contain a monitor, which may be gone. */
export function settleComposites(org: Org, monitor: StoredMonitor, now: number): void {
  for (const other of org.monitors.values()) if (isPartOf(other, monitor)) settle(org, other, now);
}

/** Gives the groups of a composite its own state: it has one, which stands for all of it. */
export function turnAll(monitor: StoredMonitor): void {
  for (const group of monitor.groups.values()) turn(group, monitor.overall, monitor.overallChanged ?? 0);
}

/** Whether a composite contains the monitor. */
export const isPartOf = (other: StoredMonitor, monitor: StoredMonitor): boolean =>
  other.type === 'composite' && other.parts().members.includes(monitor.id);

/** The state of a composite query (docs/contract/monitors.md#states): `&&` the less severe, `||` the more severe, `!` inverts. */
export function compositeState(org: Org, query: string): string {
  const inverse = (state: string): string => (state === 'OK' ? 'Alert' : state === 'No Data' ? state : 'OK');
  const single = (text: string): string => (text.startsWith('!') ? inverse(single(text.slice(1).trim())) : text);
  const lesser = (one: string, other: string): string => (worstState([one, other]) === one ? other : one);
  const flat = (text: string): string =>
    worstState(
      text.split('||').map((all) =>
        all
          .split('&&')
          .map((one) => single(one.trim()))
          .reduce(lesser),
      ),
    );
  const innermost = /\(([^()]*)\)/;
  let states = query.replaceAll(/\d+/g, (id) => org.monitors.get(id)?.overall ?? 'No Data');
  while (innermost.test(states)) states = states.replace(innermost, (_, inside: string) => flat(inside));
  return flat(states);
}

/** The fields of a response, which differ between operations (docs/contract/monitors.md#monitor). */
export interface MonitorResponse {
  readonly creator?: boolean;
  readonly downtimes?: boolean;
  readonly assets?: boolean;
  readonly policy?: boolean;
  /** Lower-case states of the groups in `state`; absent = no `state`. */
  readonly groups?: ReadonlySet<string>;
}

/** Types to which the server adds `groupby_simple_monitor` (docs/contract/monitors.md#monitor). */
const grouped = /^(log|rum|ci-|error-tracking|event-v2|llm)/;

/** The sent options with the server's defaults. */
export function withDefaults(type: string, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const options: Record<string, unknown> = {
    ...('on_missing_data' in sent ? {} : { notify_no_data: false }),
    notify_audit: false,
    new_host_delay: 300,
    include_tags: true,
    ...(grouped.test(type) ? { groupby_simple_monitor: false } : {}),
    ...sent,
  };
  if (options.on_missing_data === 'default') delete options.on_missing_data;
  delete options.silenced;
  return options;
}

/** Who made a monitor or a downtime, as v1 responses tell it. */
export function showCreator({ users }: Org, user: string) {
  const { number: id = null, handle = null, email = null, name = null } = users.get(user) ?? {};
  return { id, handle, email, name };
}

/** A monitor in the v1 response format. */
export function showMonitor(
  world: ServiceWorld,
  monitor: StoredMonitor,
  view: MonitorResponse,
  now: number,
): Record<string, unknown> {
  const { org } = world;
  const shown: Record<string, unknown> = {
    id: numeric(monitor.id),
    org_id: org.number,
    type: monitor.type,
    name: monitor.name,
    message: monitor.message,
    tags: monitor.tags,
    query: monitor.query,
    options: { ...monitor.options, silenced: activeMutes(org, monitor, now) },
    multi: monitor.multi(),
    created_at: seconds(monitor.created) * 1000,
    created: iso(monitor.created),
    modified: iso(monitor.modified),
    deleted: null,
    restricted_roles: monitor.restrictedRoles,
    priority: monitor.priority,
    overall_state_modified: monitor.overallChanged === null ? null : iso(monitor.overallChanged),
    overall_state: monitor.overall,
    draft_status: monitor.draft,
  };
  if (view.creator) shown.creator = showCreator(org, monitor.creator);
  if (view.policy) shown.restriction_policy = null;
  if (view.assets) shown.assets = monitor.assets;
  if (view.downtimes) shown.matching_downtimes = showMatching(world, monitor, now);
  if (view.groups) {
    const groups = [...monitor.groups.values()].filter((group) => view.groups?.has(group.status.toLowerCase()));
    shown.state = {
      groups: Object.fromEntries(groups.map((group) => [group.name, showGroup(org, monitor, group, now)])),
    };
  }
  return { ...shown, ...monitor.overrides };
}

/** `matching_downtimes`; `groups` is empty for a monitor without groups. */
function showMatching(world: ServiceWorld, monitor: StoredMonitor, now: number): Record<string, unknown>[] {
  return matching(world.org, monitor, now).map(({ silence, groups }) => ({
    id: silence.id,
    active: true,
    monitor_id: silence.monitor === null ? null : numeric(silence.monitor),
    scope: silence.scope,
    groups,
    start: seconds(silence.start),
    end: silence.end === null ? null : seconds(silence.end),
  }));
}

/** When a group last notified: also when the last mute over it ended while it alerted; epoch seconds. */
function lastNotified(org: Org, monitor: StoredMonitor, group: StoredGroup, now: number): number | null {
  const { notified, triggered, status } = group;
  if (triggered === null || (status !== 'Alert' && status !== 'Warn')) return notified;
  const ends = [...org.silences.values()].flatMap(({ monitor: only, end, notifyTypes }) => {
    if (end === null || end > now || seconds(end) <= triggered || (only !== null && only !== monitor.id)) return [];
    const over = (moment: number) => activeSilences(org, { monitor, group }, moment);
    const isLast = over(end - 1).some((one) => one.end === end) && over(end).length === 0;
    return isLast && notifyTypes.includes('expired') ? seconds(end) : [];
  });
  return ends.length === 0 ? notified : Math.max(notified ?? 0, ...ends);
}

function showGroup(org: Org, monitor: StoredMonitor, group: StoredGroup, now: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {
    name: group.name,
    status: group.status,
    last_triggered_ts: group.triggered,
    last_notified_ts: lastNotified(org, monitor, group, now),
    last_nodata_ts: group.nodata,
    last_resolved_ts: group.resolved,
  };
  if (group.value !== null) {
    // The window that triggered it.
    const to = group.triggered ?? group.nodata ?? seconds(now);
    shown.triggering_value = { from_ts: to - 300, to_ts: to, value: group.value };
  }
  return shown;
}

/** The server's default name (docs/contract/monitors.md#create). */
export function nameFor(type: string, query: string): string {
  const metric =
    /^(avg|sum|min|max)\(last_(\w+)\):(?:\w+:)?([\w.]+)\{([^}]*)\}(?: by \{[^}]*\})?\s*(<=|>=|<|>)\s*(\S+)/.exec(query);
  if (type === 'composite' || !metric) return query;
  const [, aggregator = '', window, name, scope, operator, number] = metric;
  const how: Readonly<Record<string, string>> = {
    avg: 'on average',
    sum: 'in total',
    min: 'at all times',
    max: 'at least once',
  };
  const limit = float(Number(number));
  return `**${name}** over **${scope}** was **${operator} ${limit}** ${how[aggregator] ?? ''} during the **last ${window}**.`;
}
