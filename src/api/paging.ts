import { field, toAmount, toWord } from '../lib/values.ts';
import { type Endpoint, entriesOf, type QueryValue } from './endpoint.ts';

type Query = Readonly<Record<string, QueryValue>>;

/** One page of a walk over a list. */
interface Page {
  readonly answer: unknown;
  readonly items: readonly unknown[];
  /** How many objects it brought, with those that could not be read. */
  readonly size: number;
  /** How many different ones all pages brought so far. */
  readonly seen: number;
  /** How many there are, as this page or one before it tells. */
  readonly total: number | undefined;
}

/** How an operation answers page by page (docs/contract/conventions.md#paging, docs/contract/monitors.md#operations). */
export interface Paging {
  /** An answer says itself whether a page follows. */
  readonly tellsNext?: true;
  /** Query parameters that choose a page: whoever gives one of them wants that page alone. */
  readonly chooses: readonly string[];
  /** The query of the first page; a size that was given is kept. */
  first(given: Query): Query;
  /** The query of the page after that of `query`; undefined at the end. */
  next(query: Query, page: Page): Query | undefined;
  /** What an answer may lack where no page was chosen, such as `10 of 37`; undefined: nothing. */
  lacks(answer: unknown, items: readonly unknown[], given: Query): string | undefined;
}

/** Members of an answer that may have its list. */
const listMembers = ['data', 'monitors', 'groups', 'api_keys'];

const itemPlace = new RegExp(`^(?:${listMembers.join('|')})?\\[(\\d+)\\]([.\\w[])?`);

/** The object of a list that a place of its answer is in, by its index: 3 of `data[3].name`; undefined where it is in none. */
export function itemIndex(place: string): number | undefined {
  const [, index] = itemPlace.exec(place) ?? [];
  return index === undefined ? undefined : Number(index);
}

/** Whether a place that could not be read is a whole object of a list (`data[3]`) and not a field of one. */
export const isWholeItem = (place: string): boolean => {
  const [, index, more] = itemPlace.exec(place) ?? [];
  return index !== undefined && more === undefined;
};

/** The indices of objects in the list of their answer, which count those that could not be read. */
export function indicesIn<T>(read: readonly T[], unread: readonly string[]): ReadonlyMap<T, number | undefined> {
  const lost = new Set(unread.filter(isWholeItem).map(itemIndex));
  const kept = Array.from({ length: read.length + lost.size }, (_, index) => index).filter((index) => !lost.has(index));
  return new Map(read.map((one, at) => [one, kept[at]]));
}

/** The objects of an answer that is a list, whatever it is wrapped in; undefined for any other. */
export function findItems(answer: unknown): readonly unknown[] | undefined {
  return [answer, ...listMembers.map((name) => field(answer, name))].find((list): list is unknown[] =>
    Array.isArray(list),
  );
}

/** A copy of a list's response with these objects in place of its own. */
export function withItems(answer: unknown, items: readonly unknown[]): unknown {
  if (Array.isArray(answer)) return items;
  const name = listMembers.find((member) => Array.isArray(field(answer, member))) ?? 'data';
  return { ...(answer as object), [name]: items };
}

/** The paging of an operation, by the names of its query; undefined where it answers everything at once. */
export function findPaging({ query, of: subject }: Endpoint): Paging | undefined {
  const names = Object.keys(entriesOf(query));
  const hasAll = (...wanted: string[]) => wanted.every((name) => names.includes(name));
  if (hasAll('page[size]', 'page[number]')) return byNumber('page[size]', 'page[number]', 100, 10);
  if (hasAll('per_page', 'page')) return byNumber('per_page', 'page', 100, 30);
  if (hasAll('page[limit]', 'page[offset]')) return byOffset(subject === 'downtime' ? 30 : 15);
  if (hasAll('page[limit]', 'page[continuation_token]')) return byToken;
  if (hasAll('id_offset', 'page_size')) return byLastId;
  return undefined;
}

const numberIn = (query: Query, name: string, otherwise: number): number => Number(query[name] ?? otherwise);

/** How many objects match; `before` where this page does not tell. It can be stale: a full page is never the last, whatever it says. */
export function findTotal(answer: unknown, before?: number): number | undefined {
  const page = field(field(answer, 'meta'), 'page');
  const totals = [
    field(page, 'total_filtered_count'),
    field(page, 'total_count'),
    field(field(answer, 'metadata'), 'total_count'),
  ];
  return totals.map(toAmount).find((total) => total !== undefined) ?? before;
}

/** By the total where there is one; without, more may follow a full page. `defaultSize`: what a service sends where no size is given. */
const lacksOfPage =
  (size: string, defaultSize: number): Paging['lacks'] =>
  (answer, items, given) => {
    const total = findTotal(answer);
    if (total !== undefined) return total > items.length ? `${items.length} of ${total}` : undefined;
    const asked = numberIn(given, size, defaultSize);
    return items.length > 0 && items.length >= asked ? `${items.length}, and there may be more` : undefined;
  };

/** Smaller pages than asked end a list only where no total says that there is more: some deployments have smaller ones. */
const isLast = (asked: number, { size, seen, total = 0 }: Page): boolean => size < asked && seen >= total;

const byNumber = (size: string, number: string, maxSize: number, defaultSize: number): Paging => ({
  chooses: [number],
  first: (given) => ({ [size]: maxSize, ...given, [number]: 0 }),
  next: (query, page) =>
    isLast(numberIn(query, size, maxSize), page) ? undefined : { ...query, [number]: numberIn(query, number, 0) + 1 },
  lacks: lacksOfPage(size, defaultSize),
});

const byOffset = (defaultSize: number): Paging => ({
  chooses: ['page[offset]'],
  first: (given) => ({ 'page[limit]': 100, ...given, 'page[offset]': 0 }),
  next: (query, page) =>
    isLast(numberIn(query, 'page[limit]', 100), page)
      ? undefined
      : { ...query, 'page[offset]': numberIn(query, 'page[offset]', 0) + page.size },
  lacks: lacksOfPage('page[limit]', defaultSize),
});

/** The token in the link to the next page. */
function tokenIn(answer: unknown): string | undefined {
  const [, query] = toWord(field(field(answer, 'links'), 'next')).split('?');
  return new URLSearchParams(query).get('page[continuation_token]') || undefined;
}

const byToken: Paging = {
  tellsNext: true,
  chooses: ['page[continuation_token]'],
  first: (given) => ({ 'page[limit]': 1000, ...given }),
  next: (query, { answer }) => {
    const token = tokenIn(answer);
    return token === undefined ? undefined : { ...query, 'page[continuation_token]': token };
  },
  lacks: (answer, items) => (tokenIn(answer) === undefined ? undefined : `the first ${items.length}`),
};

const idOf = (item: unknown): bigint => {
  const id = toWord(field(item, 'id'));
  return /^\d+$/.test(id) ? BigInt(id) : 0n;
};

/** Pages by the last id read, which stays right while objects are created and deleted. Without a page the response has all. */
const byLastId: Paging = {
  chooses: ['id_offset', 'page'],
  first: (given) => ({ page_size: 1000, ...given, id_offset: '0' }),
  next(query, { items }) {
    const last = items.map(idOf).reduce((high, id) => (id > high ? id : high), 0n);
    return last > BigInt(String(query.id_offset)) ? { ...query, id_offset: String(last) } : undefined;
  },
  lacks: () => undefined,
};
