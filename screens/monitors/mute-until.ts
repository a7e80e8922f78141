import { problemResult } from '../../src/api/problem.ts';
import { timestamp } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { type Field, textField } from '../../src/describe/field.ts';
import { type ParseResult, unreadable } from '../../src/lib/function-results.ts';
import { nextWindows, readTypedWindow, ruleWords, type TypedWindow, type Window } from '../../src/lib/recurrence.ts';
import { spans } from '../../src/lib/time.ts';
import { endInWords, readDuration, readUntil, shortDayAndTime, zonedTime } from '../../src/lib/typed-time.ts';

/** What a time is read and said by. */
export type TimeContext = Pick<Context, 'now' | 'zone'>;

/** The end of a mute as typed. A length counts from the moment of sending, so that repeating the edit gives a new end. */
export type MuteEnd =
  | { readonly kind: 'for'; readonly ms: number }
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'forever' };

/** Windows of a mute that lie ahead: one, or those of a rule. */
export type MuteWindow = Exclude<TypedWindow, { readonly kind: 'at' }>;

/** When a mute holds: from now until its end, or in windows ahead. */
export type MuteTime = MuteEnd | MuteWindow;

export const isAhead = (time: MuteTime): time is MuteWindow => time.kind === 'once' || time.kind === 'every';

const hour = 3_600_000;

const lengthChoice = (key: string, title: string, hours: number) => ({
  key,
  title,
  values: { until: { kind: 'for', ms: hours * hour } as const },
});
/** What a bar begins with. */
export const firstLength = { until: { kind: 'for', ms: hour } } as const;
/** The lengths that one key chooses. */
export const lengthChoices = [
  lengthChoice('1', '1h', 1),
  lengthChoice('4', '4h', 4),
  lengthChoice('h', '12h', 12),
  lengthChoice('d', '1 day', 24),
  lengthChoice('w', '1 week', 7 * 24),
];

/** Reads `45m`, `until 07:30`, `tomorrow 09:00`, `forever`; a moment that has passed is a sentence. */
export function readMuteUntil(typed: string, context: TimeContext): ParseResult<MuteEnd> {
  const ms = readDuration(typed.trim().replace(/^for (?!ever)/i, ''));
  if (ms !== undefined) return { ok: true, value: { kind: 'for', ms } };
  const until = readUntil(typed, context.now, context.zone);
  if (!until.ok) return until;
  return {
    ok: true,
    value: until.at === Number.POSITIVE_INFINITY ? { kind: 'forever' } : { kind: 'at', at: until.at },
  };
}

/** Reads what `readMuteUntil` does, and windows: `22:00-23:30`, `tomorrow 09:00 for 1h`, `every Tue 22:00 for 2h`. */
export function readMuteTime(typed: string, context: TimeContext): ParseResult<MuteTime> {
  return readTypedWindow(typed, context.now, context.zone) ?? readMuteUntil(typed, context);
}

export const timeLabel = 'Duration, end time or windows';
const timeExamples = '45m, until 07:30, 22:00-23:30, every Tue 22:00 for 2h';

/** The flags that say together when a mute holds, and why. */
export const timeFlags = () => ({
  for: textField(timeLabel, '', { placeholder: timeExamples }),
  from: textField('From', '', { hint: 'Start of a window: 22:00, tomorrow 09:00' }),
  until: textField('Until', '', { hint: 'End of the mute, of its window, or of its repetition: 23:30, Dec 24' }),
  every: textField('Every', '', { hint: 'Days on which it repeats: Tue, weekdays, month on the 1st' }),
  reason: reasonField(),
});

export const reasonField = () => textField('Reason', '', { longest: 1000, hint: 'Shown to others as the reason' });

/** What the flags of a command say together: `--every Tue --from 22:00 --for 2h --until 'Dec 24'`. */
export function flaggedTime(
  { for: length = '', from, until, every }: Readonly<Record<string, string>>,
  context: TimeContext,
): ParseResult<MuteTime> {
  const words = Object.entries({ every, from, for: length, until }).filter(([, text]) => text);
  const typed = words.length === 1 && length !== '' ? length : words.map((pair) => pair.join(' ')).join(' ');
  const read = readMuteTime(typed, context);
  return read.ok ? read : unreadable(`--${words[0]?.[0] ?? 'for'}: ${read.text}`);
}

/** The next three windows, as far as there are so many. */
export const windowsOf = (time: MuteWindow, { now, zone }: TimeContext): readonly Window[] =>
  time.kind === 'once' ? [{ start: time.start, end: time.end }] : (nextWindows([time.rule], zone, now) ?? []);

/** A window for a program. */
export const windowItem = ({ start, end }: Window) => ({ start: timestamp(start), end: timestamp(end) });

/** `tomorrow 09:00 UTC for 1h`; of a rule with the next three windows: `every Tue 22:00 for 2h; next Tue 22:00, 8 Dec 22:00 (UTC)`. */
export function windowsAhead(time: MuteWindow, context: TimeContext): string {
  const { now, zone } = context;
  if (time.kind === 'once') return `${zonedTime(time.start, now, zone)} for ${spans(time.end - time.start)}`;
  const next = windowsOf(time, context).map(({ start }) => shortDayAndTime(start, now, zone));
  return `${ruleWords(time.rule, now, zone)}; next ${next.join(', ')} (${zone})`;
}

/** What was typed, as it is understood: `until 07:30 UTC, in 2h`, or windows. */
export function timeWords(time: MuteTime, context: TimeContext): string {
  if (isAhead(time)) return windowsAhead(time, context);
  return endInWords(endsAt(time, context.now) ?? Infinity, context.now, context.zone);
}

/** A line for a time, which says how it is understood. */
export const meantField = <V>(
  [label, placeholder]: readonly [label: string, placeholder: string],
  context: TimeContext,
  read: (typed: string, context: TimeContext) => ParseResult<V>,
  words: (value: V, context: TimeContext) => string,
): Field<V> => ({
  kind: 'text',
  label,
  initial: '',
  placeholder,
  means(typed, now) {
    const verdict = read(typed, { ...context, now });
    return verdict.ok ? words(verdict.value, { ...context, now }) : undefined;
  },
  read: (typed) => read(typed, context),
});

/** The line behind `t` of a mute: a length, a time, `forever`, or windows. */
export const timeField = (label: string, context: TimeContext): Field<MuteTime> =>
  meantField([label, timeExamples], context, readMuteTime, timeWords);

/** The end in milliseconds since the epoch, whole seconds as the service keeps them; null = forever. `from` is where a length begins. */
export function endsAt(until: MuteEnd, from: number): number | null {
  if (until.kind === 'forever') return null;
  const at = until.kind === 'at' ? until.at : from + until.ms;
  return Math.ceil(at / 1000) * 1000;
}

/** The refusal of an end that has passed. */
export const refusedAsPast = (end: number | null, now: number) =>
  end !== null && end <= now ? problemResult('invalid', 'that moment has passed: type a later one') : undefined;

/** As the command line takes it: `1h`, `45m`, `90s`, a moment in UTC, `forever`, windows with their moments in UTC. */
export function untilArgument(until: MuteTime): string {
  if (until.kind === 'forever') return 'forever';
  if (until.kind === 'at') return `until ${utc(until.at)}`;
  if (until.kind === 'every') return until.typed;
  if (until.kind === 'once') return `from ${utc(until.start)} until ${utc(until.end)}`;
  const seconds = Math.round(until.ms / 1000);
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
