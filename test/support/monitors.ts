import { silence } from '../../src/simulator/kinds/silences.ts';
import type { Simulator } from './simulator.ts';

export const hour = 3_600_000;

/** The time `ms` after the service's now, as `07:30` in UTC. */
export function clockIn(service: Simulator, ms: number): string {
  return clockAt(service.now() + ms);
}

/** `07:30` in UTC. */
function clockAt(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}

/** Adds a monitor `Disk` over three hosts: web-1 alerts, web-2 warns, web-3 is OK. Returns its id. */
export function hasDisk(service: Simulator, fields: Readonly<Record<string, unknown>> = {}): string {
  return service.has('monitor', {
    name: 'Disk',
    tags: ['team:core'],
    query: 'avg(last_5m):avg:disk.used{*} by {host} > 90',
    groups: { 'host:web-1': 'Alert', 'host:web-2': 'Warn', 'host:web-3': 'OK' },
    ...fields,
  });
}

/** Makes every state some hours old, so that no age on the screen changes for the next minutes. */
export function ages(service: Simulator): void {
  const at = service.now() - 3.5 * hour;
  for (const monitor of service.org.monitors.values()) {
    monitor.overallChanged = at;
    for (const group of monitor.groups.values())
      Object.assign(group, { triggered: at / 1000, notified: at / 1000, nodata: at / 1000, resolved: at / 1000 });
  }
}

/** Adds a monitor without groups. Returns its id. */
export function hasSimple(service: Simulator, name: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return service.has('monitor', {
    name,
    query: `avg(last_5m):avg:${name.toLowerCase().replaceAll(/\W+/g, '.')}.load{*} > 4`,
    groups: { '*': 'Alert' },
    ...fields,
  });
}

/** The stored active silences of a monitor: `host:web-1 mute`, `* v1`. Sorted. */
export function silences(service: Simulator, monitor: string): string[] {
  const now = service.now();
  return [...service.org.silences.values()]
    .filter(
      (silence) =>
        silence.monitor === monitor &&
        silence.canceled === null &&
        silence.start <= now &&
        (silence.end === null || silence.end > now),
    )
    .map((silence) => `${silence.made === 'v2' ? silence.scopeText : silence.scope.join(',')} ${silence.made}`)
    .sort();
}

/** When the only silence of a monitor ends, milliseconds since the epoch; null = never. */
export function silentUntil(service: Simulator, monitor: string): number | null {
  const found = [...service.org.silences.values()].filter(
    (silence) => silence.monitor === monitor && silence.canceled === null,
  );
  if (found.length !== 1) throw new Error(`monitor ${monitor} has ${found.length} silences`);
  return found[0]?.end ?? null;
}

/** When the only silence of a monitor ends, in the format of a receipt. */
export function endClock(service: Simulator, monitor: string): string {
  return clockAt(silentUntil(service, monitor) ?? Number.NaN);
}

/** Adds a mute of one scope by another user. */
export function hasMute({ org, world, now }: Simulator, monitor: string, scope: string, ms: number | null): void {
  const [at, creator = ''] = [now(), ...org.users.keys()];
  const end = ms === null ? null : Math.floor((at + ms) / 1000) * 1000;
  const begun = { start: at - 60_000, created: at - 60_000, modified: at - 60_000 };
  silence(world, { made: 'mute', creator, monitor, scope: scope.split(','), ...begun, end }, at);
}
