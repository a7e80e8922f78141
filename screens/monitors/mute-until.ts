import { problemResult } from '../../src/api/problem.ts';
import { quoteWord } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Field } from '../../src/describe/field.ts';
import { readDuration } from '../../src/lib/duration.ts';
import { endInWords, readUntil } from '../../src/lib/end-time.ts';
import type { ParseResult } from '../../src/lib/parse-result.ts';
import { spans } from '../../src/lib/time-text.ts';

/** The end of a mute as typed. A length counts from the moment of sending, so that repeating the edit gives a new end. */
export type MuteEnd =
  | { readonly kind: 'for'; readonly ms: number }
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'forever' };

const hour = 3_600_000;

/** The lengths that one key chooses. */
export const lengths = [
  { key: '1', title: '1h', ms: hour },
  { key: '4', title: '4h', ms: 4 * hour },
  { key: 'h', title: '12h', ms: 12 * hour },
  { key: 'd', title: '1 day', ms: 24 * hour },
  { key: 'w', title: '1 week', ms: 7 * 24 * hour },
] as const;

/** Reads `45m`, `until 07:30`, `tomorrow 09:00`, `forever`; a moment that has passed is a sentence. */
export function readMuteUntil(typed: string, context: Pick<Context, 'now' | 'zone'>): ParseResult<MuteEnd> {
  const ms = readDuration(typed.trim().replace(/^for (?!ever)/i, ''));
  if (ms !== undefined) return { ok: true, value: { kind: 'for', ms } };
  const until = readUntil(typed, context.now, context.zone);
  if (!until.ok) return until;
  return {
    ok: true,
    value: until.at === Number.POSITIVE_INFINITY ? { kind: 'forever' } : { kind: 'at', at: until.at },
  };
}

/**
 * The line behind `t`: a length, a time, or `forever`. `from` is the end to which a length is added: that of the mute
 * which is extended, `each` where several are.
 */
export function untilField(
  label: string,
  context: Pick<Context, 'now' | 'zone'>,
  from?: number | 'each',
): Field<MuteEnd> {
  return {
    kind: 'text',
    label,
    initial: '',
    placeholder: '45m, until 07:30, 9am tomorrow, forever',
    means(typed, now) {
      const read = readMuteUntil(typed, { ...context, now });
      if (!read.ok) return undefined;
      if (read.value.kind === 'for' && from === 'each') return `${spans(read.value.ms)} longer each`;
      const end = endsAt(read.value, from === undefined || from === 'each' ? now : from);
      return endInWords(end ?? Infinity, now, context.zone);
    },
    read: (typed) => readMuteUntil(typed, context),
  };
}

/** The end in milliseconds since the epoch, whole seconds as the service keeps them; null = forever. `from` is where a length begins. */
export function endsAt(until: MuteEnd, from: number): number | null {
  if (until.kind === 'forever') return null;
  const at = until.kind === 'at' ? until.at : from + until.ms;
  return Math.ceil(at / 1000) * 1000;
}

/** The refusal of an end that has passed. */
export const refusedAsPast = (end: number | null, now: number) =>
  end !== null && end <= now ? problemResult('invalid', 'that moment has passed: type a later one') : undefined;

/** The command that mutes one monitor. */
export const muteCommand = (id: string, until: MuteEnd): string =>
  `orgdeck monitors mute ${quoteWord(id)} --for ${quoteWord(untilArgument(until))}`;

/** As the command line takes it: `1h`, `45m`, `90s`, a moment in UTC, `forever`. */
export function untilArgument(until: MuteEnd): string {
  if (until.kind === 'forever') return 'forever';
  if (until.kind === 'at') return `until ${new Date(until.at).toISOString().slice(0, 19)}Z`;
  const seconds = Math.round(until.ms / 1000);
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
