import { readMoment } from './time-text.ts';
import { type WallTime, zoneInstants } from './zone.ts';

/** A time of day as typed, and its day where one is. `hour` is NaN for one that no clock has. */
export interface TimeOfDay {
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
export interface Dated {
  readonly day: string;
  readonly wall?: WallTime;
  readonly offset?: string | undefined;
}

/** Reads `2026-05-07 09:00`, with seconds and an offset where one is (`2026-05-07T09:00Z`), and a date alone. In lower case. */
export function formatDated(text: string): Dated | undefined {
  const part =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:[t ](?:at )?(\d{1,2}):(\d\d)(?::(\d\d))?)?( ?(?:z|utc|[+-]\d\d:?\d\d))?$/.exec(text);
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
export function momentsAt(wall: WallTime, zone: string, offset?: string): readonly number[] {
  if (offset === undefined) return zoneInstants(wall, zone);
  const utc = zoneInstants(wall, 'UTC')[0] ?? Number.NaN;
  const zero = readMoment(`1970-01-01T00:00:00${offset === 'utc' ? 'Z' : offset}`);
  return zero === undefined ? [] : [utc + zero];
}

/** What is said of a day without a time. */
export const timeMissing = (day: string): string => `${day} at what time? type ${day} 09:00`;
