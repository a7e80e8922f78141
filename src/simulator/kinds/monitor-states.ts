import type { StoredGroup, StoredMonitor } from '../server/monitoring.ts';
import type { Org } from '../server/store.ts';

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
  const tokens = query.match(/\d+|&&|\|\||[!()]/g) ?? [];
  let index = 0;
  const lesser = (a: string, b: string): string => (worstState([a, b]) === a ? b : a);
  const either = (): string => {
    let left = both();
    while (tokens[index] === '||') {
      index += 1;
      left = worstState([left, both()]);
    }
    return left;
  };
  const both = (): string => {
    let left = single();
    while (tokens[index] === '&&') {
      index += 1;
      left = lesser(left, single());
    }
    return left;
  };
  const single = (): string => {
    const token = tokens[index] ?? '';
    index += 1;
    if (token === '!') {
      const state = single();
      return state === 'OK' ? 'Alert' : state === 'No Data' ? 'No Data' : 'OK';
    }
    if (token === '(') {
      const state = either();
      index += 1;
      return state;
    }
    return org.monitors.get(token)?.overall ?? 'No Data';
  };
  return either();
}
