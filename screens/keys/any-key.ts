import type { Included } from '../../src/api/envelope.ts';
import { masked } from '../../src/api/secrets.ts';
import type { Action, Secret } from '../../src/describe/action.ts';
import {
  type Column,
  type DetailLine,
  type OutputField,
  pair,
  textColumn,
  textLine,
} from '../../src/describe/column.ts';
import type { Context, Person } from '../../src/describe/context.ts';
import { type Fields, textField } from '../../src/describe/field.ts';
import { shortPersonName, toPerson } from '../../src/describe/picks.ts';
import { namePart, receipt, toReceipt, warning } from '../../src/describe/receipt.ts';
import type { ResourceKind } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import type { RowState } from '../../src/describe/screen.ts';
import { deleting, type Made, nameBehindNoun } from '../../src/describe/standard-actions.ts';
import { absolute, readMoment } from '../../src/lib/time.ts';
import { toWord } from '../../src/lib/values.ts';

/** A reference of a relationship to another resource. */
type Reference = Pick<Included, 'id'> | null | undefined;
type ToOne = { readonly data?: Reference } | null | undefined;

/** The relationships of a row, and the resources that they refer to. */
interface Related<R = object> {
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

/** A person that a row names, as a field of JSON. */
export const personOutput = <Row>(
  name: string,
  phrase: string,
  personOf: (row: Row) => Person | undefined,
): OutputField<Row> => ({
  name,
  type: 'object',
  says: phrase,
  value(row) {
    const person = personOf(row);
    return person && { id: person.id, name: person.name };
  },
});

/** A key that may have a leak report. */
interface WithLeak extends Related<{ readonly leak_information?: ToOne }> {}

/** Where a leaked key was found, and when (milliseconds since the epoch); unknown until the key itself has been read. */
interface KeyLeak {
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

/** Whether a key is leaked, as a field of JSON; unknown where an answer does not say. */
export const leakOutput: OutputField<WithLeak> = {
  name: 'leaked',
  type: 'flag',
  says: 'whether the service reports it as leaked',
  value: (row) => row.relationships?.leak_information && findLeak(row) !== undefined,
};

/** Columns, detail lines and the search that all lists of keys share (docs/contract/keys.md). */

/** What API keys and application keys have in common. */
export interface AnyKey extends WithLeak {
  readonly id: string;
  readonly attributes: { readonly name?: string | null | undefined; readonly last4?: string | null | undefined };
}

/** `…9f3c`; empty where the last four characters are unknown. */
export const endingText = (last4: string | null | undefined): string => (last4 ? `…${last4}` : '');

/** ` …9f3c`, the end of a receipt about a key; empty where it is unknown. */
export const saidEnding = ({ attributes }: AnyKey): string =>
  attributes.last4 ? ` ${endingText(attributes.last4)}` : '';

/** The name of a key, or `key` with the first 8 characters of its id. */
export const nameOfKey = ({ id, attributes }: AnyKey): string => attributes.name || `key ${id.slice(0, 8)}`;

/** Milliseconds since the epoch; null (never) stays null, undefined where the answer does not say. */
export const readNullableMoment = (moment: string | null | undefined): number | null | undefined =>
  moment === null ? null : readMoment(moment);

/** The name of a key in its form. */
export const keyNameField = (now: string | null | undefined) =>
  textField('Name', now, { required: true, hint: 'What will use the key, and where' });

/** LEAKED, or `in use` for the key that this dashboard uses; leaked keys sort first. */
export function stateColumn<Row extends AnyKey>(isInUse: (row: Row, context: Context) => boolean): Column<Row> {
  return {
    id: 'leak',
    title: 'STATE',
    firsts: ['leaked last', 'leaked first'],
    min: 6,
    priority: 1,
    text: (row, context) => (findLeak(row) ? 'LEAKED' : isInUse(row, context) ? 'this session' : ''),
    tone: (row) => (findLeak(row) ? 'bad' : 'info'),
    sort: (row) => (findLeak(row) ? 1 : 0),
    downward: true,
  };
}

/** The name of a key, in red where the key is leaked. */
export function nameColumn<Row extends AnyKey>(nameOf: (row: Row) => string): Column<Row> {
  return textColumn({
    id: 'name',
    min: 16,
    max: 60,
    priority: 1,
    text: nameOf,
    tone: (row) => (findLeak(row) ? 'bad' : 'plain'),
  });
}

/** The last four characters. */
export function lastFourColumn<Row extends AnyKey>(): Column<Row> {
  return {
    id: 'last4',
    title: 'LAST 4',
    min: 5,
    priority: 2,
    text: (row) => endingText(row.attributes.last4),
    sort: (row) => row.attributes.last4 ?? '',
  };
}

/** The first lines of a key's detail: what to do about a leak, whether this dashboard uses the key, its last characters. */
export function keyLines(row: AnyKey, isInUse: boolean, context: Context): readonly DetailLine[] {
  return [
    ...leakLines(row, context),
    ...(isInUse ? [textLine('Used by this session (same last 4)', 'info')] : []),
    pair('Last 4', endingText(row.attributes.last4)),
  ];
}

function leakLines(row: AnyKey, context: Context): readonly DetailLine[] {
  const leak = findLeak(row);
  if (!leak) return [];
  const where = leak.source ? ` in ${leak.source}` : '';
  const when = leak.at === undefined ? '' : ` on ${absolute(leak.at, context.zone)}`;
  return [textLine(`LEAKED${where}${when}. Create a new key, roll it out, then delete this one`, 'bad')];
}

/** What the titles of lists of keys count. */
export const leaked: RowState<AnyKey> = {
  label: 'LEAKED',
  tone: 'bad',
  needsPerson: 'leaked key',
  isIn: (row) => findLeak(row) !== undefined,
};

/** The number of leaked keys, for the title bar; none where no key is leaked. */
export function leakNotes(rows: readonly AnyKey[]): readonly string[] {
  const leaked = rows.filter(findLeak).length;
  return leaked === 0 ? [] : [`${leaked} LEAKED: replace and delete`];
}

/** The search of a list of keys: by a part of the name. */
export const nameSearch = {
  form: (search: Readonly<Record<string, string>>): Fields => ({
    text: textField('Name contains', search.text, { hint: 'Empty = all keys' }),
  }),
  initial: { text: '' },
  says: (search: Readonly<Record<string, string>>): string => (search.text?.trim() ? `"${search.text.trim()}"` : ''),
};

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

/** A create that shows the secret of its key once, and warns where the response has none. */
export const showingSecret = <R extends HasSecret, From, V>(
  create: Action<From, V, Made<R>>,
  note?: string,
): Action<From, V, Made<R>> => ({
  ...create,
  done(from, values, made, context) {
    const said = toReceipt(create.done(from, values, made, context));
    return newSecret(made)
      ? said
      : warning(receipt`NO SECRET in the response: delete the key and create another. ${said}`);
  },
  secret: (made) => newSecret(made, note),
});

/** `d`: deletes keys after the name is typed; the question warns when this dashboard uses one of them. */
export function keyDeleteAction<R extends Resource & AnyKey>(spec: {
  readonly id: string;
  readonly kind: ResourceKind<R>;
  isInUse(row: R, context: Context): boolean;
}) {
  const { id, kind, isInUse } = spec;
  return deleting<R>({
    id,
    kind,
    help: 'Delete the key; anything using it stops working',
    details(_, rows, context) {
      const mine = rows.find((row) => isInUse(row, context));
      const warning = mine && [
        `WARNING: ${kind.nameOf(mine)} ends in ${mine.attributes.last4}, like the key of this session:`,
        'without it every request is refused until the profile has another key',
      ];
      return [...(warning ?? []), 'Anything using it gets 401/403 immediately; this cannot be undone'];
    },
    question: (row) => `Delete ${kind.noun} ${nameBehindNoun(kind, row)}${saidEnding(row)}?`,
    done: (row) => receipt`Deleted ${kind.noun} ${namePart(nameBehindNoun(kind, row))}${saidEnding(row)}`,
  });
}
