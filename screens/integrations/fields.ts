import { ask, type Call, type Plan } from '../../src/api/endpoint.ts';
import { notInstalled } from '../../src/api/integrations.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { type Field, listField, readAs, shownWhen, toggleField } from '../../src/describe/field.ts';
import { namePart, receipt } from '../../src/describe/receipt.ts';
import type { ResourceKind } from '../../src/describe/resource.ts';
import type { Many, Resource } from '../../src/describe/resource-spec.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { deleting } from '../../src/describe/standard-actions.ts';
import { percentEncoded } from '../../src/lib/paint.ts';
import { capitalized, commaWords } from '../../src/lib/text.ts';
import { at, type JsonObject, without } from '../../src/lib/values.ts';

/** Attributes without those that are only sent, also where a deployment returns them. */
export const withoutSecrets = <A extends object>(attributes: A): A => without(attributes as JsonObject, secrets) as A;

const secrets = ['client_secret', 'private_key', 'private_key_id'];

const filters = {
  hint: 'Comma-separated key:value; empty = all',
  check: (word: string) => /^[^:\s]+:\S/.test(word) || 'each filter is key:value, such as env:prod',
};

/** Filters by tag. */
export const filterField = (label: string, now: readonly string[] | null | undefined): Field<string[]> =>
  listField(label, now, filters);

/** A field for filters that the service keeps as one text with commas. */
export const filterText = (label: string, now: string | null | undefined): Field<string> =>
  readAs(filterField(label, commaWords(now)), (words) => ({ ok: true, value: words.join(',') }));

/** Declares switches of a kind: `untold` is what one is where the service does not tell it. */
export function switchFields<R extends Resource>(kind: ResourceKind<R>) {
  const setting = defineSettings(kind);
  return <const P extends string>(label: string, path: P, untold: boolean, hint?: string) =>
    setting(label, path, (now: unknown) => toggleField(capitalized(label), now == null ? untold : now === true, hint), {
      untold,
    });
}

/** The switch that provider_b has in both versions. */
export const commandCenterOf = <R extends Resource>(kind: ResourceKind<R>) =>
  switchFields(kind)(
    'command center',
    'is_security_command_center_enabled',
    false,
    'Requires more permissions of the service account',
  );

/** The switches of every provider: resource collection, scanning that needs it, muting of shutdowns. */
export function commonSwitches<R extends Resource>(kind: ResourceKind<R>, posture: Posture, untold: boolean) {
  const toggle = switchFields(kind);
  const scanning = toggle('security posture', posture, false, 'Requires resource collection');
  return {
    resources: toggle(
      'resource collection',
      'resource_collection_enabled',
      untold,
      'Security posture scanning requires it',
    ),
    posture: {
      ...scanning,
      field: (...now: Parameters<typeof scanning.field>) =>
        shownWhen((texts) => texts.resources === 'yes', scanning.field(...now)),
    },
    automute: toggle('mute on host shutdown', 'automute', false, 'Mutes monitors when a host is shut down as expected'),
  };
}

/** The member that is the scanning of the security posture. */
type Posture = 'cspm_enabled' | 'is_cspm_enabled';

interface Collecting {
  readonly resources?: boolean | undefined;
  readonly posture?: boolean | undefined;
}

/** Scanning ends with the resources that it needs, and begins with them where the service does not tell whether they are on. */
export const scanningField = (posture: Posture) => ({
  tidy<A extends { readonly resource_collection_enabled?: boolean | null | undefined }>(
    attributes: A,
    values: Collecting,
    before: A | undefined,
  ): A {
    if (values.resources === false && at(before, posture) === true) return { ...attributes, [posture]: false };
    const begins = values.posture === true && attributes.resource_collection_enabled == null;
    return begins ? { ...attributes, resource_collection_enabled: true } : attributes;
  },
  warns: ({ attributes }: Resource, { resources }: Collecting): readonly string[] =>
    resources === false && at(attributes, posture) === true
      ? ['Security posture scanning stops too: it requires resource collection']
      : [],
});

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

type Spec<R extends Resource, D> = Parameters<typeof deleting<R, D>>[0];

/** `d` for one account. It goes on existing at its provider, so that it is called removed, not deleted. */
export const removing = <R extends Resource, D>(spec: Omit<Spec<R, D>, 'question' | 'done'>) => ({
  ...deleting<R, D>({
    ...spec,
    details: (...asked) => ['Its metrics and resources are no longer collected', ...spec.details(...asked)],
    question: (row) => `Remove ${spec.kind.nameOf(row)}?`,
    done: (row) => receipt`Removed ${namePart(spec.kind.nameOf(row))}`,
  }),
  bulk: false,
});
