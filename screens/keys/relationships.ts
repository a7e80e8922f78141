import type { Included } from '../../src/api/envelope.ts';
import type { Person } from '../../src/describe/context.ts';
import { shortPersonName, toPerson } from '../../src/describe/people.ts';
import { readMoment } from '../../src/lib/time-text.ts';
import { toWord } from '../../src/lib/unchecked-values.ts';

/** A reference of a relationship to another resource. */
type Reference = Pick<Included, 'id'> | null | undefined;
type ToOne = { readonly data?: Reference } | null | undefined;

/** The relationships of a row, and the resources that they refer to. */
export interface Related<R = object> {
  readonly relationships?: R;
  /** The included resources of the answer that the row refers to; undefined where the answer includes nothing. */
  readonly included?: readonly Included[];
}

/** The `extra` of a kind with relationships: the relationships as they were read, and the included resources they refer to. */
export const readRelationships = <R>(
  relationships: R | null | undefined,
  references: readonly Reference[],
  included: readonly Included[],
): Related<R> => ({
  ...(relationships != null && { relationships }),
  ...(included.length > 0 && {
    included: references.map((reference) => find(included, reference)).filter((found) => found !== undefined),
  }),
});

// By id alone: the same person is included with the type `user` or `users`.
const find = (included: readonly Included[], reference: Reference): Included | undefined =>
  reference?.id == null ? undefined : included.find(({ id }) => String(id) === String(reference.id));

/** The included resource that a reference refers to. */
export const includedFor = ({ included = [] }: Related, reference: Reference): Included | undefined =>
  find(included, reference);

/** The id of the resource that a relationship refers to. */
export const relatedId = (relation: ToOne): string | undefined => {
  const id = relation?.data?.id;
  return id == null ? undefined : String(id);
};

/** The person that a relationship refers to; named by the id where the answer does not include the person. */
export function relatedPerson(row: Related, relation: ToOne): Person | undefined {
  const id = relatedId(relation);
  return id === undefined
    ? undefined
    : (toPerson(includedFor(row, relation?.data)) ?? { id, name: shortPersonName(id) });
}

/** A person as JSON has one. */
export const personItem = (person: Person | undefined) => person && { id: person.id, name: person.name };

/** A key that may have a leak report. */
export interface WithLeak extends Related<{ readonly leak_information?: ToOne }> {}

/** Where a leaked key was found, and when (milliseconds since the epoch); unknown until the key itself has been read. */
export interface KeyLeak {
  readonly source: string | undefined;
  readonly at: number | undefined;
}

/** The leak of a key; undefined when it is not leaked. */
export function findLeak(row: WithLeak): KeyLeak | undefined {
  const reference = row.relationships?.leak_information?.data;
  if (reference?.id == null) return undefined;
  const report = includedFor(row, reference)?.attributes;
  return { source: toWord(report?.leak_source) || undefined, at: readMoment(report?.date) };
}
