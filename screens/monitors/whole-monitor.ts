import { listDowntimes, listDowntimesV1 } from '../../src/api/downtimes.ts';
import { ask, call, inside, isNotOffered, type Plan } from '../../src/api/endpoint.ts';
import { byId, type Included } from '../../src/api/envelope.ts';
import { getMonitor, listDowntimeMatches } from '../../src/api/monitors.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import type { Context, Rows, Single, Source } from '../../src/describe/context.ts';
import { everyPage, lackingText, type Pages } from '../../src/describe/resource-spec.ts';
import { present } from '../../src/lib/values.ts';
import { distinct, type Mute } from './mutes.ts';
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
  const matched = yield* secondVersion(id, context, notes);
  const told = yield* firstVersionTold(row.mutes, context, notes);
  const all = yield* secondVersionTold([...told, ...matched], context, notes);
  const mutes = distinct(all.filter((mute) => mute.end === null || mute.end > context.now));
  return { ok: true, value: { row: { ...row, mutes }, notes }, status: got.status, unread: got.unread };
}

/** Downtimes of the second version that match this monitor; `wide` until their definition has been read. */
function* secondVersion(monitor: string, context: Context, notes: string[]): Plan<readonly Mute[]> {
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

/** Adds author, reason and targets to downtimes of the first version, from one read of the current ones. */
function* firstVersionTold(mutes: readonly Mute[], context: Context, notes: string[]): Plan<readonly Mute[]> {
  if (!mutes.some((mute) => mute.by === 'v1') || !context.offered(listDowntimesV1.id)) return mutes;
  const got = yield* ask(call(listDowntimesV1, { query: { current_only: true, with_creator: true } }));
  if (!got.ok) {
    if (!isNotOffered(got.problem)) notes.push(`who made the downtimes could not be read: ${got.problem.text}`);
    return mutes;
  }
  const known = new Map(arrayOrEmpty(got.value).map((entry) => [toId(toObject(entry).id), entry]));
  return mutes.map((mute) => (mute.by === 'v1' && known.has(mute.id) ? firstTold(mute, known.get(mute.id)) : mute));
}

/** Adds the same to downtimes of the second version. */
function* secondVersionTold(mutes: readonly Mute[], context: Context, notes: string[]): Plan<readonly Mute[]> {
  if (!mutes.some((mute) => mute.by === 'v2') || !context.offered(listDowntimes.id)) return mutes;
  const got = yield* readSecondVersion(true);
  if (!got.ok) {
    if (!isNotOffered(got.problem)) notes.push(`who made the downtimes could not be read: ${got.problem.text}`);
    return mutes;
  }
  const { items, people, lacks } = got.value;
  if (lacks) notes.push(unreadDowntimes(lacks));
  const known = new Map(items.map((item) => [toId(toObject(item).id), item]));
  return mutes.map((mute) =>
    mute.by === 'v2' && known.has(mute.id) ? secondTold(mute, known.get(mute.id), people) : mute,
  );
}

/** Most pages of downtimes of the second version in one read. */
const mostPages = 10;

/** Downtimes of the second version with those who made them; `lacks`: `10 of 500`. */
export function* readSecondVersion(isCurrent: boolean): Plan<
  Result<{
    readonly items: readonly unknown[];
    readonly people: ReadonlyMap<string, Included>;
    readonly lacks: string | undefined;
  }>
> {
  const list = call(listDowntimes, { query: { current_only: isCurrent, include: ['created_by', 'monitor'] } });
  const got = yield* inside(everyPage(list, mostPages));
  if (!got.ok) return got;
  const { items, included, end } = got.value;
  if (end?.problem) return { ok: false, problem: end.problem };
  return toResult({ items, people: byId(included), lacks: lacksIn(got.value) });
}

/** The note on downtimes that are missing. */
export const unreadDowntimes = (cause: string): string => `some downtimes could not be read: ${cause}`;

/** A mute with the author, reason and targets of its downtime of the first version. */
export function firstTold(mute: Mute, value: unknown): Mute {
  const downtime = toObject(value);
  const tags = arrayOrEmpty(downtime.monitor_tags).flatMap((tag) => toText(tag) ?? []);
  const isOwn = toId(downtime.monitor_id) === mute.monitor;
  const creator =
    creatorName(downtime.creator) ??
    (toId(downtime.creator_id) === undefined ? undefined : `user ${toId(downtime.creator_id)}`);
  return {
    ...mute,
    wide: !isOwn,
    ...(isOwn ? {} : { over: taggedWords(tags) }),
    ...present({ twin: toText(downtime.uuid) }),
    ...told(downtime, creator),
  };
}

/** A mute with the author, reason and targets of its downtime of the second version. */
export function secondTold(mute: Mute, value: unknown, people: ReadonlyMap<string, Included>): Mute {
  const downtime = toObject(value);
  const attributes = toObject(downtime.attributes);
  const target = toObject(attributes.monitor_identifier);
  const tags = arrayOrEmpty(target.monitor_tags).flatMap((tag) => toText(tag) ?? []);
  const isOwn = toId(target.monitor_id) === mute.monitor;
  const by = toId(toObject(toObject(toObject(downtime.relationships).created_by).data).id);
  const person = by === undefined ? undefined : (creatorName(people.get(by)?.attributes) ?? `user ${by}`);
  return {
    ...mute,
    wide: !isOwn,
    ...(isOwn ? {} : { over: taggedWords(tags) }),
    ...told(attributes, person),
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

function told(downtime: Readonly<Record<string, unknown>>, who: string | undefined): Partial<Mute> {
  const why = toText(downtime.message)?.trim();
  const { notify_end_types: types, notify_end_states: states } = downtime;
  const isQuiet = Array.isArray(types) && !types.includes('expired');
  const told = Array.isArray(states)
    ? states.map((state) => String(state).toLowerCase())
    : ['alert', 'no data', 'warn'];
  return { ...(why ? { why } : {}), ...(who === undefined ? {} : { who }), tells: isQuiet ? [] : told };
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
