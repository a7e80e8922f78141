import { readDuration } from './duration.ts';
import { addDays, twoDigits, type WallTime, wallTimeAt, zoneInstants } from './zone.ts';

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
export const dayCodes: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;

/** A rule taken apart; undefined members are not said. */
export interface Rule {
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
export function readRule(rrule: string): Rule | undefined {
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
  const numbers = [interval, ...dates, ...months, ...days.map(({ nth }) => nth), count ?? 1];
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
export function readWall(text: string): WallTime | undefined {
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
export function lastStart(rule: Rule, zone: string): number {
  const part = until.exec(rule.until ?? '');
  if (part === null) return Number.POSITIVE_INFINITY;
  const [year = 0, month = 0, day = 0, hour = 23, minute = 59, second = 59] = part
    .slice(1, 7)
    .map((text) => (text === undefined ? undefined : Number(text)));
  return zoneInstants({ year, month, day, hour, minute, second }, part[7] === 'Z' ? 'UTC' : zone).at(-1) ?? 0;
}

/**
 * A rule without the first of its windows after `from`: it begins with the next one. Undefined where there is no next one. Of
 * what else the rule says everything stays.
 */
export function withoutFirst<R extends Recurrence>(rule: R, zone: string, from: number): R | undefined {
  const [first, next] = nextWindows([rule], zone, from, 2) ?? [];
  const wall = readWall(rule.start);
  if (first === undefined || next === undefined || wall === undefined) return undefined;
  const { year, month, day } = wallTimeAt(next.start, zone);
  const count = readRule(rule.rrule)?.count;
  const begun = nextWindows([rule], zone, 0, count)?.filter(({ start }) => start <= first.start);
  const rrule =
    count === undefined ? rule.rrule : rule.rrule.replace(/COUNT=\d+/i, `COUNT=${count - (begun?.length ?? 0)}`);
  return { ...rule, rrule, start: wallText({ ...wall, year, month, day }) };
}

/** How far ahead windows are looked for. */
const farthest = 5 * 366;

/**
 * The windows of rules in a zone that end after `from`, the first `count`, in order; fewer where they end or lie over five
 * years ahead. Undefined where a rule has parts that are not understood. A window that would begin in the hour that clocks leave
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
    all.push(...windows);
  }
  return all.sort((a, b) => a.start - b.start || a.end - b.end).slice(0, count);
}

function windowsOf(one: Recurrence, zone: string, from: number, count: number): readonly Window[] | undefined {
  const [rule, wall, length] = [readRule(one.rrule), readWall(one.start), readDuration(one.duration)];
  if (rule === undefined || wall === undefined || length === undefined) return undefined;
  const first = Date.UTC(wall.year, wall.month - 1, wall.day);
  const last = lastStart(rule, zone);
  const today = wallTimeAt(from - length, zone);
  const near = Math.max(first, Date.UTC(today.year, today.month - 1, today.day) - dayMs);
  const end = near + farthest * dayMs;
  const windows: Window[] = [];
  let begun = 0;
  // A rule that ends after a number of windows is counted from its beginning.
  for (let day = rule.count === undefined ? near : first; day <= end && windows.length < count; day += dayMs) {
    if (!isDayOf(rule, day, first)) continue;
    const start = zoneInstants(addDays(wall, (day - first) / dayMs), zone)[0] ?? day;
    begun += 1;
    if (start > last || begun > (rule.count ?? begun)) break;
    if (start + length > from) windows.push({ start, end: start + length });
  }
  return windows;
}
