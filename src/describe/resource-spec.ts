import * as v from 'valibot';
import { type AnySchema, ask, type Call, inside, type Plan, rawCall, showing } from '../api/endpoint.ts';
import type { Included } from '../api/envelope.ts';
import { findItems, findPaging, findTotal, isWholeItem } from '../api/paging.ts';
import { type Problem, type Result, toResult } from '../api/problem.ts';
import { firstThree, plural } from '../lib/text.ts';
import { field, idIn, items, type JsonObject } from '../lib/values.ts';
import { type Context, type ListQuery, type Rows, withMissing } from './context.ts';

/** A row: `attributes` are as they were read, so that what is not known here is written back unchanged. */
export interface Resource<A extends object = object> {
  readonly id: string;
  /** The place of the row in the list, from 1. */
  readonly place: number;
  readonly attributes: A;
  /** Places of the answer that could not be read and are missing from `attributes`. */
  readonly unread: readonly string[];
}

/** A resource object as a schema reads it. */
export interface ResourceObject {
  readonly id?: unknown;
  readonly attributes?: object | null | undefined;
}

/** An answer about one resource. */
export interface One<T = ResourceObject> {
  readonly data?: T | null | undefined;
  readonly included?: readonly Included[] | null | undefined;
}

/** The row of a resource object, with what `extra` makes of it. */
export type ResourceRow<T extends ResourceObject, X> = Omit<Resource<NonNullable<T['attributes']>>, keyof X> & X;

/** What a list has brought so far. */
interface Listed<R> {
  readonly rows: readonly R[];
  readonly asked: ListQuery;
  readonly context: Context;
  /** Of a list that comes in pages. */
  readonly meta: unknown;
}

/** What a kind of resource declares. */
export interface Spec<T extends ResourceObject, X> {
  /** Singular, as questions say it: `delete retention filter checkout?` Its plural ends in s. */
  readonly noun: string;
  /** The noun in a few letters, for notes and receipts; `noun` when absent. */
  readonly short?: string;
  /** Kinds (`endpoint.of`) whose edits make it stale. */
  readonly of: readonly string[];
  /** Instead of the noun in the keys of its reads, where another kind has the same noun. */
  readonly key?: string;
  /** One answer with all of them, or a plan that makes one; or `pages`. */
  list?(asked: ListQuery): Call<Many<T>> | Call<unknown> | Plan<Result<Many<T>>>;
  /** The resources in an answer of `list` that has no envelope around them. */
  bareList?(answer: JsonObject): Many<T>;
  /** A list that comes in pages: its call without a page. */
  pages?(asked: ListQuery): Call<Many<T>>;
  /** Pages at most; 50 when absent. */
  readonly most?: number;
  /** Said when there are more pages than are read: `s searches by name`. */
  readonly beyond?: string;
  /** Whether a row answers the question: for services that do not know the filter, and list the others too. */
  keeps?(row: ResourceRow<T, X>, asked: ListQuery): boolean;
  /** What the title bar says about the rows. */
  notes?(read: Listed<ResourceRow<T, X>>): readonly string[];
  /** Where it is absent, one is found in the list. */
  get?(id: string, row?: ResourceRow<T, X>): Call<One<T>> | Call<unknown>;
  /** The resource in an answer that has no envelope around it. */
  bare?(answer: JsonObject): One<T>;
  /** How one is read where a call alone does not do: by another operation where the first is not offered. */
  read?(before: ResourceRow<T, X>): Plan<Result<One<T>>>;
  remove?(id: string, row?: ResourceRow<T, X>): Call;
  /**
   * The id that attributes make, where the service gives none; an edit may change it. Empty: the row cannot be named, and the
   * list shows its place (`#3`).
   */
  identity?(attributes: NonNullable<T['attributes']>): string;
  /** Of a row, where the answers have no envelope around it. */
  readonly schema?: AnySchema;
  /** What it is called; it may be missing. */
  name(row: ResourceRow<T, X>): string | null | undefined;
  /** What a row has besides, or instead: relationships, names out of `included`, attributes of another shape. */
  extra?(resource: T, included: readonly Included[]): X;
  /** The number by which the service orders its list. */
  number?(resource: T): number | bigint | null | undefined;
  /** The ids in their order, where that is an operation of its own. A problem is a note, and rows stand as listed. */
  order?(): Plan<Result<readonly string[]>>;
}

/** Page size limit of the service (docs/contract/conventions.md#paging, family A). */
export const pageSize = 100;
/** How to find what is beyond the last page that is read, where the service can search. */
export const searchReadsAll = 'a search reads all of them';
/** Page limit, for services that never end a list; a list may set its own. */
const mostPages = 50;

/** An answer about several resources. */
export interface Many<T> {
  readonly data?: readonly T[] | null | undefined;
  readonly included?: readonly Included[] | null | undefined;
  readonly meta?: unknown;
}

/** What the pages so far have brought, each object once. */
export interface Pages<T = unknown> {
  readonly items: readonly T[];
  readonly included: readonly Included[];
  /** The last page. */
  readonly last: unknown;
  /** Places that could not be read. */
  readonly unread: readonly string[];
  /** How many there are, where the service tells. */
  readonly total: number | undefined;
  /** Where the walk ended before the list: after how many pages, and why the next one failed; without a problem, there are too many. */
  readonly end?: { readonly pages: number; readonly problem?: Problem };
}

/**
 * Every page of a list as its operation is paged, the first one as `call` asks for it. Ends as the paging says, and at a page
 * that brings nothing new, because a deployment may answer the same page whatever is asked: one of objects that could not be read
 * may be new. A page that fails after the first leaves those before it, and so does one that tells of a next page and brings nothing.
 */
export function* everyPage<T>(call: Call, most = mostPages): Plan<Result<Pages<T>>, Pages<T>> {
  const itemsById = new Map<string, T>();
  const related = new Map<string, Included>();
  const unread: string[] = [];
  const paging = findPaging(call.endpoint);
  let query: typeof call.query | undefined = paging?.first(call.query) ?? call.query;
  let last: unknown;
  let total: number | undefined;
  const read = (): Pages<T> => {
    const [found, included] = [[...itemsById.values()], [...related.values()]];
    return { items: found, included, last, unread, total };
  };
  for (let number = 0; query && number < most; number += 1) {
    if (number > 0) yield* showing(read());
    const answer: Result<unknown> = yield* ask(rawCall(call.endpoint, call.params, query, call.body));
    if (!answer.ok)
      return number === 0 ? answer : toResult({ ...read(), end: { pages: number, problem: answer.problem } });
    last = answer.value;
    total = findTotal(last, total);
    const page = (findItems(last) ?? []) as readonly T[];
    const before = itemsById.size;
    addPage(itemsById, related, page, last);
    unread.push(...answer.unread);
    const size: number = page.length + lostIn(answer.unread);
    const seen: number = itemsById.size + lostIn(unread);
    const isNew = page.length === 0 ? size > 0 : itemsById.size > before;
    const next: typeof call.query | undefined = paging?.next(query, { answer: last, items: page, size, seen, total });
    if (!isNew && next && paging?.tellsNext) return toResult({ ...read(), end: { pages: number + 1 } });
    query = isNew ? next : undefined;
  }
  return toResult({ ...read(), ...(query && { end: { pages: most } }) });
}

/** Adds the objects of a page, and those that came along with it; what has no id is always another one. */
function addPage<T>(found: Map<string, T>, related: Map<string, Included>, page: readonly T[], answer: unknown): void {
  const lacking = found.size;
  for (const [at, one] of page.entries()) found.set(idIn(one) ?? `${lacking}/${at}`, one);
  for (const one of items(field(answer, 'included')))
    related.set(`${field(one, 'type')} ${idIn(one) ?? related.size}`, one as Included);
}

/** How many objects of a list could not be read. */
const lostIn = (unread: readonly string[]): number => unread.filter(isWholeItem).length;

/** Of how many places that could not be read an answer tells without their names. */
const unnamed = /^and (\d+) places more$/;

/** `2 rows, 1 field could not be read: data[0]: …`; nothing where all could be. */
export function unreadSays(unread: readonly string[]): readonly string[] {
  const named = unread.filter((place) => !unnamed.test(place));
  const rows = lostIn(named);
  const more = unread.reduce((sum, place) => sum + Number(unnamed.exec(place)?.[1] ?? 0), 0);
  const counts = Object.entries({ row: rows, field: named.length - rows, 'more place': more });
  const lost = counts.flatMap(([noun, count]) => (count > 0 ? [plural(count, noun)] : []));
  return lost.length === 0 ? [] : [`${lost.join(', ')} could not be read: ${firstThree(named)}`];
}

/** What came without an id and is no row for that, as a note. */
export const withoutIds = (count: number, noun: string): readonly string[] =>
  count > 0 ? [`${plural(count, noun)} without an id left out`] : [];

/** What a read lacks, as notes: `users could not be read: no answer`; nothing where it is whole. */
export const missingNotes = (what: string, read: Result<unknown>): readonly string[] =>
  read.ok
    ? unreadSays(read.unread).map((text) => `${what}: ${text}`)
    : [`${what} could not be read: ${read.problem.text}`];

/** `50 of 500`: what a list that was read to its end lacks; undefined: nothing that the service tells of. */
export function lackingText({ items: found, unread, total = 0 }: Pages): string | undefined {
  return found.length + lostIn(unread) < total ? `${found.length} of ${total}` : undefined;
}

/** Every page of a list as rows. */
export function* rowsOfPages<Row, T>(
  call: Call<Many<T>>,
  spec: {
    rows(read: Pages<T>): readonly Row[];
    readonly notes?: (read: Pages<T>) => readonly string[];
    /** Page limit; a note that ends in `beyond` says when there are more. */
    readonly most?: number | undefined;
    readonly beyond?: string | undefined;
  },
): Plan<Result<Rows<Row>>, Rows<Row>> {
  const shown = (read: Pages<T>, lacks: readonly string[] = []): Rows<Row> => {
    const odd = unreadSays(read.unread);
    const left = withoutIds(read.items.filter((one) => idIn(one) === undefined).length, 'row');
    const missing = [...lacks, ...left, ...(lostIn(read.unread) > 0 ? odd : [])];
    const notes = [...lacks, ...(spec.notes?.(read) ?? []), ...left, ...odd];
    return { rows: spec.rows(read), notes, ...withMissing(missing) };
  };
  const pages = yield* inside(everyPage<T>(call, spec.most), (read) => ({
    ...shown(read),
    total: read.total,
  }));
  if (!pages.ok) return pages;
  const { end, items: found } = pages.value;
  if (end?.problem) return { ok: false, problem: end.problem };
  const beyond = spec.beyond ? `: ${spec.beyond}` : '';
  const lacks = end ? `first ${plural(found.length, 'row')} only${beyond}` : lackingText(pages.value);
  return { ...pages, value: shown(pages.value, lacks === undefined ? [] : [lacks]) };
}

/** Schema of rows of a resource as they are kept on the disk: members of a row besides these are added by its kind. */
export const keptResource = <A extends v.GenericSchema>(schema: {
  readonly entries: { readonly attributes: { readonly wrapped: A } };
}) =>
  v.object({
    id: v.string(),
    place: v.number(),
    attributes: schema.entries.attributes.wrapped,
    unread: v.pipe(v.array(v.string()), v.readonly()),
  });
