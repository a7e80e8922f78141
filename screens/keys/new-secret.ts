import { masked } from '../../src/api/secrets.ts';
import type { Secret } from '../../src/describe/action.ts';
import { namePart, type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import type { ResourceKind } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import type { Made } from '../../src/describe/setting-creates.ts';
import { endingText } from './key-columns.ts';

/** A key with its secret, if the answer tells one. A function holds it, because rows are stored as JSON, which drops functions. */
interface HasSecret
  extends Resource<{
    readonly name?: string | null | undefined;
    readonly last4?: string | null | undefined;
  }> {
  readonly secret: (() => string) | undefined;
}

/** The attributes with the secret masked, so that they may be stored, and the secret itself; undefined where there is none. */
export function withoutSecret<A extends { readonly key?: string | null | undefined }>(
  attributes: A,
): { readonly attributes: A; readonly secret: (() => string) | undefined } {
  const secret = attributes.key;
  return {
    attributes: { ...attributes, ...(secret && { key: masked(secret) }) },
    secret: secret ? () => secret : undefined,
  };
}

/** Shown beside the secret of a new application key. */
const secretNote = 'Anyone with this secret can act as the key. Store it in a password manager';

/** The secret of a new key; undefined where the answer does not hold it. */
export function newSecret<R extends HasSecret>({ now }: Made<R>, note = secretNote): Secret | undefined {
  const value = now?.secret?.();
  if (value === undefined) return undefined;
  return { title: `Secret of ${now?.attributes.name || 'the new key'}`, value, notes: [note] };
}

/** The receipt of a new key. */
export function createReceipt<R extends HasSecret>({ noun }: ResourceKind<R>, made: Made<R>): Receipt {
  const { name, last4 } = (made.now ?? made.asked).attributes;
  const ending = endingText(last4);
  const created = receipt`Created ${noun} ${namePart(name ?? '')}${ending && ` ${ending}`}`;
  return newSecret(made)
    ? created
    : warning(receipt`NO SECRET in the response: delete the key and create another. ${created}`);
}
