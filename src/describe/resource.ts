import { type Call, inside, type Plan } from '../api/endpoint.ts';
import type { Result } from '../api/problem.ts';
import { plural } from '../lib/text.ts';
import { attributeOutput, attributesIn, type OutputField, type RowOutput } from './output.ts';
import {
  everything,
  findResources,
  listResources,
  type ReadRow,
  type ResourceRows,
  type RowSource,
  readResource,
  resourceIn,
} from './resource-reads.ts';
import type { One, Resource, ResourceObject, ResourceRow, Spec } from './resource-spec.ts';
import type { ListQuery, Single, Source } from './source.ts';
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
      key: [plural(2, key).slice(2), ...wordsOf(asked.search), asked.range].filter(Boolean).join(' '),
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
      return all.ok ? { ...all, value: all.value.rows.map((one) => one.id) } : all;
    },
  };
}

/** The search values with their names, as part of the cache key. */
const wordsOf = (search: ListQuery['search']): readonly string[] =>
  Object.entries(search).flatMap(([name, word]) => (word === '' ? [] : [`${name}=${word}`]));
