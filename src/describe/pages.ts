import type { Call } from '../api/endpoint.ts';
import { ask, type Plan, showing } from '../api/plan.ts';
import type { Result } from '../api/problem.ts';
import { field, idIn, items } from '../lib/loose.ts';
import { plural } from '../lib/text.ts';
import type { Rows } from './screen.ts';

/** Most that the service gives at once (contract/keys.md 0.4, family A). */
export const pageSize = 100;
/** A service that never comes to an end is left after this many pages, unless the list says otherwise. */
const mostPages = 50;

/** What the pages so far have brought, each object once. */
export interface Pages {
  readonly items: readonly unknown[];
  readonly included: readonly unknown[];
  /** `meta` of the last page. */
  readonly meta: unknown;
}

/**
 * Every page of a list that is paged by number, as rows. Ends at a page that is shorter than a full one, because totals
 * can be stale, and at one that brings nothing new, because a deployment may answer the same page whatever is asked.
 */
export function* everyPage<Row>(it: {
  page(number: number): Call;
  rows(read: Pages): readonly Row[];
  readonly notes?: (read: Pages) => readonly string[];
  /** Pages at most; more is told as a note that ends in `beyond`. */
  readonly most?: number;
  readonly beyond?: string;
}): Plan<Result<Rows<Row>>, Rows<Row>> {
  const known = new Map<string, unknown>();
  const related = new Map<string, unknown>();
  const unread: string[] = [];
  const most = it.most ?? mostPages;
  let meta: unknown;
  let status = 200;
  let isCut = false;
  const shown = (): Rows<Row> => {
    const read = { items: [...known.values()], included: [...related.values()], meta };
    const odd = unread.length === 0 ? [] : [`${plural(unread.length, 'field')} could not be read: ${some(unread)}`];
    const cut = isCut ? [`the first ${plural(known.size, 'row')} only${it.beyond ? `: ${it.beyond}` : ''}`] : [];
    return { rows: it.rows(read), notes: [...cut, ...(it.notes?.(read) ?? []), ...odd] };
  };
  for (let number = 0; number < most; number += 1) {
    const answer = yield* ask(it.page(number));
    if (!answer.ok) return answer;
    status = answer.status;
    const data = items(field(answer.value, 'data'));
    meta = field(answer.value, 'meta') ?? meta;
    const before = known.size;
    for (const [at, one] of data.entries()) known.set(idIn(one) ?? `${number}/${at}`, one);
    for (const one of items(field(answer.value, 'included')))
      related.set(`${String(field(one, 'type'))} ${idIn(one) ?? related.size}`, one);
    unread.push(...answer.unread);
    const isShort = data.length < pageSize && answer.unread.length === 0;
    if (isShort || known.size === before) break;
    isCut = number === most - 1;
    if (!isCut) yield* showing(shown());
  }
  return { ok: true, value: shown(), status, unread: [] };
}

const some = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
