import { readDuration, tenYears } from './duration.ts';
import { unreadable } from './parse-result.ts';
import { calendarDay, clockTime, spans } from './time-text.ts';
import { formatClock, formatDated, momentsAt, type TimeOfDay, timeMissing } from './typed-time.ts';
import {
  addDays,
  gapAround,
  isMoment,
  isWallTime,
  offsetName,
  twoDigits,
  type WallTime,
  wallTimeAt,
  whichOfTwo,
  zoneInstants,
} from './zone.ts';

/** An end time as typed. `at` is Infinity for "forever"; `says` follows a verb. */
export type EndTime =
  | { readonly ok: true; readonly at: number; readonly says: string }
  | { readonly ok: false; readonly text: string };

const examples = 'type a length such as 45m or a time such as 07:30';

/**
 * The moment that a person means: a length (`45m`), the next such time of day in the zone (`until 07:30`, `9am`), a
 * day and a time in either order (`tomorrow 9:00`, `9am tomorrow`, `2026-05-07 09:00`), a moment with its offset
 * (`2026-05-07T09:00Z`), or `forever`.
 * Anything else, and every moment that has passed, is one sentence that says what to type. `now` and `at` are
 * milliseconds since the epoch.
 */
export function readUntil(typed: string, now: number, zone: string): EndTime {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(until|till|to|for) (?!ever$)/, '');
  if (text === '') return unreadable(`nothing typed: ${examples}`);
  if (/^(forever|for ever|indefinitely)$/.test(text)) return { ok: true, at: Infinity, says: 'forever' };
  if (/^\d+(\.\d+)?$/.test(text)) return unreadable(`${text} of what? type ${text}m, ${text}h or ${text}d`);
  const time = formatClock(text);
  if (time !== undefined && time.day !== 'yesterday') return timeOfDay(time, now, zone);
  if (/^(in )?[\d.]+ ?[a-zµ]/.test(text)) return length(text.replace(/^in /, ''), now, zone);
  if (/^(yesterday|last |now$|-)/.test(text) || / ago$/.test(text))
    return unreadable(`that is not in the future: ${examples}`);
  if (/^(today|tomorrow)$/.test(text)) return unreadable(timeMissing(text));
  return date(text, now, zone);
}

function length(text: string, now: number, zone: string): EndTime {
  const ms = readDuration(text);
  if (ms !== undefined) return ending(now + ms, now, zone);
  return unreadable(`${text} is not a length between 1s and 10y: ${examples}`);
}

function timeOfDay({ day, hour, minute }: TimeOfDay, now: number, zone: string): EndTime {
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
    if (at !== undefined) return skipped(wall, now, zone) ?? ending(at, now, zone);
  }
  return unreadable(`that time has passed: ${examples}`);
}

function date(text: string, now: number, zone: string): EndTime {
  const read = formatDated(text);
  if (read === undefined) return unreadable(`not understood: ${examples}, tomorrow 09:00, 2026-05-07 09:00 or forever`);
  if (read.wall === undefined) return unreadable(timeMissing(read.day));
  return firstOf(read.wall, now, zone, read.offset);
}

/** The next moment with this local time, in the zone or at an explicit offset. */
function firstOf(wall: WallTime, now: number, zone: string, offset?: string): EndTime {
  if (!isWallTime(wall)) return unreadable('there is no such moment: type one such as 2026-05-07 09:00');
  const moments = momentsAt(wall, zone, offset);
  const at = moments.find((moment) => moment > now);
  if (at === undefined) return unreadable(`that moment has passed: ${examples}`);
  return (offset === undefined ? skipped(wall, now, zone) : undefined) ?? ending(at, now, zone);
}

/** The refusal of a local time that clocks leave out, with the two nearest that they show. */
function skipped(wall: WallTime, now: number, zone: string): EndTime | undefined {
  const gap = gapAround(wall, zone);
  if (!gap) return undefined;
  const [before, after] = gap.map((at) => clockTime(at, zone));
  const day = `${wall.year}-${twoDigits(wall.month)}-${twoDigits(wall.day)}`;
  const near = gap.map((at) => dayAndTime(at, now, zone)).join(' or ');
  return unreadable(
    `there is no ${twoDigits(wall.hour)}:${twoDigits(wall.minute)} on ${day} in ${zone}, where clocks go from ${before} to ${after}: type ${near}`,
  );
}

function ending(at: number, now: number, zone: string): EndTime {
  if (at - now > tenYears) return unreadable('over ten years ahead: type forever for no end');
  return { ok: true, at, says: `until ${dayAndTime(at, now, zone)}` };
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
  const noon = (time: WallTime) => Date.UTC(time.year, time.month - 1, time.day, 12);
  const days = Math.round((noon(wall) - noon(today)) / 86_400_000);
  if (days >= 0 && days <= 6) return `${weekdays[new Date(noon(wall)).getUTCDay()]} ${clockTime(instant, zone)}`;
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
