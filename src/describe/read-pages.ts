import type { Call } from '../api/endpoint.ts';
import type { Included } from '../api/envelope.ts';
import { findTotal } from '../api/paging.ts';
import { ask, type Plan, showing } from '../api/plan.ts';
import type { Result } from '../api/problem.ts';
import { firstThree, plural } from '../lib/text.ts';
import { idIn } from '../lib/unchecked-values.ts';
import { type Rows, withMissing } from './source.ts';

/** Page size limit of the service (docs/contract/conventions.md#paging, family A). */
export const pageSize = 100;
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
  /** `meta` of the last page. */
  readonly meta: unknown;
}

/**
 * Every page of a list that is paged by number, as rows. Ends at a page that is shorter than a full one, because totals
 * can be stale, and at one that brings nothing new, because a deployment may answer the same page whatever is asked.
 */
export function* everyPage<Row, T = unknown>(spec: {
  page(number: number): Call<Many<T>>;
  rows(read: Pages<T>): readonly Row[];
  readonly notes?: (read: Pages<T>) => readonly string[];
  /** Page limit; a note that ends in `beyond` says when there are more. */
  readonly most?: number;
  readonly beyond?: string;
}): Plan<Result<Rows<Row>>, Rows<Row>> {
  const itemsById = new Map<string, T>();
  const related = new Map<string, Included>();
  const unread: string[] = [];
  const most = spec.most ?? mostPages;
  let meta: unknown;
  let status = 200;
  let isCut = false;
  const shown = (): Rows<Row> => {
    const read = { items: [...itemsById.values()], included: [...related.values()], meta };
    const odd =
      unread.length === 0 ? [] : [`${plural(unread.length, 'field')} could not be read: ${firstThree(unread)}`];
    const cut = isCut ? [`first ${plural(itemsById.size, 'row')} only${spec.beyond ? `: ${spec.beyond}` : ''}`] : [];
    const missing = [...cut, ...(unread.some(isWholeItem) ? odd : [])];
    return { rows: spec.rows(read), notes: [...cut, ...(spec.notes?.(read) ?? []), ...odd], ...withMissing(missing) };
  };
  for (let number = 0; number < most; number += 1) {
    const answer = yield* ask(spec.page(number));
    if (!answer.ok) return answer;
    status = answer.status;
    // An answer may be empty where its schema says otherwise.
    const page: Many<T> | undefined = answer.value;
    const data = page?.data ?? [];
    meta = page?.meta ?? meta;
    const before = itemsById.size;
    for (const [at, one] of data.entries()) itemsById.set(idIn(one) ?? `${number}/${at}`, one);
    for (const one of page?.included ?? []) related.set(`${one.type} ${idIn(one) ?? related.size}`, one);
    unread.push(...answer.unread);
    const isShort = data.length < pageSize && answer.unread.length === 0;
    if (isShort || itemsById.size === before) break;
    isCut = number === most - 1;
    if (!isCut) yield* showing({ ...shown(), total: findTotal({ meta }) });
  }
  return { ok: true, value: shown(), status, unread: [] };
}

/** Whether a place that could not be read is a whole object of a list (`data[3]`) and not a field of one. */
export const isWholeItem = (place: string): boolean => /^(data|monitors)?\[\d+\](?![.\w[])/.test(place);
