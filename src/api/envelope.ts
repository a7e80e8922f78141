import * as v from 'valibot';
import { isObject, put } from '../lib/values.ts';
import { type AnySchema, type Call, type Endpoint, operationsOf } from './endpoint.ts';

/**
 * Building blocks for the field tables of the specification. Everything is loose: unknown fields are kept,
 * every field may be missing or null, an unknown enum word is kept as the text it is.
 */

/** An id as it may arrive: text, integer, or an integer beyond 2^53 (kept exact as a bigint). */
export const id = v.union([v.string(), v.number(), v.bigint()]);

/** A number; a text of this form is read as one. */
const numeral = (form: RegExp) =>
  v.union([v.number(), v.bigint(), v.pipe(v.string(), v.regex(form, 'is not a number'), v.transform(Number))]);

/** An integer; `"5"` and `5.0` are read as 5 (docs/contract/monitors.md#oddities). */
export const int = numeral(/^-?\d{1,15}(\.0+)?$/);

export const decimal = numeral(/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/);

export const text = v.string();
export const flag = v.boolean();
/** A moment in ISO 8601, kept as the string it was; parse only to show it. */
export const moment = v.string();
/** A moment that may be a number, in the unit of its contract; where it is read names the unit. */
export const anyMoment = v.union([v.string(), v.number(), v.bigint()]);
export const anything = v.unknown();

/** A known set of words that a deployment may extend: any string passes, the known ones are offered in forms. */
export function searchTerms<const W extends readonly string[]>(...known: W) {
  return v.pipe(v.string(), v.metadata({ words: known })) as unknown as v.GenericSchema<W[number] | (string & {})>;
}

/** The known words of a `searchTerms(...)` schema; empty for any other schema. */
export function knownWords(schema: AnySchema): readonly string[] {
  return readNotes(schema).words ?? [];
}

/** What a schema says about itself besides its shape; read by forms, fixtures and vocabularies. */
interface Notes {
  /** Known words of a `searchTerms(...)` schema. */
  readonly words?: readonly string[];
  /** The kind of a `resource(...)`. */
  readonly kind?: string;
  /** Name of this place in the contract, where a deployment may have words of its own (`values` of a vocabulary). */
  readonly place?: string;
  /** Text that is the name of a permission. */
  readonly names?: 'permission';
}

/** What was noted about a schema with `searchTerms`, `resource`, `placed` and `permissionName`. */
export function readNotes(schema: AnySchema): Notes {
  return v.getMetadata(schema as Parameters<typeof v.getMetadata>[0]) as Notes;
}

/**
 * Gives a place of the contract a name: `placed('tables.source', searchTerms('LOCAL_FILE', ...))`. A deployment whose word
 * there is no plain replacement says so under that name in its vocabulary. The same name marks the same words in
 * requests and answers.
 */
export function placed<S extends AnySchema>(place: string, schema: S): S {
  return v.pipe(schema, v.metadata({ place })) as unknown as S;
}

/** The name of a permission, which is also a scope of an application key: an identifier, where other texts are free. */
export const permissionName = v.pipe(text, v.metadata({ names: 'permission' }));

/**
 * Roles that every deployment has, as the specification calls them (docs/contract/roles.md#role). A role's name is free
 * text everywhere.
 */
export const managedRoles = ['Service Admin Role', 'Service Standard Role', 'Service Read Only Role'] as const;

/** The `type` of a resource object, where it may be any. */
const kindName = v.pipe(v.string(), v.metadata({ words: [] }));

type Entries = Record<string, AnySchema>;

const nullish = <const E extends Entries>(entries: E) =>
  Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.nullish(schema)])) as {
    [N in keyof E]: v.NullishSchema<E[N], undefined>;
  };

/** An object of a field table: every field optional and nullable, unknown ones kept. */
export const fields = <const E extends Entries>(entries: E) => v.looseObject(nullish(entries));

/** Query parameters: each may be left out; a misspelled one does not compile. */
export const queryOf = <const E extends Entries>(entries: E) => v.object(nullish(entries));

/** `{id, type}`: how one resource names another. */
const reference = v.looseObject({ id, type: v.nullish(kindName) });

/** A relationship to one resource; its `data` may be null or missing. */
export const toOne = v.looseObject({ data: v.nullish(reference) });

/** A relationship to several resources. */
export const toMany = v.looseObject({ data: v.nullish(v.array(reference)) });

const bare = v.array(reference);
type References = v.InferOutput<typeof bare> | v.InferOutput<typeof toMany>;

/** Some deployments write several references as a bare array instead of `{data: […]}` (docs/contract/error-tracking.md#issue). */
export const severalReferences = v.lazy((input): v.GenericSchema<References> => (Array.isArray(input) ? bare : toMany));

/** A resource object of the envelope: `id`, `type`, `attributes`, `relationships` (docs/contract/conventions.md#envelope). */
export function resource<
  const T extends string,
  A extends Record<string, AnySchema>,
  R extends Record<string, AnySchema> = Record<never, never>,
>(type: T, attributes: A, relationships: R = {} as R) {
  return v.pipe(
    v.looseObject({
      id: v.nullish(id),
      type: v.nullish(searchTerms(type)),
      attributes: v.nullish(fields(attributes)),
      relationships: v.nullish(fields(relationships)),
    }),
    v.metadata({ kind: type }),
  );
}

/** Any resource object of an `included` array. */
export const includedItem = v.looseObject({
  id: v.nullish(id),
  type: v.nullish(kindName),
  attributes: v.nullish(v.looseObject({})),
  relationships: v.nullish(v.looseObject({})),
});
export type Included = v.InferOutput<typeof includedItem>;

/**
 * An `included` array in which the kinds that are known here are read by their own schemas, so that a field that does
 * not fit is named; other kinds are kept as they are.
 */
export function includes(kinds: Readonly<Record<string, AnySchema>>): v.GenericSchema<unknown, Included[]> {
  const known = new Map(Object.entries(kinds));
  const typeOf = (resource: unknown) =>
    typeof resource === 'object' && resource !== null ? (resource as { type?: unknown }).type : undefined;
  return v.array(
    v.lazy((resource): v.GenericSchema<unknown, Included> => known.get(String(typeOf(resource))) ?? includedItem),
  );
}

const includedItems: v.GenericSchema<unknown, Included[]> = v.array(includedItem);

/** The envelope around one resource. */
export const one = <S extends AnySchema>(schema: S, included = includedItems) =>
  v.looseObject({ data: v.nullish(schema), included: v.nullish(included) });

/** The envelope around a list of resources. `data` that is missing or null reads as an empty list. */
export const many = <S extends AnySchema>(schema: S, included = includedItems) =>
  v.looseObject({
    data: v.nullish(v.array(schema), () => []),
    included: v.nullish(included),
    meta: v.nullish(v.looseObject({})),
  });

/**
 * A response that may be empty by the contract, or whose body is not needed. With any other schema an edit counts as
 * unknown until its response holds the resource.
 */
export const nothing = v.unknown();

/** Whether a success of the operation may be empty: no body, `{}` or `null`. */
export const mayBeEmpty = (endpoint: { readonly response: AnySchema }): boolean => endpoint.response === nothing;

/** Index of an `included` array by id alone: the same person arrives as type `user` and as `users`. */
export function byId(included: readonly Included[] | null | undefined): Map<string, Included> {
  const index = new Map<string, Included>();
  for (const item of included ?? []) if (item.id != null) index.set(String(item.id), item);
  return index;
}

/**
 * Building blocks for what is sent. Where an answer's fields may all be missing, the fields of a request
 * are required unless they are written with `v.optional`. Unknown fields are let through.
 */

/** A name that must say something: spaces alone are refused. */
export const name = v.pipe(v.string(), v.trim(), v.nonEmpty('is required'));

/** A share from 0 (none) to 1 (all). */
export const ratio = v.pipe(v.number(), v.minValue(0, 'must be 0 to 1'), v.maxValue(1, 'must be 0 to 1'));

/** `{id, type}` of one allowed type, as relationships and membership bodies carry it. */
export function resourceRef<const T extends string>(type: T) {
  return v.looseObject({ id: v.string(), type: v.literal(type) });
}

/** A relationship that is sent: `{data: {id, type}}`. */
export function toOneOf<const T extends string>(type: T) {
  return v.looseObject({ data: resourceRef(type) });
}

/** A relationship that is sent: `{data: [{id, type}]}`. */
export function toManyOf<const T extends string>(type: T) {
  return v.looseObject({ data: v.array(resourceRef(type)) });
}

/** The body of a create: `data.type` and `data.attributes`, no id. */
export function createBody<
  const T extends string,
  const A extends Entries,
  const R extends Entries = Record<never, never>,
>(type: T, attributes: A, relationships: R = {} as R) {
  return v.looseObject({
    data: v.looseObject({
      type: v.literal(type),
      attributes: v.looseObject(attributes),
      relationships: v.optional(v.looseObject(relationships)),
    }),
  });
}

/** The body of an edit: `data.id` (which equals the path's), `data.type` and the attributes. */
export function updateBody<
  const T extends string,
  const A extends Entries,
  const R extends Entries = Record<never, never>,
>(type: T, attributes: A, relationships?: R) {
  const { data } = createBody(type, attributes, relationships).entries;
  return v.looseObject({ data: v.looseObject({ id: v.string(), ...data.entries }) });
}

/** What an operation of a resource says besides what follows from its verb. */
type Said = Pick<Endpoint, 'id' | 'title'> &
  Partial<Omit<Endpoint, 'id' | 'title' | 'verb' | 'path' | 'query' | 'body' | 'response'>>;

/**
 * `operationsOf` for a resource: its list and its creates are at `path`, each one is at `path` with its id, the name of which is `item`.
 * A delete answers nothing.
 */
export function resourceOperations<
  const P extends string,
  const N extends string,
  L extends AnySchema,
  S extends AnySchema,
>({
  path,
  item,
  responses: { list, single: response },
  ...common
}: Pick<Endpoint, 'of' | 'origin' | 'source' | 'deprecated' | 'secrets'> &
  Readonly<Record<'reading' | 'editing', readonly string[]>> & {
    readonly path: P;
    readonly item: N;
    readonly responses: { readonly list: L; readonly single: S };
  }) {
  const operations = operationsOf(common);
  const itemPath: `${P}/{${N}}` = `${path}/{${item}}`;
  return {
    ...operations,
    list: <Q extends AnySchema | undefined = undefined>(said: Said & { readonly query?: Q }) =>
      operations.endpoint({ verb: 'list', path, response: list, ...said }),
    get: <Q extends AnySchema | undefined = undefined>(said: Said & { readonly query?: Q }) =>
      operations.endpoint({ verb: 'get', path: itemPath, response, ...said }),
    create: <B extends AnySchema>(said: Said & { readonly body: B }) =>
      operations.endpoint({ verb: 'create', path, response, ...said }),
    update: <B extends AnySchema>(said: Said & Pick<Endpoint, 'method' | 'repeat'> & { readonly body: B }) =>
      operations.endpoint({ verb: 'update', path: itemPath, response, ...said }),
    delete: (said: Said) => operations.endpoint({ verb: 'delete', path: itemPath, response: nothing, ...said }),
  };
}

/** Query of the lists that are paged by number: at most 100 a page, counted from 0 (docs/contract/conventions.md#paging). */
export const numberedPages = { 'page[size]': int, 'page[number]': int };

/** Query of the lists that are paged by offset: at most 100 a page (docs/contract/conventions.md#paging). */
export const offsetPages = { 'page[limit]': int, 'page[offset]': int };

/** Query of the lists that can be narrowed by creation time, both ends inclusive. */
export const createdWithin = { 'filter[created_at][start]': moment, 'filter[created_at][end]': moment };

/**
 * For `isApplied`: whether the one reference that was sent is among those that the list answered. A list that is
 * longer than one page may hide it; the edits that use this may be sent twice without harm.
 */
function isListed(sent: Call, read: unknown): boolean {
  const ours = (sent.body as { data?: { id?: unknown } } | undefined)?.data?.id;
  const theirs = (read as { data?: readonly { id?: unknown }[] | null } | null)?.data ?? [];
  return theirs.some((reference) => String(reference.id) === String(ours));
}

/** For `isUnchanged`: whether the one reference that was sent is missing in a list that is whole. */
function isNotListed(sent: Call, read: unknown): boolean {
  const { data, meta } = (read ?? {}) as {
    data?: readonly unknown[] | null;
    meta?: { page?: { total_count?: unknown; total_filtered_count?: unknown } | null } | null;
  };
  const total = meta?.page?.total_count ?? meta?.page?.total_filtered_count;
  const isWhole = Array.isArray(data) && (total == null ? data.length < 100 : data.length >= Number(total));
  return isWhole && !isListed(sent, read);
}

/** How a member is added to a list; one that is in it stays. */
export const addsMember = {
  verb: 'act',
  method: 'POST',
  repeat: 'settable',
  isApplied: isListed,
  isUnchanged: isNotListed,
} as const;

/** How a member is removed from a list, by a DELETE with a body; one that is not in it changes nothing. */
export const removesMember = { verb: 'act', method: 'DELETE', repeat: 'delete' } as const;

/**
 * Paths of required members that are absent from the body of a call, such as `data.attributes.name`. A null where the
 * schema forbids null counts as absent. Unknown enum words do not count: a deployment may have more.
 */
export function missingMembers(call: Call): readonly string[] {
  if (!isObject(call.body)) return [];
  // A member that may be left out is no lack because it is null: without it, nothing is missing.
  const bare = wronglyNull(call).reduce((rest, path) => put(rest, path, undefined), call.body);
  return placesOf(call.endpoint, bare, 'undefined');
}

/** Members of the body that are null where no null may be: paths such as `data.attributes.category`. */
export const wronglyNull = ({ endpoint, body }: Call): readonly string[] => placesOf(endpoint, body, 'null');

const placesOf = ({ body: schema }: Endpoint, value: unknown, received: string): readonly string[] =>
  ((schema && v.safeParse(schema, value).issues) ?? [])
    .filter((issue) => issue.received === received)
    .flatMap((issue) => v.getDotPath(issue) ?? []);
