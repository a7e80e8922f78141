import type { Problem } from '../api/problem.ts';
import { capitalized } from '../lib/text.ts';

/**
 * Why an action was not done, in one sentence that names it once: `Edit not sent: …` where the request was held back, `Mute
 * failed: …`, and `Mute: outcome unknown …` where it may have been done.
 */
export function failureText(title: string, problem: Problem | Pick<Problem, 'text'>): string {
  const name = capitalized(title);
  const [said, how] = /^(?:(not sent|nothing was sent)|not [a-z]+): /.exec(problem.text) ?? [];
  const why = said === undefined ? problem.text : problem.text.slice(said.length);
  if (how !== undefined) return `${name} not sent: ${why}`;
  return 'kind' in problem && problem.kind === 'unknown' ? `${name}: ${why}` : `${name} failed: ${why}`;
}
