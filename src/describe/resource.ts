import { ask, type Call, inside, isNotOffered, type Plan } from '../api/endpoint.ts';
import type { Included } from '../api/envelope.ts';
import { indicesIn, isWholeItem, itemIndex } from '../api/paging.ts';
import { problemResult, type Result, toResult } from '../api/problem.ts';
import { hideSecrets } from '../api/secrets.ts';
import { pluralNoun } from '../lib/text.ts';
import { eachOnce, field, isObject, present } from '../lib/values.ts';
import { attributeOutput, attributesIn, type OutputField, type RowOutput } from './column.ts';
import {
  type Context,
  inWords,
  type ListQuery,
  type Rows,
  type Single,
  type Source,
  type VocabularyContext,
  withMissing,
} from './context.ts';
import {
  type Many,
  type One,
  type Pages,
  type Resource,
  type ResourceObject,
  type ResourceRow,
  rowsOfPages,
  type Spec,
  unreadSays,
  withoutIds,
} from './resource-spec.ts';

/** The question for every row. */
export const everything: ListQuery = { search: {}, range: '' };

/** A row as it is now, and the object as it was read, without its secrets; undefined where one is found in the list. */
interface ReadRow<R, T> {
  readonly row: R;
  readonly resource?: T | undefined;
}

/** What the reads of a kind stand on: its declaration, and how it makes a row of an object. */
interface ResourceRows<T extends ResourceObject, X> {
  readonly spec: Spec<T, X>;
  row(resource: T | null | undefined, about?: RowSource): KindRow<T, X> | undefined;
  nameOf(row: KindRow<T, X>): string;
}

/** A row of the kind that a declaration makes. */
type KindRow<T extends ResourceObject, X> = ResourceRow<T, X> & Resource;

/** What is known of an object besides itself when it becomes a row. */
interface RowSource {
  readonly place?: number;
  readonly unread?: readonly string[];
  readonly included?: readonly Included[] | null | undefined;
  /** The id of the row where the attributes make none. */
  readonly unnamed?: string;
}

function rowsIn<T extends ResourceObject, X>(
  { spec, row }: ResourceRows<T, X>,
  { data, included }: Many<T>,
  unread: readonly string[],
): readonly KindRow<T, X>[] {
  const all = data ?? [];
  const placesOf = placesIn(all, unread);
  return numbered(all, spec.number).flatMap((resource, index) => {
    const place = index + 1;
    return row(resource, { place, unread: placesOf(resource), included, unnamed: `#${place}` }) ?? [];
  });
}

const matching = <T extends ResourceObject, X>(
  spec: Spec<T, X>,
  rows: readonly KindRow<T, X>[],
  search: ListQuery,
): readonly KindRow<T, X>[] => (spec.keeps ? rows.filter((row) => spec.keeps?.(row, search)) : rows);

/** Every row that answers the search, with notes where there is a context to say them in. */
function* listResources<T extends ResourceObject, X>(
  kind: ResourceRows<T, X>,
  search: ListQuery,
  context?: Context,
): Plan<Result<Rows<KindRow<T, X>>>, Rows<KindRow<T, X>>> {
  const { spec } = kind;
  const notesOn = (rows: readonly KindRow<T, X>[], meta?: unknown): readonly string[] =>
    context ? (spec.notes?.({ rows: matching(spec, rows, search), asked: search, context, meta }) ?? []) : [];
  const { list } = spec;
  if (spec.pages) {
    const read = ({ items, included }: Pages<T>) => rowsIn(kind, { data: items, included }, []);
    return yield* rowsOfPages<KindRow<T, X>, T>(spec.pages(search), {
      rows: (pages) => matching(spec, read(pages), search),
      notes: (pages) => notesOn(read(pages), field(pages.last, 'meta')),
      most: spec.most,
      beyond: spec.beyond,
    });
  }
  if (!list) return problemResult('invalid', `no operation lists ${pluralNoun(2, spec.noun)}`);
  const work = list(search);
  const answer: Result<unknown> = 'endpoint' in work ? yield* ask<unknown>(work) : yield* work;
  if (!answer.ok) return answer;
  const loose = isObject(answer.value) ? answer.value : {};
  const all: Many<T> = spec.bareList?.(loose) ?? loose;
  const order = spec.order ? yield* spec.order() : undefined;
  const named = rowsIn(kind, all, answer.unread);
  // A service may list the same thing again.
  const rows = eachOnce(named);
  const { notes, missing } = unreadNotes(spec, (all.data ?? []).length - named.length, answer.unread);
  const disorder = order && !order.ok ? [`the order could not be read (${order.problem.text}): shown as listed`] : [];
  return {
    ...answer,
    value: {
      rows: matching(spec, order?.ok ? placed(rows, order.value) : rows, search),
      notes: [...notesOn(rows), ...disorder, ...notes],
      ...withMissing(missing),
      unread: answer.unread,
    },
  };
}

/** Notes on what of an answer is no row, and those of them that mean missing rows. */
function unreadNotes<T extends ResourceObject, X>(
  { noun, short = noun }: Spec<T, X>,
  lost: number,
  places: readonly string[],
): { readonly notes: readonly string[]; readonly missing: readonly string[] } {
  const left = withoutIds(lost, short);
  const unread = unreadSays(places);
  return { notes: [...left, ...unread], missing: [...left, ...(places.some(isWholeItem) ? unread : [])] };
}

function* readInList<T extends ResourceObject, X>(
  kind: ResourceRows<T, X>,
  before: KindRow<T, X>,
): Plan<Result<ReadRow<KindRow<T, X>, T>>> {
  const all = yield* inside(listResources(kind, everything));
  if (!all.ok) return all;
  const now = all.value.rows.find(({ id }) => id === before.id);
  if (now) return { ...all, value: { row: now } };
  const [lost] = all.value.missing ?? [];
  return lost === undefined
    ? problemResult('notFound', `${kind.nameOf(before)} no longer exists`)
    : problemResult('unreadable', `${kind.nameOf(before)} was not read: ${lost}`);
}

/** The resource of an answer, with what came along. */
function resourceIn<T extends ResourceObject, X>(spec: Spec<T, X>, answer: unknown): One<T> {
  const loose = isObject(answer) ? answer : {};
  return spec.bare ? spec.bare(loose) : (loose as One<T>);
}

/** The row as it is now, with the resource object as it was read. */
function* readResource<T extends ResourceObject, X>(
  kind: ResourceRows<T, X>,
  before: KindRow<T, X>,
): Plan<Result<ReadRow<KindRow<T, X>, T>>> {
  const { spec } = kind;
  const one: Plan<Result<unknown>> | undefined =
    spec.read?.(before) ?? (spec.get && ask<unknown>(spec.get(before.id, before)));
  if (!one) return yield* readInList(kind, before);
  const answer = yield* one;
  if (!answer.ok && isNotOffered(answer.problem)) return toResult({ row: before });
  if (!answer.ok) {
    // A bare 404 can also mean that this deployment has no such read: the list tells which.
    const isBare = answer.problem.status === 404 && answer.problem.messages.length === 0;
    if (!isBare || !(spec.list ?? spec.pages)) return answer;
    const found = yield* readInList(kind, before);
    return found.ok ? found : answer;
  }
  const { data, included } = resourceIn(spec, answer.value);
  const now = kind.row(data, { place: before.place, unread: answer.unread, included });
  // Members that only the list has, such as the owner, keep their listed value.
  if (now?.id === before.id)
    return { ...answer, value: { row: { ...before, ...present(now) }, resource: withoutSecrets(spec, data) } };
  return problemResult('unreadable', `the response is not ${spec.noun} ${before.id}`);
}

/** Without the secrets that the operation names: it is shown as it is. */
function withoutSecrets<T extends ResourceObject, X>(spec: Spec<T, X>, data: T | null | undefined): T | undefined {
  const secrets = (spec.get?.('').endpoint.secrets ?? []).filter((path) => path.startsWith('data.'));
  return hideSecrets({ data: data ?? undefined }, secrets).value.data;
}

/** The rows of these ids, each read by itself; of the list where the deployment has no such read. */
function* findResources<T extends ResourceObject, X>(
  kind: ResourceRows<T, X>,
  ids: readonly string[],
): Plan<Result<Rows<KindRow<T, X>>>, Rows<KindRow<T, X>>> {
  const rows: KindRow<T, X>[] = [];
  for (const id of ids) {
    const unknown = { id, place: 0, attributes: {}, unread: [] } as unknown as KindRow<T, X>;
    const now = yield* readResource(kind, unknown);
    if (now.ok && now.value.row === unknown) {
      const all = yield* listResources(kind, everything);
      if (!all.ok) return all;
      const { rows: listed, missing = [] } = all.value;
      return { ...all, value: { rows: listed.filter((row) => ids.includes(row.id)), missing } };
    }
    if (!now.ok && now.problem.kind !== 'notFound') return now;
    if (now.ok) rows.push(now.value.row);
  }
  return toResult({ rows });
}

/** Of a list's answer the places that are about one of its objects, or about none. */
function placesIn<T>(all: readonly T[], unread: readonly string[]): (resource: T) => readonly string[] {
  const indices = indicesIn(all, unread);
  return (resource) => unread.filter((place) => [undefined, indices.get(resource)].includes(itemIndex(place)));
}

/** As the service numbers them; where it does not number all of them, as it lists them. */
function numbered<T>(all: readonly T[], number: Spec<T & ResourceObject, unknown>['number']): readonly T[] {
  const numbers = new Map(all.map((resource) => [resource, number?.(resource as T & ResourceObject)]));
  if (all.some((resource) => numbers.get(resource) == null)) return all;
  return all.toSorted((one, other) => Number(numbers.get(one)) - Number(numbers.get(other)));
}

/** Rows by the order; those that it does not name come last, as services append new ones. */
function placed<R extends Resource>(rows: readonly R[], order: readonly string[]): readonly R[] {
  const places = new Map(order.map((id, at) => [id, at]));
  return rows
    .toSorted((one, other) => (places.get(one.id) ?? order.length) - (places.get(other.id) ?? order.length))
    .map((row, at) => ({ ...row, place: at + 1 }));
}

/**
 * A kind of resource, as a value: what it is called and the calls that list, read and remove it. From it come the listing
 * with its notes, the fresh read that every edit starts from, and (list-detail.ts, standard-actions.ts, order-action.ts, setting-edits.ts) the rest.
 *
 * ```ts
 * export const filters = kind({
 *   noun: 'retention filter', short: 'filter', of: ['apm_retention_filter'],
 *   list: () => call(listFilters),
 *   get: (id) => call(getFilter, { filter_id: id }),
 *   remove: (id) => call(deleteFilter, { filter_id: id }),
 *   name: (row) => row.attributes.name,
 * });
 * export type FilterRow = RowOf<typeof filters>;
 * ```
 */

/** A kind with its derived reads and names. */
export interface ResourceKind<R extends Resource, T = unknown> {
  readonly noun: string;
  readonly short: string;
  readonly of: readonly string[];
  /** In the keys of its reads. */
  readonly key: string;
  /** `row` is undefined where only the operation is asked for. */
  get?(id: string, row?: R): Call;
  remove?(id: string, row?: R): Call;
  /** The id that attributes make, where they do. */
  identity?(attributes: object): string;
  /** The resource that an answer is about, with what came along. */
  resourceIn(answer: unknown): One<T>;
  /** A row from an object of an answer; undefined without an id. */
  row(resource: T | null | undefined, about?: RowSource): R | undefined;
  /** The name of a row, else its noun and id. */
  nameOf(row: R): string;
  /** A row, or a part of one, as a person reads it in JSON. */
  inWords<V extends object>(resource: V, context: VocabularyContext): V;
  /** Every row, with notes on what could not be read. */
  load(asked: ListQuery): Source<R>;
  /** How a list prints its rows for a program: the attributes of the answer, and more. Secrets are never among them. */
  output(besides?: { readonly except?: readonly string[]; readonly more?: readonly OutputField<R>[] }): RowOutput<R>;
  /** The rows of these ids, each read by itself; of the list where the deployment has no such read. */
  find(ids: readonly string[]): Source<R>;
  /** The ids as the service has them in order now. */
  orderNow(): Plan<Result<readonly string[]>>;
  /** The row as it is now. Where the deployment has no such read, as it was listed. */
  fresh(row: R): Plan<Result<R>>;
  /** The row as it is now, with the resource object as it was read. */
  read(row: R): Plan<Result<ReadRow<R, T>>>;
  /** What a detail reads: the row with its resource object. */
  whole(row: R): Single<R>;
}

export type RowOf<K> = K extends ResourceKind<infer R> ? R : never;

/** Declares a kind of resource. */
export function kind<T extends ResourceObject, X = unknown>(
  spec: Spec<T, X>,
): ResourceKind<ResourceRow<T, X> & Resource, T> {
  type R = ResourceRow<T, X> & Resource;
  const { noun, short = noun, of: kinds, key = noun } = spec;

  const row: ResourceKind<R, T>['row'] = (resource, { place = 0, unread = [], included, unnamed = '' } = {}) => {
    if (resource == null) return undefined;
    const id = spec.identity ? spec.identity(resource.attributes ?? {}) || unnamed : String(resource.id ?? '');
    if (id === '') return undefined;
    return { id, place, attributes: resource.attributes ?? {}, unread, ...spec.extra?.(resource, included ?? []) } as R;
  };

  const nameOf = (of_: R): string => {
    const name = spec.name(of_);
    return name?.trim() ? name : `${short} ${of_.id}`;
  };

  const rows: ResourceRows<T, X> = { spec, row, nameOf };
  function* fresh(before: R): Plan<Result<R>> {
    const now = yield* readResource(rows, before);
    return now.ok ? { ...now, value: now.value.row } : now;
  }

  return {
    noun,
    short,
    of: kinds,
    key,
    ...(spec.get && { get: spec.get }),
    ...(spec.remove && { remove: spec.remove }),
    ...(spec.identity && { identity: spec.identity }),
    resourceIn: (answer) => resourceIn(spec, answer),
    row,
    nameOf,
    inWords(resource, context) {
      if (spec.schema) return inWords(spec.schema, resource, context);
      const one = spec.get?.('').endpoint.response;
      if (one) return inWords(one, { data: resource }, context).data;
      const all = spec.list?.(everything) ?? spec.pages?.(everything);
      const many = all && 'endpoint' in all ? all.endpoint.response : undefined;
      return (many && inWords(many, { data: [resource] }, context).data[0]) ?? resource;
    },
    read: (before) => readResource(rows, before),
    fresh,
    load: (asked) => ({
      key: [pluralNoun(2, key), ...wordsOf(asked.search), asked.range].filter(Boolean).join(' '),
      of: kinds,
      plan: (context) => listResources(rows, asked, context),
    }),
    output({ except = [], more } = {}) {
      const all = spec.list?.(everything) ?? spec.pages?.(everything);
      const read = spec.get?.('').endpoint ?? (all && 'endpoint' in all ? all.endpoint : undefined);
      const secrets = (read?.secrets ?? []).map((path) => path.split('.').at(-1) ?? path);
      return attributeOutput(attributesIn(spec.schema ?? read?.response), {
        except: [...except, ...secrets],
        ...(more && { more }),
      });
    },
    find: (ids) => ({ key: `${key} ${ids.join()}`, of: kinds, plan: () => findResources(rows, ids) }),
    whole: (before) => ({ key: `${key} ${before.id}`, of: kinds, plan: () => fresh(before) }),
    *orderNow() {
      if (spec.order) return yield* spec.order();
      const all = yield* inside(listResources(rows, everything));
      if (!all.ok) return all;
      const [lost] = all.value.missing ?? [];
      // An order that lacks one would move it.
      if (lost !== undefined)
        return problemResult('unreadable', `not all ${pluralNoun(2, spec.noun)} are known: ${lost}`);
      return { ...all, value: all.value.rows.map((one) => one.id) };
    },
  };
}

/** The search values with their names, as part of the cache key. */
const wordsOf = (search: ListQuery['search']): readonly string[] =>
  Object.entries(search).flatMap(([name, word]) => (word === '' ? [] : [`${name}=${word}`]));
