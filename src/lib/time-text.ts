import { isMoment, offsetName, twoDigits, wallTimeAt } from './zone.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
/** A twelfth of 365 days. */
const month = (365 / 12) * day;
/**
 * How long ago in one unit, rounded down (`12s`, `2m`, `1h`, `3d`, `5w`, `3 mo`, `2 y`), or how soon, rounded to the nearest
 * (`in 5m`). Milliseconds since the epoch; `–` for what is no moment.
 */
export function age(then: number, now: number): string {
  if (!isMoment(then) || !isMoment(now)) return '–';
  return then <= now ? span(now - then, Math.floor) : `in ${span(then - now, Math.round)}`;
}

/** A length of time in one unit: `45m`. Milliseconds. */
export function span(ms: number, round: (value: number) => number = Math.round): string {
  const seconds = round(ms / second);
  if (seconds < 60) return `${seconds}s`;
  const minutes = round(ms / minute);
  if (minutes < 60) return `${minutes}m`;
  const hours = round(ms / hour);
  if (hours < 48) return `${hours}h`;
  const days = round(ms / day);
  if (days < 14) return `${days}d`;
  if (days <= 56) return `${round(ms / week)}w`;
  return days < 2 * 365 ? `${round(ms / month)} mo` : `${round(ms / (365 * day))} y`;
}

/** Minutes until a moment, to the nearest; at least one. */
export const minutesLeft = (ms: number): number => Math.max(1, Math.round(ms / minute));

/** How long until a moment: in minutes as long as a quarter of an hour matters, else in one unit to the nearest: `9m`, `1h`, `90m`, `2h`. */
export function timeLeft(ms: number): string {
  const minutes = minutesLeft(ms);
  return minutes < 100 && minutes !== 60 ? `${minutes}m` : span(ms);
}

/** A length of time in two units where the second says something: `13h 20m`, `2d`, `45m`, `30s`. Milliseconds. */
export function spans(ms: number): string {
  if (ms < minute) return `${Math.max(0, Math.round(ms / second))}s`;
  const minutes = Math.round(ms / minute);
  const parts: readonly [number, string][] = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'm'],
  ];
  const from = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(from, from + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join(' ');
}

/** `07:30` in the zone; `–` for what is no moment. */
export function clockTime(ms: number, zone: string): string {
  if (!isMoment(ms)) return '–';
  const wallTime = wallTimeAt(ms, zone);
  return `${twoDigits(wallTime.hour)}:${twoDigits(wallTime.minute)}`;
}

/** `2026-05-06` in the zone; `–` for what is no moment. */
export function calendarDay(ms: number, zone: string): string {
  if (!isMoment(ms)) return '–';
  const wallTime = wallTimeAt(ms, zone);
  return `${String(wallTime.year).padStart(4, '0')}-${twoDigits(wallTime.month)}-${twoDigits(wallTime.day)}`;
}

/** `07:08:09` in the zone; `–` for what is no moment. */
export const timeToSecond = (ms: number, zone: string): string =>
  isMoment(ms) ? `${clockTime(ms, zone)}:${twoDigits(wallTimeAt(ms, zone).second)}` : '–';

/** `2026-05-06 07:08:09` in the zone; `–` for what is no moment. */
export const exactTime = (ms: number, zone: string): string =>
  isMoment(ms) ? `${calendarDay(ms, zone)} ${timeToSecond(ms, zone)}` : '–';

/** `2026-05-06 07:08:09 UTC+2`; `–` for what is no moment. */
export const absolute = (ms: number, zone: string): string =>
  isMoment(ms) ? `${exactTime(ms, zone)} ${offsetName(ms, zone)}` : '–';

/** As most services write it: in UTC, with digits of a second or none. */
const usualIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3,9})?(?:Z|\+00:00)$/;
const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Milliseconds since the epoch from what a service sent: ISO 8601 with up to nine digits of a second (without
 * an offset it is UTC), or a number of `unit`s since the epoch, also as a string of digits. Anything else:
 * undefined.
 */
export function readMoment(value: unknown, unit: 'ms' | 's' = 'ms'): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const ms = Number(value) * (unit === 's' ? second : 1);
    return isMoment(ms) ? Math.round(ms) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (usualIso.test(text)) {
    const instant = Date.parse(text);
    // A day that the month does not have rolls over silently.
    return new Date(instant).getUTCDate() === Number(text.slice(8, 10)) ? instant : undefined;
  }
  if (/^-?\d{5,16}$/.test(text)) return readMoment(Number(text), unit);
  const part = iso.exec(text);
  if (part === null) return undefined;
  const [, year, month, date, hours = '0', minutes = '0', seconds = '0', fraction = '', offset = 'Z'] = part;
  const stamp = `${year}-${month}-${date}T${twoDigits(Number(hours))}:${twoDigits(Number(minutes))}:${twoDigits(Number(seconds))}`;
  const at = Date.parse(`${stamp}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(`${year}-${month}-${date}`)) return undefined;
  return at - offsetMs(offset);
}

/** The end of the year 9999: no time of a service lies behind it, but sentinels lie just before it. */
const lastMoment = Date.UTC(10_000, 0, 1) - 1;

/**
 * Reads a time as a deployment writes it: ISO 8601, or a number since the epoch, also as text, in the `unit` that the
 * contract gives the member. A number that would lie behind the year 9999 is in a finer unit. 0 stands for never: undefined.
 */
export function readEpoch(value: unknown, unit: 'ms' | 's'): number | undefined {
  const isCount = typeof value === 'string' && /^-?\d{1,19}(\.\d+)?$/.test(value.trim());
  if (typeof value !== 'number' && typeof value !== 'bigint' && !isCount) return readMoment(value);
  let ms = Number(value) * (unit === 's' ? 1000 : 1);
  if (ms === 0 || !Number.isFinite(ms)) return undefined;
  for (let finer = 0; finer < 3 && Math.abs(ms) > lastMoment; finer += 1) ms /= 1000;
  return readMoment(ms);
}

function offsetMs(offset: string): number {
  const part = /^([+-])(\d\d):?(\d\d)?$/.exec(offset);
  if (part === null) return 0;
  return (part[1] === '-' ? -1 : 1) * (Number(part[2]) * hour + Number(part[3] ?? 0) * minute);
}
