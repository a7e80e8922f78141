import { createDowntime, createDowntimeV1 } from '../../src/api/downtimes.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Context } from '../../src/describe/context.ts';
import { present } from '../../src/lib/present-members.ts';
import type { Muted } from './mute-receipt.ts';
import { endsAt, isAhead, type MuteTime, windowsOf } from './mute-until.ts';
import { silencedScope } from './mutes.ts';
import { keptFor, type MonitorRow, toEnd, toId, toInstant, toObject } from './row.ts';
import { downtimeCall, downtimeV1Call } from './silence.ts';

/** What is muted by a downtime, and when. */
interface PlannedMute {
  readonly until: MuteTime;
  readonly scope: string;
  readonly reason: string;
}

/** The first time that it silences; a start of null is now, an end of null never. */
interface FirstTime {
  readonly start: number | null;
  readonly end: number | null;
}

/** Makes a downtime of a monitor. */
export function* planning(row: MonitorRow, values: PlannedMute, context: Context): Plan<Result<Muted>> {
  const made = yield* makingDowntime(row.id, values, context);
  return made.ok
    ? { ...made, value: { ...made.value, mutes: row.mutes } }
    : { ok: false, problem: keptFor(row, made.problem) };
}

/**
 * Makes a downtime of the monitor of an id, or of all monitors with a tag; one of the first version, which has no rules, only where the
 * second is not offered.
 */
export function* makingDowntime(
  over: string | { readonly tag: string },
  { until, reason, ...values }: PlannedMute,
  context: Context,
): Plan<Result<Muted>> {
  const scope = silencedScope(values.scope);
  const [first] = isAhead(until) ? windowsOf(until, context) : [{ start: null, end: endsAt(until, context.now) }];
  if (!first || (first.end ?? Infinity) <= context.now)
    return problemResult('invalid', 'that window has passed: type a later one');
  const schedule = until.kind === 'every' ? { zone: context.zone, rules: [until.rule] } : first;
  const v2 = downtimeCall(over, scope, schedule, reason);
  const v1 = downtimeV1Call(over, scope, first.start, first.end, reason);
  const ways = [
    { way: 'v2', id: createDowntime.id, sends: v2 } as const,
    { way: 'v1', id: createDowntimeV1.id, sends: v1 } as const,
  ].filter(({ way, id }) => context.offered(id) && (way === 'v2' || until.kind !== 'every'));
  for (const { way, sends } of ways) {
    const sent = yield* ask<unknown>(sends);
    if (!sent.ok && notOffered(sent.problem)) continue;
    return sent.ok ? { ...sent, value: { way, scope, mutes: [], ...readMade(way, sent.value, until, first) } } : sent;
  }
  const what = until.kind === 'every' ? 'no downtimes that repeat' : 'no downtimes';
  return problemResult('notOffered', `this deployment offers ${what}; nothing was changed`, {
    operation: createDowntime.id,
  });
}

/** What the answer to a create tells of the downtime. */
function readMade(way: 'v1' | 'v2', value: unknown, until: MuteTime, { start: from, end: requestedEnd }: FirstTime) {
  const answer = way === 'v1' ? toObject(value) : toObject(toObject(value).data);
  const told = toObject(toObject(answer.attributes).schedule);
  const times = way === 'v1' ? answer : { ...told, ...toObject(told.current_downtime) };
  const [start, id] = [toInstant(times.start), toId(answer.id)];
  const isPlanned = isAhead(until) && from !== null && requestedEnd !== null;
  const planned = isPlanned ? { until, asked: { start: from, end: requestedEnd }, ...present({ start }) } : undefined;
  return { asked: requestedEnd, shown: 'end' in times ? toEnd(times.end) : undefined, ...present({ id, planned }) };
}
