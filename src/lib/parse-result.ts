/** Result of parsing input of a person, a file or a program: a value, or one sentence for the person. */
export type ParseResult<V> = { readonly ok: true; readonly value: V } | { readonly ok: false; readonly text: string };

/** The failed result with this sentence. */
export function unreadable(text: string): { ok: false; text: string } {
  return { ok: false, text };
}
