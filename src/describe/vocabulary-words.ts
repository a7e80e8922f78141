import type { AnySchema } from '../api/endpoint.ts';
import { isObject } from '../lib/object-paths.ts';
import type { Context } from './context.ts';

/** The part of the context with the deployment's vocabulary. */
export type VocabularyContext = Pick<Context, 'vocabulary'>;

/** A value of this schema as a person reads it: its identifiers are the deployment's, everything else is as it was. */
export function inWords<T>(schema: AnySchema, value: T, { vocabulary }: VocabularyContext): T {
  return vocabulary ? (vocabulary.out.at(schema, value) as T) : value;
}

/**
 * The value at a path of `value`, taken from its translation `spoken`: members may have other names there, in the same order.
 * Undefined where a part of the way is missing.
 */
export function valueInWords(value: object, spoken: object, path: string): unknown {
  let [before, after]: [unknown, unknown] = [value, spoken];
  for (const name of path.split('.')) {
    if (!isObject(before) || !isObject(after)) return undefined;
    const place = Object.keys(before).indexOf(name);
    [before, after] = [before[name], Object.values(after)[place]];
  }
  return after;
}

/** A word of this schema as an option: its value is the neutral word, a person reads and writes the deployment's. */
export function wordOption<const W extends string>(schema: AnySchema, word: W, context: VocabularyContext) {
  const label: string = inWords(schema, word, context);
  return { value: word, label, word: label } as const;
}

/** The name of a member that the contract does not know, as the deployment has it. */
export const memberName = (name: string, { vocabulary }: VocabularyContext): string =>
  vocabulary?.out.word(anyName, name) ?? name;

const anyName = { sort: 'word', known: [] } as const;

/** The name of a managed role as this deployment has it. */
export const roleNamed = (name: string, { vocabulary }: VocabularyContext): string => vocabulary?.role(name) ?? name;

/** A sentence that a description says by itself, with the deployment's labels. Never for text of the service. */
export const labelText = (sentence: string, { vocabulary }: VocabularyContext): string =>
  vocabulary?.says(sentence) ?? sentence;

/** Rows of a list as a person reads them where they are copied or printed as JSON. */
export const rowsInWords = (
  { schema }: { readonly schema?: AnySchema | undefined },
  rows: readonly unknown[],
  context: VocabularyContext,
): readonly unknown[] => (schema ? rows.map((row) => inWords(schema, row, context)) : rows);
