import { getDowntime, getDowntimeV1, listDowntimes, listDowntimesV1 } from '../../src/api/downtimes.ts';
import { ask, call, inside, isNotOffered, type Plan } from '../../src/api/endpoint.ts';
import type { Included } from '../../src/api/envelope.ts';
import { getMonitor } from '../../src/api/monitors.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { type Context, type Rows, type Source, withMissing } from '../../src/describe/context.ts';
import { type LedgerRow, quietRow } from './ledger-row.ts';
import { distinct, isNamed, isSameScope, type Mute } from './mutes.ts';
import { arrayOrEmpty, downtimeMute, type MonitorRow, readMonitor, toId, toInstant, toObject } from './row.ts';
import { firstTold, readSecondVersion, secondTold, unreadDowntimes } from './whole-monitor.ts';

/** Every current downtime of the organization, each once, with who, why and what it covers. `monitor` is empty where it covers several. */
export const downtimes: Source<Mute> = {
  key: 'downtimes',
  of: ['downtime', 'monitor'],
  plan: (context) => readDowntimes(context, true),
};

const day = 86_400_000;

/** The downtimes that ended or were canceled within the last day: the service keeps them for about two. */
export const endedDowntimes: Source<Mute> = {
  key: 'ended downtimes',
  of: ['downtime', 'monitor'],
  *plan(context) {
    const read = yield* readDowntimes(context, false);
    if (!read.ok) return read;
    const hasEnded = ({ end }: Mute) => end !== null && end <= context.now && end > context.now - day;
    return { ...read, value: { ...read.value, rows: read.value.rows.filter(hasEnded) } };
  },
};

/** Both versions; one that is not offered has none. A version that fails leaves the other, with a note. */
function* readDowntimes(context: Context, isCurrent: boolean): Plan<Result<Rows<Mute>>, Rows<Mute>> {
  const first = yield* firstVersion(context, isCurrent);
  const second = yield* secondVersion(context, isCurrent);
  const failed = [first, second].filter((read) => !read.ok);
  if (failed.length === 2 && failed[0]) return failed[0];
  const lacks = second.ok ? second.value.lacks : undefined;
  const causes = [...failed.map((read) => (read.ok ? '' : read.problem.text)), ...(lacks ? [lacks] : [])];
  const notes = causes.map(unreadDowntimes);
  const mutes = [...(first.ok ? first.value : []), ...(second.ok ? second.value.mutes : [])];
  const byMonitor = Map.groupBy(mutes, (mute) => mute.monitor);
  const rows = [...byMonitor.values()].flatMap(distinct);
  return toResult({ rows, notes, ...withMissing(notes) });
}

const none: Result<readonly Mute[]> = toResult([]);

function* firstVersion(context: Context, isCurrent: boolean): Plan<Result<readonly Mute[]>> {
  if (!context.offered(listDowntimesV1.id)) return none;
  const got = yield* ask(call(listDowntimesV1, { query: { current_only: isCurrent, with_creator: true } }));
  if (!got.ok) return isNotOffered(got.problem) ? none : got;
  return { ...got, value: arrayOrEmpty(got.value).flatMap((told) => muteOfV1(told) ?? []) };
}

/** A downtime of the first version as a mute. */
function muteOfV1(told: unknown): Mute | undefined {
  const downtime = toObject(told);
  const mute = downtimeMute('v1', downtime, toId(downtime.monitor_id) ?? '', false);
  return mute && firstTold(canceledThen(mute, downtime.canceled), told);
}

/** A downtime of the second version as a mute; `people` are those that it names. */
function muteOfV2(item: unknown, people: ReadonlyMap<string, Included> = new Map()): Mute | undefined {
  const downtime = toObject(item);
  const attributes = toObject(downtime.attributes);
  const schedule = toObject(attributes.schedule);
  const times = { ...schedule, ...toObject(schedule.current_downtime) };
  const { monitor_id } = toObject(attributes.monitor_identifier);
  const told = { ...times, id: downtime.id, scope: attributes.scope };
  const mute = downtimeMute('v2', told, toId(monitor_id) ?? '', false);
  return mute && secondTold(canceledThen(mute, attributes.canceled), item, people);
}

/** One that was canceled has ended then, whatever end it had. */
const canceledThen = (mute: Mute, canceled: unknown): Mute => ({ ...mute, end: toInstant(canceled) ?? mute.end });

/** Those of the second version. */
function* secondVersion(
  context: Context,
  isCurrent: boolean,
): Plan<Result<{ readonly mutes: readonly Mute[]; readonly lacks?: string | undefined }>> {
  const none = toResult({ mutes: [] });
  if (!context.offered(listDowntimes.id)) return none;
  const got = yield* readSecondVersion(isCurrent);
  if (!got.ok) return isNotOffered(got.problem) ? none : got;
  const { items, people, lacks } = got.value;
  return toResult({ lacks, mutes: items.flatMap((item) => muteOfV2(item, people) ?? []) });
}

/** Mutes by their ids: those of the list, and of others what the service still tells of them, as far as they are over. */
export const findLedgerRows = (ids: readonly string[], all: Source<LedgerRow>): Source<LedgerRow> => ({
  key: `mutes ${ids.join()}`,
  of: all.of,
  *plan(context): Plan<Result<Rows<LedgerRow>>, Rows<LedgerRow>> {
    const listed = yield* inside(all.plan(context));
    if (!listed.ok) return listed;
    const rows: LedgerRow[] = [];
    for (const id of ids) {
      const row =
        listed.value.rows.find((one) => one.id === id || isNamed(one.mute, id)) ?? (yield* unlisted(id, context));
      if (row) rows.push({ ...row, id });
    }
    return { ...listed, value: { ...listed.value, rows } };
  },
});

/** A mute that is not listed; undefined where the service knows none of this id. */
function* unlisted(id: string, context: Context): Plan<LedgerRow | undefined> {
  const [, monitor, scope] = /^mute (\S+) (.+)$/.exec(id) ?? [];
  if (monitor !== undefined && scope !== undefined) {
    const row = yield* monitorWith(monitor, context);
    if (!row || row.mutes.some((mute) => mute.by === 'mute' && isSameScope(mute.scope, scope))) return undefined;
    return rowOf(id, { monitor, by: 'mute', scope, end: context.now, wide: false }, [row], true);
  }
  if (/^\d+$/.test(id) && context.offered(getDowntimeV1.id)) {
    const got = yield* ask(call(getDowntimeV1, { downtime_id: id }));
    return got.ok ? yield* downtimeRow(id, muteOfV1(got.value), got.value, context) : undefined;
  }
  if (/^[0-9a-f-]{36}$/i.test(id) && context.offered(getDowntime.id)) {
    const got = yield* ask(call(getDowntime, { downtime_id: id }));
    const told = got.ok ? toObject(got.value).data : undefined;
    return told ? yield* downtimeRow(id, muteOfV2(told), toObject(told).attributes, context) : undefined;
  }
  return undefined;
}

/** The row of a downtime; one that was canceled, and a rule without a further window, has ended. */
function* downtimeRow(
  id: string,
  mute: Mute | undefined,
  told: unknown,
  context: Context,
): Plan<LedgerRow | undefined> {
  if (!mute) return undefined;
  const { canceled, status, disabled } = toObject(told);
  const hasEnded = canceled != null || ['canceled', 'ended'].includes(String(status)) || disabled === true;
  const end = hasEnded ? Math.min(mute.end ?? context.now, context.now) : mute.end;
  const row = mute.monitor === '' ? undefined : yield* monitorWith(mute.monitor, context);
  return rowOf(id, { ...mute, end }, row ? [row] : [], end !== null && end <= context.now);
}

function* monitorWith(id: string, context: Context): Plan<MonitorRow | undefined> {
  const got = yield* ask(call(getMonitor, { monitor_id: id, query: { with_downtimes: true } }));
  return got.ok ? readMonitor(got.value, context.now) : undefined;
}

const rowOf = (id: string, mute: Mute, monitors: readonly MonitorRow[], isOver: boolean): LedgerRow => ({
  ...quietRow(mute, monitors),
  id,
  ...(isOver && { isOver }),
});
