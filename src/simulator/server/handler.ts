import type { Endpoint } from '../../api/endpoint.ts';
import type { Upload } from '../kinds/table-store.ts';
import type { User } from './access.ts';
import type { Random } from './random.ts';
import type { Org } from './store.ts';

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
  /** Time in the organisation, epoch milliseconds. */
  readonly now: number;
}

/** A request before its keys are checked, in the neutral vocabulary. */
export interface IncomingRequest {
  /** Undefined: no operation has this path. */
  readonly endpoint: Endpoint | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly apiKey: string | undefined;
  readonly appKey: string | undefined;
  /** Time in the organisation, epoch milliseconds. */
  readonly now: number;
  /** Who sends it: a fault may let another operator send the same. */
  readonly by: 'caller' | 'other operator';
}

/** Middleware around every operation: may change the request, the organisation and the response. */
export type Intercept = (
  incoming: IncomingRequest,
  world: World,
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
export interface World {
  readonly org: Org;
  readonly random: Random;
  /** A disabled user's application keys stop working. */
  revokeKeysOf(user: string): void;
  /** The pre-signed URL to which a part of an upload is sent. */
  partUrl(upload: Upload, part: number): string;
}

/** Implements one operation: reads the request, changes the world, returns the response. */
export type Handler = (request: ApiRequest, world: World) => ApiResponse;

/** Whether a value is a response instead of the object that was looked up. */
export const isResponse = (value: object): value is ApiResponse =>
  'status' in value && typeof value.status === 'number';

/** 200 with a body. */
export const ok = (body: unknown): ApiResponse => ({ status: 200, body });
/** 204 with the content type that the public service sends with it (contract/monitors.md section 1). */
export const gone: ApiResponse = { status: 204, type: 'text/plain' };
/** A refusal with the error body of the specification. */
export const refused = (status: number, ...errors: string[]): ApiResponse => ({ status, body: { errors } });

/** The member at a path, or undefined. */
export function at(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const name of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

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
export function count(query: URLSearchParams, name: string, fallback: number, most: number): number {
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

/** Whether a text has the shape of a UUID. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
