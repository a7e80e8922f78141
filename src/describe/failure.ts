import type { Problem } from '../api/problem.ts';
import { capitalized } from '../lib/text.ts';
import type { ReceiptPart } from './receipt.ts';

/** What an edit would have created, in words: `API key`, and the name that was typed. */
export interface Uncreated {
  readonly noun: string;
  readonly name?: string | undefined;
}

/**
 * Why an action was not done, in one sentence that names it once: `Edit not sent: …` where the request was held back, `Mute
 * failed: …`, and `Mute: outcome unknown …` where it may have been done. A create names what it is about: `API key "deploy"
 * was not created: …`.
 */
export function failureText(subject: string | Uncreated, problem: Problem | Pick<Problem, 'text'>): string {
  const [prefix, how] = /^(?:(not sent|nothing was sent)|not [a-z]+): /.exec(problem.text) ?? [];
  const why = prefix === undefined ? problem.text : problem.text.slice(prefix.length);
  const isUnknown = 'kind' in problem && problem.kind === 'unknown';
  if (typeof subject !== 'string') {
    const name = subject.name === undefined ? '' : ` "${subject.name}"`;
    return `${capitalized(subject.noun)}${name}${isUnknown && prefix === undefined ? '' : ' was not created'}: ${why}`;
  }
  const title = capitalized(subject);
  if (how !== undefined) return `${title} not sent: ${why}`;
  return isUnknown ? `${title}: ${why}` : `${title} failed: ${why}`;
}

/**
 * The sentence of a refusal in parts, where a permission is missing: what stands around its name is shortened where there is
 * no room, the action and the permission are not. Of a create the name is shortened before that it was not created.
 */
export function failureParts(
  of: string | Uncreated,
  problem: Problem | Pick<Problem, 'text'>,
): readonly ReceiptPart[] | undefined {
  const text = failureText(of, problem);
  const name = typeof of === 'string' ? undefined : of.name;
  const begun = name === undefined ? 0 : text.indexOf(name) + name.length;
  const head: readonly ReceiptPart[] = name === undefined ? [] : [text.slice(0, begun - name.length), { name }];
  const rest = text.slice(begun);
  const need = 'kind' in problem ? (problem.permission ?? []).join(' and ') : '';
  const at = need === '' ? -1 : rest.indexOf(need);
  const [, done = '', why = '', lack = ''] =
    /^(.*?(?: failed|was not created): )(.*?)((?:, or)? lack )$/s.exec(rest.slice(0, at)) ?? [];
  if (at >= 0 && done !== '')
    return [...head, done, { name: why }, `${lack}${need}`, { name: rest.slice(at + need.length) }];
  return head.length > 0 ? [...head, rest] : undefined;
}
