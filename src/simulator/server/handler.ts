import type { ServerResponse } from 'node:http';
import * as v from 'valibot';
import { type AnySchema, type Endpoint, pathNames, type Verb } from '../../api/endpoint.ts';
import { stringifyExact } from '../../lib/json.ts';
import { commaWords } from '../../lib/text.ts';
import { at } from '../../lib/values.ts';
import type { Upload } from '../kinds/table-store.ts';
import type { Random } from './random.ts';
import type { Org, User } from './store.ts';

/** The caller: the owner of the application key and the key's permissions. */
export interface Caller {
  readonly user: User;
  /** Whether the key is limited to scopes; some operations refuse such keys. */
  readonly scoped: boolean;
  /** Whether the owner is an administrator, which some operations require beside a permission. */
  readonly admin: boolean;
  may(permission: string): boolean;
}

/** A request whose keys and permissions have been checked. */
export interface ApiRequest {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined when there was none or it could not be read. */
  readonly body: unknown;
  readonly caller: Caller;
  /** Time in the organization, epoch milliseconds. */
  readonly now: number;
}

/** A request before its keys are checked, in the neutral vocabulary. */
export interface IncomingRequest extends Omit<ApiRequest, 'endpoint' | 'caller'> {
  /** Undefined: no operation has this path. */
  readonly endpoint: Endpoint | undefined;
  readonly apiKey: string | undefined;
  readonly appKey: string | undefined;
  /** Who sends the request: a fault may have another operator send a copy of it. */
  readonly by: 'caller' | 'other operator';
}

/** Middleware around every operation: may change the request, the organization and the response. */
export type Intercept = (
  incoming: IncomingRequest,
  world: ServiceWorld,
  next: (incoming: IncomingRequest) => ApiResponse,
) => ApiResponse;

/** A response. `body` undefined = empty; a string is sent unchanged; an empty `type` = no content type. */
export interface ApiResponse {
  readonly status: number;
  readonly body?: unknown;
  /** Text appended to the JSON body. */
  readonly tail?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The state that handlers read and change. */
export interface ServiceWorld {
  readonly org: Org;
  readonly random: Random;
  /** The pre-signed URL to which a part of an upload is sent. */
  partUrl(upload: Upload, part: number): string;
}

/** Implements one operation: reads the request, changes the world, returns the response. */
export type Handler = (request: ApiRequest, world: ServiceWorld) => ApiResponse;

/** Whether a value is a response instead of the object that was looked up. */
export const isResponse = (value: object): value is ApiResponse =>
  'status' in value && typeof value.status === 'number';

/** 200 with a body. */
export const ok = (body: unknown): ApiResponse => ({ status: 200, body });
/** 204 with the content type that the public service sends with it (docs/contract/conventions.md#statuses). */
export const noContent: ApiResponse = { status: 204, type: 'text/plain' };
/** A refusal with the error body of the specification. */
export const refused = (status: number, ...errors: string[]): ApiResponse => ({ status, body: { errors } });

/** The refusal of a request of v1 without a parameter that it needs (docs/contract/integrations.md#provider_a). */
export const requires = (name: string | null): ApiResponse => refused(400, `Required parameter '${name}' is missing`);

/** The body of a response as it is sent. */
export const responseBytes = ({ body, tail = '' }: ApiResponse): Buffer =>
  Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : stringifyExact(body) + tail);

/** The headers of a response, without its length. */
export const responseHeaders = ({ type = 'application/json', headers }: ApiResponse): Record<string, string> => ({
  ...(type && { 'Content-Type': type }),
  ...headers,
});

/** Sends a response. */
export function respond(response: ApiResponse, outgoing: ServerResponse): void {
  const { status } = response;
  const bytes = responseBytes(response);
  const length = status === 204 ? {} : { 'Content-Length': bytes.length };
  outgoing.writeHead(status, { ...responseHeaders(response), ...length });
  outgoing.end(status === 204 ? undefined : bytes);
}

/** Values as requests send them and responses write them: of any type until they are read. */

/** Text, or a number as text; undefined for anything else. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : undefined;

/** The value if it is a list, else undefined. */
export const asList = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** The value if it is a plain object, else undefined. */
export const asObject = (value: unknown): Record<string, unknown> | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** A number, or text as a number; NaN for anything else. */
export function asNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** A whole number of the query, between 0 and `most`; `fallback` when it is absent or no number. */
export function countParameter(query: URLSearchParams, name: string, fallback: number, most: number): number {
  const text = query.get(name);
  const value = text === null || text === '' ? fallback : Math.floor(Number(text));
  return Number.isFinite(value) ? Math.max(0, Math.min(value, most)) : fallback;
}

/** Whether a query value is `true`, in any case. */
export const isTrue = (text: string | null): boolean => text?.toLowerCase() === 'true';

/** `2026-01-02T03:04:05.678000+00:00`. */
export const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000+00:00`;

/** Whole epoch seconds of milliseconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** A JSON integer for an id kept as text; texts that are no integer stay texts. */
export function numeric(id: string): number | bigint | string {
  if (!/^-?\d+$/.test(id)) return id;
  const value = Number(id);
  return Number.isSafeInteger(value) ? value : BigInt(id);
}

/** A number as the service writes floats in error texts: `90` as `90.0`. */
export const float = (value: number): string => (Number.isInteger(value) ? value.toFixed(1) : String(value));

/** The attributes in a body of v2; empty when there are none. */
export const sentAttributes = (body: unknown): Record<string, unknown> => asObject(at(body, 'data.attributes')) ?? {};

const idsDiffer = 'The id in the request body does not match the id in the URL';

/** The refusal of a body that names another object than the path does, by kind; of the others it is 422. */
const otherId: Readonly<Record<string, ApiResponse>> = {
  api_keys: refused(400, idsDiffer),
  application_keys: refused(400, idsDiffer),
  roles: refused(422, 'The id attribute in the request body does not match the role_id in the URL'),
  users: refused(422, "UUID's in the URL and request body do not match"),
};

const noRate = ['Invalid Pipeline', "'rate' must exist and be between 0 and 1"];
/** What the contract says of a wrong member of a body, by operation. */
const ownTexts: ReadonlyMap<string, readonly string[]> = new Map([
  ['roles.clone data.attributes.name', ['Role names cannot be only whitespace']],
  ['retention.create data.attributes.rate', noRate],
  ['retention.update data.attributes.rate', noRate],
  [
    'retention.create data.attributes.filter_type',
    ["Field 'filter_type' is invalid, expected value is 'spans-sampling-processor'"],
  ],
]);

/**
 * The body as the schema of the operation reads it; or the refusal of one that it does not read, or that names another object than
 * the path does. So no handler checks the shape of what it is given. Of retention filters the path decides, whatever the body names
 * (docs/contract/retention-filters.md#bodies).
 */
export function readBody(
  { id, body: schema, verb, path, of: kind }: Endpoint,
  params: ApiRequest['params'],
  body: unknown,
): { readonly value: unknown } | ApiResponse {
  if (!schema) return { value: body };
  const read = v.safeParse(schema, body ?? {});
  if (!read.success) {
    const lacking = read.issues.find(({ received }) => received === 'undefined');
    if (lacking && path.startsWith('/api/v1')) return requires(v.getDotPath(lacking));
    const texts = read.issues.slice(0, 3).flatMap((issue) => {
      const member = v.getDotPath(issue) ?? 'body';
      return ownTexts.get(`${id} ${member}`) ?? [`Invalid ${member}: ${issue.message}`];
    });
    return refused(400, ...texts);
  }
  const named = kind === 'apm_retention_filter' ? undefined : asText(at(read.output, 'data.id'));
  const own = params[pathNames(path).at(-1) ?? ''];
  return verb === 'update' && named !== undefined && own !== undefined && named.toLowerCase() !== own.toLowerCase()
    ? (otherId[kind] ?? refused(422, idsDiffer))
    : { value: read.output };
}

/** The body of a request of an operation. */
export const readSentBody = <E extends Endpoint>({ body }: ApiRequest) =>
  body as E extends { readonly body?: infer B extends AnySchema } ? v.InferOutput<B> : never;

/** Selects the page of rows that a query requests, or refuses the query. */
export type Pager<T> = (query: URLSearchParams, rows: readonly T[]) => readonly T[] | ApiResponse;

/**
 * The page of `page[number]` (from 0) and `page[size]` (default 10); refuses a size outside 1 to 100
 * (docs/contract/conventions.md#paging).
 */
export function slicePage<T>(query: URLSearchParams, rows: readonly T[]): readonly T[] | ApiResponse {
  const size = query.get('page[size]');
  if (size !== null && !(Number(size) >= 1 && Number(size) <= 100))
    return refused(400, 'Invalid page[size]: must be between 1 and 100');
  const length = countParameter(query, 'page[size]', 10, 100);
  const begin = countParameter(query, 'page[number]', 0, 1e9) * length;
  return rows.slice(begin, begin + length);
}

/** The page of `page[offset]` and `page[limit]`: `usual` rows by default, `most` at the most. */
export const offsetPage =
  (usual: number, most: number) =>
  <T>(query: URLSearchParams, rows: readonly T[]): readonly T[] => {
    const begin = countParameter(query, 'page[offset]', 0, Number.MAX_SAFE_INTEGER);
    return rows.slice(begin, begin + countParameter(query, 'page[limit]', usual, most));
  };

/** Sort fields of a list with their sort values. */
export type Orders<T> = Readonly<Record<string, (row: T) => string | number>>;

/** Rows sorted (stably) by a field of `orders`; `-` means descending. Refuses other fields. */
export function sortedBy<T>(rows: readonly T[], sort: string, orders: Orders<T>): readonly T[] | ApiResponse {
  const value = Object.hasOwn(orders, sort.replace(/^-/, '')) ? orders[sort.replace(/^-/, '')] : undefined;
  if (!value) return refused(400, `Invalid sort: ${sort}`);
  const sign = sort.startsWith('-') ? -1 : 1;
  const compared = rows.map((row) => ({ row, by: value(row) }));
  compared.sort((a, b) => (a.by === b.by ? 0 : a.by < b.by ? -sign : sign));
  return compared.map(({ row }) => row);
}

/** The sort value of a name: without case and punctuation (docs/contract/keys.md#choices). */
export const sortableName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, '');

/** The values of a query parameter, repeated or comma-separated. */
export const listParameter = (query: URLSearchParams, name: string): string[] => query.getAll(name).flatMap(commaWords);

/** Returns a predicate: whether one of the texts contains the query's `filter`, ignoring case. */
export function filterMatches(
  query: URLSearchParams,
  name = 'filter',
): (...texts: readonly (string | null)[]) => boolean {
  const wanted = query.get(name)?.toLowerCase() ?? '';
  return (...texts) => texts.some((text) => (text ?? '').toLowerCase().includes(wanted));
}

/**
 * Whether a moment lies within `filter[<name>][start]` and `[end]`, both inclusive; a refusal when one of them is no
 * date.
 */
export function within(query: URLSearchParams, name: string): ((ms: number) => boolean) | ApiResponse {
  const bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  for (const [end, side] of [
    ['start', 'low'],
    ['end', 'high'],
  ] as const) {
    const text = query.get(`filter[${name}][${end}]`);
    if (text === null || text === '') continue;
    const at = Date.parse(text);
    if (Number.isNaN(at)) return refused(400, `Invalid filter[${name}][${end}]: not a date`);
    bounds[side] = at;
  }
  return (ms) => ms >= bounds.low && ms <= bounds.high;
}

/** Whether an operation only reads. */
export const isReadVerb = (verb: Verb): boolean => verb === 'list' || verb === 'get';
