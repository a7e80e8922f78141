import * as v from 'valibot';
import type { Remaining } from '../../src/api/problem.ts';
import { quoteWord } from '../../src/describe/action.ts';
import { timestamp } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { namePart, type Receipt, receipt } from '../../src/describe/receipt.ts';
import { ruleWords } from '../../src/lib/recurrence.ts';
import { commaWords } from '../../src/lib/text.ts';
import { offsetName } from '../../src/lib/time.ts';
import { shortDayAndTime, zonedTime } from '../../src/lib/typed-time.ts';
import { present, storedTime } from '../../src/lib/values.ts';

const rule = v.object({ start: v.string(), duration: v.string(), rrule: v.string() });

/** Schema of a mute or downtime of a monitor. Plain JSON values, so that the journal can store it. */
export const keptMute = v.object({
  /** Id of the monitor that it was read from. */
  monitor: v.string(),
  /** `mute`: a key of `options.silenced`; `v1`, `v2`: a downtime of that version of the API. */
  by: v.picklist(['mute', 'v1', 'v2']),
  /** Of a downtime. */
  id: v.exactOptional(v.string()),
  /** Its id in the other version, by which an edit of ours knows what it made. */
  twin: v.exactOptional(v.string()),
  /** As `silenced` writes it: `*`, `host:web-1`, `host:web-1,env:prod`; a search expression of a downtime stays as it is. */
  scope: v.string(),
  /** Null = forever. */
  end: v.nullable(storedTime),
  start: v.exactOptional(storedTime),
  /** Whether the mute silences other monitors too. */
  wide: v.boolean(),
  /** What a wide one silences: `every monitor tagged team:core`. */
  over: v.exactOptional(v.string()),
  why: v.exactOptional(v.string()),
  who: v.exactOptional(v.string()),
  /** The rule that it repeats by; `start` and `end` are the window that runs or comes next. */
  repeats: v.exactOptional(v.object({ zone: v.string(), rules: v.array(rule) })),
  /** The states in which its end notifies, in lower case; absent where that is not told, as in a list of monitors. */
  tells: v.exactOptional(v.array(v.string())),
});
export type Mute = Readonly<v.InferOutput<typeof keptMute>>;

/** Any spelling of a scope as `silenced` spells it: parts joined by commas; `*` for the whole monitor. */
export function silencedScope(scope: unknown): string {
  const parts: readonly unknown[] = Array.isArray(scope) ? scope : [scope];
  const text = parts
    .filter((part) => typeof part === 'string' && part.trim() !== '')
    .join(',')
    .trim();
  if (text === '' || text === 'total') return '*';
  // `a:b AND c:d` of the second version; any other expression is shown as it is.
  const plain = /^[^\s()]+( AND [^\s()]+)+$/.test(text);
  return plain ? text.split(' AND ').join(',') : text;
}

/** Whether two spellings name the same scope, in whatever order its parts are. */
export function isSameScope(one: string, other: string): boolean {
  return one === other || commaWords(one).toSorted().join(',') === commaWords(other).toSorted().join(',');
}

/** Whether a scope silences a group. A search expression is not evaluated and counts as silencing. */
export function covers(scope: string, group: string): boolean {
  if (scope === '*' || scope === group || /[\s()*?]/.test(scope)) return true;
  // Asked of each group that alerts: most are told apart without taking the texts apart.
  if (!scope.includes(',') && !group.includes(scope)) return false;
  const parts = commaWords(group);
  return commaWords(scope).every((part) => parts.includes(part));
}

const isNear = (one: number | null, other: number | null): boolean =>
  one === other || (one !== null && other !== null && Math.abs(one - other) < 2000);

/**
 * What keeps a monitor silent now, each once: a `silenced` key that a downtime of the same scope and end explains is
 * that downtime, and a downtime listed in both versions is one.
 */
export function findMutes(row: { readonly mutes: readonly Mute[] }, now: number): readonly Mute[] {
  if (row.mutes.length === 0) return row.mutes;
  return distinct(row.mutes).filter((mute) => isLive(mute, now));
}

/** The mutes without that of this scope, which a mute of the scope replaces; downtimes stay. */
export const withoutKey = (mutes: readonly Mute[], scope: string): readonly Mute[] =>
  mutes.filter((mute) => mute.by !== 'mute' || !isSameScope(mute.scope, scope));

/** Whether two answers may be about one mute: same scope and end. */
export const isAlike = (one: Mute, other: Mute): boolean =>
  isNear(one.end, other.end) && isSameScope(one.scope, other.scope);

/** Whether a downtime has this id, in one version or the other. */
export const isNamed = ({ id, twin }: Mute, name: string): boolean => id === name || twin === name;

/** Whether a downtime of the first version is one of the second: by the id that it tells, else by scope and end. */
const isSame = (first: Mute, second: Mute): boolean =>
  first.twin === undefined ? isAlike(first, second) : first.twin === second.id;

/** Each mute once, also those that have not begun. */
export function distinct(mutes: readonly Mute[]): readonly Mute[] {
  if (mutes.length < 2) return mutes;
  const toldBy = (by: Mute['by']) => mutes.filter((mute) => mute.by === by);
  const [firsts, seconds] = [toldBy('v1'), toldBy('v2')];
  // Only the second version tells how a downtime repeats, and a scope that is an expression.
  const isFuller = (second: Mute, first: Mute) =>
    second.repeats !== undefined || !isSameScope(second.scope, first.scope);
  const first = firsts.filter((one) => !seconds.some((other) => isSame(one, other) && isFuller(other, one)));
  const second = seconds.flatMap((mute) => {
    const twin = firsts.find((other) => isSame(other, mute));
    if (!twin) return [mute];
    return isFuller(mute, twin) ? [{ ...mute, ...present({ twin: twin.id }) }] : [];
  });
  const downtimes = [...first, ...second];
  const keys = toldBy('mute').filter((mute) => !downtimes.some((other) => isAlike(mute, other)));
  // Two keys may be spellings of one scope.
  return [...new Map([...keys, ...downtimes].map((mute) => [mutesRowId(mute), mute])).values()];
}

/** A mute that begins so soon has begun: clocks differ. */
const soon = 1000;

/** Whether the end of a mute has passed. */
export const hasEnded = ({ end }: Pick<Mute, 'end'>, now: number): boolean => end !== null && end <= now;

/** Whether a mute silences at this moment. */
export function isLive(mute: Mute, now: number): boolean {
  return !hasEnded(mute, now) && (mute.start === undefined || mute.start <= now + soon);
}

/** When the next of the mutes begins or ends. */
function nextChange(mutes: readonly Mute[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { start, end } of mutes) {
    if (end !== null && end > now) next = Math.min(next, end);
    if (start !== undefined && start > now + soon) next = Math.min(next, start - soon);
  }
  return next;
}

interface Silenced {
  readonly mutes: readonly Mute[];
  readonly mutedUntil?: number | undefined;
}

/** Makes something of rows once for the same rows and the same `others`, until a mute of theirs begins or ends: Home asks every few seconds. */
export function whileMutesLast<Row extends Silenced, Made>(
  make: (rows: readonly Row[], others: readonly Mute[], now: number) => Made,
): typeof make {
  const cachedMutes = new WeakMap<
    readonly Row[],
    { others: readonly Mute[]; from: number; until: number; made: Made }
  >();
  return (rows, others, now) => {
    const known = cachedMutes.get(rows);
    if (known?.others === others && known.from <= now && now < known.until) return known.made;
    let until = nextChange(others, now);
    for (const { mutes, mutedUntil = 0 } of rows) {
      if (mutes.length > 0) until = Math.min(until, nextChange(mutes, now));
      if (mutedUntil > now) until = Math.min(until, mutedUntil);
    }
    const made = make(rows, others, now);
    cachedMutes.set(rows, { others, from: now, until, made });
    return made;
  };
}

/** `04:12 UTC`, with the day when it is not today. */
export function endWords(end: number, { now, zone }: Pick<Context, 'now' | 'zone'>): string {
  return zonedTime(end, now, zone);
}

/** An end in a column: `Tue 04:12 UTC`, or `forever`. */
export function endCell(end: number | null, { now, zone }: Pick<Context, 'now' | 'zone'>): string {
  return end === null ? 'forever' : `${shortDayAndTime(end, now, zone)} ${offsetName(end, zone)}`;
}

/** `until 04:12 UTC`, with the day when it is not today, or `forever`. */
export function untilWords(end: number | null, context: Pick<Context, 'now' | 'zone'>): string {
  return end === null ? 'forever' : `until ${endWords(end, context)}`;
}

/** What a sentence calls a mute: `downtime 812`, `a mute`. */
export function muteSource(mute: Mute, article: 'a' | 'another' = 'a'): string {
  return mute.by === 'mute' ? `${article} mute` : `downtime ${mute.id ?? '?'}`;
}

/** What it is, in a cell: `downtime 812`, `mute`. */
export const muteType = (mute: Mute): string => (mute.by === 'mute' ? 'mute' : muteSource(mute));

/** Whether one end is after another by more than the minute that a service may round. */
export const isLater = (one: number | null, other: number | null): boolean =>
  other !== null && (one === null || one > other + 60_000);

/** Whether two ends are one but for what a service may round. */
export const isSameEnd = (one: number | null, other: number | null): boolean =>
  !isLater(one, other) && !isLater(other, one);

/** The mute that ends last; undefined where there is none. */
export function lastEnd(mutes: readonly Mute[]): Mute | undefined {
  return mutes.reduce<Mute | undefined>((last, mute) => {
    if (!last) return mute;
    return (mute.end ?? Number.POSITIVE_INFINITY) > (last.end ?? Number.POSITIVE_INFINITY) ? mute : last;
  }, undefined);
}

/** The mute that lasts longest over a scope, of those that are there. */
export const longestOver = (mutes: readonly Mute[], scope: string, now: number): Mute | undefined =>
  lastEnd(findMutes({ mutes }, now).filter((mute) => covers(mute.scope, scope)));

/** The same where it lasts longer than this end. */
export function longerOver(mutes: readonly Mute[], scope: string, end: number | null, now: number): Mute | undefined {
  const over = longestOver(mutes, scope, now);
  return over && isLater(over.end, end) ? over : undefined;
}

/** The rules of a downtime that repeats: `every Tue 22:00 for 2h`, with the zone where it is another one. */
export const repeatWords = ({ repeats }: Mute, { now, zone }: Pick<Context, 'now' | 'zone'>): string =>
  (repeats?.rules ?? []).map((rule) => ruleWords(rule, now, repeats?.zone ?? zone)).join(' and ') +
  (repeats && repeats.zone !== zone ? ` (${repeats.zone})` : '');

/** A scope in words: `all groups`, or as it is. */
export const scopeWords = (scope: string): string => (scope === '*' ? 'all groups' : scope);

/** `host:web-1 of disk full`, or the name alone where all of it is meant. */
export const scopedText = (scope: string, name: string): string => (scope === '*' ? name : `${scope} of ${name}`);

/** What else a mute silences, as the rest of a sentence. */
export const wideWords = ({ wide, over }: Mute): string =>
  wide ? `, which mutes ${over ?? 'more than this monitor'}` : '';

/** `host:web-1 until 05:00 UTC by downtime 812`, and what else it silences. */
export function describeMute(mute: Mute, context: Pick<Context, 'now' | 'zone'>): string {
  const repeats = mute.repeats ? `, ${repeatWords(mute, context)}` : '';
  return `${scopeWords(mute.scope)} ${untilWords(mute.end, context)} by ${muteSource(mute)}${repeats}${wideWords(mute)}`;
}

/** A mute with the flag that means it: `all groups until 13:00 UTC by a mute (--scope '*')`. */
export function flaggedMute(mute: Mute, context: Pick<Context, 'now' | 'zone'>): string {
  const flag = mute.by === 'mute' ? `--scope ${quoteWord(mute.scope)}` : `--downtime ${quoteWord(mute.id ?? '')}`;
  return `${describeMute(mute, context)} (${flag})`;
}

/** A mute that still stands after an edit that was to end it, with what is said of it. */
export const leftMute = ({ id, scope, end }: Mute, say: string): Remaining => ({
  kind: 'mutes',
  id: id ?? null,
  scope,
  until: timestamp(end),
  say,
});

/** Scope and end as text, equal for the same mute in whatever form an answer names it. */
export function comparable(mute: Mute): string {
  const end = mute.end === null ? 'forever' : Math.round(mute.end / 1000);
  return `${commaWords(mute.scope).toSorted().join(',')} ${end}`;
}

/** Whether it is known in which states its end notifies: that of a mute which is no downtime does in each. */
export const isTold = ({ by, tells }: Mute): boolean => by === 'mute' || tells !== undefined;

/** Whether its end notifies in a state, as far as that and the state are known. */
export const notifiesIn = ({ tells }: Mute, state: string | undefined): boolean =>
  tells === undefined || (state === undefined ? tells.length > 0 : tells.includes(state.toLowerCase()));

/**
 * When a red monitor or group in this state will notify again: the moment when the last mute over it ends, and no other one
 * begins by then. Undefined when it is not silent, stays muted forever, or its last mute ends without telling anyone.
 */
export function pagesAgainAt(mutes: readonly Mute[], group: string, now: number, state?: string): number | undefined {
  const over = mutes.filter((mute) => isLive(mute, now) && covers(mute.scope, group));
  const end = lastEnd(over)?.end ?? undefined;
  if (end === undefined) return undefined;
  if (mutes.some((mute) => isLive(mute, end) && covers(mute.scope, group)))
    return pagesAgainAt(mutes, group, end, state);
  return over.some((mute) => mute.end === end && notifiesIn(mute, state)) ? end : undefined;
}

/** `host:web-1 of disk full`, or the monitor alone where all of it is meant. */
export const scopedName = (scope: string, { name }: { readonly name: string }): Receipt =>
  scope === '*' ? receipt`${namePart(name)}` : receipt`${scope} of ${namePart(name)}`;

const prefix = 'mute|';

/** Id of a mute's row in the detail. It contains the mute as JSON, so that actions on the row need no further read. */
export function mutesRowId(mute: Mute): string {
  return `${prefix}${JSON.stringify(mute)}`;
}

/** The mute under the cursor of the detail's list, if a mute is there. */
export function muteUnder(context: Pick<Context, 'subRowId'>): Mute | undefined {
  if (!context.subRowId?.startsWith(prefix)) return undefined;
  return JSON.parse(context.subRowId.slice(prefix.length)) as Mute;
}

/** The group under the cursor of the detail's list, as a scope. */
export function groupUnder(context: Pick<Context, 'subRowId'>): string | undefined {
  return context.subRowId === undefined || context.subRowId.startsWith(prefix) ? undefined : context.subRowId;
}
