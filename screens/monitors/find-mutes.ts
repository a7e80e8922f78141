import { getDowntime, getDowntimeV1 } from '../../src/api/downtimes.ts';
import { call } from '../../src/api/endpoint.ts';
import { getMonitor } from '../../src/api/monitors.ts';
import { ask, inside, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Rows, Source } from '../../src/describe/source.ts';
import { muteOfV1, muteOfV2 } from './downtimes.ts';
import type { LedgerRow } from './ledger-row.ts';
import { isSameScope, type Mute } from './mutes.ts';
import { type MonitorRow, readMonitor, toInstant, toObject } from './row.ts';

/** Mutes by their ids: those of the list, and of others what the service still tells of them, as far as they are over. */
export const findLedgerRows = (ids: readonly string[], all: Source<LedgerRow>): Source<LedgerRow> => ({
  key: `mutes ${ids.join()}`,
  of: all.of,
  *plan(context): Plan<Result<Rows<LedgerRow>>, Rows<LedgerRow>> {
    const listed = yield* inside(all.plan(context));
    if (!listed.ok) return listed;
    const rows: LedgerRow[] = [];
    for (const id of ids) {
      const row = listed.value.rows.find((one) => one.id === id) ?? (yield* unlisted(id, context));
      if (row) rows.push(row);
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

/** The row of a downtime; one that was canceled has ended then, whatever end it had. */
function* downtimeRow(
  id: string,
  mute: Mute | undefined,
  told: unknown,
  context: Context,
): Plan<LedgerRow | undefined> {
  if (!mute) return undefined;
  const { canceled, status, disabled } = toObject(told);
  const isCanceled = (canceled !== null && canceled !== undefined) || status === 'canceled' || disabled === true;
  const end = isCanceled ? (toInstant(canceled) ?? context.now) : mute.end;
  const row = mute.monitor === '' ? undefined : yield* monitorWith(mute.monitor, context);
  return rowOf(id, { ...mute, end }, row ? [row] : [], end !== null && end <= context.now);
}

function* monitorWith(id: string, context: Context): Plan<MonitorRow | undefined> {
  const got = yield* ask(call(getMonitor, { monitor_id: id, query: { with_downtimes: true } }));
  return got.ok ? readMonitor(got.value, context.now) : undefined;
}

const rowOf = (id: string, mute: Mute, monitors: readonly MonitorRow[], isOver: boolean): LedgerRow => ({
  id,
  mute,
  monitors,
  ...{ groups: 0, alerting: 0, notifies: false },
  ...(isOver && { isOver }),
});
