import type { Foresight } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { plural } from '../../src/lib/text.ts';
import { covers, endWords, isLater, isSameScope, lastOf, type Mute, mutesOf, source, untilWords } from './mutes.ts';
import { isRed, type MonitorRow } from './row.ts';
import { endsAt, type Until } from './until.ts';

type Moment = Pick<Context, 'now' | 'zone'>;

/** What a mute of these monitors would do: its end, the groups that it hits, and the mutes that already cover them. */
export function foreseen(
  rows: readonly MonitorRow[],
  values: { readonly until: Until; readonly scope: string },
  context: Moment,
): Foresight {
  const end = endsAt(values.until, context.now);
  const hit = rows.flatMap((row) => row.groups.filter((group) => covers(values.scope, group.name)));
  const alerting = hit.filter((group) => isRed(group.state)).length;
  const isAlerting = alerting > 0 || rows.some((row) => hit.length === 0 && isRed(row.state));
  const groups = hit.length === 0 ? [] : [plural(hit.length, 'group'), `${alerting} alerting`];
  const monitors = rows.length > 1 ? [plural(rows.length, 'monitor')] : [];
  const what = [...monitors, ...groups].join(', ');
  const [row] = rows;
  const others =
    rows.length > 1 || !row ? ofSeveral(rows, values.scope, end, context) : ofOne(row, values.scope, end, context);
  const isUnread = rows.some((one) => one.partial);
  const after = isAlerting && end !== null && !others.isLonger ? '; notifies again then if still alerting' : '';
  const unread = isUnread ? '; its groups and mutes are not read yet' : '';
  const text = `${what === '' ? '' : `${what}; `}${others.text}${after}${unread}`;
  return { end: untilWords(end, context), text, isWarning: others.isWarning };
}

interface Others {
  readonly text: string;
  readonly isWarning: boolean;
  /** What is there lasts longer, so the new end does not count. */
  readonly isLonger: boolean;
}

/** The mute that lasts longest over a scope, of those that are there. */
export const longestOver = (mutes: readonly Mute[], scope: string, now: number): Mute | undefined =>
  lastOf(mutesOf({ mutes }, now).filter((mute) => covers(mute.scope, scope)));

function ofOne(row: MonitorRow, scope: string, end: number | null, context: Moment): Others {
  const over = longestOver(row.mutes, scope, context.now);
  if (!over) return { text: 'no other mute covers it', isWarning: false, isLonger: false };
  const last = over.end === null ? 'forever' : endWords(over.end, context);
  if (!isLater(over.end, end))
    return { text: `already muted ${untilWords(over.end, context)}`, isWarning: false, isLonger: false };
  // Only a mute of the same scope is replaced; any other one stays.
  return over.by === 'mute' && isSameScope(over.scope, scope)
    ? { text: `SHORTENS its mute, now ${last}`, isWarning: true, isLonger: false }
    : {
        text: `stays muted ${untilWords(over.end, context)} by ${source(over, 'another')}`,
        isWarning: true,
        isLonger: true,
      };
}

function ofSeveral(rows: readonly MonitorRow[], scope: string, end: number | null, context: Moment): Others {
  const over = rows.flatMap((row) => longestOver(row.mutes, scope, context.now) ?? []);
  const longer = over.filter((mute) => isLater(mute.end, end));
  if (longer.length === 0) {
    const text = over.length === 0 ? 'none is muted yet' : `${over.length} already muted, none longer`;
    return { text, isWarning: false, isLonger: false };
  }
  const last = untilWords(lastOf(longer)?.end ?? null, context);
  const stay = longer.length === 1 ? 'stays' : 'stay';
  return { text: `${longer.length} ${stay} muted longer (${last})`, isWarning: true, isLonger: false };
}
