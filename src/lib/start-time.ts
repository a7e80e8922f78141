import { readDuration } from './duration.ts';
import { unreadable } from './parse-result.ts';
import { calendarDay, clockTime, spans } from './time-text.ts';
import { formatClock, formatDated, momentsAt, type TimeOfDay, timeMissing } from './typed-time.ts';
import { addDays, isWallTime, offsetName, type WallTime, wallTimeAt, zoneInstants } from './zone.ts';

/** A start as typed; `at` is before now, in milliseconds since the epoch. */
export type Since = { readonly ok: true; readonly at: number } | { readonly ok: false; readonly text: string };

const examples = 'type 22:00, yesterday 22:00 or 6h';

/**
 * The past moment that a person means: a length (`6h`, `6h ago`), the last such time of day in the zone (`since 22:00`,
 * `10pm`), a day and a time in either order (`yesterday 22:00`, `2026-05-07 09:00`), or a moment with its offset
 * (`2026-05-07T09:00Z`). Anything else, and every moment still ahead, is one sentence that says what to type. `now` and
 * `at` are milliseconds since the epoch.
 */
export function readSince(typed: string, now: number, zone: string): Since {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^(since|from)( |$)/, '')
    .replace(/^(the )?last /, '');
  if (text === '') return unreadable(`nothing typed: ${examples}`);
  if (/^\d+(\.\d+)?$/.test(text)) return unreadable(`${text} of what? type ${text}h or a time such as 22:00`);
  const time = formatClock(text);
  if (time !== undefined) return timeOfDay(time, now, zone);
  if (/^[\d.]+ ?[a-zµ]/.test(text)) return length(text.replace(/ ago$/, ''), now);
  if (/^(tomorrow|now$|in |next )/.test(text)) return unreadable(`that is not in the past: ${examples}`);
  if (/^(today|yesterday)$/.test(text)) return unreadable(timeMissing(text));
  const read = formatDated(text);
  if (read === undefined) return unreadable(`not understood: ${examples}`);
  if (read.wall === undefined) return unreadable(timeMissing(read.day));
  return lastOf([read.wall], now, zone, read.offset);
}

function length(text: string, now: number): Since {
  const ms = readDuration(text);
  return ms === undefined
    ? unreadable(`${text} is not a length from 1s to 10y: ${examples}`)
    : { ok: true, at: now - ms };
}

function timeOfDay({ day, hour, minute }: TimeOfDay, now: number, zone: string): Since {
  const today = { ...wallTimeAt(now, zone), hour, minute, second: 0 };
  if (!isWallTime(today)) return unreadable('a day has 00:00 to 23:59: type a time such as 22:00 or 10pm');
  const yesterday = addDays(today, -1);
  if (day === undefined) return lastOf([yesterday, today], now, zone);
  if (day === 'yesterday') return lastOf([yesterday], now, zone);
  if (day === 'today') return lastOf([today], now, zone);
  if (day === 'tomorrow') return unreadable(`that is not in the past: ${examples}`);
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return lastOf([{ ...today, year, month, day: date }], now, zone);
}

/** The last moment before now with one of these local times, in the zone or at an explicit offset. */
function lastOf(walls: readonly WallTime[], now: number, zone: string, offset?: string): Since {
  if (!walls.every(isWallTime)) return unreadable('there is no such moment: type 2026-05-07 09:00');
  const at = walls.flatMap((wall) => momentsAt(wall, zone, offset)).findLast((moment) => moment < now);
  return at === undefined ? unreadable(`that is not in the past: ${examples}`) : { ok: true, at };
}

/** A start with its zone, its day and its distance: `since 22:00 UTC yesterday, 9h 8m ago`. Milliseconds since the epoch. */
export function startInWords(instant: number, now: number, zone: string): string {
  const day = calendarDay(instant, zone);
  const noon = { ...wallTimeAt(now, zone), hour: 12, minute: 0, second: 0 };
  const before = calendarDay(zoneInstants(addDays(noon, -1), zone)[0] ?? now, zone);
  const said = day === calendarDay(now, zone) ? '' : day === before ? ' yesterday' : ` on ${day}`;
  return `since ${clockTime(instant, zone)} ${offsetName(instant, zone)}${said}, ${spans(now - instant)} ago`;
}
