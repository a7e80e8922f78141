import type { Call } from './endpoint.ts';

/** Names of the two headers that carry the keys. */
export interface KeyHeaders {
  readonly apiKey: string;
  readonly appKey: string;
}

/** The names under a vendor's prefix; `SERVICE` is the neutral one of the specification (docs/contract/conventions.md#authentication). */
export function nameKeyHeaders(prefix: string): KeyHeaders {
  return { apiKey: `${prefix}-API-KEY`, appKey: `${prefix}-APPLICATION-KEY` };
}

/** The names of the specification. */
export const keyHeaders = nameKeyHeaders('SERVICE');

/** A value without its secrets, and how many were taken out. */
interface Hidden<V = unknown> {
  readonly value: V;
  readonly count: number;
}

/**
 * Replaces the values at an endpoint's `secrets` paths (`data.attributes.key`); lists on the way are searched, at most
 * four characters stay. Does not change its argument. Paths in braces are path parameters: see `hideParams`.
 */
export function hideSecrets<V>(value: V, paths: readonly string[] = []): Hidden<V> {
  const places = paths.filter((path) => !path.startsWith('{')).map((path) => path.split('.'));
  return places.reduce<Hidden<V>>(
    (so, place) => {
      const next = hideAt(so.value, place);
      // A secret is a text, and so is what stands for it.
      return { value: next.value as V, count: so.count + next.count };
    },
    { value, count: 0 },
  );
}

/** Hides secret path parameters: a v1 API key is its own id (`secrets: ['{key}']`). */
export function hideParams(
  params: Readonly<Record<string, string>>,
  paths: readonly string[] = [],
): Hidden<Readonly<Record<string, string>>> {
  const hidden = Object.keys(params).filter((name) => paths.includes(`{${name}}`));
  const entries = Object.entries(params).map(([name, text]) => [name, hidden.includes(name) ? masked(text) : text]);
  return { value: Object.fromEntries(entries), count: hidden.length };
}

/** The secrets that a call carries besides the keys, at the places that its endpoint names. */
export function findSecrets({ endpoint, params, body }: Pick<Call, 'endpoint' | 'params' | 'body'>): string[] {
  return (endpoint.secrets ?? []).flatMap((place) =>
    place.startsWith('{') ? textsAt(params, [place.slice(1, -1)]) : textsAt(body, place.split('.')),
  );
}

/** Returns a function that replaces the secrets of a call in other texts, such as its target's id. */
export function hiderFor(call: Pick<Call, 'endpoint' | 'params' | 'body'>): (text: string) => string {
  const secrets = findSecrets(call);
  // Shorter secrets would match parts of ordinary words.
  const telling = secrets.filter((secret) => secret.length >= 4);
  return (text) => telling.reduce((left, secret) => left.replaceAll(secret, masked(secret)), text);
}

/** The most of a secret that may be shown: four characters, and only of one long enough for them to say little; else empty. */
export const endOf = (secret: string): string => (secret.length >= 16 ? secret.slice(-4) : '');

/** Replacement text for a secret. */
export function masked(secret: unknown): string {
  const end = typeof secret === 'string' ? endOf(secret) : '';
  return end === '' ? '(hidden)' : `(hidden, ends in ${end})`;
}

function textsAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere ? textsAt((value as Record<string, unknown>)[name], rest) : [];
}

function hideAt(value: unknown, [name, ...rest]: readonly string[]): Hidden {
  if (Array.isArray(value)) {
    const items = value.map((item) => hideAt(item, name === undefined ? [] : [name, ...rest]));
    return { value: items.map((item) => item.value), count: items.reduce((sum, item) => sum + item.count, 0) };
  }
  if (name === undefined) return value == null ? { value, count: 0 } : { value: masked(value), count: 1 };
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return { value, count: 0 };
  const inside = hideAt((value as Record<string, unknown>)[name], rest);
  return { value: { ...value, [name]: inside.value }, count: inside.count };
}
