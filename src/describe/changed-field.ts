import type { ParseResult } from '../lib/parse-result.ts';
import { commaWords } from '../lib/text.ts';
import { checksField, type Field, type Fields } from './field.ts';
import type { Pick } from './pick.ts';
import type { Source } from './source.ts';

/** What was taken and what was left of several things, against those that the form opened with. */
export interface SetDifference {
  readonly taken: readonly string[];
  readonly left: readonly string[];
}

/** A field of several things that reads what was taken and left, so that what others do to the rest meanwhile stays. */
export function differenceField(
  label: string,
  initial: readonly Pick[],
  picks: (typed: string) => Source<Pick>,
  limits: { readonly hint?: string } = {},
): Field<SetDifference> {
  const field = checksField(label, initial, picks, limits);
  const before = initial.map((pick) => pick.id);
  return {
    ...field,
    read(text) {
      const now = commaWords(text);
      return {
        ok: true,
        value: { taken: now.filter((id) => !before.includes(id)), left: before.filter((id) => !now.includes(id)) },
      };
    },
  };
}

/** Makes the value of a field undefined while its text is as the form opened: only what was changed is sent. */
export function changedOnly<V>(field: Field<V>): Field<V | undefined> {
  return { ...field, read: (text) => (text === field.initial ? { ok: true, value: undefined } : field.read(text)) };
}

/** Fields by name whose values are undefined while they are as the form opened. */
type Changed<F extends Fields> = {
  readonly [N in keyof F]: F[N] extends Field<infer V> ? Field<V | undefined> : never;
};

/**
 * Every field of a form as with `changedOnly`, so that the same edit on another row changes no more than it did. One that
 * opened empty and is needed is still asked for; an unknown word that was read may stay.
 */
export function changesOnly<F extends Fields>(fields: F): Changed<F> {
  const one = (field: Field): Field => ({
    ...field,
    read: (text) => (text === '' ? unlessSame(field, text) : changedOnly(field).read(text)),
  });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, one(field)])) as unknown as Changed<F>;
}

function unlessSame(field: Field, text: string): ParseResult<unknown> {
  const read = field.read(text);
  return read.ok && text === field.initial ? { ok: true, value: undefined } : read;
}
