import { ask, call, inside, type Plan } from '../../src/api/endpoint.ts';
import { getMonitor } from '../../src/api/monitors.ts';
import { type Problem, type Result, toResult } from '../../src/api/problem.ts';
import { type Context, type Rows, type Source, withMissing } from '../../src/describe/context.ts';
import { type LedgerRow, quietRow } from './ledger-row.ts';
import { distinct, hasEnded, isNamed, isSameScope, type Mute } from './mutes.ts';
import { downtimeMute, type MonitorRow, readMonitor, toId, toInstant, toObject } from './row.ts';
import {
  downtimeParts,
  listedDowntimes,
  type People,
  readDowntime,
  toldMute,
  unreadDowntimes,
} from './whole-monitor.ts';

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
    const rows = read.value.rows.filter((mute) => hasEnded(mute, context.now) && !hasEnded(mute, context.now - day));
    return { ...read, value: { ...read.value, rows } };
  },
};

/** Both versions; one that is not offered has none. A version that fails leaves the other, with a note. */
function* readDowntimes(context: Context, isCurrent: boolean): Plan<Result<Rows<Mute>>, Rows<Mute>> {
  const mutes: Mute[] = [];
  const causes: string[] = [];
  const problems: Problem[] = [];
  for (const by of ['v1', 'v2'] as const) {
    const got = yield* listedDowntimes(by, isCurrent, context);
    if (!got.ok) {
      problems.push(got.problem);
      causes.push(got.problem.text);
      continue;
    }
    const { items, people, lacks } = got.value;
    mutes.push(...items.flatMap((item) => muteOf(by, item, people) ?? []));
    if (lacks) causes.push(lacks);
  }
  const [problem, other] = problems;
  if (problem && other) return { ok: false, problem };
  const notes = causes.map(unreadDowntimes);
  const byMonitor = Map.groupBy(mutes, (mute) => mute.monitor);
  const rows = [...byMonitor.values()].flatMap(distinct);
  return toResult({ rows, notes, ...withMissing(notes) });
}

/** A downtime as a mute; one that was canceled has ended then, whatever end it had. */
function muteOf(by: 'v1' | 'v2', value: unknown, people?: People): Mute | undefined {
  const { downtime, attributes, target } = downtimeParts(by, value);
  const schedule = toObject(attributes.schedule);
  const told = { ...attributes, ...schedule, ...toObject(schedule.current_downtime), id: downtime.id };
  const mute = downtimeMute(by, told, toId(target.monitor_id) ?? '', false);
  return mute && toldMute({ ...mute, end: toInstant(attributes.canceled) ?? mute.end }, value, people);
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
  const by = /^\d+$/.test(id) ? 'v1' : /^[0-9a-f-]{36}$/i.test(id) ? 'v2' : undefined;
  const told = by && (yield* readDowntime(by, id, context));
  const mute = by && told ? muteOf(by, told) : undefined;
  if (!by || !mute) return undefined;
  const { canceled, status, disabled } = downtimeParts(by, told).attributes;
  const isOff = canceled != null || ['canceled', 'ended'].includes(String(status)) || disabled === true;
  const end = isOff ? Math.min(mute.end ?? context.now, context.now) : mute.end;
  const row = mute.monitor === '' ? undefined : yield* monitorWith(mute.monitor, context);
  return rowOf(id, { ...mute, end }, row ? [row] : [], hasEnded({ end }, context.now));
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
