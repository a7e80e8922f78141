import type { Problem } from '../../src/api/problem.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Material, Told } from '../../src/describe/derived.ts';
import { dayAndTime } from '../../src/lib/end-time.ts';
import { offsetName } from '../../src/lib/zone.ts';

/** What a block says in place of lines: that it is being read, or what its being empty means. */
export const waiting = (told: Told | undefined, empty: string): string =>
  told?.rows && !told.isPartial ? empty : 'Loading…';

/** A text that begins with a count, with `+` behind the count while not all of the rows have been read. */
export const countSoFar = (text: string, told: Pick<Told, 'isPartial'> | undefined): string =>
  told?.isPartial ? text.replace(/^\d+/, '$&+') : text;

/** Why nothing could be read. Where nothing answers, header and message say what to check. */
const causeOf = ({ kind, status, text }: Pick<Problem, 'kind' | 'status' | 'text'>): string =>
  kind === 'unreachable' && status === undefined ? 'no connection' : text;

/** The cause that header and message say already where the reads of monitors and of downtimes have both failed. */
export const saidOnce = ({ monitors, downtimes }: Material['told']): string | undefined =>
  downtimes?.problem && monitors?.problem?.text;

/** From when what a block shows is, or that it is missing, and why unless that is `said` above; undefined while its read works. */
export function readTrouble(
  feed: Told | undefined,
  subject: string,
  context: Context,
  problemText?: string,
): string | undefined {
  if (!feed?.problem) return undefined;
  const { text } = feed.problem;
  const cause = causeOf(feed.problem);
  const isSaid = text === problemText && (feed.rows !== undefined || cause === text);
  return `${subject} ${feed.rows ? asOf(feed, context) : 'cannot be read'}${isSaid ? '' : `: ${cause}`}`;
}

/** `as of 05:06 UTC`, with the day where it is not today. */
const asOf = ({ at }: Pick<Told, 'at'>, { now, zone }: Context): string =>
  at === undefined ? 'are old' : `as of ${dayAndTime(at, now, zone)} ${offsetName(at, zone)}`;
