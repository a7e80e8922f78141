import type { Extent, Foresight } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import type { Window } from '../../src/lib/recurrence.ts';
import { plural } from '../../src/lib/text.ts';
import { spans } from '../../src/lib/time.ts';
import { type Extended, endIgnored, extendReceipt, noSuchMute } from './extend-mute.ts';
import { endsAt, isAhead, type MuteTime, type MuteWindow, type TimeContext, windowsAhead } from './mute-until.ts';
import {
  covers,
  distinct,
  endWords,
  findMutes,
  isLater,
  isSameEnd,
  isSameScope,
  longerOver,
  longestOver,
  type Mute,
  muteSource,
  pagesAgainAt,
  scopedName,
  untilWords,
  withoutKey,
} from './mutes.ts';
import { coveredBy, type MonitorRow, redNames } from './row.ts';

/** What a mute of these monitors would do: its end, the groups that it hits, and the mutes that already cover them. */
export function foreseen(
  rows: readonly MonitorRow[],
  values: { readonly until: MuteTime; readonly scope: string },
  context: TimeContext,
): Foresight {
  if (isAhead(values.until)) return foreseenAhead(rows, values.until, values.scope, context);
  const end = endsAt(values.until, context.now);
  const { groups, notifies, others, unread } = hitBy(rows, values.scope, end, context);
  const all = plural(rows.length, 'monitor');
  const monitors = rows.length > 1 ? [others.kept > 0 ? `${rows.length - others.kept} of ${all}` : all] : [];
  const what = [...monitors, ...groups].join(', ');
  const after = notifies ? '; notifies again then if still alerting' : '';
  const text = `${what === '' ? '' : `${what}; `}${others.text}${after}${unread}`;
  return { end: untilWords(end, context), text, isWarning: others.isWarning };
}

/** What windows ahead would hit, if it were now. */
function foreseenAhead(rows: readonly MonitorRow[], until: MuteWindow, scope: string, context: TimeContext): Foresight {
  const hit = sum(rows, (row) => hitGroups(row, scope).groups);
  const what = [
    ...(rows.length > 1 ? [plural(rows.length, 'monitor')] : []),
    ...(hit > 0 ? [plural(hit, 'group')] : []),
  ];
  const text = what.length === 0 ? '' : `${what.join(', ')} as of now`;
  return { end: windowsAhead(until, context), text, isWarning: false };
}

/** What the question before a mute says of it. */
export function muteExtent(
  rows: readonly MonitorRow[],
  { until, scope }: { readonly until: MuteTime; readonly scope: string },
  context: TimeContext,
): Extent {
  const on = scope === '*' ? '' : `on ${scope} `;
  if (isAhead(until)) {
    const { end, text } = foreseenAhead(rows, until, scope, context);
    return { how: `${on}${end}`, hits: text };
  }
  const end = endsAt(until, context.now);
  const { groups, others, unread } = hitBy(rows, scope, end, context);
  const length = until.kind === 'for' ? ` (${spans(until.ms)})` : '';
  const told = others.isWarning ? [others.text] : [];
  return {
    how: `${on}${untilWords(end, context)}${length}`,
    hits: [groups.join(', '), ...told].filter(Boolean).join('; ') + unread,
  };
}

/** The groups that a mute hits, and what covers them already. */
function hitBy(rows: readonly MonitorRow[], scope: string, end: number | null, context: TimeContext) {
  // Of several, those that keep a longer mute are left as they are.
  const hitRows = rows.length > 1 ? rows.filter((row) => !longerOver(row.mutes, scope, end, context.now)) : rows;
  const all = hitRows.map((row) => hitGroups(row, scope));
  const hit = sum(all, ({ groups }) => groups);
  const alerting = sum(all, (one) => one.alerting);
  const [row] = rows;
  return {
    groups: hit === 0 ? [] : [plural(hit, 'group'), `${alerting} alerting`],
    notifies: end !== null && hitRows.some((one) => notifiesAfter(one, scope, end, context)),
    others: rows.length > 1 || !row ? ofSeveral(rows, scope, end, context) : ofOne(row, scope, end, context),
    unread: rows.some((one) => one.partial) ? '; its groups and mutes are not read yet' : '',
  };
}

/** Whether a group that alerts notifies at the end of a mute: no other mute over it, but that of the same scope, which is replaced, lasts longer. */
function notifiesAfter(row: MonitorRow, scope: string, end: number, { now }: TimeContext): boolean {
  const mutes = distinct([...withoutKey(row.mutes, scope), { monitor: row.id, by: 'mute', scope, end, wide: false }]);
  const isLast = (at: number | undefined) => at !== undefined && !isLater(at, end);
  return redNames(row).some((name) => covers(scope, name) && isLast(pagesAgainAt(mutes, name, now)));
}

/** How many groups of a monitor a mute hits, and how many of them alert. */
export const hitGroups = (row: MonitorRow, scope: string) => ({
  groups: coveredBy([scope], row),
  alerting: row.groups.red.filter((name) => covers(scope, name)).length,
});

/** The sum of what is counted in each. */
export const sum = <T>(all: readonly T[], count: (one: T) => number): number =>
  all.reduce((so, one) => so + count(one), 0);

interface Others {
  readonly text: string;
  readonly isWarning: boolean;
  /** Of several monitors, those that keep a longer mute. */
  readonly kept: number;
}

const overlaps = (one: string, other: string): boolean => covers(one, other) || covers(other, one);

const calm = (text: string): Others => ({ text, isWarning: false, kept: 0 });

function ofOne(row: MonitorRow, scope: string, end: number | null, context: TimeContext): Others {
  const over = longestOver(row.mutes, scope, context.now);
  if (!over) return calm('no other mute covers it');
  const until = untilWords(over.end, context);
  if (!isLater(over.end, end)) return calm(`already muted ${until}`);
  // Only a mute of the same scope is replaced; any other one stays.
  const isReplaced = over.by === 'mute' && isSameScope(over.scope, scope);
  const last = over.end === null ? 'has no end' : `ends ${endWords(over.end, context)}`;
  const text = isReplaced
    ? `shortens the current mute, which ${last}`
    : `stays muted ${until} by ${muteSource(over, 'another')}`;
  return { text, isWarning: true, kept: 0 };
}

function ofSeveral(rows: readonly MonitorRow[], scope: string, end: number | null, context: TimeContext): Others {
  const over = rows.flatMap((row) => longestOver(row.mutes, scope, context.now) ?? []);
  const longer = over.filter((mute) => isLater(mute.end, end));
  if (longer.length === 0) {
    const muted = rows.filter((row) => findMutes(row, context.now).some((mute) => overlaps(mute.scope, scope))).length;
    const whole = over.length > 0 && `${over.length} already muted, none longer`;
    const part = muted > over.length && `${muted - over.length} ${whole ? '' : 'muted '}in part`;
    return calm([whole, part].filter(Boolean).join(', ') || 'none is muted yet');
  }
  return { text: longerWords(longer, context), isWarning: true, kept: longer.length };
}

/** Ends that are told one by one; of more, the first and the last are. */
const mostEnds = 3;

/** `1 stays muted longer (until 09:00 UTC)`, `3 stay muted longer (2 until 09:00 UTC, 1 forever)`. */
function longerWords(mutes: readonly Mute[], context: TimeContext): string {
  const byEnd = Map.groupBy(
    mutes.toSorted((one, other) => (one.end ?? Infinity) - (other.end ?? Infinity)),
    ({ end }) => untilWords(end, context),
  );
  const ends = [...byEnd.keys()];
  const each = ends.map((end) => `${byEnd.get(end)?.length} ${end}`).join(', ');
  const which = ends.length === 1 ? ends[0] : ends.length > mostEnds ? `${ends[0]} … ${ends.at(-1)}` : each;
  return `${mutes.length} ${mutes.length === 1 ? 'stays' : 'stay'} muted longer (${which})`;
}

/** The answer of a mute. */
export interface Muted {
  readonly way: 'mute' | 'v1' | 'v2';
  readonly scope: string;
  /** Milliseconds since the epoch, null = forever. */
  readonly asked: number | null;
  /** The end that the answer shows; undefined = it shows no such mute. */
  readonly shown: number | null | undefined;
  /** Of the downtime that was made. */
  readonly id?: string;
  /** What it is called where it is over a tag. */
  readonly over?: string;
  /** The mute of the same scope that was there before, where it was not a downtime. */
  readonly replaced?: Mute;
  readonly mutes: readonly Mute[];
  /** The longer mute that stays; nothing was sent. */
  readonly kept?: Mute;
  /** The mute that was there and has the new end. */
  readonly moved?: Extended;
  /** Windows that lie ahead: the first one as it was asked for, and its start as the answer shows it. */
  readonly planned?: { readonly until: MuteWindow; readonly asked: Window; readonly start?: number };
  /** A sentence that the receipt ends with. */
  readonly warning?: string;
}

/** `Muted disk full until 04:12 UTC`, from what the answer shows: the end that counts, whichever mute decides it. */
export function muteReceipt(row: MonitorRow, muted: Muted, reason: string, context: Context): Receipt {
  if (muted.planned) return planReceipt(row, muted, muted.planned, context);
  if (muted.moved) {
    const kept = reason === '' ? '' : ', and the reason is not kept';
    const was = `; it was muted ${untilWords(muted.moved.mute.end, context)}${kept}: --add mutes it a second time`;
    return receipt`${extendReceipt(row, muted.moved, context)}${was}`;
  }
  const says = mutedWords(row, muted, context);
  return muted.warning === undefined ? says : warning(receipt`${says}; ${muted.warning}`);
}

/** `Planned the mute of Disk: every Tue 22:00 for 2h; next …`; a warning where the answer shows another window. */
function planReceipt(
  row: MonitorRow,
  { scope, shown, id }: Muted,
  { until, asked: first, start }: NonNullable<Muted['planned']>,
  context: Context,
): Receipt {
  const subject = scopedName(scope, row);
  const plan = receipt`Planned the mute of ${subject}: ${windowsAhead(until, context)}`;
  if (id === undefined || shown === undefined)
    return warning(receipt`${plan}; the answer does not show it: look at the mutes`);
  if (isSameEnd(shown, first.end) && isSameEnd(start ?? first.start, first.start)) return plan;
  const from = start === undefined ? '' : `from ${endWords(start, context)} `;
  return warning(receipt`${plan}; the service says ${from}${untilWords(shown, context)}`);
}

function mutedWords(
  row: MonitorRow,
  { scope, asked: requestedEnd, shown, replaced, kept: keptMute, mutes }: Muted,
  context: Context,
): Receipt {
  const subject = scopedName(scope, row);
  if (keptMute) {
    const stays = receipt`Stays muted ${untilWords(keptMute.end, context)} by ${muteSource(keptMute)}: ${subject}`;
    return keptMute.end === requestedEnd ? stays : warning(stays);
  }
  const until = (end: number | null) => untilWords(end, context);
  if (shown === undefined) return noSuchMute(subject, requestedEnd, context);
  if (shown === null && requestedEnd !== null) return endIgnored(subject);
  const over = longerOver(mutes, scope, shown, context.now);
  if (over)
    return warning(
      receipt`Muted ${subject} ${until(over.end)} by ${muteSource(over, 'another')}; yours ends ${shown === null ? 'never' : endWords(shown, context)}`,
    );
  if (!isSameEnd(shown, requestedEnd))
    return warning(receipt`Muted ${subject} ${until(shown)} (requested: ${until(requestedEnd)})`);
  if (replaced && isLater(replaced.end, shown))
    return warning(
      receipt`Muted ${subject} ${until(shown)}, SHORTENED from ${replaced.end === null ? 'forever' : endWords(replaced.end, context)}`,
    );
  return receipt`Muted ${subject} ${until(shown)}`;
}

/** `Muted 7 monitors until 05:59 UTC; 3 stay muted longer (until 09:00 UTC)`. */
export function receiptOfSeveral(all: readonly Muted[], requestedEnd: number | null, context: Context): Receipt {
  const keptMutes = all.flatMap((muted) => muted.kept ?? []);
  const others = all.filter((muted) => !muted.kept);
  const odd = others.filter(
    ({ shown, scope, mutes }) =>
      shown === undefined ||
      !isSameEnd(shown, requestedEnd) ||
      longerOver(mutes, scope, requestedEnd, context.now) !== undefined,
  ).length;
  const first =
    others.length === 0
      ? 'Muted no monitor'
      : `Muted ${plural(others.length, 'monitor')} ${untilWords(requestedEnd, context)}`;
  const longer = keptMutes.length === 0 ? '' : `; ${longerWords(keptMutes, context)}`;
  const said = receipt`${first}${odd === 0 ? '' : `; ${odd} with another end: check their mutes`}${longer}`;
  return odd + keptMutes.length === 0 ? said : warning(said);
}
