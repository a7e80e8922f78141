import type { Included } from '../../src/api/envelope.ts';
import type { Person } from '../../src/describe/context.ts';
import { personOf, shortPersonName } from '../../src/describe/people.ts';
import { readMoment } from '../../src/lib/moment.ts';
import { word } from '../../src/lib/unchecked.ts';

/** How a relationship names another resource. */
type Reference = Pick<Included, 'id'> | null | undefined;
type ToOne = { readonly data?: Reference } | null | undefined;

/** What an answer says of things that a row is related to. */
export interface Related<R = object> {
  readonly relationships?: R | undefined;
  /** What came along with the row; undefined where an answer brings nothing along. */
  readonly included?: readonly Included[] | undefined;
}

/** The `extra` of a kind with relationships: they as they were read, and of what came along the things they refer to. */
export const relatedBy = <R>(
  relationships: R | null | undefined,
  references: readonly Reference[],
  included: readonly Included[],
): Related<R> => ({
  relationships: relationships ?? undefined,
  included:
    included.length === 0 ? undefined : references.map((one) => find(included, one)).filter((one) => one !== undefined),
});

// By id alone: the same person comes along as `user` and as `users`.
const find = (included: readonly Included[], reference: Reference): Included | undefined =>
  reference?.id == null ? undefined : included.find((one) => String(one.id) === String(reference.id));

/** What came along for a reference. */
export const includedFor = ({ included = [] }: Related, reference: Reference): Included | undefined =>
  find(included, reference);

/** The id that a relationship names. */
export const relatedId = (relation: ToOne): string | undefined => {
  const id = relation?.data?.id;
  return id == null ? undefined : String(id);
};

/** The person that a relationship names; only the id is known of one that did not come along. */
export function personIn(row: Related, relation: ToOne): Person | undefined {
  const id = relatedId(relation);
  return id === undefined
    ? undefined
    : (personOf(includedFor(row, relation?.data)) ?? { id, name: shortPersonName(id) });
}

/** The relationship of a key that somebody found where it should not be. */
export interface MayLeak extends Related<{ readonly leak_information?: ToOne }> {}

/** Where a key was found, and when in milliseconds; unknown until the key itself has been read. */
export interface Leak {
  readonly source: string | undefined;
  readonly at: number | undefined;
}

/** The leak of a key; undefined when nobody found it. */
export function leakOf(row: MayLeak): Leak | undefined {
  const reference = row.relationships?.leak_information?.data;
  if (reference?.id == null) return undefined;
  const about = includedFor(row, reference)?.attributes;
  return { source: word(about?.leak_source) || undefined, at: readMoment(about?.date) };
}
