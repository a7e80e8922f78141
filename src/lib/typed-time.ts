import parse from 'parse-duration';
import { unreadable } from './function-results.ts';
import {
  addDays,
  calendarDay,
  clockTime,
  gapAround,
  isMoment,
  isWallTime,
  offsetName,
  readMoment,
  spans,
  twoDigits,
  type WallTime,
  wallTimeAt,
  whichOfTwo,
  zoneInstants,
} from './time.ts';

/** Longest length of time that is taken seriously. Milliseconds. */
const tenYears = 3653 * 86_400_000;

const piece = /(\d+(?:\.\d+)?|\.\d+)\s*([a-zµ]*)/giu;

/**
 * Milliseconds of a typed length: `45m`, `1h30m`, `2 days`, `1 week and 2 days`. Undefined for anything else: a
 * bare number (of what?), a unit that is not known, nothing, less than a second, more than ten years.
 */
export function readDuration(typed: string): number | undefined {
  const text = typed
    .trim()
    .toLowerCase()
    .replaceAll(/\s+and\s+|,/g, ' ');
  if (text.replaceAll(piece, '').trim() !== '') return undefined;
  const units = [...text.matchAll(piece)].map((match) => match[2] ?? '');
  if (units.length === 0 || !units.every((unit, at) => isUnit(unit) || (unit === '' && at > 0))) return undefined;
  const ms = parse(text);
  return ms !== null && ms >= 1000 && ms <= tenYears ? Math.round(ms) : undefined;
}

function isUnit(name: string): boolean {
  const singular = name.endsWith('s') ? name.slice(0, -1) : name;
  return [name, singular].some((unit) => typeof parse.unit[unit] === 'number');
}

/** A time of day as typed, and its day where one is. `hour` is NaN for one that no clock has. */
interface TimeOfDay {
  readonly day?: string | undefined;
  readonly hour: number;
  readonly minute: number;
}

/** Reads `09:00`, `9am`, and both with a day before or after; a bare hour only beside a day. In lower case. */
export function formatClock(text: string): TimeOfDay | undefined {
  const day = '(yesterday|today|tomorrow|\\d{4}-\\d\\d?-\\d\\d?(?!\\d))';
  const before = new RegExp(`^${day}(?:,? ?at |,? |(?=\\d))(.+)$`).exec(text);
  const after = new RegExp(`^(.+?),? (?:on )?${day}$`).exec(text);
  const typedDay = before?.[1] ?? after?.[2];
  const time = /^(?:at )?(\d{1,2})(?::(\d\d))? ?(am|pm)?$/.exec(before?.[2] ?? after?.[1] ?? text);
  if (time === null) return undefined;
  const [, hour, minute, half] = time;
  if (minute === undefined && half === undefined && typedDay === undefined) return undefined;
  return { day: typedDay, hour: hourOf(Number(hour), half), minute: Number(minute ?? 0) };
}

/** The hour of 24; NaN for one that a clock with halves does not have. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return hour >= 1 && hour <= 12 ? (hour % 12) + (half === 'pm' ? 12 : 0) : Number.NaN;
}

/** A date as typed, with its time and offset where they are; a date alone has no `wall`. */
interface Dated {
  readonly day: string;
  readonly wall?: WallTime;
  readonly offset?: string | undefined;
}

/** Reads `2026-05-07 09:00`, with seconds and an offset where one is (`2026-05-07T09:00Z`), and a date alone. In lower case. */
export function formatDated(text: string): Dated | undefined {
  const part =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:[t ](?:at )?(\d{1,2}):(\d\d)(?::(\d\d))?)?( ?(?:z|utc|[+-](?:0\d|1[0-4]):?[0-5]\d))?$/.exec(
      text,
    );
  if (part === null) return undefined;
  const [, year, month, date, hour, minute = '0', second = '0', offset] = part;
  const day = `${year}-${month}-${date}`;
  if (hour === undefined) return { day };
  const wall: WallTime = {
    year: Number(year),
    month: Number(month),
    day: Number(date),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  return { day, wall, offset: offset?.trim() };
}

/** The moments with this local time, earliest first, in the zone or at an explicit offset. Milliseconds since the epoch. */
function momentsAt(wall: WallTime, zone: string, offset?: string): readonly number[] {
  if (offset === undefined) return zoneInstants(wall, zone);
  const utc = zoneInstants(wall, 'UTC')[0] ?? Number.NaN;
  const zero = readMoment(`1970-01-01T00:00:00${offset === 'utc' ? 'Z' : offset}`);
  return zero === undefined ? [] : [utc + zero];
}

/** What is said of a day without a time. */
const timeMissing = (day: string): string => `${day} at what time? type ${day} 09:00`;

/** A moment as typed: `at` is epoch milliseconds, Infinity for "forever". */
type TypedMoment = { readonly ok: true; readonly at: number } | { readonly ok: false; readonly text: string };

const examples = 'type a length such as 45m or a time such as 07:30';

/**
 * The moment that a person means: a length (`45m`), the next such time of day in the zone (`until 07:30`, `9am`), a
 * day and a time in either order (`tomorrow 9:00`, `9am tomorrow`, `2026-05-07 09:00`), a moment with its offset
 * (`2026-05-07T09:00Z`), or `forever`.
 * Anything else, and every moment that has passed, is one sentence that says what to type. `now` and `at` are
 * milliseconds since the epoch.
 */
export function readUntil(typed: string, now: number, zone: string): TypedMoment {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(until|till|to|for) (?!ever$)/, '');
  if (text === '') return unreadable(`nothing typed: ${examples}`);
  if (/^(forever|for ever|indefinitely)$/.test(text)) return { ok: true, at: Infinity };
  if (/^\d+(\.\d+)?$/.test(text)) return unreadable(`${text} of what? type ${text}m, ${text}h or ${text}d`);
  const time = formatClock(text);
  if (time !== undefined && time.day !== 'yesterday') return nextTimeOfDay(time, now, zone);
  if (/^(in )?[\d.]+ ?[a-zµ]/.test(text)) return lengthAhead(text.replace(/^in /, ''), now);
  if (/^(yesterday|last |now$|-)/.test(text) || / ago$/.test(text))
    return unreadable(`that is not in the future: ${examples}`);
  if (/^(today|tomorrow)$/.test(text)) return unreadable(timeMissing(text));
  return date(text, now, zone);
}

function lengthAhead(text: string, now: number): TypedMoment {
  const ms = readDuration(text);
  if (ms !== undefined) return ending(now + ms, now);
  return unreadable(`${text} is not a length between 1s and 10y: ${examples}`);
}

function nextTimeOfDay({ day, hour, minute }: TimeOfDay, now: number, zone: string): TypedMoment {
  const today = { ...wallTimeAt(now, zone), hour, minute, second: 0 };
  if (!isWallTime(today)) return unreadable('a day has 00:00 to 23:59: type a time such as 07:30 or 9am');
  if (day !== undefined && day !== 'today' && day !== 'tomorrow') {
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
    return firstOf({ ...today, year, month, day: date }, now, zone);
  }
  const tomorrow = addDays(today, 1);
  const days = day === 'today' ? [today] : day === 'tomorrow' ? [tomorrow] : [today, tomorrow];
  for (const wall of days) {
    const at = zoneInstants(wall, zone).find((moment) => moment > now);
    if (at !== undefined) return skipped(wall, now, zone) ?? ending(at, now);
  }
  return unreadable(`that time has passed: ${examples}`);
}

function date(text: string, now: number, zone: string): TypedMoment {
  const read = formatDated(text);
  if (read === undefined) return unreadable(`not understood: ${examples}, tomorrow 09:00, 2026-05-07 09:00 or forever`);
  if (read.wall === undefined) return unreadable(timeMissing(read.day));
  return firstOf(read.wall, now, zone, read.offset);
}

/** The next moment with this local time, in the zone or at an explicit offset. */
function firstOf(wall: WallTime, now: number, zone: string, offset?: string): TypedMoment {
  if (!isWallTime(wall)) return unreadable('there is no such moment: type one such as 2026-05-07 09:00');
  const moments = momentsAt(wall, zone, offset);
  const at = moments.find((moment) => moment > now);
  if (at === undefined) return unreadable(`that moment has passed: ${examples}`);
  return (offset === undefined ? skipped(wall, now, zone) : undefined) ?? ending(at, now);
}

/** The refusal of a local time that clocks leave out, with the two nearest that they show. */
function skipped(wall: WallTime, now: number, zone: string): TypedMoment | undefined {
  const gap = gapAround(wall, zone);
  if (!gap) return undefined;
  const [before, after] = gap.map((at) => clockTime(at, zone));
  const day = `${wall.year}-${twoDigits(wall.month)}-${twoDigits(wall.day)}`;
  const near = gap.map((at) => dayAndTime(at, now, zone)).join(' or ');
  return unreadable(
    `there is no ${twoDigits(wall.hour)}:${twoDigits(wall.minute)} on ${day} in ${zone}, where clocks go from ${before} to ${after}: type ${near}`,
  );
}

function ending(at: number, now: number): TypedMoment {
  if (at - now > tenYears) return unreadable('over ten years ahead: type forever for no end');
  return { ok: true, at };
}

/** `07:30` today, `tomorrow 07:30`, else `2026-05-07 07:30`. Milliseconds since the epoch. */
export function dayAndTime(at: number, now: number, zone: string): string {
  const day = calendarDay(at, zone);
  const time = clockTime(at, zone);
  if (day === calendarDay(now, zone)) return time;
  const next = zoneInstants(addDays({ ...wallTimeAt(now, zone), hour: 12, minute: 0, second: 0 }, 1), zone)[0] ?? now;
  return day === calendarDay(next, zone) ? `tomorrow ${time}` : `${day} ${time}`;
}

export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * A moment ahead in a column, always with its day: `Tue 12:58` within six days, `24 Dec 12:58` within this year, else
 * `2027-05-07`. Milliseconds since the epoch.
 */
export function shortDayAndTime(instant: number, now: number, zone: string): string {
  if (!isMoment(instant)) return '–';
  const wall = wallTimeAt(instant, zone);
  const today = wallTimeAt(now, zone);
  const dayOf = (time: WallTime) => Date.UTC(time.year, time.month - 1, time.day);
  const days = (dayOf(wall) - dayOf(today)) / 86_400_000;
  if (days >= 0 && days <= 6) return `${weekdays[new Date(dayOf(wall)).getUTCDay()]} ${clockTime(instant, zone)}`;
  if (wall.year === today.year) return `${wall.day} ${months[wall.month - 1]} ${clockTime(instant, zone)}`;
  return calendarDay(instant, zone);
}

/**
 * `07:30 UTC`, with the day where that is not today; of a local time that clocks show twice which one it is. Milliseconds
 * since the epoch.
 */
export function zonedTime(at: number, now: number, zone: string): string {
  const which = whichOfTwo(at, zone);
  const twice = which === undefined ? '' : ` (the ${which} of two ${clockTime(at, zone)} of that night)`;
  return `${dayAndTime(at, now, zone)} ${offsetName(at, zone)}${twice}`;
}

/**
 * An end with its day, its zone and its distance, as receipts say it: `until tomorrow 09:00 UTC, in 13h 20m`; `forever` for Infinity.
 * Milliseconds since the epoch.
 */
export function endInWords(at: number, now: number, zone: string): string {
  if (at === Infinity) return 'forever';
  return `until ${zonedTime(at, now, zone)}, in ${spans(at - now)}`;
}

const pastExamples = 'type 22:00, yesterday 22:00 or 6h';

/**
 * The past moment that a person means: a length (`6h`, `6h ago`), the last such time of day in the zone (`since 22:00`,
 * `10pm`), a day and a time in either order (`yesterday 22:00`, `2026-05-07 09:00`), or a moment with its offset
 * (`2026-05-07T09:00Z`). Anything else, and every moment still ahead, is one sentence that says what to type. `now` and
 * `at` are milliseconds since the epoch.
 */
export function readSince(typed: string, now: number, zone: string): TypedMoment {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(since|from)( |$)/, '')
    .replace(/^(the )?last /, '');
  if (text === '') return unreadable(`nothing typed: ${pastExamples}`);
  if (/^\d+(\.\d+)?$/.test(text)) return unreadable(`${text} of what? type ${text}h or a time such as 22:00`);
  const time = formatClock(text);
  if (time !== undefined) return lastTimeOfDay(time, now, zone);
  if (/^[\d.]+ ?[a-zµ]/.test(text)) return lengthAgo(text.replace(/ ago$/, ''), now);
  if (/^(tomorrow|now$|in |next )/.test(text)) return unreadable(`that is not in the past: ${pastExamples}`);
  if (/^(today|yesterday)$/.test(text)) return unreadable(timeMissing(text));
  const read = formatDated(text);
  if (read === undefined) return unreadable(`not understood: ${pastExamples}`);
  if (read.wall === undefined) return unreadable(timeMissing(read.day));
  return lastOf([read.wall], now, zone, read.offset);
}

function lengthAgo(text: string, now: number): TypedMoment {
  const ms = readDuration(text);
  return ms === undefined
    ? unreadable(`${text} is not a length from 1s to 10y: ${pastExamples}`)
    : { ok: true, at: now - ms };
}

function lastTimeOfDay({ day, hour, minute }: TimeOfDay, now: number, zone: string): TypedMoment {
  const today = { ...wallTimeAt(now, zone), hour, minute, second: 0 };
  if (!isWallTime(today)) return unreadable('a day has 00:00 to 23:59: type a time such as 22:00 or 10pm');
  const yesterday = addDays(today, -1);
  if (day === undefined) return lastOf([yesterday, today], now, zone);
  if (day === 'yesterday') return lastOf([yesterday], now, zone);
  if (day === 'today') return lastOf([today], now, zone);
  if (day === 'tomorrow') return unreadable(`that is not in the past: ${pastExamples}`);
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return lastOf([{ ...today, year, month, day: date }], now, zone);
}

/** The last moment before now with one of these local times, in the zone or at an explicit offset. */
function lastOf(walls: readonly WallTime[], now: number, zone: string, offset?: string): TypedMoment {
  if (!walls.every(isWallTime)) return unreadable('there is no such moment: type 2026-05-07 09:00');
  const at = walls.flatMap((wall) => momentsAt(wall, zone, offset)).findLast((moment) => moment < now);
  return at === undefined ? unreadable(`that is not in the past: ${pastExamples}`) : { ok: true, at };
}

/** A start with its zone, its day and its distance: `since 22:00 UTC yesterday, 9h 8m ago`. Milliseconds since the epoch. */
export function startInWords(instant: number, now: number, zone: string): string {
  const day = calendarDay(instant, zone);
  const noon = { ...wallTimeAt(now, zone), hour: 12, minute: 0, second: 0 };
  const before = calendarDay(zoneInstants(addDays(noon, -1), zone)[0] ?? now, zone);
  const said = day === calendarDay(now, zone) ? '' : day === before ? ' yesterday' : ` on ${day}`;
  return `since ${clockTime(instant, zone)} ${offsetName(instant, zone)}${said}, ${spans(now - instant)} ago`;
}
