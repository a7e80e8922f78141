import type { Extent, Foresight } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { plural } from '../../src/lib/text.ts';
import { spans } from '../../src/lib/time-text.ts';
import { endsAt, isAhead, type MuteTime, type MuteWindow, windowsAhead } from './mute-until.ts';
import {
  covers,
  endWords,
  findMutes,
  isLater,
  isSameScope,
  lastEnd,
  type Mute,
  muteSource,
  untilWords,
} from './mutes.ts';
import { coveredBy, isRed, type MonitorRow } from './row.ts';

type Moment = Pick<Context, 'now' | 'zone'>;

/** What a mute of these monitors would do: its end, the groups that it hits, and the mutes that already cover them. */
export function foreseen(
  rows: readonly MonitorRow[],
  values: { readonly until: MuteTime; readonly scope: string },
  context: Moment,
): Foresight {
  if (isAhead(values.until)) return foreseenAhead(rows, values.until, values.scope, context);
  const end = endsAt(values.until, context.now);
  const { groups, isAlerting, others, unread } = hitBy(rows, values.scope, end, context);
  const all = plural(rows.length, 'monitor');
  const monitors = rows.length > 1 ? [others.kept > 0 ? `${rows.length - others.kept} of ${all}` : all] : [];
  const what = [...monitors, ...groups].join(', ');
  const after = isAlerting && end !== null && !others.isLonger ? '; notifies again then if still alerting' : '';
  const text = `${what === '' ? '' : `${what}; `}${others.text}${after}${unread}`;
  return { end: untilWords(end, context), text, isWarning: others.isWarning };
}

/** What windows ahead would hit, if it were now. */
function foreseenAhead(rows: readonly MonitorRow[], until: MuteWindow, scope: string, context: Moment): Foresight {
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
  context: Moment,
): Extent {
  if (isAhead(until)) {
    const { end, text } = foreseenAhead(rows, until, scope, context);
    return { how: `${scope === '*' ? '' : `on ${scope} `}${end}`, hits: text };
  }
  const end = endsAt(until, context.now);
  const { groups, others, unread } = hitBy(rows, scope, end, context);
  const length = until.kind === 'for' ? ` (${spans(until.ms)})` : '';
  const told = others.isWarning ? [others.text] : [];
  return {
    how: `${scope === '*' ? '' : `on ${scope} `}${untilWords(end, context)}${length}`,
    hits: [groups.join(', '), ...told].filter(Boolean).join('; ') + unread,
  };
}

/** The groups that a mute hits, and what covers them already. */
function hitBy(rows: readonly MonitorRow[], scope: string, end: number | null, context: Moment) {
  // Of several, those that keep a longer mute are left as they are.
  const hitRows = rows.length > 1 ? rows.filter((row) => !longerOver(row, scope, end, context)) : rows;
  const all = hitRows.map((row) => hitGroups(row, scope));
  const hit = sum(all, ({ groups }) => groups);
  const alerting = sum(all, (one) => one.alerting);
  const [row] = rows;
  return {
    groups: hit === 0 ? [] : [plural(hit, 'group'), `${alerting} alerting`],
    isAlerting: alerting > 0 || (hit === 0 && hitRows.some((one) => isRed(one.state))),
    others: rows.length > 1 || !row ? ofSeveral(rows, scope, end, context) : ofOne(row, scope, end, context),
    unread: rows.some((one) => one.partial) ? '; its groups and mutes are not read yet' : '',
  };
}

/** How many groups of a monitor a mute hits, and how many of them alert. */
export const hitGroups = (row: MonitorRow, scope: string) => ({
  groups: coveredBy([scope], row),
  alerting: row.groups.red.filter((name) => covers(scope, name)).length,
});

const sum = <T>(all: readonly T[], count: (one: T) => number): number => all.reduce((so, one) => so + count(one), 0);

interface Others {
  readonly text: string;
  readonly isWarning: boolean;
  /** What is there lasts longer, so the new end does not count. */
  readonly isLonger: boolean;
  /** Of several monitors, those that keep a longer mute. */
  readonly kept: number;
}

/** The mute that lasts longest over a scope, of those that are there. */
export const longestOver = (mutes: readonly Mute[], scope: string, now: number): Mute | undefined =>
  lastEnd(findMutes({ mutes }, now).filter((mute) => covers(mute.scope, scope)));

function ofOne(row: MonitorRow, scope: string, end: number | null, context: Moment): Others {
  const over = longestOver(row.mutes, scope, context.now);
  if (!over) return { text: 'no other mute covers it', isWarning: false, isLonger: false, kept: 0 };
  const last = over.end === null ? 'has no end' : `ends ${endWords(over.end, context)}`;
  if (!isLater(over.end, end))
    return { text: `already muted ${untilWords(over.end, context)}`, isWarning: false, isLonger: false, kept: 0 };
  // Only a mute of the same scope is replaced; any other one stays.
  return over.by === 'mute' && isSameScope(over.scope, scope)
    ? { text: `shortens the current mute, which ${last}`, isWarning: true, isLonger: false, kept: 0 }
    : {
        text: `stays muted ${untilWords(over.end, context)} by ${muteSource(over, 'another')}`,
        isWarning: true,
        isLonger: true,
        kept: 0,
      };
}

/** The mute of a row over a scope that lasts longer than this end; undefined where none does. */
function longerOver(row: MonitorRow, scope: string, end: number | null, { now }: Moment): Mute | undefined {
  const over = longestOver(row.mutes, scope, now);
  return over && isLater(over.end, end) ? over : undefined;
}

function ofSeveral(rows: readonly MonitorRow[], scope: string, end: number | null, context: Moment): Others {
  const over = rows.flatMap((row) => longestOver(row.mutes, scope, context.now) ?? []);
  const longer = rows.flatMap((row) => longerOver(row, scope, end, context) ?? []);
  if (longer.length === 0) {
    const text = over.length === 0 ? 'none is muted yet' : `${over.length} already muted, none longer`;
    return { text, isWarning: false, isLonger: false, kept: 0 };
  }
  return { text: longerWords(longer, context), isWarning: true, isLonger: false, kept: longer.length };
}

/** Ends that are told one by one; of more, the first and the last are. */
const mostEnds = 3;

/** `1 stays muted longer (until 09:00 UTC)`, `3 stay muted longer (2 until 09:00 UTC, 1 forever)`. */
export function longerWords(mutes: readonly Mute[], context: Moment): string {
  const byEnd = Map.groupBy(
    mutes.toSorted((one, other) => (one.end ?? Infinity) - (other.end ?? Infinity)),
    ({ end }) => untilWords(end, context),
  );
  const ends = [...byEnd.keys()];
  const each = ends.map((end) => `${byEnd.get(end)?.length} ${end}`).join(', ');
  const which = ends.length === 1 ? ends[0] : ends.length > mostEnds ? `${ends[0]} … ${ends.at(-1)}` : each;
  return `${mutes.length} ${mutes.length === 1 ? 'stays' : 'stay'} muted longer (${which})`;
}
