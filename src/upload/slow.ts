import type { Problem } from '../api/problem.ts';
import { amount, lasting } from './amount.ts';

/** The same problem, and that nothing came of it. */
export const nothingMade = (it: Problem): Problem => ({ ...it, text: `${it.text}; no table was made` });

/**
 * Why new addresses would not help once the first have died; undefined when they may. `rate` is the average in bytes a
 * second; `livesMs` is how long addresses live.
 */
export function tooSlow(last: Problem, size: number, rate: number | undefined, livesMs: number): Problem | undefined {
  if (rate === undefined)
    return nothingMade({ ...last, kind: 'unreachable', text: `nothing could be sent: ${last.text}` });
  const needed = (size / rate) * 1000;
  if (needed <= livesMs) return undefined;
  const why = `${amount(size)} at ${amount(rate)}/s take ${lasting(needed)}, and the addresses live ${lasting(livesMs)}`;
  const text = `the line is too slow, no table was made: ${why}; split the file, or put it into cloud storage`;
  return { ...last, kind: 'unreachable', text };
}
