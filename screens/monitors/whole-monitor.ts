import { getDowntime, getDowntimeV1, listDowntimes, listDowntimesV1 } from '../../src/api/downtimes.ts';
import { ask, call, inside, isNotOffered, type Plan } from '../../src/api/endpoint.ts';
import { byId, type Included } from '../../src/api/envelope.ts';
import { getMonitor, listDowntimeMatches } from '../../src/api/monitors.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import type { Context, Rows, Single, Source } from '../../src/describe/context.ts';
import { everyPage, lackingText, type Pages } from '../../src/describe/resource-spec.ts';
import { present } from '../../src/lib/values.ts';
import { distinct, hasEnded, type Mute } from './mutes.ts';
import {
  arrayOrEmpty,
  bareMonitor,
  creatorName,
  downtimeMute,
  type MonitorRow,
  otherMonitor,
  readMonitor,
  toId,
  toObject,
  toText,
} from './row.ts';

/** A monitor with its mutes and downtimes of both versions. */
export interface Whole {
  /** The monitor, with mutes of both versions of downtimes, and who and why where the service tells. */
  readonly row: MonitorRow;
  /** Sentences on the reads that failed. */
  readonly notes: readonly string[];
}

/** Everything that one read of a monitor tells. */
export const wholeQuery = { group_states: 'all', with_downtimes: true, with_assets: true } as const;

/** The read behind a detail. */
export function wholeMonitor(row: Pick<MonitorRow, 'id'>): Single<Whole> {
  return {
    key: `monitor ${row.id}`,
    of: ['monitor', 'downtime', 'downtime_match'],
    plan: (context) => readMonitorWhole(row.id, context),
  };
}

/**
 * Reads one monitor with groups and downtimes, then the downtimes of the second version that match it, then who made
 * them and why. Only the first read can fail; what goes wrong after it is a note.
 */
export function* readMonitorWhole(id: string, context: Context): Plan<Result<Whole>> {
  const got = yield* ask(call(getMonitor, { monitor_id: id, query: wholeQuery }));
  if (!got.ok) return got;
  const row = readMonitor(got.value, context.now);
  if (row?.id !== id) return otherMonitor(id);
  const notes = got.unread.length > 0 ? [`could not be read: ${got.unread.slice(0, 3).join(', ')}`] : [];
  const matched = yield* matchingDowntimes(id, context, notes);
  const all = yield* withTold([...row.mutes, ...matched], context, notes);
  const mutes = distinct(all.filter((mute) => !hasEnded(mute, context.now)));
  return { ok: true, value: { row: { ...row, mutes }, notes }, status: got.status, unread: got.unread };
}

/** Downtimes of the second version that match this monitor; `wide` until their definition has been read. */
function* matchingDowntimes(monitor: string, context: Context, notes: string[]): Plan<readonly Mute[]> {
  if (!context.offered(listDowntimeMatches.id)) return [];
  const got = yield* inside(everyPage(call(listDowntimeMatches, { monitor_id: monitor }), mostPages));
  const problem = got.ok ? got.value.end?.problem : got.problem;
  if (problem && !isNotOffered(problem))
    notes.push(`its downtimes (second version) could not be read: ${problem.text}`);
  if (!got.ok) return [];
  const lacks = problem ? undefined : lacksIn(got.value);
  if (lacks) notes.push(unreadDowntimes(lacks));
  return got.value.items.flatMap((value) => {
    const { id, attributes } = toObject(value);
    return downtimeMute('v2', { ...toObject(attributes), id }, monitor, true) ?? [];
  });
}

/** `200 of 250`, `more than 1000`: what a read of pages lacks. */
const lacksIn = (read: Pages): string | undefined => (read.end ? `more than ${read.items.length}` : lackingText(read));

/** Adds author, reason and targets to downtimes, from one read of the current ones of each version. */
function* withTold(mutes: readonly Mute[], context: Context, notes: string[]): Plan<readonly Mute[]> {
  let all = mutes;
  for (const by of ['v1', 'v2'] as const) {
    if (!mutes.some((mute) => mute.by === by)) continue;
    const got = yield* listedDowntimes(by, true, context);
    if (!got.ok) notes.push(`who made the downtimes could not be read: ${got.problem.text}`);
    const { items, people, lacks } = got.ok ? got.value : none;
    if (lacks) notes.push(unreadDowntimes(lacks));
    const known = new Map(items.map((item) => [toId(toObject(item).id), item]));
    all = all.map((mute) => (mute.by === by && known.has(mute.id) ? toldMute(mute, known.get(mute.id), people) : mute));
  }
  return all;
}

/** Most pages of downtimes of the second version in one read. */
const mostPages = 10;

/** People by their ids, as an answer includes them. */
export type People = ReadonlyMap<string, Included>;

/** Downtimes as they are listed, with those who made them; `lacks`: `10 of 500`. */
interface Listed {
  readonly items: readonly unknown[];
  readonly people: People;
  readonly lacks?: string | undefined;
}

const none: Listed = { items: [], people: new Map() };

/** The downtimes of a version; none where it is not offered. */
export function* listedDowntimes(by: 'v1' | 'v2', isCurrent: boolean, { offered }: Context): Plan<Result<Listed>> {
  if (!offered((by === 'v1' ? listDowntimesV1 : listDowntimes).id)) return toResult(none);
  const got = by === 'v1' ? yield* firstVersion(isCurrent) : yield* secondVersion(isCurrent);
  return !got.ok && isNotOffered(got.problem) ? toResult(none) : got;
}

function* firstVersion(isCurrent: boolean): Plan<Result<Listed>> {
  const got = yield* ask(call(listDowntimesV1, { query: { current_only: isCurrent, with_creator: true } }));
  return got.ok ? toResult({ ...none, items: arrayOrEmpty(got.value) }) : got;
}

function* secondVersion(isCurrent: boolean): Plan<Result<Listed>> {
  const list = call(listDowntimes, { query: { current_only: isCurrent, include: ['created_by', 'monitor'] } });
  const got = yield* inside(everyPage(list, mostPages));
  if (!got.ok) return got;
  const { items, included, end } = got.value;
  if (end?.problem) return { ok: false, problem: end.problem };
  return toResult({ items, people: byId(included), lacks: lacksIn(got.value) });
}

/** A downtime as it is told of itself; undefined where it cannot be read. */
export function* readDowntime(by: 'v1' | 'v2', id: string, { offered }: Context): Plan<unknown> {
  if (!offered((by === 'v1' ? getDowntimeV1 : getDowntime).id)) return undefined;
  const params = { downtime_id: id };
  const got = yield* ask<unknown>(by === 'v1' ? call(getDowntimeV1, params) : call(getDowntime, params));
  return got.ok ? (by === 'v1' ? got.value : toObject(got.value).data) : undefined;
}

/** The note on downtimes that are missing. */
export const unreadDowntimes = (cause: string): string => `some downtimes could not be read: ${cause}`;

/** What a downtime says of itself, and whom it is for, as its version has them. */
export function downtimeParts(by: Mute['by'], value: unknown) {
  const downtime = toObject(value);
  const attributes = by === 'v1' ? downtime : toObject(downtime.attributes);
  return { downtime, attributes, target: by === 'v1' ? downtime : toObject(attributes.monitor_identifier) };
}

/** A mute with the author, reason and targets of its downtime; `people` are those that one of the second version names. */
export function toldMute(mute: Mute, value: unknown, people: People = new Map()): Mute {
  const { downtime, attributes, target } = downtimeParts(mute.by, value);
  const isFirst = mute.by === 'v1';
  const tags = arrayOrEmpty(target.monitor_tags).flatMap((tag) => toText(tag) ?? []);
  const isOwn = toId(target.monitor_id) === mute.monitor;
  const by = toId(
    isFirst ? downtime.creator_id : toObject(toObject(toObject(downtime.relationships).created_by).data).id,
  );
  const person = isFirst ? downtime.creator : people.get(by ?? '')?.attributes;
  return {
    ...mute,
    wide: !isOwn,
    ...(isOwn ? {} : { over: taggedWords(tags) }),
    ...present({
      twin: toText(downtime.uuid),
      why: toText(attributes.message)?.trim() || undefined,
      who: creatorName(person) ?? (by === undefined ? undefined : `user ${by}`),
    }),
    tells: endStates(attributes),
    ...repeatsIn(attributes.schedule),
  };
}

function repeatsIn(value: unknown): Pick<Mute, 'repeats'> {
  const { timezone, recurrences } = toObject(value);
  const rules = arrayOrEmpty(recurrences).map((entry) => {
    const { start, duration, rrule } = toObject(entry);
    return { start: toText(start) ?? '', duration: toText(duration) ?? '', rrule: toText(rrule) ?? '' };
  });
  return rules.length > 0 ? { repeats: { zone: toText(timezone) ?? 'UTC', rules } } : {};
}

/** In which states the end of a downtime notifies. */
function endStates({
  notify_end_types: types,
  notify_end_states: states,
}: Readonly<Record<string, unknown>>): string[] {
  if (Array.isArray(types) && !types.includes('expired')) return [];
  return Array.isArray(states) ? states.map((state) => String(state).toLowerCase()) : ['alert', 'no data', 'warn'];
}

/** What a downtime over tags silences: `every monitor tagged service:checkout-api`. */
export function taggedWords(tags: readonly string[]): string {
  const named = tags.filter((tag) => tag !== '*');
  return named.length === 0 ? 'every monitor of the organization' : `every monitor tagged ${named.join(' and ')}`;
}

/** Monitors by their ids, each with its mutes of both versions; where none can be read alone, of its id nothing else is known. */
export const findMonitors = (ids: readonly string[]): Source<MonitorRow> => ({
  key: `monitors ${ids.join()}`,
  of: ['monitor', 'downtime', 'downtime_match'],
  *plan(context): Plan<Result<Rows<MonitorRow>>, Rows<MonitorRow>> {
    const rows: MonitorRow[] = [];
    const notes: string[] = [];
    for (const id of ids) {
      const now = yield* readMonitorWhole(id, context);
      if (now.ok) {
        rows.push(now.value.row);
        notes.push(...now.value.notes);
      } else if (isNotOffered(now.problem)) rows.push(bareMonitor(id));
      else if (now.problem.kind !== 'notFound') return now;
    }
    return toResult({ rows, notes });
  },
});
