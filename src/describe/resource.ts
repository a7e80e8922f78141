import type { AnySchema, Call } from '../api/endpoint.ts';
import type { Included } from '../api/envelope.ts';
import { ask, inside, notOffered, type Plan } from '../api/plan.ts';
import { type Result, refusal, resultOf } from '../api/problem.ts';
import { hideSecrets } from '../api/secrets.ts';
import { isObject, type JsonObject } from '../lib/object-paths.ts';
import { plural } from '../lib/text.ts';
import type { Context } from './context.ts';
import { attributeOutput, attributesIn, type Output, type OutputField } from './output.ts';
import { everyPage, isWholeItem, type Many, type Pages } from './read-pages.ts';
import { type ListQuery, type Rows, type Single, type Source, withMissing } from './source.ts';
import { inWords, type VocabularyContext } from './vocabulary-words.ts';

/**
 * A kind of resource, as a value: what it is called and the calls that list, read and remove it. From it come the listing
 * with its notes, the fresh read that every edit starts from, and (detail.ts, delete-action.ts, order-action.ts, setting-edits.ts) the rest.
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

/** A row: `attributes` are as they were read, so that what is not known here is written back unchanged. */
export interface Resource<A extends object = object> {
  readonly id: string;
  /** Its place in the list, from 1. */
  readonly place: number;
  readonly attributes: A;
  /** Places of the answer that could not be read and are missing from `attributes`. */
  readonly unread: readonly string[];
}

/** A resource object as a schema reads it. */
interface ResourceObject {
  readonly id?: unknown;
  readonly attributes?: object | null | undefined;
}

/** An answer about one resource. */
export interface One<T = ResourceObject> {
  readonly data?: T | null | undefined;
  readonly included?: readonly Included[] | null | undefined;
}

/** The row of a resource object, with what `extra` makes of it. */
type Row<T extends ResourceObject, X> = Omit<Resource<NonNullable<T['attributes']>>, keyof X> & X;

/** What a list has brought so far. */
interface Listed<R> {
  readonly rows: readonly R[];
  readonly asked: ListQuery;
  readonly context: Context;
  /** Of a list that comes in pages. */
  readonly meta: unknown;
}

interface Spec<T extends ResourceObject, X> {
  /** Singular, as questions say it: `delete retention filter checkout?` Its plural ends in s. */
  readonly noun: string;
  /** The same in a few letters, for notes and receipts; `noun` when absent. */
  readonly short?: string;
  /** Kinds (`endpoint.of`) whose edits make it stale. */
  readonly of: readonly string[];
  /** Instead of the noun in the keys of its reads, where another kind has the same noun. */
  readonly key?: string;
  /** One answer with all of them, or a plan that makes one; or `page`. */
  list?(asked: ListQuery): Call<Many<T>> | Call<unknown> | Plan<Result<Many<T>>>;
  /** The resources in an answer of `list` that has no envelope around them. */
  bareList?(answer: JsonObject): Many<T>;
  /** One page of a list that is paged by number, from 0. */
  page?(number: number, asked: ListQuery): Call<Many<T>>;
  /** Pages at most; 50 when absent. */
  readonly most?: number;
  /** Said when there are more pages than are read: `s searches by name`. */
  readonly beyond?: string;
  /** Whether a row answers the question: for services that do not know the filter, and list the others too. */
  keeps?(row: Row<T, X>, asked: ListQuery): boolean;
  /** What the title bar says about the rows. */
  notes?(read: Listed<Row<T, X>>): readonly string[];
  /** Where it is absent, one is found in the list. */
  get?(id: string, row?: Row<T, X>): Call<One<T>> | Call<unknown>;
  /** The resource in an answer that has no envelope around it. */
  bare?(answer: JsonObject): One<T>;
  /** How one is read where a call alone does not do: by another operation where the first is not offered. */
  read?(before: Row<T, X>): Plan<Result<One<T>>>;
  remove?(id: string, row?: Row<T, X>): Call;
  /**
   * Its id out of the attributes, where the service gives it none; an edit may change it. Empty: it cannot be named, and the
   * list shows it by its place (`#3`).
   */
  identity?(attributes: NonNullable<T['attributes']>): string;
  /** Of a row, where the answers have no envelope around it. */
  readonly schema?: AnySchema;
  /** What it is called; it may be missing. */
  name(row: Row<T, X>): string | null | undefined;
  /** What a row has besides, or instead: relationships, names out of `included`, attributes of another shape. */
  extra?(resource: T, included: readonly Included[]): X;
  /** The number by which the service orders its list. */
  number?(resource: T): number | bigint | null | undefined;
  /** The ids in their order, where that is an operation of its own. A problem is a note, and rows stand as listed. */
  order?(): Plan<Result<readonly string[]>>;
}

/** A row as it is now, and the object as it was read, without its secrets; undefined where one is found in the list. */
interface ReadRow<R, T> {
  readonly row: R;
  readonly resource?: T | undefined;
}

/** A kind with its derived reads and names. */
export interface Kind<R extends Resource, T = unknown> {
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
  row(
    resource: T | null | undefined,
    about?: {
      readonly place?: number;
      readonly unread?: readonly string[];
      readonly included?: readonly Included[] | null | undefined;
      /** Its id where the attributes make none. */
      readonly unnamed?: string;
    },
  ): R | undefined;
  /** Its name, else its noun and id. */
  nameOf(row: R): string;
  /** A row, or a part of one, as a person reads it in JSON. */
  inWords<V extends object>(resource: V, context: VocabularyContext): V;
  /** Every row, with notes on what could not be read. */
  load(asked: ListQuery): Source<R>;
  /** How a list prints its rows for a program: the attributes of the answer, and more. Secrets are never among them. */
  output(besides?: { readonly except?: readonly string[]; readonly more?: readonly OutputField<R>[] }): Output<R>;
  /** The rows of these ids, each read by itself; of the list where the deployment has no such read. */
  find(ids: readonly string[]): Source<R>;
  /** The ids as the service has them in order now. */
  orderNow(): Plan<Result<readonly string[]>>;
  /** The row as it is now. Where the deployment has no such read, as it was listed. */
  fresh(row: R): Plan<Result<R>>;
  /** The same, with the resource object as it was read. */
  read(row: R): Plan<Result<ReadRow<R, T>>>;
  /** The same behind a detail. */
  whole(row: R): Single<R>;
}

export type RowOf<K> = K extends Kind<infer R> ? R : never;

/** Declares a kind of resource. */
export function kind<T extends ResourceObject, X = unknown>(spec: Spec<T, X>): Kind<Row<T, X> & Resource, T> {
  type R = Row<T, X> & Resource;
  const { noun, short = noun, of, key = noun } = spec;
  const everything: ListQuery = { search: {}, range: '' };

  const row: Kind<R, T>['row'] = (resource, { place = 0, unread = [], included, unnamed = '' } = {}) => {
    if (resource == null) return undefined;
    const id = spec.identity ? spec.identity(resource.attributes ?? {}) || unnamed : String(resource.id ?? '');
    if (id === '') return undefined;
    return { id, place, attributes: resource.attributes ?? {}, unread, ...spec.extra?.(resource, included ?? []) } as R;
  };

  const resourceIn = (answer: unknown): One<T> => {
    const loose = isObject(answer) ? answer : {};
    return spec.bare ? spec.bare(loose) : (loose as One<T>);
  };

  const rowsOf = ({ data, included }: Many<T>, unread: readonly string[]) =>
    numbered(data ?? [], spec.number).flatMap((resource, at) => {
      const place = at + 1;
      return (
        row(resource, { place, unread: placesOf(data ?? [], resource, unread), included, unnamed: `#${place}` }) ?? []
      );
    });

  const matching = (rows: readonly R[], asked: ListQuery): readonly R[] =>
    spec.keeps ? rows.filter((one) => spec.keeps?.(one, asked)) : rows;

  function* listed(search: ListQuery, context?: Context): Plan<Result<Rows<R>>, Rows<R>> {
    const { page, list } = spec;
    const notesOn = (rows: readonly R[], meta?: unknown): readonly string[] =>
      context ? (spec.notes?.({ rows: matching(rows, search), asked: search, context, meta }) ?? []) : [];
    if (page) {
      const rowsIn = ({ items, included }: Pages<T>) => rowsOf({ data: items, included }, []);
      return yield* everyPage<R, T>({
        page: (number) => page(number, search),
        rows: (read) => matching(rowsIn(read), search),
        notes: (read) => notesOn(rowsIn(read), read.meta),
        ...(spec.most === undefined ? {} : { most: spec.most }),
        ...(spec.beyond === undefined ? {} : { beyond: spec.beyond }),
      });
    }
    if (!list) return refusal('invalid', `no operation lists ${plural(2, noun).slice(2)}`);
    const work = list(search);
    const answer: Result<unknown> = 'endpoint' in work ? yield* ask<unknown>(work) : yield* work;
    if (!answer.ok) return answer;
    const loose = isObject(answer.value) ? answer.value : {};
    const all: Many<T> = spec.bareList?.(loose) ?? loose;
    const named = rowsOf(all, answer.unread);
    const lost = (all.data ?? []).length - named.length;
    const rows = once(named);
    const left = lost > 0 ? [`${plural(lost, short)} without an id left out`] : [];
    const unread = answer.unread.length > 0 ? [`not read: ${answer.unread.slice(0, 2).join('; ')}`] : [];
    const missing = [...left, ...(answer.unread.some(isWholeItem) ? unread : [])];
    const order = spec.order ? yield* spec.order() : undefined;
    const notes = [
      ...notesOn(rows),
      ...(order && !order.ok ? [`the order could not be read (${order.problem.text}): shown as listed`] : []),
      ...left,
      ...unread,
    ];
    return {
      ...answer,
      value: {
        rows: matching(order?.ok ? placed(rows, order.value) : rows, search),
        notes,
        ...withMissing(missing),
        unread: answer.unread,
      },
    };
  }

  /** Without the secrets that the operation names: it is shown as it is. */
  const hidden = (data: T | undefined): T | undefined => {
    const secrets = (spec.get?.('').endpoint.secrets ?? []).filter((path) => path.startsWith('data.'));
    return hideSecrets({ data }, secrets).value.data;
  };

  function* readInList(before: R): Plan<Result<ReadRow<R, T>>> {
    const all = yield* inside(listed(everything));
    if (!all.ok) return all;
    const now = all.value.rows.find(({ id }) => id === before.id);
    return now ? { ...all, value: { row: now } } : refusal('notFound', `${nameOf(before)} no longer exists`);
  }

  function* read(before: R): Plan<Result<ReadRow<R, T>>> {
    const one: Plan<Result<unknown>> | undefined =
      spec.read?.(before) ?? (spec.get && ask<unknown>(spec.get(before.id, before)));
    if (!one) return yield* readInList(before);
    const answer = yield* one;
    if (!answer.ok && notOffered(answer.problem)) return resultOf({ row: before });
    if (!answer.ok) {
      // A bare 404 can also mean that this deployment has no such read: the list tells which.
      const isBare = answer.problem.status === 404 && answer.problem.messages.length === 0;
      if (!isBare || !(spec.list ?? spec.page)) return answer;
      const found = yield* readInList(before);
      return found.ok ? found : answer;
    }
    const { data, included } = resourceIn(answer.value);
    const now = row(data, { place: before.place, unread: answer.unread, included });
    // Members that only the list has, such as the owner, keep their listed value.
    if (now?.id === before.id)
      return { ...answer, value: { row: { ...before, ...defined(now) }, resource: hidden(data ?? undefined) } };
    return refusal('unreadable', `the response is not ${noun} ${before.id}`);
  }

  function* fresh(before: R): Plan<Result<R>> {
    const now = yield* read(before);
    return now.ok ? { ...now, value: now.value.row } : now;
  }

  function* findEach(ids: readonly string[]): Plan<Result<Rows<R>>, Rows<R>> {
    const rows: R[] = [];
    for (const id of ids) {
      const unknown = { id, place: 0, attributes: {}, unread: [] } as unknown as R;
      const now = yield* read(unknown);
      if (now.ok && now.value.row === unknown) {
        const all = yield* listed(everything);
        return all.ok ? { ...all, value: { rows: all.value.rows.filter((row) => ids.includes(row.id)) } } : all;
      }
      if (!now.ok && now.problem.kind !== 'notFound') return now;
      if (now.ok) rows.push(now.value.row);
    }
    return resultOf({ rows });
  }

  const nameOf = (of_: R): string => {
    const name = spec.name(of_);
    return name?.trim() ? name : `${short} ${of_.id}`;
  };

  return {
    noun,
    short,
    of,
    key,
    ...(spec.get && { get: spec.get }),
    ...(spec.remove && { remove: spec.remove }),
    ...(spec.identity && { identity: spec.identity }),
    resourceIn,
    row,
    nameOf,
    inWords(resource, context) {
      if (spec.schema) return inWords(spec.schema, resource, context);
      const one = spec.get?.('').endpoint.response;
      if (one) return inWords(one, { data: resource }, context).data;
      const all = spec.list?.(everything) ?? spec.page?.(0, everything);
      const many = all && 'endpoint' in all ? all.endpoint.response : undefined;
      return (many && inWords(many, { data: [resource] }, context).data[0]) ?? resource;
    },
    read,
    fresh,
    load: (asked) => ({
      key: [plural(2, key).slice(2), ...wordsOf(asked.search), asked.range].filter(Boolean).join(' '),
      of,
      plan: (context) => listed(asked, context),
    }),
    output({ except = [], more } = {}) {
      const all = spec.list?.(everything) ?? spec.page?.(0, everything);
      const read = spec.get?.('').endpoint ?? (all && 'endpoint' in all ? all.endpoint : undefined);
      const secrets = (read?.secrets ?? []).map((path) => path.split('.').at(-1) ?? path);
      return attributeOutput(attributesIn(spec.schema ?? read?.response), {
        except: [...except, ...secrets],
        ...(more && { more }),
      });
    },
    find: (ids) => ({ key: `${key} ${ids.join()}`, of, plan: () => findEach(ids) }),
    whole: (before) => ({ key: `${key} ${before.id}`, of, plan: () => fresh(before) }),
    *orderNow() {
      if (spec.order) return yield* spec.order();
      const all = yield* inside(listed(everything));
      return all.ok ? { ...all, value: all.value.rows.map((one) => one.id) } : all;
    },
  };
}

/** The search values with their names, as part of the cache key. */
const wordsOf = (search: ListQuery['search']): readonly string[] =>
  Object.entries(search).flatMap(([name, word]) => (word === '' ? [] : [`${name}=${word}`]));

/** The members that are not undefined. */
const defined = <R extends object>(row: R): Partial<R> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<R>;

/** The places of a list's answer that are about one of its objects, or about none. */
const placesOf = <T>(all: readonly T[], resource: T, unread: readonly string[]): readonly string[] =>
  unread.filter((place) => {
    const at = /^(?:data)?\[(\d+)\]/.exec(place)?.[1];
    return at === undefined || all[Number(at)] === resource;
  });

/** Each id once: a service may list the same thing again. */
const once = <R extends Resource>(rows: readonly R[]): readonly R[] =>
  [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();

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
