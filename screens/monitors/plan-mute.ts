import { createDowntime, createDowntimeV1 } from '../../src/api/downtimes.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Context } from '../../src/describe/context.ts';
import { present } from '../../src/lib/present-members.ts';
import type { Muted } from './mute-receipt.ts';
import { type MuteWindow, windowsOf } from './mute-until.ts';
import { silencedScope } from './mutes.ts';
import { keptFor, type MonitorRow, toEnd, toId, toInstant, toObject } from './row.ts';
import { downtimeCall, downtimeV1Call } from './silence.ts';

/** What is planned: windows of one scope of a monitor. */
interface PlannedMute {
  readonly until: MuteWindow;
  readonly scope: string;
  readonly reason: string;
}

/** Makes a downtime of windows ahead; one of the first version, which has no rules, only where the second is not offered. */
export function* planning(row: MonitorRow, values: PlannedMute, context: Context): Plan<Result<Muted>> {
  const { until, reason } = values;
  const scope = silencedScope(values.scope);
  const [first] = windowsOf(until, context);
  if (!first || first.end <= context.now) return problemResult('invalid', 'that window has passed: type a later one');
  const schedule = until.kind === 'once' ? first : { zone: context.zone, rules: [until.rule] };
  const v2 = downtimeCall(row.id, scope, schedule, reason);
  const ways = [
    { way: 'v2', id: createDowntime.id, sends: v2 } as const,
    {
      way: 'v1',
      id: createDowntimeV1.id,
      sends: downtimeV1Call(row.id, scope, first.start, first.end, reason),
    } as const,
  ].filter(({ way, id }) => context.offered(id) && (way === 'v2' || until.kind === 'once'));
  for (const { way, sends } of ways) {
    const sent = yield* ask<unknown>(sends);
    if (!sent.ok && notOffered(sent.problem)) continue;
    if (!sent.ok) return { ok: false, problem: keptFor(row, sent.problem) };
    const answer = way === 'v1' ? toObject(sent.value) : toObject(toObject(sent.value).data);
    const told = toObject(toObject(answer.attributes).schedule);
    const times = way === 'v1' ? answer : { ...told, ...toObject(told.current_downtime) };
    const [start, id] = [toInstant(times.start), toId(answer.id)];
    const shown = 'end' in times ? toEnd(times.end) : undefined;
    const planned = { until, asked: first, ...present({ start }) };
    return { ...sent, value: { way, scope, asked: first.end, shown, mutes: row.mutes, planned, ...present({ id }) } };
  }
  const what = until.kind === 'once' ? 'no downtimes' : 'no downtimes that repeat';
  return problemResult('notOffered', `this deployment offers ${what}; nothing was changed`, {
    operation: createDowntime.id,
  });
}
