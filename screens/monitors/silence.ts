import {
  createDowntime,
  createDowntimeV1,
  deleteDowntime,
  deleteDowntimeV1,
  updateDowntime,
  updateDowntimeV1,
} from '../../src/api/downtimes.ts';
import { type Call, call } from '../../src/api/endpoint.ts';
import { muteMonitor, unmuteMonitor } from '../../src/api/monitors.ts';
import type { Recurrence } from '../../src/lib/recurrence.ts';
import { commaWords } from '../../src/lib/text.ts';
import { toldMembers } from '../../src/lib/values.ts';
import type { Mute } from './mutes.ts';

/** Epoch seconds, as the first version and mutes write a moment. */
const seconds = (ms: number): number => Math.round(ms / 1000);
const secondsOrNull = (ms: number | null) => (ms === null ? null : seconds(ms));

/** ISO 8601 in UTC without a fraction, as the second version writes a moment. */
const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** `host:a,env:b` in the search syntax of the second version: `host:a AND env:b`, values quoted where they must be. */
export function searchScope(scope: string): string {
  if (/ (AND|OR) |\(/.test(scope)) return scope;
  const parts = commaWords(scope);
  return parts.map(searchPart).join(' AND ');
}

function searchPart(part: string): string {
  const colon = part.indexOf(':');
  const value = part.slice(colon + 1);
  if (part === '*' || /^[\w.*/:@-]+$/.test(value)) return part;
  return `${part.slice(0, colon + 1)}"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** An id as the number to send, a bigint beyond 2^53; text where it is no number. */
function whole(id: string): number | bigint | string {
  if (!/^\d+$/.test(id)) return id;
  return Number.isSafeInteger(Number(id)) ? Number(id) : BigInt(id);
}

/** Mutes one scope of a monitor; `end` in milliseconds, null = forever. */
export function muteCall(monitor: string, scope: string, end: number | null) {
  return call(muteMonitor, {
    monitor_id: monitor,
    body: { ...(scope === '*' ? {} : { scope }), ...(end === null ? {} : { end: seconds(end) }) },
  });
}

/** When a downtime holds: once, null = now and forever, or by a rule in a zone. */
export type Schedule =
  | { readonly start: number | null; readonly end: number | null }
  | { readonly zone: string; readonly rules: readonly Recurrence[] };

/** What a downtime silences: the monitor of this id, or all monitors that carry a tag. */
export type Target = string | { readonly tag: string };

const targetOf = (target: Target) =>
  typeof target === 'string' ? { monitor_id: whole(target) } : { monitor_tags: [target.tag] };

/** A downtime of the first version. */
export function downtimeV1Call(target: Target, scope: string, start: number | null, end: number | null, why: string) {
  return call(createDowntimeV1, {
    body: {
      ...targetOf(target),
      scope: commaWords(scope),
      ...(start === null ? {} : { start: seconds(start) }),
      ...(end === null ? {} : { end: seconds(end) }),
      ...(why === '' ? {} : { message: why }),
    },
  });
}

/** A downtime of the second version. */
export function downtimeCall(target: Target, scope: string, schedule: Schedule, why: string) {
  return createCall({
    scope: searchScope(scope),
    monitor_identifier: targetOf(target),
    schedule: wireSchedule(schedule),
    ...(why === '' ? {} : { message: why }),
  });
}

const createCall = (attributes: Readonly<Record<string, unknown>>) =>
  call(createDowntime, { body: { data: { type: 'downtime', attributes } } });

function wireSchedule(schedule: Schedule) {
  if ('rules' in schedule) return { timezone: schedule.zone, recurrences: schedule.rules.map((rule) => ({ ...rule })) };
  const [start, end] = [schedule.start, schedule.end].map((ms) => (ms === null ? null : iso(ms)));
  return { start, end };
}

/** The call that ends a mute or downtime; without a scope that of the whole monitor, the default of the service. */
export function endCall({ by, id = '', monitor, scope }: Pick<Mute, 'by' | 'id' | 'monitor' | 'scope'>): Call {
  if (by !== 'mute') return call(by === 'v1' ? deleteDowntimeV1 : deleteDowntime, { downtime_id: id });
  return call(unmuteMonitor, { monitor_id: monitor, query: scope === '*' ? {} : { scope } });
}

/** The call that gives a downtime of the second version other rules; whatever else a schedule says of them stays. */
export const rulesCall = (id: string, zone: string, rules: readonly Recurrence[]) =>
  changeCall({ by: 'v2', id }, { schedule: wireSchedule({ zone, rules }) });

/** The call that changes the end of a mute, epoch milliseconds; null = forever. */
export function moveEndCall(mute: Mute, end: number | null): Call {
  if (mute.by === 'mute') return muteCall(mute.monitor, mute.scope, end);
  return mute.by === 'v1'
    ? changeCall(mute, { end: secondsOrNull(end) })
    : changeCall(mute, { schedule: { end: end === null ? null : iso(end) } });
}

/** The call that gives a downtime another time, scope or reason; a rule only to one of the second version. */
export function editCall(
  mute: Mute,
  { schedule, scope, reason }: { readonly schedule?: Schedule; readonly scope?: string; readonly reason?: string },
): Call {
  const message = reason === undefined ? {} : { message: reason };
  if (mute.by === 'v2')
    return changeCall(mute, {
      ...(schedule && { schedule: wireSchedule(schedule) }),
      ...(scope !== undefined && { scope: searchScope(scope) }),
      ...message,
    });
  const times = schedule && 'start' in schedule ? schedule : undefined;
  return changeCall(mute, {
    ...(times && { start: secondsOrNull(times.start), end: secondsOrNull(times.end) }),
    ...(scope !== undefined && { scope: commaWords(scope) }),
    ...message,
  });
}

/** The call that says of a downtime again which monitor it is for. */
export const forMonitorCall = (mute: Mute): Call =>
  changeCall(
    mute,
    mute.by === 'v1'
      ? { monitor_id: whole(mute.monitor) }
      : { monitor_identifier: { monitor_id: whole(mute.monitor) } },
  );

/** Changes these attributes of a downtime. */
function changeCall({ by, id = '' }: Pick<Mute, 'by' | 'id'>, attributes: Readonly<Record<string, unknown>>): Call {
  return by === 'v1'
    ? call(updateDowntimeV1, { downtime_id: id, body: attributes })
    : call(updateDowntime, { downtime_id: id, body: { data: { id, type: 'downtime', attributes } } });
}

/**
 * The call that brings back a mute that was ended. `definition` is what a downtime said of itself before; without it a
 * downtime for this monitor alone is made, and one that silenced more cannot be brought back.
 */
export function restoreCall(mute: Mute, now: number, definition?: unknown): Call | undefined {
  const start = mute.start !== undefined && mute.start > now ? mute.start : null;
  if (mute.by === 'mute') return muteCall(mute.monitor, mute.scope, mute.end);
  if (mute.by === 'v1') {
    const stored = picked(definition, settableV1);
    if (stored)
      return call(createDowntimeV1, { body: { ...stored, ...(start !== null && { start: seconds(start) }) } });
    return mute.wide ? undefined : downtimeV1Call(mute.monitor, mute.scope, start, mute.end, mute.why ?? '');
  }
  const stored = picked((definition as { attributes?: unknown } | undefined)?.attributes, settableV2);
  const schedule = mute.repeats ?? { start, end: mute.end };
  if (stored) return createCall({ ...stored, schedule: wireSchedule(schedule) });
  return mute.wide ? undefined : downtimeCall(mute.monitor, mute.scope, schedule, mute.why ?? '');
}

/** What a person can set of a downtime, in either version and in one. */
const settable = ['scope', 'message', 'mute_first_recovery_notification', 'notify_end_states', 'notify_end_types'];
const settableV1 = [...settable, 'monitor_id', 'monitor_tags', 'end', 'timezone'];
const settableV2 = [...settable, 'monitor_identifier', 'display_timezone'];

/** The named fields that are there; undefined when the value is no object or has no scope. */
const picked = (value: unknown, names: readonly string[]): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && 'scope' in value ? toldMembers(value, names) : undefined;
