import { type Endpoint, pathNames } from '../../api/endpoint.ts';
import { at, isUuid } from '../../lib/values.ts';
import {
  type ApiRequest,
  type ApiResponse,
  asObject,
  asText,
  type Handler,
  isResponse,
  noContent,
  numeric,
  type Orders,
  ok,
  type Pager,
  refused,
  type ServiceWorld,
  slicePage,
  sortedBy,
} from './handler.ts';

/** How a list differs from the default: every stored row, in stored order, in pages. */
export interface CollectionList<T> {
  /** The rows before filtering; a response refuses the list. */
  rows?(request: ApiRequest, world: ServiceWorld): readonly T[] | ApiResponse;
  /** The filter that the query asks for; a response refuses it. */
  matches?(request: ApiRequest, world: ServiceWorld): ((row: T) => boolean) | ApiResponse;
  /** The values of `sort`; the first is the default. */
  orders?(world: ServiceWorld): Orders<T>;
  /** A sort that `orders` cannot express; a response refuses it. */
  sorted?(rows: T[], request: ApiRequest): readonly T[] | ApiResponse;
  /** Selects the page; null = one response has every row. */
  readonly page?: Pager<T> | null;
  /** Replaces the two counts of a paged list. */
  meta?(found: number, request: ApiRequest, world: ServiceWorld): object;
}

/** How one collection differs from the others. `V` is a validated body. */
interface Rules<T extends object, V extends object = Partial<T>> {
  /** The stored rows by id. */
  rows(world: ServiceWorld): Map<string, T>;
  /** The row of a request; default: the row with the id that is the last path parameter. */
  find?(request: ApiRequest, world: ServiceWorld): T | ApiResponse | undefined;
  /** The response when there is no such row. */
  missing(id: string, request: ApiRequest): ApiResponse;
  /** A row in the response format; `place` counts from 1 inside a list. */
  show(row: T, request: ApiRequest, world: ServiceWorld, place?: number): unknown;
  /** Members beside `data`, such as `included`. */
  beside?(rows: readonly T[], request: ApiRequest, world: ServiceWorld): object;
  /** The body of a response with one row; default: `{ data: row }` in v2, the row itself in v1. */
  one?(shown: unknown): unknown;
  /** The body of a list in v1; default: the array. */
  all?(shown: readonly unknown[]): unknown;
  readonly list?: CollectionList<T>;
  /** Refuses the caller or the body before the row is looked up. */
  refuses?(request: ApiRequest, world: ServiceWorld): ApiResponse | undefined;
  /** Refuses an update or a delete of a row. */
  refusesEdit?(row: T, request: ApiRequest, world: ServiceWorld): ApiResponse | undefined;
  /** Validates the body; `before` is the row to change, absent on create. */
  read?(request: ApiRequest, world: ServiceWorld, before?: T): V | ApiResponse;
  /** Stores a new row, or refuses. */
  make?(values: V, request: ApiRequest, world: ServiceWorld): T | ApiResponse;
  /** Changes a stored row; default: assigns the validated members. A returned response refuses, or replaces the usual one. */
  change?(row: T, values: V, request: ApiRequest, world: ServiceWorld): ApiResponse | undefined;
  /** Deletes a row; default: removes it from `rows`. A returned response refuses, or replaces the 204. */
  remove?(row: T, request: ApiRequest, world: ServiceWorld): ApiResponse | undefined;
  /** The status of the response to a create; default 200. */
  readonly created?: number;
}

/** The operations of a collection by verb, served at its path and at its path with an id. */
interface Served extends Readonly<Record<'list' | 'get' | 'create' | 'update' | 'delete', Handler>> {
  /** The row of a request, or the refusal. */
  find(request: ApiRequest, world: ServiceWorld): object;
}

/** What serves a domain: collections by their path, and handlers of other operations by the id of the operation. */
export type Operations = Readonly<Record<string, Served | Handler>>;

/** A collection, and access to its rows for further operations. */
export interface Collection<T extends object> extends Served {
  find(request: ApiRequest, world: ServiceWorld): T | ApiResponse;
  /** A handler for an operation on one row. */
  on(act: (row: T, request: ApiRequest, world: ServiceWorld) => ApiResponse): Handler;
}

/** List, get, create, update and delete for a collection with these rules. */
export function collection<T extends object, V extends object = Partial<T>>(rules: Rules<T, V>): Collection<T> {
  const find = (request: ApiRequest, world: ServiceWorld): T | ApiResponse => {
    const refusal = rules.refuses?.(request, world);
    if (refusal) return refusal;
    const id = idIn(request);
    const rows = rules.rows(world);
    const named = rules.find ? rules.find(request, world) : rows.get(isUuid(id) ? id.toLowerCase() : id);
    return named ?? rules.missing(id, request);
  };
  const fullObject = (row: T, request: ApiRequest, world: ServiceWorld): unknown => {
    const shown = rules.show(row, request, world);
    if (rules.one) return rules.one(shown);
    return isEnveloped(request.endpoint) ? { data: shown, ...rules.beside?.([row], request, world) } : shown;
  };
  const on: Collection<T>['on'] = (act) => (request, world) => {
    const row = find(request, world);
    return isResponse(row) ? row : act(row, request, world);
  };
  const changing: Collection<T>['on'] = (act) =>
    on((row, request, world) => rules.refusesEdit?.(row, request, world) ?? act(row, request, world));
  const read = (request: ApiRequest, world: ServiceWorld, before?: T): V | ApiResponse =>
    rules.read?.(request, world, before) ?? refused(405, 'Method not allowed');
  return {
    find,
    on,
    list: (request, world) => listed(rules, request, world),
    get: on((row, request, world) => ok(fullObject(row, request, world))),
    create: (request, world) => {
      const values = rules.refuses?.(request, world) ?? read(request, world);
      if (isResponse(values)) return values;
      const row = rules.make?.(values, request, world) ?? refused(405, 'Method not allowed');
      return isResponse(row) ? row : { status: rules.created ?? 200, body: fullObject(row, request, world) };
    },
    update: changing((row, request, world) => {
      const values = read(request, world, row);
      if (isResponse(values)) return values;
      if (!rules.change) Object.assign(row, values);
      return rules.change?.(row, values, request, world) ?? ok(fullObject(row, request, world));
    }),
    delete: changing((row, request, world) => {
      if (rules.remove) return rules.remove(row, request, world) ?? noContent;
      const rows = rules.rows(world);
      for (const [id, each] of rows) if (each === row) rows.delete(id);
      return noContent;
    }),
  };
}

function listed<T extends object, V extends object>(
  rules: Rules<T, V>,
  request: ApiRequest,
  world: ServiceWorld,
): ApiResponse {
  const isV2 = isEnveloped(request.endpoint);
  const { list = {} } = rules;
  const { page = isV2 ? slicePage : null } = list;
  const all = list.rows?.(request, world) ?? [...rules.rows(world).values()];
  if (isResponse(all)) return all;
  const fits = list.matches?.(request, world) ?? (() => true);
  if (typeof fits !== 'function') return fits;
  const found = all.filter(fits);
  const sorted = list.sorted?.(found, request) ?? inOrder(found, request, list.orders?.(world));
  if (isResponse(sorted)) return sorted;
  const rows = page ? page(request.query, sorted) : sorted;
  if (isResponse(rows)) return rows;
  const shown = rows.map((row, place) => rules.show(row, request, world, place + 1));
  if (!isV2) return ok(rules.all ? rules.all(shown) : shown);
  const counts = { page: { total_count: all.length, total_filtered_count: found.length } };
  const meta = list.meta?.(found.length, request, world) ?? (page ? counts : undefined);
  return ok({ data: shown, ...rules.beside?.(rows, request, world), ...(meta && { meta }) });
}

function inOrder<T>(
  rows: readonly T[],
  request: ApiRequest,
  orders: Orders<T> | undefined,
): readonly T[] | ApiResponse {
  const [usual = ''] = Object.keys(orders ?? {});
  return orders ? sortedBy(rows, request.query.get('sort') || usual, orders) : rows;
}

/** The value of the last path parameter. */
const idIn = ({ endpoint, params }: ApiRequest): string => params[pathNames(endpoint.path).at(-1) ?? ''] ?? '';

/** Whether bodies are wrapped in `data`: v2 wraps, v1 does not. */
const isEnveloped = ({ path }: Endpoint): boolean => path.startsWith('/api/v2');

type Fields = Record<string, unknown>;

/** The records of a generic kind; creates the map on first use. */
function rowsOf({ org }: ServiceWorld, of: string): Map<string, Fields> {
  const rows = org.others.get(of) ?? new Map<string, Fields>();
  org.others.set(of, rows);
  return rows;
}

/** Stores an object of a generic kind; assigns an id when it has none. */
export function storeRecord(world: ServiceWorld, kind: string, object: unknown): Fields {
  const sent = asObject(object) ?? {};
  const id = asText(sent.id) ?? world.random.uuid();
  const kept = typeof sent.id === 'number' ? sent.id : typeof sent.id === 'bigint' ? numeric(id) : id;
  const row = { ...sent, id: kept };
  rowsOf(world, kind).set(id, row);
  return row;
}

/** A generic collection of the kind `of`: returns what was sent. */
const recordsOf = (kind: string): Collection<Fields> =>
  collection<Fields>({
    rows: (world) => rowsOf(world, kind),
    missing: () => refused(404, 'Not found'),
    show: (row) => row,
    list: { page: slicePage },
    read: ({ endpoint, body }) => asObject(endpoint.path.startsWith('/api/v2') ? at(body, 'data') : body) ?? {},
    make: (sent, _, world) => storeRecord(world, kind, sent),
    change: (row, sent) => {
      for (const part of ['attributes', 'relationships'])
        if (asObject(row[part])) sent[part] = { ...asObject(row[part]), ...asObject(sent[part]) };
      Object.assign(row, sent, { id: row.id });
      return undefined;
    },
  });

/** Serves operations without a handler, by verb and kind. */
export const records: Handler = (request, world) => {
  const { verb, of } = request.endpoint;
  const rows = recordsOf(of);
  if (verb === 'act') return refused(404, 'Not found');
  if (verb === 'search') return rows.list(request, world);
  return rows[verb === 'check' ? 'get' : verb](request, world);
};
