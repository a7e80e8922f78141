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
