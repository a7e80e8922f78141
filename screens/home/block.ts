import type { Problem } from '../../src/api/problem.ts';
import type { Told } from '../../src/describe/derived.ts';

/** What a block says in place of lines: that it is being read, or what its being empty means. */
export const waiting = (told: Told | undefined, empty: string): string => (told?.rows ? empty : 'Loading…');

/** Why nothing could be read. Where nothing answers, every block says so, and header and message say what to check. */
export const causeOf = ({ kind, status, text }: Pick<Problem, 'kind' | 'status' | 'text'>): string =>
  kind === 'unreachable' && status === undefined ? 'no connection' : text;

/** Why what a block shows is old or missing, as one sentence; undefined while its read works. */
export function troubleOf(told: Told | undefined, what: string): string | undefined {
  if (!told?.problem) return undefined;
  return `${told.rows ? `${what} are old` : `${what} cannot be read`}: ${causeOf(told.problem)}`;
}
