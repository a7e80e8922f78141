import type { Context, LoggedEdit } from '../../src/describe/context.ts';
import { plural } from '../../src/lib/text.ts';
import {
  covers,
  findMutes,
  isAlike,
  isLive,
  type Mute,
  notifiesIn,
  pagesAgainAt,
  scopedText,
  whileMutesLast,
} from './mutes.ts';
import { coveredBy, type MonitorRow, redNames, stateOf } from './row.ts';

/** A mute or downtime of the organization, with the listed monitors that it silences. */
export interface LedgerRow {
  readonly id: string;
  /** As one of its monitors shows it, with who and why where the service tells. */
  readonly mute: Mute;
  readonly monitors: readonly MonitorRow[];
  /** Groups that it silences, and those of them that alert; a monitor without groups counts as one. */
  readonly groups: number;
  readonly alerting: number;
  /** Whether the mute is the last one over a group that alerts, which notifies again at its end as far as that is told. */
  readonly notifies: boolean;
  /** It has not begun: its first window, or the next one, lies ahead. */
  readonly isAhead?: boolean;
  /** It has ended, or was ended. */
  readonly isOver?: boolean;
}

/** Every mute once, in the order of their ends, those without an end last. */
export const ledgerRows = whileMutesLast(
  (monitors: readonly MonitorRow[], downtimes: readonly Mute[], now: number): readonly LedgerRow[] => {
    const mutesByKey = new Map(downtimes.map((mute) => [keyOf(mute), mute]));
    const fuller = downtimes.filter(({ by, repeats, twin }) => by === 'v2' && (repeats ?? twin) !== undefined);
    const shown = new Map<string, { mute: Mute; over: Muted[] }>();
    for (const monitor of monitors) {
      const mutes = findMutes(monitor, now);
      for (const mute of mutes) {
        const key = keyOf(mute);
        const known = shown.get(key);
        if (known) known.over.push({ monitor, mutes });
        else
          shown.set(key, {
            mute: withTold(mute, mutesByKey.get(key) ?? fullerOf(mute, fuller)),
            over: [{ monitor, mutes }],
          });
      }
    }
    const byMonitor = Map.groupBy(
      [...shown.values()].map(({ mute }) => mute),
      ({ monitor }) => monitor,
    );
    const ids = new Set([...shown.values()].map(({ mute }) => mute.id));
    for (const [key, mute] of mutesByKey) {
      const others = byMonitor.get(mute.monitor) ?? [];
      if (shown.has(key) || ids.has(mute.id) || !isLive(mute, now) || isShown(mute, others)) continue;
      shown.set(key, { mute, over: [] });
      byMonitor.set(mute.monitor, [...others, mute]);
    }
    const ahead = Map.groupBy(
      downtimes.filter(({ start = 0 }) => start > now),
      ({ monitor }) => monitor,
    );
    const rows = [...shown].map(
      ([key, { mute, over }]): LedgerRow => ({
        id: mute.id ?? key,
        mute,
        monitors: over.map(({ monitor }) => monitor),
        ...countsOf(mute, over, ahead, now),
      }),
    );
    return rows.sort((one, other) => endOf(one.mute) - endOf(other.mute) || (one.id < other.id ? -1 : 1));
  },
);

/** A mute that silences nothing now. */
export const quietRow = (mute: Mute, monitors: readonly MonitorRow[]): LedgerRow => ({
  id: mute.id ?? keyOf(mute),
  mute,
  monitors: monitors.filter(({ id }) => id === mute.monitor),
  ...{ groups: 0, alerting: 0, notifies: false },
});

/** What is to come, the soonest first, as far as the service tells it. */
export const rowsAhead = (
  monitors: readonly MonitorRow[],
  downtimes: readonly Mute[],
  now: number,
): readonly LedgerRow[] =>
  downtimes
    .filter((mute) => !isLive(mute, now) && (mute.start ?? 0) > now)
    .map((mute) => {
      const row = quietRow(mute, monitors);
      const groups = row.monitors.reduce((sum, one) => sum + coveredBy([mute.scope], one), 0);
      return { ...row, groups, isAhead: true };
    })
    .sort((one, other) => (one.mute.start ?? 0) - (other.mute.start ?? 0));

/** What has ended, the last one first. */
export const rowsEnded = (monitors: readonly MonitorRow[], ended: readonly Mute[]): readonly LedgerRow[] =>
  ended
    .map((mute) => ({ ...quietRow(mute, monitors), isOver: true }))
    .toSorted((one, other) => endOf(other.mute) - endOf(one.mute));

/** What the second version tells of a mute that a monitor shows under the id of the first, which does not tell that it repeats. */
function fullerOf(mute: Mute, fuller: readonly Mute[]): Mute | undefined {
  const [only, other] = fuller.filter((one) =>
    one.twin === undefined ? (one.wide || one.monitor === mute.monitor) && isShown(one, [mute]) : one.twin === mute.id,
  );
  return other === undefined ? only : undefined;
}

const endOf = (mute: Mute): number => mute.end ?? Number.MAX_SAFE_INTEGER;

const keyOf = (mute: Mute): string =>
  mute.by === 'mute' ? `mute ${mute.monitor} ${mute.scope}` : `${mute.by} ${mute.id}`;

/** A mute as its monitor shows it, with what the downtime says of itself. */
const withTold = (mute: Mute, told: Mute | undefined): Mute =>
  told ? { ...told, monitor: mute.monitor, end: mute.end, wide: told.wide || mute.wide } : mute;

/** Whether a monitor shows a downtime under another id: that of the other version, or only its key of `silenced`. */
const isShown = (downtime: Mute, shown: readonly Mute[]): boolean =>
  shown.some((mute) => mute.monitor !== '' && isAlike(mute, downtime));

type Counts = Pick<LedgerRow, 'groups' | 'alerting' | 'notifies'>;

/** A monitor, and all that mutes it. */
interface Muted {
  readonly monitor: MonitorRow;
  readonly mutes: readonly Mute[];
}

/** `ahead`: what is to come of each monitor, which keeps it silent where it begins before a mute ends. */
function countsOf(
  mute: Mute,
  over: readonly Muted[],
  ahead: ReadonlyMap<string, readonly Mute[]>,
  now: number,
): Counts {
  const counts = { groups: 0, alerting: 0, notifies: false };
  for (const { monitor: row, mutes } of over) {
    const red = redUnder(mute, row, mutes);
    const all = [...mutes, ...(ahead.get(row.id) ?? [])];
    const isLast = (name: string) => {
      const state = stateOf(row, name);
      return notifiesIn(mute, state) && pagesAgainAt(all, name, now, state) === mute.end;
    };
    counts.groups += row.groups.all > 0 ? coveredBy([mute.scope], row) : Number(covers(mute.scope, '*'));
    counts.alerting += red.count;
    counts.notifies ||= mute.end !== null && red.names.some(isLast);
  }
  return counts;
}

/** The groups that alert under a mute. Where all mutes are of the whole monitor one name stands for all. */
function redUnder(
  mute: Mute,
  row: MonitorRow,
  mutes: readonly Mute[],
): { readonly names: readonly string[]; readonly count: number } {
  const names = redNames(row);
  if (mutes.every(({ scope }) => scope === '*')) return { names: names.length > 0 ? ['*'] : [], count: names.length };
  const under = names.filter((name) => covers(mute.scope, name));
  return { names: under, count: under.length };
}

/** What it silences: a monitor, groups of one, or what a downtime says of itself. */
export function coversText({ mute, monitors }: LedgerRow): string {
  const [only] = monitors;
  const some = only ? `${plural(monitors.length, 'monitor')} such as ${only.name}` : `monitor ${mute.monitor || '?'}`;
  return scopedText(mute.scope, only && !mute.wide ? only.name : (mute.over ?? some));
}

/** `3/8` groups that alert; empty where none does. */
export const alertingText = ({ alerting, groups }: LedgerRow): string =>
  alerting === 0 ? '' : `${alerting}/${groups}`;

/** Whether the owner of the keys made it. */
export function isMine({ mute }: Pick<LedgerRow, 'mute'>, { me }: Pick<Context, 'me'>): boolean {
  return (
    me !== undefined && mute.who !== undefined && [me.name, me.email, me.handle, `user ${me.id}`].includes(mute.who)
  );
}

/** Actions that set the end of a mute, and actions that end one. */
const sets: ReadonlySet<string> = new Set(['monitors.mute', 'monitors.extend']);
const ends: ReadonlySet<string> = new Set(['monitors.unmute', 'undo']);

/**
 * Whether the owner of the keys made it, also where the service does not tell who did: a list tells no creators. Then it
 * is so where the last edit of this monitor's mutes in the journal, newest first, is one that sets an end.
 */
export function isOwnMute(mute: Mute, edits: readonly LoggedEdit[], context: Pick<Context, 'me'>): boolean {
  if (mute.who !== undefined && context.me !== undefined) return isMine({ mute }, context);
  const last = edits.find(
    ({ targetId, outcome, operation }) =>
      targetId === mute.monitor && outcome === 'applied' && (sets.has(operation) || ends.has(operation)),
  );
  return last !== undefined && sets.has(last.operation);
}
