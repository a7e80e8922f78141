/**
 * Clock passed in everywhere, so that tests control time. `now` is milliseconds since the Unix epoch; `after` calls
 * back once after `ms` and returns a function that cancels it.
 */
export interface Clock {
  now(): number;
  after(ms: number, then: () => void): () => void;
}

/** The real clock. A timer never keeps the process alive by itself. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(ms, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * The time of a clock to measure waits by: where the wall clock is set back, it stands still until the next look, so that no wait
 * grows by what the clock lost. Set forward, and after a sleep of the machine, it goes on with it.
 */
export function steadyTime({ now }: Pick<Clock, 'now'>): () => number {
  const state = { last: now(), lost: 0 };
  return () => {
    const at = now();
    state.lost += Math.max(0, state.last - at);
    state.last = at;
    return at + state.lost;
  };
}

/** Keeps the process alive, which no timer of the clock does, until the function that it returns is called. */
export function keepAwake(): () => void {
  const awake = setInterval(() => {}, 2 ** 30);
  return () => clearInterval(awake);
}

/** A part of a time as clocks and calendars write it: `07`. */
export const twoDigits = (part: number): string => String(part).padStart(2, '0');

/** Local date and time in a zone. `month` is 1 to 12. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

interface Zone {
  wall(ms: number): WallTime;
  offset(ms: number): string;
}

/** The first formatter of a process takes 13 ms and 8 MB, which most runs do without: `Date` knows UTC and the machine's zone. */
const utc: Zone = {
  wall(ms) {
    const date = new Date(ms);
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
  },
  offset: () => 'UTC',
};

const machine: Zone = {
  wall: (ms) => utc.wall(ms - new Date(ms).getTimezoneOffset() * 60_000),
  offset(ms) {
    const east = -new Date(ms).getTimezoneOffset();
    const [hours, minutes] = [Math.trunc(Math.abs(east) / 60), Math.abs(east) % 60];
    if (east === 0) return 'UTC';
    return `UTC${east < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${twoDigits(minutes)}`}`;
  },
};

const zones = new Map<string, Zone | undefined>([['UTC', utc]]);

/** Says which zone `Date` computes in on this machine; times in it then need no formatter. */
export const setMachineZone = (name: string): void => void zones.set(name, machine);

/** One pair of formatters for each zone is kept; undefined for a zone that is not known here. */
function knownZone(name: string): Zone | undefined {
  if (!zones.has(name)) zones.set(name, formatters(name));
  return zones.get(name);
}

/** An unknown zone counts as UTC: who must not take it for that asks `isZone` before. */
const zoneOf = (name: string): Zone => knownZone(name) ?? utc;

function formatters(timeZone: string): Zone | undefined {
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  try {
    const rest = { timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' } as const;
    const wall = new Intl.DateTimeFormat('en-US', { ...rest, ...digits, second: '2-digit', era: 'short' });
    const offset = new Intl.DateTimeFormat('en-US', { ...rest, timeZoneName: 'shortOffset' });
    return {
      wall(ms) {
        const got: Record<string, string> = {};
        for (const part of wall.formatToParts(ms)) got[part.type] = part.value;
        const year = Number(got.year);
        return {
          year: got.era === 'BC' ? 1 - year : year,
          month: Number(got.month),
          day: Number(got.day),
          hour: Number(got.hour),
          minute: Number(got.minute),
          second: Number(got.second),
        };
      },
      offset(ms) {
        const name = offset.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? 'UTC';
        return name.replace('GMT', 'UTC').replace(/\+0$/, '');
      },
    };
  } catch {
    return undefined;
  }
}

/** Whether this is a zone that times can be shown in: `Europe/Berlin`, `UTC`, `+02:00`. */
export const isZone = (name: string): boolean => name !== '' && knownZone(name) !== undefined;

/** Whether it is a zone by its name, which follows changes of clocks: no offset such as `+02:00`. */
export const isNamedZone = (name: string): boolean => /^[a-z]/i.test(name) && isZone(name);

/** Milliseconds since the epoch that a date can hold. */
export function isMoment(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}

/** The wall clock in a zone at a moment; the moment must be one that `isMoment` takes. */
export const wallTimeAt = (ms: number, zone: string): WallTime => zoneOf(zone).wall(ms);

/** `UTC`, `UTC+2`, `UTC+5:30`. */
export const offsetName = (ms: number, zone: string): string => zoneOf(zone).offset(ms);

/** The local time read as UTC, in milliseconds; carries days over month ends. */
function asUtc(wall: WallTime): number {
  const date = new Date(0);
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  date.setUTCHours(wall.hour, wall.minute, wall.second);
  return date.getTime();
}

/** True when such a local time exists: no 30 February, no 25:00. */
export function isWallTime(wall: WallTime): boolean {
  const date = new Date(asUtc(wall));
  return (
    date.getUTCMonth() === wall.month - 1 &&
    date.getUTCDate() === wall.day &&
    date.getUTCHours() === wall.hour &&
    date.getUTCMinutes() === wall.minute &&
    date.getUTCSeconds() === wall.second
  );
}

/** A wall time moved by a number of days; the time of day stays. */
export function addDays(wall: WallTime, days: number): WallTime {
  const date = new Date(asUtc({ ...wall, day: wall.day + days }));
  return { ...wall, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Milliseconds that the clocks of a zone are ahead of UTC. */
const shiftAt = (ms: number, zone: string): number => asUtc(wallTimeAt(ms, zone)) - ms;

/**
 * The last minute before and the first moment after the change that skips this local time, in epoch milliseconds; undefined
 * where clocks show it.
 */
export function gapAround(wall: WallTime, zone: string): readonly [before: number, after: number] | undefined {
  const wanted = asUtc(wall);
  const [instant = wanted] = zoneInstants(wall, zone);
  if (asUtc(wallTimeAt(instant, zone)) === wanted) return undefined;
  let [early, late] = [instant - 86_400_000, instant];
  const shift = shiftAt(late, zone);
  while (late - early > 1000) {
    const middle = Math.floor((early + late) / 2000) * 1000;
    if (shiftAt(middle, zone) === shift) late = middle;
    else early = middle;
  }
  return [late - 60_000, late];
}

/** Whether clocks show the local time of this moment twice, and which of the two it is. */
export function whichOfTwo(ms: number, zone: string): 'first' | 'second' | undefined {
  const instants = zoneInstants(wallTimeAt(ms, zone), zone);
  if (instants.length < 2) return undefined;
  return ms < (instants[1] ?? ms) ? 'first' : 'second';
}

/**
 * The moments (epoch milliseconds) with this local time, earliest first: usually one; two in the hour repeated in
 * autumn. For a local time skipped in spring: the moment equally long after the change.
 */
export function zoneInstants(wall: WallTime, zone: string): readonly number[] {
  const wanted = asUtc(wall);
  const dayMs = 86_400_000;
  const before = wanted - shiftAt(wanted - dayMs, zone);
  const after = wanted - shiftAt(wanted + dayMs, zone);
  const real = [...new Set([before, after])]
    .filter((ms) => asUtc(wallTimeAt(ms, zone)) === wanted)
    .sort((one, other) => one - other);
  return real.length > 0 ? real : [before];
}

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

/** A length of time in one unit: `45m`; `0s` where it is negative, after the clock was set back. Milliseconds. */
export function span(ms: number, round: (value: number) => number = Math.round): string {
  const seconds = Math.max(0, round(ms / second));
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
