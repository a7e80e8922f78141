import type { Problem } from '../api/problem.ts';
import { capitalized } from '../lib/text.ts';
import type { Part } from './receipt.ts';

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

/**
 * The sentence of a refusal in parts, where a permission is missing: what stands around its name is shortened where there is
 * no room, the action and the permission are not.
 */
export function failureParts(title: string, problem: Problem | Pick<Problem, 'text'>): readonly Part[] | undefined {
  const text = failureText(title, problem);
  const need = 'kind' in problem ? (problem.permission ?? []).join(' and ') : '';
  const at = need === '' ? -1 : text.indexOf(need);
  const [, name = '', why = '', lack = ''] = /^(.+? failed: )(.*?)((?:, or)? lack )$/s.exec(text.slice(0, at)) ?? [];
  if (at < 0 || name === '') return undefined;
  return [name, { name: why }, `${lack}${need}`, { name: text.slice(at + need.length) }];
}
