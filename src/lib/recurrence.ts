import { type ParseResult, unreadable } from './function-results.ts';
import {
  addDays,
  calendarDay,
  isNamedZone,
  isWallTime,
  isZone,
  twoDigits,
  type WallTime,
  wallTimeAt,
  zoneInstants,
} from './time.ts';
import { formatClock, formatDated, months, readDuration, readUntil, weekdays } from './typed-time.ts';

/** One rule of something that repeats in a zone, as RFC 5545 has it without its times. */
export interface Recurrence {
  /** Local time without an offset, `2026-12-01T22:00:00`: the first window, or an earlier moment. */
  readonly start: string;
  /** `90m`, `2h`, `1d`, `1w`. */
  readonly duration: string;
  /** `FREQ=WEEKLY;BYDAY=TU`. */
  readonly rrule: string;
}

/** From `start` to `end`, milliseconds since the epoch. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** The days of a week as a rule names them, Sunday first. */
const dayCodes: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;

/** A rule taken apart; undefined members are not said. */
interface Rule {
  readonly every: (typeof frequencies)[number];
  readonly interval: number;
  /** Days of the week, 0 = Sunday; `nth` of the month, from its end where negative, 0 = each. */
  readonly days: readonly { readonly day: number; readonly nth: number }[];
  /** Days of the month, from its end where negative. */
  readonly dates: readonly number[];
  readonly months: readonly number[];
  readonly count?: number;
  /** As it stands in the rule. */
  readonly until?: string;
}

const dayMs = 86_400_000;
const until = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;

/** Takes a rule apart; undefined for one of other parts than days, dates, months, count and end. */
function readRule(rrule: string): Rule | undefined {
  const parts = new Map(
    rrule
      .toUpperCase()
      .replace(/^RRULE:/, '')
      .split(';')
      .filter((part) => part !== '' && part !== 'WKST=MO')
      .map((part) => part.split('=').map((side) => side.trim()) as [string, string]),
  );
  const take = (name: string): string[] => {
    const value = parts.get(name);
    parts.delete(name);
    return value ? value.split(',') : [];
  };
  const [frequency] = take('FREQ');
  const every = frequencies.find((name) => name === frequency);
  const [interval = 1] = take('INTERVAL').map(Number);
  const [count] = take('COUNT').map(Number);
  const [last] = take('UNTIL');
  const days = take('BYDAY').map((text) => {
    const [, nth = '', code = ''] = /^([+-]?\d*)([A-Z]{2})$/.exec(text) ?? [];
    return { day: dayCodes.indexOf(code), nth: Number(nth) };
  });
  const [dates, months] = [take('BYMONTHDAY').map(Number), take('BYMONTH').map(Number)];
  const numbers = [interval, ...dates, ...months, ...days.map(({ nth }) => nth), count ?? interval];
  const isOdd = every === undefined || parts.size > 0 || !numbers.every(Number.isInteger) || interval < 1;
  const isNumbered = days.some(({ nth }) => nth !== 0);
  if (isOdd || days.some(({ day }) => day < 0) || (last !== undefined && !until.test(last))) return undefined;
  // The fifth Monday of a year, and of a week, are beyond this.
  if (isNumbered && every !== 'MONTHLY' && !(every === 'YEARLY' && months.length > 0)) return undefined;
  return { every, interval, days, dates, months, ...(count !== undefined && { count }), ...(last && { until: last }) };
}

/** Whether a day, as midnight in UTC, is one of the rule that begins on the day `first`. */
function isDayOf({ every, interval, days, dates, months }: Rule, day: number, first: number): boolean {
  const [date, start] = [new Date(day), new Date(first)];
  const monthsOf = (one: Date) => one.getUTCFullYear() * 12 + one.getUTCMonth();
  const weekOf = (one: number) => Math.floor((one / dayMs + 3) / 7);
  const steps = {
    DAILY: (day - first) / dayMs,
    WEEKLY: weekOf(day) - weekOf(first),
    MONTHLY: monthsOf(date) - monthsOf(start),
    YEARLY: date.getUTCFullYear() - start.getUTCFullYear(),
  };
  if (steps[every] % interval !== 0) return false;
  if (months.length > 0 && !months.includes(date.getUTCMonth() + 1)) return false;
  const [weekday, dayOfMonth] = [date.getUTCDay(), date.getUTCDate()];
  if (days.length + dates.length === 0) {
    if (every === 'YEARLY' && months.length === 0 && date.getUTCMonth() !== start.getUTCMonth()) return false;
    return (
      every === 'DAILY' || (every === 'WEEKLY' ? weekday === start.getUTCDay() : dayOfMonth === start.getUTCDate())
    );
  }
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const nths = [0, Math.ceil(dayOfMonth / 7), -Math.ceil((length - dayOfMonth + 1) / 7)];
  return (
    (days.length === 0 || days.some((one) => one.day === weekday && nths.includes(one.nth))) &&
    (dates.length === 0 || dates.some((one) => one === dayOfMonth || one === dayOfMonth - length - 1))
  );
}

/** `2026-12-01T22:00:00` as a wall time; undefined for what is none. */
function readWall(text: string): WallTime | undefined {
  const part = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?/.exec(text);
  if (part === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = part
    .slice(1)
    .map((text) => Number(text ?? 0));
  return { year, month, day, hour, minute, second };
}

/** A wall time as a rule begins with it: `2026-12-01T22:00:00`. */
export const wallText = ({ year, month, day, hour, minute, second }: WallTime): string =>
  `${year}-${twoDigits(month)}-${twoDigits(day)}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`;

/** The last moment at which a window may begin; Infinity without one. */
function lastStart(rule: Rule, zone: string): number {
  const part = until.exec(rule.until ?? '');
  if (part === null) return Number.POSITIVE_INFINITY;
  const [year = 0, month = 0, day = 0, hour = 23, minute = 59, second = 59] = part
    .slice(1)
    .map((text) => (text === undefined ? undefined : Number(text)));
  return zoneInstants({ year, month, day, hour, minute, second }, part[7] === 'Z' ? 'UTC' : zone).at(-1) ?? 0;
}

/**
 * A rule without the first of its windows after `from`: it begins with the next one. Undefined where there is no next one. Of
 * what else the rule says everything stays.
 */
export function withoutFirst<R extends Recurrence>(rule: R, zone: string, from: number): R | undefined {
  const [first, next] = windowsOf(rule, zone, from, 2) ?? [];
  const wall = readWall(rule.start);
  if (first === undefined || next === undefined || wall === undefined) return undefined;
  const { year, month, day } = wallTimeAt(next.start, zone);
  const count = readRule(rule.rrule)?.count;
  const rrule = count === undefined ? rule.rrule : rule.rrule.replace(/COUNT=\d+/i, `COUNT=${count - first.nth}`);
  return { ...rule, rrule, start: wallText({ ...wall, year, month, day }) };
}

/** How far ahead windows are looked for. */
const farthest = 5 * 366;

/**
 * The windows of rules in a zone that end after `from`, the first `count`, in order; fewer where they end or lie over five
 * years ahead. Undefined where a rule has parts that are not understood, or the zone is not known here. A window that would begin in the hour that clocks leave
 * out begins as long after the change; in the hour that they show twice, at the first.
 */
export function nextWindows(
  recurrences: readonly Recurrence[],
  zone: string,
  from: number,
  count = 3,
): readonly Window[] | undefined {
  const all: Window[] = [];
  for (const one of recurrences) {
    const windows = windowsOf(one, zone, from, count);
    if (windows === undefined) return undefined;
    all.push(...windows.map(({ start, end }) => ({ start, end })));
  }
  return all.sort((a, b) => a.start - b.start || a.end - b.end).slice(0, count);
}

/** One window of a rule; of a rule that ends after a number of them, `nth` counts from its beginning. */
interface RuleWindow extends Window {
  readonly nth: number;
}

function windowsOf(one: Recurrence, zone: string, from: number, count: number): readonly RuleWindow[] | undefined {
  const [rule, wall, length] = [readRule(one.rrule), readWall(one.start), readDuration(one.duration)];
  if (rule === undefined || wall === undefined || length === undefined || !isZone(zone)) return undefined;
  const first = Date.UTC(wall.year, wall.month - 1, wall.day);
  const last = lastStart(rule, zone);
  const today = wallTimeAt(from - length, zone);
  const near = Math.max(first, Date.UTC(today.year, today.month - 1, today.day) - dayMs);
  const end = near + farthest * dayMs;
  const windows: RuleWindow[] = [];
  let begun = 0;
  // A rule that ends after a number of windows is counted from its beginning.
  for (let day = rule.count === undefined ? near : first; day <= end && windows.length < count; day += dayMs) {
    if (!isDayOf(rule, day, first)) continue;
    begun += 1;
    if (begun > (rule.count ?? begun)) break;
    // Of years before today the windows are counted alone: a moment of each would block keys for seconds.
    if (day < near) continue;
    const start = zoneInstants(addDays(wall, (day - first) / dayMs), zone)[0] ?? day;
    if (start > last) break;
    if (start + length > from) windows.push({ start, end: start + length, nth: begun });
  }
  return windows;
}

/** Windows as typed: one that runs already, by its end; one ahead; or a rule that repeats in the zone. */
export type TypedWindow =
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'once'; readonly start: number; readonly end: number }
  | { readonly kind: 'every'; readonly rule: Recurrence; readonly typed: string };

type ReadWindow = ParseResult<TypedWindow>;

const examples = 'type 22:00-23:30, tomorrow 09:00 for 1h or every Tue 22:00 for 2h';

/** Days of a week in the order of a rule, from Monday, and the two sets with names of their own. */
const week: readonly string[] = [...dayCodes.slice(1), ...dayCodes.slice(0, 1)];
const sets: Readonly<Record<string, string>> = { weekdays: week.slice(0, 5).join(','), weekends: 'SA,SU' };

const clock = '\\d[\\d:]* ?(?:am|pm)?';
const repeats = new RegExp(
  `^(?:every )?(.+?) (?:at |from )?(${clock})(?: for (.+?)| ?(?:-|–|to|until|till) ?(${clock}))(?:,? (?:until|till) (.+))?$`,
);

/**
 * The window that a person means: `22:00-23:30`, `from 22:00 for 2h`, `tomorrow 09:00 for 1h`, or windows that repeat:
 * `every Tue 22:00 for 2h`, `weekdays 02:00-04:00 until Dec 24`, `every month on the 1st 03:00 for 1h`. Undefined for what
 * is no window, and may be an end. Times are of the zone, `now` in milliseconds since the epoch.
 */
export function readTypedWindow(typed: string, now: number, zone: string): ReadWindow | undefined {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  if (/^(every|daily|weekdays?|weekends?)\b/.test(text)) return repeating(text, now, zone);
  const [, start, length = ''] = /^(?:from )?(?!for )(.+?),? for (.+)$/.exec(text) ?? [];
  if (start !== undefined) return lasting(start, length, now, zone);
  const [, from, end = ''] =
    /^(?:from )?(.*?(?::\d\d(?::\d\d)?z?|[ap]m)) ?(?:-|–|to |until |till ) ?(.+)$/.exec(text) ?? [];
  if (from !== undefined) return between(from, end, now, zone);
  return text.startsWith('from ') ? unreadable(`until when? ${examples}`) : undefined;
}

function lasting(typed: string, length: string, now: number, zone: string): ReadWindow {
  const start = readUntil(typed, now, zone);
  const ms = readDuration(length);
  if (!start.ok) return start;
  if (ms === undefined || start.at === Infinity) return unreadable(`how long? ${examples}`);
  return { ok: true, value: { kind: 'once', start: start.at, end: start.at + ms } };
}

function between(typed: string, typedEnd: string, now: number, zone: string): ReadWindow {
  const start = readUntil(typed, now, zone);
  if (!start.ok) return start;
  const isDayless = (text: string) => formatClock(text)?.day === undefined && formatDated(text) === undefined;
  const next = readUntil(typedEnd, now, zone);
  if (isDayless(typed) && isDayless(typedEnd) && next.ok && next.at <= start.at) {
    if (next.at === start.at) return unreadable(`how long? ${examples}`);
    // Between a start that has passed and an end that has not, it runs.
    return { ok: true, value: { kind: 'at', at: next.at } };
  }
  const end = isDayless(typedEnd) ? readUntil(typedEnd, start.at, zone) : next;
  if (!end.ok) return end;
  if (end.at <= start.at || end.at === Infinity) return unreadable(`it would end before it begins: ${examples}`);
  return { ok: true, value: { kind: 'once', start: start.at, end: end.at } };
}

function repeating(text: string, now: number, zone: string): ReadWindow {
  if (!isNamedZone(zone))
    return unreadable(`a repeating mute needs a named zone, not ${zone}: give one such as --tz Europe/Berlin`);
  const part = repeats.exec(text);
  if (part === null) return unreadable(`when, and how long? ${examples}`);
  const [, days = '', time = '', length = '', endTime = '', last] = part;
  const rule = daysRule(days);
  if (rule === undefined) return unreadable(`which days are ${days}? ${examples}`);
  const [start, end] = [timeIn(time), timeIn(endTime)];
  if (!start || (endTime !== '' && !end)) return unreadable(`at what time? ${examples}`);
  const minutes = (readDuration(length) ?? 0) / 60_000;
  const lasts = end ? (end.hour * 60 + end.minute - start.hour * 60 - start.minute + 1440) % 1440 : minutes;
  if (lasts < 1 || !Number.isInteger(lasts)) return unreadable(`how long? ${examples}`);
  const today = wallTimeAt(now, zone);
  const until = last === undefined ? '' : untilPart(last, today, now, zone);
  if (until === undefined)
    return unreadable(`the last day must be in the future: type every Tue 22:00 for 2h until Dec 24`);
  const each = { duration: wireLength(lasts), rrule: rule + until };
  const wallOf = (day: WallTime) => wallText({ ...day, ...start, second: 0 });
  // The rule begins with its first window: services differ in what they make of another beginning.
  const rrule = each.rrule.replace(/;INTERVAL=\d+/, '');
  const [first] = nextWindows([{ ...each, rrule, start: wallOf(today) }], zone, now, 1) ?? [];
  if (first === undefined) return unreadable('no such window lies before that day: type a later one');
  return {
    ok: true,
    value: { kind: 'every', typed: text, rule: { ...each, start: wallOf(wallTimeAt(first.start, zone)) } },
  };
}

function timeIn(typed: string): { readonly hour: number; readonly minute: number } | undefined {
  const text = typed.trim();
  const time = formatClock(/[:m]/.test(text) ? text : `${text}:00`);
  return time && time.hour < 24 && time.minute < 60 ? { hour: time.hour, minute: time.minute } : undefined;
}

/** As a downtime writes whole minutes: `2h`, `90m`, `1d`. */
function wireLength(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

/** The part of a rule that says on which days: `day`, `tue and thu`, `2 weeks on tue`, `3 days`, `month on the 1st`. */
function daysRule(text: string): string | undefined {
  if (/^(day|daily)$/.test(text)) return 'FREQ=DAILY';
  const [, dayGap] = /^(\d+) days$/.exec(text) ?? [];
  if (dayGap !== undefined) return Number(dayGap) > 0 ? `FREQ=DAILY;INTERVAL=${Number(dayGap)}` : undefined;
  const [, date] = /^month on the (\d+|last)(?:st|nd|rd|th| day)?$/.exec(text) ?? [];
  const monthDay = date === 'last' ? -1 : Number(date);
  if (date !== undefined) return monthDay <= 31 && monthDay !== 0 ? `FREQ=MONTHLY;BYMONTHDAY=${monthDay}` : undefined;
  const [, weekGap = '1', named = text] = /^(\d+) weeks on (.+)$/.exec(text) ?? [];
  const codes = sets[named] ?? sets[`${named}s`] ?? codesIn(named);
  if (codes === undefined || Number(weekGap) === 0) return undefined;
  return `FREQ=WEEKLY${Number(weekGap) === 1 ? '' : `;INTERVAL=${Number(weekGap)}`};BYDAY=${codes}`;
}

function codesIn(text: string): string | undefined {
  const words = text.split(/,? and |, ?| /);
  const days = words.map((word) =>
    /^(sun|mon|tue|wed|thu|fri|sat)[a-z]*$/.test(word) ? word.slice(0, 2).toUpperCase() : '',
  );
  return days.includes('') ? undefined : week.filter((code) => days.includes(code)).join(',');
}

/** `;UNTIL=…` with the end of a day; undefined for what is no day ahead. */
function untilPart(text: string, today: WallTime, now: number, zone: string): string | undefined {
  const day = readDay(text, today);
  const at = day && zoneInstants({ ...day, hour: 23, minute: 59, second: 59 }, zone).at(-1);
  if (at === undefined || at <= now) return undefined;
  return `;UNTIL=${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** `Dec 24`, `24 Dec`, `2026-12-24`: the next such day. */
function readDay(text: string, today: WallTime): WallTime | undefined {
  const dated = formatDated(text);
  const [, before, name, after] = /^(\d+)? ?([a-z]{3})[a-z]* ?(\d+)?$/.exec(text) ?? [];
  const month = months.findIndex((one) => one.toLowerCase() === name) + 1;
  const [year = 0, monthOf = 0, dayOf = 0] = dated?.day.split('-').map(Number) ?? [
    today.year,
    month,
    Number(before ?? after),
  ];
  const isPast = !dated && (monthOf < today.month || (monthOf === today.month && dayOf < today.day));
  const day = { ...today, year: isPast ? year + 1 : year, month: monthOf, day: dayOf };
  return isWallTime(day) ? day : undefined;
}

/**
 * A rule as it would be typed: `every Tue 22:00 for 2h until Dec 24`. One that cannot be typed is told in the words of the service:
 * `by FREQ=YEARLY, 22:00 for 2h`.
 */
export function ruleWords({ start, duration, rrule }: Recurrence, now: number, zone: string): string {
  const [rule, wall] = [readRule(rrule), readWall(start)];
  const days = rule && rule.count === undefined ? daysOf(rule) : undefined;
  const time = wall ? ` ${twoDigits(wall.hour)}:${twoDigits(wall.minute)}` : '';
  if (!rule || days === undefined) return `by ${rrule},${time} for ${duration}`;
  return `${days}${time} for ${duration}${endOf(rule, now, zone)}`;
}

function endOf(rule: Rule, now: number, zone: string): string {
  const last = lastStart(rule, zone);
  if (last === Infinity) return '';
  const [today, end] = [wallTimeAt(now, zone), wallTimeAt(last, zone)];
  const name = `${months[end.month - 1]} ${end.day}`;
  return ` until ${readDay(name.toLowerCase(), today)?.year === end.year ? name : calendarDay(last, zone)}`;
}

/** The days of a rule; undefined for one that cannot be typed. */
function daysOf({ every, interval, days, dates, months: inMonths }: Rule): string | undefined {
  const [date, ...others] = dates;
  if (inMonths.length + others.length > 0) return undefined;
  if (every === 'DAILY' && days.length + dates.length === 0)
    return interval === 1 ? 'every day' : `every ${interval} days`;
  if (every === 'MONTHLY' && interval === 1 && days.length === 0 && date !== undefined && date >= -1)
    return `every month on the ${date === -1 ? 'last day' : `${date}${ordinalEnding(date)}`}`;
  if (every !== 'WEEKLY' || days.length === 0 || dates.length > 0) return undefined;
  const inOrder = week.flatMap((code) => days.filter(({ day }) => dayCodes[day] === code));
  const codes = inOrder.map(({ day }) => dayCodes[day]).join(',');
  const names = inOrder.map(({ day }) => weekdays[day]);
  const listed = `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1)}`;
  const set = Object.keys(sets).find((name) => sets[name] === codes);
  if (interval > 1) return `every ${interval} weeks on ${set ?? listed}`;
  return set ?? `every ${listed}`;
}

const ordinalEnding = (value: number): string =>
  ({ one: 'st', two: 'nd', few: 'rd' })[new Intl.PluralRules('en', { type: 'ordinal' }).select(value) as 'one'] ?? 'th';
