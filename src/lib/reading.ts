/** What was made of something given by a person, a file or a program: a value, or one sentence for a person. */
export type Reading<V> = { readonly ok: true; readonly value: V } | { readonly ok: false; readonly text: string };

/** The sentence form, to be returned where a value cannot be. */
export function unreadable(text: string): { ok: false; text: string } {
  return { ok: false, text };
}
