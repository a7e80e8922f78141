import type { AnySchema, Call, Plan } from '../api/endpoint.ts';
import type { Included } from '../api/envelope.ts';
import type { Result } from '../api/problem.ts';
import type { JsonObject } from '../lib/object-paths.ts';
import type { Context } from './context.ts';
import type { Many } from './read-pages.ts';
import type { ListQuery } from './source.ts';

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
