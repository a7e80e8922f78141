import type { Context } from '../../src/describe/context.ts';
import { type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import type { Window } from '../../src/lib/recurrence.ts';
import { plural } from '../../src/lib/text.ts';
import { type Extended, endIgnored, extendReceipt, noSuchMute } from './extend-mute.ts';
import { longerWords, longestOver } from './mute-foresight.ts';
import { type MuteWindow, windowsAhead } from './mute-until.ts';
import {
  covers,
  endWords,
  findMutes,
  isLater,
  lastEnd,
  type Mute,
  muteSource,
  scopedName,
  untilWords,
} from './mutes.ts';
import type { MonitorRow } from './row.ts';

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
  if (id === undefined) return warning(receipt`${plan}; the answer does not show it: look at the mutes`);
  const isOdd = shown !== first.end || (start !== undefined && Math.abs(start - first.start) > 60_000);
  if (!isOdd) return plan;
  const from = start === undefined ? '' : `from ${endWords(start, context)} `;
  return warning(receipt`${plan}; the service says ${from}${untilWords(shown ?? null, context)}`);
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
  const over = lastEnd(findMutes({ mutes }, context.now).filter((mute) => covers(mute.scope, scope)));
  if (over && isLater(over.end, shown))
    return warning(
      receipt`Muted ${subject} ${until(over.end)} by ${muteSource(over, 'another')}; yours ends ${shown === null ? 'never' : endWords(shown, context)}`,
    );
  if (shown !== null && (requestedEnd === null || Math.abs(shown - requestedEnd) > 60_000))
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
      isLater(requestedEnd, shown) ||
      isLater(longestOver(mutes, scope, context.now)?.end ?? shown, requestedEnd),
  ).length;
  const first =
    others.length === 0
      ? 'Muted no monitor'
      : `Muted ${plural(others.length, 'monitor')} ${untilWords(requestedEnd, context)}`;
  const longer = keptMutes.length === 0 ? '' : `; ${longerWords(keptMutes, context)}`;
  const said = receipt`${first}${odd === 0 ? '' : `; ${odd} with another end: check their mutes`}${longer}`;
  return odd + keptMutes.length === 0 ? said : warning(said);
}
