import type { Call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { notInstalled } from '../../src/api/provider-a.ts';
import type { Many } from '../../src/describe/read-pages.ts';
import type { ResourceKind } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import { percentEncoded } from '../../src/lib/percent.ts';
import { withoutSecrets } from './fields.ts';

/** Accounts without an id: flat objects that a pair of texts names (docs/contract/integrations.md#provider_a, #provider_b-v1). */

/** The id of a pair: two pairs never have the same, and a keyboard has its letters. Empty where neither text is told. */
export function pairId(one: string | null | undefined, other: string | null | undefined): string {
  if (!one && !other) return '';
  return [one, other].map((part) => (part ?? '').replace(/[^!-$&-~]/gu, percentEncoded)).join(' ');
}

/** The pair of an id. */
export function parsePair(id: string): readonly [string, string] {
  const [one = '', other = ''] = id.split(' ').map(decodeURIComponent);
  return [one, other];
}

/** A list of flat objects in an envelope, without their secrets; "not yet installed" means that there are none. */
export function* flatList<A extends object>(list: Call<readonly A[]>): Plan<Result<Many<{ readonly attributes: A }>>> {
  const answer = yield* ask(list);
  if (answer.ok)
    return { ...answer, value: { data: answer.value.map((told) => ({ attributes: withoutSecrets(told) })) } };
  return notInstalled(answer.problem) ? toResult({ data: [] }) : answer;
}

/** Why a list does not show an account: it does not exist, or the keys may not read it. */
const unseen: readonly string[] = ['notFound', 'forbidden', 'notOffered'];

/**
 * Refuses a name that another account has: the service would lay the one over the other (docs/contract/integrations.md#choices).
 * `unseen` where the keys may not read the list.
 */
export function* refusedIfThere<R extends Resource>(
  kind: ResourceKind<R>,
  asked: R,
  text: string,
): Plan<Result<unknown> | 'unseen' | undefined> {
  const there = yield* kind.fresh(asked);
  if (there.ok) return problemResult('conflict', text);
  const { kind: why, status } = there.problem;
  // The list was read, and does not have it.
  if (why === 'notFound' && status === undefined) return undefined;
  return unseen.includes(why) ? 'unseen' : there;
}
