import * as v from 'valibot';
import type { AnySchema, Call } from './endpoint.ts';
import { int, moment } from './envelope.ts';

/**
 * Building blocks for what is sent. Where an answer's fields may all be missing, the fields of a request
 * are required unless they are written with `v.optional`. Unknown fields are let through.
 */

type Entries = Record<string, AnySchema>;

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

/** A body that is one reference: add this user, grant this permission. */
export function referenceBody<const T extends string>(type: T) {
  return v.looseObject({ data: resourceRef(type) });
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
>(type: T, attributes: A, relationships: R = {} as R) {
  return v.looseObject({
    data: v.looseObject({
      id: v.string(),
      type: v.literal(type),
      attributes: v.looseObject(attributes),
      relationships: v.optional(v.looseObject(relationships)),
    }),
  });
}

/** Query of the lists that are paged by number: at most 100 a page, counted from 0 (docs/contract/conventions.md#paging). */
export const numberedPages = { 'page[size]': v.optional(int), 'page[number]': v.optional(int) };

/** Query of the lists that are paged by offset: at most 100 a page (docs/contract/conventions.md#paging). */
export const offsetPages = { 'page[limit]': v.optional(int), 'page[offset]': v.optional(int) };

/** Query of the lists that can be narrowed by creation time, both ends inclusive. */
export const createdWithin = {
  'filter[created_at][start]': v.optional(moment),
  'filter[created_at][end]': v.optional(moment),
};

/**
 * For `isApplied`: whether the one reference that was sent is among those that the list answered. A list that is
 * longer than one page may hide it; the edits that use this may be sent twice without harm.
 */
export function isListed(sent: Call, read: unknown): boolean {
  const ours = (sent.body as { data?: { id?: unknown } } | undefined)?.data?.id;
  const theirs = (read as { data?: readonly { id?: unknown }[] | null } | null)?.data ?? [];
  return theirs.some((reference) => String(reference.id) === String(ours));
}

/** For `isUnchanged`: whether the one reference that was sent is missing in a list that is whole. */
export function isNotListed(sent: Call, read: unknown): boolean {
  const { data, meta } = (read ?? {}) as {
    data?: readonly unknown[] | null;
    meta?: { page?: { total_count?: unknown; total_filtered_count?: unknown } | null } | null;
  };
  const total = meta?.page?.total_count ?? meta?.page?.total_filtered_count;
  const isWhole = Array.isArray(data) && (total == null ? data.length < 100 : data.length >= Number(total));
  return isWhole && !isListed(sent, read);
}
