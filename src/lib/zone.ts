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

const zones = new Map<string, Zone>([['UTC', utc]]);

/** Says which zone `Date` computes in on this machine; times in it then need no formatter. */
export const setMachineZone = (name: string): void => void zones.set(name, name === 'UTC' ? utc : machine);

/** One pair of formatters for each zone is kept. An unknown zone counts as UTC. */
function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const made = formatters(name) ?? utc;
  zones.set(name, made);
  return made;
}

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
export const isZone = (name: string): boolean => name !== '' && formatters(name) !== undefined;

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
