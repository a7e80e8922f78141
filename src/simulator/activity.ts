import { regress, setState } from './kinds/issues.ts';
import { setGroup, settle } from './kinds/monitor-view.ts';
import { makeIssue } from './seed/issues.ts';
import { valueFor } from './seed/monitors.ts';
import type { ServiceWorld } from './server/handler.ts';
import { endedAt, type StoredMonitor } from './server/monitoring.ts';
import { createRandom, hash, type Random } from './server/random.ts';
import { monitorsById } from './server/store.ts';

const step = 5000;
const minute = 60_000;
const day = 1440 * minute;
/** The most steps that are simulated at once: one hour of five-second steps. */
const mostSteps = 720;

/**
 * Simulates activity on demand, one step each five seconds of clock time: a few groups change state
 * and sometimes a new issue appears (only when `lively`, of the monitors that it chooses); issues resolve and regress, and a new
 * composite gets the state of its members, in any case.
 * Deterministic: the same seed and the same times give the same activity. The result applies every step up to `now`, without a timer.
 */
export function createActivity(world: ServiceWorld, lively: boolean | ((monitor: StoredMonitor) => boolean)) {
  const { org } = world;
  const isMoving = (monitor: StoredMonitor) =>
    monitor.type !== 'composite' && (typeof lively === 'boolean' || lively(monitor));
  const most = Math.ceil(org.issues.size * 1.5) + 20;
  return (now: number): void => {
    const from = Math.floor(org.simulatedUntil / step);
    const to = Math.floor(now / step);
    if (to <= from) return;
    org.simulatedUntil = now;
    moveIssues(world, now);
    for (const monitor of org.monitors.values())
      if (monitor.type === 'composite' && monitor.overallChanged === null) settle(org, monitor, now);
    if (!lively) return;
    for (let at = Math.max(from + 1, to - mostSteps); at <= to; at += 1) simulateStep(world, at * step, most, isMoving);
  };
}

function simulateStep(
  world: ServiceWorld,
  now: number,
  most: number,
  isMoving: (monitor: StoredMonitor) => boolean,
): void {
  const { org } = world;
  const random = createRandom(hash(org.seed, 'life', now));
  const all = monitorsById(org).filter(isMoving);
  if (all.length > 0) {
    const times = random.chance(0.6) ? Math.max(1, Math.round(all.length / 400)) : 0;
    for (let at = 0; at < times; at += 1) changeOne(world, all, random, now);
  }
  if (org.issues.size > 0 && org.issues.size < most && random.chance(1 / 24)) {
    const issue = makeIssue(world, random, Math.floor(now / step), now, 0);
    org.issues.set(issue.id, issue);
  }
}

/** Changes one group; keeps about 6 % alerting, 3 % warning and 3 % without data. */
function changeOne(world: ServiceWorld, all: readonly StoredMonitor[], random: Random, now: number): void {
  const ok = all.filter((monitor) => monitor.overall === 'OK');
  const notOk = all.filter((monitor) => monitor.overall !== 'OK');
  const tooMany = notOk.length > all.length * 0.12;
  const isRecovery = notOk.length > 0 && (ok.length === 0 || random.chance(tooMany ? 0.75 : 0.4));
  const monitor = random.pick(isRecovery ? notOk : ok);
  const groups = [...monitor.groups.values()].filter((group) =>
    isRecovery ? group.status !== 'OK' : group.status === 'OK',
  );
  if (groups.length === 0) return;
  const group = random.pick(groups);
  const roll = random.next();
  const state = isRecovery
    ? group.status === 'Warn' && roll < 0.3
      ? 'Alert'
      : 'OK'
    : roll < 0.55
      ? 'Alert'
      : roll < 0.8
        ? 'Warn'
        : 'No Data';
  setGroup(world.org, monitor, group.name, state, now);
  group.value = state === 'OK' ? null : valueFor(monitor, random);
}

/** Resolves issues without events for 14 days; reopens resolved ones that regress (docs/contract/error-tracking.md#states). */
function moveIssues(world: ServiceWorld, now: number): void {
  const { org } = world;
  for (const issue of org.issues.values()) {
    if (issue.state === 'RESOLVED') {
      if (issue.returns !== null && now >= issue.stateChanged + issue.returns)
        regress(org, issue, issue.stateChanged + issue.returns);
      continue;
    }
    const ended = endedAt(issue.stream);
    const isExpired = ended !== null && now - ended > 14 * day;
    if (isExpired && (issue.state === 'OPEN' || issue.state === 'ACKNOWLEDGED')) setState(org, issue, 'RESOLVED', now);
  }
}
