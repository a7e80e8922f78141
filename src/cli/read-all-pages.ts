import { type Call, rawCall } from '../api/endpoint.ts';
import { findItems, type Paging, withItems } from '../api/paging.ts';
import type { Result } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import { plural } from '../lib/text.ts';
import { field, idIn, items } from '../lib/unchecked-values.ts';

/** One answer, or several joined. */
export interface Gathered {
  readonly answer: unknown;
  /** Why it is not everything; absent: it is. */
  readonly lacks?: string;
}

/** Most pages, for services that never end a list. */
const mostPages = 10_000;

/**
 * Reads page after page and joins them into one answer, each object once; what else an answer says is that of the last
 * page. Ends as the operation's paging says, and at a page that brings nothing new. A page that fails after the first
 * leaves those before it.
 */
export async function readPages(client: Pick<Client, 'send'>, call: Call, paging: Paging): Promise<Result<Gathered>> {
  const itemsById = new Map<string, unknown>();
  const related = new Map<string, unknown>();
  const unread: string[] = [];
  let query = paging.first(call.query);
  let last: unknown;
  const joined = () => {
    const all = withItems(last, [...itemsById.values()]);
    return related.size > 0 ? { ...(all as object), included: [...related.values()] } : all;
  };
  for (let number = 0; number < mostPages; number += 1) {
    const result = await client.send(rawCall(call.endpoint, call.params, query, call.body));
    if (!result.ok && number === 0) return result;
    if (!result.ok) {
      const lacks = `page ${number + 1} was not read: ${result.problem.text}`;
      return { ok: true, value: { answer: joined(), lacks }, status: 200, unread };
    }
    last = result.value;
    unread.push(...result.unread);
    const page = findItems(last) ?? [];
    const before = itemsById.size;
    for (const [at, item] of page.entries()) itemsById.set(idIn(item) ?? `${number}/${at}`, item);
    for (const one of items(field(last, 'included')))
      related.set(`${field(one, 'type')} ${idIn(one) ?? related.size}`, one);
    const next = paging.next(query, last, page);
    if (next === undefined || itemsById.size === before)
      return { ok: true, value: { answer: joined() }, status: result.status, unread };
    query = next;
  }
  return {
    ok: true,
    value: { answer: joined(), lacks: `stopped after ${plural(mostPages, 'page')}` },
    status: 200,
    unread,
  };
}
