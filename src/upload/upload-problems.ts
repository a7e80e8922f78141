import type { Problem } from '../api/problem.ts';
import { byteText, durationText } from './units.ts';

/** Adds to a problem that no table was created. */
export const withNoTable = (problem: Problem): Problem => ({
  ...problem,
  text: `${problem.text}; no table was created`,
});

/**
 * Why new addresses would not help once the first have died; undefined when they may. `rate` is the average in bytes a
 * second, absent in the first one; `arrived` is how many parts have arrived, `livesMs` how long addresses live.
 */
export function tooSlowProblem(
  last: Problem,
  size: number,
  { rate, arrived }: { readonly rate?: number | undefined; readonly arrived: number },
  livesMs: number,
): Problem | undefined {
  if (rate === undefined && arrived > 0) return undefined;
  if (rate === undefined)
    return withNoTable({ ...last, kind: 'unreachable', text: `nothing could be sent: ${last.text}` });
  const needed = (size / rate) * 1000;
  if (needed <= livesMs) return undefined;
  const why = `${byteText(size)} at ${byteText(rate)}/s take ${durationText(needed)}, and the addresses are valid for ${durationText(livesMs)}`;
  const text = `the connection is too slow, no table was created: ${why}; split the file, or put it into cloud storage`;
  return { ...last, kind: 'unreachable', text };
}
