import * as v from 'valibot';
import { type Endpoint, pathNames } from '../../api/endpoint.ts';
import { type Answer, type Ask, gone, type Handler, isAnswer, isUuid, ok, refused, type World } from './answer.ts';
import { type Orders, type Pager, pageOf, sortedBy } from './paging.ts';

/** How the rows of a collection are listed, where it differs from: all of them, as they are stored, in pages. */
export interface Listing<T> {
  /** The rows that count as all; an answer refuses the list. */
  rows?(ask: Ask, world: World): readonly T[] | Answer;
  /** Which rows the query asks for; an answer refuses it. */
  matches?(ask: Ask, world: World): ((row: T) => boolean) | Answer;
  /** What `sort` may say; the first word is the default. */
  orders?(world: World): Orders<T>;
  /** An order of its own, where `orders` cannot say it; an answer refuses. */
  sorted?(rows: T[], ask: Ask): readonly T[] | Answer;
  /** How the query asks for a part of the list; null = everything comes at once. */
  readonly page?: Pager<T> | null;
  /** Instead of the two counts of a paged list. */
  meta?(found: number, ask: Ask, world: World): object;
}

/** What a collection does differently from the next one. `V` is what a body says, checked. */
export interface Rules<T extends object, V extends object = Partial<T>> {
  /** The stored rows by id. */
  rows(world: World): Map<string, T>;
  /** The row that a request names, where that is not the last name of its path. */
  find?(ask: Ask, world: World): T | Answer | undefined;
  /** The refusal of a request that names no row. */
  missing(id: string, ask: Ask): Answer;
  /** A row as answers show it; `place` counts from 1 inside a list. */
  show(row: T, ask: Ask, world: World, place?: number): unknown;
  /** Members beside `data`, such as `included`. */
  beside?(rows: readonly T[], ask: Ask, world: World): object;
  /** These members stand before `data`. */
  readonly isDataLast?: boolean;
  /** The body of an answer about one row; `data` in v2, the row itself in v1. */
  one?(shown: unknown): unknown;
  /** The body of a list in v1; a bare list unless told otherwise. */
  all?(shown: readonly unknown[]): unknown;
  readonly list?: Listing<T>;
  /** The refusal of a caller, or of a body, before the row is looked for. */
  refuses?(ask: Ask, world: World): Answer | undefined;
  /** The refusal to change or delete a row. */
  barred?(row: T, ask: Ask, world: World): Answer | undefined;
  /** What a body says, checked; `before` is the row that it changes. */
  read?(ask: Ask, world: World, before?: T): V | Answer;
  /** Stores a new row; an answer refuses it. */
  make?(values: V, ask: Ask, world: World): T | Answer;
  /** Changes a stored row; what was read is laid over it unless told otherwise. An answer refuses, or stands for the usual one. */
  change?(row: T, values: V, ask: Ask, world: World): Answer | undefined;
  /** Deletes a row where that is more than forgetting it. An answer refuses, or stands for 204. */
  remove?(row: T, ask: Ask, world: World): Answer | undefined;
  /** The status of the answer to a create; 200 unless told otherwise. */
  readonly created?: number;
}

/** The operations of a collection by verb: they are served at its path, and at its path with a name behind it. */
export type Served = Readonly<Record<'list' | 'get' | 'create' | 'update' | 'delete', Handler>>;

/** A collection, and how operations beside the ordinary ones find its rows. */
export interface Collection<T> extends Served {
  /** The row that a request names, or the refusal. */
  find(ask: Ask, world: World): T | Answer;
  /** An operation on the row that a request names. */
  on(act: (row: T, ask: Ask, world: World) => Answer): Handler;
}

/** List, get, create, update and delete as every ordinary collection does them, and what this one does differently. */
export function collection<T extends object, V extends object = Partial<T>>(rules: Rules<T, V>): Collection<T> {
  const find = (ask: Ask, world: World): T | Answer => {
    const id = idIn(ask);
    const rows = rules.rows(world);
    const named = rules.find ? rules.find(ask, world) : rows.get(isUuid(id) ? id.toLowerCase() : id);
    return named ?? rules.missing(id, ask);
  };
  const whole = (row: T, ask: Ask, world: World): unknown => {
    const shown = rules.show(row, ask, world);
    if (rules.one) return rules.one(shown);
    return isEnveloped(ask.endpoint) ? enveloped(rules, shown, rules.beside?.([row], ask, world)) : shown;
  };
  const on: Collection<T>['on'] = (act) => (ask, world) => {
    const refusal = rules.refuses?.(ask, world);
    if (refusal) return refusal;
    const row = find(ask, world);
    return isAnswer(row) ? row : act(row, ask, world);
  };
  const changing: Collection<T>['on'] = (act) =>
    on((row, ask, world) => rules.barred?.(row, ask, world) ?? act(row, ask, world));
  const read = (ask: Ask, world: World, before?: T): V | Answer =>
    rules.read?.(ask, world, before) ?? refused(405, 'Method not allowed');
  return {
    find,
    on,
    list: (ask, world) => listed(rules, ask, world),
    get: on((row, ask, world) => ok(whole(row, ask, world))),
    create: (ask, world) => {
      const values = rules.refuses?.(ask, world) ?? read(ask, world);
      if (isAnswer(values)) return values;
      const row = rules.make?.(values, ask, world) ?? refused(405, 'Method not allowed');
      return isAnswer(row) ? row : { status: rules.created ?? 200, body: whole(row, ask, world) };
    },
    update: changing((row, ask, world) => {
      const values = read(ask, world, row);
      if (isAnswer(values)) return values;
      if (!rules.change) Object.assign(row, values);
      return rules.change?.(row, values, ask, world) ?? ok(whole(row, ask, world));
    }),
    delete: changing((row, ask, world) => {
      if (rules.remove) return rules.remove(row, ask, world) ?? gone;
      const rows = rules.rows(world);
      for (const [id, each] of rows) if (each === row) rows.delete(id);
      return gone;
    }),
  };
}

function listed<T extends object, V extends object>(rules: Rules<T, V>, ask: Ask, world: World): Answer {
  const isV2 = isEnveloped(ask.endpoint);
  const { list = {} } = rules;
  const { page = isV2 ? pageOf : null } = list;
  const all = list.rows?.(ask, world) ?? [...rules.rows(world).values()];
  if (isAnswer(all)) return all;
  const fits = list.matches?.(ask, world) ?? (() => true);
  if (typeof fits !== 'function') return fits;
  const found = all.filter(fits);
  const sorted = list.sorted?.(found, ask) ?? inOrder(found, ask, list.orders?.(world));
  if (isAnswer(sorted)) return sorted;
  const rows = page ? page(ask.query, sorted) : sorted;
  if (isAnswer(rows)) return rows;
  const shown = rows.map((row, place) => rules.show(row, ask, world, place + 1));
  if (!isV2) return ok(rules.all ? rules.all(shown) : shown);
  const counts = { page: { total_count: all.length, total_filtered_count: found.length } };
  const meta = list.meta?.(found.length, ask, world) ?? (page ? counts : undefined);
  return ok({ ...enveloped(rules, shown, rules.beside?.(rows, ask, world)), ...(meta ? { meta } : {}) });
}

const enveloped = (
  { isDataLast = false }: { readonly isDataLast?: boolean },
  data: unknown,
  beside?: object,
): object => (isDataLast ? { ...beside, data } : { data, ...beside });

function inOrder<T>(rows: readonly T[], ask: Ask, orders: Orders<T> | undefined): readonly T[] | Answer {
  const [usual = ''] = Object.keys(orders ?? {});
  return orders ? sortedBy(rows, ask.query.get('sort') || usual, orders) : rows;
}

/** What the last name in a path stands for. */
const idIn = ({ endpoint, params }: Ask): string => params[pathNames(endpoint.path).at(-1) ?? ''] ?? '';

/** v2 speaks in envelopes, v1 in bare objects. */
const isEnveloped = ({ path }: Endpoint): boolean => path.startsWith('/api/v2');

/** The refusal when a body does not fit the operation's schema. */
export function unfit(endpoint: Endpoint, body: unknown): Answer | undefined {
  if (!endpoint.body) return undefined;
  const read = v.safeParse(endpoint.body, body ?? {});
  if (read.success) return undefined;
  return refused(
    400,
    ...read.issues.slice(0, 3).map((issue) => `Invalid ${v.getDotPath(issue) ?? 'body'}: ${issue.message}`),
  );
}
