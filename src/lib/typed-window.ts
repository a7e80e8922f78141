import { readDuration } from './duration.ts';
import { months, readUntil, weekdays } from './end-time.ts';
import { type ParseResult, unreadable } from './parse-result.ts';
import {
  dayCodes,
  lastStart,
  nextWindows,
  type Recurrence,
  type Rule,
  readRule,
  readWall,
  wallText,
} from './recurrence.ts';
import { calendarDay } from './time-text.ts';
import { formatClock, formatDated } from './typed-time.ts';
import { isNamedZone, isWallTime, twoDigits, type WallTime, wallTimeAt, zoneInstants } from './zone.ts';

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
  const [, start, length] = /^(?:from )?(?!for )(.+?),? for (.+)$/.exec(text) ?? [];
  if (start !== undefined && length !== undefined) return lasting(start, length, now, zone);
  const [, from, end] = /^(?:from )?(.*?(?::\d\d(?::\d\d)?z?|[ap]m)) ?(?:-|–|to |until |till ) ?(.+)$/.exec(text) ?? [];
  if (from !== undefined && end !== undefined) return between(from, end, now, zone);
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
  // Between a start that has passed and an end that has not, it runs.
  if (isDayless(typed) && isDayless(typedEnd) && next.ok && next.at <= start.at)
    return { ok: true, value: { kind: 'at', at: next.at } };
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
  const today = { ...wallTimeAt(now, zone), ...start, second: 0 };
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
