import { masked } from '../../src/api/secrets.ts';
import type { Secret } from '../../src/describe/action.ts';
import type { Kind, Resource } from '../../src/describe/resource.ts';
import type { Made } from '../../src/describe/setting-creates.ts';
import { ending } from './key-columns.ts';

/** A key whose secret an answer may tell. It is behind a function: rows are written down as JSON, which has none. */
interface HasSecret extends Resource<{ readonly name?: string | null; readonly last4?: string | null }> {
  readonly secret: (() => string) | undefined;
}

/** Attributes of a key that may be written down, and its secret where they told it. */
export function withoutSecret<A extends { readonly key?: string | null | undefined }>(
  attributes: A,
): { readonly attributes: A; readonly secret: (() => string) | undefined } {
  const secret = attributes.key;
  return {
    attributes: { ...attributes, ...(secret && { key: masked(secret) }) },
    secret: secret ? () => secret : undefined,
  };
}

/** What whoever has the secret of an application key may do. */
export const actsAsKey = 'whoever has it may do what the key may do: it belongs into a safe place and nowhere else';

/** The secret of a new key, from the one answer that has it. */
export function newSecret<R extends HasSecret>({ now }: Made<R>, note = actsAsKey): Secret | undefined {
  const value = now?.secret?.();
  if (value === undefined) return undefined;
  return { title: `the secret of ${now?.attributes.name || 'the new key'}`, value, notes: [note] };
}

/** The receipt of a new key. */
export function madeSay<R extends HasSecret>({ noun }: Kind<R>, made: Made<R>): string {
  const { name, last4 } = (made.now ?? made.asked).attributes;
  const said = `created ${noun} ${name ?? ''} ${ending(last4)}`.trim();
  return newSecret(made) ? said : `${said}; the service did not tell its secret: delete it and make another`;
}
